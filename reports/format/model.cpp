#include "reports/format/model.hpp"

#include "base/shell.hpp"
#include "bench/core/median.hpp"
#include "check/enough.hpp"
#include "reports/format/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace demeter::report {
namespace {

/// Returns a unique file name for a name, with letters, digits, "_" and "-" only. `taken` contains the file names that
/// are already used, such as "index" for the overview. The new name is added to it.
std::string file_name(std::string_view name, std::set<std::string>& taken) {
  std::string slug;
  for (char const c : name.substr(0, 80)) {
    bool const plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    slug += plain ? c : '-';
  }
  if (slug.empty()) slug = "kernel";
  std::string unique = slug;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}-{}", slug, i);
  return unique;
}

/// Returns `value` with every invalid UTF-8 sequence replaced. The JSON library does this when it writes text.
std::string valid_utf8(std::string const& value) {
  std::string const dumped = Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(dumped).get<std::string>();
}

Origin origin_of(Contender const& contender, std::vector<Subject> const& subjects,
                 std::vector<FormulaTerm> const& formulas) {
  std::string const formula = contender.name.substr(0, contender.name.find('@'));
  for (FormulaTerm const& term : formulas)
    if (term.name == formula || term.name == contender.name) return Origin::formula;
  Origin origin = Origin::peer;
  for (Subject const& subject : subjects)
    if (subject.name == contender.name && subject.ours) origin = subject.approximate ? Origin::method : Origin::own;
  return origin;
}

double rank(Number value) {
  if (!value) return -std::numeric_limits<double>::infinity();
  return std::isnan(*value) ? std::numeric_limits<double>::infinity() : *value;
}

}  // namespace

Json cleaned(Json const& value) {
  switch (value.type()) {
    case Json::value_t::object: {
      Json object = Json::object();
      for (auto const& [key, element] : value.items()) object[valid_utf8(key)] = cleaned(element);
      return object;
    }
    case Json::value_t::array: {
      Json array = Json::array();
      for (Json const& element : value) array.push_back(cleaned(element));
      return array;
    }
    case Json::value_t::string:
      return valid_utf8(value.get_ref<std::string const&>());
    case Json::value_t::number_float: {
      auto const number = value.get<double>();
      if (std::isnan(number)) return "nan";
      if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
      return value;
    }
    case Json::value_t::binary:
    case Json::value_t::discarded:
      return nullptr;
    default:
      return value;
  }
}

