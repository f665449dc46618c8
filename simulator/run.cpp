#include "simulator/run.hpp"

#include "base/json_text.hpp"
#include "reference/core/multiprecision.hpp"
#include "simulator/fast_discs.hpp"
#include "simulator/film.hpp"
#include "simulator/folder.hpp"
#include "simulator/reference/exact_number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <sstream>

namespace demeter::simulations {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using simulator::OutputKind;
using simulator::Simulation;
using simulator::StepRule;
using simulator::Text;

std::string hash_of(SceneFile const& file, Manner const& manner) {
  constexpr std::string_view end("\0", 1);
  Hash hash;
  hash.add(file.text);
  for (auto const& [body, mesh] : file.meshes) hash.add(end).add(mesh);
  for (auto const& set : manner.sets) hash.add(end).add(set);
  if (!manner.start.empty()) hash.add(end).add(manner.start);
  return hash.text();
}

/// Intervals of the outputs, in steps of this run.
struct Rhythm {
  std::uint64_t csv, dump, contacts, vtk, checkpoint;

  static std::uint64_t of(Scene const& scene, OutputKind kind, std::uint64_t usual) {
    for (auto const& output : scene.output)
      if (output.kind == kind) return output.every;
    return std::max<std::uint64_t>(usual, 1);
  }
  Rhythm(Scene const& scene, Length const& length)
      : csv(of(scene, OutputKind::csv, length.about / 1000)),
        dump(of(scene, OutputKind::dump, length.about / 300)),
        contacts(of(scene, OutputKind::contacts, dump)),
        vtk(of(scene, OutputKind::vtk, length.about / 50)),
        checkpoint(of(scene, OutputKind::checkpoint, length.about / 20)) {}
};

/// Compares observables with the expectations of the scene. Uses the step nearest to the time of an expectation, or the
/// last step.
class Expectations {
 public:
  Expectations(Scene const& scene, Simulation const& simulation) : scene_(&scene) {
    for (auto const& expect : scene.expect) observed_.push_back(*find_observable(simulation, expect.observable));
  }
  /// Returns whether this step is the nearest one to the time of an expectation.
  bool due(Simulation const& simulation) const {
    for (std::size_t k = 0; k < scene_->expect.size(); ++k)
      if (is_due(k, simulation)) return true;
    return false;
  }
  void look(Simulation const& simulation, Shown const& shown, bool last, std::vector<Found>& found) const {
    for (std::size_t k = 0; k < scene_->expect.size(); ++k) {
      auto const& expect = scene_->expect[k];
      bool const already = std::any_of(found.begin(), found.end(), [&](auto const& each) { return each.expect == k; });
      if (already || !(last || is_due(k, simulation))) continue;
      Text const& value = value_of(shown, observed_[k]);
      found.push_back({k, value, holds(expect, value)});
    }
  }

 private:
  bool is_due(std::size_t k, Simulation const& simulation) const {
    auto const& at = scene_->expect[k].at;
    if (!at) return false;
    double const half = simulation.dt() / 2, time = simulation.time();
    return time > at->value - half && time <= at->value + half;
  }

