// Principal moments and axes of inertia tensors, with a unique choice of the axes. Shared by the fast mass properties.
// Works on one tensor, or on one tensor per lane, with the same bits. The form for one tensor skips some steps by
// branches. The form for lanes executes these steps, and they change nothing.
//
// Compiled once per Highway target, like fast/core/lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_CLUMP_PRINCIPAL_AXES) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_CLUMP_PRINCIPAL_AXES
#undef DEMETER_FAST_FAMILY_CLUMP_PRINCIPAL_AXES
#else
#define DEMETER_FAST_FAMILY_CLUMP_PRINCIPAL_AXES
#endif

#include "fast/core/lanes.hpp"
#include "reference/spec/family/clump.hpp"

#include <cmath>
#include <cstddef>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace demeter::fast_clump::HWY_NAMESPACE {

namespace words = demeter::lanes::HWY_NAMESPACE;

template <class Number>
struct Axis {
  Number x, y, z;
};

template <class Number>
struct Principal {
  Number moments[3];
  Axis<Number> axes[3];
};

/// Exchanges the two numbers where `exchanges` is true.
template <class Number>
HWY_INLINE void exchange(words::Mask<Number> exchanges, Number& a, Number& b) {
  Number const before = a;
  a = words::select(exchanges, b, before);
  b = words::select(exchanges, before, b);
}

template <class Number>
HWY_INLINE void negate(words::Mask<Number> negative, Axis<Number>& a) {
  using namespace words;
  a.x = select(negative, -1.0 * a.x, a.x);
  a.y = select(negative, -1.0 * a.y, a.y);
  a.z = select(negative, -1.0 * a.z, a.z);
}

template <class Number>
HWY_INLINE void rotate(Number c, Number s, Number& p, Number& q) {
  Number const before = p;
  p = c * before - s * q;
  q = s * before + c * q;
}

/// Applies the rotation in the plane of axes p and q that makes A_pq zero; r is the third axis. Returns true where a
/// rotation was needed.
template <class Number>
HWY_INLINE words::Mask<Number> turn(Number negligible, Number& pp, Number& qq, Number& pq, Number& rp, Number& rq,
                                    Axis<Number>& p, Axis<Number>& q) {
  using namespace words;
  auto const turns = negligible < abs(pq);
  if (none(turns)) return turns;
  Number const off = zero_unless(turns, pq), twice = off + off, step = qq - pp;
  Number t, c, s;
  bool small = false;
  // Half of the rotations come when the iteration has almost converged: |2 A_pq| < 2^-28 |step|. Then step^2 + (2
  // A_pq)^2 rounds to step^2, its root is |step|, and therefore c = 1 and s = t. One division then gives the same bits.
  // For lanes this shortcut is not used, because it would rarely apply to all lanes.
  if constexpr (std::is_same_v<Number, double>) small = abs(twice) < 0x1p-28 * abs(step);
  if (small) {
    t = twice / (step + step);
    s = t;
    c = set<Number>(1.0);
  } else {
    Number const root = sqrt(step * step + twice * twice);
    Number const sum = select(step < 0.0, step - root, step + root);
    // In lanes that are not rotated, `sum` and `twice` may both be 0.
    Number const divisor = select(turns, sum, set<Number>(1.0));
    Number const length = sqrt(divisor * divisor + twice * twice);
    t = twice / divisor;
    // This is as accurate as 1/sqrt(1 + t^2), but the dependency chain has one square root and one division less.
    c = abs(divisor) / length;
    s = select(divisor < 0.0, -1.0 * twice, twice) / length;
  }
  pp = pp - t * off;
  qq = qq + t * off;
  pq = select(turns, set<Number>(0.0), pq);
  rotate(c, s, rp, rq);
  rotate(c, s, p.x, q.x);
  rotate(c, s, p.y, q.y);
  rotate(c, s, p.z, q.z);
  return turns;
}

/// Diagonalises a tensor by Jacobi rotations. Off-diagonal entries below 2^-70 of the largest diagonal entry are
/// treated as 0. The entries of the tensor are about 1. Therefore no square of a remaining entry underflows. The
/// iteration converges quadratically. At most four sweeps were seen.
template <class Number>
HWY_INLINE void diagonalise(Number const (&tensor)[6], Principal<Number>& result) {
  using namespace words;
  Number xx = tensor[0], yy = tensor[1], zz = tensor[2], xy = tensor[3], xz = tensor[4], yz = tensor[5];
  Number const zero = set<Number>(0.0), one = set<Number>(1.0);
  Axis<Number> x{one, zero, zero}, y{zero, one, zero}, z{zero, zero, one};
  Number const negligible = 0x1p-70 * maximum(maximum(xx, yy), zz);
  for (int sweep = 0; sweep < 20; ++sweep) {
    auto turned = turn(negligible, xx, yy, xy, xz, yz, x, y);
    turned = either(turned, turn(negligible, zz, xx, xz, yz, xy, z, x));
    turned = either(turned, turn(negligible, yy, zz, yz, xy, xz, y, z));
    if (none(turned)) break;
  }
  result.moments[0] = maximum(xx, zero);
  result.moments[1] = maximum(yy, zero);
  result.moments[2] = maximum(zz, zero);
  result.axes[0] = x;
  result.axes[1] = y;
  result.axes[2] = z;
}

template <class Number>
HWY_INLINE void order(Number& a, Number& b, Axis<Number>& u, Axis<Number>& v) {
  auto const exchanges = b < a;
  exchange<Number>(exchanges, a, b);
  exchange<Number>(exchanges, u.x, v.x);
  exchange<Number>(exchanges, u.y, v.y);
  exchange<Number>(exchanges, u.z, v.z);
}

