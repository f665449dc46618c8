// Oracle of clump_union_mass_properties. It slices the union with planes z = const, integrates each slice by Green's
// theorem along the exposed arcs of the discs, and integrates over z by quadrature.
//
// The structure of a slice changes at certain heights: poles of spheres, lowest and highest points of the circles where
// two spheres meet, points where three spheres meet. Between two such heights, the integrals of a slice are analytic in
// z, except for square roots at the ends. The substitution z = middle + half sin(theta) makes them analytic at the ends
// too. An additional height does no harm. A height at which no arc is exposed is omitted. Each piece between two
// heights is integrated by the Gauss rule with n nodes and the Kronrod rule with 2n + 1 nodes, and halved until both
// rules agree. It does not matter whether four spheres meet in a point or only nearly: an arc that is wrongly
// classified is as short as the rounding error.
//
// Certified parts: the integrals of a slice have only rounding errors, for which an allowance is added. The principal
// moments and the excess of the axes are enclosed rigorously, given the enclosure of the tensor.
//
// Estimated part: the error of the quadrature. The enclosure contains the whole difference of the two rules. The error
// of the better rule is a small part of this difference (at most a hundredth so far). For this reason the contract says
// "estimated".
#pragma once

#include "oracles/core/enclosure.hpp"
#include "oracles/core/hooks.hpp"
#include "oracles/core/interval.hpp"
#include "oracles/family/clump/principal_axes.hpp"
#include "reference/spec/clump_union_mass_properties.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/multiprecision/mpfr.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

namespace demeter::clump_union_mass_properties::oracle {

namespace slices {

template <unsigned Digits>
using Number = boost::multiprecision::number<
    boost::multiprecision::mpfr_float_backend<Digits, boost::multiprecision::allocate_stack>,
    boost::multiprecision::et_off>;

/// The number of nodes of the Gauss-Kronrod rule for a scalar type.
template <class Real>
struct Rule {
  static constexpr unsigned nodes = 61;
};
template <>
struct Rule<long double> {
  static constexpr unsigned nodes = 31;
};

template <class Real>
Real two_to(int exponent) {
  using std::ldexp;
  return ldexp(Real(1), exponent);
}

template <class Real>
struct Sphere {
  Real x, y, z, r;
};

/// Volume, surface, and the integrals of x, y, z, xx, yy, zz, xy, xz, yz over the whole union.
template <class Real>
using Sums = std::array<Real, 11>;

/// The centre of another disc relative to the centre of this disc, in the plane of a slice: distance, its square, and
/// direction.
template <class Real>
struct Beside {
  std::size_t other;
  Real distance, square, angle, c, s;
};

/// A point on a circle: its angle, and the cosine and the sine of the angle.
template <class Real>
struct Point {
  Real angle, c, s;
};
template <class Real>
struct Arc {
  Point<Real> from, to;
};

/// Sums over the exposed arcs of a disc. The first is the sum of the angles. The others are sums of the differences
/// between the two ends, for sin, cos, sin cos, sin^2, sin^3, cos^3, cos^4, cos^3 sin, sin^3 cos.
template <class Real>
using Arcs = std::array<Real, 10>;

template <class Real>
struct Body {
  std::vector<Sphere<Real>> spheres;
  std::vector<std::vector<Beside<Real>>> beside;
};

template <class Real>
struct Slicer {
  Body<Real> const& body;
  std::vector<Real> square, radius;  // squares of the radii of the discs in the slice, and the radii
  std::vector<Arc<Real>> covered;

  explicit Slicer(Body<Real> const& of) : body(of), square(of.spheres.size()), radius(of.spheres.size()) {}

