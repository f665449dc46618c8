#include "properties/core/continuity.hpp"

#include "properties/core/shrink.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>

namespace demeter {

double change(Quantity const& quantity, std::span<double const> before, std::span<double const> after) {
  double square = 0;
  for (std::size_t i = quantity.first; i < quantity.first + quantity.count; ++i)
    square += (before[i] - after[i]) * (before[i] - after[i]);
  if (!(square > 0)) return 0;  // NaN: it does not count on both sides
  double const distance = std::sqrt(square);
  return quantity.direction ? 2 * std::asin(std::min(1.0, distance / 2)) : distance;
}

std::optional<std::size_t> formula_of(Kernel const& kernel, Subject const& subject) {
  if (!subject.ours || subject.binary32) return std::nullopt;
  for (std::size_t i = 0; i < kernel.formulas.size(); ++i)
    if (subject.name == kernel.formulas[i].name + "@double") return i;
  return std::nullopt;
}

TransitionJumps const* Continuity::find(std::string_view transition) const {
  for (auto const& each : transitions)
    if (each.transition == transition) return &each;
  return nullptr;
}

namespace {

constexpr std::size_t most_numbers = 24, most_quantities = 8;
using Numbers = std::array<double, most_numbers>;
using Changes = std::array<double, most_quantities>;

constexpr int grid = 32;  ///< intervals of a path before it is refined
/// Widths at which a bisection is looked at: where slopes are read off, where a jump must already be what it is in the
/// end, and adjacent parameters (of [1/2, 1]; nearer to 0 there are more, to no purpose).
constexpr double slope_width = 0x1p-20, wide_width = 0x1p-42, least_width = 0x1p-53;
/// The least motion over `slope_width` of a path from which a slope is taken, in natural units.
constexpr double least_motion = 1e-9;
/// A change of state is located to within this; then the largest change beside it is followed, because a formula
/// decides with another rounding than the laboratory.
constexpr double state_width = 0x1p-44;

/// The subject on places of paths.
class Probe {
 public:
  Probe(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject)
      : lab(laboratory),
        kernel_(kernel),
        ours_(subject.ours),
        binary32_(subject.binary32),
        interview_(subject, kernel) {
    if (lab.numbers > most_numbers || lab.quantities.size() > most_quantities)
      throw std::invalid_argument("too many quantities in the laboratory of " + lab.kernel);
    first_ = lab.quantities[lab.of_contacts() ? lab.overlap : 0].first;
  }

  /// Inputs, answers, observations and states at the places, until the next call.
  void look(Table const& paths, std::vector<Place> const& places) {
    inputs.clear(kernel_.input);
    lab.at(paths, places, inputs);
    interview_(inputs, replies);
    observations.resize(inputs.rows * lab.numbers);
    lab.observe(inputs, replies, observations);
    states.resize(inputs.rows);
    lab.states(inputs, states);
    answers += inputs.rows;
    // What is no answer counts for nothing; "no contact" does.
    for (std::size_t row = 0; row < inputs.rows; ++row)
      if (replies.status[row] != Status::answered && std::isnan(observations[row * lab.numbers + first_])) ++unanswered;
  }
  Numbers numbers(std::size_t row) const {
    Numbers result{};
    std::copy_n(observations.begin() + static_cast<std::ptrdiff_t>(row * lab.numbers), lab.numbers, result.begin());
    return result;
  }
  Changes changes(Numbers const& a, Numbers const& b) const {
    Changes result{};
    for (std::size_t k = 0; k < lab.quantities.size(); ++k) result[k] = change(lab.quantities[k], a, b);
    return result;
  }
  Kernel const& kernel() const { return kernel_; }
  Schema const& input_schema() const { return kernel_.input; }
  /// How many parts an interval is cut into: every question to a subject in a process of its own costs switches.
  std::size_t sections() const { return ours_ ? 2 : 4; }
  std::size_t block() const { return ours_ ? 192 : 2048; }
  /// u of the subject over that of binary64.
  double coarseness() const { return binary32_ ? 0x1p29 : 1; }
  /// Changes below this, in natural units, are left to the accuracy budgets.
  double floor() const { return binary32_ ? 1e-4 : 1e-10; }

  Laboratory const& lab;
  Table inputs;
  Answers replies;
  std::vector<double> observations;
  std::vector<std::uint32_t> states;
  std::uint64_t answers = 0, unanswered = 0;

