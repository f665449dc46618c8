// Mutants of superquadric_depth. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "mutants/family/superquadric.hpp"
#include "reference/spec/superquadric_depth.hpp"

#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace demeter::superquadric_depth::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using namespace superquadric::mutants;
using Point = Vector3<double>;

inline constexpr Defect own_defects[] = {
    {"line_of_centres", "the depth along the line of the centres", "spheres instead of the bodies"},
    {"local_search", "the local minimum that a search from the line of the centres finds",
     "local searches are wrong in 3 of 20 pairs at a growth distance of .5"},
    {"axes_of_bodies", "the least depth along the axes of both bodies", "separating axes without the edges"},
    {"sampled", "the least depth of 52 directions", "a search without refinement"},
    {"ends_at_a_millionth", "the search ends at 1e-6 of all lengths", "tolerance of EPA"},
    {"ends_at_1e_9", "the search ends at 1e-9 of all lengths", "tolerance of EPA"},
    {"gap_is_positive", "the distance between separated bodies is positive", "sign of a gap"},
    {"zero_when_apart", "separated bodies have the depth 0", "an extra clamp"},
    {"square_of_depth", "the square of the depth with its sign", "a missing root"},
    {"one_body", "only the support function of i", "only one body used"},
    {"twice_i", "the support function of i is used for both bodies", "copy and paste"},
    {"direction_of_centres", "the direction is along the line of the centres", "spheres instead of the bodies"},
    {"direction_not_unit", "the length of the direction is 1 + 1e-12", "a length that is assumed to be 1"},
    {"direction_to_point", "the direction points from the centre of i to the new centre of j",
     "a point instead of a direction"},
    {"sum_of_positions", "the positions are added", "sign of a difference"},
    {"global_position_of_j", "the position of i is ignored", "local and global frame exchanged"},
    {"global_frame", "the bodies are not rotated", "local and global frame exchanged"},
    {"exponents_not_conjugate", "the support function has the exponents of the gauge",
     "primal and dual norm exchanged"},
    {"one_exponent", "n1 is used in the x, y plane too", "as in the documented form"},
    {"ellipsoids", "exponents are replaced by 2", "ellipsoids instead of superquadrics"},
    {"boxes", "the boxes instead of the bodies", "a bound instead of the value itself"},
    {"inner_spheres", "the largest inscribed spheres instead of the bodies", "a bound instead of the value itself"},
    {"small_is_concentric", "centres within 0.1 mm are treated as equal", "absolute thresholds"},
    {"concentric_by_least_axes", "for equal centres the depth is the sum of the least semi-axes",
     "a bound instead of the value itself"},
    {"concentric_along_x", "for equal centres only the direction x is tried", "an arbitrary answer"},
    {"touching_tolerance", "depths below 1e-7 of the size count as 0", "a tolerance in a decision"},
    {"nearly_touching", "depths below 1e-10 of the size count as 0", "a tolerance around a threshold"},
    {"nearly_concentric", "centres within 1e-9 of the size are treated as equal", "a tolerance around a threshold"},
    {"depth_just_over", "the depth has an error of 200 u of all lengths", "an error just above the budget",
     "200 u are less than 1024"},
    {"direction_just_over", "the direction has an error of 1e-5", "a search that ends too early"},
};
inline constexpr auto defects = joined(own_defects, misreadings);
using Chosen = Choice<defects>;

// ----------------------------------------------------------------------------------- over all directions

enum class Norm { conjugate, own, boxes };  ///< exponents q of the support function: n/(n-1) (correct), n, or 1

/// Support function and support point of a body, from nested norms.
struct Support {
  Matrix3<double> R;
  Point axes;
  double q1, q2;

  Support(Body const& of, Norm by)
      : R(superquadric::conditioning::rotation(of.orientation).cast<double>()), axes(of.semi_axes) {
    double const n1 = of.n1, n2 = of.n2;
    q1 = by == Norm::conjugate ? n1 / (n1 - 1) : by == Norm::own ? n1 : 1;
    q2 = by == Norm::conjugate ? n2 / (n2 - 1) : by == Norm::own ? n2 : 1;
  }
  Point point(Point const& u) const {
    Point const along = R.transpose() * u, w = along.cwiseAbs().cwiseProduct(axes);
    // Returns the norm with exponent q, and its gradient. The larger number is factored out of the norm. The gradient
    // consists of the (q - 1)-th powers of both numbers, divided by the (q - 1)-th power of the norm.
    auto const norm = [](double x, double y, double q) -> Point {
      double const large = std::max(x, y), k = large > 0 ? std::min(x, y) / large : 0, less = std::pow(k, q - 1),
                   sum = 1 + less * k, root = std::pow(sum, 1 / q), of_large = root / sum, of_small = less * of_large;
      return {large * root, x < y ? of_small : of_large, x < y ? of_large : of_small};
    };
    Point const flat = norm(w[0], w[1], q2), whole = norm(flat[0], w[2], q1);
    Point y(whole[1] * flat[1], whole[1] * flat[2], whole[2]);
    for (Index k = 0; k < 3; ++k) y[k] *= along[k] < 0 ? -axes[k] : axes[k];
    return R * y;
  }
};