  /// Adds the integrals of the slice at height z, multiplied by a weight.
  void add(Real const& z, Real const& weight, Sums<Real>& sums) {
    using std::acos;
    using std::sqrt;
    Real const zero(0), pi = boost::math::constants::pi<Real>();
    Point<Real> const begin{-pi, Real(-1), zero}, end{pi, Real(-1), zero};
    std::size_t const n = body.spheres.size();
    for (std::size_t i = 0; i < n; ++i) {
      Real const up = z - body.spheres[i].z;
      square[i] = (body.spheres[i].r - up) * (body.spheres[i].r + up);
      radius[i] = square[i] > zero ? Real(sqrt(square[i])) : zero;
    }
    std::array<Real, 6> flat{zero, zero, zero, zero, zero, zero};  // integrals of 1, x, y, xx, xy, yy over the slice
    Real surface = zero;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(radius[i] > zero)) continue;
      covered.clear();
      bool gone = false;
      for (Beside<Real> const& each : body.beside[i]) {
        Real const other = radius[each.other];
        if (!(other > zero) || !(each.distance < radius[i] + other)) continue;
        bool const within = !(each.distance > other - radius[i]), around = !(each.distance > radius[i] - other);
        // Two discs may be equal up to rounding. Then each is within the other, and only the first one counts.
        if (around && (!within || i < each.other)) continue;
        if (within) {
          gone = true;
          break;
        }
        Real const along = (each.square + (square[i] - square[each.other])) / (2 * each.distance * radius[i]);
        Real const c = std::min(Real(1), std::max(Real(-1), along)), half = acos(c), s = sqrt(Real((1 - c) * (1 + c)));
        Point<Real> from{each.angle - half, each.c * c + each.s * s, each.s * c - each.c * s};
        Point<Real> to{each.angle + half, each.c * c - each.s * s, each.s * c + each.c * s};
        if (from.angle < -pi) {
          covered.push_back({{from.angle + 2 * pi, from.c, from.s}, end});
          from = begin;
        }
        if (to.angle > pi) {
          covered.push_back({begin, {to.angle - 2 * pi, to.c, to.s}});
          to = end;
        }
        covered.push_back({from, to});
      }
      if (gone) continue;
      Arcs<Real> arcs;
      arcs.fill(zero);
      if (covered.empty()) {
        arcs[0] = 2 * pi;
        surface += body.spheres[i].r * arcs[0];
        add_disc(i, arcs, flat);
        continue;
      }
      std::sort(covered.begin(), covered.end(),
                [](Arc<Real> const& a, Arc<Real> const& b) { return a.from.angle < b.from.angle; });
      Point<Real> reached = begin;
      for (auto const& [from, to] : covered) {
        if (reached.angle < from.angle) add_arc(reached, from, arcs);
        if (reached.angle < to.angle) reached = to;
      }
      if (reached.angle < pi) add_arc(reached, end, arcs);
      surface += body.spheres[i].r * arcs[0];  // a zone of unit height has the area r * angle
      add_disc(i, arcs, flat);
    }
    auto const& [area, x, y, xx, xy, yy] = flat;
    Sums<Real> const terms{area, surface, x, y, z * area, xx, yy, z * z * area, xy, z * x, z * y};
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += weight * terms[k];
  }

  static void add_arc(Point<Real> const& from, Point<Real> const& to, Arcs<Real>& arcs) {
    Real const &c1 = from.c, &s1 = from.s, &c2 = to.c, &s2 = to.s;
    Real const cc1 = c1 * c1, ss1 = s1 * s1, sc1 = s1 * c1, cc2 = c2 * c2, ss2 = s2 * s2, sc2 = s2 * c2;
    arcs[0] += to.angle - from.angle;
    arcs[1] += s2 - s1;
    arcs[2] += c2 - c1;
    arcs[3] += sc2 - sc1;
    arcs[4] += ss2 - ss1;
    arcs[5] += ss2 * s2 - ss1 * s1;
    arcs[6] += cc2 * c2 - cc1 * c1;
    arcs[7] += cc2 * cc2 - cc1 * cc1;
    arcs[8] += cc2 * sc2 - cc1 * sc1;
    arcs[9] += ss2 * sc2 - ss1 * sc1;
  }

  /// Adds the integrals of 1, x, y, xx, xy, yy over a disc. Green's theorem gives them as integrals along the exposed
  /// arcs: of (int f dx) dy for f = 1, x, xx, xy, and of -(int f dy) dx for f = y, yy.
  void add_disc(std::size_t i, Arcs<Real> const& arcs, std::array<Real, 6>& flat) const {
    Real const &x = body.spheres[i].x, &y = body.spheres[i].y, &R = radius[i];
    auto const& [extent, s, c, sc, ss, sss, ccc, cccc, cccs, sssc] = arcs;
    // Integrals over the arcs: Cn is the integral of cos^n, Sn of sin^n, Mn of cos^n sin.
    Real const &C1 = s, C2 = (extent + sc) / 2, C3 = s - sss / 3, C4 = (cccs + 3 * C2) / 4;
    Real const S1 = -c, S2 = (extent - sc) / 2, S3 = ccc / 3 - c, S4 = (3 * S2 - sssc) / 4;
    Real const M1 = ss / 2, M2 = -ccc / 3, M3 = -cccc / 4;
    Real const squares = x * x * C1 + 2 * x * R * C2 + R * R * C3;
    flat[0] += R * (x * C1 + R * C2);
    flat[1] += R * squares / 2;
    flat[2] += R * (y * y * S1 + 2 * y * R * S2 + R * R * S3) / 2;
    flat[3] += R * (x * x * x * C1 + 3 * x * R * (x * C2 + R * C3) + R * R * R * C4) / 3;
    flat[4] += R * (y * squares + R * (x * x * M1 + 2 * x * R * M2 + R * R * M3)) / 2;
    flat[5] += R * (y * y * y * S1 + 3 * y * R * (y * S2 + R * S3) + R * R * R * S4) / 3;
  }
};

