// Finds the point where two superquadrics touch when both grow about their centres by the same factor, for any `Number`
// of fast/core/lanes.hpp. At this point the larger gauge has its minimum. Source:
// docs/mathematics/superquadrics.md#superquadric_contact-fast-form.
//
// Compiled once per Highway target, like lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_SUPERQUADRIC_TOUCH) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_SUPERQUADRIC_TOUCH
#undef DEMETER_FAST_FAMILY_SUPERQUADRIC_TOUCH
#else
#define DEMETER_FAST_FAMILY_SUPERQUADRIC_TOUCH
#endif

#include "fast/family/superquadric/placed.hpp"

#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace demeter::superquadric::fast::HWY_NAMESPACE {

/// A pair in two units of length, both powers of two. The unit for lengths of bodies is near the largest semi-axis. The
/// unit for lengths between bodies is near the largest component of the distance of the centres. The growth distance is
/// linear in this distance, and therefore about 1 in these units.
template <class Number>
struct Scaled {
  Placed<Number> i, j;
  Twice<Number> d;
  Number of_bodies, of_distance;  ///< the unit for lengths of bodies, and the unit for lengths between bodies
};

/// The gauges of both bodies at a point x, and their derivatives.
template <class Number>
struct Meeting {
  Triple<Number> x, gi, gj;
  Number Ni, Nj, weight_i, weight_j, residual, larger;
  Symmetric<Number> W;
  Number trace;
};

template <class Number>
HWY_INLINE Number length(Triple<Number> const& a) {
  return sqrt(dot(a, a));
}

/// Returns gauges and derivatives at x, with W = lambda (N_i H_i + g_i g_i^T) + (1 - lambda) (N_j H_j + g_j g_j^T),
/// lambda = |g_j| / (|g_i| + |g_j|). W is the Hessian of lambda N_i^2/2 + (1 - lambda) N_j^2/2 for constant lambda. At
/// the solution, lambda and 1 - lambda are the weights of the two bodies. For ellipsoids W is constant except for
/// lambda.
template <class Number>
HWY_INLINE Meeting<Number> meeting(Scaled<Number> const& of, Triple<Number> const& x) {
  Meeting<Number> at;
  at.x = x;
  Triple<Number> const from_j = x - of.d.high;
  Slope<Number> i, j;
  slope(of.i, x, i);
  slope(of.j, from_j, j);
  at.Ni = i.N;
  at.Nj = j.N;
  at.gi = i.g;
  at.gj = j.g;
  at.weight_i = length(i.g);
  at.weight_j = length(j.g);
  at.larger = maximum(i.N, j.N);
  Triple<Number> const sum = fma(1.0 / at.weight_i, i.g, (1.0 / at.weight_j) * j.g);
  at.residual = length(sum) + abs(i.N - j.N) / at.larger;
  auto const both = at.weight_i + at.weight_j;
  auto const lambda = at.weight_j / both;
  auto const rest = at.weight_i / both;
  auto const Hi = lambda * i.N;
  auto const Hj = rest * j.N;
  auto const entry = [&](Number hi, Number hj, Number gi_k, Number gi_l, Number gj_k, Number gj_l)
                         HWY_ATTR { return fma(Hi, hi, fma(Hj, hj, fma(lambda * gi_k, gi_l, (rest * gj_k) * gj_l))); };
  at.W.xx = entry(i.H.xx, j.H.xx, i.g.x, i.g.x, j.g.x, j.g.x);
  at.W.yy = entry(i.H.yy, j.H.yy, i.g.y, i.g.y, j.g.y, j.g.y);
  at.W.zz = entry(i.H.zz, j.H.zz, i.g.z, i.g.z, j.g.z, j.g.z);
  at.W.xy = entry(i.H.xy, j.H.xy, i.g.x, i.g.y, j.g.x, j.g.y);
  at.W.xz = entry(i.H.xz, j.H.xz, i.g.x, i.g.z, j.g.x, j.g.z);
  at.W.yz = entry(i.H.yz, j.H.yz, i.g.y, i.g.z, j.g.y, j.g.z);
  at.trace = at.W.xx + at.W.yy + at.W.zz;
  return at;
}

