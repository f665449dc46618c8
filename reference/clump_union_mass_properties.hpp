// Reference: mass properties of a union of balls by the divergence theorem, on the spherical patches of its surface.
// Source: docs/mathematics/clumps.md#clump_union_mass_properties.
//
// P is the part of a sphere that no other ball contains, as a set of directions n from its centre. The integrals over P
//   A = int dw,  N = int n dw,  Q = int n n^T dw,  t = int n n^T (n.c) dw
// follow from line integrals along the exposed arcs of the intersection circles. Volume, first and second moments of
// the union are sums of these integrals over the spheres.
#pragma once

#include "reference/core/scalars.hpp"
#include "reference/family/clump/principal_axes.hpp"
#include "reference/spec/clump_union_mass_properties.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace demeter::clump_union_mass_properties::reference {

using clump_mass_properties::reference::magnitude;

/// Returns x y^T.
template <field_scalar Scalar>
Matrix3<Scalar> outer(Vector3<Scalar> const& x, Vector3<Scalar> const& y) {
  return x * y.transpose();
}

/// Volume, surface area, and the integrals of x and x x^T over a body, without density, about the caller's origin.
template <class Scalar>
struct Integrals {
  Scalar volume, area;
  Vector3<Scalar> first;
  Matrix3<Scalar> second;
};

// ----------------------------------------------------------------------------------------------------- a sphere's caps

/// The cap that another ball cuts off a sphere: the directions n with n.m > a. m is the unit vector towards the centre
/// of the other ball. The circle of the cap is n(phi) = a m + rho w with w = u cos phi + v sin phi. (u, v, m) is
/// right-handed.
template <class Scalar>
struct Cap {
  Vector3<Scalar> m, u, v;
  Scalar a, rho;
};

template <real_scalar Scalar>
Cap<Scalar> cap(Ball<Scalar> const& sphere, Ball<Scalar> const& other) {
  using std::sqrt;
  Scalar const zero(0), one(1), two(2);
  Vector3<Scalar> const between = other.centre - sphere.centre;
  Scalar const d = between.norm(), r = sphere.radius;
  Cap<Scalar> result;
  result.m = between / d;
  result.a = (d * d + (r - other.radius) * (r + other.radius)) / (two * r * d);
  Scalar const square = (one - result.a) * (one + result.a);
  result.rho = zero < square ? Scalar(sqrt(square)) : zero;
  // u is perpendicular to m and to the coordinate axis with the largest angle to m.
  Index least = 0;
  for (Index i = 1; i < 3; ++i)
    if (magnitude<Scalar>(result.m[i]) < magnitude<Scalar>(result.m[least])) least = i;
  Vector3<Scalar> axis = Vector3<Scalar>::Zero();
  axis[least] = one;
  result.u = axis.cross(result.m);
  result.u = result.u / result.u.norm();
  result.v = result.m.cross(result.u);
  return result;
}

/// A point on the circle of a cap: its angle in [0, 2 pi), and the cosine and the sine of this angle.
template <class Scalar>
struct Point {
  Scalar angle, c, s;
};
template <class Scalar>
struct Arc {
  Point<Scalar> from, to;
};

template <real_scalar Scalar>
Point<Scalar> point(Scalar const& c, Scalar const& s) {
  using std::atan2;
  Scalar angle = atan2(s, c);
  if (angle < Scalar(0)) angle += Scalar(2) * pi<Scalar>();
  return {angle, c, s};
}

/// Returns the threshold of |den^2 - num^2| in `exposed_arcs` below which two circles nearly touch. The function
/// `integrals` with an origin then repeats the computation with perturbed radii.
template <field_scalar Scalar>
Scalar undecided() {
  return Scalar(1) / Scalar(std::is_same_v<Scalar, float> ? 4000 : 10000000);
}

