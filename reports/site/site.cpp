#include "reports/site/site.hpp"

#include "base/files.hpp"
#include "reports/format/gzip.hpp"
#include "reports/format/model.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/plots.hpp"
#include "reports/site/tables.hpp"

#include <fmt/format.h>

#include <exception>
#include <nlohmann/json.hpp>

namespace demeter {
namespace {

namespace fs = std::filesystem;

/// The exception for a file that could not be written. `write_site` catches it.
struct Unwritable {
  std::string what;
};

void write_file(fs::path const& path, std::string_view content) {
  if (auto const wrong = write_whole(path, content, Links::replaced)) throw Unwritable{"cannot write " + *wrong};
}

/// Makes a folder of the site, or throws. With `Links::replaced` a symbolic link in its place is an error, because its
/// target does not belong to the site.
void make_part(fs::path const& folder, Links links) {
  if (auto const wrong = make_folder(folder, links)) throw Unwritable{"cannot make the folder " + *wrong};
}

/// Returns compact JSON with one line per kernel and subject, so that two files can be compared line by line.
std::string written(report::Json const& value, int depth = 0) {
  // Subjects, and the keys on the path to them, begin a line.
  if (depth >= 5 || !(value.is_object() || value.is_array()) || value.empty()) return value.dump();
  std::string text;
  if (value.is_array()) {
    if (!value.front().is_object()) return value.dump();
    for (auto const& element : value) text += (text.empty() ? "[\n" : ",\n") + written(element, depth + 1);
    return text + "\n]";
  }
  for (auto const& [key, element] : value.items())
    text += (text.empty() ? "{\n" : ",\n") + report::Json(key).dump() + ":" +
            (key == "kernels" || key == "subjects" || depth == 0 ? written(element, depth + 1) : element.dump());
  return text + "\n}";
}

std::optional<std::string> write_all(nlohmann::ordered_json const& raw, fs::path const& folder,
                                     report::History const* history) {
  report::Json const whole = report::cleaned(raw);
  report::Results results = report::read_results(report::shortened_for_pages(whole));
  results.has_history = history != nullptr;

  make_part(folder, Links::followed);
  for (char const* part : {"data", "tables", "figures"}) make_part(folder / part, Links::replaced);
  // First, since its mark says whose folder this is, however early the report ends.
  write_file(folder / results_file, packed_results(whole));
  std::vector<std::vector<report::Figure>> figures;
  std::vector<report::Figure*> all;
  report::Provenance const provenance = report::provenance_of(results);
  for (report::Kernel const& kernel : results.kernels) {
    figures.push_back(report::figures(kernel));
    for (auto& figure : report::continuity_figures(kernel)) figures.back().push_back(std::move(figure));
  }
  auto const draw_later = [&](report::Figure& figure) {
    write_file(folder / "figures" / (figure.stem + ".gp"), figure.script);
    write_file(folder / "figures" / (figure.stem + ".dat"), figure.data);
    all.push_back(&figure);
  };
  for (auto& of_kernel : figures)
    for (report::Figure& figure : of_kernel) draw_later(figure);
  std::vector<report::Figure> of_solvers = report::solver_figures(results);
  for (report::Figure& figure : of_solvers) draw_later(figure);
  std::optional<std::string> const note = report::draw(all, folder / "figures");

  for (std::size_t i = 0; i < results.kernels.size(); ++i) {
    report::Kernel const& kernel = results.kernels[i];
    write_file(folder / "data" / (kernel.slug + "-accuracy.csv"), report::accuracy_csv(kernel, provenance));
    write_file(folder / "data" / (kernel.slug + "-laws.csv"), report::laws_csv(kernel, provenance));
    write_file(folder / "data" / (kernel.slug + "-speed.csv"), report::speed_csv(kernel, provenance));
    write_file(folder / "data" / (kernel.slug + "-mutants.csv"), report::mutants_csv(kernel, provenance));
    write_file(folder / "tables" / (kernel.slug + ".tex"), report::latex_tables(kernel, provenance));
    if (report::has_continuity(kernel)) {
      write_file(folder / "data" / (kernel.slug + "-continuity.csv"), report::continuity_csv(kernel, provenance));
      write_file(folder / (kernel.slug + "-continuity.html"), report::continuity_page(results, kernel, figures[i]));
    }
    write_file(folder / (kernel.slug + ".html"), report::kernel_page(results, kernel, figures[i], note));
  }
  if (report::has_solvers(results)) {
    write_file(folder / "data" / "solvers-curves.csv", report::solver_curves_csv(results));
    write_file(folder / "data" / "solvers-tolerances.csv", report::solver_tolerances_csv(results));
    write_file(folder / report::solvers_file, report::solvers_page(results, of_solvers, note));
  }
  for (report::Document const& document : report::documents())
    write_file(folder / document.file, report::document_page(results, document));
  if (std::string const errata = report::errata_page(results); !errata.empty())
    write_file(folder / report::errata_file, errata);
  if (history != nullptr) write_file(folder / report::history_file, report::history_page(results, *history));
  // The overview is written last: if it is new, all its links lead to new files.
  write_file(folder / "index.html", report::overview_page(results, note));
  return note;
}

}  // namespace

std::string packed_results(nlohmann::ordered_json const& results) { return report::gzip(written(results) + "\n"); }

std::optional<SiteError> write_site(nlohmann::ordered_json const& results, fs::path const& folder,
                                    report::History const* history) {
  try {
    if (auto const note = write_all(results, folder, history)) return SiteError{*note, true};
    return std::nullopt;
  } catch (Unwritable const& failure) {
    return SiteError{failure.what};
  } catch (std::exception const& failure) {
    return SiteError{fmt::format("cannot write the report into {}: {}", folder.string(), failure.what())};
  }
}

}  // namespace demeter