/// Returns whether a point is deep inside a ball other than i, j and k. In this case nothing near the point is exposed.
template <class Real>
bool buried(Body<Real> const& body, Real const& x, Real const& y, Real const& z, std::size_t i, std::size_t j,
            std::size_t k) {
  for (std::size_t n = 0; n < body.spheres.size(); ++n) {
    if (n == i || n == j || n == k) continue;
    auto const& s = body.spheres[n];
    Real const dx = x - s.x, dy = y - s.y, dz = z - s.z;
    if (dx * dx + dy * dy + dz * dz < s.r * s.r * Real(0.999999)) return true;
  }
  return false;
}

/// Returns the heights where the structure of a slice changes.
template <class Real>
std::vector<Real> events(Body<Real> const& body) {
  using std::sqrt;
  std::vector<Real> heights;
  auto const& spheres = body.spheres;
  std::size_t const n = spheres.size();
  Real const zero(0);
  auto const add = [&](Real const& x, Real const& y, Real const& z, std::size_t i, std::size_t j, std::size_t k) {
    if (!buried<Real>(body, x, y, z, i, j, k)) heights.push_back(z);
  };
  for (std::size_t i = 0; i < n; ++i) {
    auto const& a = spheres[i];
    add(a.x, a.y, a.z - a.r, i, i, i);
    add(a.x, a.y, a.z + a.r, i, i, i);
    for (std::size_t j = i + 1; j < n; ++j) {
      auto const& b = spheres[j];
      Real const ex = b.x - a.x, ey = b.y - a.y, ez = b.z - a.z;
      Real const square = ex * ex + ey * ey + ez * ez, sum = a.r + b.r, step = a.r - b.r;
      if (!(square < sum * sum) || !(square > step * step)) continue;
      Real const share = (1 + step * sum / square) / 2;  // position of the circle's centre between a (0) and b (1)
      Real const height = a.r * a.r - share * share * square, flat = ex * ex + ey * ey;
      if (!(height > zero)) continue;
      // The lowest and highest points are in the direction of z, projected onto the circle's plane.
      Real const out = sqrt(Real(height / square)), long_flat = sqrt(flat);
      Real const x = a.x + share * ex, y = a.y + share * ey, z = a.z + share * ez;
      for (int const side : {-1, 1}) {
        Real const f = side * out;
        if (flat > zero)
          add(x - f * ez * ex / long_flat, y - f * ez * ey / long_flat, z + f * long_flat, i, j, j);
        else
          heights.push_back(z);  // the whole circle is at this height, and a part of the circle may be exposed
      }
      for (std::size_t k = j + 1; k < n; ++k) {
        auto const& c = spheres[k];
        Real const fx = c.x - a.x, fy = c.y - a.y, fz = c.z - a.z;
        Real const far = fx * fx + fy * fy + fz * fz, reach = a.r + c.r;
        if (!(far < reach * reach)) continue;
        // The points on all three spheres are p +- s (e x f), where p = u e + v f has equal power to the three spheres.
        Real const tx = ey * fz - ez * fy, ty = ez * fx - ex * fz, tz = ex * fy - ey * fx;
        Real const area = tx * tx + ty * ty + tz * tz;
        if (!(area > zero)) continue;
        Real const ke = share * square, kf = (far + (a.r - c.r) * (a.r + c.r)) / 2;
        Real const ef = ex * fx + ey * fy + ez * fz;
        Real const u = (ke * far - kf * ef) / area, v = (kf * square - ke * ef) / area;
        Real const px = u * ex + v * fx, py = u * ey + v * fy, pz = u * ez + v * fz;
        Real const rest = (a.r * a.r - (px * px + py * py + pz * pz)) / area;
        if (rest < zero) {
          // The three spheres nearly meet, or they meet and rounding hides it. The point where they would meet is
          // added.
          if (-rest * area < a.r * a.r / 1000000) add(a.x + px, a.y + py, a.z + pz, i, j, k);
          continue;
        }
        Real const s = sqrt(rest);
        add(a.x + px - s * tx, a.y + py - s * ty, a.z + pz - s * tz, i, j, k);
        add(a.x + px + s * tx, a.y + py + s * ty, a.z + pz + s * tz, i, j, k);
      }
    }
  }
  std::sort(heights.begin(), heights.end());
  return heights;
}

/// The integrals of a union or of a part, and estimates of their errors.
template <class Real>
struct Integrals {
  Sums<Real> sums, errors;
};

