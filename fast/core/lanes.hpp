// The arithmetic of one vector of doubles, or of one double, in the same words: what is written for any `Lanes` gives
// the same bits in both.
//
// Compiled once per Highway target, like the .cpp that includes it after <hwy/foreach_target.h>: its namespace is the
// target's, and so is its include guard.
#if defined(DEMETER_FAST_CORE_LANES) == defined(HWY_TARGET_TOGGLE)
#ifdef DEMETER_FAST_CORE_LANES
#undef DEMETER_FAST_CORE_LANES
#else
#define DEMETER_FAST_CORE_LANES
#endif

#include <hwy/highway.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace demeter::lanes::HWY_NAMESPACE {

template <class Lanes>
struct Triple {
  typename Lanes::Value x, y, z;
};

template <class Lanes>
HWY_INLINE Triple<Lanes> difference(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return {Lanes::subtract(a.x, b.x), Lanes::subtract(a.y, b.y), Lanes::subtract(a.z, b.z)};
}

template <class Lanes>
HWY_INLINE Triple<Lanes> sum(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return {Lanes::add(a.x, b.x), Lanes::add(a.y, b.y), Lanes::add(a.z, b.z)};
}

template <class Lanes>
HWY_INLINE typename Lanes::Value dot(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return Lanes::multiply_add(a.z, b.z, Lanes::multiply_add(a.y, b.y, Lanes::multiply(a.x, b.x)));
}

/// -a.b
template <class Lanes>
HWY_INLINE typename Lanes::Value negative_dot(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  auto const zero = Lanes::set(0.0);
  return Lanes::subtract_product(Lanes::subtract_product(Lanes::subtract_product(zero, a.x, b.x), a.y, b.y), a.z, b.z);
}

/// a + k b
template <class Lanes>
HWY_INLINE Triple<Lanes> add_multiple(Triple<Lanes> const& a, typename Lanes::Value k, Triple<Lanes> const& b) {
  return {Lanes::multiply_add(k, b.x, a.x), Lanes::multiply_add(k, b.y, a.y), Lanes::multiply_add(k, b.z, a.z)};
}

/// a - k b
template <class Lanes>
HWY_INLINE Triple<Lanes> subtract_multiple(Triple<Lanes> const& a, typename Lanes::Value k, Triple<Lanes> const& b) {
  return {Lanes::subtract_product(a.x, k, b.x), Lanes::subtract_product(a.y, k, b.y),
          Lanes::subtract_product(a.z, k, b.z)};
}

template <class Lanes>
HWY_INLINE Triple<Lanes> multiple(typename Lanes::Value k, Triple<Lanes> const& a) {
  return {Lanes::multiply(k, a.x), Lanes::multiply(k, a.y), Lanes::multiply(k, a.z)};
}

/// k a - b
template <class Lanes>
HWY_INLINE Triple<Lanes> multiple_less(typename Lanes::Value k, Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return {Lanes::multiply_subtract(k, a.x, b.x), Lanes::multiply_subtract(k, a.y, b.y),
          Lanes::multiply_subtract(k, a.z, b.z)};
}

/// a b - c d to 1.5 ulp whatever cancels (Kahan).
template <class Lanes>
HWY_INLINE typename Lanes::Value product_difference(typename Lanes::Value a, typename Lanes::Value b,
                                                    typename Lanes::Value c, typename Lanes::Value d) {
  auto const rounded = Lanes::multiply(c, d);
  auto const error = Lanes::subtract_product(rounded, c, d);
  return Lanes::add(Lanes::multiply_subtract(a, b, rounded), error);
}

template <class Lanes>
HWY_INLINE Triple<Lanes> cross(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return {product_difference<Lanes>(a.y, b.z, a.z, b.y), product_difference<Lanes>(a.z, b.x, a.x, b.z),
          product_difference<Lanes>(a.x, b.y, a.y, b.x)};
}

/// The same with three roundings a coordinate: its error is a few u |a| |b|.
template <class Lanes>
HWY_INLINE Triple<Lanes> plain_cross(Triple<Lanes> const& a, Triple<Lanes> const& b) {
  return {Lanes::multiply_subtract(a.y, b.z, Lanes::multiply(a.z, b.y)),
          Lanes::multiply_subtract(a.z, b.x, Lanes::multiply(a.x, b.z)),
          Lanes::multiply_subtract(a.x, b.y, Lanes::multiply(a.y, b.x))};
}

/// Both bounds are the second operand, so that NaN (0/0 of a zero-length segment) gives `low`, as x86's max does.
template <class Lanes>
HWY_INLINE typename Lanes::Value clamp(typename Lanes::Value value, typename Lanes::Value low,
                                       typename Lanes::Value high) {
  return Lanes::minimum(Lanes::maximum(value, low), high);
}

