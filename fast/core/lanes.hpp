// Arithmetic on one SIMD vector of doubles, or on one double, with the same function names. A template on `Number`
// gives the same bits for both types.
//
//   a + b   a - b   a * b   a / b   a < b   a == b   a != b    one rounding each; either side may be a constant
//   fma(a, b, c)                = a b + c, rounded once
//   multiply_subtract(a, b, c)  = a b - c, rounded once
//   subtract_product(c, a, b)   = c - a b, rounded once
//
// The compiler option -ffp-contract=off prevents any other fused operation. A comparison returns a `Mask<Number>`, for
// select(), zero_unless(), both(), either(), all() and none().
//
// Compiled once per Highway target, like the .cpp file that includes this file after <hwy/foreach_target.h>. Namespace
// and include guard are therefore per target.
#if defined(DEMETER_FAST_CORE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_CORE_LANES
#undef DEMETER_FAST_CORE_LANES
#else
#define DEMETER_FAST_CORE_LANES
#endif

#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace demeter::lanes::HWY_NAMESPACE {

/// The bits of 1/(2a) are about half_inverse_bits minus the bits of a. The relative error is 12 %. This is accurate
/// enough for a correction term and needs no division.
constexpr std::uint64_t half_inverse_bits = 0x7fce623822fc16e6;

// ------------------------------------------------------------------------------------------------ a vector of doubles

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<double>;
using Register = hn::Vec<Tag>;
using VectorMask = hn::Mask<Tag>;
using Bits = hn::RebindToUnsigned<Tag>;
constexpr std::size_t width = hn::MaxLanes(Tag());

HWY_INLINE Register load(double const* from) { return hn::LoadU(Tag(), from); }
HWY_INLINE void store(Register x, double* to) { hn::StoreU(x, Tag(), to); }
HWY_INLINE VectorMask load_mask(double const* from) { return hn::MaskFromVec(hn::LoadU(Tag(), from)); }
HWY_INLINE void store_mask(VectorMask x, double* to) { hn::StoreU(hn::VecFromMask(Tag(), x), Tag(), to); }

/// Returns a constant in every lane. A vector is returned unchanged.
HWY_INLINE Register lanes_of(double a) { return hn::Set(Tag(), a); }
HWY_INLINE Register lanes_of(Register a) { return a; }

/// Return a constant, or the loaded numbers, as the type `Number`.
template <std::same_as<Register> Number>
HWY_INLINE Register set(double a) {
  return lanes_of(a);
}
template <std::same_as<Register> Number>
HWY_INLINE Register load_as(double const* from) {
  return load(from);
}

template <class T>
concept vector_or_constant = std::same_as<T, Register> || std::same_as<T, double>;

// Highway defines these operators only for two vectors.
HWY_INLINE Register operator+(double a, Register b) { return lanes_of(a) + b; }
HWY_INLINE Register operator+(Register a, double b) { return a + lanes_of(b); }
HWY_INLINE Register operator-(double a, Register b) { return lanes_of(a) - b; }
HWY_INLINE Register operator-(Register a, double b) { return a - lanes_of(b); }
HWY_INLINE Register operator*(double a, Register b) { return lanes_of(a) * b; }
HWY_INLINE Register operator*(Register a, double b) { return a * lanes_of(b); }
HWY_INLINE Register operator/(double a, Register b) { return lanes_of(a) / b; }
HWY_INLINE Register operator/(Register a, double b) { return a / lanes_of(b); }
HWY_INLINE VectorMask operator<(double a, Register b) { return lanes_of(a) < b; }
HWY_INLINE VectorMask operator<(Register a, double b) { return a < lanes_of(b); }
HWY_INLINE VectorMask operator==(Register a, double b) { return a == lanes_of(b); }
HWY_INLINE VectorMask operator!=(Register a, double b) { return a != lanes_of(b); }

