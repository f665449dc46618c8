#include "base/shell.hpp"
#include "simulator/run.hpp"

#include "cli/core/command.hpp"
#include "cli/core/suggest.hpp"
#include "cli/core/version.hpp"
#include "simulator/against.hpp"
#include "simulator/ensemble.hpp"
#include "simulator/folder.hpp"
#include "simulator/keys.hpp"
#include "simulator/refine.hpp"
#include "simulator/timing.hpp"

#include <cmath>

namespace demeter::cli {
namespace {

namespace fs = std::filesystem;
using namespace simulations;

constexpr std::string_view verb_name = "simulate";

struct SimulateArguments {
  std::string scene, implementation = "reference@double", against, from, out;
  std::vector<std::string> sets, uses;
  std::uint64_t refine = 0, seeds = 0;
  bool print = false, timing = false, keys = false;
};

int list_scenes() {
  Output out;
  for (auto const& each : built_in_scenes()) {
    SceneFile file{std::string(each.name), std::string(each.text), {}, {}};
    auto const wrong = read_scene(file, {});
    out.print("  {:<22}{}\n", each.name, wrong ? *wrong : file.scene.scene.title);
  }
  return out.flush() ? held : complain(broken, verb_name, out.error());
}

/// Finds the scene that the argument names: built in, or a file. Returns `held` (success), or the exit code after an
/// error message.
int find_scene(std::string const& name, SceneFile& file) {
  std::vector<std::string> names;
  for (auto const& each : built_in_scenes()) {
    names.emplace_back(each.name);
    if (each.name != name) continue;
    file.name = name;
    file.source = "built in: " + name;
    file.text = each.text;
    return held;
  }
  if (name.find_first_of("./") == std::string::npos)
    return complain(bad_usage, verb_name, fmt::format("unknown scene \"{}\"; {}", name, meant(name, names)));
  InputFile input;
  if (!input.open_or_complain(verb_name, name)) return bad_usage;
  file.name = fs::path(name).filename().string();
  file.folder = fs::path(name).parent_path();
  return input.read_or_complain(verb_name, file.text) ? held : broken;
}

std::string sixteen_digits(double value) { return fmt::format("{:.16g}", value); }

/// Returns the number with all its digits if it has at most 24 characters, otherwise with 20 digits.
std::string shown(simulator::Text const& text) {
  return text.digits.size() <= 24 ? text.digits : fmt::format("{:.20g}", text.value);
}

struct LedgerLine {
  std::string_view name;
  simulator::Text const& value;
  std::string_view about;
};

void print_nonsmooth_ledger(Output& out, simulator::NonsmoothObservables<simulator::Text> const& all) {
  out.print("  per metre along z\n");
  for (auto const& line :
       {LedgerLine{"kinetic", all.kinetic, "J, at the end"}, LedgerLine{"potential", all.potential, "J, at the end"},
        LedgerLine{"missing", all.missing, "J of kinetic energy that no work explains: rounding"},
        LedgerLine{"overlap", all.overlap, "m, largest at the end"},
        LedgerLine{"passed", all.passed, "discs beyond the orifice"},
        LedgerLine{"all_sweeps", all.all_sweeps, "sweeps of the solver"},
        LedgerLine{"residual_max", all.residual_max, "largest residual of a step, in the unit of the tolerance"},
        LedgerLine{"capped", all.capped, "steps that used all sweeps without reaching the tolerance"}})
    out.print("    {:<16}{:>24}  {}\n", line.name, sixteen_digits(line.value.value), line.about);
}

void print_ledger(Output& out, Shown const& last) {
  if (last.nonsmooth) return print_nonsmooth_ledger(out, *last.nonsmooth);
  auto const& all = last.all;
  using Line = LedgerLine;
  out.print("  energy [J]\n");
  for (auto const& line : {Line{"kinetic", all.kinetic, "at the end"}, Line{"potential", all.potential, "at the end"},
                           Line{"stored", all.stored, "in the springs of contacts, at the end"},
                           Line{"dissipated", all.dissipated, "by friction and damping in contacts"},
                           Line{"damping_work", all.damping_work, "of Cundall's damping"},
                           Line{"applied_work", all.applied_work, "of the torques of the scene"},
                           Line{"blocked_work", all.blocked_work, "of the constraints of blocked degrees of freedom"},
                           Line{"gained", all.gained, "energy error of the time step and of the formulas"},
                           Line{"missing", all.missing, "kinetic energy that no work explains: rounding"}})
    if (line.value.value != 0 || line.name == "gained" || line.name == "missing")
      out.print("    {:<16}{:>24}  {}\n", line.name, sixteen_digits(line.value.value), line.about);
}

/// Prints the expected values. Returns whether all expectations are met.
bool print_expectations(Output& out, SceneFile const& file, Outcome const& outcome) {
  bool all = true;
  if (!outcome.found.empty()) out.print("  expected\n");
  for (auto const& each : outcome.found) {
    auto const& expect = file.scene.expect[each.expect];
    double const allowed = expect.tolerance.value + expect.relative.value * std::fabs(expect.value.value);
    out.print("    {:<28}{:>24}  {} {} +- {}{}\n", expect.observable, shown(each.value),
              each.held ? "as expected," : "NOT as expected,",
              expect.value.text.empty() ? fmt::format("{}", expect.value.value) : expect.value.text.substr(0, 24),
              brief(allowed), expect.at ? fmt::format(" at t = {} s", expect.at->value) : "");
    all = all && each.held;
  }
  return all;
}

/// Ends the printed result and returns the exit code. If a signal stopped the work early, both show it.
int finish_output(Output& out, bool is_complete, std::string const& done) {
  if (!is_complete) out.print("\n  partial result: {}\n", done);
  if (!out.flush()) return complain(broken, verb_name, out.error());
  return is_complete ? held
                     : complain(failed, verb_name, fmt::format("stopped: printed results are partial ({})", done));
}

int print_refinement(SceneFile const& file, Refinement const& refinement, unsigned times) {
  Output out;
  out.print("{}: {}\n", file.name, file.scene.scene.title);
  for (auto const& each : refinement.observables) {
    out.print("\n  {}{}, error against {}\n", each.observable,
              each.copies > 1 ? fmt::format(" of {} copies, the largest error", each.copies) : "",
              each.against_oracle ? "the oracle, in continuous time" : "the limit " + sixteen_digits(each.limit));
    out.print("    {:>12}{:>12}{:>26}{:>12}{:>8}\n", "dt [s]", "steps", "value", "error", "order");
    for (std::size_t k = 0; k < each.values.size(); ++k)
      out.print("    {:>12.4g}{:>12}{:>26}{:>12.3e}{:>8}\n", refinement.dts[k], refinement.steps[k],
                sixteen_digits(each.values[k]), each.errors[k],
                k > 0 && std::isfinite(each.orders[k - 1]) ? fmt::format("{:.2f}", each.orders[k - 1]) : "");
    if (each.asymptotic)
      out.print("    slope {:.3f}\n", each.slope);
    else
      out.print("    not asymptotic: the errors follow no power of dt, so the orders mean nothing{}\n",
                each.errors.size() < 4 ? "; try more halvings" : "");
  }
  std::size_t const done = refinement.steps.size();
  return finish_output(out, done == times + 1U, fmt::format("{} of {} time steps", done, times + 1U));
}

int print_against(SceneFile const& file, Manner const& manner, Manner const& reference, Against const& against) {
  Output out;
  out.print("{}: {} compared with {}, each step from the same rounded state, {} steps\n", file.name,
            manner.implementation, reference.implementation, against.steps);
  auto const line = [&](std::string_view name, Largest const& most, std::string_view unit) {
    out.print("    {:<24}{:>12}{}{}\n", name, brief(most.value), unit,
              most.body.empty() ? "" : fmt::format(" at step {} of {}", most.step, most.body));
  };
  line("position", against.position, " m");
  line("velocity", against.velocity, " m/s");
  out.print("    {:<24}{:>12} steps\n", "different contacts", against.other_contacts);
  if (against.nonsmooth) out.print("    {:<24}{:>12} steps\n", "different sweeps", against.other_sweeps);
  if (!against.tied.body.empty()) line("position in those steps", against.tied, " m");
  out.print("  both runs from the start (chaotic motion diverges)\n");
  for (std::size_t k = 0; k < Against::apart.size(); ++k)
    out.print("    {:<24}{:>12} steps{}\n", fmt::format("within {} m", Against::apart[k]),
              against.within[k] ? *against.within[k] : against.steps,
              against.within[k]     ? ""
              : against.is_complete ? ", all of them"
                                    : ", all steps that were done");
  if (against.nonsmooth) {
    out.print("  laws of {} in every step\n", manner.implementation);
    out.print("    {:<24}{:>12} J\n", "energy from impulses", brief(against.given));
    out.print("    {:<24}{:>12} m\n", "new overlap", brief(against.overlapped));
    out.print("    {:<24}{:>12} in the unit of the tolerance\n", "residual", brief(against.residual));
    out.print("    {:<24}{:>12} steps\n", "capped", against.capped);
  }
  return finish_output(out, against.is_complete, fmt::format("{} steps", against.steps));
}

int print_ensemble(SceneFile const& file, Manner const& manner, Ensemble const& ensemble, std::uint64_t seeds) {
  Output out;
  std::string const done = fmt::format("{} of {} seeds", ensemble.seeds, seeds);
  if (ensemble.seeds < 2) return finish_output(out, false, done);  // a mean needs two seeds
  out.print("{}: {}\n  {}, {} seeds, {} steps each; means with 95 % confidence\n\n", file.name, file.scene.scene.title,
            manner.implementation, ensemble.seeds, ensemble.steps);
  out.print("    {:>10}{:>10}{:>26}{:>30}\n", "from [s]", "to [s]", "discs per second", "area per second [m^2/s]");
  auto const mean = [](Mean const& is) { return fmt::format("{:.4g} +- {:.2g}", is.value, is.half_width); };
  for (auto const& window : ensemble.windows)
    out.print("    {:>10}{:>10}{:>26}{:>30}\n", brief(window.from), brief(window.to), mean(window.discs),
              mean(window.area));
  out.print("\n    {} discs have passed at the end; {} capped steps\n", mean(ensemble.passed), ensemble.capped);
  return finish_output(out, ensemble.seeds == seeds, done);
}

int report_failure(Failure const& failure) {
  static constexpr std::array<Exit, 4> codes{bad_data, bad_usage, broken, failed};  // one for each Cause, in order
  return complain(codes[static_cast<std::size_t>(failure.cause)], verb_name, failure.message);
}

std::string version_of_build() { return fmt::format("{} ({})", this_build().version, this_build().commit); }

/// The run that the options describe.
struct AskedRun {
  SceneFile file;
  Manner manner;
  fs::path folder;
  bool go_on = false;  ///< true: continue the run in the folder
};

bool is_built_in(std::string_view name) {
  return std::ranges::any_of(built_in_scenes(), [&](BuiltIn const& each) { return each.name == name; });
}

int read_run(SimulateArguments const& options, AskedRun& asked) {
  bool const is_run = is_run_path(options.scene), is_scene = is_built_in(options.scene);
  if (is_run && is_scene)
    tell("demeter simulate: {0} means the built-in scene; the folder of this name is ./{0}\n", options.scene);
  if (is_run && !is_scene) {
    if (!options.out.empty() || !options.sets.empty() || !options.uses.empty() || options.refine > 0 ||
        !options.against.empty() || !options.from.empty() || options.seeds > 0 ||
        options.implementation != "reference@double")
      return complain(
          bad_usage, verb_name,
          fmt::format("{}: a run continues with its own settings, expected no further options", options.scene));
    asked.folder = options.scene;
    asked.go_on = true;
    if (auto const failure = read_folder(asked.folder, asked.file, asked.manner)) return report_failure(*failure);
  } else {
    if (int const code = find_scene(options.scene, asked.file); code != held) return code;
    asked.folder =
        options.out.empty() ? fs::path("build") / "simulate" / fs::path(asked.file.name).stem() : fs::path(options.out);
    if (asked.file.source.empty()) asked.file.source = source_of(options.scene, asked.folder);
    asked.manner.version = version_of_build();
    if (!read_implementation(options.implementation, asked.manner))
      return complain(bad_usage, verb_name,
                      fmt::format("--implementation: got {}, expected reference@double, reference@long-double, "
                                  "reference@mpfr:DIGITS with 2 to 100000 digits, or fast",
                                  options.implementation));
    asked.manner.sets = options.sets;
    if (!options.from.empty())
      if (auto const failure = read_start(options.from, asked.manner)) return report_failure(*failure);
    for (auto const& use : options.uses) {
      auto const equals = use.find('=');
      if (equals == std::string::npos)
        return complain(bad_usage, verb_name, fmt::format("--use: got {}, expected KERNEL=FORMULA", use));
      asked.manner.sets.push_back(fmt::format("use.{}=\"{}\"", use.substr(0, equals), use.substr(equals + 1)));
    }
  }
  if (auto const wrong = read_scene(asked.file, asked.manner.sets)) return complain(bad_data, verb_name, *wrong);
  for (auto const& warning : asked.file.warnings) tell("demeter simulate: warning: {}\n", warning);
  return held;
}

using Show = simulations::Progress;

int run_refined(AskedRun const& asked, unsigned times, Show const& show) {
  Refinement refinement;
  if (auto const failure = refine(asked.file, asked.manner, times, show, stop_requested(), refinement))
    return report_failure(*failure);
  return print_refinement(asked.file, refinement, times);
}

int run_against(AskedRun const& asked, std::string const& other, Show const& show) {
  // The name of an arithmetic without a formula means the reference in this arithmetic.
  bool const alone = other.starts_with("mpfr:") || other == "double" || other == "long-double";
  Manner reference;
  if (!read_implementation((alone ? "reference@" : "") + other, reference))
    return complain(bad_usage, verb_name,
                    fmt::format("--against: got {}, expected an implementation such as reference@mpfr:50", other));
  reference.start = asked.manner.start;
  Against against;
  if (auto const failure = compare_steps(asked.file, asked.manner, reference, show, stop_requested(), against))
    return report_failure(*failure);
  return print_against(asked.file, asked.manner, reference, against);
}

int run_all_seeds(AskedRun const& asked, std::uint64_t seeds, Show const& show) {
  Ensemble ensemble;
  if (auto const failure = run_seeds(asked.file, asked.manner, seeds, show, stop_requested(), ensemble))
    return report_failure(*failure);
  return print_ensemble(asked.file, asked.manner, ensemble, seeds);
}

int run_timing(AskedRun const& asked) {
  std::vector<Timed> timed;
  if (auto const failure = time_steps(asked.file, stop_requested(), timed)) return report_failure(*failure);
  Output out;
  for (auto const& each : timed)
    out.print("  {:<24}{:>10} us per step, {:>6} times double\n", each.implementation, brief(1e6 * each.seconds),
              brief(each.seconds / timed.front().seconds));
  std::size_t const turns = timed.empty() ? 0 : timed.back().turns;
  return finish_output(out, turns == turns_of_timing, fmt::format("{} of {} turns", turns, turns_of_timing));
}

int run_whole(AskedRun const& asked, Show const& show) {
  auto const& [file, manner, folder, go_on] = asked;
  Outcome outcome;
  if (auto const failure = run(file, manner, folder, go_on, version_of_build(), show, stop_requested(), outcome))
    return report_failure(*failure);
  for (auto const& warning : outcome.warnings) tell("demeter simulate: warning: {}\n", warning);
  Output out;
  if (!outcome.finished) {
    // A name that begins with a dash would be read as an option, and the name of a scene as this scene.
    std::string const name = folder.string(), named = name.starts_with('-') || is_built_in(name) ? "./" + name : name;
    inform("simulate", fmt::format("stopped at step {}: the result is partial; continue with", outcome.step),
           "demeter simulate " + shell_quoted(named));
    return failed;
  }
  out.print("{}: {}\n  {}, {} steps, t = {} s", file.name, file.scene.scene.title, manner.implementation, outcome.step,
            outcome.last->all.time.value);
  if (outcome.steps_done > 0 && outcome.seconds > 0)
    out.print(", {} us per step", brief(1e6 * outcome.seconds / static_cast<double>(outcome.steps_done)));
  out.print("\n\n");
  print_ledger(out, *outcome.last);
  // A changed scene need not meet the expectations of the original scene. They are shown, but it is not a failure if
  // they are not met.
  bool const all = print_expectations(out, file, outcome), changed = !manner.sets.empty() || !manner.start.empty();
  out.print("\n  {}\n", (folder / "film.html").string());
  if (!out.flush()) return complain(broken, verb_name, out.error());
  if (all || changed) return held;
  return complain(failed, verb_name, fmt::format("{}: a value differs from the expected value", file.name));
}

int run_simulate(SimulateArguments const& options) {
  if (options.keys) {
    Output out;
    out.print("{}", keys_text());
    return out.flush() ? held : complain(broken, verb_name, out.error());
  }
  if (options.scene.empty()) return list_scenes();
  AskedRun asked;
  if (int const code = read_run(options, asked); code != held) return code;
  if (options.print) {
    Output out;
    out.print("{}", asked.file.text);
    return out.flush() ? held : complain(broken, verb_name, out.error());
  }

  watch_signals();
  Progress progress;
  auto const show = [&](double share, std::string const& what) { progress(share, what); };
  if (options.refine > 0) return run_refined(asked, static_cast<unsigned>(options.refine), show);
  if (!options.against.empty()) return run_against(asked, options.against, show);
  if (options.seeds > 0) return run_all_seeds(asked, options.seeds, show);
  if (options.timing) return run_timing(asked);
  return run_whole(asked, show);
}

}  // namespace

Verb simulate() {
  Verb verb{"simulate", "simulates a scene in any arithmetic, with an energy ledger and a film"};
  auto options = std::make_shared<SimulateArguments>();
  verb.option("scene", options->scene,
              "a built-in scene, a TOML file (docs/simulate.md), or the folder of a run to continue; if not given, the "
              "built-in scenes are listed");
  verb.option("--implementation", options->implementation,
              "reference@double, reference@long-double, reference@mpfr:DIGITS, or fast (non-smooth scenes only)")
      .shows_default();
  verb.list("--use", options->uses, "KERNEL=FORMULA: use this formula of a kernel; `demeter list` shows the names");
  verb.list(
      "--set", [options](Option::Texts const& texts) { options->sets = texts; },
      "KEY=VALUE: set a key of the scene, such as scene.start=raw or body.ball.radius=0.2");
  verb.option("--refine", options->refine, "halve the time step this number of times, and show errors and orders")
      .check(whole_number(1, 30));
  verb.option("--against", options->against,
              "compare each step with a step of another implementation from the same state, such as mpfr:50");
  verb.option("--seeds", options->seeds,
              "run with this number of seeds of the filling, and show the number of discs that pass per second")
      .check(whole_number(2, 100000));
  verb.option("--from", options->from,
              "folder of another run of the same bodies: begin with its state instead of the start of the scene");
  verb.option("--out", options->out,
              "folder of the run, named OUT.partial until the run is complete; build/simulate/SCENE if not given");
  verb.flag("--timing", options->timing,
            "measure the time per step in double, long double, 50 and 100 digits, in turns");
  verb.flag("--print", options->print, "print the text of the scene, as a start for your own scene");
  verb.flag("--keys", options->keys, "print the meaning of every key of a scene and of every observable");
  verb.exclusive({"--from", "--refine"});
  verb.exclusive({"--from", "--seeds"});
  verb.exclusive({"--print", "--timing", "--refine", "--against", "--seeds", "--keys"});
  verb.example = "demeter simulate rolling_onset --implementation reference@mpfr:50";
  verb.run = [options]() -> int { return run_simulate(*options); };
  return verb;
}

}  // namespace demeter::cli