 private:
  Kernel const& kernel_;
  bool ours_, binary32_;
  Interview interview_;
  std::size_t first_ = 0;  ///< of the quantity that every answer has
};

/// An interval that is being bisected.
struct Task {
  std::size_t path = 0;
  double low = 0, high = 1;
  Numbers at_low{}, at_high{};
  std::uint32_t state_low = 0, state_high = 0;
  std::size_t follow = 0;  ///< the quantity whose larger change decides
  bool by_state = false;   ///< the change of state decides, until its place is known
  bool fresh = false;      ///< the ends have been moved and must be observed anew
  bool done = false;
  bool has_slope = false, has_wide = false;
  double slope_low = 0, slope_high = 0;
  Changes slope{}, wide{};
};

/// What a bisection ended with.
struct Finding {
  std::size_t path = 0;
  double before = 0, after = 0;
  std::size_t follow = 0;
  std::string transition;
  Changes sizes{};
  std::array<bool, most_quantities> persists{};
  Numbers at_before{}, at_after{};
};

/// What a scan adds up beside its findings.
struct Tally {
  std::uint64_t bisections = 0;
  std::vector<double> residual, change;
  std::vector<Steepest> steepest;
  std::vector<Hoelder> steep;
};

/// Which intervals are suspicious.
struct Suspicion {
  std::optional<std::size_t> quantity;  ///< of this one only
};

std::vector<Task> suspects_of(Probe const& probe, std::size_t path, std::vector<double> const& parameters,
                              std::vector<Numbers> const& numbers, std::vector<std::uint32_t> const& states,
                              Suspicion const& suspicion) {
  std::size_t const intervals = parameters.size() - 1;
  std::vector<Task> tasks;
  auto const make = [&](std::size_t i, std::size_t follow, bool by_state) {
    Task task;
    task.path = path;
    task.low = parameters[i], task.high = parameters[i + 1];
    task.at_low = numbers[i], task.at_high = numbers[i + 1];
    task.state_low = states[i], task.state_high = states[i + 1];
    task.follow = follow;
    task.by_state = by_state;
    tasks.push_back(task);
  };
  for (std::size_t i = 0; i < intervals; ++i)
    if (states[i] != states[i + 1]) make(i, suspicion.quantity.value_or(0), true);

  std::vector<double> slope(intervals);
  std::vector<bool> chosen(intervals, false);
  for (std::size_t k = 0; k < probe.lab.quantities.size(); ++k) {
    if (suspicion.quantity ? *suspicion.quantity != k : probe.lab.quantities[k].derived) continue;
    double sum = 0;
    for (std::size_t i = 0; i < intervals; ++i) {
      slope[i] = change(probe.lab.quantities[k], numbers[i], numbers[i + 1]) / (parameters[i + 1] - parameters[i]);
      sum += slope[i];
    }
    if (!(sum > 0)) continue;
    double const usual = 0.02 * sum / static_cast<double>(intervals) + 1e-300;
    std::size_t largest = 0, roughest = 0;
    double most = -1, rough = -1;
    for (std::size_t i = 0; i < intervals; ++i) {
      double const size = slope[i] * (parameters[i + 1] - parameters[i]);
      double const before = i > 0 ? slope[i - 1] : slope[i + 1 < intervals ? i + 1 : i];
      double const after = i + 1 < intervals ? slope[i + 1] : before;
      double const ratio = slope[i] / ((before + after) / 2 + usual);
      if (size > most) most = size, largest = i;
      if (ratio > rough) rough = ratio, roughest = i;
    }
    for (std::size_t const i : {largest, roughest}) {
      if (chosen[i]) continue;
      chosen[i] = true;
      make(i, k, false);
    }
  }
  return tasks;
}

/// Bisects all tasks in lockstep, so that one call of the subject serves them all.
void bisect(Probe& probe, Table const& paths, std::vector<Task>& tasks) {
  std::size_t const parts = probe.sections();
  std::vector<Place> places;
  std::vector<std::size_t> active, first;
  auto const note_width = [&](Task& task) {
    double const width = task.high - task.low;
    if (!task.has_slope && width <= slope_width) {
      task.has_slope = true;
      task.slope_low = task.low, task.slope_high = task.high;
      task.slope = probe.changes(task.at_low, task.at_high);
    }
    if (!task.has_wide && width <= wide_width && !task.by_state && !task.fresh) {
      task.has_wide = true;
      task.wide = probe.changes(task.at_low, task.at_high);
    }
  };
  for (;;) {
    places.clear();
    active.clear();
    first.clear();
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      Task& task = tasks[i];
      if (task.done) continue;
      note_width(task);
      double width = task.high - task.low;
      if (task.by_state && width <= state_width) {
        task.by_state = false;
        task.fresh = true;
        task.low = std::max(0.0, task.low - 8 * width);
        task.high = std::min(1.0, task.high + 8 * width);
        width = task.high - task.low;
      }
      std::size_t const begin = places.size();
      if (task.fresh) places.push_back({task.path, task.low});
      double last = task.low;
      for (std::size_t j = 1; j < parts; ++j) {
        double const middle = task.low + width * (static_cast<double>(j) / static_cast<double>(parts));
        if (middle > last && middle < task.high) places.push_back({task.path, last = middle});
      }
      if (task.fresh) places.push_back({task.path, task.high});
      if (!task.fresh && (places.size() == begin || width <= least_width)) {
        places.resize(begin);
        task.done = true;
        continue;
      }
      active.push_back(i);
      first.push_back(begin);
    }
    if (active.empty()) return;
    first.push_back(places.size());
    probe.look(paths, places);
    for (std::size_t a = 0; a < active.size(); ++a) {
      Task& task = tasks[active[a]];
      std::size_t begin = first[a], end = first[a + 1];
      if (task.fresh) {
        task.at_low = probe.numbers(begin), task.state_low = probe.states[begin];
        task.at_high = probe.numbers(end - 1), task.state_high = probe.states[end - 1];
        ++begin, --end;
        task.fresh = false;
        Changes const now = probe.changes(task.at_low, task.at_high);
        task.follow = static_cast<std::size_t>(std::max_element(now.begin(), now.end()) - now.begin());
      }
      // The part with the change of state, or else with the largest change.
      double low = task.low;
      Numbers at_low = task.at_low;
      std::uint32_t state_low = task.state_low;
      Task best = task;
      double most = -1;
      bool found = false;
      for (std::size_t row = begin; row <= end; ++row) {
        bool const last = row == end;
        double const high = last ? task.high : places[row].parameter;
        Numbers const at_high = last ? task.at_high : probe.numbers(row);
        std::uint32_t const state_high = last ? task.state_high : probe.states[row];
        double const size = change(probe.lab.quantities[task.follow], at_low, at_high);
        bool const better = task.by_state ? !found && state_low != state_high : size > most;
        if (better) {
          found = task.by_state;
          most = size;
          best.low = low, best.high = high;
          best.at_low = at_low, best.at_high = at_high;
          best.state_low = state_low, best.state_high = state_high;
        }
        low = high, at_low = at_high, state_low = state_high;
      }
      best.follow = task.follow;
      task = best;
    }
  }
}

/// What is left of each task at adjacent parameters.
void conclude(Probe& probe, Table const& paths, std::vector<Task> const& tasks, Tally* tally,
              std::vector<Changes>* slopes, std::vector<Finding>& findings) {
  Laboratory const& lab = probe.lab;
  std::size_t const quantities = lab.quantities.size();
  // Six inputs a task: the last interval, some steps around it, and the interval where slopes are read off.
  std::vector<Place> places;
  for (Task const& task : tasks) {
    double const margin = 16 * std::max(task.high - task.low, least_width);
    places.push_back({task.path, task.low});
    places.push_back({task.path, task.high});
    places.push_back({task.path, std::max(0.0, task.low - margin)});
    places.push_back({task.path, std::min(1.0, task.high + margin)});
    places.push_back({task.path, task.slope_low});
    places.push_back({task.path, task.slope_high});
  }
  Table inputs(probe.input_schema());
  lab.at(paths, places, inputs);
  std::array<double, most_quantities> bound_low{}, bound_high{};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    Task const& task = tasks[i];
    Finding finding;
    finding.sizes = probe.changes(task.at_low, task.at_high);
    bool jump = false;
    double largest = 0;
    for (std::size_t k = 0; k < quantities; ++k) largest = std::max(largest, finding.sizes[k]);
    if (largest > 0 && (tally != nullptr || largest > probe.floor())) {
      lab.rounding(inputs, 6 * i, std::span(bound_low).first(quantities));
      lab.rounding(inputs, 6 * i + 1, std::span(bound_high).first(quantities));
    }
    Changes rest{};
    for (std::size_t k = 0; k < quantities; ++k) {
      if (!(finding.sizes[k] > 0)) continue;
      double const bound = probe.coarseness() * (bound_low[k] + bound_high[k]);
      rest[k] = std::max(0.0, finding.sizes[k] - bound);
      finding.persists[k] = rest[k] > probe.floor() && finding.sizes[k] > 0.5 * task.wide[k];
      jump = jump || finding.persists[k];
    }
    if (jump) {
      finding.path = task.path;
      finding.before = task.low, finding.after = task.high;
      finding.at_before = task.at_low, finding.at_after = task.at_high;
      finding.transition = lab.transition(inputs, 6 * i + 2, 6 * i + 3);
      finding.follow = task.follow;
      findings.push_back(std::move(finding));
      continue;
    }
    if (tally == nullptr) continue;
    double const motion = lab.motion(inputs, 6 * i + 4, 6 * i + 5);
    for (std::size_t k = 0; k < quantities; ++k) {
      tally->change[k] = std::max(tally->change[k], finding.sizes[k]);
      tally->residual[k] = std::max(tally->residual[k], rest[k]);
      auto const keep_path = [&](Table& into) {
        into.clear(lab.path);
        append_row(lab.path, into, paths, task.path);
      };
      // A smaller motion, or change, is too near to the rounding of the inputs to have a slope.
      double const ratio = motion > least_motion && task.slope[k] > least_motion ? task.slope[k] / motion : 0;
      if (slopes != nullptr) (*slopes)[task.path][k] = std::max((*slopes)[task.path][k], ratio);
      if (ratio > tally->steepest[k].ratio) {
        tally->steepest[k].ratio = ratio;
        tally->steepest[k].parameter = task.low;
        keep_path(tally->steepest[k].path);
      }
      if (task.wide[k] > 100 * probe.floor() && task.slope[k] > 0) {
        double const exponent =
            std::log2(task.slope[k] / task.wide[k]) / std::log2((task.slope_high - task.slope_low) / wide_width);
        if (0.2 < exponent && exponent < 0.9) {
          Hoelder& steep = tally->steep[k];
          ++steep.found;
          if (exponent < steep.exponent) {
            steep.exponent = exponent;
            steep.parameter = task.low;
            keep_path(steep.path);
          }
        }
      }
    }
  }
}

