#include "reports/format/continuity.hpp"

#include "kernels/json_lines.hpp"
#include "properties/core/threads.hpp"
#include "subjects/isolation/process.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numbers>

namespace demeter {

using Json = nlohmann::ordered_json;

bool is_recommended(Subject const& subject) {
  return subject.ours && (subject.name == "reference@double" || subject.name.starts_with("fast@"));
}

std::vector<Subject const*> surveyed_subjects(Kernel const& kernel) {
  std::vector<Subject const*> chosen;
  for (auto const* subject : subjects_answering(kernel)) {
    if ((subject->name.starts_with("fast@") && subject->name != kernel.fast()) || subject->approximate) continue;
    chosen.push_back(subject);
  }
  std::stable_sort(chosen.begin(), chosen.end(), [](Subject const* a, Subject const* b) {
    auto const rank = [](Subject const* each) {
      return each->name == "reference@double" ? 0 : is_recommended(*each) ? 1 : each->ours ? 2 : 3;
    };
    return rank(a) < rank(b);
  });
  return chosen;
}

std::vector<Surveyed> survey(Kernel const& kernel, Laboratory const& laboratory,
                             std::vector<Subject const*> const& subjects, SurveyOptions const& options) {
  // Without contacts it is the fast form that is recommended in double: a reference needs digits at degenerate figures.
  auto const foremost = [&](Subject const& subject) {
    return laboratory.of_contacts() ? subject.name == "reference@double" : subject.name.starts_with("fast@");
  };
  auto const paths_of = [&](Subject const& subject) {
    std::uint64_t const all = foremost(subject) ? options.paths : subject.ours ? options.others : options.outside;
    return std::max<std::uint64_t>(all / kernel.case_divisor, 1);
  };
  // A subject costs about as much for being enlarged and simplified as for some thousands of paths.
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
      if (!subject.ours) {
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
  if (subject.ours && subject.name.ends_with("@double")) return subject.name.substr(0, subject.name.find('@'));
  return subject.name;
}

std::string continuity_command(Laboratory const& laboratory, Table const& path, std::size_t row,
                               Subject const& subject) {
  Buffer text;
  write_record(laboratory.path, path, row, text);
  return fmt::format("demeter continuity {} --subject {}{} --path '{}'", laboratory.kernel,
                     shell_quoted(short_name(subject)), subject.binary32 ? " --binary32" : "", fmt::to_string(text));
}

double shown(Quantity const& quantity, double size) {
  return quantity.direction ? size * 180 / std::numbers::pi : size;
}
std::string_view shown_unit(Quantity const& quantity) { return quantity.direction ? "degrees" : quantity.unit; }

namespace {

/// One number a quantity, by name; angles in degrees if they are sizes.
template <class Get>
Json by_quantity(Laboratory const& laboratory, Get get) {
  Json result;
  for (std::size_t k = 0; k < laboratory.quantities.size(); ++k)
    result[std::string(laboratory.quantities[k].name)] = get(k);
  return result;
}

/// Six digits: for eyes.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  double const power = std::pow(10.0, 5 - std::floor(std::log10(std::fabs(value))));
  return std::isfinite(power) ? std::round(value * power) / power : value;
}

/// An observation by quantity; null where it does not count.
Json observation_json(Laboratory const& laboratory, std::span<double const> numbers) {
  return by_quantity(laboratory, [&](std::size_t k) -> Json {
    Quantity const& quantity = laboratory.quantities[k];
    if (std::isnan(numbers[quantity.first])) return nullptr;
    if (quantity.count == 1) return number_json(numbers[quantity.first]);
    Json all = Json::array();
    for (std::size_t i = quantity.first; i < quantity.first + quantity.count; ++i)
      all.push_back(number_json(numbers[i]));
    return all;
  });
}

Json jump_json(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject, Jump const& jump) {
  Json json;
  json["quantity"] = laboratory.quantities[jump.quantity].name;
  json["sizes"] = by_quantity(
      laboratory, [&](std::size_t k) { return number_json(shown(laboratory.quantities[k], jump.sizes[k])); });
  json["certified"] = jump.certified;
  json["width"] = number_json(jump.width);
  json["path"] = record_json(laboratory.path, jump.path, 0);
  json["before"] = {{"parameter", number_json(jump.before)},
                    {"input", record_json(kernel.input, jump.inputs, 0)},
                    {"observed", observation_json(laboratory, jump.at_before)}};
  json["after"] = {{"parameter", number_json(jump.after)},
                   {"input", record_json(kernel.input, jump.inputs, 1)},
                   {"observed", observation_json(laboratory, jump.at_after)}};
  json["command"] = continuity_command(laboratory, jump.path, 0, subject);
  return json;
}

Json work_json(Laboratory const& laboratory, std::optional<Work> const& work) {
  if (!work) return nullptr;
  return {{"work", number_json(work->value)},
          {"error", number_json(work->error)},
          {"stored", number_json(work->stored)},
          {"path", record_json(laboratory.path, work->path, 0)}};
}

}  // namespace

Json describe(Kernel const& kernel, Laboratory const& laboratory, Surveyed const& surveyed) {
  Continuity const& of = surveyed.continuity;
  Subject const& subject = *surveyed.subject;
  Json json;
  json["subject"] = of.subject;
  json["recommended"] = is_recommended(subject);
  json["jumps"] = of.jumps();
  json["paths"] = of.paths;
  json["answers"] = of.answers;
  json["unanswered"] = of.unanswered;
  json["bisections"] = of.bisections;
  json["dismissed"] = of.dismissed;
  json["seconds"] = number_json(of.seconds);
  json["certifiable"] = of.formula.has_value();
  auto const size = [&](std::vector<double> const& sizes) {
    return by_quantity(laboratory,
                       [&](std::size_t k) { return number_json(shown(laboratory.quantities[k], sizes[k])); });
  };
  json["residual"] = size(of.residual);
  json["steepest"] = by_quantity(laboratory, [&](std::size_t k) -> Json {
    auto const& steepest = of.steepest[k];
    if (steepest.path.rows == 0) return nullptr;
    return {{"ratio", number_json(steepest.ratio)},
            {"parameter", number_json(steepest.parameter)},
            {"path", record_json(laboratory.path, steepest.path, 0)}};
  });
  json["steep"] = by_quantity(laboratory, [&](std::size_t k) -> Json {
    auto const& steep = of.steep[k];
    if (steep.found == 0) return nullptr;
    return {{"found", steep.found},
            {"exponent", number_json(steep.exponent)},
            {"parameter", number_json(steep.parameter)},
            {"path", record_json(laboratory.path, steep.path, 0)}};
  });
  json["kinks"] = by_quantity(laboratory, [&](std::size_t k) -> Json {
    auto const& kink = of.kinks[k];
    if (kink.found == 0) return nullptr;
    return {{"found", kink.found},
            {"turn", number_json(kink.turn)},
            {"parameter", number_json(kink.parameter)},
            {"path", record_json(laboratory.path, kink.path, 0)}};
  });
  json["transitions"] = Json::array();
  for (auto const& transition : of.transitions) {
    Json one;
    one["transition"] = transition.transition;
    one["found"] = transition.found;
    one["largest"] = size(transition.largest);
    one["certified"] = by_quantity(laboratory, [&](std::size_t k) -> Json { return bool(transition.certain[k]); });
    one["examples"] = Json::array();
    for (auto const& jump : transition.examples)
      one["examples"].push_back(jump_json(kernel, laboratory, subject, jump));
    json["transitions"].push_back(std::move(one));
  }
  Passivity const& passivity = surveyed.passivity;
  json["passivity"] = {{"loops", passivity.loops},
                       {"contacts", passivity.contacts},
                       {"monotone_paths", passivity.monotone_paths},
                       {"loop", work_json(laboratory, passivity.loop)},
                       {"gain", work_json(laboratory, passivity.gain)},
                       {"loss", work_json(laboratory, passivity.loss)},
                       {"mean_relative_loop", number_json(passivity.mean_relative_loop)},
                       {"mean_relative_contact", number_json(passivity.mean_relative_contact)},
                       {"fall", nullptr}};
  if (passivity.fall)
    json["passivity"]["fall"] = {{"overlap", number_json(passivity.fall->value)},
                                 {"from", number_json(passivity.fall->from)},
                                 {"to", number_json(passivity.fall->to)},
                                 {"path", record_json(laboratory.path, passivity.fall->path, 0)}};
  return json;
}

namespace {

/// One transition's path with what every subject does along it.
Json plot_json(Kernel const& kernel, Laboratory const& laboratory, std::vector<Surveyed> const& surveyed,
               Subject const& subject, Jump const& jump) {
  Json json;
  json["transition"] = jump.transition;
  json["found_with"] = subject.name;
  json["quantity"] = laboratory.quantities[jump.quantity].name;
  json["path"] = record_json(laboratory.path, jump.path, 0);
  json["at"] = number_json(jump.before);
  // The neighbourhood in which a reader sees the jump and how the others go by; both sides of the jump itself.
  double const reach = 0.25;
  double const low = std::max(0.0, jump.before - reach), high = std::min(1.0, jump.after + reach);
  std::vector<double> parameters;
  for (int i = 0; i <= 160; ++i) parameters.push_back(low + (high - low) * i / 160);
  parameters.push_back(jump.before);
  parameters.push_back(jump.after);
  std::sort(parameters.begin(), parameters.end());
  json["parameters"] = Json::array();
  for (double const parameter : parameters) json["parameters"].push_back(number_json(parameter));
  json["subjects"] = Json::array();
  for (auto const& other : surveyed) {
    auto const observed = observe_path(kernel, laboratory, *other.subject, jump.path, parameters);
    Json lines;
    lines["subject"] = other.subject->name;
    for (auto const& quantity : laboratory.quantities) {
      if (quantity.derived) continue;
      Json& of_quantity = lines[std::string(quantity.name)] = Json::array();
      for (std::size_t i = 0; i < quantity.count; ++i) {
        Json values = Json::array();
        for (std::size_t row = 0; row < parameters.size(); ++row) {
          double const value = observed[row * laboratory.numbers + quantity.first + i];
          values.push_back(std::isnan(value) ? Json(nullptr) : number_json(rounded(value)));
        }
        of_quantity.push_back(std::move(values));
      }
    }
    json["subjects"].push_back(std::move(lines));
  }
  return json;
}

}  // namespace

Json describe(Kernel const& kernel, Laboratory const& laboratory, std::vector<Surveyed> const& surveyed,
              SurveyOptions const& options) {
  Json json;
  json["seed"] = options.seed;
  json["paths"] = options.paths;
  json["other_paths"] = options.others;
  json["excluded"] = laboratory.excluded;
  if (laboratory.of_contacts()) {
    json["energy_unit"] = laboratory.energy_unit;
    json["overlap"] = laboratory.quantities[laboratory.overlap].name;
  }
  json["families"] = Json::array();
  for (auto const& family : laboratory.families)
    json["families"].push_back({{"name", family.name}, {"doc", family.doc}, {"loop", family.loop}});
  json["quantities"] = Json::array();
  for (auto const& quantity : laboratory.quantities)
    json["quantities"].push_back({{"name", quantity.name},
                                  {"unit", quantity.unit},
                                  {"shown_unit", shown_unit(quantity)},
                                  {"components", quantity.count},
                                  {"derived", quantity.derived}});
  json["subjects"] = Json::array();
  for (auto const& one : surveyed) json["subjects"].push_back(describe(kernel, laboratory, one));
  // One plot a transition: of the example that jumps most, our own formulas' before others'.
  json["plots"] = Json::array();
  std::vector<std::string> names;
  for (auto const& one : surveyed)
    for (auto const& transition : one.continuity.transitions)
      if (!transition.examples.empty() && std::find(names.begin(), names.end(), transition.transition) == names.end())
        names.push_back(transition.transition);
  for (auto const& name : names) {
    Surveyed const* best = nullptr;
    Jump const* largest = nullptr;
    for (auto const& one : surveyed) {
      auto const* const transition = one.continuity.find(name);
      if (transition == nullptr) continue;
      for (auto const& jump : transition->examples) {
        auto const rank = [](Surveyed const& who, Jump const& what) {
          return std::pair(who.subject->ours, what.sizes[what.quantity]);
        };
        if (best == nullptr || rank(one, jump) > rank(*best, *largest)) best = &one, largest = &jump;
      }
    }
    json["plots"].push_back(plot_json(kernel, laboratory, surveyed, *best->subject, *largest));
  }
  return json;
}

}  // namespace demeter
