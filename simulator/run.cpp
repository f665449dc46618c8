#include "simulator/run.hpp"

#include "base/json_text.hpp"
#include "reference/core/multiprecision.hpp"
#include "simulator/fast_discs.hpp"
#include "simulator/film.hpp"
#include "simulator/reference/exact_number.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
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

/// Fowler, Noll, Vo 1a, 64 bits: tells scenes apart, and a checkpoint that is whole from one that is not.
std::string hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return fmt::format("{:016x}", hash);
}

std::string hash_of(SceneFile const& file, Manner const& manner) {
  std::string all = file.text;
  for (auto const& [name, mesh] : file.meshes) all += '\0' + mesh;
  for (auto const& set : manner.sets) all += '\0' + set;
  if (!manner.start.empty()) all += '\0' + manner.start;
  return hash_of(all);
}

/// How often what is written, in steps of this run.
struct Rhythm {
  std::uint64_t csv, dump, contacts, vtk, checkpoint;

  static std::uint64_t of(Scene const& scene, OutputKind kind, std::uint64_t usual, unsigned refinement) {
    for (auto const& output : scene.output)
      if (output.kind == kind) return output.every << refinement;
    return std::max<std::uint64_t>(usual, 1);
  }
  Rhythm(Scene const& scene, Length const& length, unsigned refinement)
      : csv(of(scene, OutputKind::csv, length.about / 1000, refinement)),
        dump(of(scene, OutputKind::dump, length.about / 300, refinement)),
        contacts(of(scene, OutputKind::contacts, dump, 0)),
        vtk(of(scene, OutputKind::vtk, length.about / 50, refinement)),
        checkpoint(of(scene, OutputKind::checkpoint, length.about / 20, refinement)) {}
};

