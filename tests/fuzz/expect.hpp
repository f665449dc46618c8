// Assertions for fuzz targets. A target is a file in this folder. It has a function `hold`, which tests one input, in a
// namespace with the name of the file. libFuzzer runs the target (`./run fuzz TARGET`). In the tests, replay.cpp runs
// it with its corpus.
#pragma once

#include "kernels/json_lines.hpp"

#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::fuzz {

/// Ends the program if the condition is false. libFuzzer and replay.cpp then report the input.
inline void expect(bool holds, std::string_view what, std::string_view detail = "") {
  if (holds) return;
  std::fprintf(stderr, "fuzz: expected that %.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
               static_cast<int>(detail.size()), detail.data());
  std::abort();
}

/// Checks a message for a user. It must be one short line of text that is safe in a terminal and in a JSON string.
inline void expect_plain_message(std::string_view message) {
  expect(!message.empty(), "an error says what is wrong");
  expect(message.size() < 1000, "a message is short", message);
  expect(std::ranges::none_of(message, [](unsigned char c) { return c < 32 || c == 127; }),
         "a message has no control characters", message);
  expect(simdjson::validate_utf8(message.data(), message.size()), "a message is UTF-8", message);
  for (std::size_t i = 1; i < message.size(); ++i)
    expect(message[i - 1] != '\xC2' || static_cast<unsigned char>(message[i]) >= 0xA0,
           "a message has no control characters beyond ASCII", message);
}

inline bool same_bits(Table const& a, Table const& b) {
  auto const same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  if (a.rows != b.rows || a.exact != b.exact || a.columns.size() != b.columns.size()) return false;
  for (std::size_t i = 0; i < a.columns.size(); ++i)
    if (!std::ranges::equal(a.columns[i], b.columns[i], same)) return false;
  return true;
}

/// A line with the bytes that may follow it in a buffer, such as other lines. The buffer is exactly as long as the
/// reader needs. The address sanitizer therefore detects reads beyond it.
struct PaddedLine {
  std::vector<char> bytes;
  std::size_t size;

  explicit PaddedLine(std::string_view text) : bytes(text.begin(), text.end()), size(text.size()) {
    std::string_view const behind = "\n{\"id\":1,\"input\":{\"x\":[0,\"";
    for (std::size_t i = 0; i < LineReader::padding(); ++i) bytes.push_back(behind[i % behind.size()]);
  }
  std::string_view view() const { return {bytes.data(), size}; }
};

inline std::string record_text(Schema const& schema, Table const& table, std::size_t row) {
  Buffer buffer;
  write_record(schema, table, row, buffer);
  return fmt::to_string(buffer);
}

/// Reads lines of a kernel with one reader. A second reader reads them again after they were written.
struct LineSession {
  Kernel const& kernel;
  LineReader reader{kernel};
  LineReader again{kernel};
  Table cases{kernel.input};

  explicit LineSession(Kernel const& of) : kernel(of) {}
};

/// Returns one session per kernel. A target keeps the sessions between its inputs.
template <class Session>
std::vector<std::unique_ptr<Session>> const& one_for_each_kernel() {
  static auto const all = [] {
    std::vector<std::unique_ptr<Session>> made;
    for (auto const& kernel : kernels()) made.push_back(std::make_unique<Session>(kernel));
    return made;
  }();
  return all;
}

/// Calls `use` with each line of the input.
template <class Use>
void for_each_line(std::string_view text, Use&& use) {
  while (!text.empty()) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    use(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace demeter::fuzz