/// Sine and cosine of the angle of a node, measured from the middle of a piece. The piece was halved `halvings` times.
template <class Real>
struct Turn {
  Real s, c;
};
template <class Real>
std::vector<Turn<Real>> const& turns(std::size_t halvings) {
  using std::cos;
  using std::sin;
  thread_local std::deque<std::vector<Turn<Real>>> known;  // a deque does not move its elements
  while (known.size() <= halvings) {
    Real const radius = boost::math::constants::half_pi<Real>() * two_to<Real>(-static_cast<int>(known.size()));
    known.emplace_back();
    for (Real const& node : boost::math::quadrature::gauss_kronrod<Real, Rule<Real>::nodes>::abscissa())
      known.back().push_back({sin(Real(radius * node)), cos(Real(radius * node))});
  }
  return known[halvings];
}

template <class Real>
struct Integrator {
  Slicer<Real> slicer;
  Sums<Real> const& scale;
  Real tolerance;  ///< largest allowed difference of the two rules, relative to the scale
  Integrals<Real> found;

  /// Adds the integral over theta from `low` to `high`, at heights middle + half sin(theta).
  void add(Real const& middle, Real const& half, Real const& low, Real const& high, std::size_t halvings = 0) {
    using std::cos;
    using std::sin;
    using Kronrod = boost::math::quadrature::gauss_kronrod<Real, Rule<Real>::nodes>;
    using Gauss = boost::math::quadrature::gauss<Real, (Rule<Real>::nodes - 1) / 2>;
    Real const centre = (low + high) / 2, radius = (high - low) / 2, zero(0);
    Real const sine = sin(centre), cosine = cos(centre);
    auto const& by = turns<Real>(halvings);
    Sums<Real> fine, coarse;
    fine.fill(zero);
    coarse.fill(zero);
    auto const& nodes = Kronrod::abscissa();
    auto const& weights = Kronrod::weights();
    auto const& rough = Gauss::weights();
    // The Kronrod nodes from the middle outwards. Every second node is a Gauss node, including the middle if the number
    // of Gauss nodes is odd.
    constexpr bool odd = (Rule<Real>::nodes - 1) / 2 % 2 == 1;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      bool const shared = (k % 2 == 0) == odd;
      for (int const side : {-1, 1}) {
        if (k == 0 && side > 0) continue;
        Real const s = side * by[k].s, &c = by[k].c;
        Sums<Real> at;
        at.fill(zero);
        slicer.add(middle + half * (sine * c + cosine * s), half * (cosine * c - sine * s) * radius, at);
        for (std::size_t m = 0; m < at.size(); ++m) {
          fine[m] += weights[k] * at[m];
          if (shared) coarse[m] += rough[k / 2] * at[m];
        }
      }
    }
    // A singularity just beyond the end of a piece (for example a pole next to a circle) may be as close as the
    // rounding error in z. The distance in theta is then the square root of the rounding error. This limits the number
    // of halvings.
    constexpr std::size_t most = std::numeric_limits<Real>::digits / 2 + 8;
    bool agree = true;
    Sums<Real> off;
    for (std::size_t m = 0; m < fine.size(); ++m) {
      off[m] = fine[m] - coarse[m];
      if (off[m] < zero) off[m] = -off[m];
      agree = agree && !(off[m] > tolerance * scale[m]);
    }
    if (!agree && halvings < most) {
      add(middle, half, low, centre, halvings + 1);
      add(middle, half, centre, high, halvings + 1);
      return;
    }
    for (std::size_t m = 0; m < fine.size(); ++m) {
      found.sums[m] += fine[m];
      found.errors[m] += off[m];
    }
  }
};

