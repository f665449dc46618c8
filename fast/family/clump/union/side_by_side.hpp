// Functions of the union of balls that process many pairs, triples, facets and arcs: in lanes, or one by one with the
// same bits.
//
// Compiled once per Highway target, like fast/core/lanes.hpp.
#if defined(DEMETER_FAST_FAMILY_CLUMP_UNION_SIDE_BY_SIDE) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_FAMILY_CLUMP_UNION_SIDE_BY_SIDE
#undef DEMETER_FAST_FAMILY_CLUMP_UNION_SIDE_BY_SIDE
#else
#define DEMETER_FAST_FAMILY_CLUMP_UNION_SIDE_BY_SIDE
#endif

#include "fast/core/lanes.hpp"
#include "fast/family/clump/union/records.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace demeter::fast_union::HWY_NAMESPACE {
namespace {

using namespace demeter::lanes::HWY_NAMESPACE;
using demeter::lanes::HWY_NAMESPACE::operator+, demeter::lanes::HWY_NAMESPACE::operator-,
    demeter::lanes::HWY_NAMESPACE::operator*;  // needed in addition to the operators of Vec3

// A facet has about five cuts, and a clump of packed balls has about fifty facets. Vectors of eight would be half
// empty. AVX-512 therefore runs the AVX2 code.
#if HWY_TARGET == HWY_AVX2 || HWY_ONCE

#if HWY_TARGET == HWY_AVX2

using Number = Register;
static_assert(width == most_lanes);
constexpr std::size_t lanes = width;

/// load_four() loads four consecutive numbers of each of four records and transposes them. store_four() is the inverse.
/// Both take three operations per vector. (Gathers take twice as long.)
HWY_INLINE void load_four(double const* const from[], std::size_t at, Number& a, Number& b, Number& c, Number& d) {
  auto const p = load(from[0] + at), q = load(from[1] + at), r = load(from[2] + at), s = load(from[3] + at);
  auto const pq_even = hn::InterleaveLower(Tag(), p, q), pq_odd = hn::InterleaveUpper(Tag(), p, q);
  auto const rs_even = hn::InterleaveLower(Tag(), r, s), rs_odd = hn::InterleaveUpper(Tag(), r, s);
  a = hn::ConcatLowerLower(Tag(), rs_even, pq_even);
  b = hn::ConcatLowerLower(Tag(), rs_odd, pq_odd);
  c = hn::ConcatUpperUpper(Tag(), rs_even, pq_even);
  d = hn::ConcatUpperUpper(Tag(), rs_odd, pq_odd);
}
HWY_INLINE void store_four(Number a, Number b, Number c, Number d, double* const to[], std::size_t at) {
  auto const ab_even = hn::InterleaveLower(Tag(), a, b), ab_odd = hn::InterleaveUpper(Tag(), a, b);
  auto const cd_even = hn::InterleaveLower(Tag(), c, d), cd_odd = hn::InterleaveUpper(Tag(), c, d);
  store(hn::ConcatLowerLower(Tag(), cd_even, ab_even), to[0] + at);
  store(hn::ConcatLowerLower(Tag(), cd_odd, ab_odd), to[1] + at);
  store(hn::ConcatUpperUpper(Tag(), cd_even, ab_even), to[2] + at);
  store(hn::ConcatUpperUpper(Tag(), cd_odd, ab_odd), to[3] + at);
}
HWY_INLINE VectorMask and_not(VectorMask a, VectorMask b) { return hn::And(a, hn::Not(b)); }
HWY_INLINE VectorMask at_most(Register a, Register b) { return a <= b; }

#else

using Number = double;
constexpr std::size_t lanes = 1;

HWY_INLINE void load_four(double const* const from[], std::size_t at, double& a, double& b, double& c, double& d) {
  a = from[0][at], b = from[0][at + 1], c = from[0][at + 2], d = from[0][at + 3];
}
HWY_INLINE void store_four(double a, double b, double c, double d, double* const to[], std::size_t at) {
  to[0][at] = a, to[0][at + 1] = b, to[0][at + 2] = c, to[0][at + 3] = d;
}
HWY_INLINE bool and_not(bool a, bool b) { return a & !b; }
HWY_INLINE bool at_most(double a, double b) { return a <= b; }
HWY_INLINE std::size_t bits_of(bool a) { return a ? 1 : 0; }

#endif

using Triple3 = Vec3<Number>;
using Which = Mask<Number>;

HWY_INLINE Number number(double const* from) { return load_as<Number>(from); }

// These two functions replace the functions of Vec3, which would be compiled for the baseline target.
HWY_INLINE Number inner(Triple3 const& a, Triple3 const& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HWY_INLINE void outer(Triple3 const& a, Triple3 const& b, Triple3& result) {
  result.x = a.y * b.z - a.z * b.y;
  result.y = a.z * b.x - a.x * b.z;
  result.z = a.x * b.y - a.y * b.x;
}

/// Returns one bit for each of up to 64 balls from `first` on. The bit is 1 if the ball overlaps ball i. Among packed
/// balls, half of the balls overlap, at random. A branch per ball would often be mispredicted and would take longer
/// than the computation that it saves.
inline std::uint64_t overlapping(double const* const places[4], Factor const& scaled, std::size_t i, std::size_t first,
                                 std::size_t n) {
  std::uint64_t bits = 0;
  Number const x = set<Number>(places[0][i]), y = set<Number>(places[1][i]), z = set<Number>(places[2][i]);
  Number const r = set<Number>(places[3][i]);
  std::size_t const size = std::min<std::size_t>(n - first, 64);
  for (std::size_t k = 0; k < size; k += lanes) {
    std::size_t const j = first + k;
    Number const dx = (number(places[0] + j) - x) * scaled.first * scaled.second;
    Number const dy = (number(places[1] + j) - y) * scaled.first * scaled.second;
    Number const dz = (number(places[2] + j) - z) * scaled.first * scaled.second;
    Number const sum = number(places[3] + j) + r;
    bits |= static_cast<std::uint64_t>(bits_of(dx * dx + dy * dy + dz * dz < sum * sum)) << k;
  }
  return size < 64 ? bits & ((std::uint64_t{1} << size) - 1) : bits;
}

/// Computes the facets of pairs. Input: `between`, and the radii in d and h_j. For pairs without a facet the result is
/// meaningless.
inline void measure_facets(Facet* facets, std::size_t n) {
  for (std::size_t first = 0; first < n; first += lanes) {
    double const *from[lanes], *radius[lanes];
    double* to[lanes];
    double squares[lanes];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < lanes; ++k) {
      Facet& facet = facets[std::min(first + k, n - 1)];
      from[k] = &facet.between.x;
      radius[k] = &facet.v.x;
      to[k] = &facet.m.x;
    }
    Triple3 e, unused;
    Number r_i, r_j;
    load_four(from, 0, e.x, e.y, e.z, r_i);
    load_four(radius, 0, unused.x, unused.y, unused.z, r_j);
    Number const d = sqrt(inner(e, e)), sum = r_i + r_j, step = r_i - r_j, size = abs(step);
    Number const shift = step / d * sum, apart = sum - d, inverse_d = 1.0 / d;
    Number const rho_2 = apart / d * (sum + d) * ((d - size) / d * (d + size)) * 0.25;
    Number const m_x = inverse_d * e.x, m_y = inverse_d * e.y, m_z = inverse_d * e.z;
    // u and v are perpendicular to m (Duff et al. 2017).
    Which const down = m_z < 0.0;
    Number const sign = blend(down, set<Number>(-1.0), set<Number>(1.0)), a = -1.0 / (sign + m_z), b = m_x * m_y * a;
    store_four(m_x, m_y, m_z, 0.5 * (d + shift), to, 0);
    store_four(e.x, e.y, e.z, d, to, 4);
    store_four(1.0 + sign * m_x * m_x * a, sign * b, -1.0 * (sign * m_x), sqrt(rho_2), to, 8);
    store_four(b, sign + m_y * m_y * a, -1.0 * m_y, 0.5 * (d - shift), to, 12);
    store(rho_2, squares);
    for (std::size_t k = 0; k < lanes; ++k) facets[std::min(first + k, n - 1)].rho_2 = squares[k];
  }
}

/// Computes the lines of n triples with given facets, and the cut of each line on each of its facets.
inline void find(Facet const* facets, Line* lines, std::size_t n) {
  for (std::size_t first = 0; first < n; first += lanes) {
    double const *ij[lanes], *ik[lanes], *jk[lanes];
    double* to[lanes];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < lanes; ++k) {
      Line& line = lines[std::min(first + k, n - 1)];  // unused lanes repeat the last line
      ij[k] = &facets[line.facet[0]].m.x;
      ik[k] = &facets[line.facet[1]].m.x;
      jk[k] = &facets[line.facet[2]].m.x;
      to[k] = &line.x.x;
    }
    Triple3 m_ij, m_ik, m_jk, to_j, to_k, u, v, cross, t, n_ij, n_ik, n_jk, x, from_j;
    Number h_ij, h_ik, h_jk, d_ij, d_ik, rho, unused;
    load_four(ij, 0, m_ij.x, m_ij.y, m_ij.z, h_ij);
    load_four(ij, 4, to_j.x, to_j.y, to_j.z, d_ij);
    load_four(ik, 0, m_ik.x, m_ik.y, m_ik.z, h_ik);
    load_four(ik, 4, to_k.x, to_k.y, to_k.z, d_ik);
    outer(to_j, to_k, cross);
    Number const area_2 = inner(cross, cross), both_d = d_ij * d_ik, longest_2 = both_d * both_d;
    Number const area = sqrt(area_2), inverse_area = 1.0 / area, along = inner(m_ij, m_ik) * d_ij;
    Number const q_ij = (h_ik * d_ij - h_ij * along) * d_ik * inverse_area;
    t.x = inverse_area * cross.x;
    t.y = inverse_area * cross.y;
    t.z = inverse_area * cross.z;
    outer(t, m_ij, n_ij);
    load_four(ij, 8, u.x, u.y, u.z, rho);
    load_four(ij, 12, v.x, v.y, v.z, unused);
    x.x = h_ij * m_ij.x + q_ij * n_ij.x;
    x.y = h_ij * m_ij.y + q_ij * n_ij.y;
    x.z = h_ij * m_ij.z + q_ij * n_ij.z;
    Number const s_2 = (rho - q_ij) * (rho + q_ij), s = sqrt(s_2);
    store_four(x.x, x.y, x.z, s, to, 0);
    store_four(t.x, t.y, t.z, s_2, to, 4);
    store_four(inner(n_ij, u), inner(n_ij, v), q_ij, area_2, to, 8);
    outer(m_ik, t, n_ik);
    load_four(ik, 8, u.x, u.y, u.z, unused);
    load_four(ik, 12, v.x, v.y, v.z, unused);
    store_four(inner(n_ik, u), inner(n_ik, v), inner(x, n_ik), longest_2, to, 12);
    load_four(jk, 0, m_jk.x, m_jk.y, m_jk.z, h_jk);
    load_four(jk, 8, u.x, u.y, u.z, unused);
    load_four(jk, 12, v.x, v.y, v.z, unused);
    outer(t, m_jk, n_jk);
    from_j.x = x.x - to_j.x;
    from_j.y = x.y - to_j.y;
    from_j.z = x.z - to_j.z;
    store_four(inner(n_jk, u), inner(n_jk, v), inner(from_j, n_jk), unused, to, 16);
  }
}