  Scene const* scene_;
  std::vector<Observed> observed_;
};

constexpr std::string_view checkpoint_head = "demeter checkpoint 2";

std::string checkpoint_text(std::string const& scene_hash, Manner const& manner, RunFiles const& files,
                            std::vector<Found> const& found, Simulation const& simulation) {
  std::string text =
      fmt::format("{}\nscene {}\nimplementation {}\nfiles", checkpoint_head, scene_hash, manner.implementation);
  for (auto const& each : files.marks()) text += fmt::format(" {} {}", each.size, each.hash);
  text += fmt::format("\npictures {}\n", files.pictures.size());
  for (auto const& picture : files.pictures)
    text += fmt::format("{} {} {}\n", picture.step, picture.time, picture.hash);
  text += fmt::format("found {}\n", found.size());
  for (auto const& each : found) text += fmt::format("{} {}\n", each.expect, each.value.digits);
  text += "state\n" + simulation.save();
  return text + "end " + Hash().add(text).text() + "\n";
}

struct Checkpoint {
  std::vector<FileMark> marks;
  std::vector<Picture> pictures;
  std::vector<Found> found;
  std::string state;
};

/// Returns what is wrong with a checkpoint, or nothing.
std::optional<std::string> read_checkpoint(std::string const& text, std::string const& scene_hash, Manner const& manner,
                                           Scene const& scene, Checkpoint& into) {
  auto const first = text.substr(0, text.find('\n'));
  if (first != checkpoint_head) return fmt::format("got \"{}\", expected \"{}\"", first.substr(0, 60), checkpoint_head);
  if (!is_whole_checkpoint(text)) return "truncated or changed, expected the complete file";
  std::istringstream lines(text);
  std::string word, value;
  std::getline(lines, word);
  auto const next = [&](std::string_view key) { return static_cast<bool>(lines >> word >> value) && word == key; };
  if (!next("scene") || value != scene_hash) return "written for another scene, expected the scene in the same folder";
  if (!next("implementation") || value != manner.implementation)
    return fmt::format("implementation: got {}, expected {}", value, manner.implementation);
  std::size_t count = 0;
  into.marks.resize(RunFiles::growing);
  if (!(lines >> word) || word != "files") return "no files";
  for (auto& each : into.marks)
    if (!(lines >> each.size >> each.hash)) return "no files";
  if (!(lines >> word >> count) || word != "pictures" || count > text.size()) return "no pictures";
  into.pictures.resize(count);
  for (auto& picture : into.pictures)
    if (!(lines >> picture.step >> picture.time >> picture.hash)) return "no pictures";
  if (!(lines >> word >> count) || word != "found" || count > scene.expect.size()) return "no values";
  for (std::size_t k = 0; k < count; ++k) {
    Found each{0, {}, false};
    if (!(lines >> each.expect >> each.value.digits) || each.expect >= scene.expect.size()) return "no values";
    each.value.value = std::strtod(each.value.digits.c_str(), nullptr);
    each.held = holds(scene.expect[each.expect], each.value);
    into.found.push_back(each);
  }
  auto state = state_in_checkpoint(text);
  if (!state) return "no state";
  into.state = std::move(*state);
  return std::nullopt;
}

ordered_json number_in_json(Text const& value) {
  // A number with more digits than a double is written as a string.
  std::string const& digits = value.digits;
  if (digits.size() > 24 || !std::isfinite(value.value)) return digits;
  return value.value;
}

constexpr std::size_t most_bodies_in_results = 10'000;

std::string results_text(SceneFile const& file, Manner const& manner, std::string const& version,
                         Simulation const& simulation, Shown const& last, std::vector<Found> const& found,
                         std::string const& scene_hash) {
  ordered_json json;
  json["demeter"] = version;
  json["scene"] = file.name;
  json["title"] = file.scene.scene.title;
  json["scene_hash"] = scene_hash;
  json["set"] = manner.sets;
  json["implementation"] = manner.implementation;
  json["steps"] = last.step;
  auto const common = common_observables(simulation.dynamics), of_body = body_observables(simulation.dynamics),
             all_of_body = body_observables();
  for (std::size_t k = 0; k < common.size(); ++k)
    json["at_end"][common[k]] = number_in_json(value_of(last, Observed{std::nullopt, std::nullopt, k}));
  // With more bodies, only trajectory.dump contains the values of the bodies.
  for (std::size_t b = 0; b < simulation.bodies.size() && simulation.bodies.size() <= most_bodies_in_results; ++b)
    for (auto const& name : of_body) {
      auto const index = std::find(all_of_body.begin(), all_of_body.end(), name) - all_of_body.begin();
      json["bodies"][simulation.bodies[b].name][name] =
          number_in_json(value_of(last, Observed{b, std::nullopt, static_cast<std::size_t>(index)}));
    }
  json["expect"] = ordered_json::array();
  for (auto const& each : found) {
    auto const& expect = file.scene.expect[each.expect];
    ordered_json one;
    one["observable"] = expect.observable;
    if (expect.at) one["at"] = expect.at->value;
    one["expected"] = expect.value.value;
    one["tolerance"] = expect.tolerance.value;
    one["relative"] = expect.relative.value;
    one["found"] = number_in_json(each.value);
    one["held"] = each.held;
    one["reason"] = expect.reason;
    json["expect"].push_back(one);
  }
  return json_text(json, 1) + "\n";
}

/// Returns the columns of observables.csv: the observables of all bodies together, those of each free body if there are
/// at most 8 free bodies, and the expected observables.
std::vector<std::string> columns_of(Scene const& scene, Simulation const& simulation) {
  std::vector<std::string> columns = common_observables(simulation.dynamics);
  std::size_t free = 0;
  for (auto const& body : simulation.bodies) free += body.fixed ? 0 : 1;
  if (free <= 8)
    for (auto const& body : simulation.bodies)
      if (!body.fixed)
        for (auto const& name : body_observables(simulation.dynamics)) columns.push_back(body.name + "." + name);
  for (auto const& expect : scene.expect)
    if (std::find(columns.begin(), columns.end(), expect.observable) == columns.end())
      columns.push_back(expect.observable);
  return columns;
}

}  // namespace

