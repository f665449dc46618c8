#include "reference/core/counted.hpp"

#include <cmath>

namespace demeter {
namespace {

constexpr std::size_t most_entries = std::size_t{1} << 22;

thread_local Account* open_account = nullptr;

}  // namespace

Operations& Operations::operator+=(Operations const& other) {
  additions += other.additions;
  multiplications += other.multiplications;
  divisions += other.divisions;
  roots += other.roots;
  functions += other.functions;
  return *this;
}

Operations Operations::operator/(double cases) const {
  return {additions / cases, multiplications / cases, divisions / cases, roots / cases, functions / cases};
}

Account::Account() {
  open_account = this;
  clear();
}

Account::~Account() { open_account = nullptr; }

void Account::clear() {
  entries_.assign(1, {0, 0, Step::input});
  decided_.clear();
  complete_ = true;
}

/// What the operators write into the open account.
struct Bookkeeping {
  using Step = Account::Step;

  static std::uint32_t entry(Account::Entry const& entry) {
    Account* const account = open_account;
    if (account == nullptr || !account->complete_) return 0;
    if (account->entries_.size() >= most_entries) {
      account->complete_ = false;
      return 0;
    }
    account->entries_.push_back(entry);
    return static_cast<std::uint32_t>(account->entries_.size() - 1);
  }
  /// Of constants a compiler, or whoever sets up the formula, makes another constant.
  static std::uint32_t operation(Step kind, std::uint32_t a, std::uint32_t b = 0) {
    return a == 0 && b == 0 ? 0 : entry({a, b, kind});
  }
  static void leave() {
    if (open_account != nullptr) open_account->complete_ = false;
  }
  static void decide(std::uint32_t by) {
    Account* const account = open_account;
    if (by == 0 || account == nullptr || !account->complete_) return;
    if (!account->decided_.empty() && account->decided_.back() == by) return;
    if (account->decided_.size() >= most_entries) account->complete_ = false;
    account->decided_.push_back(by);
  }
};

namespace {
using Step = Bookkeeping::Step;
}  // namespace

Operations Account::of(std::vector<Counted> const& outputs, std::vector<bool>& read) const {
  std::vector<bool> needed(entries_.size(), false);
  for (auto const& output : outputs) needed[output.origin_] = true;
  for (std::uint32_t const by : decided_) needed[by] = true;
  Operations total;
  for (std::size_t i = entries_.size() - 1; i > 0; --i) {
    if (!needed[i]) continue;
    Entry const& entry = entries_[i];
    switch (entry.kind) {
      case Step::input:
        read.at(entry.a) = true;
        continue;
      case Step::addition:
        ++total.additions;
        break;
      case Step::multiplication:
        ++total.multiplications;
        break;
      case Step::division:
        ++total.divisions;
        break;
      case Step::root:
        ++total.roots;
        break;
      case Step::function:
        ++total.functions;
        break;
    }
    needed[entry.a] = needed[entry.b] = true;
  }
  return total;
}

Counted Counted::input(double x, std::size_t column) {
  return {x, Bookkeeping::entry({static_cast<std::uint32_t>(column), 0, Step::input})};
}

Counted::operator double() const {
  Bookkeeping::decide(origin_);
  return value_;
}

Counted::operator long double() const {
  Bookkeeping::leave();
  return value_;
}

Counted operator+(Counted x, Counted y) {
  return {x.value_ + y.value_, Bookkeeping::operation(Step::addition, x.origin_, y.origin_)};
}
Counted operator-(Counted x, Counted y) {
  return {x.value_ - y.value_, Bookkeeping::operation(Step::addition, x.origin_, y.origin_)};
}
Counted operator*(Counted x, Counted y) {
  return {x.value_ * y.value_, Bookkeeping::operation(Step::multiplication, x.origin_, y.origin_)};
}
Counted operator/(Counted x, Counted y) {
  // By a constant it is a product with the inverse, as far as time is concerned.
  return {x.value_ / y.value_,
          Bookkeeping::operation(y.origin_ == 0 ? Step::multiplication : Step::division, x.origin_, y.origin_)};
}
Counted operator-(Counted x) {
  x.value_ = -x.value_;
  return x;
}

bool operator<(Counted x, Counted y) {
  Bookkeeping::decide(x.origin_);
  Bookkeeping::decide(y.origin_);
  return x.value_ < y.value_;
}
bool operator<=(Counted x, Counted y) {
  Bookkeeping::decide(x.origin_);
  Bookkeeping::decide(y.origin_);
  return x.value_ <= y.value_;
}
bool operator==(Counted x, Counted y) {
  Bookkeeping::decide(x.origin_);
  Bookkeeping::decide(y.origin_);
  return x.value_ == y.value_;
}

Counted sqrt(Counted x) { return {std::sqrt(x.value_), Bookkeeping::operation(Step::root, x.origin_)}; }
Counted atan2(Counted y, Counted x) {
  return {std::atan2(y.value_, x.value_), Bookkeeping::operation(Step::function, y.origin_, x.origin_)};
}
Counted exp(Counted x) { return {std::exp(x.value_), Bookkeeping::operation(Step::function, x.origin_)}; }
Counted log(Counted x) { return {std::log(x.value_), Bookkeeping::operation(Step::function, x.origin_)}; }
Counted cos(Counted x) { return {std::cos(x.value_), Bookkeeping::operation(Step::function, x.origin_)}; }
Counted sin(Counted x) { return {std::sin(x.value_), Bookkeeping::operation(Step::function, x.origin_)}; }
Counted lgamma(Counted x) {
  int sign = 0;
  // std::lgamma writes to a variable of the whole program.
  return {::lgamma_r(x.value_, &sign), Bookkeeping::operation(Step::function, x.origin_)};
}
Counted pow(Counted x, Counted y) {
  return {std::pow(x.value_, y.value_), Bookkeeping::operation(Step::function, x.origin_, y.origin_)};
}

}  // namespace demeter