/// Expectations whose time has come.
class Expectations {
 public:
  Expectations(Scene const& scene, Simulation const& simulation) : scene_(&scene) {
    for (auto const& expect : scene.expect) observed_.push_back(*find_observable(simulation, expect.observable));
  }
  /// Whether one of them has its time at this step, the nearest to it.
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

constexpr std::string_view checkpoint_head = "demeter checkpoint 1";

std::string checkpoint_text(std::string const& scene_hash, Manner const& manner, RunFiles const& files,
                            std::vector<Found> const& found, Simulation const& simulation) {
  std::string text = fmt::format("{}\nscene {}\nimplementation {}\nrefinement {}\nsizes {}\n", checkpoint_head,
                                 scene_hash, manner.implementation, manner.refinement, fmt::join(files.sizes(), " "));
  text += fmt::format("pictures {}\n", files.pictures.size());
  for (auto const& picture : files.pictures) text += fmt::format("{} {}\n", picture.step, picture.time);
  text += fmt::format("found {}\n", found.size());
  for (auto const& each : found) text += fmt::format("{} {}\n", each.expect, each.value.digits);
  text += "state\n" + simulation.save();
  return text + "end " + hash_of(text) + "\n";
}

struct Checkpoint {
  std::vector<std::uint64_t> sizes;
  std::vector<Picture> pictures;
  std::vector<Found> found;
  std::string state;
};

/// Whether a checkpoint is all of what was written.
bool is_whole(std::string const& text) {
  auto const end = text.rfind("end ");
  return end != std::string::npos && text.substr(end) == "end " + hash_of(std::string_view(text).substr(0, end)) + "\n";
}

/// The state in a checkpoint that is whole; empty if there is none.
std::string state_in(std::string const& text) {
  auto const state = text.find("\nstate\n"), end = text.rfind("end ");
  return state == std::string::npos || end < state + 7 ? "" : text.substr(state + 7, end - state - 7);
}

/// What is wrong with a checkpoint, or nothing.
std::optional<std::string> read_checkpoint(std::string const& text, std::string const& scene_hash, Manner const& manner,
                                           Scene const& scene, Checkpoint& into) {
  auto const first = text.substr(0, text.find('\n'));
  if (first != checkpoint_head) return fmt::format("\"{}\", expected \"{}\"", first.substr(0, 60), checkpoint_head);
  if (!is_whole(text)) return "cut short or changed, expected all of what was written";
  std::istringstream lines(text);
  std::string word, value;
  std::getline(lines, word);
  auto const next = [&](std::string_view key) { return static_cast<bool>(lines >> word >> value) && word == key; };
  if (!next("scene") || value != scene_hash) return "of another scene, expected the one beside it";
  if (!next("implementation") || value != manner.implementation)
    return fmt::format("of {}, expected {}", value, manner.implementation);
  if (!next("refinement") || value != std::to_string(manner.refinement)) return "of another refinement";
  std::size_t count = 0;
  into.sizes.resize(3);
  if (!(lines >> word) || word != "sizes") return "no sizes";
  for (auto& size : into.sizes)
    if (!(lines >> size)) return "no sizes";
  if (!(lines >> word >> count) || word != "pictures" || count > text.size()) return "no pictures";
  into.pictures.resize(count);
  for (auto& picture : into.pictures)
    if (!(lines >> picture.step >> picture.time)) return "no pictures";
  if (!(lines >> word >> count) || word != "found" || count > scene.expect.size()) return "no values";
  for (std::size_t k = 0; k < count; ++k) {
    Found each{0, {}, false};
    if (!(lines >> each.expect >> each.value.digits) || each.expect >= scene.expect.size()) return "no values";
    each.value.value = std::strtod(each.value.digits.c_str(), nullptr);
    each.held = holds(scene.expect[each.expect], each.value);
    into.found.push_back(each);
  }
  into.state = state_in(text);
  if (into.state.empty()) return "no state";
  return std::nullopt;
}

ordered_json number_in_json(Text const& value) {
  // More digits than a double has stand in quotes.
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
  json["refinement"] = manner.refinement;
  json["steps"] = last.step;
  auto const common = common_observables(simulation.dynamics), of_body = body_observables(simulation.dynamics),
             all_of_body = body_observables();
  for (std::size_t k = 0; k < common.size(); ++k)
    json["at_end"][common[k]] = number_in_json(value_of(last, Observed{std::nullopt, std::nullopt, k}));
  // Of more the trajectory tells.
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

std::string manner_text(SceneFile const& file, Manner const& manner) {
  ordered_json json;
  json["scene"] = file.name;
  json["implementation"] = manner.implementation;
  json["set"] = manner.sets;
  json["refinement"] = manner.refinement;
  return json_text(json, 1) + "\n";
}

/// Which observables a run writes: those of all bodies, those that are expected, and where the bodies are if they are
/// few.
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

/// Whether a folder is new, empty, or one that a run was written to.
bool may_be_written(fs::path const& folder) {
  std::error_code error;
  if (!fs::exists(folder, error) || fs::is_empty(folder, error)) return true;
  return fs::exists(folder / "run.json", error);
}

}  // namespace

bool holds(simulator::Expect<Number> const& expect, Text const& value) {
  // In as many digits as there are: an expectation may be closer than a double tells.
  return with_digits(120, [&] {
    Multiprecision found;
    if (!simulator::read_exact_text(value.digits, found) || isnan(found)) return false;
    Multiprecision const wanted = simulator::exactly(expect.value);
    Multiprecision const off = found - wanted, size = off < 0 ? -off : off, scale = wanted < 0 ? -wanted : wanted;
    return size <= simulator::exactly(expect.tolerance) + simulator::exactly(expect.relative) * scale;
  });
}

bool read_implementation(std::string_view text, Manner& manner) {
  auto const at = text.find('@');
  if (text == "fast" || text == "fast@double") {
    manner.arithmetic = {};
    manner.fast = true;
    manner.implementation = "fast@double";
    return true;
  }
  if (text.substr(0, at) != "reference") return false;
  manner.fast = false;
  std::string_view const arithmetic = at == std::string_view::npos ? "double" : text.substr(at + 1);
  using Kind = simulator::reference::InArithmetic::Kind;
  if (arithmetic == "double") {
    manner.arithmetic = {Kind::binary64, 0};
  } else if (arithmetic == "long-double") {
    manner.arithmetic = {Kind::long_double, 0};
  } else if (arithmetic.starts_with("mpfr:")) {
    unsigned digits = 0;
    auto const number = arithmetic.substr(5);
    auto const [end, error] = std::from_chars(number.data(), number.data() + number.size(), digits);
    if (error != std::errc{} || end != number.data() + number.size() || digits < 2 || digits > 100000) return false;
    manner.arithmetic = {Kind::multiprecision, digits};
  } else {
    return false;
  }
  manner.implementation = fmt::format("reference@{}", arithmetic);
  return true;
}

Length length_of(Scene const& scene, double dt, unsigned refinement) {
  Length length;
  if (scene.scene.steps > 0) {
    length.steps = scene.scene.steps << refinement;
    length.about = *length.steps;
    return length;
  }
  length.duration = scene.scene.duration->value;
  // A duration that is a whole number of steps but for rounding has that number of them.
  length.about =
      static_cast<std::uint64_t>(std::max(1.0, std::min(1e18, std::ceil(length.duration / dt * (1 - 1e-12)))));
  if (scene.scene.dt.rule != StepRule::woo) length.steps = length.about;
  return length;
}

bool at_end(Length const& length, Simulation const& simulation) {
  return length.steps ? simulation.step() >= *length.steps : simulation.time() >= length.duration;
}

std::optional<Failure> read_folder(fs::path const& folder, SceneFile& file, Manner& manner) {
  auto const text = read_whole(folder / "run.json");
  auto const scene = read_whole(folder / "scene.toml");
  if (!text || !scene)
    return Failure{fmt::format("{}: expected a folder that demeter simulate wrote, with run.json and scene.toml",
                               folder.string())};
  auto const json = ordered_json::parse(*text, nullptr, false);
  bool const good =
      json.is_object() && json.contains("implementation") && json["implementation"].is_string() &&
      json.contains("refinement") && json["refinement"].is_number_unsigned() && json.contains("set") &&
      json["set"].is_array() && json.contains("scene") && json["scene"].is_string() &&
      std::all_of(json["set"].begin(), json["set"].end(), [](auto const& set) { return set.is_string(); });
  if (!good || !read_implementation(json["implementation"].get<std::string>(), manner))
    return Failure{fmt::format("{}: expected what demeter simulate wrote", (folder / "run.json").string())};
  manner.refinement = std::min(json["refinement"].get<unsigned>(), 40U);
  manner.sets.clear();
  for (auto const& set : json["set"]) manner.sets.push_back(set.get<std::string>());
  manner.start = read_whole(folder / "start").value_or("");
  file.name = json["scene"].get<std::string>();
  file.text = *scene;
  file.folder = folder;
  file.kept = true;
  return std::nullopt;
}

std::optional<Failure> make_simulation(SceneFile const& file, Manner const& manner, unsigned refinement,
                                       std::optional<Simulation>& simulation) {
  simulator::reference::Unfit unfit;
  if (manner.fast && file.scene.model.dynamics == simulator::Dynamics::smooth)
    return Failure{file.message("model.dynamics", "expected nonsmooth with the implementation fast")};
  simulation = manner.fast ? simulate_fast(file.scene, refinement, unfit)
                           : simulator::reference::simulate(file.scene, manner.arithmetic, refinement, unfit);
  if (!simulation) return Failure{file.message(unfit.key, "expected " + unfit.expected)};
  if (!manner.start.empty() && !simulation->load(manner.start))
    return Failure{file.message("", "cannot begin with that state, expected one of a run with the same bodies")};
  return std::nullopt;
}

std::optional<Failure> read_start(fs::path const& folder, Manner& manner) {
  auto const path = folder / "checkpoint";
  auto const text = read_whole(path);
  if (!text) return Failure{fmt::format("{}: expected the checkpoint of a run", path.string()), false};
  if (!is_whole(*text))
    return Failure{fmt::format("{}: cut short or changed, expected all of what was written", path.string())};
  manner.start = state_in(*text);
  return std::nullopt;
}

std::optional<Failure> unknown_observable(SceneFile const& file, Simulation const& simulation) {
  auto const& expect = file.scene.expect;
  for (std::size_t k = 0; k < expect.size(); ++k)
    if (!find_observable(simulation, expect[k].observable))
      return Failure{file.message(
          fmt::format("expect[{}].observable", k),
          fmt::format(
              "unknown observable \"{}\", expected one such as kinetic or {}.velocity[2] (docs/simulate.md has all)",
              expect[k].observable, simulation.bodies.front().name))};
  return std::nullopt;
}

namespace {

/// Empties the folder for a new run, and writes what is run.
std::optional<Failure> begin_folder(SceneFile const& file, Manner const& manner, fs::path const& folder) {
  if (!may_be_written(folder))
    return Failure{fmt::format("{}: holds other files, expected a new folder or one of a run", folder.string()), false};
  if (auto wrong = make_folder(folder)) return Failure{*wrong, false};
  if (auto wrong = cannot_write_into(folder)) return Failure{*wrong, false};
  std::error_code error;
  for (std::string_view const old : {"checkpoint", "start", "results.json", "film.html"})
    fs::remove(folder / old, error);
  fs::remove_all(folder / "vtk", error);
  auto wrong = write_whole(folder / "scene.toml", file.text, Links::replaced);
  for (auto const& [name, mesh] : file.meshes)
    if (!wrong) wrong = write_whole(folder / fs::path(name).filename(), mesh, Links::replaced);
  if (!wrong) wrong = write_whole(folder / "run.json", manner_text(file, manner), Links::replaced);
  if (!wrong && !manner.start.empty()) wrong = write_whole(folder / "start", manner.start, Links::replaced);
  if (wrong) return Failure{*wrong, false, true};
  return std::nullopt;
}

/// Takes the simulation to its last checkpoint. Without one it stays at its start.
std::optional<Failure> go_on_from(fs::path const& folder, std::string const& scene_hash, Manner const& manner,
                                  Scene const& scene, Simulation const& simulation, Checkpoint& from) {
  auto const text = read_whole(folder / "checkpoint");
  if (!text) return std::nullopt;
  auto wrong = read_checkpoint(*text, scene_hash, manner, scene, from);
  if (!wrong && !simulation.load(from.state)) wrong = "expected a state of this scene";
  if (wrong) return Failure{fmt::format("{}: {}", (folder / "checkpoint").string(), *wrong)};
  return std::nullopt;
}

/// Writes the files of a run while it is run.
class Record {
 public:
  Record(SceneFile const& file, Manner const& manner, fs::path const& folder, Simulation const& simulation,
         Length const& length, std::string scene_hash, Outcome& outcome)
      : file_(file),
        manner_(manner),
        folder_(folder),
        simulation_(simulation),
        rhythm_(file.scene, length, manner.refinement),
        expectations_(file.scene, simulation),
        scene_hash_(std::move(scene_hash)),
        outcome_(outcome) {}

