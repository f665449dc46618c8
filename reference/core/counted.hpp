// A double that keeps account of the operations it came from: what a formula costs, by kind and by output.
#pragma once

#include "reference/core/scalars.hpp"

#include <cstdint>
#include <limits>
#include <vector>

namespace demeter {

/// How often a formula does what. Negations, comparisons, copies and what is done to constants alone cost nothing.
struct Operations {
  double additions = 0, multiplications = 0, divisions = 0, roots = 0;
  double functions = 0;  ///< sin, cos, atan2, exp, log, lgamma, pow: whose own operations are the library's affair

  /// But for the functions.
  double all() const { return additions + multiplications + divisions + roots; }
  Operations& operator+=(Operations const& other);
  Operations operator/(double cases) const;
  bool operator==(Operations const&) const = default;
};

/// What the references need of a scalar. Out of line, since an operation is written down anyway: a formula then takes
/// half the time to compile.
class Counted {
 public:
  Counted() = default;
  Counted(double x) : value_(x) {}                            // NOLINT: numbers convert implicitly, as to any scalar
  Counted(int x) : value_(x) {}                               // NOLINT
  Counted(long double x) : value_(static_cast<double>(x)) {}  // NOLINT
  /// A number of the input, of its column `column`.
  static Counted input(double x, std::size_t column);

  /// What leaves the arithmetic decides something, as what is compared does.
  explicit operator double() const;
  /// This is how a formula goes on in another arithmetic, where nobody counts: the account is no longer complete.
  explicit operator long double() const;
  /// Without that: to look at an answer.
  double value() const { return value_; }

  friend Counted operator+(Counted x, Counted y);
  friend Counted operator-(Counted x, Counted y);
  friend Counted operator*(Counted x, Counted y);
  friend Counted operator/(Counted x, Counted y);
  friend Counted operator-(Counted x);
  Counted& operator+=(Counted x) { return *this = *this + x; }
  Counted& operator-=(Counted x) { return *this = *this - x; }
  Counted& operator*=(Counted x) { return *this = *this * x; }
  Counted& operator/=(Counted x) { return *this = *this / x; }
  friend bool operator<(Counted x, Counted y);
  friend bool operator>(Counted x, Counted y) { return y < x; }
  friend bool operator<=(Counted x, Counted y);
  friend bool operator>=(Counted x, Counted y) { return y <= x; }
  friend bool operator==(Counted x, Counted y);
  friend bool operator!=(Counted x, Counted y) { return !(x == y); }

  friend Counted sqrt(Counted x);
  friend Counted atan2(Counted y, Counted x);
  friend Counted exp(Counted x);
  friend Counted log(Counted x);
  friend Counted cos(Counted x);
  friend Counted sin(Counted x);
  friend Counted lgamma(Counted x);
  friend Counted pow(Counted x, Counted y);

 private:
  friend class Account;
  Counted(double value, std::uint32_t origin) : value_(value), origin_(origin) {}

  double value_ = 0;
  std::uint32_t origin_ = 0;  ///< where the account has the operation; 0: a constant
};

template <>
inline Counted pi<Counted>() {
  return pi<double>();
}
template <>
inline Counted spacing_of_one<Counted>() {
  return spacing_of_one<double>();
}

/// While one exists in a thread, the operations of its `Counted` are written down. One at a time.
class Account {
 public:
  Account();
  ~Account();
  Account(Account const&) = delete;
  Account& operator=(Account const&) = delete;

  /// Forgets everything.
  void clear();
  /// Of all that `outputs` are computed from, and of all that something was decided by. `read[column]` becomes true of
  /// the columns of the input that are among that; the others are left.
  Operations of(std::vector<Counted> const& outputs, std::vector<bool>& read) const;
  /// False: there were too many to be written down (4 million) or some elsewhere, and `of` tells nothing.
  bool complete() const { return complete_; }
  std::size_t steps() const { return entries_.size(); }

 private:
  friend class Counted;
  friend struct Bookkeeping;

  enum class Step : std::uint8_t { input, addition, multiplication, division, root, function };
  struct Entry {
    std::uint32_t a, b;
    Step kind;
  };
  std::vector<Entry> entries_;          // an operation's operands stand before it; the first is no operation
  std::vector<std::uint32_t> decided_;  // compared, or taken out
  bool complete_ = true;
};

}  // namespace demeter