/// Returns the integrals of one connected part about the origin of the coordinates of its spheres. Lengths are in the
/// clump's unit. The errors include the effects of rounding.
template <class Real>
Integrals<Real> integrated(Body<Real>& body, Real const& rounding) {
  using std::abs;
  using std::atan2;
  using std::sqrt;
  Real const zero(0), pi = boost::math::constants::pi<Real>();
  body.beside.resize(body.spheres.size());
  Sums<Real> scale, blurred, steepest;
  scale.fill(zero);
  blurred.fill(zero);
  steepest.fill(zero);
  for (std::size_t i = 0; i < body.spheres.size(); ++i) {
    auto const& a = body.spheres[i];
    for (std::size_t j = 0; j < body.spheres.size(); ++j) {
      auto const& b = body.spheres[j];
      Real const x = b.x - a.x, y = b.y - a.y, z = b.z - a.z, square = x * x + y * y, reach = a.r + b.r;
      if (i == j || !(square + z * z < reach * reach)) continue;
      Real const distance = sqrt(square);
      if (square > zero)
        body.beside[i].push_back({j, distance, square, Real(atan2(y, x)), x / distance, y / distance});
      else
        body.beside[i].push_back({j, zero, zero, zero, Real(1), zero});
    }
    Real const volume = 4 * pi / 3 * a.r * a.r * a.r, far = sqrt(Real(a.x * a.x + a.y * a.y + a.z * a.z)) + a.r;
    // Allowance for rounding errors, in units of `rounding`. The 12 Green terms of a disc have one rounding each. A
    // height z has an error of 3 roundings of its distance from the origin. It changes the square of the disc's radius
    // by 2 |z - z_i| times this error. Relative to this square, the change is 4.5 far / r roundings on average per
    // ball. The ends of pieces add at most half of this. In long double, `rounding` is 3.7 roundings. The total is
    // therefore 3.3 + 1.8 far / r if all errors have the same sign. With 31 nodes per piece the signs differ. The
    // allowance is therefore larger in the first term and about half in the second. The largest difference from the
    // reference was a fifth of this allowance.
    Real const blur = 8 + far / a.r;
    std::array<Real, 3> const reach{abs(a.x) + a.r, abs(a.y) + a.r, abs(a.z) + a.r};
    constexpr std::array<std::size_t, 6> row{0, 1, 2, 0, 0, 1}, column{0, 1, 2, 1, 2, 2};
    blurred[0] += blur * volume;
    blurred[1] += blur * 4 * pi * a.r * a.r;
    for (std::size_t k = 0; k < 3; ++k) blurred[2 + k] += blur * volume * reach[k];
    for (std::size_t k = 0; k < 6; ++k) blurred[5 + k] += blur * volume * reach[row[k]] * reach[column[k]];
    Sums<Real> whole_ball;
    whole_ball.fill(volume * far * far);
    whole_ball[0] = volume;
    whole_ball[1] = 4 * pi * a.r * a.r;
    for (std::size_t k = 2; k < 5; ++k) whole_ball[k] = volume * far;
    for (std::size_t k = 0; k < 11; ++k) {
      scale[k] += whole_ball[k];
      steepest[k] += whole_ball[k] / a.r;  // each integral of a slice is at most three quarters of `steepest`
    }
  }
  Sums<Real> none;
  none.fill(zero);
  Integrator<Real> integrator{Slicer<Real>(body), scale, 64 * rounding, {none, none}};
  auto const heights = events(body);
  for (std::size_t k = 0; k + 1 < heights.size(); ++k) {
    Real const half = (heights[k + 1] - heights[k]) / 2;
    if (half > rounding)
      integrator.add(heights[k] + half, half, -pi / 2, pi / 2);
    else  // the two heights are equal except for rounding
      for (std::size_t m = 0; m < 11; ++m) integrator.found.errors[m] += 2 * half * steepest[m];
  }
  for (std::size_t k = 0; k < 11; ++k) integrator.found.errors[k] += rounding * blurred[k];
  return integrator.found;
}

/// Adds the integrals of a part to the sum. The origin of the part is at d.
template <class Real>
void add_part(Integrals<Real> const& part, std::array<Real, 3> const& d, Real const& rounding, Integrals<Real>& sum) {
  using std::abs;
  constexpr std::array<std::size_t, 6> row{0, 1, 2, 0, 0, 1}, column{0, 1, 2, 1, 2, 2};
  auto const& [sums, errors] = part;
  Real const V = sums[0];
  sum.sums[0] += V;
  sum.sums[1] += sums[1];
  sum.errors[0] += errors[0];
  sum.errors[1] += errors[1];
  for (std::size_t k = 0; k < 3; ++k) {
    sum.sums[2 + k] += sums[2 + k] + V * d[k];
    sum.errors[2 + k] += errors[2 + k] + (errors[0] + rounding * V) * abs(d[k]);
  }
  for (std::size_t k = 0; k < 6; ++k) {
    std::size_t const a = row[k], b = column[k];
    Real const &x = sums[2 + a], &y = sums[2 + b], off_x = errors[2 + a] + rounding * (abs(x) + V * abs(d[a])),
               off_y = errors[2 + b] + rounding * (abs(y) + V * abs(d[b]));
    sum.sums[5 + k] += sums[5 + k] + (x * d[b] + d[a] * y + V * d[a] * d[b]);
    sum.errors[5 + k] += errors[5 + k] + off_x * abs(d[b]) + abs(d[a]) * off_y + errors[0] * abs(d[a] * d[b]);
  }
}

