// The report's data for other programs and for papers: CSV and LaTeX.
#pragma once

#include "reports/format/model.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter::report {

/// Which cases by which program: every row and table carries it.
struct Provenance {
  std::string seed, commit;
};
Provenance provenance_of(Results const& results);

/// Column n: how many cases a row is about: judged, tried by the law, timed in one run.
std::string accuracy_csv(Kernel const& kernel, Provenance const& of);
std::string laws_csv(Kernel const& kernel, Provenance const& of);
std::string speed_csv(Kernel const& kernel, Provenance const& of);
std::string mutants_csv(Kernel const& kernel, Provenance const& of);
std::string continuity_csv(Kernel const& kernel, Provenance const& of);

/// The curves of the solvers, and what each tolerance took them; each row says which program measured, when and where.
std::string solver_curves_csv(Results const& results);
std::string solver_tolerances_csv(Results const& results);

/// One line of CSV, quoted where it must be.
void csv_row(std::string& csv, std::vector<std::string> const& fields);

/// A table by regime for each group of outputs, in parts that fit a page of 345 points; needs no package.
std::string latex_tables(Kernel const& kernel, Provenance const& of);

/// `text` for LaTeX's text mode; characters beyond ASCII as their code point, so that every engine and font takes it.
std::string latex_escaped(std::string_view text);

}  // namespace demeter::report
