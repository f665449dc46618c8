#include "fast/clump_mass_properties.hpp"

#include "fast/core/double2.hpp"
#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/clump_mass_properties.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/core/lanes.hpp"
#include "fast/family/clump/principal_axes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// Code that does not depend on the target. This file is included once per target, but this part is compiled only once.
#ifndef DEMETER_FAST_CLUMP_MASS_PROPERTIES_COMMON
#define DEMETER_FAST_CLUMP_MASS_PROPERTIES_COMMON
namespace demeter::clump_mass_properties::fast {
namespace {

constexpr std::size_t inputs = 11;   // position (3), orientation (4), mass, inertia (3)
constexpr std::size_t outputs = 17;  // mass, centroid (3), inertia (6), principal moments (3), orientation (4)

// The members of one clump. `columns`: the columns of all members. `first`, `size`: first member and number of members.
// `stride`: distance between two members in doubles.
struct Members {
  double const* columns[inputs];
  std::size_t first, size, stride;

  double at(std::size_t column, std::size_t i) const { return columns[column][(first + i) * stride]; }
  double position(std::size_t axis, std::size_t i) const { return at(axis, i); }
  double mass(std::size_t i) const { return at(7, i); }
  double moment(std::size_t k, std::size_t i) const { return at(8 + k, i); }
};

using Result = std::array<double, outputs>;

// The columns that a pass over the members reads. places: positions and masses. magnitudes: all except the
// orientations.
enum class Needs { places, magnitudes, all };
constexpr bool is_needed(Needs needs, std::size_t column) {
  bool const place = column < 3 || column == 7, turn = column >= 3 && column < 7;
  return needs == Needs::all || place || (needs == Needs::magnitudes && !turn);
}

Result guarded(Members const& members);
Result one_clump(Members const& members);

inline void write(Result const& result, double* const out[], std::size_t row) {
  for (std::size_t k = 0; k < outputs; ++k)
    if (out[k] != nullptr) out[k][row] = result[k];
}

}  // namespace
}  // namespace demeter::clump_mass_properties::fast
#endif

HWY_BEFORE_NAMESPACE();
namespace demeter::clump_mass_properties::fast {
namespace HWY_NAMESPACE {
namespace {

using namespace demeter::lanes::HWY_NAMESPACE;
namespace axes = demeter::fast_clump::HWY_NAMESPACE;

// ------------------------------------------------------------------------------------ one clump, or one clump per lane

template <class Number>
struct Member {
  Number position[3], turn[4], mass, moment[3];
};

// A sum in two parts. `low` is the sum of the rounding errors of the additions to `high`.
template <class Number>
struct Sum {
  Number high, low;

  HWY_INLINE void add(Number x) {
    auto const sum = exact_sum(high, x);
    high = sum.high;
    low = low + sum.low;
  }
};

// Returns the rounded product x y and its rounding error (Dekker). Does not use fma, because CPUs without this
// instruction would call a library function.
template <class Number>
HWY_INLINE Double<Number> split_product(Number x, Number y) {
  Number const product = x * y;
  Number const x_big = 0x1.0000002p27 * x, y_big = 0x1.0000002p27 * y;
  Number const x_high = x_big - (x_big - x), y_high = y_big - (y_big - y);
  Number const x_low = x - x_high, y_low = y - y_high;
  return {product, ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low};
}

// Returns x / y with an error of little more than one rounding.
template <class Number>
HWY_INLINE Number quotient(Sum<Number> const& x, Sum<Number> const& y) {
  Number const first = (x.high + x.low) / y.high;
  auto const back = split_product(first, y.high);
  Number const rest = ((x.high - back.high) + (x.low - back.low)) - first * y.low;
  return first + rest / y.high;
}

template <class Number>
struct Range {
  Number low, high;

