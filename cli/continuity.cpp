#include "reports/format/continuity.hpp"
#include "base/json_text.hpp"
#include "cli/core/command.hpp"
#include "reports/format/describe.hpp"
#include "reports/format/members.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace demeter::cli {
namespace {

struct ContinuityArguments : Common {
  std::uint64_t paths = 0;
  std::string family, path;
  double time = 0;
};

/// Returns the size of a jump as text: "9.55", "52.0", or "-" if this quantity does not jump.
std::string size_text(Laboratory const& laboratory, std::size_t quantity, double size) {
  return size < 1e-9 ? "-" : brief(shown(laboratory.quantities[quantity], size));
}

std::string vector_text(Laboratory const& laboratory, std::size_t quantity, std::vector<double> const& numbers) {
  Quantity const& of = laboratory.quantities[quantity];
  if (std::isnan(numbers[of.first])) return "none";
  std::string text;
  for (std::size_t i = of.first; i < of.first + of.count; ++i)
    text += fmt::format("{}{:.6g}", text.empty() ? "" : ", ", numbers[i]);
  return of.count == 1 ? text : "(" + text + ")";
}

void print_transitions(Output& out, Laboratory const& laboratory, Continuity const& found) {
  std::size_t width = 10;
  for (auto const& each : found.transitions) width = std::max(width, each.transition.size());
  out.print("  {:<{}}  {:>7}", "transition", width, "places");
  for (auto const& quantity : laboratory.quantities)
    out.print("  {:>14}", fmt::format("{} {}", quantity.name, shown_unit(quantity)));
  out.print("\n");
  for (auto const& each : found.transitions) {
    out.print("  {:<{}}  {:>7}", each.transition.empty() ? "elsewhere" : each.transition, width, each.found);
    for (std::size_t k = 0; k < laboratory.quantities.size(); ++k)
      out.print("  {:>14}", size_text(laboratory, k, each.largest[k]));
    out.print("{}\n", !found.formula ? "" : "  confirmed");
  }
}

void print_jump(Output& out, Laboratory const& laboratory, Subject const& subject, Jump const& jump, bool command) {
  Quantity const& quantity = laboratory.quantities[jump.quantity];
  out.print("  {}: {} jumps by {} {}{}\n", jump.transition.empty() ? "elsewhere" : jump.transition, quantity.name,
            brief(shown(quantity, jump.sizes[jump.quantity])), shown_unit(quantity),
            jump.certified ? fmt::format(" (confirmed in 80 digits across {:.0e} of the path)", jump.width) : "");
  if (command) out.print("    {}\n", continuity_command(laboratory, jump.path, 0, subject));
}

void print_rest(Output& out, Laboratory const& laboratory, Continuity const& found) {
  out.print("  difference at adjacent parameters, minus rounding:");
  for (std::size_t k = 0; k < laboratory.quantities.size(); ++k)
    out.print("{} {} {} {}", k == 0 ? "" : ",", laboratory.quantities[k].name,
              brief(shown(laboratory.quantities[k], found.residual[k])), shown_unit(laboratory.quantities[k]));
  out.print("\n  steepest continuous change per motion:");
  for (std::size_t k = 0; k < laboratory.quantities.size(); ++k)
    out.print("{} {} {}", k == 0 ? "" : ",", laboratory.quantities[k].name, brief(found.steepest[k].ratio));
  out.print("\n");
  for (std::size_t k = 0; k < laboratory.quantities.size(); ++k)
    if (found.steep[k].found > 0)
      out.print("  At {1} places {0} changes like motion^{2} (not Lipschitz)\n", laboratory.quantities[k].name,
                found.steep[k].found, brief(found.steep[k].exponent));
  std::string kinks;
  for (std::size_t k = 0; k < laboratory.quantities.size(); ++k)
    if (found.kinks[k].found > 0)
      kinks += fmt::format("{} {} (by {})", kinks.empty() ? "" : ",", laboratory.quantities[k].name,
                           brief(found.kinks[k].turn));
  if (!kinks.empty()) out.print("  kinks, where the slope changes:{}\n", kinks);
}

void print_passivity(Output& out, Laboratory const& laboratory, Passivity const& passivity) {
  auto const work = [&](std::string_view what, std::optional<Work> const& of) {
    if (!of) return;
    out.print("  {}: {} {} (error {}), {} % of the {} stored on the path\n", what, brief(of->value),
              laboratory.energy_unit, brief(of->error), brief(100 * std::fabs(of->value) / of->stored),
              brief(of->stored));
  };
  work(fmt::format("largest work around {} closed loops", passivity.loops), passivity.loop);
  work(fmt::format("largest energy gain along a path that begins and ends without contact ({} paths)",
                   passivity.contacts),
       passivity.gain);
  if (passivity.monotone_paths == 0) return;
  if (passivity.fall) {
    out.print("  overlap decreases by {} while the bodies approach:\n", brief(passivity.fall->value));
  } else {
    out.print("  overlap never decreases while the bodies approach ({} paths)\n", passivity.monotone_paths);
  }
}

void print_subject(Output& out, Laboratory const& laboratory, Surveyed const& surveyed) {
  Continuity const& found = surveyed.continuity;
  Subject const& subject = *surveyed.subject;
  if (found.jumps()) {
    std::size_t const kinds = found.transitions.size();
    out.print("{} JUMPS at {} {} of transition", short_name(subject), kinds, kinds == 1 ? "kind" : "kinds");
  } else if (found.paths == 0) {
    out.print("{} was not searched (time limit)\n\n", short_name(subject));
    return;
  } else {
    out.print("{} has no {}", short_name(subject), found.unexamined > 0 ? "confirmed jump" : "jump");
  }
  out.print(" ({} paths, {} bisections to adjacent parameters, {:.1f} s)\n", found.paths, found.bisections,
            found.seconds);
  if (found.unanswered > 0) out.print("  {} of {} inputs were not answered\n", found.unanswered, found.answers);
  if (found.jumps()) print_transitions(out, laboratory, found);
  for (auto const& transition : found.transitions)
    for (auto const& jump : transition.examples) print_jump(out, laboratory, subject, jump, true);
  if (found.dismissed > 0)
    out.print("  {} suspected jumps are rounding or steep changes (computed in 80 digits)\n", found.dismissed);
  if (found.unexamined > 0)
    out.print("  {} suspected jumps were not computed in 80 digits (time limit)\n", found.unexamined);
  print_rest(out, laboratory, found);
  print_passivity(out, laboratory, surveyed.passivity);
  if (surveyed.passivity.fall)
    out.print("    {}\n", continuity_command(laboratory, surveyed.passivity.fall->path, 0, subject));
  out.print("\n");
}

/// Prints one line per subject, to compare the subjects.
void print_summary(Output& out, Laboratory const& laboratory, std::vector<Surveyed> const& surveyed) {
  std::size_t width = 7;
  for (auto const& one : surveyed) width = std::max(width, short_name(*one.subject).size());
  out.print("largest jumps{}\n  {:<{}}",
            laboratory.of_contacts()
                ? ", work relative to the energy stored on the path, and decreases of the overlap on approach"
                : "",
            "subject", width);
  for (auto const& quantity : laboratory.quantities)
    out.print("  {:>14}", fmt::format("{} {}", quantity.name, shown_unit(quantity)));
  if (laboratory.of_contacts()) out.print("  {:>8}  {:>8}  {:>8}", "loop", "gain", "fall");
  out.print("\n");
  for (auto const& one : surveyed) {
    out.print("  {:<{}}", short_name(*one.subject), width);
    if (one.continuity.paths == 0) {
      out.print("  {:>14}\n", "not searched");
      continue;
    }
    for (std::size_t k = 0; k < laboratory.quantities.size(); ++k) {
      double most = 0;
      for (auto const& transition : one.continuity.transitions) most = std::max(most, transition.largest[k]);
      out.print("  {:>14}", size_text(laboratory, k, most));
    }
    auto const part = [](std::optional<Work> const& work) {
      return work ? brief(100 * std::fabs(work->value) / work->stored) + " %" : "-";
    };
    if (laboratory.of_contacts())
      out.print("  {:>8}  {:>8}  {:>8}", part(one.passivity.loop), part(one.passivity.gain),
                one.passivity.fall ? brief(one.passivity.fall->value) : "none");
    out.print("\n");
  }
  out.print("\n");
}

void print_path(Output& out, Laboratory const& laboratory, Subject const& subject, Continuity const& found) {
  std::size_t count = 0;
  for (auto const& transition : found.transitions) count += transition.examples.size();
  out.print("{}: {} on this path\n", short_name(subject),
            count == 0   ? "no jump"
            : count == 1 ? "1 jump"
                         : fmt::format("{} jumps", count));
  for (auto const& transition : found.transitions) {
    for (auto const& jump : transition.examples) {
      print_jump(out, laboratory, subject, jump, false);
      out.print("    at t = {} and {}\n", jump.before, jump.after);
      for (std::size_t k = 0; k < laboratory.quantities.size(); ++k)
        out.print("    {:<8} {} -> {}   jump {} {}\n", laboratory.quantities[k].name,
                  vector_text(laboratory, k, jump.at_before), vector_text(laboratory, k, jump.at_after),
                  size_text(laboratory, k, jump.sizes[k]), shown_unit(laboratory.quantities[k]));
    }
  }
  if (found.dismissed > 0)
    out.print("  {} suspected jumps are rounding or steep changes (computed in 80 digits)\n", found.dismissed);
  if (found.unexamined > 0)
    out.print("  {} suspected jumps were not computed in 80 digits (time limit)\n", found.unexamined);
  print_rest(out, laboratory, found);
}

/// Reads a path in JSON. Returns `held` (success), or the exit code after an error message.
int read_path(Laboratory const& laboratory, std::string const& text, Table& paths) {
  Kernel of_paths;  // a kernel whose input is a path, so that read_case() reads the path like a case
  of_paths.name = laboratory.kernel;
  of_paths.input = laboratory.path;
  of_paths.output.root.kind = Node::Kind::record;
  if (auto const wrong = read_case(of_paths, text, paths)) return complain(bad_data, "continuity", "--path: " + *wrong);
  for (std::size_t column = 0; column < paths.columns.size(); ++column)
    for (double const value : paths.columns[column])
      if (!std::isfinite(value))
        return complain(
            bad_data, "continuity",
            fmt::format("--path: {}: got {}, expected a finite number", laboratory.path.columns[column].path, value));
  if (auto const wrong = laboratory.path_error(paths, 0))
    return complain(bad_data, "continuity", fmt::format("--path: {}: expected {}", wrong->field, wrong->expected));
  return held;
}

std::vector<Laboratory const*> laboratories_or_complain(std::vector<std::string> const& names) {
  std::vector<Laboratory const*> chosen;
  for (auto const* kernel : kernels_or_complain("continuity", names)) {
    auto const* const laboratory = find_laboratory(kernel->name);
    if (laboratory != nullptr) {
      chosen.push_back(laboratory);
    } else if (!names.empty()) {
      std::string those;
      for (auto const& each : laboratories()) those += (those.empty() ? "" : ", ") + each.kernel;
      complain(bad_usage, "continuity",
               fmt::format("{} declares no paths for a search; expected {}", kernel->name, those));
      return {};
    }
  }
  return chosen;
}

/// One run of the verb: the options and the results so far.
class ContinuityRun {
 public:
  explicit ContinuityRun(ContinuityArguments const& options) : options_(options) {}

