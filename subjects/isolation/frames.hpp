// Frames: the messages that a child process sends to us through a pipe. A frame is a header and `size` bytes. An
// `answers` frame contains a table, a `threw` frame the text of an exception, and a `result` frame other bytes, such as
// those of run_isolated(). The reader checks everything.
#pragma once

#include "kernels/subject.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace demeter {
namespace isolation {

enum class FrameKind : std::uint64_t { answers = 1, threw, result };

/// `mark` is a random number that only the child and the parent process know. It distinguishes frames from bytes that a
/// library writes into the pipe.
struct FrameHeader {
  std::uint64_t mark, kind, size;
};

class Writer {
 public:
  template <class Value>
  void put(Value const& value) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes_.append(reinterpret_cast<char const*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put(text.size());
    bytes_.append(text);
  }
  template <class Value>
  void put_all(std::vector<Value> const& values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    put(values.size());
    bytes_.append(reinterpret_cast<char const*>(values.data()), values.size() * sizeof(Value));
  }
  std::string const& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads the output of a Writer. Once there are too few bytes, every function returns false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class Value>
  bool get(Value& value) {
    if (rest_.size() < sizeof value) return fail();
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return true;
  }
  bool get_text(std::string& text) {
    std::size_t size;
    if (!get(size) || rest_.size() < size) return fail();
    text.assign(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return true;
  }
  template <class Value>
  bool get_all(std::vector<Value>& values) {
    std::size_t size;
    if (!get(size) || rest_.size() / sizeof(Value) < size) return fail();
    values.resize(size);
    if (size != 0) std::memcpy(values.data(), rest_.data(), size * sizeof(Value));
    rest_.remove_prefix(size * sizeof(Value));
    return true;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  bool fail() {
    rest_ = {};
    return false;
  }
  std::string_view rest_;
};

std::string encode(Answers const& answers);
std::string encode(Table const& cases);

/// Reads a frame of answers to `rows` cases. Returns what is wrong with it, or nothing.
std::optional<std::string> decode(std::string_view bytes, Schema const& schema, std::size_t rows, Answers& answers);
/// Reads a table of cases. Returns what is wrong with it, or nothing.
std::optional<std::string> decode(std::string_view bytes, Schema const& schema, Table& cases);

}  // namespace isolation

/// Returns what is wrong with a table of answers to `rows` cases from foreign code, or nothing. A valid table can be
/// indexed and cast without further checks.
std::optional<std::string> flaw(Schema const& schema, Table const& table, std::size_t rows);

}  // namespace demeter