/// Returns the arcs of the circle of cap j that no other cap of the sphere covers. `whole` is the full circle. Returns
/// nullopt if `decide` is false and two circles nearly touch or nearly coincide.
template <real_scalar Scalar>
std::optional<std::vector<Arc<Scalar>>> exposed_arcs(std::vector<Cap<Scalar>> const& caps, std::size_t j,
                                                     Arc<Scalar> const& whole, bool decide) {
  using std::sqrt;
  Scalar const one(1);
  Cap<Scalar> const& circle = caps[j];
  std::vector<Arc<Scalar>> covered, exposed;
  for (std::size_t k = 0; k < caps.size(); ++k) {
    if (k == j) continue;
    // Cap k covers a point of the circle where n.m_k > a_k. This is equivalent to den cos(phi - phi_k) > num.
    Scalar const pu = caps[k].m.dot(circle.u), pv = caps[k].m.dot(circle.v);
    Scalar const across = sqrt(Scalar(pu * pu + pv * pv));
    Scalar const den = circle.rho * across, num = caps[k].a - circle.a * circle.m.dot(caps[k].m);
    if (!decide && magnitude<Scalar>((den - num) * (den + num)) < undecided<Scalar>()) return std::nullopt;
    if (!(num < den)) continue;
    if (!(-den < num)) return exposed;
    Scalar const half_c = num / den, half_s = sqrt(Scalar((one - half_c) * (one + half_c)));
    Scalar const c = pu / across, s = pv / across;
    Point<Scalar> const from = point<Scalar>(c * half_c + s * half_s, s * half_c - c * half_s);
    Point<Scalar> const to = point<Scalar>(c * half_c - s * half_s, s * half_c + c * half_s);
    if (to.angle < from.angle) {
      covered.push_back({from, whole.to});
      covered.push_back({whole.from, to});
    } else {
      covered.push_back({from, to});
    }
  }
  std::sort(covered.begin(), covered.end(),
            [](Arc<Scalar> const& x, Arc<Scalar> const& y) { return x.from.angle < y.from.angle; });
  Point<Scalar> reached = whole.from;
  for (Arc<Scalar> const& arc : covered) {
    if (reached.angle < arc.from.angle) exposed.push_back({reached, arc.from});
    if (reached.angle < arc.to.angle) reached = arc.to;
  }
  if (reached.angle < whole.to.angle) exposed.push_back({reached, whole.to});
  return exposed;
}

// -------------------------------------------------------------------------------------------- a sphere's exposed patch

/// The integrals A, N, Q and t of a patch; c is the sphere's centre.
template <class Scalar>
struct Patch {
  Scalar A;
  Vector3<Scalar> N;
  Matrix3<Scalar> Q, t;
};

/// Returns twice the angle of x + i y. This is the signed area of a spherical triangle if y/x is the tangent of half
/// the area.
template <real_scalar Scalar>
Scalar twice_angle(Scalar const& y, Scalar const& x) {
  using std::atan2;
  return Scalar(2) * Scalar(atan2(y, x));
}

/// Returns, modulo 4 pi, the area between the arc from p to q and the great circles from e to p and from e to q. This
/// is the sector of the cap, minus the triangle of the cap's centre, p and q, plus the triangle of e, p and q. The arc
/// is halved until its chord is short.
template <real_scalar Scalar>
Scalar area_from(Vector3<Scalar> const& e, Cap<Scalar> const& circle, Arc<Scalar> const& arc) {
  using std::sqrt;
  Scalar const one(1), two(2), extent = arc.to.angle - arc.from.angle;
  if (two * pi<Scalar>() < Scalar(3) * extent) {
    // The direction to the middle of the arc. It is the chord turned by 90 degrees. For less than half a circle, it is
    // the sum of the end points.
    Scalar c = arc.to.s - arc.from.s, s = arc.from.c - arc.to.c;
    if (extent < pi<Scalar>()) c = arc.from.c + arc.to.c, s = arc.from.s + arc.to.s;
    Scalar norm = sqrt(Scalar(c * c + s * s));
    if (!(Scalar(1) / Scalar(100) < norm)) c = -arc.from.c, s = -arc.from.s, norm = one;  // a full circle
    Point<Scalar> const middle{(arc.from.angle + arc.to.angle) / two, c / norm, s / norm};
    return area_from<Scalar>(e, circle, {arc.from, middle}) + area_from<Scalar>(e, circle, {middle, arc.to});
  }
  auto const on_sphere = [&](Point<Scalar> const& x) -> Vector3<Scalar> {
    return circle.a * circle.m + circle.rho * (x.c * circle.u + x.s * circle.v);
  };
  Vector3<Scalar> const p = on_sphere(arc.from), q = on_sphere(arc.to);
  Scalar const sine = arc.from.c * arc.to.s - arc.from.s * arc.to.c;
  Scalar const cosine = arc.from.c * arc.to.c + arc.from.s * arc.to.s;
  Scalar const W_m = twice_angle<Scalar>((one - circle.a) * sine, (one + circle.a) + (one - circle.a) * cosine);
  Scalar const W_e = twice_angle<Scalar>(e.dot(p.cross(q)), one + e.dot(p) + p.dot(q) + q.dot(e));
  return (one - circle.a) * extent - W_m + W_e;
}