  int run() {
    auto const chosen = laboratories_or_complain(options_.kernels);
    if (chosen.empty()) return bad_usage;
    if (int const code = find_subjects(); code != held) return code;
    if (!options_.path.empty() && (chosen.size() != 1 || named_.empty()))
      return complain(bad_usage, "continuity", "--path: expected one kernel and --subject");
    watch_signals();
    for (auto const* laboratory : chosen) kernels_.push_back(find_kernel(laboratory->kernel));
    for (auto const* laboratory : chosen) {
      Kernel const& kernel = *find_kernel(laboratory->kernel);
      SurveyOptions survey_options = usual_survey(options_.time / static_cast<double>(chosen.size()));
      if (!options_.family.empty() && !find_family(*laboratory, survey_options.family)) return bad_usage;
      auto const subjects = named_.empty() ? surveyed_subjects(kernel) : subjects_answering(kernel, named_);
      if (subjects.empty()) continue;
      any_ = true;
      if (options_.path.empty()) {
        search(kernel, *laboratory, subjects, survey_options);
      } else if (int const code = look_at_path(kernel, *laboratory, subjects); code != held) {
        return code;
      }
      if (!out_.flush()) return complain(broken, "continuity", out_.error());
      if (stop_requested()) break;
    }
    return finish();
  }

