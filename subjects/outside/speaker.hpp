// A program that reads text and writes lines. Reading and writing do not block: see poll(2).
#pragma once

#include "subjects/isolation/process.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace demeter {

class Speaker {
 public:
  Speaker(std::string const& command, Limits const& limits) : process_(command, limits) {}

  bool listens() const { return process_.input() >= 0; }
  void close_input() { process_.close_input(); }
  bool has_ended() { return process_.has_ended(); }
  bool ended_well() const { return process_.ended_well(); }

  /// Waits until the program writes something, can be written to (if `sending`) or ends, but not longer than
  /// `milliseconds`. Also reads the standard error of the program.
  void wait(bool sending, int milliseconds);
  /// Writes as much of `text`, from `sent` on, as the program accepts now, and advances `sent`. Returns true if it
  /// wrote something.
  bool write_some(std::string_view text, std::size_t& sent);
  /// Reads the available standard output once. Returns the number of bytes, 0 at the end, or -1 if nothing is
  /// available.
  std::ptrdiff_t read_some();

  /// Returns the number of bytes that were read but not yet returned as lines.
  std::size_t unread() const { return end_ - begin_; }
  /// Returns the next complete line without its newline. With `at_end`, also returns a last line that has no newline.
  /// The line is valid until the next read. `LineReader::padding()` bytes after the line are readable.
  std::optional<std::string_view> next_line(bool at_end);

  /// Waits up to 0.2 s for the end of the program, after the end of its output.
  void await_end();
  /// Returns how the program ended, with the last line of its standard error.
  std::string ending();

 private:
  void drain_errors();

  Process process_;
  std::string buffer_, errors_;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace demeter