/// Samples, refines and bisects every path of a table; `slopes` gets the largest of each path and quantity.
std::vector<Finding> scan(Probe& probe, Table const& paths, Suspicion const& suspicion, Tally* tally,
                          std::vector<Changes>* slopes = nullptr) {
  Laboratory const& lab = probe.lab;
  std::vector<Finding> findings;
  if (paths.rows == 0) return findings;
  std::vector<Place> places;
  for (std::size_t path = 0; path < paths.rows; ++path)
    for (int i = 0; i <= grid; ++i) places.push_back({path, static_cast<double>(i) / grid});
  probe.look(paths, places);
  std::vector<std::vector<double>> parameters(paths.rows);
  std::vector<std::vector<Numbers>> numbers(paths.rows);
  std::vector<std::vector<std::uint32_t>> states(paths.rows);
  for (std::size_t row = 0; row < places.size(); ++row) {
    std::size_t const path = places[row].path;
    parameters[path].push_back(places[row].parameter);
    numbers[path].push_back(probe.numbers(row));
    states[path].push_back(probe.states[row]);
  }

  // Where a quantity changes much faster than beside it, four times as many samples.
  places.clear();
  for (std::size_t path = 0; path < paths.rows; ++path) {
    std::vector<std::pair<double, std::size_t>> rough(grid);
    for (std::size_t i = 0; i < grid; ++i) rough[i].second = i;
    for (std::size_t k = 0; k < lab.quantities.size(); ++k) {
      if (lab.quantities[k].derived) continue;
      std::array<double, grid> sizes;
      double sum = 0;
      for (std::size_t i = 0; i < grid; ++i)
        sum += sizes[i] = change(lab.quantities[k], numbers[path][i], numbers[path][i + 1]);
      if (!(sum > 0)) continue;
      for (std::size_t i = 0; i < grid; ++i) {
        double const beside = (sizes[i > 0 ? i - 1 : i + 1] + sizes[i + 1 < grid ? i + 1 : i - 1]) / 2;
        rough[i].first = std::max(rough[i].first, sizes[i] / (beside + 0.02 * sum / grid));
      }
    }
    std::partial_sort(rough.begin(), rough.begin() + 4, rough.end(),
                      [](auto const& a, auto const& b) { return a.first > b.first; });
    for (std::size_t j = 0; j < 4; ++j) {
      if (rough[j].first < 1.5) break;
      for (int quarter = 1; quarter < 4; ++quarter)
        places.push_back({path, (static_cast<double>(rough[j].second) + quarter / 4.0) / grid});
    }
  }
  if (!places.empty()) {
    probe.look(paths, places);
    for (std::size_t row = 0; row < places.size(); ++row) {
      std::size_t const path = places[row].path;
      auto const at = std::lower_bound(parameters[path].begin(), parameters[path].end(), places[row].parameter) -
                      parameters[path].begin();
      parameters[path].insert(parameters[path].begin() + at, places[row].parameter);
      numbers[path].insert(numbers[path].begin() + at, probe.numbers(row));
      states[path].insert(states[path].begin() + at, probe.states[row]);
    }
  }

  std::vector<Task> tasks;
  for (std::size_t path = 0; path < paths.rows; ++path) {
    auto const of_path = suspects_of(probe, path, parameters[path], numbers[path], states[path], suspicion);
    tasks.insert(tasks.end(), of_path.begin(), of_path.end());
  }
  bisect(probe, paths, tasks);
  if (tally != nullptr) tally->bisections += tasks.size();
  conclude(probe, paths, tasks, tally, slopes, findings);
  return findings;
}

// ---------------------------------------------------------------------------------------------- larger, then simpler

/// A finding with its own path.
struct Candidate {
  Finding finding;
  Table path;
  Promoted promoted;
};

/// What a search climbs on: jumps at one transition, of one quantity.
struct Aim {
  std::string transition;
  std::size_t quantity;
};

/// The numbers of a path, without the offsets of its lists.
template <class Rows, class Visit>
void for_each_number(Laboratory const& lab, Rows& paths, Visit visit) {
  for (std::size_t k = 0; k < paths.columns.size(); ++k) {
    if (lab.path.columns[k].kind != ColumnInfo::Kind::number) continue;
    for (auto& value : paths.columns[k]) visit(value);
  }
}