/// A weighted sum of the support functions of both bodies, minus u.d.
struct Sum {
  Support i, j;
  Point d;
  double size, parts_i = 1, parts_j = 1;

  Sum(Pair const& of, Norm by)
      : i(of.i, by),
        j(of.j, by),
        d(of.d.cast<double>()),
        size(of.i.semi_axes.maxCoeff() + of.j.semi_axes.maxCoeff() + static_cast<double>(of.d.norm())) {}
  /// Returns the vector whose component along u is psi(u).
  Point gap(Point const& u) const { return parts_i * i.point(u) + parts_j * j.point(u) - d; }
  double psi(Point const& u) const { return u.dot(gap(u)); }
};

struct Least {
  Real psi = std::numeric_limits<Real>::infinity();
  Wide u = Wide::Unit(0);
};

/// Minimises psi over all directions by branch and bound. Each point p of the Minkowski sum of the bodies gives a lower
/// bound: psi(v) >= v.(p - d). The smallest product of p - d with a corner of a triangle of directions is therefore a
/// lower bound for the whole triangle. The points p are the support points of the corners and of the middle, and points
/// between two of these.
/// The search stops when no triangle can be lower by more than `share` times the sum of all lengths. If a triangle is
/// narrower than `narrow` and is not excluded, `look` searches for a local minimum there, because this is more accurate
/// than the bounds. If `look` finds a minimum at another place, the triangle is divided further.
template <class Look>
Least branch_and_bound(Sum const& of, Least least, double share, double narrow, Look const& look) {
  using Three = std::array<Point, 3>;
  struct Cell {
    Three corners, gaps;
    double bound;
    bool operator<(Cell const& other) const { return other.bound < bound; }
  };
  auto const better = [&](Least const& other) {
    if (other.psi < least.psi) least = other;
  };
  auto const gap = [&](Point const& u) {
    Point const result = of.gap(u);
    if (!(narrow > 0)) better({result.dot(u), u.cast<Real>()});
    return result;
  };
  double const enough = share * of.size;
  std::priority_queue<Cell> open;
  auto const add = [&](Three const& corners, Three const& gaps, double parent) {
    Point const middle = (corners[0] + corners[1] + corners[2]).normalized();
    std::array<Point, 4> const points{gaps[0], gaps[1], gaps[2], gap(middle)};
    std::array<std::array<double, 3>, 4> products;
    for (std::size_t k = 0; k < 4; ++k)
      for (std::size_t l = 0; l < 3; ++l) products[k][l] = points[k].dot(corners[l]);
    double bound = parent;
    for (auto const& a : products)
      for (auto const& b : products) {
        auto const at = [&](double share) {
          return std::min({a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])});
        };
        double most = at(1);
        for (std::size_t k = 0; k < 3; ++k) {
          std::size_t const l = (k + 1) % 3;
          double const share = (a[k] - a[l]) / ((a[k] - a[l]) - (b[k] - b[l]));
          if (share > 0 && share < 1) most = std::max(most, at(share));
        }
        // Directions between the corners are shorter than 1 before they are normalised. Normalisation makes a negative
        // bound lower.
        if (most < 0) {
          Point const normal = (corners[1] - corners[0]).cross(Point(corners[2] - corners[0])).normalized();
          most /= std::fabs(normal.dot(corners[0]));
        }
        bound = std::max(bound, most);
      }
    if (bound < least.psi - enough) open.push({corners, gaps, bound});
  };
  for (int octant = 0; octant < 8; ++octant) {
    Three corners, gaps;
    for (int k = 0; k < 3; ++k) {
      auto const at = static_cast<std::size_t>(k);
      corners[at] = ((octant >> k & 1) != 0 ? -1.0L : 1.0L) * Point::Unit(k);
      gaps[at] = gap(corners[at]);
    }
    add(corners, gaps, -std::numeric_limits<double>::infinity());
  }
  for (int count = 0; count < 4000 && !open.empty() && open.top().bound < least.psi - enough; ++count) {
    Cell const now = open.top();
    open.pop();
    if (double const width = (now.corners[0] - now.corners[1]).norm(); width < narrow) {
      Point const middle = (now.corners[0] + now.corners[1] + now.corners[2]).normalized();
      Least const found = look(middle, 2 * width);
      better(found);
      if ((found.u.cast<double>() - middle).norm() < 2 * width || width < narrow / 100) continue;
    }
    std::array<Point, 6> at, gaps;
    for (std::size_t k = 0; k < 3; ++k) {
      at[k] = now.corners[k];
      gaps[k] = now.gaps[k];
      at[3 + k] = (now.corners[k] + now.corners[(k + 1) % 3]).normalized();
      gaps[3 + k] = gap(at[3 + k]);
    }
    for (std::array<std::size_t, 3> const& k : {std::array<std::size_t, 3>{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}})
      add({at[k[0]], at[k[1]], at[k[2]]}, {gaps[k[0]], gaps[k[1]], gaps[k[2]]}, now.bound);
  }
  return least;
}