bool holds(simulator::Expect<Number> const& expect, Text const& value) {
  // Compares all digits: the difference may be smaller than the precision of a double.
  return with_digits(120, [&] {
    Multiprecision found;
    if (!simulator::read_exact_text(value.digits, found) || isnan(found)) return false;
    Multiprecision const wanted = simulator::exactly(expect.value);
    Multiprecision const off = found - wanted, size = off < 0 ? -off : off, scale = wanted < 0 ? -wanted : wanted;
    return size <= simulator::exactly(expect.tolerance) + simulator::exactly(expect.relative) * scale;
  });
}

constexpr std::uint64_t most_steps = 1'000'000'000'000'000'000;

Length length_of(Scene const& scene, double dt, unsigned refinement) {
  Length length;
  if (scene.scene.steps > 0) {
    length.steps = scene.scene.steps > most_steps >> refinement ? most_steps : scene.scene.steps << refinement;
    length.about = *length.steps;
    return length;
  }
  length.duration = scene.scene.duration->value;
  // If the duration is a whole number of steps except for rounding, the run has this number of steps.
  length.about = static_cast<std::uint64_t>(
      std::max(1.0, std::min(static_cast<double>(most_steps), std::ceil(length.duration / dt * (1 - 1e-12)))));
  if (scene.scene.dt.rule != StepRule::woo) length.steps = length.about;
  return length;
}

bool at_end(Length const& length, Simulation const& simulation) {
  return length.steps ? simulation.step() >= *length.steps : simulation.time() >= length.duration;
}

std::optional<Failure> make_simulation(SceneFile const& file, Manner const& manner, unsigned refinement,
                                       std::optional<Simulation>& simulation) {
  simulator::reference::Unfit unfit;
  if (manner.fast && file.scene.model.dynamics == simulator::Dynamics::smooth)
    return Failure{file.message("model.dynamics", "got smooth, expected nonsmooth (implementation fast)")};
  simulation = manner.fast ? simulate_fast(file.scene, refinement, unfit)
                           : simulator::reference::simulate(file.scene, manner.arithmetic, refinement, unfit);
  if (!simulation) return Failure{file.message(unfit.key, "expected " + unfit.expected)};
  if (!manner.start.empty() && !simulation->load(manner.start))
    return Failure{file.message("", "--from: expected the state of a run with the same bodies")};
  return std::nullopt;
}

std::optional<Failure> trouble_of(SceneFile const& file, Simulation const& simulation, Shown const* shown) {
  auto trouble = simulation.trouble();
  if (!trouble && shown != nullptr) trouble = not_finite(simulation, *shown);
  if (!trouble) return std::nullopt;
  return Failure{fmt::format("{}: {}", file.name, trouble->text), trouble->is_not_finite ? Cause::result : Cause::data};
}

std::optional<Failure> unknown_observable(SceneFile const& file, Simulation const& simulation) {
  auto const& expect = file.scene.expect;
  for (std::size_t k = 0; k < expect.size(); ++k)
    if (!find_observable(simulation, expect[k].observable))
      return Failure{file.message(
          fmt::format("expect[{}].observable", k),
          fmt::format(
              "unknown observable \"{}\", expected for example kinetic or {}.velocity[2] (see demeter simulate --keys)",
              expect[k].observable, simulation.bodies.front().name))};
  return std::nullopt;
}

