// The pages of the report, each as one HTML text.
#pragma once

#include "reports/model.hpp"
#include "reports/plots.hpp"

#include <optional>
#include <string>
#include <vector>

namespace demeter::report {

std::string overview_page(Results const& results, std::optional<std::string> const& figure_note);

std::string kernel_page(Results const& results, Kernel const& kernel, std::vector<Figure> const& figures,
                        std::optional<std::string> const& figure_note);

/// "held", "exceeded", "undecided" as a coloured word.
std::string verdict_badge(Contender const& contender);

}  // namespace demeter::report