/// The integrals of the union about the centre of the largest ball. Lengths are in units of 2^exponent.
template <class Real>
struct Whole {
  Integrals<Real> found;
  int exponent = 0;
  std::size_t largest = 0;
};
template <class Real>
Whole<Real> integrated(Input<double> const& in, Real const& rounding) {
  Whole<Real> whole;
  auto const& balls = in.balls;
  for (std::size_t i = 1; i < balls.size(); ++i)
    if (balls[i].radius > balls[whole.largest].radius) whole.largest = i;
  whole.exponent = std::ilogb(balls[whole.largest].radius);
  Real const unit = two_to<Real>(-whole.exponent), zero(0);
  auto const place = [&](std::size_t i, std::size_t origin) -> Sphere<Real> {
    auto const &c = balls[i].centre, &o = balls[origin].centre;
    return {(Real(c[0]) - Real(o[0])) * unit, (Real(c[1]) - Real(o[1])) * unit, (Real(c[2]) - Real(o[2])) * unit,
            Real(balls[i].radius) * unit};
  };
  whole.found.sums.fill(zero);
  whole.found.errors.fill(zero);
  // Parts that do not touch are integrated separately. The origin of a part is the centre of its largest ball.
  std::vector<bool> taken(balls.size(), false);
  for (std::size_t first = 0; first < balls.size(); ++first) {
    if (taken[first]) continue;
    std::vector<std::size_t> part{first};
    taken[first] = true;
    for (std::size_t k = 0; k < part.size(); ++k)
      for (std::size_t j = 0; j < balls.size(); ++j) {
        if (taken[j]) continue;
        auto const b = place(j, part[k]);
        Real const reach = b.r + Real(balls[part[k]].radius) * unit;
        taken[j] = !(reach * reach < b.x * b.x + b.y * b.y + b.z * b.z);
        if (taken[j]) part.push_back(j);
      }
    std::size_t origin = first;
    for (std::size_t const i : part)
      if (balls[i].radius > balls[origin].radius) origin = i;
    Body<Real> body;
    for (std::size_t k = 0; k < part.size(); ++k) {
      auto const& one = balls[part[k]];
      bool const again = std::any_of(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(k), [&](std::size_t j) {
        return balls[j].centre == one.centre && balls[j].radius == one.radius;
      });
      if (!again) body.spheres.push_back(place(part[k], origin));
    }
    auto const at = place(origin, whole.largest);
    add_part<Real>(integrated<Real>(body, rounding), {at.x, at.y, at.z}, rounding, whole.found);
  }
  return whole;
}

/// A number with a bound on its error.
template <class Real>
struct Bounded {
  Real value, error;
};

/// All outputs except principal moments and axes. `arm` is the centroid relative to the centre of the largest ball.
template <class Real>
struct Described {
  Bounded<Real> volume, surface, mass;
  std::array<Bounded<Real>, 3> arm;
  std::array<Bounded<Real>, 6> inertia;
};
template <class Real>
Described<Real> described(Input<double> const& in, Whole<Real> const& whole) {
  using std::abs;
  auto const& [sums, errors] = whole.found;
  auto const scaled = [&](Bounded<Real> const& x, int power, Real const& factor) -> Bounded<Real> {
    Real const unit = two_to<Real>(power * whole.exponent);
    return {x.value * unit * factor, x.error * unit * factor};
  };
  Real const density(in.density), one(1);
  Real const V = sums[0], off = errors[0];
  std::array<Real, 3> c, e;
  for (std::size_t k = 0; k < 3; ++k) {
    c[k] = sums[2 + k] / V;
    e[k] = (errors[2 + k] + abs(c[k]) * off) / V * 2;
  }
  // The integral of x x^T, with x measured from the centroid, in the order xx, yy, zz, xy, xz, yz.
  constexpr std::array<std::size_t, 6> row{0, 1, 2, 0, 0, 1}, column{0, 1, 2, 1, 2, 2};
  std::array<Bounded<Real>, 6> central;
  for (std::size_t k = 0; k < 6; ++k) {
    std::size_t const a = row[k], b = column[k];
    central[k] = {sums[5 + k] - V * c[a] * c[b],
                  errors[5 + k] + off * abs(c[a] * c[b]) + V * (abs(c[a]) * e[b] + abs(c[b]) * e[a] + e[a] * e[b])};
  }
  Described<Real> out;
  out.volume = scaled({V, off}, 3, one);
  out.surface = scaled({sums[1], errors[1]}, 2, one);
  out.mass = scaled({V, off}, 3, density);
  for (std::size_t k = 0; k < 3; ++k) out.arm[k] = scaled({c[k], e[k]}, 1, one);
  for (std::size_t k = 0; k < 3; ++k) {
    auto const &a = central[(k + 1) % 3], &b = central[(k + 2) % 3];
    out.inertia[k] = scaled({a.value + b.value, a.error + b.error}, 5, density);
    out.inertia[3 + k] = scaled({-central[3 + k].value, central[3 + k].error}, 5, density);
  }
  return out;
}

