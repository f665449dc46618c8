#include "fast/clump_force_torque.hpp"

// Below AVX2 there is nothing to gain: only the two SIMD levels and the scalar form are built.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/clump_force_torque.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

// What does not depend on the target; included once a target, compiled once.
#ifndef DEMETER_FAST_CLUMP_FORCE_TORQUE_COMMON
#define DEMETER_FAST_CLUMP_FORCE_TORQUE_COMMON
namespace demeter::clump_force_torque::fast {
namespace {

// The members of one clump: position x, y, z, force x, y, z, torque x, y, z; how many; and how many doubles apart (1
// where vectors are loaded).
struct Members {
  std::array<double const*, 9> columns;
  std::size_t size;
  std::size_t stride = 1;

  double at(std::size_t column, std::size_t i) const { return columns[column][i * stride]; }
};

using Centre = std::array<double, 3>;
using Resultant = std::array<double, 6>;  // force x, y, z, torque x, y, z

// The order of summation, the same at every level. Member k goes to lane k % 8.
constexpr std::size_t lane_count = 8;
constexpr std::size_t block_size = 4 * lane_count;

// Error of a component in units of u S, to first order: a product of an arm and a force 2 (arm, product), its
// difference with the other and the sum with T one each: 4. Up to 8 members: 3 more for the tree over the lanes. More:
// 2 for the tree over the four groups of a block, then two-sums whose errors are added up apart, and 1 for the last
// rounding: 7. The sum of the errors rounds too: less than (members/32)^2 u, 0.002 for 2^27 members.
constexpr double least_safe_torque_of_one = 0x1p-1016;

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

namespace hn = hwy::HWY_NAMESPACE;

// Eight numbers, in as many vectors as they need.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
using Tag = hn::ScalableTag<double>;
using Part = hn::Vec<Tag>;
constexpr std::size_t part_size = hn::MaxLanes(Tag());

HWY_INLINE Part add(Part a, Part b) { return hn::Add(a, b); }
HWY_INLINE Part subtract(Part a, Part b) { return hn::Sub(a, b); }
HWY_INLINE Part multiply(Part a, Part b) { return hn::Mul(a, b); }
HWY_INLINE Part repeat(double a) { return hn::Set(Tag(), a); }
HWY_INLINE Part load(double const* from) { return hn::LoadU(Tag(), from); }
HWY_INLINE Part load_first(std::size_t count, double const* from) {
  return hn::MaskedLoad(hn::FirstN(Tag(), count), Tag(), from);
}
HWY_INLINE void store(Part a, double* to) { hn::StoreU(a, Tag(), to); }
// The lesser of `least` and of those |a| that are not zero.
HWY_INLINE Part least_nonzero(Part least, Part a) {
  Part const zero = hn::Zero(Tag());
  return hn::IfThenElse(hn::Eq(a, zero), least, hn::Min(least, hn::Abs(a)));
}
#else
// GCC does better here with plain doubles than with its own vectors of two.
using Part = double;
constexpr std::size_t part_size = 1;

inline Part add(Part a, Part b) { return a + b; }
inline Part subtract(Part a, Part b) { return a - b; }
inline Part multiply(Part a, Part b) { return a * b; }
inline Part repeat(double a) { return a; }
inline Part load(double const* from) { return *from; }
inline Part load_first(std::size_t count, double const* from) { return count == 0 ? 0 : *from; }
inline void store(Part a, double* to) { *to = a; }
inline Part least_nonzero(Part least, Part a) { return a == 0 ? least : std::min(least, std::abs(a)); }
#endif

constexpr std::size_t part_count = lane_count / part_size;

struct Terms {
  Part of[6];
};

HWY_INLINE Terms sum(Terms const& a, Terms const& b) {
  Terms result;
  for (std::size_t c = 0; c < 6; ++c) result.of[c] = add(a.of[c], b.of[c]);
  return result;
}

HWY_INLINE Terms zero_terms() {
  Part const zero = repeat(0);
  return {{zero, zero, zero, zero, zero, zero}};
}

// Members as they are.
struct Direct {
  Members members;
  Part centre[3];

  HWY_INLINE Direct(Members const& of, Centre const& about)
      : members(of), centre{repeat(about[0]), repeat(about[1]), repeat(about[2])} {}

  HWY_INLINE double const* address(std::size_t column, std::size_t i) const {
    return members.columns[column] + (part_size == 1 ? i * members.stride : i);
  }
  template <class Load>
  HWY_INLINE Terms with(Load const& read) const {
    Part const x = subtract(read(0), centre[0]), y = subtract(read(1), centre[1]), z = subtract(read(2), centre[2]);
    Part const fx = read(3), fy = read(4), fz = read(5);
    return {{fx, fy, fz, add(read(6), subtract(multiply(y, fz), multiply(z, fy))),
             add(read(7), subtract(multiply(z, fx), multiply(x, fz))),
             add(read(8), subtract(multiply(x, fy), multiply(y, fx)))}};
  }
  HWY_INLINE Terms terms(std::size_t first) const {
    return with([&](std::size_t column) HWY_ATTR { return load(address(column, first)); });
  }
  // The first `count` < part_size of the terms, 0 for the rest.
  HWY_INLINE Terms first_terms(std::size_t count, std::size_t first) const {
    return with([&](std::size_t column) HWY_ATTR { return load_first(count, address(column, first)); });
  }
};

// Terms that stand in memory.
struct Stored {
  double const* at[6];

