#include "oracles/superquadric_depth.hpp"

#include "oracles/family/superquadric/solution.hpp"

#include <Eigen/QR>

#include <optional>
#include <queue>
#include <vector>

namespace demeter::superquadric_depth::oracle {

using Matrix2 = Matrix<Real, 2, 2>;
constexpr Real infinite = std::numeric_limits<Real>::infinity();

Basis across(Wide const& u) {
  Index least = 0;
  u.cwiseAbs().minCoeff(&least);
  Basis result;
  result.col(0) = u.cross(Wide::Unit(least)).normalized();
  result.col(1) = u.cross(Wide(result.col(0)));
  return result;
}

// ---------------------------------------------------------------------------------- search in long double, not trusted

/// The function psi(u) = h_i(u) + h_j(u) - u.d: the support function of the Minkowski sum of the bodies, minus the
/// support function u.d of the point d.
struct Search {
  /// The body whose gauge is the support function of a given body.
  struct Polar {
    superquadric::conditioning::WideMatrix R;
    Wide semi_axes;
    Real n1, n2;

    explicit Polar(Superquadric<double> const& of)
        : R(superquadric::conditioning::rotation(of.orientation)),
          semi_axes(of.semi_axes.cast<Real>().cwiseInverse()),
          n1(Real(of.n1) / (Real(of.n1) - 1)),
          n2(Real(of.n2) / (Real(of.n2) - 1)) {}
    Wide point(Wide const& u) const {
      return R * superquadric::conditioning::own_jet(*this, Wide(R.transpose() * u)).g;
    }
  };
  Approximate pair;
  Polar i, j;
  Real size;

  explicit Search(Input<double> const& in)
      : pair(in.i, in.j),
        i(in.i),
        j(in.j),
        size(Real(in.i.semi_axes.maxCoeff()) + in.j.semi_axes.maxCoeff() + pair.d.norm()) {}

