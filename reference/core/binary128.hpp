// IEEE binary128 as a scalar of the references: the fourth rung of the precision ladder.
#pragma once

#include "reference/core/scalars.hpp"

#include <cmath>

namespace demeter {

__extension__ typedef __float128 NativeBinary128;

/// The compiler's 128-bit type, which is arithmetic but neither found by `using std::sqrt` nor known to Eigen.
class Binary128 {
 public:
  Binary128() = default;
  Binary128(double x) : value_(x) {}       // NOLINT: numbers convert implicitly, as to any scalar
  Binary128(int x) : value_(x) {}          // NOLINT
  Binary128(long double x) : value_(x) {}  // NOLINT
  explicit Binary128(NativeBinary128 x) : value_(x) {}

  NativeBinary128 native() const { return value_; }
  explicit operator long double() const { return static_cast<long double>(value_); }
  explicit operator double() const { return static_cast<double>(value_); }

  friend Binary128 operator+(Binary128 x, Binary128 y) { return Binary128(x.value_ + y.value_); }
  friend Binary128 operator-(Binary128 x, Binary128 y) { return Binary128(x.value_ - y.value_); }
  friend Binary128 operator*(Binary128 x, Binary128 y) { return Binary128(x.value_ * y.value_); }
  friend Binary128 operator/(Binary128 x, Binary128 y) { return Binary128(x.value_ / y.value_); }
  friend Binary128 operator-(Binary128 x) { return Binary128(-x.value_); }
  Binary128& operator+=(Binary128 x) { return *this = *this + x; }
  Binary128& operator-=(Binary128 x) { return *this = *this - x; }
  Binary128& operator*=(Binary128 x) { return *this = *this * x; }
  Binary128& operator/=(Binary128 x) { return *this = *this / x; }
  friend bool operator<(Binary128 x, Binary128 y) { return x.value_ < y.value_; }
  friend bool operator>(Binary128 x, Binary128 y) { return x.value_ > y.value_; }
  friend bool operator<=(Binary128 x, Binary128 y) { return x.value_ <= y.value_; }
  friend bool operator>=(Binary128 x, Binary128 y) { return x.value_ >= y.value_; }
  friend bool operator==(Binary128 x, Binary128 y) { return x.value_ == y.value_; }
  friend bool operator!=(Binary128 x, Binary128 y) { return x.value_ != y.value_; }

  /// Within one unit in the last place: from the 64 bits of the long double root one Newton step gives 127.
  friend Binary128 sqrt(Binary128 x) {
    long double const start = std::sqrt(static_cast<long double>(x.value_));
    if (!(start > 0) || std::isinf(start)) return Binary128(start);
    NativeBinary128 const root = start;
    return Binary128(root + (x.value_ - root * root) / (2 * root));
  }

 private:
  NativeBinary128 value_;
};

template <>
inline Binary128 pi<Binary128>() {
  // The sum of the leading 64 bits and of the 64 that follow.
  return Binary128(static_cast<NativeBinary128>(0xc.90fdaa22168c235p-2L) +
                   static_cast<NativeBinary128>(-0xe.ce675d1fc8f8cbbp-68L));
}

}  // namespace demeter

namespace Eigen {
template <>
struct NumTraits<demeter::Binary128> : GenericNumTraits<demeter::Binary128> {
  using Real = demeter::Binary128;
  using NonInteger = Real;
  using Literal = Real;
  using Nested = Real;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 0,
    ReadCost = 2,
    AddCost = 40,
    MulCost = 40,
  };
};
}  // namespace Eigen