/// The factors L and D of a positive definite matrix L D L^T. d0, d1, d2 are the inverses of the entries of D.
template <class Number>
struct Factors {
  Number d0, d1, d2, l10, l20, l21;
};
template <class Number>
HWY_INLINE Factors<Number> factors(Symmetric<Number> const& A) {
  Factors<Number> f;
  f.d0 = 1.0 / A.xx;
  f.l10 = A.xy * f.d0;
  f.l20 = A.xz * f.d0;
  f.d1 = 1.0 / subtract_product(A.yy, f.l10, A.xy);
  auto const below = subtract_product(A.yz, f.l20, A.xy);
  f.l21 = below * f.d1;
  f.d2 = 1.0 / subtract_product(subtract_product(A.zz, f.l20, A.xz), f.l21, below);
  return f;
}
template <class Number>
HWY_INLINE Triple<Number> solve(Factors<Number> const& f, Triple<Number> const& b) {
  auto const y1 = subtract_product(b.y, f.l10, b.x);
  auto const y2 = subtract_product(subtract_product(b.z, f.l20, b.x), f.l21, y1);
  Triple<Number> x;
  x.z = y2 * f.d2;
  x.y = subtract_product(y1 * f.d1, f.l21, x.z);
  x.x = subtract_product(subtract_product(b.x * f.d0, f.l10, x.y), f.l20, x.z);
  return x;
}

template <class Number>
struct Step {
  Triple<Number> p;
  Number decrease;  ///< predicted decrease of half the square of the larger gauge
};

/// Returns the step p that minimises max(f_i + g_i.p, f_j + g_j.p) + p.W p / 2. Here f = N^2/2, and g is the gradient
/// of f. (This is Pshenichny's linearisation. The functions are convex, so the step goes downhill.) If both functions
/// are active, e.p = f_j - f_i with e = g_i - g_j. A multiple of e e^T may then be added to W, which makes W definite.
template <class Number>
HWY_INLINE Step<Number> step(Meeting<Number> const& at, Number damping, Number reach) {
  Step<Number> result;
  Triple<Number> const gi = at.Ni * at.gi, gj = at.Nj * at.gj;
  Triple<Number> const e = gi - gj;
  auto const fi = 0.5 * at.Ni * at.Ni;
  auto const fj = 0.5 * at.Nj * at.Nj;
  auto const c = 0.5 * (at.Nj - at.Ni) * (at.Nj + at.Ni);
  auto const added = damping * at.trace;
  Symmetric<Number> W = at.W;
  W.xx = W.xx + added;
  W.yy = W.yy + added;
  W.zz = W.zz + added;
  auto const tau = at.trace / dot(e, e);
  Symmetric<Number> both;
  both.xx = fma(tau * e.x, e.x, W.xx);
  both.yy = fma(tau * e.y, e.y, W.yy);
  both.zz = fma(tau * e.z, e.z, W.zz);
  both.xy = fma(tau * e.x, e.y, W.xy);
  both.xz = fma(tau * e.x, e.z, W.xz);
  both.yz = fma(tau * e.y, e.z, W.yz);
  Factors<Number> const of_both = factors(both);
  Triple<Number> const along_g = solve(of_both, gj), along_e = solve(of_both, e);
  auto const share = (0.0 - (c + dot(e, along_g))) / dot(e, along_e);
  auto const of_i = fma(tau, c, share);
  Triple<Number> const shared = fma(share, along_e, along_g);
  // Only one body is active if the share of the other is not positive, for example in deep overlaps far from the
  // solution.
  auto const only_j = no(0.0 < of_i);
  auto const only_i = no(of_i < 1.0);
  auto const one_body = either(only_j, only_i);
  Triple<Number> back = shared;
  if (!none(one_body)) {
    Triple<Number> const alone = solve(factors(W), select(only_i, gi, gj));
    back = select(one_body, alone, shared);
  }
  // A face without curvature can make p arbitrarily long. The length of p is limited to `reach`.
  auto const far = length(back);
  auto const shortened = select(reach < far, reach / far, set<Number>(1.0));
  result.p = (0.0 - shortened) * back;
  auto const now = maximum(fi, fj);
  result.decrease = now - maximum(fi + dot(gi, result.p), fj + dot(gj, result.p));
  return result;
}

// The trials of one step, in this order: the step p; the point moved to equal gauges; the steps p/2 to p/128; steps
// with damping. Each trial with damping multiplies the damping by `more`.
constexpr double corrected = 1, last_half = 8, last_trial = 23, first_damping = 1e-9, last_damping = 1e-14, more = 30;
constexpr int most_evaluations = 400, most_in_long_double = 20000;

