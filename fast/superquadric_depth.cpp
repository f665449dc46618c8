// The depth is the minimum of psi(u) = h_i(u) + h_j(u) - u.d over all directions u. psi may have several minima.
//
// In the space of directions there is a lower bound: psi(u) >= (p - d).u for every point p of the Minkowski sum of the
// bodies. But the search for a minimum is difficult there, because the support point p(u) jumps at the normal of every
// face. In the space of points the problem is smooth. The gauge of the sum is the growth distance, and its gradient and
// curvature follow from the point where the bodies touch. Therefore triangles of directions decide where to search, and
// the local search moves points.
#include "fast/superquadric_depth.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/one_row.hpp"
#include "fast/core/targets.hpp"
#include "fast/family/superquadric/wide.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/superquadric_depth.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/batch.hpp"
#include "fast/family/superquadric/touch.hpp"

#if HWY_ONCE

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace demeter::superquadric_depth::fast {
namespace {

using namespace superquadric::fast::HWY_NAMESPACE;
using Point = Triple<double>;

template <class Number>
struct Rows {
  Record<Number> i, j;
};

Point normalized(Point const& v) { return (1 / std::sqrt(dot(v, v))) * v; }
double norm(Point const& v) { return std::sqrt(dot(v, v)); }

// ------------------------------------------------------------------------------------------------------- both bodies

/// A pair. The unit of all lengths is a power of two near the largest semi-axis. In `at`, body j is at d.
struct Pair {
  Scaled<double> at;
  Point d;
  double unit;
};

HWY_INLINE Pair paired(Rows<double> const& in) {
  Pair pair;
  pair.unit = power_of_two(maximum(largest(in.i.semi_axes), largest(in.j.semi_axes)));
  double const shrink = inverse(pair.unit);
  place(in.i, shrink, pair.at.i);
  place(in.j, shrink, pair.at.j);
  pair.d = shrink * (in.j.position - in.i.position);
  pair.at.d.high = pair.d;
  pair.at.d.low = 0.0 * pair.d;
  pair.at.of_bodies = pair.at.of_distance = 1;
  return pair;
}

/// Returns p - d. p is the point of the sum of the bodies with the outward normal u. The component of the result along
/// u is psi.
HWY_INLINE Point gap_at(Pair const& pair, Point const& u) {
  Point const x = out_of_own(pair.at.i, support_point(pair.at.i.shape, into_own(pair.at.i, u))),
              z = out_of_own(pair.at.j, support_point(pair.at.j.shape, into_own(pair.at.j, u)));
  return x + z - pair.d;
}
Point gap(Pair const& pair, Point const& u) { return fast_core::call_fused<gap_at>(pair, u); }

/// Returns psi from the support functions. gap_at() would be less accurate: its product with u contains the errors of
/// its components across u.
HWY_INLINE double psi_at(Pair const& pair, Point const& u) {
  return support(pair.at.i.shape, into_own(pair.at.i, u)) + support(pair.at.j.shape, into_own(pair.at.j, u)) -
         dot(u, pair.d);
}
double psi(Pair const& pair, Point const& u) { return fast_core::call_fused<psi_at>(pair, u); }

/// Returns the state at the point where i and j touch. The search starts at the given point, or between the centres if
/// the pointer is null.
HWY_INLINE Meeting<double> touching_at(Scaled<double> const& at, Point const* start) {
  Search<double> s = begun(at, start != nullptr ? *start : between_centres(at));
  for (int k = 0; k < most_evaluations && !s.done; ++k) advance(at, s);
  if (!s.first && !(s.at.residual < Limits<double>::enough)) search_wide(at, s.at);
  return s.at;
}
Meeting<double> touching(Scaled<double> const& at, Point const* start) {
  return fast_core::call_fused<touching_at>(at, start);
}

HWY_INLINE Symmetric<double> hessian_at(Placed<double> const& body, Point const& x) {
  Slope<double> at;
  slope(body, x, at);
  return at.H;
}
Symmetric<double> hessian_of(Placed<double> const& body, Point const& x) {
  return fast_core::call_fused<hessian_at>(body, x);
}

// ------------------------------------------------------------------------------------------ local search from a point

/// A symmetric matrix in the plane perpendicular to u.
struct Plane {
  double xx, xy, yy;
};
Plane across(Symmetric<double> const& H, Point const& e1, Point const& e2, double factor) {
  auto const along = [&H](Point const& a, Point const& b) {
    Point const Hb{H.xx * b.x + H.xy * b.y + H.xz * b.z, H.xy * b.x + H.yy * b.y + H.yz * b.z,
                   H.xz * b.x + H.yz * b.y + H.zz * b.z};
    return dot(a, Hb);
  };
  return {factor * along(e1, e1), factor * along(e1, e2), factor * along(e2, e2)};
}

/// A point y of the surface of the sum, and its normal, computed in three ways: u from both bodies, of_i from body i
/// and of_j from body j.
struct Foot {
  Point y, u, of_i, of_j;
  double off;  ///< distance of d from the line through y along the normal
};

/// Returns the step along the surface to the point nearest to d on the paraboloid with the curvatures of the surface.
/// If the paraboloid has no such point, uses the tangent plane. The curvatures of the two bodies combine like parallel
/// resistances.
Point step_from(Meeting<double> const& at, Pair const& pair, Point const& y, Foot const& foot, double psi,
                Point const& aside, double sigma, double farthest) {
  Point const& u = foot.u;
  double const ax = std::fabs(u.x), ay = std::fabs(u.y), az = std::fabs(u.z);
  Point const least = ax <= ay && ax <= az ? Point{1, 0, 0} : ay <= az ? Point{0, 1, 0} : Point{0, 0, 1};
  Point const e1 = normalized(plain_cross(u, least)), e2 = plain_cross(u, e1);
  Plane const A = across(hessian_of(pair.at.i, at.x), e1, e2, sigma / at.weight_i),
              B = across(hessian_of(pair.at.j, at.x - y), e1, e2, sigma / at.weight_j);
  double const bent_i = A.xx + A.yy, bent_j = B.xx + B.yy, bent = bent_i + bent_j;
  Point const flat = -1.0 * aside;
  if (!(bent > 0)) return flat;
  double const sxx = A.xx + B.xx, sxy = A.xy + B.xy, syy = A.yy + B.yy, determinant = sxx * syy - sxy * sxy;
  Plane both{};
  if (determinant > 0x1p-50 * bent * bent) {
    // A (A + B)^-1 B = (det B A + det A B) / det (A + B)
    double const a = (A.xx * A.yy - A.xy * A.xy) / determinant, b = (B.xx * B.yy - B.xy * B.xy) / determinant;
    both = {b * A.xx + a * B.xx, b * A.xy + a * B.xy, b * A.yy + a * B.yy};
  } else {
    // If both bodies are flat in one direction, the result has only the other direction.
    double const share = bent_i / bent * (bent_j / bent);
    both = {share * sxx, share * sxy, share * syy};
  }
  double const mxx = 1 - psi * both.xx, mxy = -psi * both.xy, myy = 1 - psi * both.yy, of_m = mxx * myy - mxy * mxy;
  if (!(of_m > 0) || !(mxx + myy > 0)) return flat;
  double const a = dot(e1, aside), b = dot(e2, aside), t1 = (myy * a - mxy * b) / of_m, t2 = (mxx * b - mxy * a) / of_m;
  Point const step = (-t1) * e1 - t2 * e2;
  return norm(step) < farthest ? step : flat;
}

/// Returns the point of the surface of the sum that has the smallest distance from d. Searches near the point y.
Foot foot_near(Pair const& pair, Point y) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Scaled<double> at_y = pair.at;
  Foot best{y, {none, none, none}, {none, none, none}, {none, none, none}, none};
  Point from = y, step = y, start{};
  double nearest = 0, farthest = 0;
  bool first = true, found = false;
  for (int iteration = 0, idle = 0; iteration < 100 && idle < 3; ++iteration) {
    at_y.d.high = y;
    Meeting<double> const at = touching(at_y, first ? nullptr : &start);
    if (!(at.residual < 4)) break;  // no point was found: the input is outside of the domain
    double const both = at.weight_i + at.weight_j, sigma = (at.weight_j * at.Ni + at.weight_i * at.Nj) / both,
                 shrink = 1 / sigma;
    Foot now{};
    now.y = shrink * y;
    now.of_i = (1 / at.weight_i) * at.gi;
    now.of_j = (-1 / at.weight_j) * at.gj;
    now.u = normalized(now.of_i + now.of_j);
    Point const gap = now.y - pair.d;
    double const psi = dot(now.u, gap), distance = norm(gap);
    Point const aside = gap - psi * now.u;
    now.off = norm(aside);
    // If the change of the distance may be only rounding, `off` decides.
    constexpr double noise = 0x1p-42;
    bool const nearer = distance<nearest*(1 - noise), farther = distance> nearest * (1 + noise);
    if (!first && !nearer && (farther || !(now.off < best.off))) {
      step = 0.25 * step;
      y = from + step;
      if (!farther) ++idle;
      if (norm(step) < 0x1p-54 * norm(from)) break;
      continue;
    }
    nearest = first ? distance : std::min(nearest, distance);
    first = false;
    best = now;
    found = at.residual < 1e-3;
    farthest = norm(now.y) + nearest;
    if (now.off < 0x1p-52 * farthest) break;
    step = step_from(at, pair, y, now, psi, aside, sigma, farthest);
    from = now.y;
    start = shrink * at.x;
    y = from + step;
  }
  if (!found) best.off = none;
  return best;
}

// --------------------------------------------------------------------------------------- global search over directions

struct Triangle {
  std::array<Point, 3> corners, gaps;
};

/// Returns a lower bound of psi in the triangle. For any point of the sum, the smallest product with a corner is a
/// bound. The result is the largest bound over some points. These are the support points of the corners and of the
/// middle, and the midpoints of the support points of two corners. The midpoints help at the normal of a face, where
/// the support point jumps.
double bound_of(Triangle const& of, Point const& own) {
  auto const least = [&of](Point const& gap) {
    return std::min({dot(gap, of.corners[0]), dot(gap, of.corners[1]), dot(gap, of.corners[2])});
  };
  double most = least(own);
  for (std::size_t k = 0; k < 3; ++k)
    most = std::max({most, least(of.gaps[k]), least(0.5 * (of.gaps[k] + of.gaps[(k + 1) % 3]))});
  return most;
}

struct Best {
  double psi;
  Point u;

  /// Updates the best psi with the three normals of a foot. The normals differ by rounding errors. Near the normal of a
  /// face, the difference changes psi in proportion to the width of the face. The normal of a flat face does not depend
  /// on errors of the point. The smallest psi of the three is used, because no psi is below the minimum.
  void consider(Pair const& pair, Foot const& foot) {
    for (Point const& normal : {foot.u, foot.of_i, foot.of_j})
      consider(normal, superquadric_depth::fast::psi(pair, normal));
  }
  void consider(Point const& normal, double value) {
    if (value < psi) psi = value, u = normal;
  }
};

/// Divides triangles of directions until they are excluded or narrow. A local search starts from a narrow triangle. If
/// the search ends outside it, the triangle may still contain a minimum and is divided further. The order is depth
/// first: if d is near the surface, the best point is found early, and the stack needs no allocation.
void search(Pair const& pair, Best& best) {
  constexpr double narrow = 0.03, narrowest = 1e-3, infinity = std::numeric_limits<double>::infinity();
  constexpr std::size_t most_ends = 32;
  std::array<Point, most_ends> ends;
  std::size_t ended = 0;
  // For some pairs with a size ratio of 10,000 the touching point is not found. After three failures, psi at the
  // middles of the triangles is used without a local search.
  int lost = 0;
  auto const down_along = [&](Point const& u, double psi) {
    if (lost == 3) return best.consider(u, psi);
    Foot const foot = foot_near(pair, pair.d + psi * u);
    best.consider(pair, foot);
    if (ended < most_ends) ends[ended++] = foot.off < infinity ? foot.u : u;
    if (foot.off < infinity) return;
    ++lost;
    best.consider(u, psi);
  };
  std::array<Triangle, 64> stack;
  std::size_t open = 0;
  for (int octant = 0; octant < 8; ++octant) {
    Triangle& next = stack[open++];
    next.corners = {Point{(octant & 1) != 0 ? -1.0 : 1.0, 0, 0}, Point{0, (octant & 2) != 0 ? -1.0 : 1.0, 0},
                    Point{0, 0, (octant & 4) != 0 ? -1.0 : 1.0}};
    for (std::size_t k = 0; k < 3; ++k) next.gaps[k] = gap(pair, next.corners[k]);
  }
  for (int count = 0; open > 0 && count < 6000; ++count) {
    Triangle const now = stack[--open];
    Point const middle = normalized(now.corners[0] + now.corners[1] + now.corners[2]), own = gap(pair, middle);
    if (!(bound_of(now, own) < best.psi)) continue;
    double const along = dot(own, middle), size = norm(now.corners[0] - now.corners[1]);
    auto const known = [&] {
      for (std::size_t k = 0; k < ended; ++k)
        if (norm(ends[k] - middle) < std::min(2 * size, 0.03)) return true;
      return false;
    };
    // If psi at the middle is below the best psi, a local search starts at once: its result excludes other triangles.
    if (along < best.psi * (1 - 0x1p-40)) down_along(middle, along);
    if (size < narrow) {
      if (!known() && ended < most_ends) down_along(middle, along);
      if (known() || size < narrowest) continue;
    }
    if (open + 4 > stack.size()) continue;
    std::array<Point, 6> at, gaps;
    for (std::size_t k = 0; k < 3; ++k) {
      at[k] = now.corners[k];
      gaps[k] = now.gaps[k];
      at[3 + k] = normalized(now.corners[k] + now.corners[(k + 1) % 3]);
      gaps[3 + k] = gap(pair, at[3 + k]);
    }
    constexpr std::size_t parts[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    for (auto const& part : parts) {
      Triangle& next = stack[open++];
      for (std::size_t k = 0; k < 3; ++k) {
        next.corners[k] = at[part[k]];
        next.gaps[k] = gaps[part[k]];
      }
    }
  }
}

template <class Number>
struct Answer {
  Number depth;
  Triple<Number> direction;
};

/// Returns true if the input is in the domain. Beyond a factor of 1e100 between lengths, squares and their quotients
/// leave the range, and no search ends.
bool in_domain(Rows<double> const& in) {
  constexpr double factor = 1e100;
  auto const each = [](Triple<double> const& v, auto const& is) { return is(v.x) && is(v.y) && is(v.z); };
  double const i = largest(in.i.semi_axes), j = largest(in.j.semi_axes), unit = std::max(i, j);
  if (!(unit <= std::numeric_limits<double>::max()) || !(i / most_unequal_superquadrics <= j) ||
      !(j / most_unequal_superquadrics <= i))
    return false;
  for (Record<double> const* of : {&in.i, &in.j}) {
    auto const is_axis = [&](double x) { return x > 0 && unit / factor <= x && x <= unit; };
    auto const is_exponent = [](double n) { return n >= least_exponent && n <= largest_exponent; };
    auto const is_finite = [](double x) { return std::fabs(x) <= std::numeric_limits<double>::max(); };
    bool const some = of->qw != 0 || of->qx != 0 || of->qy != 0 || of->qz != 0;
    if (!each(of->semi_axes, is_axis) || !is_exponent(of->n1) || !is_exponent(of->n2) || !some) return false;
    if (!is_finite(of->qw) || !is_finite(of->qx) || !is_finite(of->qy) || !is_finite(of->qz)) return false;
  }
  return each(in.j.position - in.i.position, [&](double x) { return std::fabs(x) / factor <= unit; });
}

Answer<double> depth_of(Rows<double> const& in) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  constexpr Answer<double> unknown{none, {none, none, none}};
  if (!in_domain(in)) return unknown;
  Pair const pair = fast_core::call_fused<paired>(in);
  Best best{infinity, {}};
  if (largest(pair.d) != 0) best.consider(pair, foot_near(pair, pair.d));
  // If d is outside the sum, there is only one foot.
  if (!(best.psi < 0)) search(pair, best);
  return best.psi < infinity ? Answer<double>{pair.unit * best.psi, best.u} : unknown;
}

void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t row = 0; row < n; ++row) store_columns(depth_of(load_columns<double, Rows>(in, row)), out, row);
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  return fast_core::answer_one<evaluate_rows, Output<double>>(in);
}

void evaluate(Level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  evaluate_rows(n, in, out);
}

}  // namespace demeter::superquadric_depth::fast

#endif
