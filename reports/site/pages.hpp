// The pages of the report, each as one HTML text.
#pragma once

#include "reports/format/model.hpp"
#include "reports/site/plots.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// What others print or do that is not what it should be: the page of all kernels, and the section of one kernel's
/// page; nothing if there is none.
inline constexpr std::string_view errata_file = "errata.html";
std::string errata_page(Results const& results);
std::string errata_section(Kernel const& kernel);

/// The solvers of many contacts: whether any were followed, their page, the overview's paragraph, and that of the
/// kernel whose problem they solve; nothing if there is none.
inline constexpr std::string_view solvers_file = "solvers.html";
bool has_solvers(Results const& results);
std::string solvers_page(Results const& results, std::vector<Figure> const& figures,
                         std::optional<std::string> const& figure_note);
std::string solvers_overview(Results const& results);
std::string solvers_summary(Results const& results, Kernel const& kernel);

/// A document of docs/ as a page of the report, made at build time: its path, the page's file, its first heading, and
/// its HTML.
struct Document {
  std::string_view source, file, title, html;
};
std::span<Document const> documents();
std::string document_page(Results const& results, Document const& shown);
inline constexpr std::string_view how_to_read_file = "how-to-read.html";

/// `text` escaped, "docs/mathematics/<page>.md#<anchor>" in it as a link to that heading in the report; where there is
/// no such heading, as results of another version may have it, it stays text.
std::string with_mathematics_links(std::string_view text);

/// "pass", "fail", "undecided" as a coloured word.
std::string verdict_badge(Kernel const& kernel, Contender const& contender);

/// A line of the overview about a contender that fails, and the section of a kernel's page with all that fails.
std::string defect_line(Kernel const& kernel, Contender const& contender);
std::string failures_section(Kernel const& kernel);

/// All times of a kernel: a table in the ordinary regime, one for each setting with every regime, and the workloads.
std::string speed_section(Kernel const& kernel);

/// What is faster than the batch form and what it gives up for that; nothing where no batch form was timed.
std::string ahead_section(Kernel const& kernel);

}  // namespace demeter::report