  /// Returns the vector from d to the point with normal u on the sum's surface. Its component along u is psi.
  Wide gap(Wide const& u) const { return i.point(u) + j.point(u) - pair.d; }
};

/// A point x on the surface of i and a point z on the surface of j, each relative to its own centre. Both have the
/// normal u, and x + z - d is along u.
struct Foot {
  Wide x, z, u;
  Real psi, off;  ///< x + z - d: its component along u, and the length of its part perpendicular to u
};

/// Returns the foot of d on the surface of the sum: a local minimum of the distance, by a search that starts at the
/// point y. The growth distance is the gauge of the sum. A step goes to the foot of d on the tangent plane. If the
/// paraboloid with the curvatures of the surface has a minimum, the step goes there instead. The limit of the step
/// length is doubled after a success and reduced after a failure.
Foot foot(Search const& search, Wide y) {
  using Vector2 = Vector<Real, 2>;
  Wide const& d = search.pair.d;
  Approximate pair = search.pair;
  Foot best;
  best.off = infinite;
  Wide from = y;
  Real nearest = infinite, trusted = infinite;
  int idle = 0;
  for (int iteration = 0; iteration < 300 && idle < 4; ++iteration) {
    pair.d = y;
    Approximate::At const at = solution(pair);
    Foot now;
    now.x = at.x / at.i.N;
    now.z = (y - at.x) / at.j.N;
    now.u = (at.i.g / at.weight_i - at.j.g / at.weight_j).normalized();
    Wide const gap = now.x + now.z - d;
    now.psi = gap.dot(now.u);
    Wide const aside = gap - now.psi * now.u;
    now.off = aside.norm();
    Real const distance = gap.norm(), noise = 0x1p-58L * (nearest + search.size);
    bool const told = distance < nearest - noise, doubtful = distance <= nearest + noise;
    if (!told && !(doubtful && now.off < best.off)) {
      trusted = (y - from).norm() / 4;
      y = from + (y - from) / 4;
      if (doubtful) ++idle;
      if (!(trusted > 0x1p-60L * search.size)) break;
      continue;
    }
    best = now;
    nearest = std::min(nearest, distance);
    if (now.off <= 0x1p-66L * search.size) break;
    Basis const E = across(now.u);
    Real const lambda = at.lambda(), weight = lambda * at.weight_i;
    Matrix2 const A = lambda * (E.transpose() * at.i.H * E), B = (1 - lambda) * (E.transpose() * at.j.H * E);
    Matrix2 sum = A + B;
    sum += 0x1p-70L * sum.trace() * Matrix2::Identity();
    Vector2 const e = E.transpose() * aside;
    Vector2 step = -e;
    if (sum.trace() > 0) {
      Matrix2 const bend = at.i.N / weight * (A * sum.inverse() * B);
      Matrix2 const M = Matrix2::Identity() - now.psi * (bend + bend.transpose()) / 2;
      if (M.determinant() > 0 && M.trace() > 0) {
        Vector2 const newton = -(M.inverse() * e);
        if (newton.norm() < search.size) step = newton;
      }
    }
    if (step.norm() > trusted) step *= trusted / step.norm();
    trusted *= 2;
    from = now.x + now.z;
    y = from + E * step;
    if (y.isZero()) break;
  }
  return best;
}

// -------------------------------------------------------------------------------------------------- proof in intervals

Real below(Interval const& x) { return mpfr_get_ld(x.low(), MPFR_RNDD); }
IntervalVector exact(Wide const& x, mpfr_prec_t bits) {
  return {Interval::exactly(x[0], bits), Interval::exactly(x[1], bits), Interval::exactly(x[2], bits)};
}
Interval limited(Interval const& x) {
  Interval const zero = Interval::exactly(0, x.precision()), one = Interval::exactly(1, x.precision());
  return x.is_anything() ? hull(zero, one) : minimum(maximum(x, zero), one);
}

/// Returns a lower bound of the Hessian of a nested norm. The Hessian is the sum of two terms kappa_1 v_1 v_1^T +
/// kappa_2 v_2 v_2^T. The exponents are those of a support function, 1 < q <= 2.
///   kappa_1 = (q1 - 1)/N (r z)^(q1 - 2), v_1 = z grad rho - r grad zeta
///   kappa_2 = (q2 - 1)/N r^(q1 - 2) (s t)^(q2 - 2), v_2 = (t, -s, 0)
/// kappa_1 and kappa_2 are unbounded towards the coordinate planes, so their smallest values are used.
Bending bending(Placed const& body, Wide const& u0, Basis const& E, Real radius) {
  constexpr mpfr_prec_t bits = 64;
  auto const number_of = [](Real x) { return Interval::exactly(x, bits); };
  Interval const one = number_of(1), zero = number_of(0), two = number_of(2);
  IntervalMatrix into;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t l = 0; l < 3; ++l) into[k][l] = zero + body.into_own[k][l];
  IntervalVector const e1 = into * exact(E.col(0), bits), e2 = into * exact(E.col(1), bits),
                       centre = into * exact(u0, bits);
  Interval const disc = hull(number_of(-radius), number_of(radius));
  // w is the argument of the norm: the direction with its signs, multiplied by the semi-axes.
  IntervalVector w, a;
  for (std::size_t k = 0; k < 3; ++k) {
    a[k] = zero + body.shape.semi_axes[k];
    w[k] = a[k] * (centre[k] + disc * square_root(square(e1[k]) + square(e2[k])));
  }
  Interval const n1 = zero + body.shape.n1, n2 = zero + body.shape.n2, q1 = n1 / (n1 - one), q2 = n2 / (n2 - one);
  Interval const rho = norm_value(magnitude(w[0]), magnitude(w[1]), q2), N = norm_value(rho, magnitude(w[2]), q1);
  Interval const r = limited(rho / N), z = limited(magnitude(w[2]) / N);
  auto const low = [](Interval x) {
    mpfr_set(&x.get()->right, x.low(), MPFR_RNDU);
    return x;
  };
  // Lower bound of x^(q - 2) for 0 < x <= 1, reached at the largest x.
  auto const least_power = [&](Interval const& x, Interval const& q) {
    Interval const most = maximum(x, number_of(0x1p-60L));
    Interval result(bits);
    mpfi_set_fr(result.get(), superquadric::oracle::detail::any_power(minimum(most, one), two - q).high());
    return low(one / result);
  };
  Interval const over = low(one / N), first = low((q1 - one) * over * least_power(r * z, q1));
  auto const of_squares = [&](IntervalVector const& v, Interval const& factor) {
    Interval const along_1 = dot(v, e1), along_2 = dot(v, e2);
    return Bending{factor * square(along_1), factor * square(along_2), factor * along_1 * along_2};
  };
  if (mpfr_sgn(rho.low()) <= 0) {
    // Near the pole s and t may have any value. The Hessian of half the squared planar norm, grad rho grad rho^T + rho
    // Hess rho, is at least q2 - 1 (Ball, Carlen, Lieb 1994; norms with q <= 2 are not below the Euclidean norm). This
    // gives one bound. Another bound: v_2 and grad rho have the determinant +-1, and their squared lengths are at most
    // 3 in total. The sum of both squares has therefore eigenvalues of at least (3 - sqrt 5)/2. The square of z grad
    // rho - r grad zeta is at least (1 - share) times the first square plus (1 - 1/share) times the second square.
    Interval const share = number_of(std::clamp(above(r), 0x1p-20L, 0.5L));
    Interval const common = low(over * least_power(r, q1)),
                   of_rho = low((one - share) * (q1 - one) * power(low(z), q1)), of_turn = low(q2 - one);
    Interval const plane =
        common * maximum(minimum(of_rho, one) * of_turn, number_of(0.38L) * minimum(of_rho, of_turn));
    if (mpfr_sgn(z.low()) <= 0) return {zero, zero, zero};
    Interval const lost =
        (one / share - one) * (q1 - one) / N * power(r, q1) / superquadric::oracle::detail::any_power(z, two - q1);
    Interval lost_at_most(bits);
    mpfi_set_fr(lost_at_most.get(), lost.high());
    auto const entry = [&](IntervalVector const& e, IntervalVector const& f) {
      return plane * (square(a[0]) * e[0] * f[0] + square(a[1]) * e[1] * f[1]) -
             lost_at_most * square(a[2]) * e[2] * f[2];
    };
    return {entry(e1, e1), entry(e2, e2), entry(e1, e2)};
  }
  Interval const s = limited(magnitude(w[0]) / rho), t = limited(magnitude(w[1]) / rho);
  Interval const second = low((q2 - one) * over * least_power(r, q1) * least_power(s * t, q2));
  // The components have the signs of w. Each vector may be multiplied by -1. The sign is chosen so that the sign of a
  // component of w is only applied to a quantity that is 0 where this component is 0.
  auto const power_less_1 = [&](Interval const& x) { return certainly_zero(x) ? zero : power(x, q2 - one); };
  Interval const height = superquadric::oracle::detail::signed_as(w[2], z);
  auto const both_signs = [&](Interval const& x) {
    return superquadric::oracle::detail::signed_as(w[0], superquadric::oracle::detail::signed_as(w[1], x));
  };
  bool const by_x = below(s) > below(t);
  IntervalVector const v1{height * superquadric::oracle::detail::signed_as(w[0], power_less_1(s)) * a[0],
                          height * superquadric::oracle::detail::signed_as(w[1], power_less_1(t)) * a[1], -(r * a[2])};
  IntervalVector const v2{(by_x ? both_signs(t) : t) * a[0], -((by_x ? s : both_signs(s)) * a[1]), zero};
  Bending const one_part = of_squares(v1, first), other = of_squares(v2, second);
  return {one_part.xx + other.xx, one_part.yy + other.yy, one_part.xy + other.xy};
}

