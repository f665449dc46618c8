// What the command says: exit codes, one-line errors, and standard output that is checked.
#pragma once

#include "kernels/json_lines.hpp"

#include <string>
#include <string_view>

namespace demeter::cli {

/// The exit codes; README.md lists them.
enum Exit : int {
  held = 0,
  failed = 1,     ///< an answer failed, crashed, is missing or malformed; undecided too unless allowed
  bad_usage = 2,  ///< also an unwritable output path
  bad_data = 3,   ///< a malformed case or scene
  broken = 4,     ///< the harness itself: a write error, a closed pipe
};

/// Prints "demeter VERB: message" on stderr, in one line and with long quotations cut. `command` is what the reader may
/// do about it; its words must be `shell_quoted`.
void inform(std::string_view verb, std::string_view message, std::string_view command = {});
/// From now on `complain` prints `reason`, once and with code 4, in place of any other message: a verb that ends early
/// ends because of it.
void end_because(std::string reason);
bool has_reason_to_end();
/// Prints like `inform`, and returns the code.
int complain(Exit code, std::string_view verb, std::string_view message, std::string_view command = {});

/// Writes to stderr. What cannot be written (it is closed, full, or nobody reads it for a second) is lost and ends
/// nothing.
void say(std::string_view text) noexcept;
/// Before the line with which a program ends: of threads that come to their end at once one says so, and the others
/// wait here for it to end the program.
void be_the_one_that_ends() noexcept;
template <class... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  say(fmt::vformat(format, fmt::make_format_args(arguments...)));
}

/// Standard output, checked: after the first failed write nothing more is written.
class Output {
 public:
  Buffer& buffer() { return buffer_; }
  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    print_formatted(format, fmt::make_format_args(arguments...));
  }
  /// False after a failed write; the reason is in `error()`.
  bool flush();
  std::string const& error() const { return error_; }

 private:
  // Not a template: {fmt}'s formatters would be compiled anew in every file.
  void print_formatted(fmt::string_view format, fmt::format_args arguments);

  Buffer buffer_;
  std::string error_;
};

}  // namespace demeter::cli
