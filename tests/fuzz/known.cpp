// Fuzzes baselines of accepted failures: the lines of a `--known` file.
#include "reports/known.hpp"

#include "tests/fuzz/expect.hpp"

namespace demeter::fuzz::known {
namespace {

bool same(KnownFailure const& a, KnownFailure const& b) {
  if (a.kernel != b.kernel || a.subject != b.subject || a.regime != b.regime || a.output != b.output ||
      a.law != b.law || a.max_error != b.max_error || a.comment != b.comment ||
      a.input.has_value() != b.input.has_value())
    return false;
  return !a.input || same_bits(*a.input, *b.input);
}

void check(std::string_view text) {
  KnownFailures known;
  std::uint64_t number = 0;
  for_each_line(text, [&](std::string_view line) {
    std::size_t const before = known.entries().size();
    if (auto const wrong = known.add_line(line, ++number)) {
      expect_plain_message(*wrong);
      expect(known.entries().size() == before, "a line that is refused adds nothing", line);
      return;
    }
    expect(known.entries().size() == before + 1, "an entry for a line", line);
    KnownFailure const& entry = known.entries().back();
    std::string const written = known_line(entry);
    expect(written.find('\n') == std::string::npos, "an entry is one line", written);
    KnownFailures again;
    auto const refused = again.add_line(written, number);
    expect(!refused, "a written entry is read", refused.value_or("") + " in " + written);
    expect(same(again.entries().front(), entry), "an entry that is written and read again is the same", written);
    expect(known_line(again.entries().front()) == written, "writing what was read gives the same text", written);

    // An entry must accept the failure that it describes.
    Kernel const& kernel = *find_kernel(entry.kernel);
    Table cases(kernel.input);
    if (entry.input) {
      append_row(kernel.input, cases, *entry.input, 0);
    } else {
      kernel.generate(0, 1, 0, cases);
    }
    auto const named = [](std::string const& name, std::string_view otherwise) {
      return name == "*" ? otherwise : std::string_view(name);
    };
    std::string_view const output = entry.output.empty() ? "" : named(entry.output, kernel.budgets[0].output);
    Failed const failed{kernel,
                        {entry.subject},
                        named(entry.regime, kernel.regimes[0].name),
                        output,
                        entry.law,
                        cases,
                        0,
                        entry.max_error.value_or(1)};
    expect(again.accepts(failed), "an entry accepts the failure that it describes", written);
    expect(again.met(0), "an entry that accepted has been met", written);
    expect_plain_message(known_name(entry));
  });
}

}  // namespace

void hold(std::string_view text) { check(text); }

}  // namespace demeter::fuzz::known