  HWY_INLINE void include(Number x) {
    low = minimum(x, low);
    high = maximum(x, high);
  }
};

// Writes the principal moments and axes to the result. The tensor is in units of first_moment times length.
template <class Number>
HWY_INLINE void write_principal(Number (&tensor)[6], Number first_moment, Number length, Number (&result)[outputs]) {
  // The Jacobi rotations expect entries of about 1. In the units of the tensor, the members' own moments may have any
  // size.
  Number const scale = power_of_two(maximum(maximum(tensor[0], tensor[1]), tensor[2])), per_scale = inverse(scale);
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 6; ++k) tensor[k] = per_scale * tensor[k];
  axes::Principal<Number> principal;
  axes::diagonalise(tensor, principal);
  axes::make_canonical(principal);
  for (std::size_t k = 0; k < 3; ++k) result[10 + k] = first_moment * (length * (scale * principal.moments[k]));
  Number q[4];
  axes::quaternion(principal.axes, q);
  for (std::size_t k = 0; k < 4; ++k) result[13 + k] = q[k];
}

// Computes a member's own tensor, with its moments multiplied by per_first_moment and per_length. Returns |q|^2 of the
// member's quaternion q after a division by a power of two. The tensor is valid if this number is between 0.5 and 32.
//
// R diag(a, b, c) R^T = c 1 + (a - c) p p^T + (b - c) q q^T, where p and q are the first two columns of R. In the code,
// p and q are these columns times the square of the quaternion. With this formula the rotation has no effect for a
// ball, and only one division is needed.
template <class Number>
HWY_INLINE Number own_tensor(Member<Number> const& member, Number per_length, Number per_first_moment,
                             Number (&own)[6]) {
  Number const longest =
      maximum(larger_magnitude(member.turn[0], member.turn[1]), larger_magnitude(member.turn[2], member.turn[3]));
  Number const per_longest = inverse(power_of_two(longest));
  Number const w = per_longest * member.turn[0], i = per_longest * member.turn[1], j = per_longest * member.turn[2],
               k = per_longest * member.turn[3];
  Number const ww = w * w, ii = i * i, jj = j * j, kk = k * k, square = (ww + ii) + (jj + kk);
  Number const px = (ww + ii) - (jj + kk), py = 2.0 * (i * j + w * k), pz = 2.0 * (i * k - w * j);
  Number const qx = 2.0 * (i * j - w * k), qy = (ww + jj) - (ii + kk), qz = 2.0 * (j * k + w * i);
  Number const a = per_length * (per_first_moment * member.moment[0]),
               b = per_length * (per_first_moment * member.moment[1]),
               c = per_length * (per_first_moment * member.moment[2]);
  Number const per_square = 1.0 / square;
  Number const along_p = ((a - c) * per_square) * per_square, along_q = ((b - c) * per_square) * per_square;
  Number const ax = along_p * px, ay = along_p * py, az = along_p * pz;
  Number const bx = along_q * qx, by = along_q * qy, bz = along_q * qz;
  own[0] = c + (ax * px + bx * qx);
  own[1] = c + (ay * py + by * qy);
  own[2] = c + (az * pz + bz * qz);
  own[3] = ax * py + bx * qy;
  own[4] = ax * pz + bx * qz;
  own[5] = ay * pz + by * qz;
  return square;
}

// Computes the properties by plain arithmetic. Returns a mask of the clumps whose result is sound. Other results are
// meaningless.
//
// Masses, lengths and moments are in units that are powers of two. In these units the largest mass and the largest
// coordinate are about 1. A clump therefore has the same bits in all units of the caller. A result is sound if
//   * the clump is in the domain (NaN and infinity reach the sums and make the last comparison false);
//   * the units, and the numbers in these units, are far from the ends of the range: no underflow has an effect;
//   * the computed centroid c' errs by less than 2^-16 of the clump's size.
//
// c' is the quotient of two compensated sums. Each term m x is rounded once. c' therefore errs by at most u times the
// mean |x| and by one rounding: 2 u of the 4 u allowed. c' is limited to the range from the least to the largest x,
// which contains the centroid. A single member, or members at one position, therefore have exactly their position as
// centroid.
//
// With the arms d from c', the sum e = sum m d is M (c - c'), where M is the total mass. It corrects the error of c':
//   I = sum m (d.d 1 - d d^T) - M (delta.delta 1 - delta delta^T), delta = e/M.
// This needs only a small e, not an accurate one. The last comparison checks that e is small. It fails if the distance
// from the origin is more than about 2^36 times the clump's size.
//
// No fma is used, because every level must give the same bits.
template <class Number, class Source>
HWY_INLINE Mask<Number> plain(Source const& source, Number (&result)[outputs]) {
  Number const zero = set<Number>(0.0), one = set<Number>(1.0);
  constexpr double infinity = std::numeric_limits<double>::infinity();

  Range<Number> const nothing{set<Number>(infinity), set<Number>(-infinity)};
  Range<Number> x_range = nothing, y_range = nothing, z_range = nothing, moments = nothing;
  Number heaviest = zero, positive = zero;
  source.template for_each<Needs::magnitudes>([&](Member<Number> const& member) HWY_ATTR {
    x_range.include(member.position[0]);
    y_range.include(member.position[1]);
    z_range.include(member.position[2]);
    moments.include(member.moment[0]);
    moments.include(member.moment[1]);
    moments.include(member.moment[2]);
    heaviest = maximum(member.mass, heaviest);
    positive = positive + select(0.0 < member.mass, one, zero);
  });
  Number const x_size = larger_magnitude(x_range.low, x_range.high);
  Number const y_size = larger_magnitude(y_range.low, y_range.high);
  Number const z_size = larger_magnitude(z_range.low, z_range.high);
  Number const size = maximum(maximum(x_size, y_size), z_size);
  Number const length = power_of_two(select(size == 0.0, one, size)),
               weight = power_of_two(maximum(heaviest, 0x1p-900));
  // The unit of moments has two factors, because the square of a length alone may be out of range.
  Number const first_moment = weight * length;
  Number const per_length = inverse(length), per_weight = inverse(weight), per_first_moment = inverse(first_moment);
  Number const own_first = moments.high * per_first_moment, own_size = own_first * per_length;
  auto const within = [](double low, Number x, double high) HWY_ATTR { return both(low < x, x < high); };
  auto const nothing_or_seen = [&](Number x, Number scaled, double least)
                                   HWY_ATTR { return either(x == 0.0, least < scaled); };
  auto sound = both(positive == source.members(), either(0.0 < moments.low, moments.low == 0.0));
  sound = both(sound, within(0x1p-1000, length, 0x1p1000));
  sound = both(sound, weight < 0x1p1000);
  sound = both(sound, within(0x1p-1000, first_moment, 0x1p1000));
  sound = both(sound, nothing_or_seen(moments.high, own_first, 0x1p-900));
  sound = both(sound, both(own_size < 0x1p800, nothing_or_seen(moments.high, own_size, 0x1p-800)));
  sound = both(sound, nothing_or_seen(x_size, x_size * per_length, 0x1p-400));
  sound = both(sound, nothing_or_seen(y_size, y_size * per_length, 0x1p-400));
  sound = both(sound, nothing_or_seen(z_size, z_size * per_length, 0x1p-400));

  Sum<Number> const empty{zero, zero};
  Sum<Number> mass = empty, x_sum = empty, y_sum = empty, z_sum = empty;
  source.template for_each<Needs::places>([&](Member<Number> const& member) HWY_ATTR {
    Number const m = per_weight * member.mass;
    mass.add(m);
    x_sum.add(m * (per_length * member.position[0]));
    y_sum.add(m * (per_length * member.position[1]));
    z_sum.add(m * (per_length * member.position[2]));
  });
  auto const centre = [&](Sum<Number> const& sum, Range<Number> const& range) HWY_ATTR {
    return clamp(quotient(sum, mass), per_length * range.low, per_length * range.high);
  };
  Number const x_centre = centre(x_sum, x_range), y_centre = centre(y_sum, y_range), z_centre = centre(z_sum, z_range);

  Sum<Number> sums[6] = {empty, empty, empty, empty, empty, empty};
  Number x_rest = zero, y_rest = zero, z_rest = zero;
  source.template for_each<Needs::all>([&](Member<Number> const& member) HWY_ATTR {
    Number own[6];
    sound = both(sound, within(0.5, own_tensor(member, per_length, per_first_moment, own), 32.0));
    Number const m = per_weight * member.mass;
    Number const x = per_length * member.position[0] - x_centre, y = per_length * member.position[1] - y_centre,
                 z = per_length * member.position[2] - z_centre;
    Number const mx = m * x, my = m * y, mz = m * z;
    x_rest = x_rest + mx;
    y_rest = y_rest + my;
    z_rest = z_rest + mz;
    Number const xx = mx * x, yy = my * y, zz = mz * z;
    sums[0].add(own[0] + (yy + zz));
    sums[1].add(own[1] + (xx + zz));
    sums[2].add(own[2] + (xx + yy));
    sums[3].add(own[3] - mx * y);
    sums[4].add(own[4] - mx * z);
    sums[5].add(own[5] - my * z);
  });

  Number const total = mass.high + mass.low, x_off = x_rest / total, y_off = y_rest / total, z_off = z_rest / total;
  Number const xx = x_rest * x_off, yy = y_rest * y_off, zz = z_rest * z_off;
  Number tensor[6] = {(sums[0].high + sums[0].low) - (yy + zz),      (sums[1].high + sums[1].low) - (xx + zz),
                      (sums[2].high + sums[2].low) - (xx + yy),      (sums[3].high + sums[3].low) + x_rest * y_off,
                      (sums[4].high + sums[4].low) + x_rest * z_off, (sums[5].high + sums[5].low) + y_rest * z_off};
  Number const trace = (tensor[0] + tensor[1]) + tensor[2], off = (xx + yy) + zz;
  sound = both(sound, either(0x1p32 * off < trace, both(trace == 0.0, off == 0.0)));

  result[0] = weight * total;
  result[1] = length * x_centre;
  result[2] = length * y_centre;
  result[3] = length * z_centre;
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 6; ++k) result[4 + k] = first_moment * (length * tensor[k]);