 private:
  int find_subjects() {
    for (auto const& name : options_.subject) {
      named_.push_back(subject_or_complain("continuity", name, options_.subject_options()));
      if (named_.back() == nullptr) return bad_usage;
      if (named_.back()->origin == Origin::file)
        return complain(bad_usage, "continuity",
                        "--subject: recorded answers cannot be searched along a path, expected no file:");
    }
    return binary32_or_complain("continuity", options_, options_.subject) ? held : bad_usage;
  }

  bool find_family(Laboratory const& laboratory, std::optional<std::size_t>& family) const {
    family = laboratory.find_family(options_.family);
    if (*family < laboratory.families.size()) return true;
    std::string those;
    for (auto const& each : laboratory.families) those += (those.empty() ? "" : ", ") + each.name;
    complain(bad_usage, "continuity",
             fmt::format("unknown family \"{}\" of {}; expected {}", options_.family, laboratory.kernel, those));
    return false;
  }

  /// Returns the options of a search, such as the number of paths. If the user names subjects, each subject gets the
  /// same number of paths. Otherwise, subjects that are not the recommended formula get fewer paths.
  SurveyOptions usual_survey(double seconds) {
    SurveyOptions survey;
    survey.seed = options_.seed;
    survey.jobs = options_.threads();
    survey.stop = &stop_requested();
    survey.progress = [this](double done, std::string const& what) { progress_(done, what); };
    survey.seconds = seconds;
    if (!named_.empty()) {
      survey.paths = survey.others = 20'000;
      survey.outside = 5'000;
    }
    if (options_.paths > 0) {
      survey.paths = options_.paths;
      survey.others = named_.empty() ? std::max<std::uint64_t>(options_.paths / 40, 1) : options_.paths;
      survey.outside = named_.empty() ? std::max<std::uint64_t>(options_.paths / 500, 1) : options_.paths;
    }
    return survey;
  }