Real least_bending(Bending const& A, Bending const& B) {
  Interval const xx = A.xx + B.xx, yy = A.yy + B.yy, xy = magnitude(A.xy + B.xy);
  auto const end = [](mpfr_srcptr x) {
    Interval result(64);
    mpfi_set_fr(result.get(), x);
    return result;
  };
  if (xx.is_anything() || yy.is_anything() || xy.is_anything()) return 0;
  Interval const a = end(xx.low()), b = end(yy.low()), c = end(xy.high());
  Interval const least = scaled(a + b - square_root(square(a - b) + scaled(square(c), 2)), -1);
  return least.is_anything() ? 0 : below(least);
}

/// Returns the basis E, rotated so that its vectors are approximately the principal axes of A + B.
Basis along_axes(Basis const& E, Bending const& A, Bending const& B) {
  Real const xx = number(A.xx) + number(B.xx), yy = number(A.yy) + number(B.yy), xy = number(A.xy) + number(B.xy),
             angle = std::atan2(2 * xy, xx - yy) / 2;
  if (!std::isfinite(angle)) return E;
  Basis result;
  result.col(0) = std::cos(angle) * E.col(0) + std::sin(angle) * E.col(1);
  result.col(1) = std::cos(angle) * E.col(1) - std::sin(angle) * E.col(0);
  return result;
}