  write_principal(tensor, first_moment, length, result);
  return sound;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

// ---------------------------------------------------------------------------------------------------- clumps in lanes

// Transposes a square matrix.
HWY_INLINE void transpose(Register (&rows)[width]) {
#if HWY_TARGET == HWY_AVX3
  __m512d pairs[8], fours[8];
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 8; k += 2) {
    pairs[k] = _mm512_unpacklo_pd(rows[k].raw, rows[k + 1].raw);
    pairs[k + 1] = _mm512_unpackhi_pd(rows[k].raw, rows[k + 1].raw);
  }
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 8; k += 4) {
    fours[k] = _mm512_shuffle_f64x2(pairs[k], pairs[k + 2], 0x88);
    fours[k + 1] = _mm512_shuffle_f64x2(pairs[k + 1], pairs[k + 3], 0x88);
    fours[k + 2] = _mm512_shuffle_f64x2(pairs[k], pairs[k + 2], 0xdd);
    fours[k + 3] = _mm512_shuffle_f64x2(pairs[k + 1], pairs[k + 3], 0xdd);
  }
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 4; ++k) {
    rows[k] = Register{_mm512_shuffle_f64x2(fours[k], fours[k + 4], 0x88)};
    rows[k + 4] = Register{_mm512_shuffle_f64x2(fours[k], fours[k + 4], 0xdd)};
  }
