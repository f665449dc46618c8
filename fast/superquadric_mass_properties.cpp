#include "fast/superquadric_mass_properties.hpp"

#include "fast/core/forms.hpp"
#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/superquadric_mass_properties.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/family/superquadric/gauge.hpp"

#if HWY_ONCE

#include "fast/core/double2.hpp"
#include "fast/family/superquadric/gamma_ratios.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace demeter::superquadric_mass_properties::fast {
namespace {

using namespace demeter::fast_core;

/// x = significand 2^exponent for x > 0. If x is between 2^-100 and 2^100, the significand is x itself: products of six
/// such numbers are far from the ends of the range. Scaling every number took a fifth of the time.
struct Split {
  double significand;
  int exponent;
};
Split split(double x) {
  if (0x1p-100 < x && x < 0x1p100) return {x, 0};
  int const exponent = std::ilogb(x);
  return {std::ldexp(x, -exponent), exponent};
}
double scaled(double x, int exponent) { return exponent == 0 ? x : std::ldexp(x, exponent); }

bool in_domain(Input<double> const& in) {
  constexpr double largest = std::numeric_limits<double>::max();
  auto const positive = [](double x) { return x > 0 && x <= largest; };
  auto const exponent = [](double n) { return n >= 1 && n <= largest_exponent; };
  return positive(in.semi_axes[0]) && positive(in.semi_axes[1]) && positive(in.semi_axes[2]) && exponent(in.n1) &&
         exponent(in.n2) && positive(in.density);
}

/// Returns (x^p + y^p)^(1/p) with p = 2n/(n - 2), for two lengths in [0, 2). For n <= 2 returns the larger length. A
/// large p does not increase the error: the share of the smaller length has p times the relative error of the ratio,
/// and the root divides this error by p again.
HWY_INLINE double farthest(double x, double y, double n) {
  if (n <= 2) return std::max(x, y);
  return superquadric::fast::HWY_NAMESPACE::norm_value(x, y, 2 * n / (n - 2));
}
HWY_INLINE double radius(double const& a, double const& b, double const& c, double const& n1, double const& n2) {
  return farthest(farthest(a, b, n2), c, n1);
}

/// Returns x^2 k + y^2 l in units of 4^unit. `unit` is the larger exponent. A length 2^400 times smaller is negligible.
Double2 squares(Split const& x, Double2 const& k, Split const& y, Double2 const& l, int unit) {
  auto const term = [unit](Split const& length, Double2 const& factor) {
    double const x = scaled(length.significand, std::max(length.exponent - unit, -500));
    return exact_product(x, x) * factor;
  };
  return term(x, k) + term(y, l);
}

Output<double> answer(Input<double> const& in) {
  Output<double> out;
  constexpr double invalid = std::numeric_limits<double>::quiet_NaN();
  if (!in_domain(in)) {
    out.volume = out.mass = out.bounding_radius = invalid;
    out.inertia.setConstant(invalid);
    return out;
  }
  auto const R = superquadric::fast::gamma_ratios_of(in.n1), S = superquadric::fast::gamma_ratios_of(in.n2);
  Split const a = split(in.semi_axes[0]), b = split(in.semi_axes[1]), c = split(in.semi_axes[2]),
              density = split(in.density);

  // The product abc in double-double, and the products that follow from it. Exponents are summed separately.
  Double2 const box = c.significand * exact_product(a.significand, b.significand);
  int const of_box = a.exponent + b.exponent + c.exponent, of_mass = of_box + density.exponent;
  Double2 const volume = box * (S(1) * R(2)), mass = density.significand * volume;
  out.volume = scaled(8 * volume.rounded(), of_box);
  out.mass = scaled(8 * mass.rounded(), of_mass);

  // The moment about x is 8/3 density abc (b^2 k + c^2 l). The other moments have the same form.
  constexpr Double2 third{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  Double2 const across = S(3) * R(4), along = S(1) * (R(3) * (R(4) / R(1)));
  Double2 const matter = third * (density.significand * box);
  auto const moment = [&](Split const& x, Double2 const& k, Split const& y, Double2 const& l) {
    int const unit = std::max(x.exponent, y.exponent);
    return scaled(8 * (matter * squares(x, k, y, l, unit)).rounded(), of_mass + 2 * unit);
  };
  out.inertia[0] = moment(b, across, c, along);
  out.inertia[1] = moment(a, across, c, along);
  out.inertia[2] = moment(a, across, b, across);

  int const unit = std::max({a.exponent, b.exponent, c.exponent});
  auto const in_unit = [unit](Split const& x) { return scaled(x.significand, std::max(x.exponent - unit, -1000)); };
  double const lengths[] = {in_unit(a), in_unit(b), in_unit(c)};
  out.bounding_radius = scaled(call_fused<radius>(lengths[0], lengths[1], lengths[2], in.n1, in.n2), unit);
  return out;
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept { return answer(in); }

void evaluate(demeter::Level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    Output<double> const of = answer({{in[0][i], in[1][i], in[2][i]}, in[3][i], in[4][i], in[5][i]});
    double const row[] = {of.volume, of.mass, of.inertia[0], of.inertia[1], of.inertia[2], of.bounding_radius};
    for (std::size_t k = 0; k < 6; ++k)
      if (out[k] != nullptr) out[k][i] = row[k];
  }
}

}  // namespace demeter::superquadric_mass_properties::fast

#endif