/// Proved bounds of the function psi near a foot, a local minimum of psi. In the direction u, psi is in the interval
/// `psi`. Everywhere in the disc around u, psi is at least `low`.
struct Certificate {
  Interval psi, low;
  Wide u;
  IntervalVector least;  ///< enclosure of the direction of the smallest psi in the disc, or "any number"
  Real radius = 0;       ///< radius of the disc in the plane through u perpendicular to u; 0 if there is no disc
};

struct Certified {
  Placed i, j;  ///< each with its own centre as the origin
  IntervalVector d;
  mpfr_prec_t bits;

  Certified(Input<double> const& in, mpfr_prec_t precision)
      : i(in.i, in.i.position, precision),
        j(in.j, in.j.position, precision),
        d(difference(in.j.position, in.i.position, precision)),
        bits(precision) {}

  Interval exactly(Real x) const { return Interval::exactly(x, bits); }

  Interval psi(IntervalVector const& u) const { return support(i, u) + support(j, u) - dot(u, d); }

  /// A surface point near a given point, and its unit normal.
  struct Point {
    IntervalVector at, normal;
  };
  Point on_surface(Placed const& body, IntervalVector const& near) const {
    Slope const of = slope(body, near, Second::without);
    return {(exactly(1) / of.N) * near, (exactly(1) / length(of.g)) * of.g};
  }

