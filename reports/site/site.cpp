#include "reports/site/site.hpp"

#include "base/files.hpp"
#include "reports/format/codes.hpp"
#include "reports/format/gzip.hpp"
#include "reports/format/model.hpp"
#include "reports/site/pages.hpp"
#include "reports/site/plots.hpp"
#include "reports/site/tables.hpp"

#include <fmt/format.h>

#include <exception>
#include <map>
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

/// The figures of all pages, and the reason why some were not drawn for a paper.
struct Figures {
  std::vector<std::vector<report::Figure>> of_kernels;
  std::vector<report::Figure> of_solvers;
  std::optional<std::string> note{};
  std::size_t pdfs = 0;  ///< number of files that were drawn
};

std::vector<report::Figure> all_figures(report::Kernel const& kernel, report::Sheet const& sheet) {
  auto all = report::figures(kernel, sheet);
  for (auto& figure : report::continuity_figures(kernel, sheet)) all.push_back(std::move(figure));
  return all;
}

/// Draws the figures for a paper and adds the names of their files to the figures of the pages.
void draw_for_paper(report::Results const& results, fs::path const& folder, Figures& figures) {
  make_part(folder / "figures", Links::replaced);
  std::vector<report::Figure> drawn;
  for (report::Sheet const& sheet : {report::one_column, report::two_columns}) {
    for (report::Kernel const& kernel : results.kernels)
      for (auto& figure : all_figures(kernel, sheet)) drawn.push_back(std::move(figure));
    for (auto& figure : report::solver_figures(results, sheet)) drawn.push_back(std::move(figure));
  }
  figures.note = report::draw_paper(drawn, folder / "figures");
  std::map<std::string_view, std::vector<std::string>> files;
  for (report::Figure const& figure : drawn)
    if (!figure.file.empty()) files[figure.stem].push_back(figure.file), ++figures.pdfs;
  for (auto& of_kernel : figures.of_kernels)
    for (report::Figure& figure : of_kernel) figure.pdfs = files[figure.stem];
  for (report::Figure& figure : figures.of_solvers) figure.pdfs = files[figure.stem];
}

void write_tables(report::Results const& results, fs::path const& folder) {
  write_file(folder / "data/accuracy.csv.gz", report::gzip(report::accuracy_csv(results)));
  write_file(folder / "data/laws.csv.gz", report::gzip(report::laws_csv(results)));
  write_file(folder / "data/speed.csv.gz", report::gzip(report::speed_csv(results)));
  write_file(folder / "data/mutants.csv.gz", report::gzip(report::mutants_csv(results)));
  report::Provenance const provenance = report::provenance_of(results);
  for (report::Kernel const& kernel : results.kernels) {
    if (results.has_paper)
      write_file(folder / "tables" / (kernel.slug + ".tex"), report::latex_tables(kernel, provenance));
    if (report::has_continuity(kernel))
      write_file(folder / "data" / (kernel.slug + "-continuity.csv"), report::continuity_csv(kernel, provenance));
  }
  write_file(folder / "tables/codes-by-kernels.tex", report::latex_overview(results));
  write_file(folder / "tables/methods.tex", report::methods_latex(results));
  if (!report::has_solvers(results)) return;
  write_file(folder / "data/solvers-curves.csv", report::solver_curves_csv(results));
  write_file(folder / "data/solvers-tolerances.csv", report::solver_tolerances_csv(results));
}

std::optional<std::string> write_all(nlohmann::ordered_json const& raw, fs::path const& folder,
                                     SiteOptions const& options) {
  report::Json const whole = report::cleaned(raw);
  report::Results results = report::read_results(report::shortened_for_pages(whole));
  results.has_history = options.history != nullptr;
  results.has_paper = options.paper;
  report::separate_exercises(results);

  make_part(folder, Links::followed);
  for (char const* part : {"data", "tables"}) make_part(folder / part, Links::replaced);
  // The results are written first. Their mark shows that the folder belongs to a report, even if the report ends early.
  write_file(folder / results_file, packed_results(whole));
  Figures figures{.of_kernels = {}, .of_solvers = report::solver_figures(results)};
  for (report::Kernel const& kernel : results.kernels)
    figures.of_kernels.push_back(all_figures(kernel, report::screen));
  if (options.paper) draw_for_paper(results, folder, figures);
  write_tables(results, folder);

  for (std::size_t i = 0; i < results.kernels.size(); ++i) {
    report::Kernel const& kernel = results.kernels[i];
    if (report::has_continuity(kernel))
      write_file(folder / (kernel.slug + "-continuity.html"),
                 report::continuity_page(results, kernel, figures.of_kernels[i]));
    write_file(folder / (kernel.slug + ".html"), report::kernel_page(results, kernel, figures.of_kernels[i]));
  }
  if (report::has_solvers(results))
    write_file(folder / report::solvers_file, report::solvers_page(results, figures.of_solvers));
  for (report::Document const& document : report::documents())
    write_file(folder / document.file, report::document_page(results, document));
  if (std::string const errata = report::errata_page(results); !errata.empty())
    write_file(folder / report::errata_file, errata);
  write_file(folder / report::cite_file, report::cite_page(results, figures.pdfs));
  if (options.history != nullptr)
    write_file(folder / report::history_file, report::history_page(results, *options.history));
  // The overview is written last: if it is new, all its links lead to new files.
  write_file(folder / "index.html", report::overview_page(results, figures.of_kernels));
  return figures.note;
}

}  // namespace

std::string packed_results(nlohmann::ordered_json const& results) { return report::gzip(written(results) + "\n"); }

std::optional<SiteError> write_site(nlohmann::ordered_json const& results, fs::path const& folder,
                                    SiteOptions const& options) {
  try {
    if (auto const note = write_all(results, folder, options)) return SiteError{*note, true};
    return std::nullopt;
  } catch (Unwritable const& failure) {
    return SiteError{failure.what};
  } catch (std::exception const& failure) {
    return SiteError{fmt::format("cannot write the report into {}: {}", folder.string(), failure.what())};
  }
}

}  // namespace demeter