/// One row of a table; a path has no use for -0.
Table one_path(Laboratory const& lab, Table const& paths, std::size_t row) {
  Table result(lab.path);
  append_row(lab.path, result, paths, row);
  for_each_number(lab, result, [](double& value) { value += 0.0; });
  return result;
}

/// The largest finding of each path that the aim means; a size of 0 where there is none.
std::vector<Finding> best_of_each(Probe& probe, Table const& paths, Aim const& aim) {
  std::vector<Finding> best(paths.rows);
  for (auto& finding : scan(probe, paths, {aim.quantity}, nullptr)) {
    if (finding.transition != aim.transition || !finding.persists[aim.quantity]) continue;
    Finding& now = best[finding.path];
    if (finding.sizes[aim.quantity] > now.sizes[aim.quantity]) now = std::move(finding);
  }
  return best;
}

/// The numbers of a path that are not 0, each size once: equal numbers are changed together, so that a symmetry stays.
std::vector<double> sizes_in(Laboratory const& lab, Table const& path) {
  std::vector<double> sizes;
  for_each_number(lab, path, [&](double value) {
    if (value != 0 && std::find(sizes.begin(), sizes.end(), std::fabs(value)) == sizes.end())
      sizes.push_back(std::fabs(value));
  });
  return sizes;
}
void replace_size(Laboratory const& lab, Table& path, double size, double by) {
  for_each_number(lab, path, [&](double& value) {
    if (std::fabs(value) == size) value = std::copysign(1.0, value) * by;
  });
}

Table perturbed(Laboratory const& lab, Table const& path, double step, Random& random) {
  Table result = path;
  double largest = 0;
  auto const sizes = sizes_in(lab, path);
  for (double const size : sizes) largest = std::max(largest, size);
  std::size_t const always = static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(sizes.size()) - 1));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i != always && !random.chance(0.3)) continue;
    double const scale = random.chance(0.2) ? 0.3 * largest : sizes[i];
    replace_size(lab, result, sizes[i], sizes[i] + step * scale * random.normal());
  }
  return result;
}

/// Whether a search has taken the time that it may.
class Late {
 public:
  explicit Late(ContinuityOptions const& options) : seconds_(options.seconds), stop_(options.stop) {}
  /// Or a share of that time.
  bool operator()(double share = 1) const {
    return (seconds_ > 0 && elapsed() > share * seconds_) || (stop_ != nullptr && stop_->load());
  }
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  double seconds_;
  std::atomic<bool> const* stop_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// Hill climbing by random changes of a path: `score` of each row of a table of candidates.
template <class Score>
void climb(Laboratory const& lab, Table& path, double& best, Random& random, int generations, Late const& late,
           Score score) {
  double step = 0.2;
  for (int generation = 0; generation < generations && step > 1e-3 && !late(); ++generation) {
    Table children(lab.path);
    for (int i = 0; i < 20; ++i) {
      Table const child = perturbed(lab, path, step, random);
      if (lab.within_search(child, 0) && !lab.path_error(child, 0)) append_row(lab.path, children, child, 0);
    }
    if (children.rows == 0) {
      step *= 0.5;
      continue;
    }
    std::vector<double> const scores = score(children);
    auto const top = std::max_element(scores.begin(), scores.end());
    if (*top > best * 1.0001) {
      best = *top;
      path = one_path(lab, children, static_cast<std::size_t>(top - scores.begin()));
      step = std::min(0.5, step * 1.3);
    } else {
      step *= 0.6;
    }
  }
}

double complexity_of(Laboratory const& lab, Table const& path) {
  double sum = 0;
  for_each_number(lab, path, [&](double value) { sum += reading_complexity(value); });
  return sum;
}

/// A small readable path with a jump of at least `enough` where the aim wants it.
Table simplified(Probe& probe, Table path, Aim const& aim, double enough) {
  Laboratory const& lab = probe.lab;
  auto const good = [&](Table const& candidates) {
    std::vector<bool> result;
    for (auto const& each : best_of_each(probe, candidates, aim)) result.push_back(each.sizes[aim.quantity] >= enough);
    return result;
  };
  auto const usable = [&](Table const& candidate, std::size_t row) {
    return lab.within_search(candidate, row) && !lab.path_error(candidate, row);
  };
  // Another frame, equal sizes: whatever the kernel knows of.
  for (int round = 0; round < 3; ++round) {
    Table candidates(lab.path), some(lab.path);
    lab.simpler(path, 0, candidates);
    for (std::size_t i = 0; i < candidates.rows; ++i)
      if (usable(candidates, i)) append_row(lab.path, some, candidates, i);
    auto const fine = good(some);
    std::size_t best = some.rows;
    double least = complexity_of(lab, path);
    for (std::size_t i = 0; i < some.rows; ++i) {
      double const complexity = complexity_of(lab, one_path(lab, some, i));
      if (fine[i] && complexity < least) best = i, least = complexity;
    }
    if (best == some.rows) break;
    path = one_path(lab, some, best);
  }
  // All numbers to few decimals.
  {
    Table candidates(lab.path);
    for (double const unit : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0, 1e4}) {
      Table candidate = path;
      for_each_number(lab, candidate, [&](double& value) { value = std::round(value * unit) / unit; });
      if (usable(candidate, 0)) append_row(lab.path, candidates, candidate, 0);
    }
    auto const fine = good(candidates);
    for (std::size_t i = 0; i < fine.size(); ++i) {
      if (!fine[i]) continue;
      path = one_path(lab, candidates, i);
      break;
    }
  }
  // Each number alone, all of them in one go; then as many of the gains together as hold, the largest first.
  for (int round = 0; round < (probe.sections() == 2 ? 8 : 3); ++round) {
    struct Gain {
      double size, by, gained;
    };
    std::vector<Gain> offers, gains;
    Table candidates(lab.path);
    for (double const size : sizes_in(lab, path)) {
      std::vector<double> values;
      for (double const value : simpler_numbers(size))
        if (std::isfinite(value) && value >= 0 && reading_complexity(value) < reading_complexity(size) &&
            std::find(values.begin(), values.end(), value) == values.end())
          values.push_back(value);
      for (double const value : values) {
        Table candidate = path;
        replace_size(lab, candidate, size, value);
        if (!usable(candidate, 0)) continue;
        append_row(lab.path, candidates, candidate, 0);
        offers.push_back({size, value, reading_complexity(size) - reading_complexity(value)});
      }
    }
    auto const fine = good(candidates);
    for (std::size_t i = 0; i < offers.size(); ++i) {
      if (!fine[i]) continue;
      auto const same =
          std::find_if(gains.begin(), gains.end(), [&](Gain const& each) { return each.size == offers[i].size; });
      if (same == gains.end()) {
        gains.push_back(offers[i]);
      } else if (offers[i].gained > same->gained) {
        *same = offers[i];
      }
    }
    if (gains.empty()) break;
    std::stable_sort(gains.begin(), gains.end(), [](Gain const& a, Gain const& b) { return a.gained > b.gained; });
    Table together(lab.path), last = path;
    for (auto const& gain : gains) {
      replace_size(lab, last, gain.size, gain.by);
      append_row(lab.path, together, last, 0);
    }
    auto const hold = good(together);
    std::size_t most = 0;  // the first alone is known to hold
    for (std::size_t i = 0; i < hold.size(); ++i)
      if (hold[i] && usable(together, i)) most = i;
    path = one_path(lab, together, most);
  }
  return path;
}