namespace {

/// Returns the objects in the list with this key. Returns none if the key is missing or is not a list.
std::vector<Json*> objects_in(Json& value, char const* key) {
  std::vector<Json*> found;
  if (!value.is_object() || !value.contains(key) || !value[key].is_array()) return found;
  for (Json& each : value[key])
    if (each.is_object()) found.push_back(&each);
  return found;
}

std::set<std::string> extreme_regimes(Json& kernel) {
  std::set<std::string> extreme;
  for (Json* const regime : objects_in(kernel, "regimes"))
    if (regime->value("profile", Json()) == "extreme" && (*regime)["name"].is_string())
      extreme.insert((*regime)["name"].get<std::string>());
  return extreme;
}

bool is_in(std::set<std::string> const& regimes, Json const& of) {
  return of.contains("regime") && of["regime"].is_string() && regimes.contains(of["regime"].get<std::string>());
}

/// Keeps a few of a subject's small failing cases, and removes the others. Keeps three ordinary cases. Keeps only one
/// ordinary case for an approximate subject, because its errors are expected. Keeps one case of extreme regimes,
/// because most codes fail there in the same way. Removes the numbers of cases with very long lists.
void leave_few_failures(Json& subject, std::set<std::string> const& extreme, bool approximate) {
  if (!subject.contains("failures") || !subject["failures"].is_array()) return;
  constexpr std::size_t few = 3, few_extreme = 1, very_long = 4000;
  std::size_t ordinary = 0, beyond = 0;
  Json kept = Json::array();
  for (Json& failure : subject["failures"]) {
    if (failure.is_object() && is_in(extreme, failure) ? beyond++ >= few_extreme
                                                       : ordinary++ >= (approximate ? 1 : few))
      continue;
    if (failure.is_object() && failure.contains("input") && failure["input"].dump().size() > very_long)
      for (char const* key : {"input", "answer", "truth", "command"}) failure.erase(key);
    kept.push_back(std::move(failure));
  }
  subject["failures"] = std::move(kept);
}

/// Keeps only one counterexample for all laws that are broken only in extreme regimes. Removes counterexamples with
/// very long lists.
void leave_few_counterexamples(Json& subject, std::set<std::string> const& extreme) {
  constexpr std::size_t very_long = 6000;
  bool one = false;
  for (Json* const law : objects_in(subject, "laws")) {
    if (!law->contains("counterexample") || !(*law)["counterexample"].is_object()) continue;
    std::vector<Json*> const regimes = objects_in(*law, "regimes");
    bool const beyond = !regimes.empty() && std::ranges::all_of(regimes, [&](Json* of) { return is_in(extreme, *of); });
    if ((beyond && std::exchange(one, true)) || (*law)["counterexample"].dump().size() > very_long)
      (*law)["counterexample"] = nullptr;
  }
}

/// Returns the command that explains a case. `given` is the case as JSON text in quotes, or its id with the options
/// that draw it.
std::string explaining(std::string const& kernel, std::string const& given, Contender const& contender,
                       std::string const& law = "", std::uint64_t salt = 0) {
  return fmt::format("demeter explain {} {} --subject {}{}{}{}{}", shell_quoted(kernel), given,
                     shell_quoted(contender.name), contender.binary32 ? " --binary32" : "",
                     contender.formula.empty() ? "" : " --formula " + shell_quoted(contender.formula),
                     law.empty() ? "" : " --law " + shell_quoted(law), salt > 0 ? fmt::format(" --salt {}", salt) : "");
}

/// Adds a command to each example without one. Replaces texts that are not a plain command of demeter: the results may
/// come from another person, and readers copy commands from the pages. `seed` draws the cases without an input.
void add_commands(Kernel const& kernel, Contender& contender, std::uint64_t seed) {
  auto const complete = [&](Example& example, std::string const& regime) {
    if (is_plain_command(example.command)) return;
    std::string given;
    if (example.input->is_object())
      given = shell_quoted(example.input->dump());
    else if (!regime.empty())
      given = fmt::format("{} --regime {} --seed {}", example.id, shell_quoted(regime), seed);
    example.command = given.empty() ? "" : explaining(kernel.name, given, contender);
  };
  for (Accuracy& row : contender.accuracy)
    if (row.worst) complete(*row.worst, row.regime);
  for (Failure& failure : contender.failures) complete(failure.example, failure.example.regime);
  for (auto& law : contender.laws) {
    if (!law.counterexample || is_plain_command(law.counterexample->command)) continue;
    auto const& inputs = law.counterexample->inputs;
    law.counterexample->command = inputs.empty() || !inputs.front()->is_object()
                                      ? ""
                                      : explaining(kernel.name, shell_quoted(inputs.front()->dump()), contender,
                                                   law.law, law.counterexample->salt);
  }
}

}  // namespace

Json shortened_for_pages(Json results) {
  std::set<std::string> approximate;
  for (Json* const subject : objects_in(results, "subjects"))
    if (subject->value("approximate", Json()) == true && (*subject)["name"].is_string())
      approximate.insert((*subject)["name"].get<std::string>());
  for (Json* const kernel : objects_in(results, "kernels")) {
    std::set<std::string> const extreme = extreme_regimes(*kernel);
    for (Json* const subject : objects_in(*kernel, "subjects")) {
      Json* worst_of_all = nullptr;
      Number largest;
      for (Json* const json : objects_in(*subject, "accuracy")) {
        if (!json->contains("worst") || !(*json)["worst"].is_object()) continue;
        Mistakes ignored;
        auto const row = read<Accuracy>(*json, ignored);
        if (standing(row) != Standing::exceeded || (worst_of_all != nullptr && !worse(over_budget(row), largest)))
          continue;
        worst_of_all = json;
        largest = over_budget(row);
      }
      for (Json* const json : objects_in(*subject, "accuracy")) {
        if (json == worst_of_all || !json->contains("worst") || !(*json)["worst"].is_object()) continue;
        if (!(*json)["worst"].contains("input")) continue;  // short already: its command draws it again
        for (char const* key : {"regime", "error", "input", "answer", "truth", "command"}) (*json)["worst"].erase(key);
      }
      leave_few_failures(*subject, extreme,
                         (*subject)["name"].is_string() && approximate.contains((*subject)["name"].get<std::string>()));
      leave_few_counterexamples(*subject, extreme);
    }
    if (!kernel->contains("continuity")) continue;
    for (Json* const subject : objects_in((*kernel)["continuity"], "subjects"))
      for (char const* key : {"steepest", "steep", "kinks"})
        if (subject->contains(key) && (*subject)[key].is_object())
          for (auto& [quantity, where] : (*subject)[key].items())
            if (where.is_object()) where.erase("path");
  }
  return results;
}