inline Least by_bounds(Sum const& of, double share) {
  return branch_and_bound(of, Least{}, share, 0, [](Point const&, double) { return Least{}; });
}

/// Searches a local minimum of psi. Starts from the point y on the surface of the Minkowski sum of the bodies. The
/// gauge of this surface is the growth distance of the bodies. A step goes to the point nearest to d on the tangent
/// plane, or on the paraboloid with the curvatures of the surface.
inline Least downhill(Pair const& of, Wide y) {
  using Matrix2 = Matrix<Real, 2, 2>;
  Pair at_y = of;
  Least best;
  Wide from = y, touched;
  Real share_of_i = 0;
  Real nearest = std::numeric_limits<Real>::infinity(), off_before = nearest, trusted = nearest;
  for (int iteration = 0, idle = 0; iteration < 200 && idle < 4; ++iteration) {
    at_y.d = y;
    // Starts from the previous contact point. This takes four steps on average, instead of seven from a point between
    // the centres.
    Meeting const at = touch(at_y, iteration == 0 ? start(at_y) : Wide(touched + share_of_i * (y - from)));
    Real const sigma = at.sigma();
    Wide const u = -at.normal(), gap = y / sigma - of.d;
    Real const psi = u.dot(gap), distance = gap.norm();
    Wide const aside = gap - psi * u;
    Real const off = aside.norm(), noise = 0x1p-57L * (nearest + of.d.norm());
    if (!(distance < nearest - noise) && !(distance <= nearest + noise && off < off_before)) {
      if (distance <= nearest + noise) ++idle;
      y = from + (y - from) / 4;
      trusted = (y - from).norm();
      if (!(trusted > 0x1p-60L * from.norm())) break;
      continue;
    }
    best = {psi, u};
    nearest = std::min(nearest, distance);
    off_before = off;
    if (off <= 0x1p-64L * distance) break;
    Index least = 0;
    u.cwiseAbs().minCoeff(&least);
    Matrix<Real, 3, 2> E;
    E.col(0) = u.cross(Wide::Unit(least)).normalized();
    E.col(1) = u.cross(Wide(E.col(0)));
    Matrix2 const A = sigma / at.weight_i * (E.transpose() * at.i.H * E),
                  B = sigma / at.weight_j * (E.transpose() * at.j.H * E);
    Matrix2 const sum = A + B + Matrix2::Identity() * (1e-21L * (A.trace() + B.trace()));
    Vector<Real, 2> const e = E.transpose() * aside;
    Wide step = -aside;
    if (sum.trace() > 0) {
      Matrix2 const together = A * sum.inverse() * B;
      Matrix2 const M = Matrix2::Identity() - psi / 2 * (together + together.transpose());
      if (M.determinant() > 0 && M.trace() > 0) step = -(E * (M.inverse() * e));
    }
    if (step.norm() > trusted) step *= trusted / step.norm();
    trusted *= 2;
    from = y / sigma;
    touched = at.x / sigma;
    share_of_i = at.lambda();
    y = from + step;
    if (y.isZero()) break;
  }
  return best;
}

/// Returns the local minimum of psi that the search from d finds. If the bodies are apart, there is no other minimum.
inline Least local(Pair const& of) { return of.d.isZero() ? Least{} : downhill(of, of.d); }

inline Least solution(Pair const& of) {
  return once_a_pair(of, [&]() -> Least {
    Least const first = local(of);
    if (first.psi < 0) return first;
    Sum const sum(of, Norm::conjugate);
    std::vector<Least> ends;
    auto const look = [&](Point const& u, double near) -> Least {
      for (Least const& end : ends)
        if ((end.u.cast<double>() - u).norm() < near) return end;
      if (ends.size() < 100) ends.push_back(downhill(of, Wide(of.d + (sum.psi(u) * u).cast<Real>())));
      return ends.back();
    };
    return branch_and_bound(sum, first, 0, 0.015, look);
  });
}

