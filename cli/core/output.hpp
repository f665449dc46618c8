// Output of the command: exit codes, errors in one line, and checked standard output.
#pragma once

#include "kernels/json_lines.hpp"

#include <string>
#include <string_view>

namespace demeter::cli {

/// The exit codes. README.md lists them.
enum Exit : int {
  held = 0,       ///< success: no failure and no error
  failed = 1,     ///< an answer failed, crashed, is missing or malformed; also an undecided case, unless allowed
  bad_usage = 2,  ///< the command line is wrong; also an output path that cannot be written
  bad_data = 3,   ///< the data are wrong: a malformed case or scene
  broken = 4,     ///< the harness itself failed: a write error, a closed pipe
};

/// Prints "demeter VERB: message" on standard error, in one line. Long quotations are cut. `command` is a command that
/// the reader can run next. Its words must be `shell_quoted`.
void inform(std::string_view verb, std::string_view message, std::string_view command = {});
/// Sets the reason why the verb ends early. After this call, `complain` returns code 4. Its next call prints `reason`
/// instead of its message, and later calls print nothing.
void end_because(std::string reason);
bool has_reason_to_end();
/// Prints like `inform` and returns the code.
int complain(Exit code, std::string_view verb, std::string_view message, std::string_view command = {});

/// Writes to standard error. Text that cannot be written is lost, and the program continues. This happens if the stream
/// is closed or full, or if nobody reads it for one second.
void say(std::string_view text) noexcept;
/// Call this before a program prints its last line. If several threads end the program at once, the function returns in
/// one thread, which prints its line. The other threads wait in the function until the program ends.
void be_the_one_that_ends() noexcept;
template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  say(fmt::vformat(format, fmt::make_format_args(arguments...)));
}

/// Checked standard output. After the first failed write, nothing more is written.
class Output {
 public:
  Buffer& buffer() { return buffer_; }
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    print_formatted(format, fmt::make_format_args(arguments...));
  }
  /// Returns false after a failed write. `error()` has the reason.
  bool flush();
  std::string const& error() const { return error_; }

 private:
  // Not a template: otherwise every file would compile the formatters of {fmt} again.
  void print_formatted(fmt::string_view format, fmt::format_args arguments);

  Buffer buffer_;
  std::string error_;
};

}  // namespace demeter::cli
