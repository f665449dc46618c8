// The pipe format with one case or answer per line (docs/check-your-code.md), read into tables and written from tables.
#pragma once

#include "base/text.hpp"
#include "kernels/kernel.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace demeter {

using Buffer = fmt::memory_buffer;

/// The contents of a line except its numbers.
struct Line {
  enum class Answer { none, output, unsupported, error };

  std::optional<std::uint64_t> id;
  std::string regime;
  bool has_input = false;
  Answer answer = Answer::none;
  std::string message;  ///< message of `unsupported` and `error`
};

/// Reads lines for one kernel. Numbers are parsed here and not by the JSON library: -0 stays -0, and 1e400 is an error
/// and not infinity. Repeated or unknown keys inside `input` and `output` are also errors.
class LineReader {
 public:
  explicit LineReader(Kernel const& kernel);
  ~LineReader();
  LineReader(LineReader const&) = delete;
  LineReader& operator=(LineReader const&) = delete;

  /// Returns the number of bytes that must be readable after a line.
  static std::size_t padding();

  /// Appends the input of the line to `cases` and its outputs to `outputs`, if the line has them. Does not append to a
  /// null table. If a line has an error, both tables stay as they were. Returns the error ("input.p0: expected an array
  /// of 3 numbers"), or nothing.
  std::optional<std::string> read(std::string_view line, Table* cases, Table* outputs, Line& result);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// Reads the lines of a stream in blocks, with the padding that LineReader needs. The memory is limited: a block is the
/// data of one read(2) or one line, and a line has a maximum length.
class LineSource {
 public:
  static constexpr std::size_t longest = std::size_t{1} << 26;  ///< maximum bytes of a line: a million contacts need
                                                                ///< less
  explicit LineSource(std::FILE* stream);
  /// Returns the lines that are available now, without their newlines and without a byte order mark before the first.
  /// The lines are valid until the next call. Returns no line at the end of the stream.
  std::vector<std::string_view> const& next_block();
  bool failed() const { return failed_; }
  /// Returns true if reading stopped because a line had more than `longest` bytes.
  bool endless() const { return endless_; }

 private:
  std::FILE* stream_;
  std::string buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool begun_ = false, ended_ = false, failed_ = false, endless_ = false;
  std::vector<std::string_view> lines_;
};

/// Writes `{"p0":[0,0,0],...}` for row `row`. Outputs that were not computed are omitted.
void write_record(Schema const& schema, Table const& table, std::size_t row, Buffer& out);
/// Writes a record from cells that are already text. With `quoted`, numbers are written as strings. Empty cells are
/// omitted.
void write_record(Schema const& schema, TextTable const& table, std::size_t row, bool quoted, Buffer& out);

/// Writes `text` as a JSON string with quotes. Invalid UTF-8 becomes U+FFFD.
void write_string(std::string_view text, Buffer& out);

/// Returns the nesting depth of the brackets of a JSON text. Check this before passing text from outside to recursive
/// code.
std::size_t json_depth(std::string_view text);

/// Reads a single record, as in `demeter explain KERNEL '{"p0":...}'`: either the record itself or a whole line with
/// "input". Returns the error, or nothing.
std::optional<std::string> read_case(Kernel const& kernel, std::string_view text, Table& cases);

}  // namespace demeter
