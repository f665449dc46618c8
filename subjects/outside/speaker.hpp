// A program that is spoken to: text goes to it and lines come from it as poll(2) allows.
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

  /// Until it says something (or, if we are sending, can be written to) or ends, or for some milliseconds. What it says
  /// on its standard error is read here.
  void wait(bool sending, int milliseconds);
  /// Writes what it takes now of `text` from `sent` on, which moves; true if that was something.
  bool write_some(std::string_view text, std::size_t& sent);
  /// Reads what it says now on its standard output, once: the number of bytes, 0 at its end, -1 if there is nothing
  /// now.
  std::ptrdiff_t read_some();

  /// How many bytes have been read and not been taken as lines.
  std::size_t unread() const { return end_ - begin_; }
  /// The next whole line of them, without its newline; at the end of the output also a last one without newline. Valid
  /// until the next is read; `LineReader::padding()` bytes after it can be read.
  std::optional<std::string_view> next_line(bool at_end);

  /// Waits a moment for the end, after that of its output.
  void await_end();
  /// How the program ended, with the last line of its standard error.
  std::string ending();

 private:
  void drain_errors();

  Process process_;
  std::string buffer_, errors_;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace demeter
