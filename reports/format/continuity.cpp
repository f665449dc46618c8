#include "reports/format/continuity.hpp"

#include "base/shell.hpp"
#include "check/threads.hpp"
#include "kernels/json_lines.hpp"
#include "subjects/outside/outside.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>
#include <numbers>

namespace demeter {

using report::ByName;
using report::Json;
using report::Number;

bool is_recommended(Subject const& subject) {
  return subject.origin == Origin::reference || subject.origin == Origin::fast;
}

std::vector<Subject const*> surveyed_subjects(Kernel const& kernel) {
  std::vector<Subject const*> chosen;
  for (auto const* subject : subjects_answering(kernel)) {
    if ((subject->origin == Origin::fast && subject->name != kernel.fast()) || subject->approximate()) continue;
    chosen.push_back(subject);
  }
  std::stable_sort(chosen.begin(), chosen.end(), [](Subject const* a, Subject const* b) {
    auto const rank = [](Subject const* each) {
      return each->origin == Origin::reference ? 0 : is_recommended(*each) ? 1 : each->ours() ? 2 : 3;
    };
    return rank(a) < rank(b);
  });
  return chosen;
}

std::vector<Surveyed> survey(Kernel const& kernel, Laboratory const& laboratory,
                             std::vector<Subject const*> const& subjects, SurveyOptions const& options) {
  // Returns whether the subject gets the most paths. In a laboratory of contacts this is the reference. In other
  // laboratories it is the fast form, because the reference needs many digits for degenerate bodies.
  auto const foremost = [&](Subject const& subject) {
    return subject.origin == (laboratory.of_contacts() ? Origin::reference : Origin::fast);
  };
  auto const paths_of = [&](Subject const& subject) {
    std::uint64_t const all = foremost(subject) ? options.paths : subject.ours() ? options.others : options.outside;
    return std::max<std::uint64_t>(all / kernel.case_divisor, 1);
  };
  // The work after the search, enlarging and simplifying the jumps of a subject, takes about as long as 5000 paths.
  auto const cost = [&](Subject const& subject) { return 5000 + static_cast<double>(paths_of(subject)); };
  double all = 0, done = 0;
  for (auto const* subject : subjects) all += cost(*subject);
  std::vector<std::optional<Surveyed>> each(subjects.size());
  std::mutex mutex;
  for_each_in_threads(options.jobs, subjects.size(), options.stop, [&](std::size_t at) {
    Subject const& subject = *subjects[at];
    double reported = 0;
    auto const report = [&](double share) {
      std::lock_guard const lock(mutex);
      done += (share - reported) * cost(subject);
      reported = share;
      if (options.progress) options.progress(done / all, "continuity of " + subject.name);
    };
    ContinuityOptions search;
    search.seed = options.seed;
    search.paths = paths_of(subject);
    search.family = options.family;
    search.seconds = options.seconds * cost(subject) / all * options.jobs;
    search.progress = report;
    search.stop = options.stop;
    Surveyed one{&subject, search_continuity(kernel, laboratory, subject, search), {}};
    report(0.9);
    if (options.passivity && laboratory.of_contacts()) {
      PassivityOptions passivity;
      passivity.seed = options.seed;
      passivity.stop = options.stop;
      // Code of other projects gets only a few loops and paths. In a short report, all code gets only a few.
      if (!subject.ours() || (search.seconds > 0 && search.seconds < 10)) {
        passivity.loops = passivity.contacts = 40;
        passivity.monotone_paths = 200;
      }
      one.passivity = measure_passivity(kernel, laboratory, subject, passivity);
    }
    report(1);
    each[at] = std::move(one);
  });
  std::vector<Surveyed> result;
  for (auto& one : each)
    if (one) result.push_back(std::move(*one));
  return result;
}

std::string short_name(Subject const& subject) {
  return subject.formula_in_double() ? std::string(subject.name_of_formula()) : subject.name;
}

std::string continuity_command(Laboratory const& laboratory, Table const& path, std::size_t row,
                               Subject const& subject) {
  Buffer text;
  write_record(laboratory.path, path, row, text);
  return fmt::format("demeter continuity {} --subject {}{} --path {}", laboratory.kernel,
                     shell_quoted(from_anywhere(short_name(subject))), subject.binary32 ? " --binary32" : "",
                     shell_quoted(fmt::to_string(text)));
}

double shown(Quantity const& quantity, double size) {
  return quantity.direction ? size * 180 / std::numbers::pi : size;
}
std::string_view shown_unit(Quantity const& quantity) { return quantity.direction ? "degrees" : quantity.unit; }

namespace {

/// Returns one value per quantity, with the name of the quantity.
template <class Get>
auto by_quantity(Laboratory const& laboratory, Get get) {
  ByName<decltype(get(std::size_t{}))> result;
  for (std::size_t k = 0; k < laboratory.quantities.size(); ++k)
    result.entries.emplace_back(std::string(laboratory.quantities[k].name), get(k));
  return result;
}

/// Returns one size per quantity. Sizes of directions are angles in degrees.
ByName<Number> sizes_by_quantity(Laboratory const& laboratory, std::vector<double> const& sizes) {
  return by_quantity(laboratory, [&](std::size_t k) { return Number(shown(laboratory.quantities[k], sizes[k])); });
}

/// Returns an observation as an object: a number or an array per quantity, or null for a quantity that does not apply.
Json observation_json(Laboratory const& laboratory, std::span<double const> numbers) {
  Json result = Json::object();
  for (Quantity const& quantity : laboratory.quantities) {
    Json& of_quantity = result[std::string(quantity.name)];
    if (std::isnan(numbers[quantity.first])) continue;
    if (quantity.count == 1) {
      of_quantity = number_json(numbers[quantity.first]);
      continue;
    }
    for (std::size_t i = quantity.first; i < quantity.first + quantity.count; ++i)
      of_quantity.push_back(number_json(numbers[i]));
  }
  return result;
}

report::Jump describe(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject, Jump const& jump) {
  auto const side = [&](double parameter, std::size_t row, std::vector<double> const& observed) {
    return report::Side{parameter, record_json(kernel.input, jump.inputs, row), observation_json(laboratory, observed)};
  };
  report::Jump result;
  result.quantity = laboratory.quantities[jump.quantity].name;
  result.sizes = sizes_by_quantity(laboratory, jump.sizes);
  result.certified = jump.certified;
  result.width = jump.width;
  result.path = record_json(laboratory.path, jump.path, 0);
  result.before = side(jump.before, 0, jump.at_before);
  result.after = side(jump.after, 1, jump.at_after);
  result.command = continuity_command(laboratory, jump.path, 0, subject);
  return result;
}

report::Transition describe(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                            TransitionJumps const& transition) {
  report::Transition result;
  result.transition = transition.transition;
  result.found = count(transition.found);
  result.largest = sizes_by_quantity(laboratory, transition.largest);
  result.certified = by_quantity(laboratory, [&](std::size_t k) { return bool(transition.certain[k]); });
  for (auto const& jump : transition.examples) result.examples.push_back(describe(kernel, laboratory, subject, jump));
  return result;
}

std::optional<report::Work> describe(Laboratory const& laboratory, std::optional<Work> const& work) {
  if (!work) return std::nullopt;
  return report::Work{work->value, work->error, work->stored, record_json(laboratory.path, work->path, 0)};
}

report::Passivity describe(Laboratory const& laboratory, Passivity const& passivity) {
  report::Passivity result;
  result.loops = count(passivity.loops);
  result.contacts = count(passivity.contacts);
  result.monotone_paths = count(passivity.monotone_paths);
  result.loop = describe(laboratory, passivity.loop);
  result.gain = describe(laboratory, passivity.gain);
  result.loss = describe(laboratory, passivity.loss);
  result.mean_relative_loop = passivity.mean_relative_loop;
  result.mean_relative_contact = passivity.mean_relative_contact;
  if (auto const& fall = passivity.fall)
    result.fall = {fall->value, fall->from, fall->to, record_json(laboratory.path, fall->path, 0)};
  return result;
}

}  // namespace

report::Watched describe(Kernel const& kernel, Laboratory const& laboratory, Surveyed const& surveyed) {
  Continuity const& of = surveyed.continuity;
  report::Watched result;
  result.subject = of.subject;
  result.recommended = is_recommended(*surveyed.subject);
  result.jumps = of.jumps();
  result.paths = count(of.paths);
  result.answers = count(of.answers);
  result.unanswered = count(of.unanswered);
  result.bisections = count(of.bisections);
  result.dismissed = count(of.dismissed);
  result.unexamined = count(of.unexamined);
  result.seconds = of.seconds;
  result.certifiable = of.formula.has_value();
  result.residual = sizes_by_quantity(laboratory, of.residual);
  result.steepest = by_quantity(laboratory, [&](std::size_t k) -> std::optional<report::Steepest> {
    auto const& steepest = of.steepest[k];
    if (steepest.path.rows == 0) return std::nullopt;
    return report::Steepest{steepest.ratio, steepest.parameter, record_json(laboratory.path, steepest.path, 0)};
  });
  result.steep = by_quantity(laboratory, [&](std::size_t k) -> std::optional<report::Steep> {
    auto const& steep = of.steep[k];
    if (steep.found == 0) return std::nullopt;
    return report::Steep{count(steep.found), steep.exponent, steep.parameter,
                         record_json(laboratory.path, steep.path, 0)};
  });
  result.kinks = by_quantity(laboratory, [&](std::size_t k) -> std::optional<report::Kink> {
    auto const& kink = of.kinks[k];
    if (kink.found == 0) return std::nullopt;
    return report::Kink{count(kink.found), kink.turn, kink.parameter, record_json(laboratory.path, kink.path, 0)};
  });
  for (auto const& transition : of.transitions)
    result.transitions.push_back(describe(kernel, laboratory, *surveyed.subject, transition));
  result.passivity = describe(laboratory, surveyed.passivity);
  return result;
}

namespace {

/// Returns a plot of one transition: its path, and the observations of every subject along this path.
report::Plot plot(Kernel const& kernel, Laboratory const& laboratory, std::vector<Surveyed> const& surveyed,
                  Subject const& subject, Jump const& jump) {
  report::Plot result;
  result.transition = jump.transition;
  result.found_with = subject.name;
  result.quantity = laboratory.quantities[jump.quantity].name;
  result.path = record_json(laboratory.path, jump.path, 0);
  result.at = jump.before;
  // The plot shows the answers at 101 parameters around the jump. The two parameters directly at the jump are added.
  double const reach = 0.25;
  double const low = std::max(0.0, jump.before - reach), high = std::min(1.0, jump.after + reach);
  std::vector<double> parameters;
  for (int i = 0; i <= 100; ++i) parameters.push_back(low + (high - low) * i / 100);
  parameters.push_back(jump.before);
  parameters.push_back(jump.after);
  std::sort(parameters.begin(), parameters.end());
  result.parameters.assign(parameters.begin(), parameters.end());
  for (auto const& other : surveyed) {
    auto const observed = observe_path(kernel, laboratory, *other.subject, jump.path, parameters);
    report::PlotLines drawn{other.subject->name, {}};
    for (auto const& quantity : laboratory.quantities) {
      if (quantity.derived) continue;
      std::vector<std::vector<Number>> lines(quantity.count);
      for (std::size_t i = 0; i < quantity.count; ++i) {
        for (std::size_t row = 0; row < parameters.size(); ++row) {
          double const value = observed[row * laboratory.numbers + quantity.first + i];
          lines[i].push_back(std::isnan(value) ? Number() : rounded(value, 4));
        }
      }
      drawn.lines.entries.emplace_back(std::string(quantity.name), std::move(lines));
    }
    result.subjects.push_back(std::move(drawn));
  }
  return result;
}

/// Returns one plot per transition. Uses the example with the largest jump, and prefers examples of Demeter's own
/// subjects.
std::vector<report::Plot> plots(Kernel const& kernel, Laboratory const& laboratory,
                                std::vector<Surveyed> const& surveyed) {
  std::vector<std::string> names;
  for (auto const& one : surveyed)
    for (auto const& transition : one.continuity.transitions)
      if (!transition.examples.empty() && std::find(names.begin(), names.end(), transition.transition) == names.end())
        names.push_back(transition.transition);
  std::vector<report::Plot> result;
  for (auto const& name : names) {
    Surveyed const* best = nullptr;
    Jump const* largest = nullptr;
    for (auto const& one : surveyed) {
      auto const* const transition = one.continuity.find(name);
      if (transition == nullptr) continue;
      for (auto const& jump : transition->examples) {
        auto const rank = [](Surveyed const& who, Jump const& what) {
          return std::pair(who.subject->ours(), what.sizes[what.quantity]);
        };
        if (best == nullptr || rank(one, jump) > rank(*best, *largest)) best = &one, largest = &jump;
      }
    }
    result.push_back(plot(kernel, laboratory, surveyed, *best->subject, *largest));
  }
  return result;
}

}  // namespace

report::Continuity describe(Kernel const& kernel, Laboratory const& laboratory, std::vector<Surveyed> const& surveyed,
                            SurveyOptions const& options) {
  report::Continuity result;
  result.seed = options.seed;
  result.paths = count(options.paths);
  result.other_paths = count(options.others);
  result.excluded = laboratory.excluded;
  if (laboratory.of_contacts()) {
    result.energy_unit = laboratory.energy_unit;
    result.overlap = laboratory.quantities[laboratory.overlap].name;
  }
  for (auto const& family : laboratory.families) result.families.push_back({family.name, family.doc, family.loop});
  for (auto const& quantity : laboratory.quantities)
    result.quantities.push_back({std::string(quantity.name), std::string(quantity.unit),
                                 std::string(shown_unit(quantity)), count(quantity.count), quantity.derived});
  for (auto const& one : surveyed) result.subjects.push_back(describe(kernel, laboratory, one));
  result.plots = plots(kernel, laboratory, surveyed);
  return result;
}

}  // namespace demeter