// Each argument of the functions below may be a constant.
template <vector_or_constant A, vector_or_constant B, vector_or_constant C>
HWY_INLINE Register fma(A a, B b, C c) {
  return hn::MulAdd(lanes_of(a), lanes_of(b), lanes_of(c));
}
template <vector_or_constant A, vector_or_constant B, vector_or_constant C>
HWY_INLINE Register multiply_subtract(A a, B b, C c) {
  return hn::MulSub(lanes_of(a), lanes_of(b), lanes_of(c));
}
template <vector_or_constant A, vector_or_constant B, vector_or_constant C>
HWY_INLINE Register subtract_product(C c, A a, B b) {
  return hn::NegMulAdd(lanes_of(a), lanes_of(b), lanes_of(c));
}
/// minimum() and maximum() are the x86 instructions minpd and maxpd: if a or b is NaN, the result is b.
template <vector_or_constant A, vector_or_constant B>
HWY_INLINE Register minimum(A a, B b) {
  return hn::Min(lanes_of(a), lanes_of(b));
}
template <vector_or_constant A, vector_or_constant B>
HWY_INLINE Register maximum(A a, B b) {
  return hn::Max(lanes_of(a), lanes_of(b));
}
HWY_INLINE Register sqrt(Register a) { return hn::Sqrt(a); }
HWY_INLINE Register abs(Register a) { return hn::Abs(a); }
/// Returns a if the sign of b is negative, and -a otherwise, for a >= 0.
template <vector_or_constant A>
HWY_INLINE Register with_opposite_sign(A a, Register b) {
  return hn::Or(lanes_of(a), hn::AndNot(b, lanes_of(-0.0)));
}
HWY_INLINE Register larger_magnitude(Register a, Register b) {
#if HWY_TARGET == HWY_AVX3
  return Register{_mm512_range_pd(a.raw, b.raw, 11)};
#else
  return hn::Max(hn::Abs(a), hn::Abs(b));
#endif
}
/// Returns the larger one of `magnitude` >= 0 and |b|. With AVX2, raise() needs one operation less than
/// larger_magnitude(), because it does not clear the sign of `magnitude`.
HWY_INLINE Register raise(Register magnitude, Register b) {
#if HWY_TARGET == HWY_AVX3
  return larger_magnitude(magnitude, b);
#else
  return hn::Max(magnitude, hn::Abs(b));
#endif
}

HWY_INLINE VectorMask both(VectorMask a, VectorMask b) { return hn::And(a, b); }
HWY_INLINE VectorMask either(VectorMask a, VectorMask b) { return hn::Or(a, b); }
HWY_INLINE VectorMask no(VectorMask a) { return hn::Not(a); }
HWY_INLINE bool all(VectorMask a) { return hn::AllTrue(Tag(), a); }
HWY_INLINE bool none(VectorMask a) { return hn::AllFalse(Tag(), a); }
HWY_INLINE std::size_t count(VectorMask a) { return hn::CountTrue(Tag(), a); }
/// Returns the mask as bits. The bit of the first lane is the lowest.
HWY_INLINE std::size_t bits_of(VectorMask a) {
  std::uint8_t bytes[8];
  hn::StoreMaskBits(Tag(), a, bytes);
  return bytes[0];
}

template <vector_or_constant A, vector_or_constant B>
HWY_INLINE Register select(VectorMask mask, A yes, B no) {
  return hn::IfThenElse(mask, lanes_of(yes), lanes_of(no));
}
template <vector_or_constant A>
HWY_INLINE Register zero_unless(VectorMask mask, A value) {
  return hn::IfThenElseZero(mask, lanes_of(value));
}
/// blend() and keep() return the same as select() and zero_unless(). For one double they have no branch. Use them for
/// masks that a branch predictor cannot predict.
template <vector_or_constant A, vector_or_constant B>
HWY_INLINE Register blend(VectorMask mask, A yes, B no) {
  return select(mask, yes, no);
}
template <vector_or_constant A>
HWY_INLINE Register keep(VectorMask mask, A value) {
  return zero_unless(mask, value);
}