  int look_at_path(Kernel const& kernel, Laboratory const& laboratory, std::vector<Subject const*> const& subjects) {
    Table path(laboratory.path);
    if (int const code = read_path(laboratory, options_.path, path); code != held) return code;
    for (auto const* subject : subjects) {
      Surveyed const one{subject, examine_path(kernel, laboratory, *subject, path), {}};
      if (options_.json) {
        results_.push_back(report::write(describe(kernel, laboratory, one)));
      } else {
        print_path(out_, laboratory, *subject, one.continuity);
      }
      if (one.continuity.jumps() && first_jump_.empty())
        first_jump_ = fmt::format("{} jumps on this path of {}", subject->name, kernel.name);
    }
    return held;
  }

  void search(Kernel const& kernel, Laboratory const& laboratory, std::vector<Subject const*> const& subjects,
              SurveyOptions const& survey_options) {
    auto const surveyed = survey(kernel, laboratory, subjects, survey_options);
    if (options_.json) {
      auto of_kernel = describe(kernel, laboratory, surveyed, survey_options);
      of_kernel.kernel = kernel.name;
      results_.push_back(report::write(of_kernel));
    } else {
      out_.print("{}: {} families of smooth paths, seed {}\n{}\n\n", kernel.name, laboratory.families.size(),
                 options_.seed, laboratory.excluded);
      for (auto const& one : surveyed) print_subject(out_, laboratory, one);
      if (surveyed.size() > 1) print_summary(out_, laboratory, surveyed);
    }
    // Printed formulas and peers are known to jump. Without named subjects, only a jump of a recommended formula fails.
    for (auto const& one : surveyed)
      if (one.continuity.jumps() && (!named_.empty() || is_recommended(*one.subject)) && first_jump_.empty())
        first_jump_ = fmt::format("{} jumps in {}", one.subject->name, kernel.name);
  }

