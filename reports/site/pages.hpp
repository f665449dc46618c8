// The pages of the report, each as one HTML text.
#pragma once

#include "reports/format/model.hpp"
#include "reports/site/plots.hpp"

#include <optional>
#include <string>
#include <vector>

namespace demeter::report {

std::string overview_page(Results const& results, std::optional<std::string> const& figure_note);

std::string kernel_page(Results const& results, Kernel const& kernel, std::vector<Figure> const& figures,
                        std::optional<std::string> const& figure_note);

/// The mutation score of every kernel as a table, and of one kernel with all its mutants; nothing if there is none.
std::string mutation_overview(Results const& results);
std::string mutation_details(Kernel const& kernel);

/// Whether the kernel's continuity was searched; its page, its paragraph on the kernel's page and its rows on the
/// overview.
bool has_continuity(Kernel const& kernel);
std::string continuity_page(Results const& results, Kernel const& kernel, std::vector<Figure> const& figures);
std::string continuity_summary(Kernel const& kernel);
std::string continuity_overview(Results const& results);

/// "held", "exceeded", "undecided" as a coloured word.
std::string verdict_badge(Contender const& contender);

}  // namespace demeter::report
