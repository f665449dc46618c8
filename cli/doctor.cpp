#include "cli/core/command.hpp"
#include "cli/core/version.hpp"
#include "fast/core/level.hpp"
#include "reports/format/members.hpp"
#include "reports/format/results.hpp"
#include "subjects/outside/programs.hpp"

namespace demeter::cli {
namespace {

/// Returns whether the oracle confirms the answers of the fast form to 100 cases.
bool fast_holds(Kernel const& kernel) {
  Subject const* const fast = find_subject("fast");
  Table cases(kernel.input);
  for (std::uint64_t id = 0; id < 100; ++id) kernel.generate(0, 1, id, cases);
  Answers answers;
  answer(*fast, kernel, cases, answers);
  Truths const truths = kernel.truths(cases);
  std::vector<Judged> judged(kernel.budgets.size());
  bool holds = true;
  for (std::size_t row = 0; row < cases.rows; ++row) {
    kernel.judge(cases, truths, row, answers, row, {}, judged);
    for (auto const& each : judged) holds = holds && each.verdict == Verdict::pass;
  }
  return holds;
}

}  // namespace

Verb doctor() {
  Verb verb{"doctor", "shows what this build and this machine can do, and what is missing"};
  verb.example = "demeter doctor";
  verb.run = []() -> int {
    Output out;
    auto const about = report::write(machine(this_build()));
    out.print("demeter {} ({})\n", this_build().version, this_build().commit);
    for (auto const& [key, value] : about.items())
      out.print("  {:<12} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    out.print("instruction sets\n");
    for (std::size_t i = 0; i < labels(Level{}).size(); ++i)
      out.print("  {:<12} {}\n", labels(Level{})[i], available(static_cast<Level>(i)) ? "yes" : "not on this CPU");
    out.print("peers\n");
    for (auto const* peers : {&found_peers(), &found_programs()}) {
      for (auto const& peer : peers->subjects) out.print("  {:<15} {} {}\n", peer.name, "found,", version_of(peer));
      for (auto const& missing : peers->missing) out.print("  {:<15} {}\n", missing.name, missing.why);
    }
    out.print("programs\n");
    bool const gnuplot = on_path("gnuplot");
    out.print("  {:<12} {}\n", "gnuplot",
              gnuplot ? "found" : "missing: report --paper writes no PDF; apt-get install gnuplot-nox");
    // A build whose fast forms disagree with the oracle is broken. The self-test finds this.
    out.print("self-test (fast against the oracle, 100 cases per kernel)\n");
    bool sound = true;
    for (auto const& kernel : kernels()) {
      bool const held_here = fast_holds(kernel);
      sound = sound && held_here;
      out.print("  {:<28} {}\n", kernel.name, held_here ? "sound" : "BROKEN");
    }
    if (!out.flush()) return complain(broken, "doctor", out.error());
    if (!sound) return complain(failed, "doctor", "a fast kernel of this build is outside its budget");
    return held;
  };
  return verb;
}

}  // namespace demeter::cli