template <class Lanes>
HWY_INLINE Triple<Lanes> select(typename Lanes::Mask mask, Triple<Lanes> const& yes, Triple<Lanes> const& no) {
  return {Lanes::select(mask, yes.x, no.x), Lanes::select(mask, yes.y, no.y), Lanes::select(mask, yes.z, no.z)};
}

template <class Lanes>
HWY_INLINE typename Lanes::Value largest(Triple<Lanes> const& a) {
  return Lanes::raise(Lanes::larger_magnitude(a.x, a.y), a.z);
}

/// Minus the bits of a, these are the bits of 1/(2a) to 12 %: enough for a correction, and free.
constexpr std::uint64_t half_inverse_bits = 0x7fce623822fc16e6;

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

namespace hn = hwy::HWY_NAMESPACE;

struct Simd {
  using Tag = hn::ScalableTag<double>;
  using Bits = hn::RebindToUnsigned<Tag>;
  using Value = hn::Vec<Tag>;
  using Mask = hn::Mask<Tag>;
  static constexpr std::size_t width = hn::MaxLanes(Tag());
  static HWY_INLINE Value load(double const* from) { return hn::LoadU(Tag(), from); }
  static HWY_INLINE void store(Value x, double* to) { hn::StoreU(x, Tag(), to); }
  static HWY_INLINE Mask load_mask(double const* from) { return hn::MaskFromVec(hn::LoadU(Tag(), from)); }
  static HWY_INLINE void store_mask(Mask x, double* to) { hn::StoreU(hn::VecFromMask(Tag(), x), Tag(), to); }

  static HWY_INLINE Value set(double value) { return hn::Set(Tag(), value); }
  static HWY_INLINE Value add(Value a, Value b) { return hn::Add(a, b); }
  static HWY_INLINE Value subtract(Value a, Value b) { return hn::Sub(a, b); }
  static HWY_INLINE Value multiply(Value a, Value b) { return hn::Mul(a, b); }
  static HWY_INLINE Value multiply_add(Value a, Value b, Value c) { return hn::MulAdd(a, b, c); }
  static HWY_INLINE Value multiply_subtract(Value a, Value b, Value c) { return hn::MulSub(a, b, c); }
  static HWY_INLINE Value subtract_product(Value c, Value a, Value b) { return hn::NegMulAdd(a, b, c); }
  static HWY_INLINE Value divide(Value a, Value b) { return hn::Div(a, b); }
  static HWY_INLINE Value square_root(Value a) { return hn::Sqrt(a); }
  static HWY_INLINE Value minimum(Value a, Value b) { return hn::Min(a, b); }
  static HWY_INLINE Value maximum(Value a, Value b) { return hn::Max(a, b); }
  static HWY_INLINE Value absolute(Value a) { return hn::Abs(a); }
  static HWY_INLINE Value larger_magnitude(Value a, Value b) {
#if HWY_TARGET == HWY_AVX3
    return Value{_mm512_range_pd(a.raw, b.raw, 11)};
#else
    return hn::Max(hn::Abs(a), hn::Abs(b));
#endif
  }
  /// The same for a magnitude and any number: an operation less where two signs must be cleared by hand.
  static HWY_INLINE Value raise(Value magnitude, Value b) {
#if HWY_TARGET == HWY_AVX3
    return larger_magnitude(magnitude, b);
#else
    return hn::Max(magnitude, hn::Abs(b));
#endif
  }
  static HWY_INLINE Mask less(Value a, Value b) { return hn::Lt(a, b); }
  static HWY_INLINE Mask equal(Value a, Value b) { return hn::Eq(a, b); }
  static HWY_INLINE Mask both(Mask a, Mask b) { return hn::And(a, b); }
  static HWY_INLINE Mask either(Mask a, Mask b) { return hn::Or(a, b); }
  static HWY_INLINE bool all(Mask a) { return hn::AllTrue(Tag(), a); }
  static HWY_INLINE bool none(Mask a) { return hn::AllFalse(Tag(), a); }
  static HWY_INLINE Value select(Mask mask, Value yes, Value no) { return hn::IfThenElse(mask, yes, no); }
  static HWY_INLINE Value zero_unless(Mask mask, Value value) { return hn::IfThenElseZero(mask, value); }

  static HWY_INLINE Mask no(Mask a) { return hn::Not(a); }
  static HWY_INLINE std::size_t count(Mask a) { return hn::CountTrue(Tag(), a); }