/// Candidates by transition and quantity: the largest few of each, and how many there were.
struct Gathered {
  std::uint64_t found = 0;
  std::vector<Candidate> largest;
};
constexpr std::size_t kept_candidates = 12;

using Groups = std::map<std::pair<std::string, std::size_t>, Gathered>;

void gather(Laboratory const& lab, Groups& groups, Table const& paths, std::vector<Finding> const& findings) {
  for (auto const& finding : findings) {
    for (std::size_t k = 0; k < lab.quantities.size(); ++k) {
      if (!finding.persists[k]) continue;
      Gathered& group = groups[{finding.transition, k}];
      ++group.found;
      auto& kept = group.largest;
      auto const larger = [&](Candidate const& a, Finding const& b) { return a.finding.sizes[k] >= b.sizes[k]; };
      if (kept.size() == kept_candidates && larger(kept.back(), finding)) continue;
      auto const at = std::lower_bound(kept.begin(), kept.end(), finding, larger);
      kept.insert(at, {finding, one_path(lab, paths, finding.path), {}});
      if (kept.size() > kept_candidates) kept.pop_back();
    }
  }
}

Jump jump_of(Probe const& probe, Candidate const& candidate, std::size_t quantity) {
  Laboratory const& lab = probe.lab;
  Finding const& finding = candidate.finding;
  Jump jump;
  jump.quantity = quantity;
  jump.certified = candidate.promoted.jump;
  jump.transition = jump.certified ? candidate.promoted.transition : finding.transition;
  jump.sizes.assign(finding.sizes.begin(), finding.sizes.begin() + static_cast<std::ptrdiff_t>(lab.quantities.size()));
  if (jump.certified) jump.sizes = candidate.promoted.sizes;
  jump.width = jump.certified ? candidate.promoted.width : finding.after - finding.before;
  jump.path = candidate.path;
  jump.before = finding.before, jump.after = finding.after;
  jump.at_before.assign(finding.at_before.begin(),
                        finding.at_before.begin() + static_cast<std::ptrdiff_t>(lab.numbers));
  jump.at_after.assign(finding.at_after.begin(), finding.at_after.begin() + static_cast<std::ptrdiff_t>(lab.numbers));
  jump.inputs.clear(probe.input_schema());
  std::vector<Place> const places{{0, finding.before}, {0, finding.after}};
  lab.at(candidate.path, places, jump.inputs);
  return jump;
}

/// Puts a jump into the result: a new kind of transition, or larger sizes of a known one.
TransitionJumps& enter(Continuity& result, Jump const& jump) {
  for (auto& each : result.transitions)
    if (each.transition == jump.transition) {
      for (std::size_t k = 0; k < jump.sizes.size(); ++k)
        if (jump.sizes[k] > each.largest[k]) each.largest[k] = jump.sizes[k], each.certain[k] = jump.certified;
      return each;
    }
  result.transitions.push_back(
      {jump.transition, 0, jump.sizes, std::vector<bool>(jump.sizes.size(), jump.certified), {}});
  return result.transitions.back();
}

bool promote(Probe const& probe, std::optional<std::size_t> formula, Candidate& candidate, std::size_t quantity) {
  if (!formula) return true;
  candidate.promoted = promote(probe.kernel(), probe.lab, *formula, candidate.path, 0, candidate.finding.before,
                               candidate.finding.after, quantity, candidate.finding.sizes[quantity]);
  return candidate.promoted.jump;
}

bool stopped(std::atomic<bool> const* stop) { return stop != nullptr && stop->load(); }

