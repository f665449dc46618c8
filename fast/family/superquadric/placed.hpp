// Superquadrics with position and orientation, for any `Number` of fast/core/lanes.hpp: rotations in double-double,
// gauge and derivatives in the global frame, and the growth distance of the boxes. Source:
// docs/mathematics/superquadrics.md#bodies.
//
// Compiled once per Highway target, like lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_SUPERQUADRIC_PLACED) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_SUPERQUADRIC_PLACED
#undef DEMETER_FAST_FAMILY_SUPERQUADRIC_PLACED
#else
#define DEMETER_FAST_FAMILY_SUPERQUADRIC_PLACED
#endif

#include "fast/family/superquadric/gauge.hpp"

HWY_BEFORE_NAMESPACE();
namespace demeter::superquadric::fast::HWY_NAMESPACE {

#if HWY_ONCE
HWY_INLINE bool no(bool a) { return !a; }
#endif

/// The input columns of a body.
template <class Number>
struct Record {
  Triple<Number> position;
  Number qw, qx, qy, qz;
  Triple<Number> semi_axes;
  Number n1, n2;
};

template <class Number>
struct Twice {
  Triple<Number> high, low;
};

// --------------------------------------------------------------------------------------- double-double arithmetic

template <class Number>
HWY_INLINE Double<Number> plus(Double<Number> const& a, Double<Number> const& b) {
  auto const high = exact_sum(a.high, b.high);
  return exact_sum(high.high, high.low + (a.low + b.low));
}
template <class Number>
HWY_INLINE Double<Number> minus(Double<Number> const& a, Double<Number> const& b) {
  return plus(a, Double<Number>{0.0 - b.high, 0.0 - b.low});
}
template <class Number>
HWY_INLINE Double<Number> times(Double<Number> const& a, Double<Number> const& b) {
  auto const high = exact_product(a.high, b.high);
  return exact_sum(high.high, fma(a.high, b.low, fma(a.low, b.high, high.low)));
}
template <class Number>
HWY_INLINE Double<Number> twice(Double<Number> const& a) {
  return {a.high + a.high, a.low + a.low};
}

/// Computes a - b exactly. Each component is the sum of two numbers.
template <class Number>
HWY_INLINE void difference(Triple<Number> const& a, Triple<Number> const& b, Twice<Number>& result) {
  auto const x = exact_sum(a.x, 0.0 - b.x);
  auto const y = exact_sum(a.y, 0.0 - b.y);
  auto const z = exact_sum(a.z, 0.0 - b.z);
  result.high.x = x.high;
  result.high.y = y.high;
  result.high.z = z.high;
  result.low.x = x.low;
  result.low.y = y.low;
  result.low.z = z.low;
}
/// Computes x - d in double-double.
template <class Number>
HWY_INLINE void minus(Triple<Number> const& x, Twice<Number> const& d, Twice<Number>& result) {
  Twice<Number> exact;
  difference(x, d.high, exact);
  auto const X = exact_sum(exact.high.x, exact.low.x - d.low.x);
  auto const Y = exact_sum(exact.high.y, exact.low.y - d.low.y);
  auto const Z = exact_sum(exact.high.z, exact.low.z - d.low.z);
  result.high.x = X.high;
  result.high.y = Y.high;
  result.high.z = Z.high;
  result.low.x = X.low;
  result.low.y = Y.low;
  result.low.z = Z.low;
}

// ------------------------------------------------------------------------------------------------------- rotations

/// The matrix of a quaternion of any length, by rows, in double-double. It is the rotation times the squared length.
template <class Number>
struct Turn {
  Double<Number> xx, xy, xz, yx, yy, yz, zx, zy, zz, square;
};
template <class Number>
HWY_INLINE void turn(Double<Number> const& w, Double<Number> const& x, Double<Number> const& y, Double<Number> const& z,
                     Turn<Number>& R) {
  auto const ww = times(w, w), xx = times(x, x), yy = times(y, y), zz = times(z, z);
  auto const wx = times(w, x), wy = times(w, y), wz = times(w, z), xy = times(x, y), xz = times(x, z), yz = times(y, z);
  R.square = plus(plus(ww, xx), plus(yy, zz));
  R.xx = plus(minus(ww, yy), minus(xx, zz));
  R.yy = plus(minus(ww, xx), minus(yy, zz));
  R.zz = plus(minus(ww, xx), minus(zz, yy));
  R.xy = twice(minus(xy, wz));
  R.yx = twice(plus(xy, wz));
  R.xz = twice(plus(xz, wy));
  R.zx = twice(minus(xz, wy));
  R.yz = twice(minus(yz, wx));
  R.zy = twice(plus(yz, wx));
}

/// A body with its orientation. ex, ey, ez are the columns of its rotation in double (its own axes in the global
/// frame). The largest component of its quaternion is near 1. Lengths are scaled.
template <class Number>
struct Placed {
  Triple<Number> ex, ey, ez;
  Number qw, qx, qy, qz;
  Shape<Number> shape;
};

template <class Number>
HWY_INLINE void quaternion_turn(Placed<Number> const& body, Turn<Number>& R) {
  auto const zero = set<Number>(0.0);
  turn(Double<Number>{body.qw, zero}, Double<Number>{body.qx, zero}, Double<Number>{body.qy, zero},
       Double<Number>{body.qz, zero}, R);
}

template <class Number>
HWY_INLINE void place(Record<Number> const& of, Number shrink, Placed<Number>& body) {
  auto const unit = inverse(power_of_two(raise(raise(raise(abs(of.qw), of.qx), of.qy), of.qz)));
  body.qw = of.qw * unit;
  body.qx = of.qx * unit;
  body.qy = of.qy * unit;
  body.qz = of.qz * unit;
  Turn<Number> R;
  quaternion_turn(body, R);
  auto const over = 1.0 / R.square.high;
  body.ex.x = R.xx.high * over;
  body.ex.y = R.yx.high * over;
  body.ex.z = R.zx.high * over;
  body.ey.x = R.xy.high * over;
  body.ey.y = R.yy.high * over;
  body.ey.z = R.zy.high * over;
  body.ez.x = R.xz.high * over;
  body.ez.y = R.yz.high * over;
  body.ez.z = R.zz.high * over;
  body.shape.semi_axes = shrink * of.semi_axes;
  body.shape.n1 = of.n1;
  body.shape.n2 = of.n2;
}

template <class Number>
HWY_INLINE Triple<Number> into_own(Placed<Number> const& body, Triple<Number> const& x) {
  return {dot(body.ex, x), dot(body.ey, x), dot(body.ez, x)};
}
template <class Number>
HWY_INLINE Triple<Number> out_of_own(Placed<Number> const& body, Triple<Number> const& y) {
  return fma(y.z, body.ez, fma(y.y, body.ey, y.x * body.ex));
}

// ------------------------------------------------------------------------------------------- gauge in the global frame

template <class Number>
struct Slope {
  Number N;
  Triple<Number> g;
  Symmetric<Number> H;
};

/// Computes N, gradient and Hessian at a point relative to the centre.
template <class Number>
HWY_INLINE void slope(Placed<Number> const& body, Triple<Number> const& x, Slope<Number>& result) {
  Triple<Number> const y = into_own(body, x);
  Gauge<Number> const of = gauge(body.shape, y);
  result.N = of.N;
  result.g = out_of_own(body, gradient(body.shape, of, y));
  Symmetric<Number> const h = hessian(body.shape, of, y);
  // The columns of R h. Their products with the rows of R are R h R^T.
  Triple<Number> const hx = fma(h.xz, body.ez, fma(h.xy, body.ey, h.xx * body.ex));
  Triple<Number> const hy = fma(h.yz, body.ez, fma(h.yy, body.ey, h.xy * body.ex));
  Triple<Number> const hz = fma(h.zz, body.ez, fma(h.yz, body.ey, h.xz * body.ex));
  result.H.xx = fma(hz.x, body.ez.x, fma(hy.x, body.ey.x, hx.x * body.ex.x));
  result.H.yy = fma(hz.y, body.ez.y, fma(hy.y, body.ey.y, hx.y * body.ex.y));
  result.H.zz = fma(hz.z, body.ez.z, fma(hy.z, body.ey.z, hx.z * body.ex.z));
  result.H.xy = fma(hz.x, body.ez.y, fma(hy.x, body.ey.y, hx.x * body.ex.y));
  result.H.xz = fma(hz.x, body.ez.z, fma(hy.x, body.ey.z, hx.x * body.ex.z));
  result.H.yz = fma(hz.y, body.ez.z, fma(hy.y, body.ey.z, hx.y * body.ex.z));
}

template <class Number>
HWY_INLINE void value_and_gradient(Placed<Number> const& body, Triple<Number> const& x, Number& N, Triple<Number>& g) {
  Triple<Number> const y = into_own(body, x);
  Gauge<Number> const of = gauge(body.shape, y);
  N = of.N;
  g = out_of_own(body, gradient(body.shape, of, y));
}

/// Returns x in the body's own frame. Rotation and sums are in double-double.
template <class Number>
HWY_INLINE Triple<Number> exactly_into_own(Turn<Number> const& R, Twice<Number> const& x) {
  Double<Number> const X{x.high.x, x.low.x}, Y{x.high.y, x.low.y}, Z{x.high.z, x.low.z};
  auto const along = [&](Double<Number> const& a, Double<Number> const& b, Double<Number> const& c)
                         HWY_ATTR { return plus(plus(times(a, X), times(b, Y)), times(c, Z)).high / R.square.high; };
  Triple<Number> y;
  y.x = along(R.xx, R.yx, R.zx);
  y.y = along(R.xy, R.yy, R.zy);
  y.z = along(R.xz, R.yz, R.zz);
  return y;
}

/// Returns N with an error of a few u, for any aspect ratio of the body.
template <class Number>
HWY_INLINE Number exact_gauge(Placed<Number> const& body, Twice<Number> const& x) {
  Turn<Number> R;
  quaternion_turn(body, R);
  return gauge_value(body.shape, exactly_into_own(R, x));
}

/// Returns the result of exact_gauge() from N and its gradient g, which slope() computed at `near`, the rounded x. The
/// rotation was rounded too. N and g therefore belong to a point that differs from x. If this point is close to x, a
/// linear correction is accurate: the omitted terms are less than n times the squared distance in units of the
/// semi-axes, 0.05 u. This saves two powers and two roots, a tenth of the time of a contact with a previous point.
template <class Number>
HWY_INLINE Number corrected_gauge(Placed<Number> const& body, Twice<Number> const& x, Triple<Number> const& near,
                                  Number N, Triple<Number> const& g) {
  Turn<Number> R;
  quaternion_turn(body, R);
  Triple<Number> const exact = exactly_into_own(R, x), change = exact - into_own(body, near);
  auto const linear = N + dot(into_own(body, g), change);
  auto const distance = largest(Triple<Number>{change.x / body.shape.semi_axes.x, change.y / body.shape.semi_axes.y,
                                               change.z / body.shape.semi_axes.z});
  auto const close = distance < 0x1p-33 * N;
  if (all(close)) return linear;
  return select(close, linear, gauge_value(body.shape, exact));
}

// ----------------------------------------------------------------------------------------------------------- boxes

/// Returns the largest |L.d| / (r_i(L) + r_j(L)) over the 15 axes L of the boxes, with an error of a few u for any
/// angle. The relative rotation C is computed from the relative quaternion in double-double. Its small entries then
/// keep their digits. The edge axes e_k x C e_l and their extents are computed only from the entries of C. A quotient
/// 0/0 is ignored.
template <class Number>
HWY_INLINE Number growth_of_boxes(Placed<Number> const& i, Placed<Number> const& j, Twice<Number> const& d) {
  auto const product = [](Number a, Number b) HWY_ATTR { return exact_product(a, b); };
  auto const four = [](Double<Number> const& a, Double<Number> const& b, Double<Number> const& c,
                       Double<Number> const& e) HWY_ATTR { return plus(plus(a, b), plus(c, e)); };
  auto const negative = [](Double<Number> const& a) HWY_ATTR { return Double<Number>{0.0 - a.high, 0.0 - a.low}; };
  // conj(q_i) q_j
  auto const w = four(product(i.qw, j.qw), product(i.qx, j.qx), product(i.qy, j.qy), product(i.qz, j.qz));
  auto const x =
      four(product(i.qw, j.qx), negative(product(i.qx, j.qw)), negative(product(i.qy, j.qz)), product(i.qz, j.qy));
  auto const y =
      four(product(i.qw, j.qy), product(i.qx, j.qz), negative(product(i.qy, j.qw)), negative(product(i.qz, j.qx)));
  auto const z =
      four(product(i.qw, j.qz), negative(product(i.qx, j.qy)), product(i.qy, j.qx), negative(product(i.qz, j.qw)));
  Turn<Number> C, Ri, Rj;
  turn(w, x, y, z, C);
  quaternion_turn(i, Ri);
  quaternion_turn(j, Rj);
  Triple<Number> const own_i = exactly_into_own(Ri, d), own_j = exactly_into_own(Rj, d);
  auto const over = 1.0 / C.square.high;
  Number const c[3][3] = {{C.xx.high * over, C.xy.high * over, C.xz.high * over},
                          {C.yx.high * over, C.yy.high * over, C.yz.high * over},
                          {C.zx.high * over, C.zy.high * over, C.zz.high * over}};
  Number const di[3] = {own_i.x, own_i.y, own_i.z}, dj[3] = {own_j.x, own_j.y, own_j.z};
  Number const a[3] = {i.shape.semi_axes.x, i.shape.semi_axes.y, i.shape.semi_axes.z};
  Number const b[3] = {j.shape.semi_axes.x, j.shape.semi_axes.y, j.shape.semi_axes.z};
  auto result = set<Number>(0.0);
  auto const consider = [&](Number along, Number reach)
                            HWY_ATTR { result = maximum(result, zero_unless(0.0 < reach, abs(along) / reach)); };
  for (int k = 0; k < 3; ++k) {
    int const k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    consider(di[k], a[k] + fma(b[0], abs(c[k][0]), fma(b[1], abs(c[k][1]), b[2] * abs(c[k][2]))));
    consider(dj[k], b[k] + fma(a[0], abs(c[0][k]), fma(a[1], abs(c[1][k]), a[2] * abs(c[2][k]))));
    for (int l = 0; l < 3; ++l) {
      int const l1 = (l + 1) % 3, l2 = (l + 2) % 3;
      auto const along = product_difference(c[k1][l], di[k2], c[k2][l], di[k1]);
      auto const reach =
          fma(a[k1], abs(c[k2][l]), a[k2] * abs(c[k1][l])) + fma(b[l1], abs(c[k][l2]), b[l2] * abs(c[k][l1]));
      consider(along, reach);
    }
  }
  return result;
}

}  // namespace demeter::superquadric::fast::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