/// Chooses the sign of the axis so that the component with the largest magnitude (the first of equal ones) is positive.
template <class Number>
HWY_INLINE void make_positive(Axis<Number>& a) {
  using namespace words;
  Number largest = select(abs(a.x) < abs(a.y), a.y, a.x);
  largest = select(abs(largest) < abs(a.z), a.z, largest);
  negate<Number>(largest < 0.0, a);
}

template <class Number>
HWY_INLINE void cross(Axis<Number> const& a, Axis<Number> const& b, Axis<Number>& result) {
  result.x = a.y * b.z - a.z * b.y;
  result.y = a.z * b.x - a.x * b.z;
  result.z = a.x * b.y - a.y * b.x;
}

template <class Number>
HWY_INLINE void choose(words::Mask<Number> chosen, Axis<Number> const& yes, Axis<Number>& a) {
  a.x = words::select(chosen, yes.x, a.x);
  a.y = words::select(chosen, yes.y, a.y);
  a.z = words::select(chosen, yes.z, a.z);
}

/// Chooses a unique order and unique signs of the axes. If moments are equal, also chooses the axes uniquely.
/// fast/clump_mass_properties.hpp describes the choice.
template <class Number>
HWY_INLINE void make_canonical(Principal<Number>& principal) {
  using namespace words;
  Number(&moments)[3] = principal.moments;
  Axis<Number>(&axes)[3] = principal.axes;
  order(moments[0], moments[1], axes[0], axes[1]);
  order(moments[1], moments[2], axes[1], axes[2]);
  order(moments[0], moments[1], axes[0], axes[1]);
  Number const agree = cluster_step * moments[2], zero = set<Number>(0.0), one = set<Number>(1.0);
  auto const low_apart = agree < moments[1] - moments[0], high_apart = agree < moments[2] - moments[1];
#pragma GCC unroll 8
  for (Axis<Number>& axis : axes) make_positive(axis);
  Axis<Number> third;
  cross(axes[0], axes[1], third);
  Axis<Number> last = axes[2];
  negate<Number>(third.x * last.x + third.y * last.y + third.z * last.z < 0.0, last);
  auto const simple_all = both(low_apart, high_apart);
  if (!all(simple_all)) {
    // For a pair of equal moments: the first axis is the projection of the coordinate axis farthest from the simple
    // axis.
    Axis<Number> simple = axes[0];
    choose<Number>(high_apart, axes[2], simple);
    auto const least_y = abs(simple.y) < abs(simple.x);
    auto const least_z = abs(simple.z) < abs(select(least_y, simple.y, simple.x));
    Number const least = select(least_z, simple.z, select(least_y, simple.y, simple.x));
    Axis<Number> first{select(least_z, zero, select(least_y, zero, one)) - least * simple.x,
                       select(least_z, zero, select(least_y, one, zero)) - least * simple.y,
                       select(least_z, one, zero) - least * simple.z};
    Number const length = sqrt(first.x * first.x + first.y * first.y + first.z * first.z);
    first = {first.x / length, first.y / length, first.z / length};
    Axis<Number> second;
    cross(simple, first, second);
    // If the highest moment is apart from the others, the simple axis is the last one. If the lowest moment is apart,
    // it is the first one. Without a simple axis the axes are the global ones.
    auto const some = either(low_apart, high_apart);
    Axis<Number> const x{one, zero, zero}, y{zero, one, zero}, z{zero, zero, one};
    Axis<Number> pairs[3] = {axes[0], first, second};
    choose<Number>(high_apart, first, pairs[0]);
    choose<Number>(high_apart, second, pairs[1]);
    choose<Number>(high_apart, axes[2], pairs[2]);
    Axis<Number> const global[3] = {x, y, z};
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 3; ++k) {
      Axis<Number> chosen = global[k];
      choose<Number>(some, pairs[k], chosen);
      choose<Number>(simple_all, axes[k], chosen);
      axes[k] = chosen;
    }
  }
  choose<Number>(simple_all, last, axes[2]);
}

/// Computes the unit quaternion of the rotation whose columns are the axes (Shepperd 1978).
template <class Number>
HWY_INLINE void quaternion(Axis<Number> const (&axes)[3], Number (&q)[4]) {
  using namespace words;
  Number const xx = axes[0].x, yy = axes[1].y, zz = axes[2].z;
  Number const wx = axes[1].z - axes[2].y, wy = axes[2].x - axes[0].z, wz = axes[0].y - axes[1].x;
  Number const xy = axes[0].y + axes[1].x, xz = axes[2].x + axes[0].z, yz = axes[1].z + axes[2].y;
  // Four times the squares of the components. The largest square and its products give all components.
  Number const squares[4] = {1.0 + (xx + yy + zz), 1.0 + (xx - yy - zz), 1.0 + (yy - xx - zz), 1.0 + (zz - xx - yy)};
  Number const products[4][4] = {
      {squares[0], wx, wy, wz}, {wx, squares[1], xy, xz}, {wy, xy, squares[2], yz}, {wz, xz, yz, squares[3]}};
  Number largest = squares[0];
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 4; ++k) q[k] = products[0][k];
#pragma GCC unroll 8
  for (std::size_t i = 1; i < 4; ++i) {
    auto const larger = largest < squares[i];
    largest = select(larger, squares[i], largest);
#pragma GCC unroll 8
    for (std::size_t k = 0; k < 4; ++k) q[k] = select(larger, products[i][k], q[k]);
  }
  Number length = sqrt((q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3]));
  Number const first = select(q[0] != 0.0, q[0], select(q[1] != 0.0, q[1], select(q[2] != 0.0, q[2], q[3])));
  length = select(first < 0.0, -1.0 * length, length);
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 4; ++k) q[k] = q[k] / length + 0.0;  // avoids -0
}

}  // namespace demeter::fast_clump::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
