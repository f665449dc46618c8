#include "fast/clump_force_torque.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/clump_force_torque.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/lanes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// Code that does not depend on the target. This file is included once per target, but this part is compiled only once.
#ifndef DEMETER_FAST_CLUMP_FORCE_TORQUE_COMMON
#define DEMETER_FAST_CLUMP_FORCE_TORQUE_COMMON
namespace demeter::clump_force_torque::fast {
namespace {

// The members of one clump. `columns`: the columns of all members (position x, y, z, force x, y, z, torque x, y, z).
// `first`, `size`: first member and number of members. `stride`: distance between two members in doubles (1 where SIMD
// vectors are loaded).
struct Members {
  double const* const* columns;
  std::size_t first;
  std::size_t size;
  std::size_t stride;

  double at(std::size_t column, std::size_t i) const { return columns[column][(first + i) * stride]; }
};

using Centre = std::array<double, 3>;
using Resultant = std::array<double, 6>;  // force x, y, z, torque x, y, z

// The order of summation is the same at every level. Member k is added to lane k % 8. Eight members are a group, and
// four groups are a block.
constexpr std::size_t lane_count = 8;
constexpr std::size_t block_size = 4 * lane_count;

// Error of a component in units of u S, to first order. A member contributes 4: 1 for the arm, 1 for the product of
// arm and force, 1 for the difference of two products, 1 for the sum with T.
//   * Up to 16 members: 1 more for the sum of the two groups and 3 for the tree over the lanes. The total is 8.
//   * More members: 2 more for the tree over the four groups of a block and 1 for the last rounding. The total is 7.
//     The blocks are added by two-sums, and the errors of these are summed separately. The sum of the errors rounds
//     too, by less than (members/32)^2 u: 0.002 for 2^27 members.
constexpr std::size_t few = 2 * lane_count;
constexpr double least_safe_torque_of_one = 0x1p-1016;

// Small forces and torques are multiplied by this factor: they are summed in a unit that is 2^600 times smaller.
constexpr double small_forces_times = 0x1p600;

// Guesses from the x component of the first force whether all forces are small. With this guess, the regime `subnormal`
// takes 57 ns per clump (AVX2). Trying the small unit only after a failure would take 80 ns, and would save 0.3 ns for
// typical clumps. A zero is not treated as small, because 2 * bits - 1 turns zero into the largest integer.
inline bool are_small(Members const& members) {
  auto const bits = std::bit_cast<std::uint64_t>(members.at(3, 0));
  return 2 * bits - 1 < 2 * std::bit_cast<std::uint64_t>(0x1p-320) - 1;
}

Resultant not_a_number() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return {nan, nan, nan, nan, nan, nan};
}

Resultant scaled_total(Members const& members, Centre const& centre);

}  // namespace
}  // namespace demeter::clump_force_torque::fast
#endif

HWY_BEFORE_NAMESPACE();
namespace demeter::clump_force_torque::fast {
namespace HWY_NAMESPACE {
namespace {

using namespace demeter::lanes::HWY_NAMESPACE;

// A Part holds one SIMD vector of lanes, or one lane. The eight lanes are one Part with AVX-512, two with AVX2 and
// eight at the scalar level.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
using Part = Register;
constexpr std::size_t part_size = width;

HWY_INLINE Part load_first(std::size_t count, double const* from) {
  return hn::MaskedLoad(hn::FirstN(Tag(), count), Tag(), from);
}
// Returns |a|, or infinity for zero.
HWY_INLINE Part nonzero(Part a) { return select(a == 0.0, std::numeric_limits<double>::infinity(), abs(a)); }
#else
using Part = double;
constexpr std::size_t part_size = 1;

inline Part load(double const* from) { return *from; }
inline Part load_first(std::size_t count, double const* from) { return count == 0 ? 0 : *from; }
inline Part nonzero(Part a) { return a == 0 ? std::numeric_limits<double>::infinity() : std::abs(a); }
#endif

constexpr std::size_t part_count = lane_count / part_size;

struct Terms {
  Part of[6];
};

// This function and the functions below have no loops over the components. GCC at -O2 does not unroll such loops and
// keeps the components in memory (2.7 times slower).
HWY_INLINE Terms sum(Terms const& a, Terms const& b) {
  return {{a.of[0] + b.of[0], a.of[1] + b.of[1], a.of[2] + b.of[2], a.of[3] + b.of[3], a.of[4] + b.of[4],
           a.of[5] + b.of[5]}};
}

HWY_INLINE Terms zero_terms() {
  Part const zero = set<Part>(0.0);
  return {{zero, zero, zero, zero, zero, zero}};
}

// Computes the terms of members. The unit of force is the caller's or, with `small_unit`, 2^600 times smaller.
template <bool small_unit>
struct Direct {
  Members const& members;
  Part centre[3];

