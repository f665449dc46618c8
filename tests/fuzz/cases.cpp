// Fuzzes cases: the JSON lines that `evaluate` and `verify --cases` read, and the single case of `explain`.
#include "tests/fuzz/expect.hpp"

namespace demeter::fuzz::cases {
namespace {

struct Session : LineSession {
  using LineSession::LineSession;

  /// Writes the case, reads it and writes it again. Both texts must be equal, and both cases must have equal bits.
  void round_trip() {
    std::string const text = record_text(kernel.input, cases, cases.rows - 1);
    PaddedLine const written("{\"id\":3,\"input\":" + text + "}");
    Table copy(kernel.input);
    Line line;
    auto const wrong = again.read(written.view(), &copy, nullptr, line);
    expect(!wrong, "a written case is read", wrong.value_or("") + " in " + text);
    Table last(kernel.input);
    append_row(kernel.input, last, cases, cases.rows - 1);
    expect(same_bits(copy, last), "a case that is written and read again has the same bits", text);
    expect(record_text(kernel.input, copy, 0) == text, "writing what was read gives the same text", text);
    // Every case that can be read is checked for the domain.
    if (auto const outside = kernel.domain_error(cases, cases.rows - 1))
      expect(!outside->field.empty() && !outside->expected.empty(), "a domain error names the field and the domain");
  }

  void line(std::string_view text) {
    PaddedLine const padded(text);
    Table const before = cases;
    Line line;
    if (auto const wrong = reader.read(padded.view(), &cases, nullptr, line)) {
      expect_plain_message(*wrong);
      expect(same_bits(cases, before), "a line that is refused leaves the table as it was", text);
    } else {
      expect(cases.rows == before.rows + (line.has_input ? 1 : 0), "a row for an input", text);
      if (line.has_input) round_trip();
    }
    if (cases.rows > 4) cases.clear(kernel.input);
  }

  void single(std::string_view text) {
    cases.clear(kernel.input);
    if (auto const wrong = read_case(kernel, text, cases)) {
      expect_plain_message(*wrong);
      expect(same_bits(cases, Table(kernel.input)), "a case that is refused leaves the table as it was", text);
    } else {
      expect(cases.rows == 1, "a case is one row", text);
      round_trip();
    }
    cases.clear(kernel.input);
  }
};

}  // namespace

void hold(std::string_view text) {
  for (auto const& session : one_for_each_kernel<Session>()) {
    for_each_line(text, [&](std::string_view line) { session->line(line); });
    session->single(text);
  }
}

}  // namespace demeter::fuzz::cases