/// Limits that separate a decrease from rounding errors.
///
/// visible, noise and doubtful are relative to the merit, which is half the square of the larger gauge. A decrease is
/// measurable if the expected decrease exceeds `visible` and the actual decrease exceeds `noise`. If the expected
/// decrease is at most `doubtful`, the residual or the slope may decide as well. near and enough are residuals. Below
/// `near`, a refused step with an expected decrease of at most `doubtful` ends the search. Below `enough`, an accepted
/// step ends the search. `always` times the residual is the damping that every step adds.
///
/// If the final residual is above `enough`, the search continues in long double. Near a pole whose curvature grows with
/// the distance, a small residual is not enough: a point with a residual of 30 u may err by hundreds of times its
/// condition, and a point with a residual of 250 u by thousands of times.
template <class Number>
struct Limits {
  static constexpr double visible = 0x1p-52, noise = 0x1p-51, doubtful = 0x1p-46, near = 0x1p-43, enough = 0x1p-49,
                          always = 1e-13;
};

/// The state of the search, per lane.
template <class Number>
struct Search {
  Meeting<Number> at;
  Step<Number> of;
  Triple<Number> next;
  Number part, damping, trial;
  Mask<Number> first, done;
};

template <class Number>
HWY_INLINE Meeting<Number> choose(Mask<Number> mask, Meeting<Number> const& yes, Meeting<Number> const& no) {
  Meeting<Number> result;
  result.x = select(mask, yes.x, no.x);
  result.gi = select(mask, yes.gi, no.gi);
  result.gj = select(mask, yes.gj, no.gj);
  result.Ni = select(mask, yes.Ni, no.Ni);
  result.Nj = select(mask, yes.Nj, no.Nj);
  result.weight_i = select(mask, yes.weight_i, no.weight_i);
  result.weight_j = select(mask, yes.weight_j, no.weight_j);
  result.residual = select(mask, yes.residual, no.residual);
  result.larger = select(mask, yes.larger, no.larger);
  result.trace = select(mask, yes.trace, no.trace);
  result.W.xx = select(mask, yes.W.xx, no.W.xx);
  result.W.yy = select(mask, yes.W.yy, no.W.yy);
  result.W.zz = select(mask, yes.W.zz, no.W.zz);
  result.W.xy = select(mask, yes.W.xy, no.W.xy);
  result.W.xz = select(mask, yes.W.xz, no.W.xz);
  result.W.yz = select(mask, yes.W.yz, no.W.yz);
  return result;
}

/// Returns the point where a small body touches a large body, relative to the centre of the small body. Treats the
/// gauge of the large body as linear across the small body. `to` is the vector from the centre of the small body to the
/// centre of the large body. The opposite `to` gives the opposite point, because both bodies are symmetric.
template <class Number>
HWY_INLINE Triple<Number> on_small(Placed<Number> const& small, Placed<Number> const& large, Triple<Number> const& to) {
  Number N;
  Triple<Number> inward;
  value_and_gradient(large, to, N, inward);
  Triple<Number> const point = out_of_own(small, support_point(small.shape, into_own(small, inward)));
  return (N / (1.0 + dot(point, inward))) * point;
}

/// Returns the start point s d, where the bodies would touch if they were spheres. s follows from the gauge of each
/// body at the centre of the other body.
///
/// For bodies of unequal size, returns the outermost point of the smaller body instead. Between the centres the gauge
/// of the smaller body is steep and curved, and the search would need hundreds of steps (regime unequal: 115
/// evaluations on average instead of 6.6). Below the ratio `unequal` both starts are equally good, and s d takes less
/// time.
template <class Number>
HWY_INLINE Triple<Number> between_centres(Scaled<Number> const& pair) {
  constexpr double unequal = 4;
  auto const Ni = gauge_value(pair.i.shape, into_own(pair.i, pair.d.high));
  auto const Nj = gauge_value(pair.j.shape, into_own(pair.j, pair.d.high));
  Triple<Number> start = (Nj / (Ni + Nj)) * pair.d.high;
  auto const small_i = unequal * Nj < Ni, small_j = unequal * Ni < Nj;
  if (!none(small_i)) start = select(small_i, on_small(pair.i, pair.j, pair.d.high), start);
  if (!none(small_j)) start = select(small_j, pair.d.high - on_small(pair.j, pair.i, pair.d.high), start);
  return start;
}