/// Adds an exposed arc's contribution to N, Q and t. The terms with A and N are added at the end, in `exposed_patch`.
template <real_scalar Scalar>
void add_arc(Cap<Scalar> const& circle, Arc<Scalar> const& arc, Vector3<Scalar> const& c, Patch<Scalar>& patch) {
  Scalar const half = Scalar(1) / Scalar(2), third = Scalar(1) / Scalar(3);
  Vector3<Scalar> const &m = circle.m, &u = circle.u, &v = circle.v;
  Scalar const &a = circle.a, &rho = circle.rho, &c1 = arc.from.c, &s1 = arc.from.s, &c2 = arc.to.c, &s2 = arc.to.s;
  Scalar const extent = arc.to.angle - arc.from.angle, rho_2 = rho * rho;
  // W1, W2 and W3 are the integrals of w, w w^T and w w^T (w.c) over the arc.
  Vector3<Scalar> const W1 = (s2 - s1) * u - (c2 - c1) * v;
  Scalar const sc = s2 * c2 - s1 * c1, ss = s2 * s2 - s1 * s1;
  Matrix3<Scalar> const uu = outer<Scalar>(u, u), vv = outer<Scalar>(v, v),
                        uv = outer<Scalar>(u, v) + outer<Scalar>(v, u);
  Matrix3<Scalar> const W2 = half * (extent + sc) * uu + half * (extent - sc) * vv + half * ss * uv;
  Scalar const cubes_c = (c2 * c2 * c2 - c1 * c1 * c1) * third, cubes_s = (s2 * s2 * s2 - s1 * s1 * s1) * third;
  Scalar const ccc = (s2 - s1) - cubes_s, ccs = -cubes_c, css = cubes_s, sss = cubes_c - (c2 - c1);
  Scalar const cu = c.dot(u), cv = c.dot(v), cm = c.dot(m);
  Matrix3<Scalar> const W3 = (cu * ccc + cv * ccs) * uu + (cu * ccs + cv * css) * uv + (cu * css + cv * sss) * vv;
  // n = a m + rho w. The conormal times the arc element is nu ds = (rho^2 m - a rho w) dphi.
  Matrix3<Scalar> const mm = outer<Scalar>(m, m), mW1 = outer<Scalar>(m, W1);
  Vector3<Scalar> const W2c = W2 * c;
  Matrix3<Scalar> const mW2c = outer<Scalar>(m, W2c);
  patch.N -= half * (rho_2 * extent * m - a * rho * W1);
  patch.Q -= third * (a * rho_2 * extent * mm - a * a * rho * mW1 + rho_2 * rho * mW1.transpose() - a * rho_2 * W2);
  Matrix3<Scalar> const along = a * a * extent * mm + a * rho * (mW1 + mW1.transpose()) + rho_2 * W2;
  Matrix3<Scalar> const beside = a * a * W1.dot(c) * mm + a * rho * (mW2c + mW2c.transpose()) + rho_2 * W3;
  patch.t -= (rho_2 * cm * along - a * rho * beside) / Scalar(4);
}