/// The fields of the slots of a group. One vector contains one field of one slot for all facets of the group.
struct Slots {
  double* numbers;

  double* at(std::size_t slot, Slot::Field field) const { return numbers + (slot * Slot::fields + field) * lanes; }
  HWY_INLINE Number get(std::size_t slot, Slot::Field field) const { return number(at(slot, field)); }
  HWY_INLINE void put(std::size_t slot, Slot::Field field, Number x) const { store(x, at(slot, field)); }
};

/// Computes the remaining part of each line of a group. Also computes the area and the moments of the triangles between
/// these parts and the centre of the disc.
HWY_INLINE void measure_flat(Group& group) {
  Slots const slots{group.slots};
  Number const one = set<Number>(1.0), zero = set<Number>(0.0);
  Number area = zero, x = zero, y = zero, xx = zero, xy = zero, yy = zero;
  for (std::size_t k = 0; k < group.most; ++k) {
    Number const n_x = slots.get(k, Slot::n_x), n_y = slots.get(k, Slot::n_y), q = slots.get(k, Slot::q),
                 s = slots.get(k, Slot::s);
    Number const low_end = slots.get(k, Slot::low), high_end = slots.get(k, Slot::high);
    Number const low = maximum(low_end, -1.0 * s), high = minimum(high_end, s);
    Which const left = both(0.0 < slots.get(k, Slot::alive), low < high);
    slots.put(k, Slot::alive, keep(left, one));
    Number const p_x = q * n_x - low * n_y, p_y = q * n_y + low * n_x;
    Number const q_x = q * n_x - high * n_y, q_y = q * n_y + high * n_x;
    slots.put(k, Slot::low_x, p_x);
    slots.put(k, Slot::low_y, p_y);
    slots.put(k, Slot::high_x, q_x);
    slots.put(k, Slot::high_y, q_y);
    Number const part = n_x / (abs(n_x) + abs(n_y));
    slots.put(k, Slot::rank, blend(n_y < zero, 3.0 + part, 1.0 - part));
    slots.put(k, Slot::half, 1.0 - q / (abs(q) + s));
    // Adds the triangle of the centre of the disc and the edge.
    Number const twice_area = keep(left, q * (high - low)), sx = p_x + q_x, sy = p_y + q_y;
    area = area + 0.5 * twice_area;
    x = x + twice_area * sx * (1.0 / 6);
    y = y + twice_area * sy * (1.0 / 6);
    xx = xx + twice_area * (1.0 / 24) * (sx * sx + p_x * p_x + q_x * q_x);
    xy = xy + twice_area * (1.0 / 24) * (sx * sy + p_x * p_y + q_x * q_y);
    yy = yy + twice_area * (1.0 / 24) * (sy * sy + p_y * p_y + q_y * q_y);
  }
  Number const flat[6] = {area, x, y, xx, xy, yy};
  for (std::size_t k = 0; k < 6; ++k) store(flat[k], group.flat[k]);
}