  HWY_INLINE Direct(Members const& of, Centre const& about)
      : members(of), centre{set<Part>(about[0]), set<Part>(about[1]), set<Part>(about[2])} {}

  HWY_INLINE double const* address(std::size_t column, std::size_t i) const {
    std::size_t const member = members.first + i;
    return members.columns[column] + (part_size == 1 ? member * members.stride : member);
  }
  HWY_INLINE Terms terms(std::size_t i) const {
    return with(load(address(0, i)), load(address(1, i)), load(address(2, i)), load(address(3, i)), load(address(4, i)),
                load(address(5, i)), load(address(6, i)), load(address(7, i)), load(address(8, i)));
  }
  // Returns the terms of `count` < part_size members, and 0 in the other lanes.
  HWY_INLINE Terms first_terms(std::size_t count, std::size_t i) const {
    return with(load_first(count, address(0, i)), load_first(count, address(1, i)), load_first(count, address(2, i)),
                load_first(count, address(3, i)), load_first(count, address(4, i)), load_first(count, address(5, i)),
                load_first(count, address(6, i)), load_first(count, address(7, i)), load_first(count, address(8, i)));
  }
  HWY_INLINE Terms with(Part px, Part py, Part pz, Part fx, Part fy, Part fz, Part tx, Part ty, Part tz) const {
    if constexpr (small_unit) {
      auto const times = set<Part>(small_forces_times);
      fx = fx * times, fy = fy * times, fz = fz * times;
      tx = tx * times, ty = ty * times, tz = tz * times;
    }
    Part const x = px - centre[0], y = py - centre[1], z = pz - centre[2];
    return {{fx, fy, fz, tx + (y * fz - z * fy), ty + (z * fx - x * fz), tz + (x * fy - y * fx)}};
  }
};

// The source of terms that are stored in memory.
struct Stored {
  double const* at[6];