inline Answer evaluate(Case const& in, Chosen const with) {
  Pair pair = misread(in, with, [&](Body& body) {
    double const square = body.orientation.squaredNorm();
    if (with("not_normalised") && square > 1e-100 && square < 1e100) body.semi_axes *= square;
    if (with("divided_by_length") && square > 1e-100 && square < 1e100) body.semi_axes *= std::sqrt(square);
    if (with("global_frame")) body.orientation = Quaternion<double>(1, 0, 0, 0);
    if (with("one_exponent")) body.n2 = body.n1;
    if (with("ellipsoids")) body.n1 = body.n2 = 2;
    if (with("inner_spheres")) {
      body.n1 = body.n2 = 2;
      body.semi_axes.setConstant(body.semi_axes.minCoeff());
    }
  });
  if (with("sum_of_positions")) pair.d = in.j.position.cast<Real>() + in.i.position.cast<Real>();
  if (with("global_position_of_j")) pair.d = in.j.position.cast<Real>();
  if (with("small_is_concentric") && pair.d.norm() < 1e-4L) pair.d.setZero();
  if (with("nearly_concentric") && pair.d.norm() < 1e-9L * in.i.semi_axes.maxCoeff()) pair.d.setZero();
  Sum sum(pair, with("exponents_not_conjugate") ? Norm::own : with("boxes") ? Norm::boxes : Norm::conjugate);
  if (with("one_body")) sum.parts_j = 0;
  if (with("twice_i")) sum.parts_i = 2, sum.parts_j = 0;

  bool const equal = pair.d.isZero();
  Wide const along = equal ? Wide(Wide::Unit(0)) : Wide(pair.d.normalized());
  Least least;
  if (with("line_of_centres") || (with("concentric_along_x") && equal)) {
    least = {sum.psi(along.cast<double>()), along};
  } else if (with("local_search") && !equal) {
    least = local(pair);
  } else if (with("ends_at_a_millionth") || with("ends_at_1e_9")) {
    least = by_bounds(sum, with("ends_at_1e_9") ? 1e-9 : 1e-6);
  } else if (with("axes_of_bodies") || with("sampled")) {
    auto const add = [&](superquadric::conditioning::WideMatrix const& R) {
      for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
          for (int z = -1; z <= 1; ++z) {
            int const count = x * x + y * y + z * z;
            if (count == 0 || (count > 1 && with("axes_of_bodies"))) continue;
            Wide const u = R * Wide(x, y, z).normalized();
            if (Real const psi = sum.psi(u.cast<double>()); psi < least.psi) least = {psi, u};
          }
    };
    add(superquadric::conditioning::rotation(pair.i.orientation));
    add(superquadric::conditioning::rotation(pair.j.orientation));
  } else if (with("exponents_not_conjugate") || with("boxes") || with("one_body") || with("twice_i")) {
    least = by_bounds(sum, 1e-6);
  } else {
    least = solution(pair);
  }
  if (with("concentric_by_least_axes") && equal) least.psi = in.i.semi_axes.minCoeff() + in.j.semi_axes.minCoeff();

  Real depth = least.psi;
  Wide u = least.u;
  if (with("gap_is_positive")) depth = std::fabs(depth);
  if (with("zero_when_apart")) depth = std::max(depth, 0.0L);
  if (with("square_of_depth")) depth = depth * std::fabs(depth);
  if (with("nearly_touching") && std::fabs(depth) < 1e-10L * sum.size) depth = 0;
  if (with("touching_tolerance") && std::fabs(depth) < 1e-7L * sum.size) depth = 0;
  if (with("depth_just_over")) depth += 200 * 0x1p-53L * sum.size;
  if (with("direction_of_centres")) u = along;
  if (with("direction_not_unit")) u *= 1 + 1e-12L;
  if (with("direction_to_point")) u = (u * depth + pair.d).normalized();
  if (with("direction_just_over")) u = (u + 1e-5L * u.cross(Wide(u[1], -u[2], u[0])).normalized()).normalized();
  return {static_cast<double>(depth), Vector3<double>(u.cast<double>())};
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline Mutants mutants() {
  Distortions const distortions{.read_as_float = "i.position i.semi_axes",
                                .as_float = "depth",
                                .negated = "depth direction",
                                .doubled = "depth",
                                .of_the_row_before = "direction"};
  return make_mutants<Contract>(evaluate, distortions);
}

}  // namespace demeter::superquadric_depth::mutants