  /// Returns the points x and z of a foot with all bits. Uses Newton's method for the equations g_i / w_i = m g_j /
  /// w_j, x + z - d = k g_i / w_i, N_i = N_j = 1. w_i and w_j are the initial lengths of the gradients. The equations
  /// use all bits, their derivatives are in long double. Lengths are divided by the size of the bodies. If the bodies
  /// touch with two faces, the solution is not unique, and the smallest correction is used.
  std::array<IntervalVector, 2> refined(Search const& search, Foot const& foot) const {
    using Matrix = Eigen::Matrix<Real, 8, 8>;
    using Vector = Eigen::Matrix<Real, 8, 1>;
    WideGauge const at_i = wide_gauge(search.pair.i, foot.x), at_j = wide_gauge(search.pair.j, foot.z);
    Real const wi = at_i.g.norm(), wj = at_j.g.norm(), unit = search.size;
    IntervalVector x = exact(foot.x, bits), z = exact(foot.z, bits);
    Interval m = exactly(1), k = exactly(foot.psi);
    Matrix J = Matrix::Zero();
    for (Index l = 0; l < 3; ++l) {
      for (Index m = 0; m < 3; ++m) {
        Real const one = l == m ? 1 : 0;
        J(l, m) = unit / wi * at_i.H(l, m);
        J(l, 3 + m) = -unit / wj * at_j.H(l, m);
        J(3 + l, m) = one - foot.psi / wi * at_i.H(l, m);
        J(3 + l, 3 + m) = one;
      }
      J(l, 6) = -at_j.g[l] / wj;
      J(3 + l, 7) = -at_i.g[l] / wi;
      J(6, l) = at_i.g[l] / wi;
      J(7, 3 + l) = at_j.g[l] / wj;
    }
    if (!J.allFinite()) return {x, z};
    Eigen::CompleteOrthogonalDecomposition<Matrix> inverse(J);
    inverse.setThreshold(1e-16L);
    Interval const over_i = exactly(1) / exactly(wi), over_j = exactly(1) / exactly(wj);
    std::array<IntervalVector, 2> best{x, z};
    mpfr_exp_t before = mpfr_get_emax_max();
    for (int iteration = 0; iteration < 400; ++iteration) {
      Slope const of_i = slope(i, x, Second::without), of_j = slope(j, z, Second::without);
      std::array<Interval, 8> F;
      for (std::size_t l = 0; l < 3; ++l) {
        Interval const normal = over_i * of_i.g[l];
        F[l] = normal - m * (over_j * of_j.g[l]);
        F[3 + l] = (x[l] + z[l] - d[l] - k * normal) / exactly(unit);
      }
      F[6] = (of_i.N - exactly(1)) * over_i / exactly(unit);
      F[7] = (of_j.N - exactly(1)) * over_j / exactly(unit);
      // The residual becomes far smaller than the range of long double. Therefore the equations are solved for its
      // leading digits.
      mpfr_exp_t most = mpfr_get_emin_min();
      for (Interval const& each : F)
        if (Interval const at = middle(each); mpfr_regular_p(at.low()) != 0)
          most = std::max(most, mpfr_get_exp(at.low()));
      if (!(most < before)) break;
      before = most;
      best = {x, z};
      if (most == mpfr_get_emin_min()) break;
      Vector digits;
      for (std::size_t l = 0; l < 8; ++l)
        digits[static_cast<Index>(l)] = number(scaled(middle(F[l]), static_cast<int>(-most)));
      Vector const step = -inverse.solve(digits);
      auto const correction = [&](Index at, Real by) { return scaled(exactly(step[at] * by), static_cast<int>(most)); };
      for (std::size_t l = 0; l < 3; ++l) {
        x[l] = middle(x[l] + correction(static_cast<Index>(l), unit));
        z[l] = middle(z[l] + correction(static_cast<Index>(3 + l), unit));
      }
      m = middle(m + correction(6, 1));
      k = middle(k + correction(7, unit));
    }
    return best;
  }

  /// Returns a lower bound of psi in all directions: psi(u) >= -|y - d| for any point y of the sum of the bodies, for
  /// every d. `gap` is y - d.
  Interval not_deeper(IntervalVector const& gap) const { return -length(gap); }

  IntervalVector within(IntervalVector const& u, Interval const& radius) const {
    Interval const ball = hull(magnitude(radius), -magnitude(radius));
    return {u[0] + ball, u[1] + ball, u[2] + ball};
  }

