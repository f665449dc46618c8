#include "cli/core/command.hpp"
#include "cli/core/version.hpp"
#include "reports/format/model.hpp"
#include "reports/format/parse.hpp"
#include "reports/format/results.hpp"
#include "reports/site/site.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace demeter::cli {
namespace {

/// Makes the folder and tries to write there: to be known before minutes of work, not after.
std::optional<std::string> cannot_write_into(std::string const& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return error.message();
  std::string const probe = folder + "/.writable";
  std::FILE* const file = std::fopen(probe.c_str(), "w");
  if (file == nullptr) return std::strerror(errno);
  std::fclose(file);
  std::filesystem::remove(probe, error);
  return std::nullopt;
}

bool read_all(std::FILE* stream, std::string& text) {
  char part[1 << 16];
  while (std::size_t const got = std::fread(part, 1, sizeof part, stream)) text.append(part, got);
  return std::ferror(stream) == 0;
}

}  // namespace

Run report(CLI::App& app) {
  struct Options : Common {
    std::string out = "build/report", from;
    bool full = false, schema = false;
    double seconds = 190;
    Options() { count = 100'000; }
  };
  auto* verb = app.add_subcommand("report", "checks and times everything and writes the report as a site");
  auto options = std::make_shared<Options>();
  verb->add_option("--out", options->out, "the folder to write")->capture_default_str();
  verb->add_flag("--full", options->full, "1,000,000 cases a regime, and everyone timed on every regime");
  auto* const count = verb->add_option("--count", options->count, "cases a regime, however long they take")
                          ->check(whole_number(1))
                          ->capture_default_str();
  auto* const time = verb->add_option("--time", options->seconds,
                                      "seconds to do it in, on an idle machine, with as many cases as fit; not with "
                                      "--full, nor with --count alone")
                         ->check(positive_number())
                         ->capture_default_str();
  verb->add_option("--seed", options->seed, "the same seed gives the same cases")
      ->check(whole_number())
      ->capture_default_str();
  verb->add_option("--jobs", options->jobs, "threads for the checks; all processors if not given")
      ->check(whole_number(1, 1024));
  add_list(verb, "--kernel", options->kernels, "only these kernels (a,b or several times)");
  verb->add_option("--from", options->from, "draw the site again from a results.json, measuring nothing");
  verb->add_flag("--schema", options->schema,
                 "print the JSON schema of results.json and of what list, check and continuity print with --json");
  verb->footer(
      "Example:\n  demeter report --kernel capsule_mass_properties --count 1000 --out build/report\n"
      "  demeter report --from build/report/results.json --out build/report");
  return [options, count, time]() -> int {
    if (options->schema) {
      Output out;
      out.print("{}", report::schema_text());
      if (!out.flush()) return complain(broken, "report", out.error());
      return held;
    }
    if (auto const why = cannot_write_into(options->out))
      return complain(bad_usage, "report", fmt::format("{}: {}", options->out, *why));
    nlohmann::ordered_json all;
    if (!options->from.empty()) {
      InputFile in;
      if (!in.open_or_complain("report", options->from)) return bad_usage;
      std::string text, why;
      if (!read_all(in.stream(), text))
        return complain(broken, "report", fmt::format("{}: {}", options->from, std::strerror(errno)));
      auto parsed = report::parse_results(text, why);
      if (!parsed) return complain(bad_data, "report", fmt::format("{}: {}", options->from, why));
      all = std::move(*parsed);
      report::Mistakes mistakes;
      report::read_results(all, &mistakes);
      if (mistakes.count > 0)
        fmt::print(stderr, "demeter report: {}: {}{}; the pages go without\n", options->from,
                   mistakes.first.front().text(),
                   mistakes.count > 1 ? fmt::format(" (and {} more like this)", mistakes.count - 1) : "");
    } else {
      ReportOptions report_options;
      report_options.seed = options->seed;
      report_options.full = options->full;
      report_options.cases = options->full ? 1'000'000 : options->count;
      if (!options->full && (count->empty() || !time->empty())) report_options.seconds = options->seconds;
      report_options.jobs = options->threads();
      report_options.kernels = kernels_or_complain("report", options->kernels);
      if (report_options.kernels.empty()) return bad_usage;
      watch_signals();
      report_options.stop = &stop_requested();
      Progress progress;
      report_options.progress = [&](double done, std::string const& what) { progress(done, what); };
      all = report::write(results(report_options, this_build()));
    }
    if (auto error = write_site(all, options->out)) {
      if (!error->pages_written) return complain(broken, "report", error->what);
      fmt::print(stderr, "demeter report: {}\n", error->what);  // the pages are there, figures are missing
    }
    if (stop_requested()) return complain(failed, "report", "stopped before the end; the site shows what was done");
    Output out;
    out.print("{}\n", (std::filesystem::path(options->out) / "index.html").string());
    if (!out.flush()) return complain(broken, "report", out.error());
    return held;
  };
}

}  // namespace demeter::cli