namespace {

/// Returns the rank of a subject on the pages: peers, Demeter's own code, printed formulas, methods.
int place_of(Origin origin) {
  switch (origin) {
    case Origin::peer:
      return 0;
    case Origin::own:
      return 1;
    case Origin::formula:
      return 2;
    case Origin::method:
      break;
  }
  return 3;
}

}  // namespace

Results read_results(Json const& json, Mistakes* mistakes) {
  Mistakes own;
  auto results = read<Results>(json, mistakes != nullptr ? *mistakes : own);
  std::set<std::string> taken{"index", "solvers"};
  for (Kernel& kernel : results.kernels) {
    kernel.slug = file_name(kernel.name, taken);
    for (LadderLine& line : kernel.ladder.rows) line.lost.resize(kernel.ladder.arithmetics.size());
    // Adds an entry to the glossary for each regime and law that has results but no entry.
    auto const listed = [](auto const& terms, std::string const& name) {
      return std::any_of(terms.begin(), terms.end(), [&](auto const& term) { return term.name == name; });
    };
    for (Contender& contender : kernel.subjects) {
      contender.origin = origin_of(contender, results.subjects, kernel.formulas);
      add_commands(kernel, contender, results.run.seed.value_or(1));
      for (Accuracy const& row : contender.accuracy) {
        if (!listed(kernel.regimes, row.regime)) kernel.regimes.push_back({row.regime, "", "", 0});
      }
      for (LawResult const& row : contender.laws) {
        if (!listed(kernel.laws, row.law)) kernel.laws.push_back({row.law, "", "", {}});
      }
    }
    std::stable_sort(kernel.subjects.begin(), kernel.subjects.end(),
                     [](Contender const& a, Contender const& b) { return place_of(a.origin) < place_of(b.origin); });
  }
  return results;
}

std::vector<std::vector<std::string>> output_groups(Kernel const& kernel) {
  std::vector<std::string> outputs;
  auto const add = [&](std::string const& name) {
    if (std::find(outputs.begin(), outputs.end(), name) == outputs.end()) outputs.push_back(name);
  };
  for (OutputBudget const& budget : kernel.budgets) add(budget.output);
  for (Contender const& contender : kernel.subjects) {
    for (Accuracy const& row : contender.accuracy) add(row.output);
  }

  std::string const regime = quoted_regime(kernel);
  auto const written = [](Number value) { return value ? fmt::format("{}", *value) : std::string("-"); };
  std::vector<std::vector<std::string>> groups;
  std::vector<std::string> signatures;
  for (std::string const& output : outputs) {
    std::string signature;
    for (Contender const& contender : kernel.subjects) {
      signature += written(nanoseconds(kernel, contender.name, "cache", regime, output)) + "|";
      for (Accuracy const& row : contender.accuracy) {
        if (row.output != output) continue;
        signature += fmt::format("{} {} {} {} {} {} {} {},", row.regime, row.measure, written(row.budget), row.judged,
                                 row.failed, row.undecided, written(row.max_error), written(row.mean_error));
      }
      signature += ";";
    }
    auto const same = std::find(signatures.begin(), signatures.end(), signature);
    if (same == signatures.end()) {
      signatures.push_back(signature);
      groups.push_back({output});
    } else {
      groups[static_cast<std::size_t>(same - signatures.begin())].push_back(output);
    }
  }
  return groups;
}