/// Returns the exposed patch of sphere i, or nullopt if `decide` is false and two circles nearly touch or nearly
/// coincide.
template <real_scalar Scalar>
std::optional<Patch<Scalar>> exposed_patch(std::vector<Ball<Scalar>> const& balls, std::size_t i, bool decide) {
  Scalar const zero(0), one(1), two(2), four_pi = Scalar(4) * pi<Scalar>();
  Patch<Scalar> patch{zero, Vector3<Scalar>::Zero(), Matrix3<Scalar>::Zero(), Matrix3<Scalar>::Zero()};
  Vector3<Scalar> const c = balls[i].centre;
  std::vector<Cap<Scalar>> caps;
  for (std::size_t j = 0; j < balls.size(); ++j) {
    if (j == i) continue;
    Vector3<Scalar> const between = balls[j].centre - c;
    Scalar const reach = balls[j].radius + balls[i].radius;
    if (reach * reach < between.dot(between)) continue;
    Cap<Scalar> const each = cap<Scalar>(balls[i], balls[j]);
    if (each.a < one) caps.push_back(each);
    if (!(-one < each.a)) return patch;  // another ball contains the whole sphere
  }
  Vector3<Scalar> const e = Vector3<Scalar>(Scalar(6), Scalar(10), Scalar(15)) / Scalar(19);
  Arc<Scalar> const whole{{zero, one, zero}, {two * pi<Scalar>(), one, zero}};
  Scalar sum = zero, sizes = zero;
  bool any = false;
  for (std::size_t j = 0; j < caps.size(); ++j) {
    auto const arcs = exposed_arcs<Scalar>(caps, j, whole, decide);
    if (!arcs) return std::nullopt;
    for (Arc<Scalar> const& arc : *arcs) {
      any = true;
      sum -= area_from<Scalar>(e, caps[j], arc);
      add_arc<Scalar>(caps[j], arc, c, patch);
    }
    sizes += two * pi<Scalar>() * (one - caps[j].a);
  }
  if (!any) {
    patch.A = caps.empty() ? four_pi : zero;
  } else {
    while (sum < zero) sum += four_pi;
    while (!(sum < four_pi)) sum -= four_pi;
    // If the sum is 0 or 4 pi up to rounding, it may be wrong by 4 pi. The caps then cover either everything or almost
    // nothing. The sum of the areas of the caps decides between the two.
    Scalar const near = Scalar(1) / Scalar(1000000);
    bool const much = two * pi<Scalar>() < sizes;
    if (much && four_pi - near < sum) sum -= four_pi;
    if (!much && sum < near) sum += four_pi;
    patch.A = sum;
  }
  Matrix3<Scalar> const cN = outer<Scalar>(c, patch.N);
  for (Index k = 0; k < 3; ++k) patch.Q(k, k) += patch.A / Scalar(3);
  patch.Q = (patch.Q + patch.Q.transpose()) / two;
  patch.t += (cN + cN.transpose()) / Scalar(4);
  return patch;
}

// ----------------------------------------------------------------------------------------------------------- the union

/// Returns whether ball i lies in ball j. Of identical balls, only the later ones lie in the first one.
template <field_scalar Scalar>
bool contained(std::vector<Ball<Scalar>> const& balls, std::size_t i, std::size_t j) {
  Scalar const more = balls[j].radius - balls[i].radius;
  if (more < Scalar(0)) return false;
  Vector3<Scalar> const between = balls[j].centre - balls[i].centre;
  if (more * more < between.dot(between)) return false;
  return Scalar(0) < more || j < i;
}

template <real_scalar Scalar>
std::vector<Ball<Scalar>> without_contained(std::vector<Ball<Scalar>> const& balls) {
  std::vector<Ball<Scalar>> kept;
  for (std::size_t i = 0; i < balls.size(); ++i) {
    bool inside = false;
    for (std::size_t j = 0; j < balls.size() && !inside; ++j) inside = j != i && contained<Scalar>(balls, i, j);
    if (!inside) kept.push_back(balls[i]);
  }
  return kept;
}

/// Returns the union's integrals about the origin of the coordinates. Returns nullopt if `decide` is false and circles
/// on a sphere nearly touch or nearly coincide.
template <real_scalar Scalar>
std::optional<Integrals<Scalar>> integrals(std::vector<Ball<Scalar>> const& all, bool decide) {
  Scalar const zero(0);
  std::vector<Ball<Scalar>> const balls = without_contained<Scalar>(all);
  Integrals<Scalar> sum{zero, zero, Vector3<Scalar>::Zero(), Matrix3<Scalar>::Zero()};
  for (std::size_t i = 0; i < balls.size(); ++i) {
    auto const patch = exposed_patch<Scalar>(balls, i, decide);
    if (!patch) return std::nullopt;
    auto const& [A, N, Q, t] = *patch;
    Vector3<Scalar> const& c = balls[i].centre;
    Scalar const& r = balls[i].radius;
    Scalar const r_2 = r * r, flux = c.dot(N) + r * A;
    Matrix3<Scalar> const cQ = outer<Scalar>(c, Vector3<Scalar>(Q * c)), cN = outer<Scalar>(c, N);
    sum.area += r_2 * A;
    sum.volume += r_2 * flux / Scalar(3);
    sum.first += r_2 / Scalar(4) * (flux * c + r * (Q * c) + r_2 * N);
    sum.second +=
        r_2 / Scalar(5) *
        (flux * outer<Scalar>(c, c) + r * (cQ + cQ.transpose()) + r_2 * (cN + cN.transpose()) + r_2 * t + r_2 * r * Q);
  }
  return sum;
}

