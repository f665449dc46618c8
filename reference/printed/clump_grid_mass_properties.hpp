// Grid sampling by the plain loops of other codes. All coordinates are computed in the arithmetic of the input.
#pragma once

#include "reference/family/clump/sampling.hpp"
#include "reference/spec/core/erratum.hpp"
#include "reference/spec/core/formula.hpp"

#include <algorithm>
#include <utility>

namespace demeter::clump_grid_mass_properties::printed {

using reference::Box;
using reference::Moments;

/// Returns the cell centres along an axis, lo + (k + 1/2) h. If `running` is true, each centre is the previous centre
/// plus h.
template <field_scalar Scalar>
std::vector<Scalar> centres(Scalar const& low, Scalar const& high, Scalar const& h, bool running) {
  std::vector<Scalar> result;
  Scalar x = low + h / Scalar(2);
  for (int k = 1; x < high; ++k) {
    result.push_back(x);
    Scalar const next = running ? Scalar(x + h) : Scalar(low + (Scalar(k) + Scalar(1) / Scalar(2)) * h);
    if (running && !(x < next))
      break;  // far from the origin, adding h does not change x: the printed loop never ends
              // there
    x = next;
  }
  return result;
}

/// Adds a weight at the point x. `zz` is the mean of z^2. For a chord along z, it is more than x[2]^2.
template <field_scalar Scalar>
void add(Moments<Scalar>& sums, Scalar const& weight, Vector3<Scalar> const& x, Scalar const& zz) {
  sums.volume += weight;
  sums.first += weight * x;
  for (Index k = 0; k < 6; ++k)
    sums.second[k] += weight * (k == 2 ? zz : Scalar(x[reference::places[k][0]] * x[reference::places[k][1]]));
}

/// Returns the sums over the cells, about the global origin and in the order of the loop.
template <real_scalar Scalar>
Moments<Scalar> cells(Input<Scalar> const& in, Box<Scalar> const& box, Scalar const& h, bool running) {
  Moments<Scalar> sums = reference::no_moments<Scalar>();
  auto const xs = centres<Scalar>(box.low[0], box.high[0], h, running),
             ys = centres<Scalar>(box.low[1], box.high[1], h, running),
             zs = centres<Scalar>(box.low[2], box.high[2], h, running);
  Scalar const cell = h * h * h;
  for (Scalar const& x : xs)
    for (Scalar const& y : ys)
      for (Scalar const& z : zs)
        for (auto const& ball : in.balls) {
          Vector3<Scalar> const point(x, y, z), d = point - ball.centre;
          if (!(d.dot(d) < ball.radius * ball.radius)) continue;
          add<Scalar>(sums, cell, point, Scalar(z * z));
          break;
        }
  return sums;
}

/// Returns the sums over the chords of the columns, about the global origin.
template <real_scalar Scalar>
Moments<Scalar> columns(Input<Scalar> const& in, Box<Scalar> const& box, Scalar const& h, bool running) {
  using std::sqrt;
  Moments<Scalar> sums = reference::no_moments<Scalar>();
  std::vector<std::pair<Scalar, Scalar>> chords;
  for (Scalar const& x : centres<Scalar>(box.low[0], box.high[0], h, running))
    for (Scalar const& y : centres<Scalar>(box.low[1], box.high[1], h, running)) {
      chords.clear();
      for (auto const& ball : in.balls) {
        Scalar const dx = x - ball.centre[0], dy = y - ball.centre[1];
        Scalar const square = ball.radius * ball.radius - dx * dx - dy * dy;
        if (!(Scalar(0) < square)) continue;
        Scalar const half = sqrt(square);
        chords.emplace_back(ball.centre[2] - half, ball.centre[2] + half);
      }
      std::sort(chords.begin(), chords.end(), [](auto const& p, auto const& q) { return p.first < q.first; });
      for (std::size_t c = 0; c < chords.size();) {
        auto [low, high] = chords[c];
        for (++c; c < chords.size() && chords[c].first < high; ++c)
          if (high < chords[c].second) high = chords[c].second;
        add<Scalar>(sums, Scalar(h * h * (high - low)), {x, y, Scalar((low + high) / Scalar(2))},
                    Scalar((low * low + low * high + high * high) / Scalar(3)));
      }
    }
  return sums;
}

/// Returns the properties by the plain loop. A cell counts if its rounded centre is inside a ball. The moments are
/// computed about the global origin and then transferred to the centroid.
template <real_scalar Scalar>
Output<Scalar> sampled(Input<Scalar> const& in, bool running) {
  Box<Scalar> const box = reference::box_of<Scalar>(in.balls);
  Scalar const h = box.smallest / in.cells, zero(0);
  Moments<Scalar> sums =
      in.method == Method::columns ? columns<Scalar>(in, box, h, running) : cells<Scalar>(in, box, h, running);
  if (in.method == Method::centres_with_self_inertia)
    for (Index i = 0; i < 3; ++i) sums.second[i] += sums.volume * h * h / Scalar(12);
  return reference::described<Scalar>(in.density, {zero, zero, zero}, sums);
}

inline auto formulas() {
  return std::tuple{
      Formula{"cell_loop", "the cells' rounded centres, sums about the origin, then transferred", FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return sampled<Scalar>(in, false); }},
      Formula{"woo", "the same, each centre the one before plus h (Woo's loop)", FormulaKind::equal,
              []<class Scalar>(Input<Scalar> const& in) { return sampled<Scalar>(in, true); }},
  };
}

inline std::vector<Erratum> errata() {
  return {
      Erratum{
          .where = "algorithm",
          .documented = "announced, but not given",
          .implemented = "each cell centre is the previous centre plus h; the cells' own moments are added",
          .codes = {published::woo_clumps},
          .recommended =
              "Compute each centre from its index. The cells' own moments are a bias of h^2/6 and not a correction."},
  };
}

}  // namespace demeter::clump_grid_mass_properties::printed