namespace {

/// Loads the last checkpoint into the simulation. Without a checkpoint, the simulation stays at its start.
std::optional<Failure> go_on_from(RunFolder const& folder, std::string const& scene_hash, Manner const& manner,
                                  Scene const& scene, Simulation const& simulation, Checkpoint& from) {
  auto const path = folder.path() / "checkpoint";
  auto const text = read_whole(path);
  std::error_code error;
  if (!text && !folder.is_complete() && !fs::exists(path, error)) return std::nullopt;
  auto wrong = text ? read_checkpoint(*text, scene_hash, manner, scene, from) : "cannot be read, expected a checkpoint";
  if (!wrong && !simulation.load(from.state)) wrong = "expected a state of this scene";
  if (wrong) return Failure{fmt::format("{}: {}", path.string(), *wrong)};
  return std::nullopt;
}

/// Writes the files of a run while the simulation runs.
class Record {
 public:
  Record(SceneFile const& file, Manner const& manner, fs::path folder, Simulation const& simulation,
         Length const& length, std::string scene_hash, Outcome& outcome)
      : file_(file),
        manner_(manner),
        folder_(std::move(folder)),
        simulation_(simulation),
        rhythm_(file.scene, length),
        expectations_(file.scene, simulation),
        scene_hash_(std::move(scene_hash)),
        outcome_(outcome) {}

  std::optional<Failure> open(Checkpoint const& from) {
    if (auto const fault =
            files_.open(folder_, simulation_, columns_of(file_.scene, simulation_), from.marks, from.pictures))
      return Failure{fault->message, fault->is_data ? Cause::data : Cause::harness};
    outcome_.found = from.found;
    auto trouble = from.marks.empty() ? write_what_is_due(false) : trouble_of(file_, simulation_);
    writing_ = {};
    return trouble;
  }

  /// Writes the outputs that are due at this step. If a number is not finite, writes nothing and returns the trouble.
  std::optional<Failure> write_what_is_due(bool last) {
    std::uint64_t const step = simulation_.step();
    bool const csv = step % rhythm_.csv == 0, dump = step % rhythm_.dump == 0, contacts = step % rhythm_.contacts == 0,
               vtk = step % rhythm_.vtk == 0, expect = expectations_.due(simulation_);
    if (!(csv || dump || contacts || vtk || expect || last)) return trouble_of(file_, simulation_);
    auto const begin = std::chrono::steady_clock::now();
    Shown const shown = simulation_.snapshot();
    if (auto trouble = trouble_of(file_, simulation_, &shown)) return trouble;
    if (csv || last) files_.write_observables(shown);
    if (dump || last) files_.write_trajectory(simulation_, shown);
    if (contacts || last) files_.write_contacts(simulation_, shown);
    if (vtk || last) files_.write_picture(simulation_, shown);
    expectations_.look(simulation_, shown, last, outcome_.found);
    if (last) outcome_.last = shown;
    writing_ += std::chrono::steady_clock::now() - begin;
    return std::nullopt;
  }

  bool checkpoint_is_due() const { return simulation_.step() % rhythm_.checkpoint == 0; }

  std::optional<Failure> keep() {
    auto const begin = std::chrono::steady_clock::now();
    auto wrong = files_.settle();
    if (!wrong)
      wrong = write_whole(folder_ / "checkpoint",
                          checkpoint_text(scene_hash_, manner_, files_, outcome_.found, simulation_), Links::replaced);
    writing_ += std::chrono::steady_clock::now() - begin;
    return failed(wrong);
  }

  /// Keeps the partial results of a simulation that cannot continue. Does not write a checkpoint, so a continued run
  /// has the same trouble again.
  Failure keep_trouble(Failure trouble) {
    auto wrong = files_.settle();
    if (!wrong && !files_.pictures.empty()) wrong = write_film(file_, simulation_, folder_);
    if (wrong) return {*wrong, Cause::harness};
    trouble.message += fmt::format("; partial results are in {}", folder_.string());
    return trouble;
  }