Accuracy const* find_accuracy(Contender const& contender, std::string_view regime, std::string_view output) {
  for (Accuracy const& row : contender.accuracy) {
    if (row.regime == regime && row.output == output) return &row;
  }
  return nullptr;
}

LawResult const* find_law(Contender const& contender, std::string_view law) {
  for (LawResult const& row : contender.laws) {
    if (row.law == law) return &row;
  }
  return nullptr;
}

std::string measure_unit(std::string_view measure) {
  if (measure == "relative") return "u|truth|";
  if (measure == "scale" || measure == "optimality") return "uS";
  return "";
}

OutputBudget budget_of(Kernel const& kernel, std::string_view output) {
  for (OutputBudget const& budget : kernel.budgets) {
    if (budget.output == output) return budget;
  }
  for (Contender const& contender : kernel.subjects) {
    for (Accuracy const& row : contender.accuracy) {
      if (row.output == output) return {row.output, row.measure, row.budget};
    }
  }
  return {std::string(output), "", std::nullopt};
}

Number over_budget(Accuracy const& accuracy) {
  if (!accuracy.max_error || !accuracy.budget) return std::nullopt;
  if (accuracy.lost() > 0) return std::numeric_limits<double>::infinity();  // a missing answer is worse than any answer
  if (*accuracy.max_error == 0) return 0.0;                                 // an error of 0 is within every budget
  return *accuracy.max_error / *accuracy.budget;
}

Standing standing(Accuracy const& accuracy) {
  if (accuracy.wrong() > 0) return Standing::exceeded;
  if (accuracy.undecided > 0) return Standing::undecided;
  return accuracy.judged > 0 ? Standing::held : Standing::none;
}

AccuracyTally accuracy_tally(Contender const& contender, std::string_view output) {
  AccuracyTally sum;
  for (Accuracy const& row : contender.accuracy) {
    if (!output.empty() && row.output != output) continue;
    sum.standing = std::max(sum.standing, standing(row));
    sum.cases += row.cases;
    sum.judged += row.judged;
    sum.failed += row.failed;
    sum.undecided += row.undecided;
    sum.unsupported += row.unsupported;
    sum.crash += row.crash;
    sum.timeout += row.timeout;
    sum.not_representable += row.not_representable;
    sum.not_asked += row.not_asked;
    sum.missing += row.missing;
    sum.malformed += row.malformed;
    Number const ratio = over_budget(row);
    if (ratio && (!sum.where || worse(ratio, sum.ratio))) {
      sum.ratio = ratio;
      sum.where = &row;
    }
    if (standing(row) == Standing::exceeded) sum.exceeded.push_back(&row);
  }
  std::stable_sort(sum.exceeded.begin(), sum.exceeded.end(),
                   [](auto a, auto b) { return worse(over_budget(*a), over_budget(*b)); });
  return sum;
}

LawTally law_tally(Contender const& contender) {
  LawTally sum;
  for (LawResult const& row : contender.laws) {
    if (row.applicable > 0 && (sum.tested++ == 0 || row.applicable < sum.fewest)) sum.fewest = row.applicable;
    if (row.broken > 0) ++sum.broken;
  }
  return sum;
}

bool has_failed(Contender const& contender) {
  return contender.verdict == "fail" || accuracy_tally(contender).standing == Standing::exceeded ||
         law_tally(contender).broken > 0;
}

double unit_of(Contender const& contender) { return contender.binary32 ? 0x1p-24 : 0x1p-53; }

double overlooked(std::int64_t cases) {
  return cases <= 0 ? 1 : -std::expm1(std::log(0.05) / static_cast<double>(cases));
}

bool is_few(Kernel const& kernel, Accuracy const& accuracy) {
  RegimeTerm const* const regime = find_regime(kernel, accuracy.regime);
  if (regime != nullptr && regime->recorded > 0 && accuracy.cases >= regime->recorded) return false;
  return !is_enough(static_cast<std::uint64_t>(accuracy.judged));
}