  HWY_INLINE Terms terms(std::size_t first) const {
    Terms result;
    for (std::size_t c = 0; c < 6; ++c) result.of[c] = load(at[c] + first);
    return result;
  }
  HWY_INLINE Terms first_terms(std::size_t count, std::size_t first) const {
    Terms result;
    for (std::size_t c = 0; c < 6; ++c) result.of[c] = load_first(count, at[c] + first);
    return result;
  }
};

template <class Source>
HWY_INLINE Terms terms_or_zero(Source const& source, std::size_t first, std::size_t end) {
  if (first + part_size <= end) return source.terms(first);
  if (first >= end) return zero_terms();
  return source.first_terms(end - first, first);
}

// The sum of the four groups of a full block, for the part of the lanes that starts at `first`.
template <class Source>
HWY_INLINE Terms full_block(Source const& source, std::size_t first) {
  return sum(sum(source.terms(first), source.terms(first + lane_count)),
             sum(source.terms(first + 2 * lane_count), source.terms(first + 3 * lane_count)));
}

template <class Source>
HWY_INLINE Terms partial_block(Source const& source, std::size_t first, std::size_t end) {
  return sum(sum(terms_or_zero(source, first, end), terms_or_zero(source, first + lane_count, end)),
             sum(terms_or_zero(source, first + 2 * lane_count, end),
                 terms_or_zero(source, first + 3 * lane_count, end)));
}

// Sums of the lanes with the errors of their additions.
struct Sums {
  double high[6][lane_count];
  double low[6][lane_count];
};

// high + low is exactly what it was plus the term, but for the rounding of low (Knuth).
HWY_INLINE void accumulate(Terms& high, Terms& low, Terms const& term) {
  for (std::size_t c = 0; c < 6; ++c) {
    Part const a = high.of[c], b = term.of[c];
    Part const s = add(a, b);
    Part const b_seen = subtract(s, a);
    Part const error = add(subtract(a, subtract(s, b_seen)), subtract(b, b_seen));
    high.of[c] = s;
    low.of[c] = add(low.of[c], error);
  }
}

// Adds members first .. end-1 of the source, `first` standing at lane 0, to what the lanes hold.
template <class Source>
HWY_INLINE void add_members(Source const& source, std::size_t first, std::size_t end, Sums& sums) {
  for (std::size_t part = 0; part < part_count; ++part) {
    std::size_t const lane = part * part_size;
    Terms high, low;
    for (std::size_t c = 0; c < 6; ++c) {
      high.of[c] = load(&sums.high[c][lane]);
      low.of[c] = load(&sums.low[c][lane]);
    }
    std::size_t i = first;
    for (; i + block_size <= end; i += block_size) accumulate(high, low, full_block(source, i + lane));
    if (i < end) accumulate(high, low, partial_block(source, i + lane, end));
    for (std::size_t c = 0; c < 6; ++c) {
      store(high.of[c], &sums.high[c][lane]);
      store(low.of[c], &sums.low[c][lane]);
    }
  }
}

Resultant compensated_total(Sums& sums) {
  Resultant result;
  for (std::size_t c = 0; c < 6; ++c) {
    double* const high = sums.high[c];
    double* const low = sums.low[c];
    for (std::size_t width = lane_count / 2; width > 0; width /= 2) {
      for (std::size_t i = 0; i < width; ++i) {
        double const a = high[i], b = high[i + width];
        double const s = a + b;
        double const b_seen = s - a;
        high[i] = s;
        low[i] = (low[i] + low[i + width]) + ((a - (s - b_seen)) + (b - b_seen));
      }
    }
    result[c] = high[0] + low[0];
  }
  return result;
}

template <class Source>
HWY_INLINE Resultant total_of_few(Source const& source, std::size_t size) {
  double lanes[6][lane_count];
  for (std::size_t part = 0; part < part_count; ++part) {
    Terms const terms = terms_or_zero(source, part * part_size, size);
    for (std::size_t c = 0; c < 6; ++c) store(terms.of[c], &lanes[c][part * part_size]);
  }
  Resultant result;
  for (std::size_t c = 0; c < 6; ++c) {
    double const* const x = lanes[c];
    result[c] = ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
  }
  return result;
}

HWY_INLINE Resultant direct_total(Members const& members, Centre const& centre) {
  Direct const source(members, centre);
  if (members.size <= lane_count) return total_of_few(source, members.size);
  Sums sums{};
  add_members(source, 0, members.size, sums);
  return compensated_total(sums);
}

// False if a product of an arm and a force may have lost bits to underflow: the least of both do not say it has not.
HWY_NOINLINE bool no_product_underflows(Members const& members, Centre const& centre) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Direct const source(members, centre);
  Part arm = repeat(infinity), force = repeat(infinity);
  for (std::size_t i = 0; i < members.size; i += part_size) {
    bool const full = i + part_size <= members.size;
    for (std::size_t c = 0; c < 3; ++c) {
      double const* const x = source.address(c, i);
      double const* const f = source.address(3 + c, i);
      std::size_t const count = members.size - i;
      arm = least_nonzero(arm, subtract(full ? load(x) : load_first(count, x), source.centre[c]));
      force = least_nonzero(force, full ? load(f) : load_first(count, f));
    }
  }
  double arms[part_size], forces[part_size];
  store(arm, arms);
  store(force, forces);
  return *std::min_element(arms, arms + part_size) * *std::min_element(forces, forces + part_size) >= 0x1p-1022;
}

HWY_INLINE Resultant total(Members const& members, Centre const& centre) {
  if (members.size == 0) return not_a_number();
  Resultant const result = direct_total(members, centre);
  // A product that underflows is off by 2^-1075: `size` pairs of them are an eighth of u S if S is 2^-1016 size.
  double const safe = least_safe_torque_of_one * static_cast<double>(members.size);
  bool finite = true, large = true;
  for (std::size_t c = 0; c < 6; ++c) {
    finite = finite && std::abs(result[c]) <= std::numeric_limits<double>::max();
    large = large && (c < 3 || std::abs(result[c]) >= safe);
  }
  if (HWY_LIKELY(finite && (large || no_product_underflows(members, centre)))) return result;
  return scaled_total(members, centre);
}

}  // namespace