/// Returns an enclosure that includes the final roundings: the products with units and density.
inline Enclosure enclosed(Bounded<long double> const& x, long double base = 0) {
  long double const high = base + x.value, seen = high - base;
  long double const low = (base - (high - seen)) + (x.value - seen);
  return {high, low, x.error + 0x1p-62L * std::fabs(x.value)};
}

template <class Real>
Interval interval(Bounded<Real> const& x, double base, mpfr_prec_t bits) {
  Interval middle(std::max<mpfr_prec_t>(bits, 64)), radius(64);
  Real const error = x.error + abs(x.value) * std::numeric_limits<Real>::epsilon() * 16;
  mpfi_set_fr(middle.get(), x.value.backend().data());
  mpfi_set_fr(radius.get(), error.backend().data());
  mpfr_set(&radius.get()->left, radius.high(), MPFR_RNDU);
  return Interval::exactly(base, bits) + hull(middle - radius, middle + radius);
}

/// Returns the principal moments of a tensor whose entries are enclosed. Computes the moments of the midpoint tensor,
/// with enough bits for a double root. Then widens them by a bound on the norm of the tensor's error (Weyl): 3 times
/// the largest error of an entry.
inline std::array<Interval, 3> moments(std::array<Interval, 6> const& tensor, mpfr_prec_t bits) {
  mpfr_prec_t const working = 2 * bits + 128;
  std::array<Interval, 6> middle;
  Interval off = Interval::exactly(0, bits);
  for (std::size_t k = 0; k < 6; ++k) {
    Interval point(working);
    mpfr_t half;
    mpfr_init2(half, working);
    mpfi_mid(half, tensor[k].get());
    mpfi_set_fr(point.get(), half);
    mpfr_clear(half);
    off = maximum(off, magnitude(tensor[k] - point));
    middle[k] = point;
  }
  Interval const reach = Interval::exactly(3, bits) * off, zero = Interval::exactly(0, bits);
  auto found = clump::oracle::moments(middle, working);
  for (Interval& each : found) each = maximum(hull(each - reach, each + reach), zero);
  return found;
}

template <unsigned Digits>
Output<Interval> refined(Input<double> const& in, mpfr_prec_t bits, int rounding_digits) {
  using Real = Number<Digits>;
  Real const rounding = pow(Real(10), -rounding_digits);
  auto const whole = integrated<Real>(in, rounding);
  auto const found = described<Real>(in, whole);
  Output<Interval> out;
  out.volume = interval<Real>(found.volume, 0, bits);
  out.surface_area = interval<Real>(found.surface, 0, bits);
  out.mass = interval<Real>(found.mass, 0, bits);
  std::array<Interval, 6> tensor;
  for (std::size_t k = 0; k < 6; ++k) tensor[k] = interval<Real>(found.inertia[k], 0, bits);
  auto const principal = moments(tensor, bits);
  for (std::size_t k = 0; k < 3; ++k) {
    auto const i = static_cast<Index>(k);
    out.centroid[i] = interval<Real>(found.arm[k], in.balls[whole.largest].centre[i], bits);
    out.principal[i] = principal[k];
  }
  for (std::size_t k = 0; k < 6; ++k) out.inertia[static_cast<Index>(k)] = tensor[k];
  for (Index k = 0; k < 4; ++k) out.orientation[k] = Interval::anything();
  return out;
}

}  // namespace slices

/// Returns all outputs except the orientation, which is not unique. Errors are about 1e-30 of the scale for up to 256
/// bits, and 1e-49 for more bits. The last result is cached, because the truth of one case is often requested many
/// times.
inline Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  struct Last {
    std::vector<double> key;
    Output<Interval> answer;
  };
  thread_local Last last;
  std::vector<double> key{static_cast<double>(bits), in.density};
  for (auto const& ball : in.balls)
    for (double const x : {ball.centre[0], ball.centre[1], ball.centre[2], ball.radius}) key.push_back(x);
  if (key != last.key) {
    last.answer = bits <= 256 ? slices::refined<40>(in, bits, 33) : slices::refined<60>(in, bits, 52);
    last.key = std::move(key);
  }
  return last.answer;
}

/// Returns the mass properties. Their errors are about 1e-17 of the scales.
inline Output<Enclosure> truth(Input<double> const& in) {
  auto const whole = slices::integrated<long double>(in, 2e-19L);
  auto const found = slices::described<long double>(in, whole);
  Output<Enclosure> out;
  out.volume = slices::enclosed(found.volume);
  out.surface_area = slices::enclosed(found.surface);
  out.mass = slices::enclosed(found.mass);
  std::array<Interval, 6> tensor;
  for (std::size_t k = 0; k < 6; ++k) {
    Enclosure const each = slices::enclosed(found.inertia[k]);
    out.inertia[static_cast<Index>(k)] = each;
    tensor[k] = clump::oracle::interval(each, 128);
  }
  auto const principal = slices::moments(tensor, 128);
  for (std::size_t k = 0; k < 3; ++k) {
    auto const i = static_cast<Index>(k);
    out.centroid[i] = slices::enclosed(found.arm[k], in.balls[whole.largest].centre[i]);
    out.principal[i] = clump::oracle::enclosed(principal[k]);
  }
  for (Index k = 0; k < 4; ++k) out.orientation[k] = {0, 0, std::numeric_limits<long double>::infinity()};
  return out;
}

