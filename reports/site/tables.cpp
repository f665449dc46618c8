#include "reports/site/tables.hpp"

#include "reports/site/html.hpp"

#include <charconv>

namespace demeter::report {
namespace {

/// Returns a CSV field (RFC 4180): quoted if necessary, with quotes doubled. An apostrophe precedes text that is not a
/// number and that a spreadsheet would read as a formula.
std::string csv_field(std::string_view given) {
  double number = 0;
  std::string_view const digits = given.starts_with('+') ? given.substr(1) : given;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  bool const is_number = !digits.empty() && end == digits.data() + digits.size();
  bool const formula = !given.empty() && std::string_view("=+-@\t\r").find(given.front()) != std::string_view::npos;
  std::string const text = (formula && !is_number ? "'" : "") + std::string(given);
  if (text.find_first_of("\",\r\n") == std::string::npos) return text;
  std::string field = "\"";
  for (char const c : text) field += c == '"' ? "\"\"" : std::string(1, c);
  return field + "\"";
}

}  // namespace

void csv_row(std::string& csv, std::vector<std::string> const& fields) {
  bool first = true;
  for (std::string const& field : fields) {
    csv += (first ? "" : ",") + csv_field(field);
    first = false;
  }
  csv += '\n';
}

Provenance provenance_of(Results const& results) {
  return {results.run.seed ? std::to_string(*results.run.seed) : "", results.run.commit};
}

std::string accuracy_csv(Results const& results) {
  Provenance const of = provenance_of(results);
  std::string csv =
      "seed,commit,kernel,subject,profile,regime,output,measure,budget,cases,n,unsupported,not_representable,not_asked,"
      "missing,malformed,crash,timeout,failed,not_a_number,not_finite,undecided,max_error,mean_error,median_error,"
      "p99_error,max_relative,max_condition,worst_id,command\n";
  for (Kernel const& kernel : results.kernels) {
    for (Contender const& contender : kernel.subjects) {
      for (Accuracy const& row : contender.accuracy) {
        csv_row(csv, {of.seed,
                      of.commit,
                      kernel.name,
                      contender.name,
                      std::string(profile_of(kernel, row.regime)),
                      row.regime,
                      row.output,
                      row.measure,
                      exact(row.budget),
                      std::to_string(row.cases),
                      std::to_string(row.judged),
                      std::to_string(row.unsupported),
                      std::to_string(row.not_representable),
                      std::to_string(row.not_asked),
                      std::to_string(row.missing),
                      std::to_string(row.malformed),
                      std::to_string(row.crash),
                      std::to_string(row.timeout),
                      std::to_string(row.failed),
                      std::to_string(row.not_a_number),
                      std::to_string(row.not_finite),
                      std::to_string(row.undecided),
                      exact(row.max_error),
                      exact(row.mean_error),
                      exact(row.median_error),
                      exact(row.p99_error),
                      exact(row.max_relative),
                      exact(row.max_condition),
                      row.worst ? std::to_string(row.worst->id) : "",
                      row.worst ? row.worst->command : ""});
      }
    }
  }
  return csv;
}

std::string laws_csv(Results const& results) {
  Provenance const of = provenance_of(results);
  std::string csv = "seed,commit,kernel,subject,law,profile,regime,cases,n,broken,worst,command\n";
  for (Kernel const& kernel : results.kernels) {
    for (Contender const& contender : kernel.subjects) {
      for (LawResult const& row : contender.laws) {
        csv_row(csv, {of.seed, of.commit, kernel.name, contender.name, row.law, "all", "all", std::to_string(row.cases),
                      std::to_string(row.applicable), std::to_string(row.broken), exact(row.worst),
                      row.counterexample ? row.counterexample->command : ""});
        for (LawRegime const& regime : row.regimes) {
          csv_row(csv, {of.seed, of.commit, kernel.name, contender.name, row.law,
                        std::string(profile_of(kernel, regime.regime)), regime.regime, "", "",
                        std::to_string(regime.broken), exact(regime.worst), ""});
        }
      }
    }
  }
  return csv;
}

std::string speed_csv(Results const& results) {
  Provenance const of = provenance_of(results);
  std::string csv = "seed,commit,kernel,subject,kind,setting,profile,regime,outputs,nanoseconds,low,high,n,samples\n";
  for (Kernel const& kernel : results.kernels) {
    for (Timing const& row : kernel.speed.timings) {
      std::string samples;
      for (double const sample : row.samples) samples += (samples.empty() ? "" : ";") + exact(sample);
      auto const interval = median_interval(row.samples);
      csv_row(csv, {of.seed, of.commit, kernel.name, row.subject, row.kind, row.setting,
                    std::string(profile_of(kernel, row.regime)), row.regime, row.outputs, exact(row.nanoseconds),
                    interval ? exact(interval->low) : "", interval ? exact(interval->high) : "",
                    std::to_string(row.count), samples});
    }
  }
  return csv;
}

std::string mutants_csv(Results const& results) {
  Provenance const of = provenance_of(results);
  std::string csv = "seed,commit,kernel,mutant,change,source,killed,by,profile,regime,n,laws\n";
  for (Kernel const& kernel : results.kernels) {
    for (Mutant const& row : kernel.mutation.mutants) {
      std::string laws;
      for (std::string const& law : row.laws) laws += (laws.empty() ? "" : ";") + law;
      csv_row(csv, {of.seed, of.commit, kernel.name, row.name, row.change, row.source, row.killed ? "yes" : "no",
                    row.found_by(), std::string(profile_of(kernel, row.regime)), row.regime, std::to_string(row.cases),
                    laws});
    }
  }
  return csv;
}

}  // namespace demeter::report