/// Computes which part of each cut remains as an edge of its facet. Each pair of cuts a, b of a facet needs one
/// decision:
///
///   a or b already excluded     nothing happens
///   nearly one line             same side: the cut that removes less of the disc is excluded
///                               opposite sides without a gap: both are excluded
///   crossing on the disc        each ends at the crossing: its end there is no longer on the rim
///   no crossing on the disc     a cut that lies wholly beyond the other one is excluded
///
/// If two cuts exclude each other, nothing of the facet is left, regardless of other cuts. Otherwise a third cut that
/// survived only by rounding would be treated as bounding the whole disc. The cut that removes most of the disc is
/// processed first.
///
/// There are no branches, except for nearly identical lines. The decisions are random, and a mispredicted branch takes
/// longer than all of this code.
inline void meet(Group& group) {
  Slots const slots{group.slots};
  std::size_t const most = group.most;
  Number const rho = number(group.rho), count = number(group.count), one = set<Number>(1.0), zero = set<Number>(0.0);
  Number const endless = set<Number>(std::numeric_limits<double>::infinity());  // an end that no cut has bounded yet
  Number f_x = slots.get(0, Slot::n_x), f_y = slots.get(0, Slot::n_y), f_q = slots.get(0, Slot::q),
         f_s = slots.get(0, Slot::s);
  Number f_end = slots.get(0, Slot::end);
  auto const begin = [&](std::size_t k, Which there) HWY_ATTR {
    slots.put(k, Slot::low, -1.0 * endless);
    slots.put(k, Slot::high, endless);
    slots.put(k, Slot::alive, keep(there, one));
  };
  for (std::size_t k = 1; k < most; ++k) {
    Number const q = slots.get(k, Slot::q);
    Which const there = set<Number>(static_cast<double>(k)) < count, first = both(there, q < f_q);
    auto const change = [&](Slot::Field field, Number& other) HWY_ATTR {
      Number const here = slots.get(k, field);
      slots.put(k, field, blend(first, other, here));
      other = blend(first, here, other);
    };
    change(Slot::n_x, f_x);
    change(Slot::n_y, f_y);
    change(Slot::q, f_q);
    change(Slot::s, f_s);
    change(Slot::end, f_end);
    begin(k, there);
  }
  slots.put(0, Slot::n_x, f_x);
  slots.put(0, Slot::n_y, f_y);
  slots.put(0, Slot::q, f_q);
  slots.put(0, Slot::s, f_s);
  slots.put(0, Slot::end, f_end);
  begin(0, 0.0 < count);
  Which empty = zero < zero;  // false in every lane; becomes true if nothing of the facet remains
  Number const suspect = 1.1e-7 * rho, rounding = 2.5e-15 * rho;
  for (std::size_t i = 0; i + 1 < most; ++i) {
    Which a_alive = 0.0 < slots.get(i, Slot::alive);
    if (none(a_alive)) continue;
    Number const a_x = slots.get(i, Slot::n_x), a_y = slots.get(i, Slot::n_y), a_q = slots.get(i, Slot::q),
                 a_s = slots.get(i, Slot::s);
    Number a_low = slots.get(i, Slot::low), a_high = slots.get(i, Slot::high);
    for (std::size_t j = i + 1; j < most; ++j) {
      Which b_alive = 0.0 < slots.get(j, Slot::alive), in_play = both(a_alive, b_alive);
      if constexpr (lanes == 1)
        if (none(in_play)) continue;
      Number const b_x = slots.get(j, Slot::n_x), b_y = slots.get(j, Slot::n_y), b_q = slots.get(j, Slot::q);
      Number const cosine = a_x * b_x + a_y * b_y, sine = a_x * b_y - a_y * b_x;
      Number const beyond_a = b_q - a_q * cosine, beyond_b = a_q - b_q * cosine, reach = a_s * abs(sine);
      Which const crossing = abs(beyond_a) < reach;
      // Lines whose distance on the disc is below `rounding` are treated as one line, because there is no area between
      // them. (With 8e-16 instead of 2.5e-15, a wedge between opposite lines remained in one of 200000 cubes whose
      // eight spheres meet in the middle.) One comparison finds all candidates.
      if (!none(both(in_play, reach < suspect))) {
        Which const one_line =
            both(in_play, either(reach < rounding, and_not(abs(sine) < set<Number>(1e-7), crossing)));
        Which const alike = 0.0 < cosine, apart = 0.0 < a_q + b_q, a_less = b_q < a_q;
        Which const facing = and_not(one_line, either(alike, apart)), same = both(one_line, alike);
        a_alive = and_not(a_alive, either(facing, both(same, a_less)));
        b_alive = and_not(b_alive, either(facing, and_not(same, a_less)));
        empty = either(empty, facing);
        in_play = and_not(in_play, one_line);
      }
      // The crossing is the same point on both lines. It is the upper end of a and the lower end of b, or the reverse.
      Number const at_a = beyond_a / sine, at_b = at_a * cosine - a_q * sine;
      Which const ends = both(in_play, crossing), a_above = both(ends, 0.0 < sine), a_below = and_not(ends, a_above);
      a_high = minimum(blend(a_above, at_a, endless), a_high);
      a_low = maximum(blend(a_below, at_a, -1.0 * endless), a_low);
      slots.put(j, Slot::low, maximum(blend(a_above, at_b, -1.0 * endless), slots.get(j, Slot::low)));
      slots.put(j, Slot::high, minimum(blend(a_below, at_b, endless), slots.get(j, Slot::high)));
      Which const a_excluded = both(in_play, at_most(beyond_a, -1.0 * reach));
      Which const b_excluded = and_not(both(in_play, beyond_b < zero), crossing);
      a_alive = and_not(a_alive, a_excluded);
      slots.put(j, Slot::alive, keep(and_not(b_alive, b_excluded), one));
      empty = either(empty, both(a_excluded, b_excluded));
    }
    slots.put(i, Slot::alive, keep(a_alive, one));
    slots.put(i, Slot::low, a_low);
    slots.put(i, Slot::high, a_high);
  }
  store(keep(empty, one), group.empty);
  measure_flat(group);
}