/// Returns the number in another arithmetic (Multiprecision with its current precision). If a type does not convert
/// directly, the number is transferred as the sum of two long doubles.
template <class To, class From>
To converted(From const& x) {
  constexpr auto known = []<class Scalar>(Scalar const*) {
    return std::is_floating_point_v<Scalar> || std::is_same_v<Scalar, Multiprecision>;
  };
  if constexpr (std::is_same_v<To, Multiprecision> && std::is_same_v<From, Multiprecision>) {
    return To(x.get());
  } else if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (known(static_cast<To*>(nullptr)) && known(static_cast<From*>(nullptr))) {
    return ScalarCast<To, From>::apply(x);
  } else {
    auto const first = static_cast<long double>(x);
    return To(first) + To(static_cast<long double>(From(x - From(first))));
  }
}

/// Returns the balls with coordinates relative to `origin`, at higher precision.
template <real_scalar Wide, class Scalar>
std::vector<Ball<Wide>> moved(std::vector<Ball<Scalar>> const& balls, Vector3<Scalar> const& origin) {
  std::vector<Ball<Wide>> result;
  for (Ball<Scalar> const& ball : balls) {
    result.push_back({Vector3<Wide>::Zero(), converted<Wide>(ball.radius)});
    for (Index k = 0; k < 3; ++k)
      result.back().centre[k] = converted<Wide>(ball.centre[k]) - converted<Wide>(origin[k]);
  }
  return result;
}

/// Returns the balls with radii multiplied by 1 + delta_i, with different delta_i in [delta, 2 delta]. Radii grow for
/// delta > 0 and shrink for delta < 0. The factors have no simple ratios. Therefore no two circles coincide and no four
/// spheres meet in a point.
template <real_scalar Scalar>
std::vector<Ball<Scalar>> perturbed(std::vector<Ball<Scalar>> balls, Scalar const& delta) {
  std::uint64_t state = 0x9e3779b97f4a7c15;
  for (Ball<Scalar>& ball : balls) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    Scalar const share = Scalar(1) + Scalar(static_cast<double>(state >> 33)) / Scalar(0x1p31);
    ball.radius *= Scalar(1) + delta * share;
  }
  return balls;
}

template <real_scalar Scalar>
Scalar power_of_ten(int exponent) {
  Scalar power(1);
  for (int k = 0; k < exponent; ++k) power *= Scalar(10);
  for (int k = 0; k > exponent; --k) power /= Scalar(10);
  return power;
}

/// Bounds of the union's integrals, which are valid for degenerate arrangements too. They come from two computations
/// with perturbed radii (docs/mathematics/clumps.md#clump_union_mass_properties-recommended-formula). The volume is
/// monotone in the radii, so it lies between the volumes of the two computations. The integral of any f changes by at
/// most max |f| times the volume that the balls gain. This bounds the error of the mean of the two computations.
template <class Scalar>
struct Bracket {
  Scalar volume_low, volume_high;
  Integrals<Scalar> middle;  ///< mean of the two computations, about the same origin as the balls
  Scalar first_error, second_error;
};
template <real_scalar Scalar>
Bracket<Scalar> bracket(std::vector<Ball<Scalar>> const& balls, Scalar const& delta) {
  Integrals<Scalar> const low = *integrals<Scalar>(perturbed<Scalar>(balls, Scalar(-delta)), true);
  Integrals<Scalar> const high = *integrals<Scalar>(perturbed<Scalar>(balls, delta), true);
  Scalar const one(1), two(2), half = one / two, grown = one + two * delta;
  Scalar gain(0), reach(0);
  for (Ball<Scalar> const& ball : balls) {
    gain += two * delta * Scalar(4) * pi<Scalar>() * ball.radius * ball.radius * ball.radius * grown * grown;
    Scalar const far = ball.centre.norm() + ball.radius * grown;
    if (reach < far) reach = far;
  }
  Integrals<Scalar> const middle{half * (low.volume + high.volume), half * (low.area + high.area),
                                 half * (low.first + high.first), half * (low.second + high.second)};
  return {low.volume, high.volume, middle, gain * reach, gain * reach * reach};
}

// ---------------------------------------------------------------------------------------------------------- evaluation

