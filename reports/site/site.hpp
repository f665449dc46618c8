// The report as a static site: pages, figures, tables and data from the results of a run. Does not depend on kernels.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace demeter {

namespace report {
struct History;
}

/// The reason, in one line, why the site is missing or incomplete.
struct SiteError {
  std::string what;
  bool pages_written = false;  ///< true: pages, tables and data are complete, only PDF files are missing
};

/// The name of the file with all results in the folder of a site.
inline constexpr char const* results_file = "results.json.gz";

/// Returns the bytes of the results file. `results` must be valid UTF-8.
std::string packed_results(nlohmann::ordered_json const& results);

struct SiteOptions {
  bool paper = false;                        ///< also write figures/*.pdf
  report::History const* history = nullptr;  ///< with a history, also write history.html
};

/// Writes index.html, a page per kernel with its figures, the pages of docs/, results.json.gz, data/*.csv.gz and
/// tables/*.tex into `folder`, which is created if necessary. The pages need no network. Missing, null or ill-typed
/// entries of `results` are shown as not available. Text of `results` is not trusted: it is escaped in HTML, LaTeX and
/// gnuplot data, and is never part of a gnuplot script.
std::optional<SiteError> write_site(nlohmann::ordered_json const& results, std::filesystem::path const& folder,
                                    SiteOptions const& options = {});

}  // namespace demeter