/// Evaluates a polynomial. Even and odd powers are evaluated separately. This halves the dependency chain, which takes
/// most of the time of an arc.
template <std::size_t n>
HWY_INLINE Number polynomial(double const (&c)[n], Number x) {
  constexpr std::size_t even = (n - 1) / 2 * 2, odd = (n - 2) / 2 * 2 + 1;
  Number const square = x * x;
  Number evens = set<Number>(c[even]), odds = set<Number>(c[odd]);
#pragma GCC unroll 8
  for (std::size_t k = even; k > 0; k -= 2) evens = evens * square + c[k - 2];
#pragma GCC unroll 8
  for (std::size_t k = odd; k > 1; k -= 2) odds = odds * square + c[k - 2];
  return evens + x * odds;
}

/// Returns the angle of (x, y), from -pi to pi, with an error of at most 1.5 u. Returns 0 for the zero vector. The
/// series is a Chebyshev interpolation of (atan z / z - 1) / z^2 for z up to tan(pi / 8), with an error of 0.06 u.
HWY_INLINE Number angle_of(Number y, Number x) {
  constexpr double series[] = {-0x1.5555555555555p-2, 0x1.999999999934cp-3, -0x1.2492492436201p-3, 0x1.c71c71853d7fap-4,
                               -0x1.745d0b28a7e37p-4, 0x1.3b1263064f6b9p-4, -0x1.10fa77b1a6d57p-4, 0x1.dfe6497e96323p-5,
                               -0x1.a0999c632b6edp-5, 0x1.4162c02b1dda3p-5, -0x1.3a31b1c0fd3b7p-6};
  constexpr double eighth = 0x1.a827999fcef32p-2;  // tan(pi / 8)
  Number const ax = abs(x), ay = abs(y), most = maximum(ax, ay), least = minimum(ax, ay);
  Which const turned = most * eighth < least;
  Number const divisor = blend(turned, most + least, most);
  Number const z = blend(turned, least - most, least) / blend(divisor == 0.0, set<Number>(1.0), divisor), z_2 = z * z;
  Number angle = keep(turned, set<Number>(pi / 4)) + (z + z * (z_2 * polynomial(series, z_2)));
  angle = blend(ax < ay, pi / 2 - angle, angle);
  angle = blend(x < 0.0, pi - angle, angle);
  return blend(y < 0.0, -1.0 * angle, angle);
}

