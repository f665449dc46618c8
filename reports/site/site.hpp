// The report as a static site: pages, figures, tables and data from the results of a run. Knows nothing of kernels.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace demeter {

/// Why the site is not there, or not whole, in one line.
struct SiteError {
  std::string what;
  bool pages_written = false;  ///< true: pages, tables and data are there, and only figures are missing
};

/// The file of all results in the folder of a site.
inline constexpr char const* results_file = "results.json.gz";

/// Returns the bytes of that file. `results` is valid UTF-8.
std::string packed_results(nlohmann::ordered_json const& results);

/// Writes index.html, a page per kernel, the pages of docs/mathematics as text, results.json.gz, data/*.csv,
/// tables/*.tex and figures/* into `folder` (made if it is not there). The pages need no network. Missing, null or
/// ill-typed entries of `results` are shown as not available; no text of `results` is trusted: it reaches HTML, LaTeX
/// and gnuplot data escaped, and gnuplot scripts never.
std::optional<SiteError> write_site(nlohmann::ordered_json const& results, std::filesystem::path const& folder);

}  // namespace demeter