#else
  __m256d pairs[4];
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 4; k += 2) {
    pairs[k] = _mm256_unpacklo_pd(rows[k].raw, rows[k + 1].raw);
    pairs[k + 1] = _mm256_unpackhi_pd(rows[k].raw, rows[k + 1].raw);
  }
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 2; ++k) {
    rows[k] = Register{_mm256_permute2f128_pd(pairs[k], pairs[k + 2], 0x20)};
    rows[k + 2] = Register{_mm256_permute2f128_pd(pairs[k], pairs[k + 2], 0x31)};
  }
#endif
}

// Number of members that are packed at a time. It is enough for most clumps, and the packed members fit into the
// first-level cache.
constexpr std::size_t stretch = 16;

// A group of clumps, one per lane. The members are packed side by side, one stretch at a time, by loading full vectors
// of each clump's members and transposing them. Gathers, or copying the members one by one, would take longer than the
// computation.
class Group {
  Members const (&clumps_)[width];
  std::size_t longest_ = 0;
  HWY_ALIGN double mutable packed_[stretch][inputs][width];
  HWY_ALIGN double members_[width];

  // Lanes with a shorter clump are padded with members of mass 0. They add 0, which changes no bit of any sum.
  template <Needs needs>
  HWY_INLINE void pack(std::size_t first) const {
    std::size_t const end = std::min(first + stretch, longest_);
    for (std::size_t from = first; from < end; from += width) {
      VectorMask present[width];
      std::size_t begin[width];
      for (std::size_t lane = 0; lane < width; ++lane) {
        std::size_t const size = clumps_[lane].size;
        present[lane] = hn::FirstN(Tag(), size > from ? std::min(size - from, width) : 0);
        // Nothing is loaded for a clump that has ended, but an address outside mapped memory would still cost hundreds
        // of cycles. Such a clump therefore uses the address of its first member.
        begin[lane] = clumps_[lane].first + (size > from ? from : 0);
      }
      for (std::size_t column = 0; column < inputs; ++column) {
        if (!is_needed(needs, column)) continue;
        double const* const at = clumps_[0].columns[column];
        Register rows[width];
#pragma GCC unroll 8
        for (std::size_t lane = 0; lane < width; ++lane) {
          rows[lane] = hn::MaskedLoad(present[lane], Tag(), at + begin[lane]);
          // The padding is a position that occurs in the clump, and a quaternion that is not 0.
          if (column < 3 && clumps_[lane].size > 0)
            rows[lane] = select(present[lane], rows[lane], at[clumps_[lane].first]);
          if (column == 3) rows[lane] = select(present[lane], rows[lane], 1.0);
        }
        transpose(rows);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < width; ++i) store(rows[i], packed_[from - first + i][column]);
      }
    }
  }

 public:
  HWY_INLINE explicit Group(Members const (&clumps)[width]) : clumps_(clumps) {
    for (std::size_t lane = 0; lane < width; ++lane) {
      longest_ = std::max(longest_, clumps[lane].size);
      members_[lane] = static_cast<double>(clumps[lane].size);
    }
    if (longest_ <= stretch) pack<Needs::all>(0);
  }

  HWY_INLINE Register members() const { return load(members_); }

  template <Needs needs, class Each>
  HWY_INLINE void for_each(Each const& each) const {
    for (std::size_t first = 0; first < longest_; first += stretch) {
      if (longest_ > stretch) pack<needs>(first);
      std::size_t const count = std::min(stretch, longest_ - first);
      for (std::size_t i = 0; i < count; ++i) {
        auto const& at = packed_[i];
        Member<Register> const member{{load(at[0]), load(at[1]), load(at[2])},
                                      {load(at[3]), load(at[4]), load(at[5]), load(at[6])},
                                      load(at[7]),
                                      {load(at[8]), load(at[9]), load(at[10])}};
        each(member);
      }
    }
  }
};