/// Returns the cosine of an angle from the square of the angle, for angles up to a little more than pi / 3.
HWY_INLINE Number cosine_of(Number square) {
  constexpr double series[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16c06p-10, 0x1.a01a01a0163f8p-16,
                               -0x1.27e4fb728105ep-22, 0x1.1eed88929c36dp-29,  -0x1.938ede5821706p-37,
                               0x1.a9043ec9317cbp-45};
  return 1.0 - (0.5 * square - square * square * polynomial(series, square));
}

HWY_INLINE void multiply(Number& re, Number& im, Number x, Number y) {
  Number const before = re;
  re = before * x - im * y;
  im = before * y + im * x;
}

/// Computes one end of each line. `side` is -1 for the lower end and 1 for the upper end.
HWY_INLINE void find_end(double const* const lines[], Number side, Triple3& end) {
  Triple3 t;
  Number s, unused;
  load_four(lines, 0, end.x, end.y, end.z, s);
  load_four(lines, 4, t.x, t.y, t.z, unused);
  s = side * s;
  end.x = end.x + s * t.x;
  end.y = end.y + s * t.y;
  end.z = end.z + s * t.z;
}

/// Computes (x - centre of the ball) / (radius of the ball) - `largest`.
HWY_INLINE void see_from(double const* const centres[], Number inverse_r, Triple3 const& largest, Triple3 const& x,
                         Triple3& seen) {
  Triple3 c;
  Number unused;
  load_four(centres, 0, c.x, c.y, c.z, unused);
  seen.x = inverse_r * (x.x - c.x) - largest.x;
  seen.y = inverse_r * (x.y - c.y) - largest.y;
  seen.z = inverse_r * (x.z - c.z) - largest.z;
}

