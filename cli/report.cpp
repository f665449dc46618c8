#include "base/files.hpp"
#include "base/shell.hpp"
#include "cli/core/command.hpp"
#include "cli/core/results_file.hpp"
#include "cli/core/version.hpp"
#include "reports/format/members.hpp"
#include "reports/format/model.hpp"
#include "reports/format/parse.hpp"
#include "reports/format/results.hpp"
#include "reports/history.hpp"
#include "reports/site/plots.hpp"
#include "reports/site/site.hpp"
#include "subjects/outside/outside.hpp"
#include "subjects/subjects.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace demeter::cli {
namespace {

/// Creates the folder and checks that files can be written into it. An error then appears at once, and not after
/// minutes of work.
std::optional<std::string> cannot_make(std::string const& folder) {
  if (auto wrong = make_folder(folder)) return wrong;
  return cannot_write_into(folder);
}

struct ReportArguments : Common {
  OutputFolder out = "build/report";
  InputPath from;
  std::string history;
  bool full = false, schema = false, paper = false, count_given = false, time_given = false;
  double seconds = 110;
  std::string counts = "100000";
};

/// Reads --count: "5000" for all kernels, or "KERNEL=5000,OTHER=200". Returns `held` (success), or the exit code after
/// an error message.
int read_counts(ReportArguments const& options, ReportOptions& into) {
  auto const number = [](std::string_view text) -> std::optional<std::uint64_t> {
    std::uint64_t value = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value == 0 || value > most_cases)
      return std::nullopt;
    return value;
  };
  std::string_view rest = options.counts;
  while (true) {
    std::string_view const part = rest.substr(0, rest.find(','));
    std::size_t const equals = part.find('=');
    auto const count = number(part.substr(equals == std::string_view::npos ? 0 : equals + 1));
    if (!count)
      return complain(
          bad_usage, "report",
          fmt::format("--count: got \"{}\", expected a whole number from 1 to {}, or KERNEL=NUMBER", part, most_cases));
    if (equals == std::string_view::npos) {
      into.cases = *count;
    } else {
      std::string const name(part.substr(0, equals));
      if (find_kernel(name) == nullptr)
        return complain(bad_usage, "report", fmt::format("--count: unknown kernel \"{}\"", name));
      into.cases_of[name] = *count;
    }
    if (part.size() == rest.size()) return held;
    rest.remove_prefix(part.size() + 1);
  }
}

/// Reads the results of the file that --from names. Returns `held` (success), or the exit code after an error message.
int read_results(std::string const& path, nlohmann::ordered_json& all) {
  std::string text, why;
  if (int const code = read_results_file("report", path, text); code != held) return code;
  auto parsed = report::parse_results(text, why);
  if (!parsed) return complain(bad_data, "report", fmt::format("{}: {}", path, why));
  all = std::move(*parsed);
  report::Mistakes mistakes;
  report::read_results(all, &mistakes);
  if (mistakes.count > 0)
    inform("report",
           fmt::format("{}: {}{}; the pages leave this out", path, mistakes.first.front().text(),
                       mistakes.count > 1 ? fmt::format(" (and {} more like this)", mistakes.count - 1) : ""));
  return held;
}

/// Finds the subjects that the user names. Returns `held` (success), or the exit code after an error message.
int find_outside(ReportArguments const& options, ReportOptions& into) {
  for (auto const& name : options.subject) {
    Subject const* const subject = subject_or_complain("report", name, options.subject_options());
    if (subject == nullptr) return bad_usage;
    if (!is_outside(*subject) || subject->origin == Origin::file)
      return complain(bad_usage, "report",
                      fmt::format("--subject: got {}, expected lib:PATH or pipe:COMMAND; all other subjects are always "
                                  "in the report",
                                  plain_text(name)));
    if (auto const why = cannot_start(*subject, into.kernels)) return complain(bad_usage, "report", *why);
    into.outside.push_back(subject);
  }
  for (auto const* subject : into.outside)
    if (std::ranges::none_of(into.kernels, [&](auto* kernel) { return subject_for(*kernel, *subject) != nullptr; }))
      return complain(bad_usage, "report", none_answers(into.kernels, {subject}));
  return binary32_or_complain("report", options, options.subject) ? held : bad_usage;
}

/// Checks and times. Returns `held` (success), or the exit code after an error message.
int measure(ReportArguments const& options, nlohmann::ordered_json& all) {
  ReportOptions report_options;
  report_options.seed = options.seed;
  report_options.full = options.full;
  if (int const code = read_counts(options, report_options); code != held) return code;
  if (options.full) report_options.cases = 1'000'000;
  if (!options.full && (!options.count_given || options.time_given)) report_options.seconds = options.seconds;
  report_options.jobs = options.threads();
  report_options.kernels = kernels_or_complain("report", options.kernels);
  if (report_options.kernels.empty()) return bad_usage;
  if (int const code = find_outside(options, report_options); code != held) return code;
  watch_signals();
  report_options.stop = &stop_requested();
  Progress progress;
  report_options.progress = [&](double done, std::string const& what) { progress(done, what); };
  all = report::write(results(report_options, this_build()));
  return held;
}