  std::optional<Failure> open(Checkpoint const& from) {
    if (auto const wrong = files_.open(folder_, simulation_, columns_of(file_.scene, simulation_), from.sizes)) {
      bool const is_cut = wrong->ends_with(shorter_than_said);
      return Failure{*wrong, is_cut, !is_cut};
    }
    files_.pictures = from.pictures;
    outcome_.found = from.found;
    if (from.sizes.empty()) write_what_is_due(false);
    writing_ = {};
    return std::nullopt;
  }

  void write_what_is_due(bool last) {
    std::uint64_t const step = simulation_.step();
    bool const csv = step % rhythm_.csv == 0, dump = step % rhythm_.dump == 0, contacts = step % rhythm_.contacts == 0,
               vtk = step % rhythm_.vtk == 0, expect = expectations_.due(simulation_);
    if (!(csv || dump || contacts || vtk || expect || last)) return;
    auto const begin = std::chrono::steady_clock::now();
    Shown const shown = simulation_.snapshot();
    if (csv || last) files_.write_observables(shown);
    if (dump || last) files_.write_trajectory(simulation_, shown);
    if (contacts || last) files_.write_contacts(simulation_, shown);
    if (vtk || last) files_.write_picture(simulation_, shown);
    expectations_.look(simulation_, shown, last, outcome_.found);
    if (last) outcome_.last = shown;
    writing_ += std::chrono::steady_clock::now() - begin;
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

  /// Keeps the files of a simulation that broke, to be looked at: from the last checkpoint the trouble comes again.
  std::optional<Failure> keep_trouble(std::string const& trouble) {
    auto wrong = files_.settle();
    if (!wrong) wrong = write_film(file_, simulation_, folder_);
    if (wrong) return failed(wrong);
    return Failure{fmt::format("{}: {}", file_.name, trouble)};
  }

  std::optional<Failure> finish(std::string const& version) {
    // A run that had ended before has no last step to show yet.
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

  /// Time taken by writing, which is not a step's.
  std::chrono::steady_clock::duration writing() const { return writing_; }

 private:
  static std::optional<Failure> failed(std::optional<std::string> const& wrong) {
    return wrong ? std::optional<Failure>(Failure{*wrong, false, true}) : std::nullopt;
  }

  SceneFile const& file_;
  Manner const& manner_;
  fs::path const& folder_;
  Simulation const& simulation_;
  Rhythm const rhythm_;
  Expectations const expectations_;
  std::string const scene_hash_;
  Outcome& outcome_;
  RunFiles files_;
  std::chrono::steady_clock::duration writing_{};
};

}  // namespace

std::optional<Failure> run(SceneFile const& file, Manner const& manner, fs::path const& folder, bool go_on,
                           std::string const& version, Progress const& progress, std::atomic<bool> const& stop,
                           Outcome& outcome) {
  Scene const& scene = file.scene;
  std::optional<Simulation> made;
  if (auto failure = make_simulation(file, manner, manner.refinement, made)) return failure;
  Simulation const& simulation = *made;
  if (auto failure = unknown_observable(file, simulation)) return failure;
  outcome.warnings = simulation.warnings;
  Length const length = length_of(scene, simulation.dt(), manner.refinement);
  std::string const scene_hash = hash_of(file, manner);

  Checkpoint from;
  if (auto failure =
          go_on ? go_on_from(folder, scene_hash, manner, scene, simulation, from) : begin_folder(file, manner, folder))
    return failure;
  FolderLock const lock(folder, std::chrono::seconds(0));
  if (lock.error()) return Failure{*lock.error(), false};
  Record record(file, manner, folder, simulation, length, scene_hash, outcome);
  if (auto failure = record.open(from)) return failure;

  std::uint64_t const first = simulation.step();
  std::optional<std::string> unstable;
  auto const begin = std::chrono::steady_clock::now();
  while (!at_end(length, simulation)) {
    if (stop.load(std::memory_order_relaxed)) {
      outcome.step = simulation.step();
      return record.keep();
    }
    simulation.advance();
    if (auto const trouble = simulation.trouble()) return record.keep_trouble(*trouble);
    std::uint64_t const step = simulation.step();
    bool const last = at_end(length, simulation);
    record.write_what_is_due(last);
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
  return record.finish(version);
}

}  // namespace demeter::simulations