void run(std::size_t n, double const* const in[], double* const out[]) noexcept {
  for (std::size_t row = 0; row < n; ++row) {
    auto const first = static_cast<std::size_t>(in[3][row]);
    auto const end = static_cast<std::size_t>(in[3][row + 1]);
    Members members{};
    for (std::size_t k = 0; k < 9; ++k) members.columns[k] = in[4 + k] + first;
    members.size = end - first;
    Resultant const result = total(members, {in[0][row], in[1][row], in[2][row]});
    for (std::size_t c = 0; c < 6; ++c) {
      if (out[c] != nullptr) out[c][row] = result[c];
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace demeter::clump_force_torque::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace demeter::clump_force_torque::fast {
namespace {

// A number as significand 2^exponent, 1/2 <= |significand| < 1, or 0 with an exponent below all others.
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

// x - c rounded once, where it overflows too.
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

// Below 2^-4000 everything is 0, and above 2^4000 infinite.
double scaled(double x, int exponent) { return std::ldexp(x, std::clamp(exponent, -4000, 4000)); }

double scaled_product(Split a, Split b, int exponent) {
  return scaled(a.significand * b.significand, a.exponent + b.exponent - exponent);
}

// The same sums, every component's terms scaled by the power of two that brings its largest to about 1: then neither
// overflow nor underflow can do harm, and where there was neither the bits are the same. Some 20 times slower.
Resultant scaled_total(Members const& members, Centre const& centre) {
  if (!all_finite(members, centre)) return not_a_number();
  int exponents[6];
  std::fill(exponents, exponents + 6, exponent_of_zero);
  for (std::size_t i = 0; i < members.size; ++i) {
    SplitMember const member = split_member(members, centre, i);
    for (std::size_t c = 0; c < 3; ++c) {
      std::size_t const d = (c + 1) % 3, e = (c + 2) % 3;
      exponents[c] = std::max(exponents[c], member.force[c].exponent);
      exponents[3 + c] = std::max({exponents[3 + c], member.torque[c].exponent,
                                   member.arm[d].exponent + member.force[e].exponent,
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
    if (members.size <= lane_count) {
      result = HWY_NAMESPACE::total_of_few(source, members.size);
    } else {
      HWY_NAMESPACE::add_members(source, 0, count, sums);
    }
  }
  if (members.size > lane_count) result = HWY_NAMESPACE::compensated_total(sums);
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
  Members const members{{x, x + 1, x + 2, f, f + 1, f + 2, t, t + 1, t + 2}, in.members.size(), 9};
  Resultant const result = HWY_NAMESPACE::total(members, {in.centre[0], in.centre[1], in.centre[2]});
  return {{result[0], result[1], result[2]}, {result[3], result[4], result[5]}};
}

void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  switch (level) {
#if HWY_TARGETS & HWY_AVX3
    case Level::avx512:
      return N_AVX3::run(n, in, out);
#endif
#if HWY_TARGETS & HWY_AVX2
    case Level::avx2:
      return N_AVX2::run(n, in, out);
#endif
    default:
      return HWY_STATIC_DISPATCH(run)(n, in, out);
  }
}

}  // namespace demeter::clump_force_torque::fast
#endif