int print_schema() {
  Output out;
  out.print("{}", report::schema_text());
  if (!out.flush()) return complain(broken, "report", out.error());
  return held;
}

/// Adds the results to the folder of --history, and reads all results of this folder. Returns `held` (success), or the
/// exit code after an error message.
int keep(ReportArguments const& options, nlohmann::ordered_json const& all, report::History& into) {
  if (auto const wrong = report::keep_in_history(report::cleaned(all), options.history)) {
    bool const is_old = !options.from.empty();
    return complain(is_old ? bad_data : broken, "report",
                    fmt::format("{}not kept in {}: {}", is_old ? options.from + ": " : "", options.history, *wrong));
  }
  into = report::read_history(options.history);
  for (auto const& line : into.skipped) inform("report", line);
  return held;
}

int run_report(ReportArguments const& options) {
  if (options.schema) return print_schema();
  if (auto const why = cannot_make(options.out)) return complain(bad_usage, "report", *why);
  bool const has_history = !options.history.empty();
  if (has_history)
    if (auto const why = cannot_make(options.history)) return complain(bad_usage, "report", "--history: " + *why);
  if (options.paper && !report::can_draw_paper())
    return complain(bad_usage, "report", "--paper: gnuplot is not installed", "apt-get install gnuplot-nox");
  nlohmann::ordered_json all;
  int const code = options.from.empty() ? measure(options, all) : read_results(options.from, all);
  if (code != held) return code;
  if (stop_requested()) {
    // After a stop, no pages are written: they take longer than the user would wait.
    auto const path = (std::filesystem::path(options.out) / results_file).string();
    if (auto const wrong = write_whole(path, packed_results(report::cleaned(all)), Links::replaced))
      return complain(broken, "report", "cannot write " + *wrong);
    return complain(failed, "report", "stopped: the results are partial; show them with",
                    "demeter report --from " + shell_quoted(std::filesystem::absolute(path).string()));
  }
  report::History history;
  if (has_history)
    if (int const kept = keep(options, all, history); kept != held) return kept;
  if (auto error = write_site(all, options.out, {options.paper, has_history ? &history : nullptr})) {
    if (!error->pages_written) return complain(broken, "report", error->what);
    inform("report", error->what);  // the pages are written, but PDF files are missing
  }
  Output out;
  out.print("{}\n", (std::filesystem::path(options.out) / "index.html").string());
  if (!out.flush()) return complain(broken, "report", out.error());
  return held;
}

}  // namespace

Verb report() {
  Verb verb{"report", "checks and times everything, and writes the report as a site"};
  auto options = std::make_shared<ReportArguments>();
  verb.option("--out", options->out, "folder for the site").updates("--from").shows_default();
  verb.flag("--full", options->full, "1,000,000 cases per regime; every subject is timed on every regime");
  verb.option("--count", options->counts,
              "cases per regime, without time limit; KERNEL=N,KERNEL=N sets the number of each kernel, as the command "
              "of \"Do it again\" in a report")
      .shows_default()
      .notes(options->count_given);
  verb.option("--time", options->seconds,
              "time limit in seconds, on an idle machine; as many cases as possible in this time; no limit with "
              "--full, or with --count alone")
      .check(positive_number())
      .shows_default()
      .notes(options->time_given);
  verb.option("--seed", options->seed, "the same seed gives the same cases").check(whole_number()).shows_default();
  verb.option("--jobs", options->jobs, "threads for the checks; all processors if not given")
      .check(whole_number(1, 1024));
  verb.list("--kernel", options->kernels, "only these kernels (a,b or repeated)");
  verb.flag(
      "--paper", options->paper,
      "also write every figure as PDF, 240 and 500 pt wide, with text of 8 pt, and tables of every kernel in LaTeX");
  add_subjects(verb, options->subject, "your own code, as a row of its own: lib:PATH or pipe:COMMAND");
  add_limits(verb, *options);
  verb.option("--from", options->from,
              "write the site again from a results.json.gz or plain JSON, without new measurements");
  verb.flag("--schema", options->schema,
            "print the JSON schema of results.json.gz and of the --json output of list, check and continuity");
  verb.option("--history", options->history,
              "a folder that keeps a copy of these results under their date and commit, beside those of earlier "
              "reports; the page \"History\" draws all of them")
      .type_name("DIR");
  verb.only_with("--from", {"--out", "--paper", "--history"});
  verb.only_with("--schema", {});
  verb.exclusive({"--full", "--count"});
  verb.exclusive({"--full", "--time"});
  verb.example =
      "demeter report --kernel capsule_mass_properties --count 1000 --out build/report\n"
      "  demeter report --from build/report/results.json.gz --out build/report";
  verb.run = [options] { return run_report(*options); };
  return verb;
}

}  // namespace demeter::cli