  HWY_INLINE Terms terms(std::size_t i) const {
    return {{load(at[0] + i), load(at[1] + i), load(at[2] + i), load(at[3] + i), load(at[4] + i), load(at[5] + i)}};
  }
  HWY_INLINE Terms first_terms(std::size_t count, std::size_t i) const {
    return {{load_first(count, at[0] + i), load_first(count, at[1] + i), load_first(count, at[2] + i),
             load_first(count, at[3] + i), load_first(count, at[4] + i), load_first(count, at[5] + i)}};
  }
};

template <class Source>
HWY_INLINE Terms terms_or_zero(Source const& source, std::size_t first, std::size_t end) {
  if (first + part_size <= end) return source.terms(first);
  if (first >= end) return zero_terms();
  return source.first_terms(end - first, first);
}

// Returns the sum of the four groups of a full block, for the lanes from `first` on.
template <class Source>
HWY_INLINE Terms full_block(Source const& source, std::size_t first) {
  return sum(sum(source.terms(first), source.terms(first + lane_count)),
             sum(source.terms(first + 2 * lane_count), source.terms(first + 3 * lane_count)));
}

template <class Source>
HWY_INLINE Terms partial_block(Source const& source, std::size_t first, std::size_t end) {
  return sum(
      sum(terms_or_zero(source, first, end), terms_or_zero(source, first + lane_count, end)),
      sum(terms_or_zero(source, first + 2 * lane_count, end), terms_or_zero(source, first + 3 * lane_count, end)));
}

template <std::size_t groups, class Source>
HWY_INLINE Terms grouped(Source const& source, std::size_t first, std::size_t end) {
  if constexpr (groups == 1) return terms_or_zero(source, first, end);
  if constexpr (groups == 2)
    return sum(terms_or_zero(source, first, end), terms_or_zero(source, first + lane_count, end));
  if constexpr (groups == 4) return partial_block(source, first, end);
}

// high: the sum of the terms of each lane. low: the sum of the rounding errors of these additions.
struct alignas(64) Sums {
  double high[6][lane_count];
  double low[6][lane_count];
};

// Adds a term to high + low. The result is exact except for the rounding of low.
HWY_INLINE void accumulate(Part& high, Part& low, Part term) {
  auto const sum = exact_sum(high, term);
  high = sum.high;
  low = low + sum.low;
}

HWY_INLINE void accumulate(Terms& high, Terms& low, Terms const& term) {
  accumulate(high.of[0], low.of[0], term.of[0]);
  accumulate(high.of[1], low.of[1], term.of[1]);
  accumulate(high.of[2], low.of[2], term.of[2]);
  accumulate(high.of[3], low.of[3], term.of[3]);
  accumulate(high.of[4], low.of[4], term.of[4]);
  accumulate(high.of[5], low.of[5], term.of[5]);
}

HWY_INLINE Terms load_lanes(double const (&from)[6][lane_count], std::size_t lane) {
  return {{load(&from[0][lane]), load(&from[1][lane]), load(&from[2][lane]), load(&from[3][lane]), load(&from[4][lane]),
           load(&from[5][lane])}};
}

HWY_INLINE void store_lanes(Terms const& terms, double (&to)[6][lane_count], std::size_t lane) {
  store(terms.of[0], &to[0][lane]);
  store(terms.of[1], &to[1][lane]);
  store(terms.of[2], &to[2][lane]);
  store(terms.of[3], &to[3][lane]);
  store(terms.of[4], &to[4][lane]);
  store(terms.of[5], &to[5][lane]);
}

// Adds members first .. end-1 of the source to the lanes. Member `first` is added to lane 0. If the lanes need several
// vectors, the members are added in stretches that fit into the first-level cache. Within a stretch, one vector of
// lanes is finished before the next vector begins. The sums then stay in registers.
template <class Source>
HWY_INLINE void add_members(Source const& source, std::size_t first, std::size_t end, Sums& sums) {
  std::size_t const stretch = part_count == 1 ? end - first : 8 * block_size;
  for (std::size_t from = first; from < end; from += stretch) {
    std::size_t const to = std::min(from + stretch, end);
    for (std::size_t lane = 0; lane < lane_count; lane += part_size) {
      Terms high = load_lanes(sums.high, lane), low = load_lanes(sums.low, lane);
      std::size_t i = from;
      for (; i + block_size <= to; i += block_size) accumulate(high, low, full_block(source, i + lane));
      if (i < to) accumulate(high, low, partial_block(source, i + lane, to));
      store_lanes(high, sums.high, lane);
      store_lanes(low, sums.low, lane);
    }
  }
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
// The tree that adds the eight lanes of each component, four numbers at a time. Step 1 adds lanes 4 apart, for one
// component. Step 2 adds lanes 2 apart, for two components at once. Step 3 adds neighbours, for four components at
// once.
using Four = hn::FixedTag<double, 4>;
using Quad = hn::Vec<Four>;

HWY_INLINE Double<Quad> operator+(Double<Quad> a, Double<Quad> b) {
  auto const sum = exact_sum(a.high, b.high);
  return {sum.high, (a.low + b.low) + sum.low};
}
HWY_INLINE Quad halves(Quad a, Quad b) {
  Four const d;
  return hn::ConcatLowerLower(d, b, a) + hn::ConcatUpperUpper(d, b, a);
}
HWY_INLINE Double<Quad> halves(Double<Quad> a, Double<Quad> b) {
  Four const d;
  return Double<Quad>{hn::ConcatLowerLower(d, b.high, a.high), hn::ConcatLowerLower(d, b.low, a.low)} +
         Double<Quad>{hn::ConcatUpperUpper(d, b.high, a.high), hn::ConcatUpperUpper(d, b.low, a.low)};
}
HWY_INLINE Quad neighbours(Quad a, Quad b) {
  Four const d;
  return hn::ConcatEven(d, b, a) + hn::ConcatOdd(d, b, a);
}
HWY_INLINE Double<Quad> neighbours(Double<Quad> a, Double<Quad> b) {
  Four const d;
  return Double<Quad>{hn::ConcatEven(d, b.high, a.high), hn::ConcatEven(d, b.low, a.low)} +
         Double<Quad>{hn::ConcatOdd(d, b.high, a.high), hn::ConcatOdd(d, b.low, a.low)};
}

// first_four: force x, y, z and torque x. last_two: torque y, z, each twice.
struct Total {
  Quad first_four, last_two;
};

// The eight lanes of one component, in one or two registers.
struct Lanes {
#if HWY_TARGET == HWY_AVX3
  Part all;
  HWY_INLINE Quad lower() const { return hn::LowerHalf(Four(), all); }
  HWY_INLINE Quad upper() const { return hn::UpperHalf(Four(), all); }
#else
  Part low, high;
  HWY_INLINE Quad lower() const { return low; }
  HWY_INLINE Quad upper() const { return high; }
#endif
};
HWY_INLINE Quad lanes_four_apart(Lanes const& x) { return x.lower() + x.upper(); }
HWY_INLINE Double<Quad> exact_lanes_four_apart(Lanes const& x) { return exact_sum(x.lower(), x.upper()); }
HWY_INLINE Double<Quad> lanes_four_apart(double const* high, double const* low) {
  Four const d;
  return Double<Quad>{hn::LoadU(d, high), hn::LoadU(d, low)} +
         Double<Quad>{hn::LoadU(d, high + 4), hn::LoadU(d, low + 4)};
}

HWY_INLINE Total plain_total(Lanes const (&lanes)[6]) {
  Quad const a = halves(lanes_four_apart(lanes[0]), lanes_four_apart(lanes[1]));
  Quad const b = halves(lanes_four_apart(lanes[2]), lanes_four_apart(lanes[3]));
  Quad const c = halves(lanes_four_apart(lanes[4]), lanes_four_apart(lanes[5]));
  return {neighbours(a, b), neighbours(c, c)};
}

HWY_INLINE Total compensated(Double<Quad> const (&of)[6]) {
  Double<Quad> const a = halves(of[0], of[1]), b = halves(of[2], of[3]), c = halves(of[4], of[5]);
  Double<Quad> const first_four = neighbours(a, b), last_two = neighbours(c, c);
  return {first_four.high + first_four.low, last_two.high + last_two.low};
}
HWY_INLINE Total compensated_total(Sums const& x) {
  return compensated({lanes_four_apart(x.high[0], x.low[0]), lanes_four_apart(x.high[1], x.low[1]),
                      lanes_four_apart(x.high[2], x.low[2]), lanes_four_apart(x.high[3], x.low[3]),
                      lanes_four_apart(x.high[4], x.low[4]), lanes_four_apart(x.high[5], x.low[5])});
}
// Returns the total of one block. The lanes of one block have no separate sum of rounding errors.
HWY_INLINE Total compensated_total(Lanes const (&lanes)[6]) {
  return compensated({exact_lanes_four_apart(lanes[0]), exact_lanes_four_apart(lanes[1]),
                      exact_lanes_four_apart(lanes[2]), exact_lanes_four_apart(lanes[3]),
                      exact_lanes_four_apart(lanes[4]), exact_lanes_four_apart(lanes[5])});
}

HWY_INLINE Resultant stored(Total const& total) {
  double all[8];
  hn::StoreU(total.first_four, Four(), all);
  hn::StoreU(total.last_two, Four(), all + 4);
  return {all[0], all[1], all[2], all[3], all[4], all[5]};
}

// Returns true if all components are finite and every torque component has at least the magnitude `least`.
HWY_INLINE bool is_between(Total const& total, double least) {
  Four const d;
  Quad const largest = hn::Set(d, std::numeric_limits<double>::max()), of_torque = hn::Set(d, least),
             first = hn::Abs(total.first_four), last = hn::Abs(total.last_two);
  return hn::AllTrue(d, hn::And(hn::And(first <= largest, last <= largest),
                                hn::And(first >= hn::IfThenZeroElse(hn::FirstN(d, 3), of_torque), last >= of_torque)));
}
#else
inline Double<double> operator+(Double<double> a, Double<double> b) {
  auto const sum = exact_sum(a.high, b.high);
  return {sum.high, (a.low + b.low) + sum.low};
}

using Total = Resultant;
inline Resultant stored(Total const& total) { return total; }

inline bool is_between(Total const& total, double least) {
  bool is = true;
  for (std::size_t c = 0; c < 6; ++c) {
    double const size = std::abs(total[c]);
    is = is && size <= std::numeric_limits<double>::max() && (c < 3 || size >= least);
  }
  return is;
}

inline Total compensated_total(Sums const& sums) {
  Total result;
  for (std::size_t c = 0; c < 6; ++c) {
    Double<double> lanes[lane_count];
    for (std::size_t i = 0; i < lane_count; ++i) lanes[i] = {sums.high[c][i], sums.low[c][i]};
    for (std::size_t half = lane_count / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) lanes[i] = lanes[i] + lanes[i + half];
    }
    result[c] = lanes[0].high + lanes[0].low;
  }
  return result;
}
#endif

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
struct AllLanes {
  Lanes of[6];
};
// Returns the lanes of at most one block. The lanes stay in registers. Storing them in memory would take twice as long.
template <std::size_t groups, class Source>
HWY_INLINE AllLanes lanes_of_block(Source const& source, std::size_t size) {
#if HWY_TARGET == HWY_AVX3
  Terms const a = grouped<groups>(source, 0, size);
  return {{{a.of[0]}, {a.of[1]}, {a.of[2]}, {a.of[3]}, {a.of[4]}, {a.of[5]}}};
#else
  Terms const a = grouped<groups>(source, 0, size), b = grouped<groups>(source, part_size, size);
  return {{{a.of[0], b.of[0]},
           {a.of[1], b.of[1]},
           {a.of[2], b.of[2]},
           {a.of[3], b.of[3]},
           {a.of[4], b.of[4]},
           {a.of[5], b.of[5]}}};
#endif
}

template <class Source>
HWY_INLINE Total total_of_few(Source const& source, std::size_t size) {
  if (size <= lane_count) return plain_total(lanes_of_block<1>(source, size).of);
  return plain_total(lanes_of_block<2>(source, size).of);
}
template <class Source>
HWY_INLINE Total total_of_block(Source const& source, std::size_t size) {
  return compensated_total(lanes_of_block<4>(source, size).of);
}
#else
// Adds the members of at most one block to the lanes. Reads only existing members. Returns the number of lanes that
// have a member.
template <class Source>
HWY_INLINE std::size_t add_block(Source const& source, std::size_t size, Terms (&lanes)[lane_count]) {
  std::size_t const used = std::min(size, lane_count);
  for (std::size_t i = 0; i < used; ++i) {
    lanes[i] = source.terms(i);
    if (i + lane_count < size) lanes[i] = sum(lanes[i], source.terms(i + lane_count));
    if (i + 3 * lane_count < size)
      lanes[i] = sum(lanes[i], sum(source.terms(i + 2 * lane_count), source.terms(i + 3 * lane_count)));
    else if (i + 2 * lane_count < size)
      lanes[i] = sum(lanes[i], source.terms(i + 2 * lane_count));
  }
  return used;
}

template <class Source>
HWY_INLINE Total total_of_few(Source const& source, std::size_t size) {
  Terms lanes[lane_count];
  std::size_t used = add_block(source, size, lanes);
  for (std::size_t half = lane_count / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i + half < used; ++i) lanes[i] = sum(lanes[i], lanes[i + half]);
    used = std::min(used, half);
  }
  Total total;
  // The SIMD form adds 0 for missing members, and this turns -0 into 0. The same addition here gives the same bits.
  bool const full = size == lane_count || size == few;
  for (std::size_t c = 0; c < 6; ++c) total[c] = full ? lanes[0].of[c] : lanes[0].of[c] + 0.0;
  return total;
}
template <class Source>
HWY_INLINE Total total_of_block(Source const& source, std::size_t size) {
  Terms lanes[lane_count];
  add_block(source, size, lanes);
  Total total;
  for (std::size_t c = 0; c < 6; ++c) {
    Double<double> four[4];
    for (std::size_t i = 0; i < 4; ++i) four[i] = exact_sum(lanes[i].of[c], lanes[i + 4].of[c]);
    Double<double> const all = (four[0] + four[2]) + (four[1] + four[3]);
    total[c] = all.high + all.low;
  }
  return total;
}
#endif

template <bool small_unit>
HWY_INLINE Total direct_total(Members const& members, Centre const& centre) {
  Direct<small_unit> const source(members, centre);
  if (members.size <= few) return total_of_few(source, members.size);
  if (members.size <= block_size) return total_of_block(source, members.size);
  Sums sums{};
  add_members(source, 0, members.size, sums);
  return compensated_total(sums);
}

// Returns true if no product of an arm and a force times `unit` has lost bits to underflow. The test uses only the
// product of the smallest arm and the smallest force. The result false therefore only means that bits may have been
// lost.
HWY_NOINLINE bool no_product_underflows(Members const& members, Centre const& centre, double unit) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Direct<false> const source(members, centre);
  Part arm = set<Part>(infinity), force = set<Part>(infinity);
  for (std::size_t i = 0; i < members.size; i += part_size) {
    bool const full = i + part_size <= members.size;
    auto const load_part = [&](std::size_t column) HWY_ATTR {
      double const* const from = source.address(column, i);
      return full ? load(from) : load_first(members.size - i, from);
    };
    Part const x = nonzero(load_part(0) - source.centre[0]), y = nonzero(load_part(1) - source.centre[1]),
               z = nonzero(load_part(2) - source.centre[2]);
    Part const fx = nonzero(load_part(3)), fy = nonzero(load_part(4)), fz = nonzero(load_part(5));
    arm = minimum(minimum(x, y), minimum(z, arm));
    force = minimum(minimum(fx, fy), minimum(fz, force));
  }
  double arms[part_size], forces[part_size];
  store(arm, arms);
  store(force, forces);
  double least_arm = arms[0], least_force = forces[0];
  for (std::size_t i = 1; i < part_size; ++i) {
    least_arm = std::min(least_arm, arms[i]);
    least_force = std::min(least_force, forces[i]);
  }
  return least_arm * (least_force * unit) >= 0x1p-1022;
}

// Returns true if the total is finite and underflow is harmless. A product that underflows is off by at most 2^-1075,
// and each member has two products per component. If S is at least 2^-1016 times the number of members, the products
// together are off by at most u S / 32. The magnitude of the total is compared instead of S, because S is not smaller
// than the total.
HWY_INLINE bool is_safe(Total const& total, Members const& members) {
  return is_between(total, least_safe_torque_of_one * static_cast<double>(static_cast<std::int64_t>(members.size)));
}

// Computes the direct total in the small unit. Returns false if the total is not safe. A safe total has the same bits
// as scaled_total() and takes 1/40 of its time. The conversion back to the caller's unit rounds subnormal torques once
// more. Forces of this size are exact.
HWY_NOINLINE bool small_total(Members const& members, Centre const& centre, Resultant& result) {
  Total const total = direct_total<true>(members, centre);
  if (!is_safe(total, members) && !(is_between(total, 0) && no_product_underflows(members, centre, small_forces_times)))
    return false;
  result = stored(total);
  for (double& each : result) each *= 1 / small_forces_times;
  return true;
}

HWY_INLINE Resultant total(Members const& members, Centre const& centre) {
  if (members.size == 0) return not_a_number();
  Resultant small;
  if (HWY_UNLIKELY(are_small(members)) && small_total(members, centre, small)) return small;
  Total const result = direct_total<false>(members, centre);
  if (HWY_LIKELY(is_safe(result, members))) return stored(result);
  if (is_between(result, 0) && no_product_underflows(members, centre, 1)) return stored(result);
  if (small_total(members, centre, small)) return small;
  return scaled_total(members, centre);
}

}  // namespace