  /// Returns the certificate of a foot. In the plane through u0 perpendicular to u0, the function f(t) = h_i(u0 + t) +
  /// h_j(u0 + t) - (u0 + t).d is convex, and psi is f divided by |u0 + t|. The support function of each body is above
  /// its tangent at the normal of the body's point. The difference is at least half the smallest second derivative
  /// times the squared distance. The bound D is psi minus a multiple of the squared error of the sum of the points. f -
  /// D |u0 + t| is not negative in a disc where the sum of the second derivatives exceeds D.
  Certificate certificate(Foot const& foot, IntervalVector const& x, IntervalVector const& z) const {
    Certificate result;
    result.u = foot.u;
    Point const of_i = on_surface(i, x), of_j = on_surface(j, z);
    IntervalVector const gap = of_i.at + of_j.at - d,
                         u0{middle(of_i.normal[0]), middle(of_i.normal[1]), middle(of_i.normal[2])};
    Interval const unit = length(u0);
    IntervalVector const u = (exactly(1) / unit) * u0;
    Interval const along = dot(gap, u), aside = length(cross(gap, u));
    result.psi = psi(u);
    result.low = not_deeper(gap);
    auto const turned = [&](IntervalVector const& normal) { return length((unit / dot(normal, u)) * normal - u0); };
    Interval const turned_i = turned(of_i.normal), turned_j = turned(of_j.normal);
    // If d is outside the sum, the direction of its nearest point differs from u by at most 2 aside / (-along).
    if (certainly_less(along, exactly(0))) result.least = within(u, scaled(aside, 1) / (-along));
    Basis E = across(foot.u);
    for (Real radius = 0.6L; radius > 0x1p-30L; radius /= 2) {
      if (!(above(turned_i) < radius / 2) || !(above(turned_j) < radius / 2)) break;
      // At an edge of a body, the second derivative is large only perpendicular to the edge. In a basis along and
      // across the edge, the lower bound loses little.
      Bending A = bending(i, foot.u, E, radius), B = bending(j, foot.u, E, radius);
      E = along_axes(E, A, B);
      A = bending(i, foot.u, E, radius);
      B = bending(j, foot.u, E, radius);
      Real const bent = least_bending(A, B);
      Interval const spare = exactly(bent) - along / unit;
      if (!(below(spare) > 0x1p-20L * bent)) continue;
      auto const most = [&](Bending const& of) { return exactly(above(of.xx)) + exactly(above(of.yy)); };
      Interval const off = aside + turned_i * most(A) + turned_j * most(B);
      Interval const low = along - square(off) / (scaled(spare, 1) * unit);
      if (low.is_anything()) continue;
      result.low = maximum(result.low, low);
      result.radius = radius;
      result.least = within(u, scaled(off, 1) / spare);
      break;
    }
    return result;
  }
};

// ---------------------------------------------------------------------------------------------------- all directions

/// A triangle of directions. For every point p of the sum of the bodies, psi(u) >= (p - d).u. The smallest product of p
/// - d with a corner is therefore a lower bound of psi in the triangle. (A negative product is divided by the distance
/// of the corners' plane from the origin.) The points p are the support points of the corners and of the middle, and
/// points between two of them. One point is not enough: across an edge of a body the support point jumps, and the bound
/// would be too low by the width of the triangle.
struct Cell {
  std::array<Wide, 3> corners;
  std::array<Wide, 3> gaps;  ///< vectors from d to the support points of the corners
  Real bound;
  bool operator<(Cell const& other) const { return other.bound < bound; }
};

/// Returns a lower bound for a triangle from two support points. a[k] and b[k] are the products of these points with
/// corner k. The point at share t between them has the products (1 - t) a[k] + t b[k]. Returns the maximum over t in
/// (0, 1] of the minimum over k.
Real between(std::array<Real, 3> const& a, std::array<Real, 3> const& b) {
  auto const at = [&](Real share) {
    Real least = infinite;
    for (std::size_t k = 0; k < 3; ++k) least = std::min(least, a[k] + share * (b[k] - a[k]));
    return least;
  };
  Real most = at(1);
  for (std::size_t k = 0; k < 3; ++k) {
    // The share at which the products with corners k and l are equal.
    std::size_t const l = (k + 1) % 3;
    Real const share = (a[k] - a[l]) / ((a[k] - a[l]) - (b[k] - b[l]));
    if (share > 0 && share < 1) most = std::max(most, at(share));
  }
  return most;
}

