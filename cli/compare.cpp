#include "reports/compare.hpp"

#include "base/files.hpp"
#include "base/json_text.hpp"
#include "cli/core/command.hpp"
#include "cli/core/results_file.hpp"
#include "reports/site/compare_page.hpp"

#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

extern char** environ;

namespace demeter::cli {
namespace {

struct CompareArguments : Common {
  InputPath old_file, new_file;
  OutputPath junit, html;
  std::string speed = "auto", filter;
  bool allow_gone = false, interleave = false;
  int repetitions = 15;
  double seconds = 0.01;
};

/// What a program printed and how it ended.
struct Ended {
  std::string out, err;
  int status = 0;     ///< of waitpid
  int not_begun = 0;  ///< errno, if it could not be started
};

/// Runs a program to its end; it is stopped if this one is told to stop.
Ended run_program(std::vector<std::string> const& line) {
  Ended ended;
  int out[2], err[2];
  if (::pipe(out) != 0) return ended.not_begun = errno, ended;
  if (::pipe(err) != 0) {
    ended.not_begun = errno;
    ::close(out[0]), ::close(out[1]);
    return ended;
  }
  std::vector<char*> arguments;
  for (auto const& each : line) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  for (int const each : {out[0], out[1], err[0], err[1]}) posix_spawn_file_actions_addclose(&actions, each);
  pid_t child = 0;
  ended.not_begun = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(out[1]), ::close(err[1]);
  pollfd waiting[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  std::string* const texts[2] = {&ended.out, &ended.err};
  bool told = false;
  while (ended.not_begun == 0 && (waiting[0].fd >= 0 || waiting[1].fd >= 0)) {
    if (stop_requested() && !std::exchange(told, true)) ::kill(child, SIGTERM);
    if (::poll(waiting, 2, 200) <= 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      char block[1 << 14];
      ssize_t const got = ::read(waiting[i].fd, block, sizeof block);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        waiting[i].fd = -1;
      } else {
        texts[i]->append(block, static_cast<std::size_t>(got));
      }
    }
  }
  ::close(out[0]), ::close(err[0]);
  if (ended.not_begun == 0)
    while (::waitpid(child, &ended.status, 0) < 0 && errno == EINTR) continue;
  return ended;
}

std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

/// One repetition by one of the programs, added to what it gave before; `held`, or what a complaint returned.
int one_repetition(std::string const& program, std::string const& kernel, CompareArguments const& options, bool first,
                   Recorded& into) {
  std::vector<std::string> line{program, "bench", kernel, "--json", "--repetitions", "1"};
  line.insert(line.end(),
              {"--each", fmt::format("{}", options.seconds), "--time", "1e9", "--seed", std::to_string(options.seed)});
  if (!options.subject.empty())
    line.insert(line.end(), {"--subject", fmt::format("{}", fmt::join(options.subject, ","))});
  if (!options.regime.empty()) line.insert(line.end(), {"--regime", options.regime});
  if (!options.filter.empty()) line.insert(line.end(), {"--filter", options.filter});
  Ended const ended = run_program(line);
  if (ended.not_begun != 0)
    return complain(bad_usage, "compare", fmt::format("{}: {}", program, std::strerror(ended.not_begun)));
  if (stop_requested()) return complain(failed, "compare", "stopped before the end");
  if (!WIFEXITED(ended.status) || WEXITSTATUS(ended.status) != 0) {
    bool const ordinary = WIFEXITED(ended.status);
    int const code = ordinary ? WEXITSTATUS(ended.status) : WTERMSIG(ended.status);
    return complain(ordinary && code == bad_usage ? bad_usage : broken, "compare",
                    fmt::format("{} bench {} ended with {} {}: {}", program, kernel, ordinary ? "code" : "signal", code,
                                last_line(ended.err)));
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

/// The two programs by turns, old new new old: what drifts strikes both alike.
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

void print(Output& out, Comparison const& comparison, CompareOptions const& rules) {
  for (auto const& finding : comparison.findings) out.print("{}\n", finding_text(finding));
  out.print("rules:\n");
  for (auto const& rule : rules_text(rules)) out.print("  {}\n", rule);
  out.print("compared {} accuracies, {} laws and {} timings", comparison.accuracy, comparison.laws, comparison.timings);
  if (comparison.timings > 0) out.print(" (each at p <= {:.1e})", comparison.level);
  out.print(": {} regressions, {} gone, {} better, {} new\n", comparison.count(Finding::Kind::regression),
            comparison.count(Finding::Kind::gone), comparison.count(Finding::Kind::improvement),
            comparison.count(Finding::Kind::added));
}

int run_compare(CompareArguments const& options) {
  if (!options.interleave && !options.kernels.empty())
    return complain(
        bad_usage, "compare",
        fmt::format("\"{}\": expected two files only; kernels may follow with --interleave", options.kernels.front()));
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
        junit::write(options.junit,
                     {{"compare",
                       "compare",
                       {{"the runs", junit::Case::Outcome::error, "the runs did not come to their end", ""}}}});
      return code;
    }
  } else {
    if (int const code = read_file(options.old_file, old_run); code != held) return code;
    if (int const code = read_file(options.new_file, new_run); code != held) return code;
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
    print(out, comparison, rules);
  }
  if (!out.flush()) return complain(broken, "compare", out.error());
  if (comparison.accuracy + comparison.laws + comparison.timings == 0 && comparison.regressions() == 0)
    return complain(bad_data, "compare",
                    "nothing to compare: the two have no kernel, subject and quantity in common that can be judged");
  if (comparison.regressions() == 0) return held;
  std::string const first = finding_text(comparison.findings.front());
  return complain(failed, "compare",
                  fmt::format("{} regression{}; the first: {}", comparison.regressions(),
                              comparison.regressions() == 1 ? "" : "s", first.substr(first.find(' ') + 1)));
}

}  // namespace

Verb compare() {
  Verb verb{"compare", "two runs side by side: exit 1 on a regression of accuracy, laws or speed"};
  auto options = std::make_shared<CompareArguments>();
  verb.option("old", options->old_file,
              "a results.json.gz of `report`, plain or compressed, or what `check --json` or `bench --json` printed; "
              "with --interleave a program")
      .required();
  verb.option("new", options->new_file, "the same of the new version").required();
  verb.option("kernel", options->kernels, "with --interleave: the kernels; all if none is given");
  verb.flag(
      "--interleave", options->interleave,
      "OLD and NEW are two builds of this command: both are timed by turns (old new new old), one repetition a run");
  verb.list("--subject", options->subject, "with --interleave: only these (a,b or several times)")
      .needs({"--interleave"});
  verb.option("--repetitions", options->repetitions, "with --interleave: of each program")
      .check(whole_number(1, 1000))
      .needs({"--interleave"})
      .shows_default();
  verb.option("--time", options->seconds, "with --interleave: seconds a repetition, at least")
      .check(positive_number())
      .needs({"--interleave"})
      .shows_default();
  verb.option("--regime", options->regime, "with --interleave: one regime only").needs({"--interleave"});
  verb.option("--filter", options->filter, "with --interleave: as of bench").needs({"--interleave"});
  verb.option("--seed", options->seed, "with --interleave: of the inputs")
      .check(whole_number())
      .needs({"--interleave"})
      .shows_default();
  verb.option("--speed", options->speed, "auto: on the same CPU only; always; never")
      .check(one_of({"auto", "always", "never"}))
      .shows_default();
  verb.flag("--allow-gone", options->allow_gone, "what only OLD has is listed, and no regression");
  verb.option("--junit", options->junit, "write the result as JUnit XML too");
  verb.option("--html", options->html, "write a page too: what changed, by kernel and subject");
  verb.flag("--json", options->json, "the findings as JSON");
  verb.example =
      "demeter check segment_distance --subject fast --count 1000 --json >old.json; demeter check "
      "segment_distance --subject fast --count 1000 --json >new.json; demeter compare old.json new.json";
  verb.run = [options]() -> int { return run_compare(*options); };
  return verb;
}

}  // namespace demeter::cli
