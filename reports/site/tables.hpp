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

/// Return the data of all kernels as CSV. Column n is the number of cases of a row: judged, tested by the law, or timed
/// in one run.
std::string accuracy_csv(Results const& results);
std::string laws_csv(Results const& results);
std::string speed_csv(Results const& results);
std::string mutants_csv(Results const& results);

/// Returns the continuity of one kernel as CSV. The columns depend on the quantities of the kernel.
std::string continuity_csv(Kernel const& kernel, Provenance const& of);

/// Return the curves of the solvers, and the sweeps and time to each tolerance, as CSV. Each row has the commit, the
/// date and the processor of the measurement.
std::string solver_curves_csv(Results const& results);
std::string solver_tolerances_csv(Results const& results);

/// Appends one line of CSV with the necessary quotes.
void csv_row(std::string& csv, std::vector<std::string> const& fields);

/// Returns tables for each group of outputs and profile: one row per implementation with its budget, one column per
/// regime, split into parts that fit a text width of 345 points. Needs no LaTeX package.
std::string latex_tables(Kernel const& kernel, Provenance const& of);

/// Returns one table of all codes: for each of their kernels the budget, the digits in everyday and degenerate cases
/// and the verdict.
std::string latex_overview(Results const& results);

/// Returns `text` escaped for the text mode of LaTeX. Characters outside ASCII become their code point, so that every
/// engine and font can set them.
std::string latex_escaped(std::string_view text);

}  // namespace demeter::report