/// From suspects to jumps: what 80 digits confirm, enlarged and simplified.
void settle(Probe& probe, Groups& groups, ContinuityOptions const& options, Late const& late, Continuity& result) {
  Laboratory const& lab = probe.lab;
  Random random(options.seed, 0xc1a5b, 0);
  // A subject in a process of its own is asked rarely: of it only the largest few are worked on.
  double least_worked_on = result.formula ? 1e-6 : 1e-4;
  if (probe.sections() > 2) {
    constexpr std::size_t most = 5;
    std::vector<double> sizes;
    for (auto const& [key, group] : groups)
      if (!lab.quantities[key.second].derived) sizes.push_back(group.largest.front().finding.sizes[key.second]);
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    if (sizes.size() > most) least_worked_on = std::max(least_worked_on, sizes[most - 1]);
  }
  for (auto& [key, group] : groups) {
    std::size_t const quantity = key.second;
    std::vector<Candidate> certain;
    std::uint64_t dismissed = 0;
    for (auto& candidate : group.largest) {
      if (promote(probe, result.formula, candidate, quantity)) {
        certain.push_back(std::move(candidate));
      } else {
        ++dismissed;
      }
      if (certain.size() == 3) break;
    }
    if (certain.empty()) {
      result.dismissed += group.found;
      continue;
    }
    result.dismissed += dismissed;
    for (auto const& candidate : certain) {
      TransitionJumps& transition = enter(result, jump_of(probe, candidate, quantity));
      transition.found = std::max(transition.found, group.found - dismissed);
    }
    // What is made of others, or too small to show, is said in the table and not climbed on.
    Candidate best = certain.front();
    if (lab.quantities[quantity].derived || best.finding.sizes[quantity] < least_worked_on) continue;
    if (stopped(options.stop)) return;
    Aim const aim{best.finding.transition, quantity};
    auto const score = [&](Table const& children) {
      std::vector<double> scores;
      for (auto const& each : best_of_each(probe, children, aim)) scores.push_back(each.sizes[quantity]);
      return scores;
    };
    auto const take = [&](Table const& path) {
      Candidate candidate{best_of_each(probe, path, aim).front(), path, {}};
      candidate.finding.transition = aim.transition;
      if (!(candidate.finding.sizes[quantity] > 0) || !promote(probe, result.formula, candidate, quantity)) return;
      best = std::move(candidate);
      enter(result, jump_of(probe, best, quantity));
    };
    if (options.ascend) {
      int const generations = probe.sections() == 2 ? 40 : 5;
      std::size_t const starts = probe.sections() == 2 ? certain.size() : 1;
      for (std::size_t i = 0; i < starts; ++i) {
        Table path = certain[i].path;
        double size = certain[i].finding.sizes[quantity];
        climb(lab, path, size, random, generations, late, score);
        if (size > best.finding.sizes[quantity]) take(path);
      }
    }
    if (options.minimise) take(simplified(probe, best.path, aim, 0.8 * best.finding.sizes[quantity]));
    Jump const jump = jump_of(probe, best, quantity);
    enter(result, jump).examples.push_back(jump);
  }
  // Two names in binary64 may be one in 80 digits; the larger example of each quantity stays.
  for (auto& transition : result.transitions) {
    auto& examples = transition.examples;
    std::stable_sort(examples.begin(), examples.end(), [](Jump const& a, Jump const& b) {
      return a.quantity != b.quantity ? a.quantity < b.quantity : a.sizes[a.quantity] > b.sizes[b.quantity];
    });
    examples.erase(std::unique(examples.begin(), examples.end(),
                               [](Jump const& a, Jump const& b) { return a.quantity == b.quantity; }),
                   examples.end());
  }
  // The worst first: by the largest jump of what jumps by itself.
  auto const rank = [&](TransitionJumps const& each) {
    double most = 0;
    for (std::size_t k = 0; k < each.largest.size(); ++k)
      if (!lab.quantities[k].derived) most = std::max(most, each.largest[k]);
    return -most;
  };
  std::stable_sort(result.transitions.begin(), result.transitions.end(),
                   [&](auto const& a, auto const& b) { return rank(a) < rank(b); });
}

/// The paths that change something most for their motion, made steeper: if there is a jump that random paths miss, it
/// is where slopes are large.
void climb_slopes(Probe& probe, ContinuityOptions const& options, Late const& late, Tally& tally, Groups& groups) {
  Laboratory const& lab = probe.lab;
  Random random(options.seed, 0x57ee9, 0);
  for (std::size_t k = 0; k < lab.quantities.size(); ++k) {
    if (tally.steepest[k].path.rows == 0 || late()) continue;
    Table path = tally.steepest[k].path;
    double best = tally.steepest[k].ratio;
    climb(lab, path, best, random, probe.sections() == 2 ? 60 : 3, late, [&](Table const& children) {
      std::vector<Changes> slopes(children.rows);
      gather(lab, groups, children, scan(probe, children, {}, &tally, &slopes));
      std::vector<double> scores;
      for (auto const& each : slopes) scores.push_back(each[k]);
      return scores;
    });
  }
}

// -------------------------------------------------------------------------------------------------------------- kinks

/// Second differences, followed down to where slopes can still be told from rounding: they fall like the square of the
/// interval where a function is smooth, like the interval at a kink.
void search_kinks(Probe& probe, Table const& paths, std::vector<Kink>& kinks, std::vector<Hoelder>& cusps) {
  Laboratory const& lab = probe.lab;
  struct Bend {
    std::size_t path, quantity;
    std::array<double, 3> at;
    std::array<Numbers, 3> numbers;
    double wide = 0;
  };
  auto const bent = [&](Bend const& bend) {
    Quantity const& quantity = lab.quantities[bend.quantity];
    double square = 0;
    for (std::size_t i = quantity.first; i < quantity.first + quantity.count; ++i) {
      double const second = bend.numbers[0][i] - 2 * bend.numbers[1][i] + bend.numbers[2][i];
      square += second * second;
    }
    return square >= 0 ? std::sqrt(square) : 0;
  };
  std::vector<Place> places;
  for (std::size_t path = 0; path < paths.rows; ++path)
    for (int i = 0; i <= grid; ++i) places.push_back({path, static_cast<double>(i) / grid});
  probe.look(paths, places);
  std::vector<Bend> bends;
  for (std::size_t path = 0; path < paths.rows; ++path) {
    for (std::size_t k = 0; k < lab.quantities.size(); ++k) {
      std::optional<Bend> most;
      for (std::size_t i = 1; i < grid; ++i) {
        std::size_t const row = path * (grid + 1) + i;
        Bend bend{path, k, {}, {}, 0};
        for (std::size_t j = 0; j < 3; ++j) {
          bend.at[j] = places[row - 1 + j].parameter;
          bend.numbers[j] = probe.numbers(row - 1 + j);
        }
        if (!most || bent(bend) > bent(*most)) most = bend;
      }
      if (bent(*most) > 0) bends.push_back(*most);
    }
  }
  for (int level = 0; level < 16; ++level) {
    if (level == 8)
      for (auto& bend : bends) bend.wide = bent(bend) / (bend.at[2] - bend.at[0]);
    places.clear();
    for (auto const& bend : bends) {
      places.push_back({bend.path, (bend.at[0] + bend.at[1]) / 2});
      places.push_back({bend.path, (bend.at[1] + bend.at[2]) / 2});
    }
    if (places.empty()) return;
    probe.look(paths, places);
    for (std::size_t i = 0; i < bends.size(); ++i) {
      Bend const& bend = bends[i];
      double const left = places[2 * i].parameter, right = places[2 * i + 1].parameter;
      Numbers const at_left = probe.numbers(2 * i), at_right = probe.numbers(2 * i + 1);
      std::array<Bend, 3> const parts{
          Bend{bend.path,
               bend.quantity,
               {bend.at[0], left, bend.at[1]},
               {bend.numbers[0], at_left, bend.numbers[1]},
               bend.wide},
          Bend{bend.path, bend.quantity, {left, bend.at[1], right}, {at_left, bend.numbers[1], at_right}, bend.wide},
          Bend{bend.path,
               bend.quantity,
               {bend.at[1], right, bend.at[2]},
               {bend.numbers[1], at_right, bend.numbers[2]},
               bend.wide}};
      std::size_t best = 0;
      for (std::size_t j = 1; j < 3; ++j)
        if (bent(parts[j]) > bent(parts[best])) best = j;
      bends[i] = parts[best];
    }
  }
  places.clear();
  for (auto const& bend : bends) {
    places.push_back({bend.path, bend.at[0]});
    places.push_back({bend.path, bend.at[2]});
  }
  Table inputs(probe.input_schema());
  lab.at(paths, places, inputs);
  for (std::size_t i = 0; i < bends.size(); ++i) {
    Bend const& bend = bends[i];
    double const width = bend.at[2] - bend.at[0], slope = bent(bend) / width;
    double const motion = lab.motion(inputs, 2 * i, 2 * i + 1) / width;
    if (!(bend.wide > 0) || !(motion > 0)) continue;
    double const kept = slope / bend.wide, turn = 2 * slope / motion;
    // Eight halvings on: 1 at a kink, 2^-8 where smooth, 2^8 at a jump; between, a power of the motion. (A cusp is as
    // high on both sides, so that bisecting by changes passes it by.)
    if (double const exponent = 1 - std::log2(kept) / 8; kept > 2.5 && exponent > 0.2) {
      Hoelder& cusp = cusps[bend.quantity];
      ++cusp.found;
      if (exponent < cusp.exponent) {
        cusp.exponent = exponent;
        cusp.parameter = bend.at[1];
        cusp.path = one_path(lab, paths, bend.path);
      }
    }
    if (kept < 0.4 || kept > 2.5 || turn < 1e-6) continue;
    Kink& kink = kinks[bend.quantity];
    ++kink.found;
    if (turn <= kink.turn) continue;
    kink.turn = turn;
    kink.parameter = bend.at[1];
    kink.path = one_path(lab, paths, bend.path);
  }
}