  int finish() {
    if (!any_) return complain(bad_usage, "continuity", none_answers(kernels_, named_));
    if (options_.json) out_.print("{}\n", json_text(results_, 2));
    if (!out_.flush()) return complain(broken, "continuity", out_.error());
    if (stop_requested()) return complain(failed, "continuity", "stopped: printed results are partial");
    if (!first_jump_.empty()) return complain(failed, "continuity", first_jump_);
    return complain_of_strays("continuity", named_);
  }

  ContinuityArguments const& options_;
  std::vector<Subject const*> named_;
  std::vector<Kernel const*> kernels_;
  Output out_;
  Progress progress_;
  nlohmann::ordered_json results_ = nlohmann::ordered_json::array();
  std::string first_jump_;
  bool any_ = false;
};

}  // namespace

Verb continuity() {
  Verb verb{
      "continuity",
      "searches smooth paths for jumps; bisects each jump to adjacent doubles, confirms, enlarges and simplifies it"};
  auto options = std::make_shared<ContinuityArguments>();
  verb.option("kernel", options->kernels, "the kernels; all that declare paths if none is given");
  add_subjects(verb, options->subject,
               "woo, ode, lib:PATH, pipe:COMMAND, ... (a,b or repeated); if none is given, an overview of all "
               "subjects, which fails only if the recommended formula jumps");
  verb.option("--paths", options->paths,
              "paths per subject; if not given: 20000, or 5000 for external code; in an overview: 120000 for the "
              "recommended formula, 3000 for each other formula and 240 for each other code")
      .check(whole_number(1));
  verb.option("--family", options->family, "only paths of this family");
  verb.option("--path", options->path, "show what happens along one path, which is JSON from a report");
  verb.option("--seed", options->seed, "the same seed gives the same search").check(whole_number()).shows_default();
  verb.option("--time", options->time, "seconds after which no further paths are drawn").check(positive_number());
  add_limits(verb, *options);
  verb.option("--jobs", options->jobs,
              "number of subjects that are searched at the same time; all processors if not given")
      .check(whole_number(1, 1024));
  verb.flag("--json", options->json, "print the results as JSON");
  verb.only_with("--path", {"--subject", "--timeout", "--memory", "--binary32", "--json"});
  verb.example =
      "demeter continuity capsule_contact --subject reference --paths 1000\n"
      "  demeter continuity capsule_contact --subject reference --path '{\"centre1\":[0,0,0],\"half1\":[1,0,0],"
      "\"radius1\":0.5,\"centre2\":[1,0,0.6],\"half2\":[1,0,0],\"radius2\":0.5,\"pivot\":[0,0,0],"
      "\"motion\":{\"translation\":[1,0,0],\"turn\":[0,0,0]},\"across\":{\"translation\":[0,0,0],\"turn\":[0,0,0]}}'";
  verb.run = [options] { return ContinuityRun(*options).run(); };
  return verb;
}

}  // namespace demeter::cli
