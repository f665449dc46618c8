#include "reports/compare.hpp"

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/shell.hpp"
#include "base/text.hpp"
#include "cli/core/command.hpp"
#include "cli/core/results_file.hpp"
#include "reports/site/compare_page.hpp"
#include "reports/subject_pairs.hpp"
#include "subjects/isolation/process.hpp"

#include <poll.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

namespace demeter::cli {
namespace {

struct CompareArguments : Common {
  InputPath old_file, new_file;
  OutputPath junit, html;
  std::string speed = "auto", filter;
  bool allow_gone = false, interleave = false;
  int repetitions = 15;
  double seconds = 0.01;
  CompareArguments() { timeout = 600, memory = static_cast<double>(Limits{}.memory >> 20); }
};

/// The output of a program and how the program ended.
struct Ended {
  std::string out, err;
  std::string how;            ///< "exit code 1", "signal 9 (SIGKILL)", "a timeout after 300 s"
  std::optional<int> code{};  ///< the exit code, if the program exited
};

/// Runs a program to its end, under a supervisor that also ends the child processes of the program. Ends a program that
/// takes too long, that prints too much, or that still runs when a stop is requested.
Ended run_program(std::vector<std::string> const& line, CompareArguments const& options) {
  using Clock = std::chrono::steady_clock;
  Limits limits;
  limits.memory = static_cast<std::size_t>(options.memory) << 20;
  std::string command = "exec";
  for (auto const& each : line) command += " " + sh_quoted(each);
  Process program(command, limits);
  program.close_input();
  Ended ended;
  auto const deadline = Clock::now() + std::chrono::duration<double>(options.timeout);
  pollfd waiting[3] = {{program.output(), POLLIN, 0}, {program.errors(), POLLIN, 0}, {program.status(), POLLIN, 0}};
  std::string* const texts[2] = {&ended.out, &ended.err};
  for (;;) {
    bool const over = program.has_ended();
    if (over) waiting[2].fd = -1;
    ::poll(waiting, 3, over ? 0 : 100);
    bool any = false;
    for (int i = 0; i < 2; ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      char block[1 << 14];
      ssize_t const got = ::read(waiting[i].fd, block, sizeof block);
      if (got > 0) texts[i]->append(block, static_cast<std::size_t>(got));
      if (got == 0) waiting[i].fd = -1;
      any = any || got > 0;
    }
    ended.how = stop_requested()          ? "stopped"
                : Clock::now() > deadline ? fmt::format("a timeout after {} s", options.timeout)
                : ended.out.size() + ended.err.size() > InputFile::most ? "too much output"
                                                                        : "";
    if (!ended.how.empty()) return ended;
    if (over && !any) break;
  }
  ended.how = program.how_it_ended();
  ended.code = program.exit_code();
  return ended;
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// Runs one repetition of one program and adds its timings to `into`. Returns `held` (success), or the exit code after
/// an error message.
int one_repetition(std::string const& program, std::string const& kernel, CompareArguments const& options, bool first,
                   Recorded& into) {
  std::vector<std::string> line{program, "bench", kernel, "--json", "--repetitions", "1"};
  line.insert(line.end(),
              {"--each", fmt::format("{}", options.seconds), "--time", "1e9", "--seed", std::to_string(options.seed)});
  if (!options.subject.empty())
    line.insert(line.end(), {"--subject", fmt::format("{}", fmt::join(options.subject, ","))});
  if (!options.regime.empty()) line.insert(line.end(), {"--regime", options.regime});
  if (!options.filter.empty()) line.insert(line.end(), {"--filter", options.filter});
  Ended const ended = run_program(line, options);
  if (stop_requested()) return complain(failed, "compare", "stopped before the end");
  if (ended.code != 0) {
    // The shell returns the exit code 126 or 127 if it could not start the program.
    bool const usage = ended.code == bad_usage || ended.code == 126 || ended.code == 127;
    return complain(usage ? bad_usage : broken, "compare",
                    fmt::format("{} bench {} ended with {}: {}", program, kernel, ended.how, last_line(ended.err)));
  }
  auto const json = nlohmann::ordered_json::parse(ended.out, nullptr, false);
  Recorded run;
  std::optional<std::string> wrong = "expected JSON";
  if (!json.is_discarded()) wrong = read_recorded(json, run);
  if (!wrong && !run.timed) wrong = "no timings";
  if (wrong) return complain(bad_data, "compare", fmt::format("{} bench {} --json: {}", program, kernel, *wrong));
  if (first) {
    into.timings.insert(into.timings.end(), run.timings.begin(), run.timings.end());
    into.pairs.insert(into.pairs.end(), run.pairs.begin(), run.pairs.end());
    run.timings = into.timings;
    run.pairs = into.pairs;
    into = std::move(run);
  } else {
    append_samples(into, run);
  }
  return held;
}

/// Runs the two programs in the order old new new old, so that a drift of the machine affects both equally.
int interleave(std::vector<std::string> const& kernels, CompareArguments const& options, Recorded& old_run,
               Recorded& new_run) {
  Progress progress;
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    for (int i = 0; i < 2 * options.repetitions; ++i) {
      bool const old_turn = i % 4 == 0 || i % 4 == 3;
      auto& run = old_turn ? old_run : new_run;
      auto const& program = old_turn ? options.old_file : options.new_file;
      if (int const code = one_repetition(program, kernels[k], options, i < 2, run); code != held) return code;
      progress((static_cast<double>(k) + (i + 1) / (2.0 * options.repetitions)) / static_cast<double>(kernels.size()),
               kernels[k] + ", " + program);
    }
  }
  return held;
}

int read_file(std::string const& path, Recorded& into) {
  std::string text;
  if (int const code = read_results_file("compare", path, text); code != held) return code;
  if (json_depth(text) > 1000) return complain(bad_data, "compare", path + ": nested too deeply");
  auto const json = nlohmann::ordered_json::parse(text, nullptr, false);
  std::optional<std::string> wrong = "expected JSON";
  if (!json.is_discarded()) wrong = read_recorded(json, into);
  if (wrong) return complain(bad_data, "compare", fmt::format("{}: {}", path, *wrong));
  return held;
}

/// Reads the files and chooses the subjects. Returns `held` (success), or the exit code after an error message.
int read_files(CompareArguments const& options, Recorded& old_run, Recorded& new_run, CompareOptions& rules) {
  auto const& subjects = options.subject;
  bool const one_file = options.new_file.empty();
  if (subjects.size() > 2)
    return complain(bad_usage, "compare", fmt::format("--subject: got {}, expected at most two", subjects.size()));
  if (one_file && subjects.size() < 2)
    return complain(bad_usage, "compare", "new is required, or two subjects of one file: --subject A,B (see --help)");
  bool const are_two = subjects.size() == 2 && subjects[0] != subjects[1];
  if (one_file && !are_two)
    return complain(bad_usage, "compare",
                    fmt::format("--subject: \"{}\" twice, expected two subjects of one file", subjects[0]));
  if (int const code = read_file(options.old_file, old_run); code != held) return code;
  if (one_file)
    new_run = old_run;
  else if (int const code = read_file(options.new_file, new_run); code != held)
    return code;
  if (are_two) {
    rules.first = plain_text(subjects[0]);
    rules.second = plain_text(subjects[1]);
    if (auto const wrong = select_subjects(old_run, new_run, subjects[0], subjects[1]))
      return complain(bad_usage, "compare", *wrong);
    return held;
  }
  for (auto const& [run, file] : {std::tie(old_run, options.old_file), std::tie(new_run, options.new_file)})
    if (!subjects.empty())
      if (auto const wrong = select_subject(run, subjects[0]))
        return complain(bad_usage, "compare", fmt::format("{}: {}", file, *wrong));
  match_subjects(old_run, new_run);
  return held;
}

/// Prints a sentence per kernel, then the changes, then the rules of the comparison.
void print(Output& out, Comparison const& comparison, Recorded const& old_run, Recorded const& new_run,
           CompareOptions const& rules) {
  for (auto const& [kernel, sentence] : sentences(comparison, old_run, new_run))
    out.print("{}: {}\n", kernel, sentence);
  if (!comparison.findings.empty()) out.print("\n");
  for (auto const& finding : comparison.findings) out.print("{}\n", finding_text(finding, comparison.are_subjects));
  out.print("\ncompared {} accuracies, {} laws and {} timings", comparison.accuracy, comparison.laws,
            comparison.timings);
  if (comparison.timings > 0) out.print(" (each at p <= {:.1e})", comparison.level);
  out.print(": {}\nrules:\n", counts_text(comparison));
  for (auto const& rule : rules_text(rules)) out.print("  {}\n", rule);
}

/// Returns the error message for regressions: their number and the first of them.
std::string complaint(Comparison const& comparison, CompareOptions const& rules) {
  std::string const first = finding_text(comparison.findings.front());
  std::size_t const count = comparison.regressions();
  return fmt::format("{}; the first: {}",
                     rules.are_subjects() ? fmt::format("{} is worse than {} in {} result{}", rules.second, rules.first,
                                                        count, count == 1 ? "" : "s")
                                          : fmt::format("{} regression{}", count, count == 1 ? "" : "s"),
                     first.substr(first.find(' ') + 1));
}

int run_compare(CompareArguments const& options) {
  if (!options.interleave && !options.kernels.empty())
    return complain(bad_usage, "compare",
                    fmt::format("got \"{}\" after two files, expected no more (kernels need --interleave)",
                                options.kernels.front()));
  if (options.interleave && options.new_file.empty())
    return complain(bad_usage, "compare", "new is required: a program with --interleave (see --help)");
  CompareOptions rules;
  rules.allow_gone = options.allow_gone;
  rules.interleaved = options.interleave;
  rules.speed = options.speed == "always"  ? CompareOptions::Speed::always
                : options.speed == "never" ? CompareOptions::Speed::never
                                           : CompareOptions::Speed::automatic;
  Recorded old_run, new_run;
  if (options.interleave) {
    std::vector<std::string> names = options.kernels;
    if (names.empty())
      for (auto const& kernel : kernels()) names.push_back(kernel.name);
    watch_signals();
    if (int const code = interleave(names, options, old_run, new_run); code != held) {
      if (!options.junit.empty())
        junit::write(
            options.junit,
            {{"compare", "compare", {{"the runs", junit::Case::Outcome::error, "the runs did not finish", ""}}}});
      return code;
    }
  } else {
    if (int const code = read_files(options, old_run, new_run, rules); code != held) return code;
  }
  Comparison const comparison = demeter::compare(old_run, new_run, rules);
  if (!options.junit.empty())
    if (auto const why = junit::write(options.junit, junit_suites(comparison)))
      return complain(broken, "compare", *why);
  if (!options.html.empty())
    if (auto const why = write_whole(options.html, report::compare_page(old_run, new_run, comparison, rules)))
      return complain(broken, "compare", *why);
  Output out;
  if (options.json) {
    out.print("{}\n", json_text(describe(comparison, old_run, new_run, rules), 1));
  } else {
    print(out, comparison, old_run, new_run, rules);
  }
  if (!out.flush()) return complain(broken, "compare", out.error());
  if (comparison.accuracy + comparison.laws + comparison.timings == 0 && comparison.regressions() == 0)
    return complain(bad_data, "compare",
                    "nothing to compare: the two results have no comparable quantity of the same kernel and subject");
  return comparison.regressions() == 0 ? held : complain(failed, "compare", complaint(comparison, rules));
}

}  // namespace

Verb compare() {
  Verb verb{"compare", "compares two runs or two subjects; exits with 1 after a regression of accuracy, laws or speed"};
  auto options = std::make_shared<CompareArguments>();
  verb.option("old", options->old_file,
              "results of the old version: results.json.gz of `report`, plain or compressed, or the output of `check "
              "--json` or `bench --json`; with --interleave a program")
      .required();
  verb.option("new", options->new_file, "the same for the new version; not needed with two subjects of one file");
  verb.option("kernel", options->kernels, "with --interleave: the kernels; all if none is given");
  verb.flag(
      "--interleave", options->interleave,
      "OLD and NEW are two builds of this command; both are timed in turns (old new new old), one repetition per run");
  add_subjects(
      verb, options->subject,
      "A: only this subject of both; A,B: the subject A of OLD with the subject B of NEW, or both of one file; "
      "with --interleave: only these subjects");
  verb.option("--repetitions", options->repetitions, "with --interleave: repetitions of each program")
      .check(whole_number(1, 1000))
      .needs({"--interleave"})
      .shows_default();
  verb.option("--time", options->seconds, "with --interleave: shortest time per repetition in seconds")
      .check(positive_number())
      .needs({"--interleave"})
      .shows_default();
  verb.option("--regime", options->regime, "with --interleave: one regime only").needs({"--interleave"});
  verb.option("--filter", options->filter, "with --interleave: the --filter of bench").needs({"--interleave"});
  verb.option("--seed", options->seed, "with --interleave: seed of the inputs")
      .check(whole_number())
      .needs({"--interleave"})
      .shows_default();
  verb.option("--timeout", options->timeout, "with --interleave: time limit per run of a program in seconds")
      .check(positive_number())
      .needs({"--interleave"})
      .shows_default();
  verb.option("--memory", options->memory, "with --interleave: memory limit of a program in MiB, 0: no limit")
      .check(whole_number(0, 1 << 24))
      .needs({"--interleave"})
      .shows_default();
  verb.option("--speed", options->speed, "compare speeds: auto (only on the same CPU), always or never")
      .check(one_of({"auto", "always", "never"}))
      .shows_default();
  verb.flag("--allow-gone", options->allow_gone, "do not count results that only OLD has as regressions");
  verb.option("--junit", options->junit, "also write the result as JUnit XML");
  verb.option("--html", options->html, "also write a page with the changes by kernel and subject");
  verb.flag("--json", options->json, "print the findings as JSON");
  verb.example =
      "demeter check segment_distance --subject fast --count 1000 --json >old.json; demeter check "
      "segment_distance --subject fast --count 1000 --json >new.json; demeter compare old.json new.json";
  verb.run = [options]() -> int { return run_compare(*options); };
  return verb;
}

}  // namespace demeter::cli
