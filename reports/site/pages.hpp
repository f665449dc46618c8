// The pages of the report. Each function returns a page or a section as HTML.
#pragma once

#include "reports/format/codes.hpp"
#include "reports/format/model.hpp"
#include "reports/site/plots.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace demeter::report {

struct History;

/// `figures` has the figures of each kernel, in the order of the kernels.
std::string overview_page(Results const& results, std::vector<std::vector<Figure>> const& figures);

/// Return the sections of the overview that compare codes: codes by kernels, and the sizes and situations in which each
/// code of other authors is right.
std::string codes_table(Results const& results, std::vector<Code> const& codes);
std::string trust_table(std::vector<Code> const& codes);

std::string kernel_page(Results const& results, Kernel const& kernel, std::vector<Figure> const& figures);

/// Returns a sentence with links to the CSV files of all kernels.
std::string data_links();

/// How to cite: a paragraph about the method, BibTeX, the tables and figures for a paper. The functions return the
/// page and its parts as plain text, which a paper can contain unchanged. `pdfs` is the number of PDF files.
inline constexpr std::string_view cite_file = "cite.html";
std::string cite_page(Results const& results, std::size_t pdfs);
std::string methods_text(Results const& results);
std::string methods_latex(Results const& results);
std::string bibtex(Results const& results);

/// Returns one line about the declared approximations of a code, with the largest error and the source.
std::string declared_line(Kernel const& kernel, Contender const& contender);

/// Return the mutation scores of all kernels as a table, and the score of one kernel with all its mutants. Return an
/// empty text if there are no mutants.
std::string mutation_overview(Results const& results);
std::string mutation_details(Kernel const& kernel);

/// Returns whether the continuity of the kernel was searched. The next functions return its page, the paragraph on the
/// kernel's page and the section of the overview.
bool has_continuity(Kernel const& kernel);
std::string continuity_page(Results const& results, Kernel const& kernel, std::vector<Figure> const& figures);
std::string continuity_summary(Kernel const& kernel);
std::string continuity_overview(Results const& results);

/// Errata: errors in publications and in other codes. The functions return the page of all kernels and the section of
/// one kernel's page, or an empty text if there are no errata.
inline constexpr std::string_view errata_file = "errata.html";
std::string errata_page(Results const& results);
std::string errata_section(Kernel const& kernel);

/// Solvers of many contacts: whether any were measured, their page, the paragraph of the overview, and the paragraph of
/// the kernel whose problem they solve. Texts are empty if there are no solvers.
inline constexpr std::string_view solvers_file = "solvers.html";
bool has_solvers(Results const& results);
std::string solvers_page(Results const& results, std::vector<Figure> const& figures);
std::string solvers_overview(Results const& results);
std::string solvers_summary(Results const& results, Kernel const& kernel);

/// A document of docs/ as a page of the report, made at build time: the path of the document, the file of the page, the
/// first heading, and the HTML.
struct Document {
  std::string_view source, file, title, html;
};
std::span<Document const> documents();
std::string document_page(Results const& results, Document const& shown);
inline constexpr std::string_view how_to_read_file = "how-to-read.html";

/// Returns the escaped text, in which each "docs/mathematics/<page>.md#<anchor>" is a link to that heading in the
/// report. If there is no such heading, for example in results of another version, the text is not a link.
std::string with_mathematics_links(std::string_view text);

/// Returns the page of the errors and times over the versions of a history.
inline constexpr std::string_view history_file = "history.html";
std::string history_page(Results const& results, History const& history);

/// Returns "pass", "fail" or "undecided" as a coloured word.
std::string verdict_badge(Kernel const& kernel, Contender const& contender);

/// Return the line of the overview about a contender that fails, and the section of a kernel's page with all failures.
std::string defect_line(Kernel const& kernel, Contender const& contender);
std::string failures_section(Kernel const& kernel);

/// Returns all times of a kernel: a table for the ordinary regime, one table per setting with all regimes, and the
/// workloads.
std::string speed_section(Kernel const& kernel);

/// Returns the section with the routines that are faster than the batch form, with the reasons. Returns an empty text
/// if no batch form was timed.
std::string ahead_section(Kernel const& kernel);

}  // namespace demeter::report