/// Computes the contributions of arcs. The angle of an arc is computed from its start and its end, with one arc
/// tangent. From the half angles of the lines and the angle between them, three arc tangents would be needed.
inline void measure_arcs(Body const* bodies, Facet const* facets, Line const* lines, RimArc const* arcs, Share* shares,
                         std::size_t n) {
  constexpr double sines[] = {-0x1.5555555555555p-3, 0x1.11111111110ebp-7,   -0x1.a01a01a0118f5p-13,
                              0x1.71de3a4a1b81bp-19, -0x1.ae64480e06605p-26, 0x1.611ae9bcccbefp-33,
                              -0x1.a855f77e5bea1p-41};
  static constexpr double nowhere[4] = {0, 0, 0, 0};
  for (std::size_t first = 0; first < n; first += lanes) {
    double const *arc_at[lanes], *facet_at[lanes], *from_at[lanes], *to_at[lanes], *ball_at[2][lanes];
    double const *from_centre[2][lanes], *to_centre[2][lanes];
    double* share_at[lanes];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < lanes; ++k) {
      std::size_t const which = std::min(first + k, n - 1);
      RimArc const& arc = arcs[which];
      Line const &from = lines[arc.from >> 1], &to = lines[arc.to >> 1];
      arc_at[k] = &arc.from_x;
      share_at[k] = &shares[which].turning_i;
      facet_at[k] = &facets[arc.facet].m.x;
      from_at[k] = &from.x.x;
      to_at[k] = &to.x.x;
      ball_at[0][k] = &bodies[arc.i].largest.x;
      ball_at[1][k] = &bodies[arc.j].largest.x;
      // Reads the ball's centre relative to the line's first ball from a table. Any of the three balls is equally
      // likely: a branch would often be mispredicted.
      auto const centre = [&](Line const& line, Index ball) {
        double const* const centres[3] = {nowhere, &facets[line.facet[0]].between.x, &facets[line.facet[1]].between.x};
        return centres[static_cast<std::size_t>(ball == line.ball[1]) +
                       2 * static_cast<std::size_t>(ball == line.ball[2])];
      };
      from_centre[0][k] = centre(from, arc.i);
      from_centre[1][k] = centre(from, arc.j);
      to_centre[0][k] = centre(to, arc.i);
      to_centre[1][k] = centre(to, arc.j);
    }
    Number p_x, p_y, q_x, q_y, about, rho_2, from_side, to_side;
    load_four(arc_at, 0, p_x, p_y, q_x, q_y);
    load_four(arc_at, 4, about, rho_2, from_side, to_side);
    Number extent = angle_of(p_x * q_y - p_y * q_x, p_x * q_x + p_y * q_y);
    // angle_of() does not distinguish angles near 0 from angles near 2 pi. The approximate angle `about` decides.
    extent = extent + keep(pi < about - extent, set<Number>(2 * pi));
    Number const one = set<Number>(1.0), zero = set<Number>(0.0);
    Number const pieces = one + keep(2 * pi / 3 < extent, one) + keep(4 * pi / 3 < extent, one);
    // Half of the angle of a piece. It is at most pi / 3.
    Number const half = 0.5 * (extent / pieces), half_2 = half * half;
    Number const half_sine = half + half * (half_2 * polynomial(sines, half_2)), half_cosine = cosine_of(half_2);
    Number const cosine = 1.0 - 2.0 * (half_sine * half_sine), sine = 2.0 * (half_sine * half_cosine);

    Triple3 m, u, v, from, to;
    Number h[2], unused;
    load_four(facet_at, 0, m.x, m.y, m.z, h[0]);
    load_four(facet_at, 8, u.x, u.y, u.z, unused);
    load_four(facet_at, 12, v.x, v.y, v.z, h[1]);
    find_end(from_at, from_side, from);
    find_end(to_at, to_side, to);
    Number re[2], im[2], turning[2];
    for (std::size_t side = 0; side < 2; ++side) {
      Triple3 largest, start, end;
      Number inverse_r;
      load_four(ball_at[side], 0, largest.x, largest.y, largest.z, inverse_r);
      see_from(from_centre[side], inverse_r, largest, from, start);
      see_from(to_centre[side], inverse_r, largest, to, end);
      Number const a = h[side] * inverse_r, rest = 1.0 - a, along = side == 0 ? h[side] : -1.0 * h[side];
      Number const segment_re = (1.0 + a) + rest * cosine, segment_im = -1.0 * (rest * sine);
      turning[side] = rest * extent;
      re[side] = one;
      im[side] = zero;
      Number x = p_x, y = p_y;
      for (double piece = 1; piece <= 3; ++piece) {
        Triple3 next = end, normal;
        Which const more = piece < pieces, over = pieces < piece;
        if (!none(more)) {
          Number const x_before = x;
          x = cosine * x_before - sine * y;
          y = sine * x_before + cosine * y;
          next.x = blend(more, inverse_r * (along * m.x + (x * u.x + y * v.x)) - largest.x, next.x);
          next.y = blend(more, inverse_r * (along * m.y + (x * u.y + y * v.y)) - largest.y, next.y);
          next.z = blend(more, inverse_r * (along * m.z + (x * u.z + y * v.z)) - largest.z, next.z);
        }
        // Around ball j the arc has the opposite direction.
        outer(start, next, normal);
        Number chord_re = inner(start, next), chord_im = inner(largest, normal);
        if (side == 0) chord_im = -1.0 * chord_im;
        multiply(chord_re, chord_im, segment_re, segment_im);
        multiply(re[side], im[side], blend(over, one, chord_re), blend(over, zero, chord_im));
        if (none(more)) break;
        start = next;
      }
    }
    // Area and moments of the sector of the disc.
    Number const sc = q_x * q_y - p_x * p_y, ss = q_y * q_y - p_y * p_y, eighth = 0.125 * rho_2,
                 turned = rho_2 * extent;
    store_four(turning[0], re[0], im[0], 0.5 * turned, share_at, 0);
    store_four(turning[1], re[1], im[1], rho_2 * (q_y - p_y) * (1.0 / 3), share_at, 4);
    store_four(rho_2 * (p_x - q_x) * (1.0 / 3), eighth * (turned + sc), eighth * ss, eighth * (turned - sc), share_at,
               8);
  }
}