/// Stores the marked lanes at `to`, in order and without gaps. Always writes a whole vector. (With GCC, Compress of
/// Highway 1.0.3 copies its table at every call and is ten times slower.)
HWY_INLINE void store_packed(Register x, VectorMask marked, double* to) {
#if HWY_TARGET == HWY_AVX3
  store(Register{_mm512_maskz_compress_pd(marked.raw, x.raw)}, to);
#else
  // The row is selected by the bits of the mask. Entry k of a row is the index of the k-th marked lane.
  alignas(32) static constexpr std::int64_t from[16][4] = {
      {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
      {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
  store(hn::TableLookupLanes(x, hn::SetTableIndices(Tag(), from[bits_of(marked)])), to);
#endif
}
/// Undoes store_packed: fills the marked lanes from the first lanes of `packed`, in order. The other lanes are taken
/// from `others`.
HWY_INLINE Register unpack(Register packed, VectorMask marked, Register others) {
#if HWY_TARGET == HWY_AVX3
  return Register{_mm512_mask_expand_pd(others.raw, marked.raw, packed.raw)};
#else
  // The row is selected by the bits of the mask. Entry k of a row is the number of marked lanes below lane k.
  alignas(32) static constexpr std::int64_t below[16][4] = {
      {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2}, {0, 0, 0, 1}, {0, 1, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3},
      {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2}, {0, 0, 0, 1}, {0, 1, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3}};
  auto const lanes = hn::SetTableIndices(Tag(), below[bits_of(marked)]);
  return hn::IfThenElse(marked, hn::TableLookupLanes(packed, lanes), others);
#endif
}

/// Returns the largest power of two <= a, but at least the smallest normal number.
HWY_INLINE Register power_of_two(Register a) {
  auto const normal = hn::Max(a, lanes_of(0x1p-1022));
  return hn::BitCast(Tag(), hn::And(hn::BitCast(Bits(), normal), hn::Set(Bits(), std::uint64_t{0x7ff} << 52)));
}
HWY_INLINE Register half_inverse(Register a) {
  return hn::BitCast(Tag(), hn::Sub(hn::Set(Bits(), half_inverse_bits), hn::BitCast(Bits(), a)));
}
HWY_INLINE Register inverse(Register power) {
  return hn::BitCast(Tag(), hn::Sub(hn::Set(Bits(), std::uint64_t{2046} << 52), hn::BitCast(Bits(), power)));
}
HWY_INLINE Register twice_inverse(Register power) {
  return hn::BitCast(Tag(), hn::Sub(hn::Set(Bits(), std::uint64_t{2047} << 52), hn::BitCast(Bits(), power)));
}

#endif

// --------------------------------------------------------------------------------------------------------- one double

#if HWY_ONCE

HWY_INLINE void store(double x, double* to) { *to = x; }
template <std::same_as<double> Number>
HWY_INLINE double set(double a) {
  return a;
}
template <std::same_as<double> Number>
HWY_INLINE double load_as(double const* from) {
  return *from;
}
HWY_INLINE double fma(double a, double b, double c) { return std::fma(a, b, c); }
HWY_INLINE double multiply_subtract(double a, double b, double c) { return std::fma(a, b, -c); }
HWY_INLINE double subtract_product(double c, double a, double b) { return std::fma(-a, b, c); }
HWY_INLINE double minimum(double a, double b) { return a < b ? a : b; }
HWY_INLINE double maximum(double a, double b) { return a > b ? a : b; }
HWY_INLINE double sqrt(double a) { return std::sqrt(a); }
HWY_INLINE double abs(double a) { return std::fabs(a); }
HWY_INLINE double with_opposite_sign(double a, double b) { return std::copysign(a, -b); }
HWY_INLINE double larger_magnitude(double a, double b) { return maximum(std::fabs(a), std::fabs(b)); }
HWY_INLINE double raise(double magnitude, double b) { return maximum(magnitude, std::fabs(b)); }

HWY_INLINE bool both(bool a, bool b) { return a && b; }
HWY_INLINE bool either(bool a, bool b) { return a || b; }
HWY_INLINE bool all(bool a) { return a; }
HWY_INLINE bool none(bool a) { return !a; }
HWY_INLINE double select(bool mask, double yes, double no) { return mask ? yes : no; }
HWY_INLINE double zero_unless(bool mask, double value) { return mask ? value : 0.0; }
HWY_INLINE double keep(bool mask, double a) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & -static_cast<std::uint64_t>(mask));
}
HWY_INLINE double blend(bool mask, double yes, double no) {
  auto const marked = -static_cast<std::uint64_t>(mask);
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(yes) & marked) |
                               (std::bit_cast<std::uint64_t>(no) & ~marked));
}

