#include "check/path_scan.hpp"

#include "check/suspects.hpp"

#include <algorithm>
#include <cmath>

namespace demeter::path_search {
namespace {

/// A slope is computed only if the motion across `slope_width` of a path is larger than this, in natural units.
constexpr double least_motion = 1e-9;

/// The inputs that are needed at the end of a bisection: at its ends, some steps outside its ends, and at the ends of
/// the interval of width `slope_width`.
enum End : std::size_t { low_end, high_end, steps_before, steps_after, slope_low, slope_high, ends };

Table inputs_at_ends(Probe const& probe, Table const& paths, std::vector<Bisection> const& all) {
  std::vector<Place> places;
  for (auto const& one : all) {
    double const margin = 16 * std::max(one.width(), least_width);
    places.push_back({one.path, one.low.parameter});
    places.push_back({one.path, one.high.parameter});
    places.push_back({one.path, std::max(0.0, one.low.parameter - margin)});
    places.push_back({one.path, std::min(1.0, one.high.parameter + margin)});
    places.push_back({one.path, one.slope.value().low});
    places.push_back({one.path, one.slope.value().high});
  }
  Table inputs(probe.input_schema());
  probe.lab.at(paths, places, inputs);
  return inputs;
}

/// Returns the changes minus their possible rounding errors. `row` is the first row of the bisection's inputs.
Changes without_rounding(Probe const& probe, Table const& inputs, std::size_t row, Changes const& sizes) {
  std::size_t const quantities = probe.lab.quantities.size();
  Changes at_low{}, at_high{}, rest{};
  probe.lab.rounding(inputs, row + low_end, std::span(at_low).first(quantities));
  probe.lab.rounding(inputs, row + high_end, std::span(at_high).first(quantities));
  for (std::size_t k = 0; k < quantities; ++k)
    if (sizes[k] > 0) rest[k] = std::max(0.0, sizes[k] - probe.coarseness() * (at_low[k] + at_high[k]));
  return rest;
}

void keep(Laboratory const& lab, Table const& paths, std::size_t path, Table& into) {
  into.clear(lab.path);
  append_row(lab.path, into, paths, path);
}

/// Records how a quantity changes: like a power of the parameter, if the exponent is between 0.2 and 0.9. The exponent
/// follows from the changes at the two widths that the bisection has recorded.
void note_exponent(Probe const& probe, Table const& paths, Bisection const& one, std::size_t k, Hoelder& steep) {
  Reading const& slope = one.slope.value();
  double const wide = one.wide.value().changes[k];
  if (!(wide > 100 * probe.floor()) || !(slope.changes[k] > 0)) return;
  double const exponent = std::log2(slope.changes[k] / wide) / std::log2((slope.high - slope.low) / wide_width);
  if (!(0.2 < exponent && exponent < 0.9)) return;
  ++steep.found;
  if (!(exponent < steep.exponent)) return;
  steep.exponent = exponent;
  steep.parameter = one.low.parameter;
  keep(probe.lab, paths, one.path, steep.path);
}

/// Records the slopes of every quantity from a bisection that ended without a jump.
void note_slopes(Probe const& probe, Table const& paths, Bisection const& one, double motion, Sights const& sights) {
  Continuity& totals = *sights.totals;
  for (std::size_t k = 0; k < probe.lab.quantities.size(); ++k) {
    double const change = one.slope.value().changes[k];
    // If the motion or the change is smaller, rounding of the inputs makes the slope meaningless.
    double const ratio = motion > least_motion && change > least_motion ? change / motion : 0;
    if (sights.slopes != nullptr) {
      double& most = (*sights.slopes)[one.path][k];
      most = std::max(most, ratio);
    }
    if (Steepest& steepest = totals.steepest[k]; ratio > steepest.ratio) {
      steepest.ratio = ratio;
      steepest.parameter = one.low.parameter;
      keep(probe.lab, paths, one.path, steepest.path);
    }
    note_exponent(probe, paths, one, k, totals.steep[k]);
  }
}

/// Classifies the change of each bisection at adjacent parameters. Returns the jumps.
std::vector<Finding> conclude(Probe const& probe, Table const& paths, std::vector<Bisection> const& all,
                              Sights const& sights) {
  Laboratory const& lab = probe.lab;
  std::size_t const quantities = lab.quantities.size();
  Table const inputs = inputs_at_ends(probe, paths, all);
  std::vector<Finding> findings;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Bisection const& one = all[i];
    std::size_t const row = ends * i;
    Finding finding;
    finding.sizes = probe.changes(one.low.numbers, one.high.numbers);
    double const largest = *std::max_element(finding.sizes.begin(), finding.sizes.end());
    Changes rest{};
    if (largest > 0 && (sights.totals != nullptr || largest > probe.floor()))
      rest = without_rounding(probe, inputs, row, finding.sizes);
    bool jump = false;
    for (std::size_t k = 0; k < quantities; ++k) {
      finding.persists[k] = rest[k] > probe.floor() && finding.sizes[k] > 0.5 * one.wide.value().changes[k];
      jump = jump || finding.persists[k];
    }
    if (jump) {
      finding.path = one.path;
      finding.before = one.low.parameter, finding.after = one.high.parameter;
      finding.at_before = one.low.numbers, finding.at_after = one.high.numbers;
      finding.transition = lab.transition(inputs, row + steps_before, row + steps_after);
      findings.push_back(std::move(finding));
    } else if (Continuity* const totals = sights.totals) {
      for (std::size_t k = 0; k < quantities; ++k) {
        totals->change[k] = std::max(totals->change[k], finding.sizes[k]);
        totals->residual[k] = std::max(totals->residual[k], rest[k]);
      }
      note_slopes(probe, paths, one, lab.motion(inputs, row + slope_low, row + slope_high), sights);
    }
  }
  return findings;
}

}  // namespace

std::vector<Finding> scan(Probe& probe, Table const& paths, std::optional<std::size_t> quantity, Sights const& sights) {
  if (paths.rows == 0) return {};
  auto const samples = sampled(probe, paths);
  std::vector<Bisection> all;
  for (std::size_t path = 0; path < paths.rows; ++path) {
    auto const of_path = suspects(probe.lab, path, samples[path], quantity);
    all.insert(all.end(), of_path.begin(), of_path.end());
  }
  if (!bisect(probe, paths, all)) return {};
  if (sights.totals != nullptr) sights.totals->bisections += all.size();
  return conclude(probe, paths, all, sights);
}

}  // namespace demeter::path_search