// Clumps of about the same length are grouped within a block, by a counting sort. Without sorting, lanes would spend a
// third of the time waiting for the longest clump of their vector.
constexpr std::size_t block = 128;
constexpr std::size_t counted = 256;

// Returns the class of a length. Lengths in a class differ by about a sixteenth; all lengths from 2^19 on are one
// class.
HWY_INLINE std::size_t length_class(std::size_t length) {
  if (length < 32) return length;
  auto const octave = static_cast<std::size_t>(std::bit_width(length));  // octave is at least 6
  return std::min(16 * (octave - 5) + (length >> (octave - 5)), counted - 1);
}

HWY_INLINE std::size_t size_of(double const* offsets, std::size_t row) {
  return static_cast<std::size_t>(offsets[row + 1]) - static_cast<std::size_t>(offsets[row]);
}

HWY_INLINE void sort_by_length(double const* offsets, std::size_t first, std::size_t count,
                               std::uint32_t (&order)[block]) {
  std::uint32_t begin[counted + 1] = {};
  std::uint32_t lengths[block];
  for (std::size_t i = 0; i < count; ++i) {
    lengths[i] = static_cast<std::uint32_t>(length_class(size_of(offsets, first + i)));
    ++begin[lengths[i] + 1];
  }
  for (std::size_t k = 1; k <= counted; ++k) begin[k] += begin[k - 1];
  for (std::size_t i = 0; i < count; ++i) order[begin[lengths[i]]++] = static_cast<std::uint32_t>(i);
}

// Returns true if answering the clumps one by one is faster. This is so if there are few clumps, or if one is far
// longer than the others. The estimate uses measured times. The unit of time is the time per member in the form for one
// clump. In this form, the constant time of a clump is 9. In the form for a vector of clumps, the time per member of
// the longest clump is 3 (AVX2: 2), and the constant time of the vector is 14 (AVX2: 10). The bits are the same in both
// forms.
HWY_INLINE bool better_alone(Members const (&clumps)[width], std::size_t used) {
  std::size_t longest = 0, total = 0;
  for (std::size_t lane = 0; lane < used; ++lane) {
    longest = std::max(longest, clumps[lane].size);
    total += clumps[lane].size;
  }
  return 9 * used + total < (width == 8 ? 14 + 3 * longest : 10 + 2 * longest);
}

// For batches streamed from memory, the next block is prefetched while this one is solved. The hardware prefetcher
// cannot do this, because clumps are read in the order of their lengths. At AVX2 a typical clump takes 279 ns instead
// of 361 without prefetch, and 236 ns if the batch is in cache.
constexpr std::size_t members_in_cache = 1 << 13;
constexpr std::size_t in_line = 8;