HWY_INLINE double power_of_two(double a) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(maximum(a, 0x1p-1022)) & std::uint64_t{0x7ff} << 52);
}
HWY_INLINE double half_inverse(double a) {
  return std::bit_cast<double>(half_inverse_bits - std::bit_cast<std::uint64_t>(a));
}
HWY_INLINE double inverse(double power) {
  return std::bit_cast<double>((std::uint64_t{2046} << 52) - std::bit_cast<std::uint64_t>(power));
}
HWY_INLINE double twice_inverse(double power) {
  return std::bit_cast<double>((std::uint64_t{2047} << 52) - std::bit_cast<std::uint64_t>(power));
}

#endif

// ------------------------------------------------------------------------------------------ vectors and single doubles

template <class Number>
using Mask = decltype(std::declval<Number>() < std::declval<Number>());

/// Returns `value` limited to [low, high]. NaN (0/0 for a segment of length zero) gives `low`, because `low` is the
/// second operand of maximum().
template <class Number, class Low, class High>
HWY_INLINE Number clamp(Number value, Low low, High high) {
  return minimum(maximum(value, low), high);
}

/// Returns a b - c d with an error of at most 1.5 ulp, however much cancels (Kahan).
template <class Number>
HWY_INLINE Number product_difference(Number a, Number b, Number c, Number d) {
  auto const rounded = c * d;
  auto const error = subtract_product(rounded, c, d);
  return multiply_subtract(a, b, rounded) + error;
}

/// A number as the sum of two numbers. `low` is at most the rounding error of `high`.
template <class Number>
struct Double {
  Number high, low;
};

/// Returns a + b exactly: the rounded sum and its rounding error (Knuth).
template <class Number>
HWY_INLINE Double<Number> exact_sum(Number a, Number b) {
  auto const high = a + b;
  auto const part = high - a;
  return {high, (a - (high - part)) + (b - part)};
}

template <class Number>
HWY_INLINE Double<Number> exact_product(Number a, Number b) {
  auto const high = a * b;
  return {high, multiply_subtract(a, b, high)};
}

/// A vector of three coordinates. Build results in place, `Connection<Number> result; result.v = Q - P;`, and pass them
/// by reference. The reason: g++ 12 copies a whole Triple through the stack, and a copy takes up to three times as long
/// as the arithmetic around it.
template <class Number>
struct Triple {
  Number x, y, z;
};