Tally empty_tally(Laboratory const& lab) {
  std::size_t const quantities = lab.quantities.size();
  Tally tally;
  tally.residual.assign(quantities, 0);
  tally.change.assign(quantities, 0);
  tally.steepest.resize(quantities);
  tally.steep.resize(quantities);
  return tally;
}

void finish(Continuity& result, Probe const& probe, Tally& tally) {
  result.answers = probe.answers;
  result.unanswered = probe.unanswered;
  result.bisections = tally.bisections;
  result.residual = std::move(tally.residual);
  result.change = std::move(tally.change);
  result.steepest = std::move(tally.steepest);
  result.steep = std::move(tally.steep);
}

}  // namespace

Continuity search_continuity(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                             ContinuityOptions const& options) {
  Late const late(options);
  Probe probe(kernel, laboratory, subject);
  Continuity result;
  result.subject = subject.name;
  result.formula = formula_of(kernel, subject);
  result.kinks.resize(laboratory.quantities.size());
  Tally tally = empty_tally(laboratory);
  Groups groups;
  std::size_t const families = laboratory.families.size();
  for (std::uint64_t done = 0; done < options.paths && !stopped(options.stop);) {
    Table paths(laboratory.path);
    for (; paths.rows < probe.block() && done < options.paths; ++done) {
      std::size_t const family = options.family.value_or(done % families);
      laboratory.draw(family, options.seed, options.family ? done : done / families, paths);
    }
    gather(laboratory, groups, paths, scan(probe, paths, {}, &tally));
    result.paths += paths.rows;
    if (late(0.5)) break;
    if (options.progress) options.progress(0.7 * static_cast<double>(done) / static_cast<double>(options.paths));
  }
  {
    Table paths(laboratory.path);
    for (std::uint64_t i = 0; i < std::min(options.bends, options.paths); ++i)
      laboratory.draw(options.family.value_or(i % families), options.seed, options.family ? i : i / families, paths);
    if (paths.rows > 0) search_kinks(probe, paths, result.kinks, tally.steep);
  }
  if (options.ascend) climb_slopes(probe, options, late, tally, groups);
  settle(probe, groups, options, late, result);
  finish(result, probe, tally);
  result.seconds = late.elapsed();
  return result;
}