  /// The marked lanes together, in order, at `to`. A whole vector is written. (Highway 1.0.3's Compress copies its
  /// table at every call with GCC: ten times slower.)
  static HWY_INLINE void store_packed(Value x, Mask marked, double* to) {
#if HWY_TARGET == HWY_AVX3
    store(Value{_mm512_maskz_compress_pd(marked.raw, x.raw)}, to);
#else
    // For each of the first lanes the marked one, by the bits of the mask.
    alignas(32) static constexpr std::int64_t from[16][4] = {
        {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0}, {1, 2, 0, 0}, {0, 1, 2, 0},
        {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0}, {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    store(hn::TableLookupLanes(x, hn::SetTableIndices(Tag(), from[bits(marked)])), to);
#endif
  }
  /// The way back: the first lanes of `packed` where `marked`, in order, and `others` elsewhere.
  static HWY_INLINE Value unpack(Value packed, Mask marked, Value others) {
#if HWY_TARGET == HWY_AVX3
    return Value{_mm512_mask_expand_pd(others.raw, marked.raw, packed.raw)};
#else
    // For each lane how many below it are marked.
    alignas(32) static constexpr std::int64_t below[16][4] = {
        {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2}, {0, 0, 0, 1}, {0, 1, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3},
        {0, 0, 0, 0}, {0, 1, 1, 1}, {0, 0, 1, 1}, {0, 1, 2, 2}, {0, 0, 0, 1}, {0, 1, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3}};
    auto const lanes = hn::SetTableIndices(Tag(), below[bits(marked)]);
    return hn::IfThenElse(marked, hn::TableLookupLanes(packed, lanes), others);
#endif
  }
  /// The first lane's bit is the lowest.
  static HWY_INLINE std::size_t bits(Mask a) {
    std::uint8_t bytes[8];
    hn::StoreMaskBits(Tag(), a, bytes);
    return bytes[0];
  }

  /// The power of two at or below a, but at least the smallest normal number.
  static HWY_INLINE Value power_of_two(Value a) {
    auto const normal = hn::Max(a, set(0x1p-1022));
    return hn::BitCast(Tag(), hn::And(hn::BitCast(Bits(), normal), hn::Set(Bits(), std::uint64_t{0x7ff} << 52)));
  }
  static HWY_INLINE Value half_inverse(Value a) {
    return hn::BitCast(Tag(), hn::Sub(hn::Set(Bits(), half_inverse_bits), hn::BitCast(Bits(), a)));
  }
  static HWY_INLINE Value inverse(Value power) {
    return hn::BitCast(Tag(), hn::Sub(hn::Set(Bits(), std::uint64_t{2046} << 52), hn::BitCast(Bits(), power)));
  }
  static HWY_INLINE Value twice_inverse(Value power) {
    return hn::BitCast(Tag(), hn::Sub(hn::Set(Bits(), std::uint64_t{2047} << 52), hn::BitCast(Bits(), power)));
  }
};

#endif

#if HWY_ONCE

struct Scalar {
  using Value = double;
  using Mask = bool;

  static HWY_INLINE double set(double value) { return value; }
  static HWY_INLINE double add(double a, double b) { return a + b; }
  static HWY_INLINE double subtract(double a, double b) { return a - b; }
  static HWY_INLINE double multiply(double a, double b) { return a * b; }
  static HWY_INLINE double multiply_add(double a, double b, double c) { return std::fma(a, b, c); }
  static HWY_INLINE double multiply_subtract(double a, double b, double c) { return std::fma(a, b, -c); }
  static HWY_INLINE double subtract_product(double c, double a, double b) { return std::fma(-a, b, c); }
  static HWY_INLINE double divide(double a, double b) { return a / b; }
  static HWY_INLINE double square_root(double a) { return std::sqrt(a); }
  static HWY_INLINE double minimum(double a, double b) { return a < b ? a : b; }
  static HWY_INLINE double maximum(double a, double b) { return a > b ? a : b; }
  static HWY_INLINE double absolute(double a) { return std::fabs(a); }
  static HWY_INLINE double larger_magnitude(double a, double b) { return maximum(std::fabs(a), std::fabs(b)); }
  static HWY_INLINE double raise(double magnitude, double b) { return maximum(magnitude, std::fabs(b)); }
  static HWY_INLINE bool less(double a, double b) { return a < b; }
  static HWY_INLINE bool both(bool a, bool b) { return a && b; }
  static HWY_INLINE bool either(bool a, bool b) { return a || b; }
  static HWY_INLINE bool all(bool a) { return a; }
  static HWY_INLINE bool none(bool a) { return !a; }
  static HWY_INLINE double select(bool mask, double yes, double no) { return mask ? yes : no; }
  static HWY_INLINE double zero_unless(bool mask, double value) { return mask ? value : 0.0; }
  static HWY_INLINE double power_of_two(double a) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(maximum(a, 0x1p-1022)) & std::uint64_t{0x7ff} << 52);
  }
  static HWY_INLINE double half_inverse(double a) {
    return std::bit_cast<double>(half_inverse_bits - std::bit_cast<std::uint64_t>(a));
  }
  static HWY_INLINE double inverse(double power) {
    return std::bit_cast<double>((std::uint64_t{2046} << 52) - std::bit_cast<std::uint64_t>(power));
  }
  static HWY_INLINE double twice_inverse(double power) {
    return std::bit_cast<double>((std::uint64_t{2047} << 52) - std::bit_cast<std::uint64_t>(power));
  }
};

#endif

}  // namespace demeter::lanes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // include guard of this target