// Software-prefetch distance in members and rows, for batches streamed from memory: 37 ns per clump of 8 members
// instead of 42 (AVX2). The hardware prefetcher tracks fewer streams than there are columns. (A plain sum, which reads
// one number at a time in the same order, takes 38 ns.)
constexpr std::size_t members_ahead = 64, rows_ahead = 32;
constexpr std::size_t members_in_cache = 1 << 14;

template <bool from_memory>
HWY_INLINE void evaluate_rows(std::size_t n, double const* const in[], double* const out[]) {
  for (std::size_t row = 0; row < n; ++row) {
    // The offsets are converted through signed integers. There is no instruction for unsigned integers, and the
    // compiler would emit a branch.
    auto const first = static_cast<std::size_t>(static_cast<std::int64_t>(in[3][row]));
    auto const end = static_cast<std::size_t>(static_cast<std::int64_t>(in[3][row + 1]));
    if constexpr (from_memory) {
      for (std::size_t column = 4; column < 13; ++column) __builtin_prefetch(in[column] + end + members_ahead);
      if (row % 8 == 0)
        for (std::size_t k = 0; k < 6; ++k)
          if (out[k] != nullptr) __builtin_prefetch(out[k] + row + rows_ahead, 1);
    }
    Members const members{in + 4, first, end - first, 1};
    Resultant const result = total(members, {in[0][row], in[1][row], in[2][row]});
    // There is no loop here, because GCC would gather the addresses and scatter the results, which is slow.
    if (out[0] != nullptr) out[0][row] = result[0];
    if (out[1] != nullptr) out[1][row] = result[1];
    if (out[2] != nullptr) out[2][row] = result[2];
    if (out[3] != nullptr) out[3][row] = result[3];
    if (out[4] != nullptr) out[4][row] = result[4];
    if (out[5] != nullptr) out[5][row] = result[5];
  }
}

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  if (in[3][n] - in[3][0] > members_in_cache)
    evaluate_rows<true>(n, in, out);
  else
    evaluate_rows<false>(n, in, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace demeter::clump_force_torque::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace demeter::clump_force_torque::fast {
namespace {

// A number as significand 2^exponent with 1/2 <= |significand| < 1. Zero has an exponent below all others.
struct Split {
  double significand;
  int exponent;
};

constexpr int exponent_of_zero = -10000;

Split split(double x) {
  if (x == 0) return {x, exponent_of_zero};
  int exponent = 0;
  double const significand = std::frexp(x, &exponent);
  return {significand, exponent};
}

// Returns x - c rounded once, even if the difference overflows a double.
Split arm(double x, double c) {
  double const difference = x - c;
  if (std::abs(difference) <= std::numeric_limits<double>::max()) return split(difference);
  Split half = split(0.5 * x - 0.5 * c);
  ++half.exponent;
  return half;
}

struct SplitMember {
  Split arm[3], force[3], torque[3];
};

SplitMember split_member(Members const& members, Centre const& centre, std::size_t i) {
  SplitMember member;
  for (std::size_t c = 0; c < 3; ++c) {
    member.arm[c] = arm(members.at(c, i), centre[c]);
    member.force[c] = split(members.at(3 + c, i));
    member.torque[c] = split(members.at(6 + c, i));
  }
  return member;
}

bool all_finite(Members const& members, Centre const& centre) {
  bool finite = std::isfinite(centre[0]) && std::isfinite(centre[1]) && std::isfinite(centre[2]);
  for (std::size_t column = 0; column < 9; ++column) {
    for (std::size_t i = 0; i < members.size; ++i) finite = finite && std::isfinite(members.at(column, i));
  }
  return finite;
}

// Returns x 2^exponent. Exponents are limited to +-4000, because every result is then already infinite or 0.
double scaled(double x, int exponent) { return std::ldexp(x, std::clamp(exponent, -4000, 4000)); }

double scaled_product(Split a, Split b, int exponent) {
  return scaled(a.significand * b.significand, a.exponent + b.exponent - exponent);
}

// Returns the resultant from scaled terms. For each component, a power of two brings the largest term to about 1.
// Overflow and underflow then have no effect. If the direct sums neither overflow nor underflow, they have the same
// bits as this resultant. This function is about 25 times slower than the direct sums (90 ns per member).
Resultant scaled_total(Members const& members, Centre const& centre) {
  if (!all_finite(members, centre)) return not_a_number();
  int exponents[6];
  std::fill(exponents, exponents + 6, exponent_of_zero);
  for (std::size_t i = 0; i < members.size; ++i) {
    SplitMember const member = split_member(members, centre, i);
    for (std::size_t c = 0; c < 3; ++c) {
      std::size_t const d = (c + 1) % 3, e = (c + 2) % 3;
      exponents[c] = std::max(exponents[c], member.force[c].exponent);
      exponents[3 + c] =
          std::max({exponents[3 + c], member.torque[c].exponent, member.arm[d].exponent + member.force[e].exponent,
                    member.arm[e].exponent + member.force[d].exponent});
    }
  }
  double terms[6][block_size];
  HWY_NAMESPACE::Stored const source{{terms[0], terms[1], terms[2], terms[3], terms[4], terms[5]}};
  HWY_NAMESPACE::Sums sums{};
  Resultant result{};
  for (std::size_t first = 0; first < members.size; first += block_size) {
    std::size_t const count = std::min(block_size, members.size - first);
    for (std::size_t i = 0; i < count; ++i) {
      SplitMember const member = split_member(members, centre, first + i);
      for (std::size_t c = 0; c < 3; ++c) {
        std::size_t const d = (c + 1) % 3, e = (c + 2) % 3;
        int const exponent = exponents[3 + c];
        terms[c][i] = scaled(member.force[c].significand, member.force[c].exponent - exponents[c]);
        terms[3 + c][i] = scaled(member.torque[c].significand, member.torque[c].exponent - exponent) +
                          (scaled_product(member.arm[d], member.force[e], exponent) -
                           scaled_product(member.arm[e], member.force[d], exponent));
      }
    }
    if (members.size <= few) {
      result = HWY_NAMESPACE::stored(HWY_NAMESPACE::total_of_few(source, members.size));
    } else {
      HWY_NAMESPACE::add_members(source, 0, count, sums);
    }
  }
  if (members.size > few) result = HWY_NAMESPACE::stored(HWY_NAMESPACE::compensated_total(sums));
  for (std::size_t c = 0; c < 6; ++c) result[c] = scaled(result[c], exponents[c]);
  return result;
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  if (in.members.empty()) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return {{nan, nan, nan}, {nan, nan, nan}};
  }
  static_assert(sizeof(Member<double>) == 9 * sizeof(double));
  double const* const x = in.members.front().position.data();
  double const* const f = in.members.front().force.data();
  double const* const t = in.members.front().torque.data();
  double const* const columns[9] = {x, x + 1, x + 2, f, f + 1, f + 2, t, t + 1, t + 2};
  Members const members{columns, 0, in.members.size(), 9};
  Resultant const result = HWY_NAMESPACE::total(members, {in.centre[0], in.centre[1], in.centre[2]});
  return {{result[0], result[1], result[2]}, {result[3], result[4], result[5]}};
}

void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr fast_core::Forms forms{HWY_NAMESPACE::evaluate, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::clump_force_torque::fast
#endif
