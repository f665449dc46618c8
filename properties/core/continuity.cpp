#include "properties/core/continuity.hpp"

#include "properties/core/jumps.hpp"
#include "properties/core/kinks.hpp"

#include <algorithm>
#include <cmath>

namespace demeter {

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

/// Appends path `i` of a search: of the families in turn, or of one alone.
void draw(Laboratory const& laboratory, ContinuityOptions const& options, std::uint64_t i, Table& paths) {
  std::size_t const families = laboratory.families.size();
  laboratory.draw(options.family.value_or(i % families), options.seed, options.family ? i : i / families, paths);
}

/// Scans the paths that are drawn, as many as there is time for.
void scan_drawn(Probe& probe, ContinuityOptions const& options, Late const& late, Continuity& result, Groups& groups) {
  for (std::uint64_t done = 0; done < options.paths && !stopped(options.stop);) {
    Table paths(probe.lab.path);
    for (; paths.rows < probe.block() && done < options.paths; ++done) draw(probe.lab, options, done, paths);
    gather(probe.lab, groups, paths, scan(probe, paths, {}, {.totals = &result}));
    result.paths += paths.rows;
    if (late(0.5)) return;
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
  Continuity result = empty_result(kernel, laboratory, subject);
  Groups groups;
  scan_drawn(probe, options, late, result, groups);
  Table paths(laboratory.path);
  for (std::uint64_t i = 0; i < std::min(options.bends, options.paths); ++i) draw(laboratory, options, i, paths);
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
    if (!confirmed(probe, result.formula, candidate, quantity)) {
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