/// Evaluates both bodies at `next`. Then accepts this point, or chooses another point for the next trial.
template <class Number>
HWY_INLINE void advance(Scaled<Number> const& pair, Search<Number>& s) {
  Meeting<Number> const found = meeting(pair, s.next);
  // Rejects a useless previous point: at a centre, or so far away that the gauges overflow.
  auto const usable = both(found.residual < 4.0, found.trace < 1e300);
  auto const now = 0.5 * s.at.larger * s.at.larger;
  auto const then = 0.5 * found.larger * found.larger;
  using Limit = Limits<Number>;
  auto const expected = s.part * s.of.decrease;
  auto const visible = Limit::visible * now < expected;
  auto const telling = Limit::doubtful * now < expected;
  auto const noise = Limit::noise * now;
  auto const lower = then < now - maximum(1e-4 * expected, noise);
  auto const higher = now + noise < then;
  auto const nearer = found.residual < s.at.residual * (1.0 - 0.05 * s.part);
  // Both functions are convex. If they decrease at the end of a step, they have decreased along the whole step. The
  // slope shows this even if their change, the square of a rounding error, is not measurable. This happens along a
  // face, and near a pole of exponent 2. There the curvature depends on the direction from the pole, and the residual
  // of a good step may grow.
  Triple<Number> const moved = s.next - s.at.x;
  auto const slope = dot(found.gi, moved) / found.weight_i + dot(found.gj, moved) / found.weight_j;
  auto const downhill = slope < (-16 * Limit::enough) * length(moved);
  auto const told = both(both(no(telling), no(higher)), either(nearer, downhill));
  auto const taken = both(usable, either(s.first, either(both(visible, lower), told)));
  auto const lost = both(s.first, no(usable));
  auto const refused = no(either(taken, lost));

  s.at = choose(both(taken, no(s.done)), found, s.at);
  auto const trial = s.trial + 1.0;
  auto const damped = both(refused, last_half < trial);
  auto const raised = maximum(s.damping * more, set<Number>(first_damping));
  // After a step that needed damping, the next step starts with less damping.
  auto const eased = last_damping < s.damping;
  auto const kept = zero_unless(eased, s.damping * (1.0 / (more * more)));
  s.damping = select(taken, kept, select(damped, raised, s.damping));
  s.part =
      select(either(taken, damped), set<Number>(1.0), select(both(refused, corrected < trial), s.part * 0.5, s.part));
  s.trial = select(taken, set<Number>(0.0), trial);
  auto const stop = either(both(taken, s.at.residual < Limit::enough),
                           both(refused, either(last_trial < trial, both(no(telling), s.at.residual < Limit::near))));
  s.done = either(s.done, stop);
  if (all(s.done)) return;  // no step is needed after the last point

  auto const reach = maximum(length(s.at.x), length(s.at.x - pair.d.high));
  // Flat faces have no curvature. Therefore every step adds a damping. The damping vanishes with the residual, faster
  // than the curvature does.
  auto const always = Limit::always * minimum(s.at.residual, set<Number>(1.0));
  s.of = step(s.at, s.damping + always, reach);
  Triple<Number> const onward = fma(s.part, s.of.p, s.at.x);
  // Moves the point of a rejected step to a place with equal gauges. The point moves along the line to the centre of
  // the body with the steeper gauge, because this gauge is linear along the line. The other gauge is linearised.
  auto const to_i = found.weight_j < found.weight_i;
  Triple<Number> const centre = select(to_i, found.x - found.x, pair.d.high);
  Triple<Number> const arm = found.x - centre;
  auto const change = dot(select(to_i, found.gj, found.gi), arm);
  auto const steep = select(to_i, found.Ni, found.Nj);
  auto const other = select(to_i, found.Nj, found.Ni);
  Triple<Number> const equal = fma((other - change) / (steep - change), arm, centre);
  s.next = select(both(refused, trial == corrected), equal, onward);
  if (!none(lost)) s.next = select(lost, between_centres(pair), s.next);
  s.first = lost;
}