HWY_INLINE void fetch(double const* const in[], double* const out[], std::size_t first, std::size_t count) {
  auto const begin = static_cast<std::size_t>(in[0][first]), end = static_cast<std::size_t>(in[0][first + count]);
  for (std::size_t column = 1; column <= inputs; ++column)
    for (std::size_t i = begin; i < end; i += in_line) __builtin_prefetch(in[column] + i);
  for (std::size_t k = 0; k < outputs; ++k)
    if (out[k] != nullptr) __builtin_prefetch(out[k] + first, 1);
}

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  double const* const offsets = in[0];
  bool const from_memory = offsets[n] - offsets[0] > members_in_cache;
  Members clumps[width];
  for (Members& clump : clumps) {
    std::copy(in + 1, in + 1 + inputs, clump.columns);
    clump.stride = 1;
  }
  HWY_ALIGN double results[outputs][width];
  std::uint32_t order[block];
  for (std::size_t begin = 0; begin < n; begin += block) {
    std::size_t const count = std::min(block, n - begin);
    sort_by_length(offsets, begin, count, order);
    for (std::size_t i = 0; i < count; i += width) {
      std::size_t const used = std::min(width, count - i), ahead = begin + block + i;
      if (from_memory && ahead < n) fetch(in, out, ahead, std::min(width, n - ahead));
      std::size_t rows[width];
      for (std::size_t lane = 0; lane < width; ++lane) {
        rows[lane] = begin + order[i + std::min(lane, used - 1)];
        clumps[lane].first = static_cast<std::size_t>(offsets[rows[lane]]);
        clumps[lane].size = size_of(offsets, rows[lane]);
      }
      if (better_alone(clumps, used)) {
        for (std::size_t lane = 0; lane < used; ++lane) write(one_clump(clumps[lane]), out, rows[lane]);
        continue;
      }
      Register found[outputs];
      auto const sound = plain<Register>(Group(clumps), found);
      for (std::size_t k = 0; k < outputs; ++k) {
        if (out[k] == nullptr) continue;
        store(found[k], results[k]);
        for (std::size_t lane = 0; lane < used; ++lane) out[k][rows[lane]] = results[k][lane];
      }
      if (all(sound)) continue;
      std::size_t const marked = bits_of(sound);
      for (std::size_t lane = 0; lane < used; ++lane) {
        if ((marked >> lane & 1) == 0) write(guarded(clumps[lane]), out, rows[lane]);
      }
    }
  }
}

#else

struct Single {
  Members const& clump;

  double members() const { return static_cast<double>(clump.size); }

  template <Needs, class Each>
  HWY_INLINE void for_each(Each const& each) const {
    for (std::size_t i = 0; i < clump.size; ++i)
      each({{clump.at(0, i), clump.at(1, i), clump.at(2, i)},
            {clump.at(3, i), clump.at(4, i), clump.at(5, i), clump.at(6, i)},
            clump.at(7, i),
            {clump.at(8, i), clump.at(9, i), clump.at(10, i)}});
  }
};

Result properties(Members const& clump) {
  double found[outputs];
  if (!plain<double>(Single{clump}, found)) return guarded(clump);
  Result result;
  std::copy(found, found + outputs, result.begin());
  return result;
}

void evaluate(std::size_t n, double const* const in[], double* const out[]) {
  Members members{{}, 0, 0, 1};
  std::copy(in + 1, in + 1 + inputs, members.columns);
  for (std::size_t row = 0; row < n; ++row) {
    members.first = static_cast<std::size_t>(in[0][row]);
    members.size = static_cast<std::size_t>(in[0][row + 1]) - members.first;
    write(properties(members), out, row);
  }
}