  std::optional<Failure> finish(std::string const& version) {
    // If the run was already complete, it did no step. Its last state is then computed here.
    if (!outcome_.last) {
      Shown const shown = simulation_.snapshot();
      expectations_.look(simulation_, shown, true, outcome_.found);
      outcome_.last = shown;
      if (auto failure = keep()) return failure;
    }
    outcome_.finished = true;
    outcome_.step = simulation_.step();
    auto wrong =
        write_whole(folder_ / "results.json",
                    results_text(file_, manner_, version, simulation_, *outcome_.last, outcome_.found, scene_hash_),
                    Links::replaced);
    if (!wrong) wrong = write_film(file_, simulation_, folder_);
    return failed(wrong);
  }

  /// Returns the time spent on writing. The time of the steps does not contain it.
  std::chrono::steady_clock::duration writing() const { return writing_; }

 private:
  static std::optional<Failure> failed(std::optional<std::string> const& wrong) {
    return wrong ? std::optional<Failure>(Failure{*wrong, Cause::harness}) : std::nullopt;
  }

  SceneFile const& file_;
  Manner const& manner_;
  fs::path const folder_;
  Simulation const& simulation_;
  Rhythm const rhythm_;
  Expectations const expectations_;
  std::string const scene_hash_;
  Outcome& outcome_;
  RunFiles files_;
  std::chrono::steady_clock::duration writing_{};
};

}  // namespace

std::optional<Failure> run(SceneFile const& file, Manner const& manner, fs::path const& out, bool go_on,
                           std::string const& version, Progress const& progress, std::atomic<bool> const& stop,
                           Outcome& outcome) {
  Scene const& scene = file.scene;
  std::optional<Simulation> made;
  if (auto failure = make_simulation(file, manner, 0, made)) return failure;
  Simulation const& simulation = *made;
  if (auto failure = unknown_observable(file, simulation)) return failure;
  outcome.warnings = simulation.warnings;
  Length const length = length_of(scene, simulation.dt(), 0);
  std::string const scene_hash = hash_of(file, manner);

  RunFolder folder(out, file, manner);
  if (auto failure = folder.begin(go_on, outcome.warnings)) return failure;
  Checkpoint from;
  if (folder.resumes())
    if (auto failure = go_on_from(folder, scene_hash, manner, scene, simulation, from)) return failure;
  if (folder.is_complete() && !at_end(length, simulation))
    return Failure{fmt::format("{}: got step {}, expected the last step of a complete run",
                               (folder.path() / "checkpoint").string(), simulation.step())};
  if (manner.version != version)
    outcome.warnings.push_back(fmt::format("Demeter {} started this run, this is Demeter {}", manner.version, version));
  Record record(file, manner, folder.path(), simulation, length, scene_hash, outcome);
  if (auto trouble = record.open(from))
    return trouble->cause == Cause::result ? record.keep_trouble(*trouble) : *trouble;

  std::uint64_t const first = simulation.step();
  std::optional<std::string> unstable;
  auto const begin = std::chrono::steady_clock::now();
  while (!at_end(length, simulation)) {
    if (stop.load(std::memory_order_relaxed)) {
      outcome.step = simulation.step();
      return record.keep();
    }
    simulation.advance();
    std::uint64_t const step = simulation.step();
    bool const last = at_end(length, simulation);
    if (auto const trouble = record.write_what_is_due(last)) return record.keep_trouble(*trouble);
    if (record.checkpoint_is_due() || last) {
      if (!unstable && simulation.dt() > simulation.critical_step())
        unstable = fmt::format("the step of {} s is above the stability bound of {} s at t = {} s", simulation.dt(),
                               simulation.critical_step(), simulation.time());
      if (auto failure = record.keep()) return failure;
    }
    if ((step & 63) == 0 || simulation.bodies.size() > 50)
      progress(length.steps ? static_cast<double>(step) / static_cast<double>(*length.steps)
                            : simulation.time() / length.duration,
               fmt::format("step {}, t = {:.6g} s", step, simulation.time()));
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin - record.writing()).count();
  outcome.steps_done = simulation.step() - first;
  if (unstable) outcome.warnings.push_back(*unstable);
  if (auto failure = record.finish(version)) return failure;
  return folder.place();
}

}  // namespace demeter::simulations
