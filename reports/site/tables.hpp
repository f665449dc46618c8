// The report's data for other programs and for papers: CSV and LaTeX.
#pragma once

#include "reports/format/model.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace demeter::report {

std::string accuracy_csv(Kernel const& kernel);
std::string laws_csv(Kernel const& kernel);
std::string speed_csv(Kernel const& kernel);
std::string mutants_csv(Kernel const& kernel);
std::string continuity_csv(Kernel const& kernel);

/// One line of CSV, quoted where it must be.
void csv_row(std::string& csv, std::vector<std::string> const& fields);

/// A table by regime for each group of outputs; needs no package.
std::string latex_tables(Kernel const& kernel);

/// `text` for LaTeX's text mode; characters beyond ASCII as their code point, so that every engine and font takes it.
std::string latex_escaped(std::string_view text);

}  // namespace demeter::report