Continuity examine_path(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                        Table const& paths) {
  auto const begin = std::chrono::steady_clock::now();
  Probe probe(kernel, laboratory, subject);
  Continuity result;
  result.subject = subject.name;
  result.formula = formula_of(kernel, subject);
  result.kinks.resize(laboratory.quantities.size());
  result.paths = paths.rows;
  Tally tally = empty_tally(laboratory);
  for (auto& finding : scan(probe, paths, {}, &tally)) {
    std::size_t const quantity =
        static_cast<std::size_t>(std::max_element(finding.sizes.begin(), finding.sizes.end()) - finding.sizes.begin());
    Candidate candidate{finding, one_path(laboratory, paths, finding.path), {}};
    if (!promote(probe, result.formula, candidate, quantity)) {
      ++result.dismissed;
      continue;
    }
    Jump const jump = jump_of(probe, candidate, quantity);
    TransitionJumps& transition = enter(result, jump);
    bool known = false;
    for (auto const& each : transition.examples) known = known || std::fabs(each.before - jump.before) < 1e-9;
    if (known) continue;
    ++transition.found;
    transition.examples.push_back(jump);
  }
  search_kinks(probe, paths, result.kinks, tally.steep);
  finish(result, probe, tally);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

std::vector<double> observe_path(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                                 Table const& path, std::vector<double> const& parameters) {
  Probe probe(kernel, laboratory, subject);
  std::vector<Place> places;
  for (double const parameter : parameters) places.push_back({0, parameter});
  probe.look(path, places);
  return probe.observations;
}

// ----------------------------------------------------------------------------------------------------------- passivity

namespace {

/// Work along each path by the midpoint rule, which needs no power at the corners of a loop; intervals are halved until
/// nothing changes any more, or the limit of patience is reached.
std::vector<Work> works(Probe& probe, Table const& paths) {
  Laboratory const& lab = probe.lab;
  constexpr double unknown = std::numeric_limits<double>::infinity();
  std::vector<Work> result(paths.rows);
  std::vector<double> last_change(paths.rows, unknown);
  std::vector<bool> settled(paths.rows, false);
  for (std::size_t count = 128; count <= 8192; count *= 2) {
    std::vector<Place> places;
    for (std::size_t path = 0; path < paths.rows; ++path)
      if (!settled[path])
        for (std::size_t i = 0; i < count; ++i)
          places.push_back({path, (static_cast<double>(i) + 0.5) / static_cast<double>(count)});
    if (places.empty()) break;
    probe.look(paths, places);
    std::vector<double> sums(paths.rows, 0);
    for (std::size_t row = 0; row < places.size(); ++row) {
      std::size_t const path = places[row].path;
      sums[path] += lab.power(paths, places[row], probe.inputs, probe.replies, row) / static_cast<double>(count);
      auto const observed = std::span(probe.observations).subspan(row * lab.numbers, lab.numbers);
      result[path].stored = std::max(result[path].stored, lab.stored(observed));
      // Where continuity is not asked for, work is not either.
      bool const contact = observed[lab.quantities[lab.overlap].first] > 0;
      for (auto const& quantity : lab.quantities)
        if (contact && std::isnan(observed[quantity.first])) sums[path] = std::numeric_limits<double>::quiet_NaN();
    }
    for (std::size_t path = 0; path < paths.rows; ++path) {
      if (settled[path]) continue;
      // Twice in a row, because a power that jumps may leave one step as it was by chance.
      Work& work = result[path];
      double const changed = count == 128 ? unknown : std::fabs(sums[path] - work.value);
      work.error = std::max(changed, last_change[path]);
      last_change[path] = changed;
      work.value = sums[path];
      settled[path] = !(work.error > 1e-5 * work.stored);
    }
  }
  for (std::size_t path = 0; path < paths.rows; ++path) result[path].path = one_path(lab, paths, path);
  return result;
}

/// Whether there is no contact at the ends of each path, and some between.
std::vector<bool> free_to_free(Probe& probe, Table const& paths) {
  Laboratory const& lab = probe.lab;
  std::vector<Place> places;
  for (std::size_t path = 0; path < paths.rows; ++path)
    for (int i = 0; i <= grid; ++i) places.push_back({path, static_cast<double>(i) / grid});
  probe.look(paths, places);
  std::size_t const first = lab.quantities[lab.overlap].first;
  std::vector<bool> result;
  for (std::size_t path = 0; path < paths.rows; ++path) {
    auto const overlap = [&](int i) {
      return probe.observations[(path * (grid + 1) + static_cast<std::size_t>(i)) * lab.numbers + first];
    };
    bool touches = false;
    for (int i = 1; i < grid; ++i) touches = touches || overlap(i) > 0;
    result.push_back(touches && overlap(0) == 0 && overlap(grid) == 0);
  }
  return result;
}

constexpr std::uint64_t passivity_ids = std::uint64_t{1} << 40;  ///< paths that the continuity search does not draw

}  // namespace

Passivity measure_passivity(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                            PassivityOptions const& options) {
  Probe probe(kernel, laboratory, subject);
  Passivity result;
  std::vector<std::size_t> loops, open;
  for (std::size_t i = 0; i < laboratory.families.size(); ++i)
    (laboratory.families[i].loop ? loops : open).push_back(i);
  auto const draw = [&](std::vector<std::size_t> const& families, std::uint64_t from, std::uint64_t count) {
    Table paths(laboratory.path);
    for (std::uint64_t i = 0; i < count && !families.empty(); ++i)
      laboratory.draw(families[(from + i) % families.size()], options.seed,
                      passivity_ids + (from + i) / families.size(), paths);
    return paths;
  };
  auto const finite = [](Work const& work) { return std::isfinite(work.value) && work.stored > 0; };

  Table const closed = draw(loops, 0, options.loops);
  if (closed.rows > 0 && !stopped(options.stop)) {
    for (auto const& work : works(probe, closed)) {
      if (!finite(work)) continue;
      ++result.loops;
      result.mean_relative_loop += std::fabs(work.value) / work.stored;
      if (!result.loop || std::fabs(work.value) > std::fabs(result.loop->value)) result.loop = work;
    }
    if (result.loops > 0) result.mean_relative_loop /= static_cast<double>(result.loops);
  }

  Table contacts(laboratory.path);
  for (std::uint64_t from = 0; contacts.rows < options.contacts && from < 64 * options.contacts;) {
    if (stopped(options.stop)) break;
    Table const some = draw(open, from, 512);
    from += some.rows;
    if (some.rows == 0) break;
    auto const free = free_to_free(probe, some);
    for (std::size_t i = 0; i < some.rows && contacts.rows < options.contacts; ++i)
      if (free[i]) append_row(laboratory.path, contacts, some, i);
  }
  if (contacts.rows > 0 && !stopped(options.stop)) {
    for (auto const& work : works(probe, contacts)) {
      if (!finite(work)) continue;
      ++result.contacts;
      result.mean_relative_contact += std::fabs(work.value) / work.stored;
      if (!result.gain || work.value > result.gain->value) result.gain = work;
      if (!result.loss || work.value < result.loss->value) result.loss = work;
    }
    if (result.contacts > 0) result.mean_relative_contact /= static_cast<double>(result.contacts);
  }

  // Overlap against gaps, forwards and backwards.
  constexpr int samples = 128;
  std::size_t const first = laboratory.quantities[laboratory.overlap].first;
  std::vector<double> before, after;
  for (std::uint64_t from = 0; from < options.monotone_paths && !stopped(options.stop); from += probe.block()) {
    Table const paths = draw(open, from, std::min<std::uint64_t>(probe.block(), options.monotone_paths - from));
    if (paths.rows == 0) break;
    std::vector<Place> places;
    for (std::size_t path = 0; path < paths.rows; ++path)
      for (int i = 0; i <= samples; ++i) places.push_back({path, static_cast<double>(i) / samples});
    probe.look(paths, places);
    for (std::size_t path = 0; path < paths.rows; ++path) {
      ++result.monotone_paths;
      for (int const direction : {1, -1}) {
        double highest = std::numeric_limits<double>::quiet_NaN(), at = 0;
        before.clear();
        for (int j = 0; j <= samples; ++j) {
          std::size_t const i = static_cast<std::size_t>(direction > 0 ? j : samples - j);
          std::size_t const row = path * (samples + 1) + i;
          laboratory.gaps(probe.inputs, row, after);
          double const overlap = probe.observations[row * laboratory.numbers + first];
          bool approach = !before.empty();
          for (std::size_t k = 0; k < before.size(); ++k) approach = approach && after[k] <= before[k];
          if (!approach || !(overlap <= highest)) {
            highest = overlap;
            at = places[row].parameter;
          } else if (double const fall = highest - overlap; fall > (result.fall ? result.fall->value : 0)) {
            // A rounding of the overlap is no fall.
            if (fall > probe.floor())
              result.fall = Fall{fall, at, places[row].parameter, one_path(laboratory, paths, path)};
          }
          std::swap(before, after);
        }
      }
    }
  }
  return result;
}

}  // namespace demeter