/// Returns the number of digits that must be correct after a computation with perturbed radii.
template <class Scalar>
unsigned digits() {
  if constexpr (std::is_same_v<Scalar, Multiprecision>) return Precision::digits();
  return std::is_floating_point_v<Scalar> ? 20 : 34;
}

/// Returns the integrals of the computation with perturbed radii in the original arithmetic.
template <class Scalar, class From>
Integrals<Scalar> narrowed(Integrals<From> const& from) {
  Integrals<Scalar> to{converted<Scalar>(from.volume), converted<Scalar>(from.area), {}, {}};
  for (Index i = 0; i < 3; ++i) {
    to.first[i] = converted<Scalar>(from.first[i]);
    for (Index k = 0; k < 3; ++k) to.second(i, k) = converted<Scalar>(from.second(i, k));
  }
  return to;
}

/// Returns the integrals about `origin`. If two circles nearly touch or nearly coincide, computes them with perturbed
/// radii at higher precision.
template <real_scalar Scalar>
Integrals<Scalar> integrals(std::vector<Ball<Scalar>> const& balls, Vector3<Scalar> const& origin) {
  if (auto const found = integrals<Scalar>(moved<Scalar>(balls, origin), false)) return *found;
  unsigned const right = digits<Scalar>();
  // Spheres that touch lose half of the digits. A perturbation of 10^-(D + 5) leaves D digits correct. The computation
  // then needs 2 (D + 5) + 30 digits.
  Precision const more(2 * right + 40);
  auto const delta = power_of_ten<Multiprecision>(-static_cast<int>(right) - 5);
  auto const wide = perturbed<Multiprecision>(moved<Multiprecision>(balls, origin), delta);
  return narrowed<Scalar>(*integrals<Multiprecision>(wide, true));
}

/// Returns the mass properties for integrals about `origin`.
template <real_scalar Scalar>
Output<Scalar> described(Scalar const& density, Vector3<Scalar> const& origin, Integrals<Scalar> const& found) {
  namespace clump = clump_mass_properties::reference;
  Vector3<Scalar> const arm = found.first / found.volume;
  Matrix3<Scalar> const central = found.second - found.volume * outer<Scalar>(arm, arm);
  Matrix3<Scalar> inertia = -density * central;
  for (Index k = 0; k < 3; ++k) inertia(k, k) += density * (central(0, 0) + central(1, 1) + central(2, 2));
  auto const principal = clump::canonical<Scalar>(clump::diagonalised<Scalar>(inertia));
  Tensor<Scalar> tensor{inertia(0, 0), inertia(1, 1), inertia(2, 2), inertia(0, 1), inertia(0, 2), inertia(1, 2)};
  return {found.volume,
          found.area,
          density * found.volume,
          origin + arm,
          tensor,
          principal.moments,
          clump::quaternion<Scalar>(principal.axes)};
}

/// Evaluates the recommended formula: computes the integrals about the mean of the centres, then transfers them to the
/// centroid.
template <real_scalar Scalar>
Output<Scalar> evaluate(Input<Scalar> const& in) {
  Vector3<Scalar> origin = Vector3<Scalar>::Zero();
  for (Ball<Scalar> const& ball : in.balls) origin += ball.centre;
  origin = origin / Scalar(static_cast<double>(in.balls.size()));
  return described<Scalar>(in.density, origin, integrals<Scalar>(in.balls, origin));
}

// These instances are compiled once, in the .cpp file of the same name: several files use them, and they compile
// slowly.
extern template Output<double> evaluate(Input<double> const&);
extern template Output<long double> evaluate(Input<long double> const&);
extern template Output<Multiprecision> evaluate(Input<Multiprecision> const&);
extern template std::optional<Integrals<double>> integrals(std::vector<Ball<double>> const&, bool);
extern template std::optional<Integrals<long double>> integrals(std::vector<Ball<long double>> const&, bool);
extern template std::optional<Integrals<Multiprecision>> integrals(std::vector<Ball<Multiprecision>> const&, bool);
extern template std::optional<Patch<long double>> exposed_patch(std::vector<Ball<long double>> const&, std::size_t,
                                                                bool);
extern template std::optional<Patch<Multiprecision>> exposed_patch(std::vector<Ball<Multiprecision>> const&,
                                                                   std::size_t, bool);

}  // namespace demeter::clump_union_mass_properties::reference
