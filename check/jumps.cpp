#include "check/jumps.hpp"

#include <algorithm>
#include <functional>

namespace demeter::path_search {

void gather(Laboratory const& lab, Groups& groups, Table const& paths, std::vector<Finding> const& findings) {
  constexpr std::size_t most_kept = 12;
  for (auto const& finding : findings) {
    for (std::size_t k = 0; k < lab.quantities.size(); ++k) {
      if (!finding.persists[k]) continue;
      Gathered& group = groups[{finding.transition, k}];
      ++group.found;
      auto& kept = group.largest;
      auto const larger = [&](Candidate const& a, Finding const& b) { return a.finding.sizes[k] >= b.sizes[k]; };
      if (kept.size() == most_kept && larger(kept.back(), finding)) continue;
      auto const at = std::lower_bound(kept.begin(), kept.end(), finding, larger);
      kept.insert(at, {finding, one_path(lab, paths, finding.path), {}});
      if (kept.size() > most_kept) kept.pop_back();
    }
  }
}

bool confirmed(Probe const& probe, std::optional<std::size_t> formula, Candidate& candidate, std::size_t quantity,
               Late const& late) {
  if (!formula) return true;
  candidate.promoted =
      promote(probe.kernel(), probe.lab, *formula, candidate.path, 0, candidate.finding.before, candidate.finding.after,
              quantity, candidate.finding.sizes[quantity], [&] { return late.at_last(); });
  return candidate.promoted.jump;
}

Jump jump_of(Probe const& probe, Candidate const& candidate, std::size_t quantity) {
  auto const first = [](auto const& values, std::size_t count) {
    return std::vector<double>(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  };
  Laboratory const& lab = probe.lab;
  Finding const& finding = candidate.finding;
  Jump jump;
  jump.quantity = quantity;
  jump.certified = candidate.promoted.jump;
  jump.transition = jump.certified ? candidate.promoted.transition : finding.transition;
  jump.sizes = jump.certified ? candidate.promoted.sizes : first(finding.sizes, lab.quantities.size());
  jump.width = jump.certified ? candidate.promoted.width : finding.after - finding.before;
  jump.path = candidate.path;
  jump.before = finding.before, jump.after = finding.after;
  jump.at_before = first(finding.at_before, lab.numbers);
  jump.at_after = first(finding.at_after, lab.numbers);
  jump.inputs.clear(probe.input_schema());
  std::vector<Place> const places{{0, finding.before}, {0, finding.after}};
  lab.at(candidate.path, places, jump.inputs);
  return jump;
}

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

void climb_slopes(Probe& probe, ContinuityOptions const& options, Late const& late, Continuity& result,
                  Groups& groups) {
  Laboratory const& lab = probe.lab;
  Random random(options.seed, 0x57ee9, 0);
  for (std::size_t k = 0; k < lab.quantities.size(); ++k) {
    if (result.steepest[k].path.rows == 0 || late()) continue;
    Table path = result.steepest[k].path;
    double best = result.steepest[k].ratio;
    climb(lab, path, best, random, probe.is_dear() ? 3 : 60, late, [&](Table const& children) {
      std::vector<Changes> slopes(children.rows);
      gather(lab, groups, children, scan(probe, children, {}, {.totals = &result, .slopes = &slopes}));
      std::vector<double> scores;
      for (auto const& each : slopes) scores.push_back(each[k]);
      return scores;
    });
  }
}

namespace {

/// Returns the smallest size for which a jump is enlarged and simplified. For a subject in its own process this is at
/// least the size of the fifth largest jump, because each call is slow.
double least_worked_on(Probe const& probe, Groups const& groups, bool has_formula) {
  constexpr std::size_t most = 5;
  double const least = has_formula ? 1e-6 : 1e-4;
  if (!probe.is_dear()) return least;
  std::vector<double> sizes;
  for (auto const& [key, group] : groups)
    if (!probe.lab.quantities[key.second].derived) sizes.push_back(group.largest.front().finding.sizes[key.second]);
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  return sizes.size() > most ? std::max(least, sizes[most - 1]) : least;
}

/// Adds up to three candidates of a group to the result, and returns them. Only candidates that 80 digits confirm are
/// added (see confirmed()).
std::vector<Candidate> enter_certain(Probe const& probe, Gathered& group, std::size_t quantity, Late const& late,
                                     Continuity& result) {
  std::vector<Candidate> certain;
  std::uint64_t dismissed = 0;
  bool in_time = true;
  for (auto& candidate : group.largest) {
    if (confirmed(probe, result.formula, candidate, quantity, late)) {
      certain.push_back(std::move(candidate));
      if (certain.size() == 3) break;
      continue;
    }
    in_time = candidate.promoted.in_time;
    if (!in_time) break;
    ++dismissed;
  }
  result.dismissed += dismissed;
  if (certain.empty()) (in_time ? result.dismissed : result.unexamined) += group.found - dismissed;
  for (auto const& candidate : certain) {
    TransitionJumps& transition = enter(result, jump_of(probe, candidate, quantity));
    transition.found = std::max(transition.found, group.found - dismissed);
  }
  return certain;
}

/// Enlarges the confirmed candidates by hill climbing and simplifies the largest jump found. Adds this jump to the
/// result as an example.
void enter_example(Probe& probe, std::vector<Candidate> const& certain, std::size_t quantity, Random& random,
                   ContinuityOptions const& options, Late const& late, Continuity& result) {
  Candidate best = certain.front();
  Aim const aim{best.finding.transition, quantity};
  auto const score = [&](Table const& children) {
    std::vector<double> scores;
    for (auto const& each : best_of_each(probe, children, aim)) scores.push_back(each.sizes[quantity]);
    return scores;
  };
  auto const take = [&](Table const& path) {
    Candidate candidate{best_of_each(probe, path, aim).front(), path, {}};
    candidate.finding.transition = aim.transition;
    if (!(candidate.finding.sizes[quantity] > 0) || !confirmed(probe, result.formula, candidate, quantity, late))
      return;
    best = std::move(candidate);
    enter(result, jump_of(probe, best, quantity));
  };
  if (options.ascend) {
    int const generations = probe.is_dear() ? 5 : 40;
    std::size_t const starts = probe.is_dear() ? 1 : certain.size();
    for (std::size_t i = 0; i < starts; ++i) {
      Table path = certain[i].path;
      double size = certain[i].finding.sizes[quantity];
      climb(probe.lab, path, size, random, generations, late, score);
      if (size > best.finding.sizes[quantity]) take(path);
    }
  }
  if (options.minimise && !late.at_last())
    take(simplified(probe, best.path, aim, 0.8 * best.finding.sizes[quantity], late));
  Jump const jump = jump_of(probe, best, quantity);
  enter(result, jump).examples.push_back(jump);
}

/// Keeps the largest example per quantity. There may be several, because transitions with different names in binary64
/// may have the same name in 80 digits.
void keep_larger_examples(std::vector<Jump>& examples) {
  std::stable_sort(examples.begin(), examples.end(), [](Jump const& a, Jump const& b) {
    return a.quantity != b.quantity ? a.quantity < b.quantity : a.sizes[a.quantity] > b.sizes[b.quantity];
  });
  examples.erase(std::unique(examples.begin(), examples.end(),
                             [](Jump const& a, Jump const& b) { return a.quantity == b.quantity; }),
                 examples.end());
}

/// Sorts transitions by their largest jump of a quantity that is not derived, largest first.
void sort_transitions(Laboratory const& lab, std::vector<TransitionJumps>& transitions) {
  auto const rank = [&](TransitionJumps const& each) {
    double most = 0;
    for (std::size_t k = 0; k < each.largest.size(); ++k)
      if (!lab.quantities[k].derived) most = std::max(most, each.largest[k]);
    return -most;
  };
  std::stable_sort(transitions.begin(), transitions.end(),
                   [&](auto const& a, auto const& b) { return rank(a) < rank(b); });
}

}  // namespace

void enter_jumps(Probe& probe, Groups& groups, ContinuityOptions const& options, Late const& late, Continuity& result) {
  Random random(options.seed, 0xc1a5b, 0);
  double const least = least_worked_on(probe, groups, result.formula.has_value());
  for (auto& [key, group] : groups) {
    std::size_t const quantity = key.second;
    std::vector<Candidate> const certain = enter_certain(probe, group, quantity, late, result);
    // Jumps of derived quantities and small jumps are listed in the table, but not enlarged.
    if (certain.empty() || probe.lab.quantities[quantity].derived || certain.front().finding.sizes[quantity] < least)
      continue;
    if (stopped(options.stop)) return;
    enter_example(probe, certain, quantity, random, options, late, result);
  }
  for (auto& transition : result.transitions) keep_larger_examples(transition.examples);
  sort_transitions(probe.lab, result.transitions);
}

}  // namespace demeter::path_search