/// Returns a search that starts at `next`, or between the centres if `next` is useless.
template <class Number>
HWY_INLINE Search<Number> begun(Scaled<Number> const& pair, Triple<Number> const& next) {
  Search<Number> s;
  auto const zero = set<Number>(0.0);
  auto const one = set<Number>(1.0);
  s.next = next;
  s.at = Meeting<Number>{};
  s.at.x = next;
  s.at.gi = s.at.gj = next;
  s.at.Ni = s.at.Nj = s.at.weight_i = s.at.weight_j = s.at.residual = s.at.larger = s.at.trace = one;
  s.at.W.xx = s.at.W.yy = s.at.W.zz = one;
  s.at.W.xy = s.at.W.xz = s.at.W.yz = zero;
  s.of.p = next;
  s.of.decrease = one;
  s.part = one;
  s.damping = s.trial = zero;
  s.first = 0.0 < one;
  s.done = largest(pair.d.high) == 0.0;
  return s;
}

#if HWY_ONCE

template <>
struct Limits<Wide> {
  static constexpr double visible = 0x1p-62, noise = 0x1p-61, doubtful = 0x1p-57, near = 0x1p-52, enough = 0x1p-59,
                          always = 1e-15;
};

inline Triple<Wide> wide(Triple<double> const& x) { return {x.x, x.y, x.z}; }
inline Triple<double> narrow(Triple<Wide> const& x) {
  return {static_cast<double>(x.x.x), static_cast<double>(x.y.x), static_cast<double>(x.z.x)};
}

/// Computes the rotation again in long double.
inline void widen(Placed<double> const& from, Placed<Wide>& to) {
  Wide const w = from.qw, x = from.qx, y = from.qy, z = from.qz, over = 1.0 / (w * w + x * x + y * y + z * z);
  auto const twice = [&](Wide a) { return 2.0 * a * over; };
  to.ex = {(w * w + x * x - y * y - z * z) * over, twice(x * y + w * z), twice(x * z - w * y)};
  to.ey = {twice(x * y - w * z), (w * w - x * x + y * y - z * z) * over, twice(y * z + w * x)};
  to.ez = {twice(x * z + w * y), twice(y * z - w * x), (w * w - x * x - y * y + z * z) * over};
  to.shape.semi_axes = wide(from.shape.semi_axes);
  to.shape.n1 = from.shape.n1;
  to.shape.n2 = from.shape.n2;
}

inline bool is_finite(Triple<Wide> const& a) { return std::isfinite((a.x + a.y + a.z).x); }

/// Returns false for input for which no search can end: a number that is not finite, an axis of length 0, an exponent
/// below 1. The search would use all of its steps, a tenth of a second.
inline bool is_body(Placed<Wide> const& of) {
  auto const& [a, n1, n2] = of.shape;
  return is_finite(of.ex) && is_finite(of.ey) && is_finite(of.ez) && is_finite(a) && 0.0 < a.x && 0.0 < a.y &&
         0.0 < a.z && !(n1 < 1.0) && !(n2 < 1.0) && std::isfinite((n1 + n2).x);
}

/// Continues the search in long double from the result in double. Returns NaN for invalid bodies.
__attribute__((noinline)) inline void search_wide(Scaled<double> const& from, Meeting<double>& at,
                                                  int most = most_in_long_double) {
  Scaled<Wide> pair;
  widen(from.i, pair.i);
  widen(from.j, pair.j);
  pair.d.high = {Wide(static_cast<long double>(from.d.high.x) + from.d.low.x),
                 Wide(static_cast<long double>(from.d.high.y) + from.d.low.y),
                 Wide(static_cast<long double>(from.d.high.z) + from.d.low.z)};
  if (!is_body(pair.i) || !is_body(pair.j) || !is_finite(pair.d.high)) {
    double const none = std::numeric_limits<double>::quiet_NaN();
    at.x = at.gi = at.gj = {none, none, none};
    at.Ni = at.Nj = at.weight_i = at.weight_j = none;
    return;
  }
  Search<Wide> s;
  s.at.larger = s.at.residual = s.of.decrease = s.part = 1.0;
  s.next = wide(at.x);
  s.first = true;
  s.done = false;
  for (int k = 0; k < most && !s.done; ++k) advance(pair, s);
  at.x = narrow(s.at.x);
  at.gi = narrow(s.at.gi);
  at.gj = narrow(s.at.gj);
  at.Ni = static_cast<double>(s.at.Ni.x);
  at.Nj = static_cast<double>(s.at.Nj.x);
  at.weight_i = length(at.gi);
  at.weight_j = length(at.gj);
}

#endif

}  // namespace demeter::superquadric::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
