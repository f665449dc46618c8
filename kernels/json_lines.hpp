// The pipe format: one case or answer a line (docs/check-your-code.md), read into and written from tables.
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

/// What one line says beside its numbers.
struct Line {
  enum class Answer { none, output, unsupported, error };

  std::optional<std::uint64_t> id;
  std::string regime;
  bool has_input = false;
  Answer answer = Answer::none;
  std::string message;  ///< of `unsupported` and `error`
};

/// Reads lines for one kernel. Numbers are read here and not by the JSON library: -0 stays -0, 1e400 is an error and
/// not infinity, repeated and unknown keys inside `input` and `output` are errors.
class LineReader {
 public:
  explicit LineReader(Kernel const& kernel);
  ~LineReader();
  LineReader(LineReader const&) = delete;
  LineReader& operator=(LineReader const&) = delete;

  /// Bytes that must be readable after a line.
  static std::size_t padding();

  /// Appends the line's input (if any) to `cases` and its outputs (if any) to `outputs`, if given; a table it does not
  /// complete is left as it was. Returns what is wrong ("input.p0: expected an array of 3 numbers"), or nothing.
  std::optional<std::string> read(std::string_view line, Table* cases, Table* outputs, Line& result);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// Lines of a stream in blocks, with the padding the reader needs. Constant memory: the longest block is what one
/// read(2) brings, or one line, which must have an end.
class LineSource {
 public:
  static constexpr std::size_t longest = std::size_t{1} << 26;  ///< bytes of a line: a million contacts have less
  explicit LineSource(std::FILE* stream);
  /// The lines available now, without their newlines and without a byte order mark before the first, valid until the
  /// next call; empty at the end of the stream.
  std::vector<std::string_view> const& next_block();
  bool failed() const { return failed_; }
  /// It ended because a line had more than `longest` bytes.
  bool endless() const { return endless_; }

 private:
  std::FILE* stream_;
  std::string buffer_;
  std::size_t begin_ = 0, end_ = 0;
  bool begun_ = false, ended_ = false, failed_ = false, endless_ = false;
  std::vector<std::string_view> lines_;
};

/// `{"p0":[0,0,0],...}` for row `row`. Outputs that were not computed are left out.
void write_record(Schema const& schema, Table const& table, std::size_t row, Buffer& out);
/// The same from cells that are text already; `quoted` puts numbers in strings. Empty cells are left out.
void write_record(Schema const& schema, TextTable const& table, std::size_t row, bool quoted, Buffer& out);

/// `text` as a JSON string, quotes included; what is no UTF-8 becomes U+FFFD.
void write_string(std::string_view text, Buffer& out);

/// How deep the brackets of a JSON text are nested. To be asked before a text from outside is given to code that
/// recurses into it.
std::size_t json_depth(std::string_view text);

/// A record given alone, as in `demeter explain KERNEL '{"p0":...}'`: either the record itself or a whole line with
/// "input". Returns what is wrong, or nothing.
std::optional<std::string> read_case(Kernel const& kernel, std::string_view text, Table& cases);

}  // namespace demeter
