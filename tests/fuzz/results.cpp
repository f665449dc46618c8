// Fuzzes the results.json.gz that `demeter report --from` and `demeter compare` read.
#include "reports/compare.hpp"
#include "reports/format/gzip.hpp"
#include "reports/format/members.hpp"
#include "reports/format/model.hpp"
#include "reports/format/parse.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/tables.hpp"
#include "tests/fuzz/expect.hpp"

namespace demeter::fuzz::results {
namespace {

using report::Json;

struct Drawn {
  std::string pages, tables;
  bool operator==(Drawn const&) const = default;
};

/// Returns the pages and tables of the site that are made from the data, and the scripts and data for gnuplot.
Drawn draw(Json const& json) {
  report::Results const results = report::read_results(json);
  std::vector<std::vector<report::Figure>> all;
  for (report::Kernel const& kernel : results.kernels) all.push_back(report::figures(kernel));
  Drawn drawn{report::overview_page(results, all) + report::cite_page(results, 0), ""};
  drawn.tables = report::accuracy_csv(results) + report::laws_csv(results) + report::speed_csv(results) +
                 report::mutants_csv(results) + report::latex_overview(results);
  for (report::Kernel const& kernel : results.kernels) {
    drawn.pages += report::kernel_page(results, kernel, report::figures(kernel));
    drawn.tables += report::latex_tables(kernel, report::provenance_of(results));
    for (auto const& figure : report::figures(kernel, report::one_column)) {
      drawn.tables += figure.drawing.data();
      // gnuplot executes text in backticks. Therefore no text of the data may be in a script.
      std::string const script = figure.drawing.script(figure.file);
      expect(script.find_first_of("`<") == std::string::npos, "no text of the data is in a script", script);
    }
  }
  return drawn;
}

void check(std::string_view text) {
  std::string why;
  auto const plain = report::unpacked(std::string(text), why);
  if (!plain) return expect_plain_message(why);
  auto const parsed = report::parse_results(*plain, why);
  if (!parsed) return expect_plain_message(why);
  Recorded recorded;
  if (auto const wrong = read_recorded(*parsed, recorded)) expect_plain_message(*wrong);
  Json const clean = report::cleaned(*parsed);
  report::Mistakes mistakes;
  auto const records = report::read<report::Results>(clean, mistakes);
  for (auto const& mistake : mistakes.first) expect_plain_message(mistake.text());
  Json const kept = report::write(records);
  report::Mistakes others;
  expect(report::write(report::read<report::Results>(kept, others)) == kept, "records are read as they were written",
         kept.dump());
  expect(mistakes.count > 0 || others.count == 0, "what is right is written right", kept.dump());
  std::string const written = clean.dump(1);
  expect(simdjson::validate_utf8(written.data(), written.size()), "results are written as UTF-8");
  auto const again = report::parse_results(written, why);
  expect(again.has_value(), "written results are read", why);
  expect(*again == clean, "results that are written and read again are the same", written);
  expect(report::cleaned(clean) == clean, "cleaning twice is cleaning once", written);
  Drawn const drawn = draw(clean);
  expect(draw(*again) == drawn, "the same results give the same site");
  for (auto const& part : {drawn.pages, drawn.tables})
    expect(simdjson::validate_utf8(part.data(), part.size()), "the site is UTF-8");
  // Markup in the data must not become markup in a page.
  expect(drawn.pages.find("<fuzz") == std::string::npos, "text is escaped", text);
}

}  // namespace

void hold(std::string_view text) { check(text); }

}  // namespace demeter::fuzz::results