template <class Number>
HWY_INLINE Triple<Number> operator+(Triple<Number> const& a, Triple<Number> const& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class Number>
HWY_INLINE Triple<Number> operator-(Triple<Number> const& a, Triple<Number> const& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

template <class Number>
HWY_INLINE Triple<Number> operator*(Number k, Triple<Number> const& a) {
  return {k * a.x, k * a.y, k * a.z};
}

template <class Number>
HWY_INLINE Number dot(Triple<Number> const& a, Triple<Number> const& b) {
  return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
}

/// Returns -(a . b).
template <class Number>
HWY_INLINE Number negative_dot(Triple<Number> const& a, Triple<Number> const& b) {
  return subtract_product(subtract_product(subtract_product(0.0, a.x, b.x), a.y, b.y), a.z, b.z);
}

/// Returns k a + b.
template <class Number>
HWY_INLINE Triple<Number> fma(Number k, Triple<Number> const& a, Triple<Number> const& b) {
  return {fma(k, a.x, b.x), fma(k, a.y, b.y), fma(k, a.z, b.z)};
}

/// Returns k a - b.
template <class Number>
HWY_INLINE Triple<Number> multiply_subtract(Number k, Triple<Number> const& a, Triple<Number> const& b) {
  return {multiply_subtract(k, a.x, b.x), multiply_subtract(k, a.y, b.y), multiply_subtract(k, a.z, b.z)};
}

/// Returns c - k a.
template <class Number>
HWY_INLINE Triple<Number> subtract_product(Triple<Number> const& c, Number k, Triple<Number> const& a) {
  return {subtract_product(c.x, k, a.x), subtract_product(c.y, k, a.y), subtract_product(c.z, k, a.z)};
}

template <class Number>
HWY_INLINE Triple<Number> cross(Triple<Number> const& a, Triple<Number> const& b) {
  return {product_difference(a.y, b.z, a.z, b.y), product_difference(a.z, b.x, a.x, b.z),
          product_difference(a.x, b.y, a.y, b.x)};
}

/// Returns a x b with plain rounding, without Kahan's correction. The error is a few u |a| |b|.
template <class Number>
HWY_INLINE Triple<Number> plain_cross(Triple<Number> const& a, Triple<Number> const& b) {
  return {multiply_subtract(a.y, b.z, a.z * b.y), multiply_subtract(a.z, b.x, a.x * b.z),
          multiply_subtract(a.x, b.y, a.y * b.x)};
}

template <class Number>
HWY_INLINE Triple<Number> select(Mask<Number> mask, Triple<Number> const& yes, Triple<Number> const& no) {
  return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}

template <class Number>
HWY_INLINE Number largest(Triple<Number> const& a) {
  return raise(larger_magnitude(a.x, a.y), a.z);
}

// The functions below initialise nested records without inner braces.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-braces"

/// Returns row i of the columns, or one SIMD vector of rows from row i on. Member k of the record is column k.
template <class Number, template <class> class Record, std::size_t... member>
HWY_INLINE Record<Number> load_columns(double const* const columns[], std::size_t i, std::index_sequence<member...>) {
  return {load_as<Number>(columns[member] + i)...};
}
template <class Number, template <class> class Record>
HWY_INLINE Record<Number> load_columns(double const* const columns[], std::size_t i) {
  constexpr std::size_t members = sizeof(Record<Number>) / sizeof(Number);
  return load_columns<Number, Record>(columns, i, std::make_index_sequence<members>());
}

/// Stores a record to row i of the columns, one column per member. A null column is skipped.
template <class Number, template <class> class Record>
HWY_INLINE void store_columns(Record<Number> const& record, double* const columns[], std::size_t i) {
  auto const store_member = [&record, columns, i](auto member) HWY_ATTR {
    if (columns[member] != nullptr) store(reinterpret_cast<Number const*>(&record)[member], columns[member] + i);
  };
  [&store_member]<std::size_t... member>(std::index_sequence<member...>) HWY_ATTR {
    (store_member(std::integral_constant<std::size_t, member>()), ...);
  }
  (std::make_index_sequence<sizeof(Record<Number>) / sizeof(Number)>());
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

/// Stores records of intermediate results between two passes over `rows` rows, one column per member. If a value is
/// loaded long before its use, the compiler stores it on the stack a second time. Therefore put members that are used
/// late into a separate record, and load this record late.
template <template <class> class Record, std::size_t rows>
class Saved {
  static constexpr std::size_t members = sizeof(Record<Register>) / sizeof(Register);
  HWY_ALIGN double columns_[members][rows];

 public:
  HWY_INLINE Record<Register> load(std::size_t j) const { return load(j, std::make_index_sequence<members>()); }
  HWY_INLINE void store(std::size_t j, Record<Register> const& record) {
    store(j, record, std::make_index_sequence<members>());
  }

 private:
  template <std::size_t... member>
  HWY_INLINE Record<Register> load(std::size_t j, std::index_sequence<member...>) const {
    return {hn::Load(Tag(), columns_[member] + j)...};
  }
  template <std::size_t... member>
  HWY_INLINE void store(std::size_t j, Record<Register> const& record, std::index_sequence<member...>) {
    (hn::Store(reinterpret_cast<Register const*>(&record)[member], Tag(), columns_[member] + j), ...);
  }
};

#endif

#pragma GCC diagnostic pop

}  // namespace demeter::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