RegimeTerm const* find_regime(Kernel const& kernel, std::string_view regime) {
  for (RegimeTerm const& each : kernel.regimes)
    if (each.name == regime) return &each;
  return nullptr;
}
std::string_view profile_of(Kernel const& kernel, std::string_view regime) {
  RegimeTerm const* const found = find_regime(kernel, regime);
  return found == nullptr ? std::string_view() : std::string_view(found->profile);
}

bool is_of(RegimeTerm const& regime, std::string_view profile) { return regime.profile == profile; }

std::vector<std::string_view> profiles_of(Kernel const& kernel) {
  std::vector<std::string_view> result;
  for (std::string_view const profile : profiles)
    if (std::any_of(kernel.regimes.begin(), kernel.regimes.end(),
                    [&](auto const& each) { return is_of(each, profile); }))
      result.push_back(profile);
  if (std::any_of(kernel.regimes.begin(), kernel.regimes.end(), [](auto const& each) { return is_of(each, ""); }))
    result.emplace_back();
  return result;
}

std::string_view profile_name(std::string_view profile) { return profile.empty() ? "all regimes" : profile; }

ProfileTally profile_tally(Kernel const& kernel, Contender const& contender, std::string_view profile,
                           std::string_view output) {
  ProfileTally sum;
  for (RegimeTerm const& regime : kernel.regimes) {
    if (!is_of(regime, profile)) continue;
    Standing of_regime = Standing::none;
    std::int64_t judged = 0;
    bool few = false;
    for (Accuracy const& row : contender.accuracy) {
      if (row.regime != regime.name || (!output.empty() && row.output != output)) continue;
      Standing const of_row = standing(row);
      of_regime = std::max(of_regime, of_row);
      if (of_row == Standing::none) continue;
      judged = judged == 0 ? row.judged : std::min(judged, row.judged);
      few = few || is_few(kernel, row);
      // A missing answer has an infinite error.
      Number const error = row.lost() > 0  ? Number(std::numeric_limits<double>::infinity())
                           : row.max_error ? Number(*row.max_error * unit_of(contender))
                                           : std::nullopt;
      if (error && (!sum.where || worse(error, sum.error))) {
        sum.error = error;
        sum.where = &row;
      }
    }
    if (of_regime == Standing::none) continue;
    sum.standing = std::max(sum.standing, of_regime);
    sum.cases = sum.regimes == 0 ? judged : std::min(sum.cases, judged);
    ++sum.regimes;
    if (of_regime != Standing::held) continue;
    ++sum.held;
    if (few) sum.fewest = sum.fewest == 0 ? judged : std::min(sum.fewest, judged);
  }
  if (!output.empty()) return sum;
  for (LawResult const& law : contender.laws) {
    bool const broken = std::any_of(law.regimes.begin(), law.regimes.end(), [&](LawRegime const& of) {
      RegimeTerm const* const regime = find_regime(kernel, of.regime);
      return of.broken > 0 && regime != nullptr && is_of(*regime, profile);
    });
    if (broken) ++sum.laws_broken;
  }
  if (sum.laws_broken > 0) sum.standing = Standing::exceeded;
  return sum;
}

bool fails(Kernel const& kernel, Contender const& contender) {
  for (std::string_view const profile : profiles_of(kernel))
    if (profile != "extreme" && profile_tally(kernel, contender, profile).standing == Standing::exceeded) return true;
  return false;
}

bool fails_as_declared(Kernel const& kernel, Contender const& contender) {
  auto const is_declared = [&](std::string const& output) {
    return std::ranges::any_of(contender.declared, [&](DeclaredTerm const& each) {
      return std::ranges::find(each.outputs, output) != each.outputs.end();
    });
  };
  auto const counts = [&](std::string const& regime) {
    RegimeTerm const* const of = find_regime(kernel, regime);
    return of != nullptr && of->profile != "extreme";
  };
  for (Accuracy const& row : contender.accuracy)
    if (counts(row.regime) && standing(row) == Standing::exceeded && (!is_declared(row.output) || row.lost() > 0))
      return false;
  for (LawResult const& law : contender.laws) {
    auto const term = std::ranges::find(kernel.laws, law.law, &LawTerm::name);
    bool const by_declared = term != kernel.laws.end() && std::ranges::any_of(term->uses, is_declared);
    if (!by_declared &&
        std::ranges::any_of(law.regimes, [&](LawRegime const& of) { return of.broken > 0 && counts(of.regime); }))
      return false;
  }
  return !contender.declared.empty() && fails(kernel, contender);
}

