#include "check/continuity.hpp"

#include "check/jumps.hpp"
#include "check/kinks.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {

std::optional<std::size_t> formula_of(Kernel const& kernel, Subject const& subject) {
  if (!subject.formula_in_double() || subject.binary32) return std::nullopt;
  for (std::size_t i = 0; i < kernel.formulas.size(); ++i)
    if (subject.name_of_formula() == kernel.formulas[i].name) return i;
  return std::nullopt;
}

namespace path_search {
namespace {

Continuity empty_result(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject) {
  std::size_t const quantities = laboratory.quantities.size();
  Continuity result;
  result.subject = subject.name;
  result.formula = formula_of(kernel, subject);
  result.residual.assign(quantities, 0);
  result.change.assign(quantities, 0);
  result.steepest.resize(quantities);
  result.steep.resize(quantities);
  result.kinks.resize(quantities);
  return result;
}

void finish(Probe const& probe, Late const& late, Continuity& result) {
  result.answers = probe.answers;
  result.unanswered = probe.unanswered;
  result.seconds = late.elapsed();
}

/// Appends path `i` of a search. If the options name a family, all paths belong to this family. Otherwise the families
/// are used in turn.
void draw(Laboratory const& laboratory, ContinuityOptions const& options, std::uint64_t i, Table& paths) {
  std::size_t const families = laboratory.families.size();
  laboratory.draw(options.family.value_or(i % families), options.seed, options.family ? i : i / families, paths);
}

/// Returns true if there is enough time to scan one path per family. An answer takes between a microsecond and ten
/// milliseconds.
bool any_fits(Probe& probe, ContinuityOptions const& options, Late const& late) {
  constexpr double answers_of_a_path = 600;  // the samples of a path, and about ten bisections of fifty steps
  if (options.seconds == 0) return true;
  Table path(probe.lab.path);
  draw(probe.lab, options, 0, path);
  std::vector<Place> const places = places_on_grid(path, grid);
  probe.look(path, places);
  auto const families = static_cast<double>(options.family ? 1 : probe.lab.families.size());
  return late.elapsed() / static_cast<double>(places.size()) * answers_of_a_path * families < options.seconds;
}

/// Scans the paths that are drawn, until the time is over.
void scan_drawn(Probe& probe, ContinuityOptions const& options, Late const& late, Continuity& result, Groups& groups) {
  // With a time limit, the first block has at most one path per family, because there may be no time for more. Later
  // blocks are larger.
  std::size_t block = options.seconds > 0 ? std::min(probe.lab.families.size(), probe.block()) : probe.block();
  for (std::uint64_t done = 0; done < options.paths && !stopped(options.stop);) {
    Table paths(probe.lab.path);
    for (; paths.rows < block && done < options.paths; ++done) draw(probe.lab, options, done, paths);
    std::uint64_t const before = result.bisections;
    gather(probe.lab, groups, paths, scan(probe, paths, {}, {.totals = &result}));
    if (late.at_last() && result.bisections == before) return;
    result.paths += paths.rows;
    if (late(0.5)) return;
    if (!late(0.1)) block = std::min(2 * block, probe.block());
    if (options.progress) options.progress(0.7 * static_cast<double>(done) / static_cast<double>(options.paths));
  }
}

}  // namespace
}  // namespace path_search

Continuity search_continuity(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                             ContinuityOptions const& options) {
  using namespace path_search;
  Late const late(options);
  Probe probe(kernel, laboratory, subject);
  probe.late = [&] { return late.at_last(); };
  Continuity result = empty_result(kernel, laboratory, subject);
  Groups groups;
  if (!any_fits(probe, options, late)) {
    finish(probe, late, result);
    return result;
  }
  scan_drawn(probe, options, late, result, groups);
  Table paths(laboratory.path);
  for (std::uint64_t i = 0; i < std::min(options.bends, result.paths); ++i) draw(laboratory, options, i, paths);
  if (paths.rows > 0) search_kinks(probe, paths, result);
  if (options.ascend) climb_slopes(probe, options, late, result, groups);
  enter_jumps(probe, groups, options, late, result);
  finish(probe, late, result);
  return result;
}

Continuity examine_path(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                        Table const& paths) {
  using namespace path_search;
  Late const late(ContinuityOptions{});
  Probe probe(kernel, laboratory, subject);
  Continuity result = empty_result(kernel, laboratory, subject);
  result.paths = paths.rows;
  for (auto& finding : scan(probe, paths, {}, {.totals = &result})) {
    std::size_t const quantity =
        static_cast<std::size_t>(std::max_element(finding.sizes.begin(), finding.sizes.end()) - finding.sizes.begin());
    Candidate candidate{finding, one_path(laboratory, paths, finding.path), {}};
    if (!confirmed(probe, result.formula, candidate, quantity, late)) {
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
  search_kinks(probe, paths, result);
  finish(probe, late, result);
  return result;
}

std::vector<double> observe_path(Kernel const& kernel, Laboratory const& laboratory, Subject const& subject,
                                 Table const& path, std::vector<double> const& parameters) {
  path_search::Probe probe(kernel, laboratory, subject);
  std::vector<Place> places;
  for (double const parameter : parameters) places.push_back({0, parameter});
  probe.look(path, places);
  return probe.observations;
}

}  // namespace demeter