/// Computes the contributions of the remaining parts of facets to their two balls.
inline void measure_moments(Facet const* const* facets, Flat const* flats, Moments* moments, std::size_t n) {
  for (std::size_t first = 0; first < n; first += lanes) {
    double const *facet_at[lanes], *flat_at[lanes];
    double* to[lanes];
#pragma GCC unroll 4
    for (std::size_t k = 0; k < lanes; ++k) {
      std::size_t const which = std::min(first + k, n - 1);
      facet_at[k] = &facets[which]->m.x;
      flat_at[k] = &flats[which].area;
      to[k] = moments[which].i;
    }
    Triple3 m, u, v, y, xu, xv;
    Number h[2], r_2[2], rho, area, f_x, f_y, f_xx, f_xy, f_yy;
    load_four(facet_at, 0, m.x, m.y, m.z, h[0]);
    load_four(facet_at, 8, u.x, u.y, u.z, rho);
    load_four(facet_at, 12, v.x, v.y, v.z, h[1]);
    load_four(flat_at, 0, area, f_x, f_y, f_xx);
    load_four(flat_at, 4, f_xy, f_yy, r_2[0], r_2[1]);
    y.x = f_x * u.x + f_y * v.x;
    y.y = f_x * u.y + f_y * v.y;
    y.z = f_x * u.z + f_y * v.z;
    xu.x = f_xx * u.x + f_xy * v.x;
    xu.y = f_xx * u.y + f_xy * v.y;
    xu.z = f_xx * u.z + f_xy * v.z;
    xv.x = f_xy * u.x + f_yy * v.x;
    xv.y = f_xy * u.y + f_yy * v.y;
    xv.z = f_xy * u.z + f_yy * v.z;
    Number const along = (rho * rho) * area;
    for (std::size_t side = 0; side < 2; ++side) {
      // For ball j the normal is -m: odd powers of the normal change their sign.
      Number const sign = set<Number>(side == 0 ? 1.0 : -1.0), a = sign * along, height = h[side];
      Number const mm = -1.0 * (height * along), my = sign * (height * height - 0.5 * r_2[side]);
      Triple3 p, q;  // mm m + my y, and my m
      p.x = mm * m.x + my * y.x;
      p.y = mm * m.y + my * y.y;
      p.z = mm * m.z + my * y.z;
      q.x = my * m.x;
      q.y = my * m.y;
      q.z = my * m.z;
      store_four(height * area, height * y.x - a * m.x, height * y.y - a * m.y, height * y.z - a * m.z, to, 12 * side);
      store_four(p.x * m.x + q.x * y.x + height * (xu.x * u.x + xv.x * v.x),
                 p.y * m.y + q.y * y.y + height * (xu.y * u.y + xv.y * v.y),
                 p.z * m.z + q.z * y.z + height * (xu.z * u.z + xv.z * v.z),
                 p.x * m.y + q.x * y.y + height * (xu.x * u.y + xv.x * v.y), to, 12 * side + 4);
      store_four(p.x * m.z + q.x * y.z + height * (xu.x * u.z + xv.x * v.z),
                 p.y * m.z + q.y * y.z + height * (xu.y * u.z + xv.y * v.z), rho, rho, to, 12 * side + 8);
    }
  }
}

inline void angles(double const* y, double const* x, double* angle, std::size_t n) {
  for (std::size_t k = 0; k < n; k += lanes) store(angle_of(number(y + k), number(x + k)), angle + k);
}

constexpr SideBySide forms{lanes, overlapping, measure_facets, find, meet, measure_arcs, measure_moments, angles};

#endif

}  // namespace
}  // namespace demeter::fast_union::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