Cell cell(Search const& search, std::array<Wide, 3> const& corners, std::array<Wide, 3> const& gaps) {
  Wide const centre = (corners[0] + corners[1] + corners[2]).normalized(), middle = search.gap(centre);
  std::array<std::array<Real, 3>, 4> products;
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t l = 0; l < 3; ++l) products[k][l] = (k < 3 ? gaps[k] : middle).dot(corners[l]);
  Real least = -infinite;
  for (auto const& from : products)
    for (auto const& to : products) least = std::max(least, between(from, to));
  if (least < 0) {
    Wide const normal = (corners[1] - corners[0]).cross(Wide(corners[2] - corners[0])).normalized();
    least /= std::fabs(normal.dot(corners[0]));
  }
  return {corners, gaps, least};
}

bool inside(Certificate const& disc, Cell const& cell) {
  if (!(disc.radius > 0)) return false;
  for (Wide const& corner : cell.corners) {
    Real const cosine = corner.dot(disc.u);
    if (!(cosine > 0.5L) || !((corner / cosine - disc.u).norm() < 0.999L * disc.radius)) return false;
  }
  return true;
}

constexpr int most_cells = 20000, most_feet = 64;

struct Depth {
  Interval value = Interval::anything();
  IntervalVector direction{Interval::anything(), Interval::anything(), Interval::anything()};
};