#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace demeter::clump_mass_properties::fast
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace demeter::clump_mass_properties::fast {
namespace {

// ------------------------------------------------------------------------------------------------ any range of numbers

using namespace demeter::fast_core;
namespace axes = demeter::fast_clump::HWY_NAMESPACE;

Result one_clump(Members const& members) { return HWY_NAMESPACE::properties(members); }

bool in_domain(Members const& members) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (members.size == 0) return false;
  for (std::size_t i = 0; i < members.size; ++i) {
    bool fine = members.mass(i) > 0 && members.mass(i) <= largest;
    for (std::size_t k = 0; k < 3; ++k) {
      fine = fine && std::abs(members.position(k, i)) <= largest;
      fine = fine && members.moment(k, i) >= 0 && members.moment(k, i) <= largest;
    }
    bool turns = false;
    for (std::size_t k = 3; k < 7; ++k) {
      fine = fine && std::abs(members.at(k, i)) <= largest;
      turns = turns || members.at(k, i) != 0;
    }
    if (!fine || !turns) return false;
  }
  return true;
}

// Adds R diag(moments) R^T to the tensor, with moments multiplied by a factor. R is the rotation of a quaternion of any
// length.
void add_own(Members const& members, std::size_t i, Factor const& scaled, std::array<Double2, 6>& tensor) {
  double const a = scaled(members.moment(0, i)), b = scaled(members.moment(1, i)), c = scaled(members.moment(2, i));
  if (a == b && b == c) {  // a sphere or a cube: the rotation has no effect
    for (std::size_t k = 0; k < 3; ++k) tensor[k].add(a);
    return;
  }
  double largest = 0;
  for (std::size_t k = 3; k < 7; ++k) largest = std::max(largest, std::abs(members.at(k, i)));
  Factor const unit(-exponent_of(largest));
  double const w = unit(members.at(3, i)), x = unit(members.at(4, i)), y = unit(members.at(5, i)),
               z = unit(members.at(6, i));
  double const ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  double R[3][3] = {{(ww + xx) - (yy + zz), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                    {2 * (x * y + w * z), (ww + yy) - (xx + zz), 2 * (y * z - w * x)},
                    {2 * (x * z - w * y), 2 * (y * z + w * x), (ww + zz) - (xx + yy)}};
  for (auto& row : R)
    for (double& entry : row) entry /= square;
  auto const entry = [&](std::size_t r, std::size_t s) {
    return a * (R[r][0] * R[s][0]) + b * (R[r][1] * R[s][1]) + c * (R[r][2] * R[s][2]);
  };
  tensor[0].add(entry(0, 0));
  tensor[1].add(entry(1, 1));
  tensor[2].add(entry(2, 2));
  tensor[3].add(entry(0, 1));
  tensor[4].add(entry(0, 2));
  tensor[5].add(entry(1, 2));
}

// Returns the properties of one clump. The numbers may have any magnitude. Used if the result of plain() is not sound.
Result guarded(Members const& members) {
  using Vector = std::array<double, 3>;
  Result result;
  if (!in_domain(members)) {
    result.fill(std::numeric_limits<double>::quiet_NaN());
    return result;
  }
  double largest_moment = 0;
  std::size_t heaviest = 0;
  Vector largest_position = {0, 0, 0};
  for (std::size_t i = 0; i < members.size; ++i) {
    if (members.mass(i) > members.mass(heaviest)) heaviest = i;
    for (std::size_t k = 0; k < 3; ++k) {
      largest_position[k] = std::max(largest_position[k], std::abs(members.position(k, i)));
      largest_moment = std::max(largest_moment, members.moment(k, i));
    }
  }

  // First pass: the mass, and the centroid relative to the heaviest member. Each axis has its own unit.
  int const mass_exponent = exponent_of(members.mass(heaviest));
  double const mass_unit = power_of_two(-mass_exponent);
  std::array<int, 3> axis_exponent;
  Vector axis_unit;
  for (std::size_t k = 0; k < 3; ++k) {
    axis_exponent[k] = std::clamp(exponent_of(largest_position[k]), -1000, 1000);
    axis_unit[k] = power_of_two(-axis_exponent[k]);
  }
  int const used_mass_exponent = std::clamp(mass_exponent, -1000, 1000);
  auto const from_heaviest = [&](std::size_t k, std::size_t i) {
    return exact_difference(axis_unit[k] * members.position(k, i), axis_unit[k] * members.position(k, heaviest));
  };
  Double2 mass;
  std::array<Double2, 3> sum, mean;
  for (std::size_t i = 0; i < members.size; ++i) {
    double const m = mass_unit * members.mass(i);
    mass.add(m);
    for (std::size_t k = 0; k < 3; ++k) {
      Double2 const y = from_heaviest(k, i), term = exact_product(m, y.high);
      sum[k].add(term.high);
      sum[k].low += term.low + m * y.low;
    }
  }
  for (std::size_t k = 0; k < 3; ++k) mean[k] = quotient(sum[k], mass);

  // Second pass: arms from the centroid, scaled to about 1.
  auto const arm = [&](std::size_t k, std::size_t i) {
    Double2 const y = from_heaviest(k, i), d = exact_difference(y.high, mean[k].high);
    return d.high + (d.low + (y.low - mean[k].low));
  };
  Vector largest_arm = {0, 0, 0};
  for (std::size_t i = 0; i < members.size; ++i)
    for (std::size_t k = 0; k < 3; ++k) largest_arm[k] = std::max(largest_arm[k], std::abs(arm(k, i)));
  constexpr int none = -10000;
  int arm_exponent = none;
  for (std::size_t k = 0; k < 3; ++k)
    if (largest_arm[k] > 0) arm_exponent = std::max(arm_exponent, std::ilogb(largest_arm[k]) + axis_exponent[k]);
  int const transfer_exponent = arm_exponent == none ? none : used_mass_exponent + 2 * arm_exponent;
  int const moment_exponent = largest_moment > 0 ? exponent_of(largest_moment) : none;
  int exponent = std::max(moment_exponent, transfer_exponent);
  if (exponent == none) exponent = 0;
  std::array<Factor, 3> const arm_scaled = {Factor(axis_exponent[0] - arm_exponent),
                                            Factor(axis_exponent[1] - arm_exponent),
                                            Factor(axis_exponent[2] - arm_exponent)};
  Factor const own_scaled(-exponent), transfer_scaled(transfer_exponent - exponent);
  std::array<Double2, 6> sums;
  for (std::size_t i = 0; i < members.size; ++i) {
    add_own(members, i, own_scaled, sums);
    if (arm_exponent == none) continue;
    double const m = transfer_scaled(mass_unit * members.mass(i));
    double const x = arm_scaled[0](arm(0, i)), y = arm_scaled[1](arm(1, i)), z = arm_scaled[2](arm(2, i));
    sums[0].add(m * (y * y + z * z));
    sums[1].add(m * (x * x + z * z));
    sums[2].add(m * (x * x + y * y));
    sums[3].add(-m * (x * y));
    sums[4].add(-m * (x * z));
    sums[5].add(-m * (y * z));
  }
  double tensor[6];
  for (std::size_t k = 0; k < 6; ++k) tensor[k] = sums[k].rounded();

  axes::Principal<double> principal;
  axes::diagonalise(tensor, principal);
  axes::make_canonical(principal);
  double q[4];
  axes::quaternion(principal.axes, q);
  result[0] = std::ldexp(mass.rounded(), used_mass_exponent);
  for (std::size_t k = 0; k < 3; ++k) {
    Double2 centroid{axis_unit[k] * members.position(k, heaviest), mean[k].low};
    centroid.add(mean[k].high);
    result[1 + k] = std::ldexp(centroid.rounded(), axis_exponent[k]);
  }
#pragma GCC unroll 8
  for (std::size_t k = 0; k < 6; ++k) result[4 + k] = std::ldexp(tensor[k], exponent);
  for (std::size_t k = 0; k < 3; ++k) result[10 + k] = std::ldexp(principal.moments[k], exponent);
  for (std::size_t k = 0; k < 4; ++k) result[13 + k] = q[k];
  return result;
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  static_assert(sizeof(Member<double>) % sizeof(double) == 0);
  Members members{{}, 0, in.members.size(), sizeof(Member<double>) / sizeof(double)};
  if (!in.members.empty()) {
    Member<double> const& first = in.members.front();
    std::size_t column = 0;
    for (Index k = 0; k < 3; ++k) members.columns[column++] = first.position.data() + k;
    for (Index k = 0; k < 4; ++k) members.columns[column++] = first.orientation.data() + k;
    members.columns[column++] = &first.mass;
    for (Index k = 0; k < 3; ++k) members.columns[column++] = first.inertia.data() + k;
  }
  Result const r = one_clump(members);
  Output<double> out;
  out.mass = r[0];
  out.centroid = {r[1], r[2], r[3]};
  out.inertia = {r[4], r[5], r[6], r[7], r[8], r[9]};
  out.principal = {r[10], r[11], r[12]};
  out.orientation = {r[13], r[14], r[15], r[16]};
  return out;
}

void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  constexpr Forms forms{HWY_NAMESPACE::evaluate, N_AVX2::evaluate, N_AVX3::evaluate};
  forms.at(level)(n, in, out);
}

}  // namespace demeter::clump_mass_properties::fast
#endif
