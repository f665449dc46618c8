// Fuzzes answers: the JSON lines that `verify` reads, and that a program or file gives as a subject.
#include "tests/fuzz/expect.hpp"

namespace demeter::fuzz::answers {
namespace {

struct Session : LineSession {
  using LineSession::LineSession;
  Table outputs{kernel.output};

  Table reread(std::string const& text, Line& line) {
    PaddedLine const padded(text);
    Table copy(kernel.output);
    auto const wrong = again.read(padded.view(), nullptr, &copy, line);
    expect(!wrong, "a written answer is read", wrong.value_or("") + " in " + text);
    return copy;
  }

  void line(std::string_view text) {
    PaddedLine const padded(text);
    Table const cases_before = cases, outputs_before = outputs;
    Line line;
    if (auto const wrong = reader.read(padded.view(), &cases, &outputs, line)) {
      expect_plain_message(*wrong);
      expect(same_bits(cases, cases_before) && same_bits(outputs, outputs_before),
             "a line that is refused leaves the tables as they were", text);
    } else if (line.answer == Line::Answer::output) {
      expect(outputs.rows == outputs_before.rows + 1, "a row for an output", text);
      std::string const written = record_text(kernel.output, outputs, outputs.rows - 1);
      Line ignored;
      Table const copy = reread("{\"output\":" + written + "}", ignored);
      Table last(kernel.output);
      append_row(kernel.output, last, outputs, outputs.rows - 1);
      expect(same_bits(copy, last), "an answer that is written and read again has the same bits", written);
    } else {
      expect(outputs.rows == outputs_before.rows, "no row without an output", text);
      if (line.answer != Line::Answer::none) {
        Buffer quoted;
        write_string(line.message, quoted);
        std::string const message = fmt::to_string(quoted);
        expect(message.find('\n') == std::string::npos, "a written string is one line", message);
        Line copy;
        bool const error = line.answer == Line::Answer::error;
        reread((error ? "{\"error\":" : "{\"unsupported\":") + message + "}", copy);
        expect(copy.answer == line.answer && copy.message == line.message,
               "a message that is written and read again is the same", message);
      }
    }
    if (cases.rows > 4) cases.clear(kernel.input);
    if (outputs.rows > 4) outputs.clear(kernel.output);
  }
};

}  // namespace

void hold(std::string_view text) {
  for (auto const& session : one_for_each_kernel<Session>())
    for_each_line(text, [&](std::string_view line) { session->line(line); });
}

}  // namespace demeter::fuzz::answers