/// Returns the depth and its direction. Rounding in long double moves a bound by less than 2^-54 of the size. The
/// margin is a thousand times larger.
Depth depth(Input<double> const& in, mpfr_prec_t bits) {
  Search const search(in);
  Certified const certified(in, bits);
  Real const margin = 0x1p-44L * search.size;
  std::vector<Certificate> proved;
  std::vector<Foot> feet;
  Real least = infinite;
  std::size_t best = 0;
  auto const consider = [&](Wide const& y) {
    Foot const found = foot(search, y);
    for (Foot const& other : feet)
      if ((other.u - found.u).norm() < 1e-9L) return;
    feet.push_back(found);
    auto const [x, z] = certified.refined(search, found);
    proved.push_back(certified.certificate(found, x, z));
    if (above(proved.back().psi) < least) {
      least = above(proved.back().psi);
      best = proved.size() - 1;
    }
  };
  auto const answer = [&](Interval const& low) {
    Interval result(bits);
    mpfr_set(&result.get()->left, low.low(), MPFR_RNDD);
    mpfr_set(&result.get()->right, proved[best].psi.high(), MPFR_RNDU);
    // If several directions may have the smallest psi, the direction is not unique.
    bool unique = true;
    for (std::size_t k = 0; k < proved.size(); ++k)
      unique = unique && (k == best || certainly_less(proved[best].psi, proved[k].low));
    Depth found;
    found.value = result;
    if (unique) found.direction = proved[best].least;
    return found;
  };
  if (!search.pair.d.isZero()) {
    consider(search.pair.d);
    if (least < -0x1p-40L * search.size) return answer(proved[0].low);
  }
  std::priority_queue<Cell> open;
  for (int octant = 0; octant < 8; ++octant) {
    std::array<Wide, 3> const corners{Wide((octant & 1) != 0 ? -1 : 1, 0, 0), Wide(0, (octant & 2) != 0 ? -1 : 1, 0),
                                      Wide(0, 0, (octant & 4) != 0 ? -1 : 1)};
    open.push(cell(search, corners, {search.gap(corners[0]), search.gap(corners[1]), search.gap(corners[2])}));
  }
  std::vector<std::pair<Wide, Real>> begun;
  for (int count = 0; !open.empty() && open.top().bound < least + margin; ++count) {
    if (count == most_cells) return Depth();
    Cell const next = open.top();
    open.pop();
    auto const done = [&] {
      return std::any_of(proved.begin(), proved.end(), [&](Certificate const& disc) { return inside(disc, next); });
    };
    if (done()) continue;
    auto const& v = next.corners;
    Real const size = (v[0] - v[1]).norm();
    Wide const centre = (v[0] + v[1] + v[2]).normalized();
    bool const near = std::any_of(begun.begin(), begun.end(), [&](auto const& each) {
      return (each.first - centre).norm() < 2 * size && each.second < 4 * size;
    });
    if (size < 0.5L && !near && begun.size() < most_feet) {
      begun.emplace_back(centre, size);
      consider(Wide(search.pair.d + search.gap(centre).dot(centre) * centre));
      if (done()) continue;
    }
    std::array<Wide, 6> at{v[0], v[1], v[2]}, gaps{next.gaps[0], next.gaps[1], next.gaps[2]};
    for (std::size_t k = 0; k < 3; ++k) {
      at[3 + k] = (v[k] + v[(k + 1) % 3]).normalized();
      gaps[3 + k] = search.gap(at[3 + k]);
    }
    for (std::array<std::size_t, 3> const& k : {std::array<std::size_t, 3>{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}) {
      Cell part = cell(search, {at[k[0]], at[k[1]], at[k[2]]}, {gaps[k[0]], gaps[k[1]], gaps[k[2]]});
      part.bound = std::max(part.bound, next.bound);
      if (part.bound < least + margin) open.push(part);
    }
  }
  Interval low = proved[best].low;
  for (Certificate const& disc : proved)
    if (disc.radius > 0) low = minimum(low, disc.low);
  return answer(low);
}

// --------------------------------------------------------------------------------------------------------------- hooks

template <class Bound, class Convert>
Output<Bound> output(Input<double> const& in, mpfr_prec_t bits, Convert const& convert) {
  Depth const of = depth(in, bits);
  return {convert(of.value), {convert(of.direction[0]), convert(of.direction[1]), convert(of.direction[2])}};
}
Output<Enclosure> truth(Input<double> const& in) { return output<Enclosure>(in, 128, enclosure_of); }
Output<Interval> refined_truth(Input<double> const& in, mpfr_prec_t bits) {
  return output<Interval>(in, bits, [](Interval const& x) { return x; });
}

/// Returns the difference between psi along the answered direction and the depth. If the length of the direction is not
/// 1, adds the error of the length times the scale of the depth.
Interval excess_of(Input<double> const& in, Interval const& depth, Vector3<double> const& answered, mpfr_prec_t bits) {
  if (!answered.allFinite() || answered.isZero()) return Interval::exactly(std::numeric_limits<Real>::max(), bits);
  Certified const of(in, bits);
  IntervalVector const u = superquadric::oracle::exactly(answered, bits);
  Interval const size = length(u), one = of.exactly(1);
  return of.psi((one / size) * u) - depth + magnitude(size - one) * of.exactly(Contract::scale(in).depth);
}
Enclosure excess(Input<double> const& in, Output<Enclosure> const& truth, Output<double> const& answer) {
  auto const exactly = [](Real x) { return Interval::exactly(x, 192); };
  Interval const middle = exactly(truth.depth.high) + exactly(truth.depth.low), radius = exactly(truth.depth.radius);
  return enclosure_of(excess_of(in, hull(middle - radius, middle + radius), answer.direction, 192));
}
Interval refined_excess(Input<double> const& in, Output<Interval> const& truth, Output<double> const& answer) {
  return excess_of(in, truth.depth, answer.direction, truth.depth.precision());
}

Output<Enclosure> recorded_truth(Input<double> const& in) {
  Output<Enclosure> result = output<Enclosure>(in, 256, enclosure_of);
  bool known = true;
  for (Enclosure const& each : result.direction) known = known && each.radius <= 1e-32L * std::fabs(each.high);
  if (!known) result.direction.setConstant(Enclosure{0, 0, std::numeric_limits<Real>::infinity()});
  return result;
}

Output<Real> scale(Input<double> const& in, Output<Enclosure> const& truth) {
  Output<Real> size = Contract::scale(in);
  if (std::isinf(truth.depth.radius)) size.direction.setConstant(std::numeric_limits<Real>::quiet_NaN());
  return size;
}

}  // namespace demeter::superquadric_depth::oracle
