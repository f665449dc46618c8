// The data of the report for other programs (CSV) and for papers (LaTeX).
#pragma once

#include "reports/format/model.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter::report {

/// The seed of the cases and the commit of the program. Every row of a CSV file and every table contains both.
struct Provenance {
  std::string seed, commit;
};
Provenance provenance_of(Results const& results);

/// Return the data of a kernel as CSV. Column n is the number of cases of a row: judged, tested by the law, or timed in
/// one run.
std::string accuracy_csv(Kernel const& kernel, Provenance const& of);
std::string laws_csv(Kernel const& kernel, Provenance const& of);
std::string speed_csv(Kernel const& kernel, Provenance const& of);
std::string mutants_csv(Kernel const& kernel, Provenance const& of);
std::string continuity_csv(Kernel const& kernel, Provenance const& of);

/// Return the curves of the solvers, and the sweeps and time to each tolerance, as CSV. Each row has the commit, the
/// date and the processor of the measurement.
std::string solver_curves_csv(Results const& results);
std::string solver_tolerances_csv(Results const& results);

/// Appends one line of CSV with the necessary quotes.
void csv_row(std::string& csv, std::vector<std::string> const& fields);

/// Returns a table by regime for each group of outputs, split into parts that fit a text width of 345 points. Needs no
/// LaTeX package.
std::string latex_tables(Kernel const& kernel, Provenance const& of);

/// Returns `text` escaped for the text mode of LaTeX. Characters outside ASCII become their code point, so that every
/// engine and font can set them.
std::string latex_escaped(std::string_view text);

}  // namespace demeter::report