std::vector<Line> lines(Kernel const& kernel) {
  auto const verdicts = [&](Contender const& contender) {
    std::string text = contender.verdict;
    for (std::string_view const profile : profiles_of(kernel)) {
      ProfileTally const sum = profile_tally(kernel, contender, profile);
      text += fmt::format(" {} {} {} {}", static_cast<int>(sum.standing), sum.held, sum.regimes, sum.laws_broken);
    }
    for (Accuracy const& row : contender.accuracy)
      text += fmt::format(" {} {} {} {}", row.regime, row.output, row.max_error.value_or(0), row.wrong());
    return text;
  };
  std::vector<Line> result;
  std::vector<std::string> keys;
  for (Contender const& contender : kernel.subjects) {
    std::string const stem = contender.name.substr(0, contender.name.find('@'));
    std::string const key = contender.origin == Origin::own ? stem + " " + verdicts(contender) : "";
    auto const same = key.empty() ? keys.end() : std::find(keys.begin(), keys.end(), key);
    if (same != keys.end()) {
      Line& line = result[static_cast<std::size_t>(same - keys.begin())];
      line.who.push_back(&contender);
      line.name = stem;
      continue;
    }
    keys.push_back(key);
    result.push_back({{&contender}, contender.name});
  }
  return result;
}

std::string quoted_regime(Kernel const& kernel) {
  for (Timing const& timing : kernel.speed.timings) {
    if (timing.regime == "typical") return timing.regime;
  }
  return kernel.speed.timings.empty() ? "typical" : kernel.speed.timings.front().regime;
}

Number nanoseconds(Kernel const& kernel, std::string_view subject, std::string_view setting, std::string_view regime,
                   std::string_view output) {
  Number wanted, any;
  auto const keep_least = [](Number& least, Number value) {
    if (value && *value > 0 && std::isfinite(*value) && (!least || *value < *least)) least = value;
  };
  for (Timing const& timing : kernel.speed.timings) {
    if (timing.subject != subject || timing.setting != setting || timing.regime != regime) continue;
    keep_least(any, timing.nanoseconds);
    if (timing.outputs == "all" || (!output.empty() && timing.outputs == output)) {
      keep_least(wanted, timing.nanoseconds);
    }
  }
  return wanted || !output.empty() ? wanted : any;
}

double least_workload(Kernel const& kernel) {
  double least = std::numeric_limits<double>::infinity();  // comparisons with the NaN of no samples are false
  for (Timing const& each : kernel.speed.timings)
    if (double const median = bench::median(each.reference_workload); median > 0 && median < least) least = median;
  return least;
}

bool timed_under_load(Timing const& timing, double least_workload) {
  return bench::median(timing.reference_workload) > 1.2 * least_workload;
}

bool timed_under_load(Kernel const& kernel, std::string_view subject, std::string_view setting,
                      std::string_view regime) {
  double const least = least_workload(kernel);
  return std::ranges::any_of(kernel.speed.timings, [&](Timing const& each) {
    return each.subject == subject && each.setting == setting && each.regime == regime && timed_under_load(each, least);
  });
}

bool worse(Number a, Number b) { return rank(a) > rank(b); }

std::optional<Interval> median_interval(std::vector<double> samples) {
  if (samples.empty()) return std::nullopt;
  std::sort(samples.begin(), samples.end());
  // The median is below the k-th smallest sample with the probability that n tosses of a coin give fewer than k heads.
  // The probability that it is above the k-th largest sample is the same.
  double const halves = std::pow(0.5, static_cast<double>(samples.size()));
  double ways = 1, below = halves;
  std::size_t k = 0;
  while (k + 1 < samples.size() / 2 && 2 * below <= 0.05) {
    ways *= static_cast<double>(samples.size() - k) / static_cast<double>(k + 1);
    if (2 * (below + ways * halves) > 0.05) break;
    below += ways * halves;
    ++k;
  }
  return Interval{samples[k], samples[samples.size() - 1 - k]};
}

}  // namespace demeter::report