/// Returns a + b if the sum is exact: twice the midpoint of a and b. Otherwise returns nullopt.
inline std::optional<double> exact_sum(double a, double b) {
  double const sum = a + b, b_seen = sum - a;
  if (!std::isfinite(sum) || (a - (sum - b_seen)) + (b - b_seen) != 0) return std::nullopt;
  return sum;
}

/// The reflections that leave the union unchanged. Bit k of an element of `axes` is set if the reflection replaces x_k
/// by 2 p_k - x_k.
struct Flips {
  std::array<std::optional<double>, 3> twice_p;
  std::vector<unsigned> axes;
};
inline Flips flips(Input<double> const& in) {
  Flips found;
  auto const& balls = in.balls;
  for (Index k = 0; k < 3; ++k) {
    auto const [low, high] = std::minmax_element(
        balls.begin(), balls.end(), [k](auto const& a, auto const& b) { return a.centre[k] < b.centre[k]; });
    found.twice_p[static_cast<std::size_t>(k)] = exact_sum(low->centre[k], high->centre[k]);
  }
  auto const image = [&](auto const& a, auto const& b, unsigned axes) {
    for (std::size_t k = 0; k < 3; ++k) {
      double const x = a.centre[static_cast<Index>(k)], y = b.centre[static_cast<Index>(k)];
      if ((axes >> k & 1) == 0 ? x != y : !found.twice_p[k] || exact_sum(x, y) != found.twice_p[k]) return false;
    }
    return a.radius == b.radius;
  };
  for (unsigned axes = 1; axes < 8; ++axes)
    if (std::all_of(balls.begin(), balls.end(), [&](auto const& a) {
          return std::any_of(balls.begin(), balls.end(), [&](auto const& b) { return image(a, b, axes); });
        }))
      found.axes.push_back(axes);
  return found;
}

/// Returns the truth for test vectors, to at least 30 digits. An enclosure around zero never has 30 digits. Therefore
/// an output that a symmetry of the balls determines is exact.
inline Output<Enclosure> recorded_truth(Input<double> const& in) {
  Output<Interval> const found = slices::refined<60>(in, 256, 41);
  Output<Enclosure> out;
  out.volume = enclosure_of(found.volume);
  out.surface_area = enclosure_of(found.surface_area);
  out.mass = enclosure_of(found.mass);
  for (Index k = 0; k < 3; ++k) {
    out.centroid[k] = enclosure_of(found.centroid[k]);
    out.principal[k] = enclosure_of(found.principal[k]);
  }
  for (Index k = 0; k < 6; ++k) out.inertia[k] = enclosure_of(found.inertia[k]);
  for (Index k = 0; k < 4; ++k) out.orientation[k] = {0, 0, std::numeric_limits<long double>::infinity()};
  Flips const symmetry = flips(in);
  constexpr std::array<unsigned, 3> row{0, 0, 1}, column{1, 2, 2};
  for (unsigned const axes : symmetry.axes) {
    for (unsigned k = 0; k < 3; ++k)
      if ((axes >> k & 1) != 0) out.centroid[k] = {0.5L * *symmetry.twice_p[k], 0, 0};
    for (unsigned k = 0; k < 3; ++k)
      if ((axes >> row[k] & 1) != (axes >> column[k] & 1)) out.inertia[3 + k] = {0, 0, 0};
  }
  return out;
}

/// Returns the error of the answer's axes, compared with principal axes. The answer's moments are not used.
inline Interval refined_excess(Input<double> const&, Output<Interval> const& truth, Output<double> const& answer) {
  return clump::oracle::axes_excess(truth, answer.orientation, truth.volume.precision());
}
inline Enclosure excess(Input<double> const&, Output<Enclosure> const& truth, Output<double> const& answer) {
  return clump::oracle::enclosed_axes_excess(truth, answer.orientation, 128);
}

/// One truth takes 1 to 4 ms in most cases, and 70 ms for twenty balls. `case_divisor` therefore reduces the number of
/// cases of a survey.
inline constexpr OracleHooks<Contract> hooks{
    .excess = excess, .refined_excess = refined_excess, .recorded_truth = recorded_truth, .case_divisor = 80};

}  // namespace demeter::clump_union_mass_properties::oracle
