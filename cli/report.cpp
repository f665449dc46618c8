#include "cli/command.hpp"
#include "reports/results.hpp"
#include "reports/site.hpp"
#include "version.hpp"

#include <filesystem>

namespace demeter::cli {

Run report(CLI::App& app) {
  struct Options : Common {
    std::string out = "build/report", from;
    bool full = false;
    Options() { count = 100'000; }
  };
  auto* verb = app.add_subcommand("report", "checks and times everything and writes the report as a site");
  auto options = std::make_shared<Options>();
  verb->add_option("--out", options->out, "the folder to write")->capture_default_str();
  verb->add_flag("--full", options->full, "1,000,000 cases a regime, and everyone timed on every regime");
  verb->add_option("--count", options->count, "cases a regime")->capture_default_str();
  verb->add_option("--seed", options->seed, "the same seed gives the same cases")->capture_default_str();
  verb->add_option("--jobs", options->jobs, "threads for the checks; all processors if not given");
  verb->add_option("--kernel", options->kernels, "only these kernels");
  verb->add_option("--from", options->from, "draw the site again from a results.json, measuring nothing");
  verb->footer("Example:\n  demeter report --out build/report");
  return [options]() -> int {
    std::error_code made;
    std::filesystem::create_directories(options->out, made);
    // Before minutes of work: can the folder be written?
    std::string const probe = options->out + "/.writable";
    std::FILE* const file = made ? nullptr : std::fopen(probe.c_str(), "w");
    if (file == nullptr)
      return complain(bad_usage, "report",
                      fmt::format("{}: {}", options->out, made ? made.message() : std::string(std::strerror(errno))));
    std::fclose(file);
    std::filesystem::remove(probe, made);

    nlohmann::json all;
    if (!options->from.empty()) {
      std::FILE* const in = std::fopen(options->from.c_str(), "r");
      if (in == nullptr) return complain(bad_usage, "report", fmt::format("{}: {}", options->from, std::strerror(errno)));
      all = nlohmann::json::parse(in, nullptr, false);
      std::fclose(in);
      if (all.is_discarded() || !all.is_object() || !all.contains("kernels"))
        return complain(bad_data, "report", fmt::format("{}: expected a results.json of demeter report", options->from));
    } else {
      ReportOptions report_options;
      report_options.seed = options->seed;
      report_options.full = options->full;
      report_options.cases = options->full ? 1'000'000 : options->count;
      if (report_options.cases == 0) return complain(bad_usage, "report", "--count: expected at least 1");
      report_options.jobs = options->threads();
      for (auto const& name : options->kernels) {
        report_options.kernels.push_back(kernel_or_complain("report", name));
        if (report_options.kernels.back() == nullptr) return bad_usage;
      }
      if (report_options.kernels.empty())
        for (auto const& kernel : kernels()) report_options.kernels.push_back(&kernel);
      watch_signals();
      report_options.stop = &stop_requested();
      Progress progress;
      report_options.progress = [&](double done, std::string const& what) { progress(done, what); };
      all = results(report_options, {DEMETER_VERSION, DEMETER_COMMIT, DEMETER_COMPILER, DEMETER_FLAGS});
    }
    if (auto error = write_site(all, options->out)) return complain(broken, "report", error->what);
    if (stop_requested()) return complain(failed, "report", "stopped before the end; the site shows what was done");
    Output out;
    out.print("{}\n", (std::filesystem::path(options->out) / "index.html").string());
    if (!out.flush()) return complain(broken, "report", out.error());
    return held;
  };
}

}  // namespace demeter::cli
