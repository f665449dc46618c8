// Regimes and laws of the mass properties of a capsule.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "reference/spec/capsule_mass_properties.hpp"

namespace demeter::capsule_mass_properties::properties {

using Case = Input<double>;
using Answer = Output<double>;

// The formulas that the laws use, as polynomials in long double. No product underflows or overflows: the fifth power of
// the smallest double is 2^-5370, and the sixth power of the largest double is 2^6144. The only errors are rounding
// errors.
inline long double volume_of(long double r, long double a) { return pi_wide * r * r * (4 * r + 3 * a) / 3; }
inline long double ixx_of(long double r, long double a, long double density) {
  return density * pi_wide * (r * r) * (r * r) * (16 * r + 15 * a) / 30;
}
inline long double iyy_of(long double r, long double a, long double density) {
  return density * pi_wide * (r * r) * (32 * (r * r * r) + 45 * (r * r) * a + 20 * r * (a * a) + 5 * (a * a * a)) / 60;
}

// --------------------------------------------------------------------------------------------------------- regimes

inline double ordinary_density(Random& random) { return random.log_uniform(2, 4); }

/// Returns a long double as a positive finite double. A value outside the range of doubles becomes the nearest end of
/// the range.
inline double into_range(long double value) {
  constexpr long double least = std::numeric_limits<double>::denorm_min();
  return static_cast<double>(std::clamp(value, least, largest_double));
}

inline Case draw_typical(Random& random) {
  double const ratio = random.log_uniform(-1, 1.5);
  return sized(Case{1, ratio, ordinary_density(random)}, random);
}
inline Case draw_sphere(Random& random) { return sized(Case{1, 0, ordinary_density(random)}, random); }
inline Case draw_thin(Random& random) {
  double const radius = random.log_uniform(-9, 0);
  return {radius, radius * random.log_uniform(3, 12), ordinary_density(random)};
}
inline Case draw_stubby(Random& random) {
  double const ratio = random.log_uniform(-15, -3);
  return sized(Case{1, ratio, ordinary_density(random)}, random);
}
inline Case draw_wide(Random& random) {
  double const radius = random.log_uniform(-6, 6);
  return {radius, random.log_uniform(-6, 6), random.log_uniform(-6, 6)};
}
inline Case draw_dyadic(Random& random) {
  auto const number = [&](std::int64_t least, int low, int high) {
    auto const digits = static_cast<double>(random.integer(least, 64));
    return std::ldexp(digits, static_cast<int>(random.integer(low, high)));
  };
  double const radius = number(1, -3, 3), shaft = number(0, -3, 3), density = number(32, 2, 7);
  return sized_exactly(Case{radius, shaft, density}, random);
}

/// Returns the root of this degree by Newton's method. First scales the number into [1, 2^degree). Starts from 2: ten
/// steps are then enough.
inline long double root(long double value, int degree) {
  int const exponent = std::ilogb(value), places = (exponent - (exponent % degree + degree) % degree) / degree;
  long double const part = std::ldexp(value, -degree * places);
  long double x = 2;
  for (int step = 0; step < 12; ++step) {
    long double power = 1;
    for (int i = 1; i < degree; ++i) power *= x;
    x -= (x - part / power) / static_cast<long double>(degree);
  }
  return std::ldexp(x, places);
}

/// Returns a case whose result is about `target`. The result is the transverse moment of inertia if `degree` is 5 and
/// the volume if `degree` is 3. For the volume, the density is chosen so that the moment of inertia has an ordinary
/// size.
inline Case draw_with_result(Random& random, int degree, long double target) {
  double const ratio = random.log_uniform(-3, 3);
  double density = random.log_uniform(0, 4);
  long double const unit_result = degree == 5 ? iyy_of(1, ratio, density) : volume_of(1, ratio);
  long double const radius = root(target / unit_result, degree);
  if (degree == 3) density = into_range(random.log_uniform(-6, 6) / iyy_of(radius, radius * ratio, 1));
  return {into_range(radius), into_range(radius * ratio), density};
}
inline Case draw_large(Random& random) {
  int const degree = random.chance(0.5) ? 5 : 3;
  long double const target = largest_double * 0.99L * static_cast<long double>(random.log_uniform(-3, 0));
  return draw_with_result(random, degree, target);
}
inline Case draw_small(Random& random) {
  int const degree = random.chance(0.5) ? 5 : 3;
  long double const target = 1e-20L * static_cast<long double>(random.log_uniform(-303, -280));
  return draw_with_result(random, degree, target);
}
inline Case draw_mixed_extreme(Random& random) {
  double radius = random.log_uniform(-200, -60), shaft = random.log_uniform(100, 300);
  if (random.chance(0.25)) {
    radius = random.log_uniform(0, 60);
    shaft = random.log_uniform(-300, -100);
  }
  double const density = random.log_uniform(0, 4);
  if (random.chance(0.5)) return {radius, shaft, density};
  // Chooses the density so that the mass or the moment of inertia has an ordinary size.
  long double const unit_result = random.chance(0.5) ? volume_of(radius, shaft) : iyy_of(radius, shaft, 1);
  return {radius, shaft, into_range(density / unit_result)};
}
inline Case draw_any_bits(Random& random) {
  double const radius = random.any_positive(), shaft = random.chance(0.05) ? 0 : random.any_positive();
  return {radius, shaft, random.any_positive()};
}

/// Draws needles and nearly spherical capsules of everyday size.
inline Case draw_ratios(Random& random) {
  double const large = random.log_uniform(3, 12), small = about_a_threshold(random);
  return sized(Case{1, random.chance(0.5) ? large : small, ordinary_density(random)}, random);
}
inline Case draw_negative_zero(Random& random) { return sized(Case{1, -0.0, ordinary_density(random)}, random); }

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday,
       "shaft of 0.1 to 30 radii, the larger of shaft and radius 10 um to 10 m; density 1e2 to 1e4", draw_typical},
      {"sphere", Profile::degenerate, "the shaft is 0; radius 10 um to 10 m", draw_sphere},
      {"thin", Profile::extreme, "fibres: shafts of 1e3 to 1e12 radii", draw_thin},
      {"stubby", Profile::degenerate, "nearly spheres: shafts of 1e-15 to 1e-3 radii; radius 10 um to 10 m",
       draw_stubby},
      {"wide", Profile::extreme, "radius, shaft and density log-uniform from 1e-6 to 1e6", draw_wide},
      {"dyadic", Profile::degenerate, "numbers of few bits with exact products; sizes of 10 um to 10 m", draw_dyadic},
      {"large", Profile::extreme, "volume or moment of inertia just below overflow", draw_large},
      {"small", Profile::extreme, "volume or moment of inertia near and below the normal range", draw_small},
      {"mixed_extreme", Profile::extreme,
       "powers of radius and shaft leave the range of doubles, the results may be inside", draw_mixed_extreme},
      {"any_bits", Profile::extreme, "any positive doubles, including subnormal; results may overflow or underflow",
       draw_any_bits},
      {"ratios", Profile::degenerate, "shafts of 1e3 to 1e12 radii or of 1e-12 to 1e-6 radii", draw_ratios},
      {"signed_zeros", Profile::degenerate, "the shaft is -0", draw_negative_zero},
      {"subnormals", Profile::extreme, "subnormal and ordinary numbers",
       with_subnormals<Contract, either<draw_typical, draw_dyadic>>},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

/// One output: its name, its member, its true value, its degree in the lengths and in the density, and its growth
/// exponents. A growth exponent is the least or the greatest logarithmic derivative with respect to the radius or the
/// shaft, over all shapes.
struct Quantity {
  std::string_view output;
  double Answer::*answer;
  long double (*truth)(Case const&);
  int length_degree, density_degree;
  int radius_growth_low, radius_growth_high, shaft_growth_high;

  long double allowed(Tolerance const& held, long double size) const { return allowance<Contract>(held, output, size); }
  /// Returns whether an infinite result can be correct: the true value plus twice its budget overflows.
  bool may_overflow(Tolerance const& held, long double size) const {
    return size + 2 * allowed(held, size) > largest_double;
  }
};
inline constexpr Quantity volume{
    "volume", &Answer::volume, [](Case const& in) { return volume_of(in.radius, in.shaft); }, 3, 0, 2, 3, 1};
inline constexpr Quantity mass{
    "mass", &Answer::mass, [](Case const& in) { return in.density * volume_of(in.radius, in.shaft); }, 3, 1, 2, 3, 1};
inline constexpr Quantity ixx{
    "ixx", &Answer::ixx, [](Case const& in) { return ixx_of(in.radius, in.shaft, in.density); }, 5, 1, 4, 5, 1};
inline constexpr Quantity iyy{
    "iyy", &Answer::iyy, [](Case const& in) { return iyy_of(in.radius, in.shaft, in.density); }, 5, 1, 2, 5, 3};
inline constexpr Quantity bounding_radius{"bounding_radius",
                                          &Answer::bounding_radius,
                                          [](Case const& in) { return in.radius + 0.5L * in.shaft; },
                                          1,
                                          0,
                                          0,
                                          1,
                                          1};

/// Collects how laws judge answers that are not finite. NaN is always wrong. Infinity is wrong unless the result may
/// overflow.
class Screen {
 public:
  explicit Screen(Tolerance const& held) : held_(held) {}
  Screen& operator()(Quantity const& quantity, Case const& in, Answer const& out) {
    double const answer = out.*quantity.answer;
    if (std::isnan(answer)) wrong_ = true;
    if (std::isinf(answer)) (quantity.may_overflow(held_, quantity.truth(in)) && answer > 0 ? silent_ : wrong_) = true;
    return *this;
  }
  bool decided() const { return wrong_ || silent_; }
  std::optional<double> verdict() const { return wrong_ ? std::optional(infinite) : std::nullopt; }

 private:
  Tolerance const& held_;
  bool wrong_ = false, silent_ = false;
};

/// Builds the shared laws for some of the quantities, because some subjects answer only some of the outputs.
template <Quantity const&... quantities>
struct Invariant {
  using Contract = capsule_mass_properties::Contract;
  static std::vector<std::string_view> outputs() { return {quantities.output...}; }
  static Unusable unusable(std::span<Case const>, std::span<Answer const> outputs) {
    for (Answer const& out : outputs)
      if (!((std::isfinite(out.*quantities.answer) || is_not_computed(out.*quantities.answer)) && ...))
        return {true, infinite};
    return {};
  }
  static Output<long double> sizes(Case const& in) {
    return {volume.truth(in), mass.truth(in), ixx.truth(in), iyy.truth(in), bounding_radius.truth(in)};
  }
  static bool stays_normal(Case const& in) {
    auto const normal = [](long double size) { return size >= 0x1p-1020L && size <= 0x1p1020L; };
    return (normal(quantities.truth(in)) && ...);
  }
};
template <Quantity const&... quantities>
using Shared = Invariances<Invariant<quantities...>>;

inline void derive_sphere(Case const& in, Random&, std::vector<Case>& inputs) {
  Case const sphere{in.radius, 0, in.density};
  inputs.push_back(sphere);
}

inline std::optional<double> sphere_is_isotropic(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                 Tolerance const& held) {
  Answer const& out = outputs[1];
  long double const truth = ixx.truth(inputs[1]);
  if (auto const screen = Screen{held}(ixx, inputs[1], out)(iyy, inputs[1], out); screen.decided())
    return screen.verdict();
  return in_tolerances(std::fabs(static_cast<long double>(out.ixx) - out.iyy),
                       ixx.allowed(held, truth) + iyy.allowed(held, truth));
}

inline std::optional<double> sphere_inertia(std::span<Case const> inputs, std::span<Answer const> outputs,
                                            Tolerance const& held) {
  Answer const& out = outputs[1];
  long double const truth = ixx.truth(inputs[1]), r = inputs[1].radius;
  Case const& in = inputs[1];
  bool const has_ixx = !is_not_computed(out.ixx), has_iyy = !is_not_computed(out.iyy);
  Screen screen(held);
  screen(mass, in, out);
  if (has_ixx) screen(ixx, in, out);
  if (has_iyy) screen(iyy, in, out);
  if (screen.decided()) return screen.verdict();
  // The budget of the mass contains half of the smallest subnormal number. The square of the radius may magnify this
  // term.
  long double const share = 2 * r * r / 5, expected = share * out.mass,
                    of_mass = share * mass.allowed(held, mass.truth(in));
  return worst_answered({{has_ixx, in_tolerances(std::fabs(out.ixx - expected), ixx.allowed(held, truth) + of_mass)},
                         {has_iyy, in_tolerances(std::fabs(out.iyy - expected), iyy.allowed(held, truth) + of_mass)}});
}

inline std::optional<double> sphere_volume(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  long double const r = inputs[1].radius, truth = 4 * pi_wide * r * r * r / 3;
  if (auto const screen = Screen{held}(volume, inputs[1], outputs[1]); screen.decided()) return screen.verdict();
  return in_tolerances(std::fabs(outputs[1].volume - truth), volume.allowed(held, truth));
}

inline std::optional<double> inertia_difference(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                Tolerance const& held) {
  Answer const& out = outputs[0];
  long double const r = inputs[0].radius, a = inputs[0].shaft, larger = iyy.truth(inputs[0]);
  if (auto const screen = Screen{held}(ixx, inputs[0], out)(iyy, inputs[0], out); screen.decided())
    return screen.verdict();
  long double const expected = pi_wide * inputs[0].density * a * (r * r) * (a + r) * (a + 3 * r) / 12;
  long double const difference = static_cast<long double>(out.iyy) - out.ixx;
  return in_tolerances(std::fabs(difference - expected),
                       ixx.allowed(held, ixx.truth(inputs[0])) + iyy.allowed(held, larger));
}

inline std::optional<double> mass_is_density_times_volume(std::span<Case const> inputs, std::span<Answer const> outputs,
                                                          Tolerance const& held) {
  Answer const& out = outputs[0];
  long double const density = inputs[0].density, volume_truth = volume.truth(inputs[0]);
  if (auto const screen = Screen{held}(volume, inputs[0], out)(mass, inputs[0], out); screen.decided())
    return screen.verdict();
  return in_tolerances(std::fabs(out.mass - density * out.volume),
                       mass.allowed(held, density * volume_truth) + density * volume.allowed(held, volume_truth));
}

/// Checks that an answer is infinite or zero only if its true value is near the corresponding end of the range.
/// Computes the true value from the input.
template <Quantity const&... quantities>
std::optional<double> in_range(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  for (Quantity const* quantity : {&quantities...}) {
    long double const truth = quantity->truth(inputs[0]);
    double const answer = outputs[0].*quantity->answer;
    if (is_not_computed(answer)) continue;
    if (std::isnan(answer) || answer < 0) return infinite;
    if (std::isinf(answer) && !quantity->may_overflow(held, truth)) return infinite;
    if (answer == 0 && truth > 2 * quantity->allowed(held, truth)) return infinite;
  }
  return 0;
}

inline void derive_growth(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case const original = in;
  double const factor = 1 + random.log_uniform(-14, has_everyday_size(in, random.sizes()) ? 0 : 1);
  Case const wider{original.radius * factor, original.shaft, original.density},
      longer{original.radius, original.shaft * factor, original.density};
  // Skips a step that the rounding of a subnormal input would hide.
  auto const grew = [](double before, double after) {
    // The step must be at least 64 roundings of the input.
    return std::isfinite(after) && after - before >= roundings(64) * before && after > before;
  };
  if (grew(original.radius, wider.radius)) inputs.push_back(wider);
  if (grew(original.shaft, longer.shaft)) inputs.push_back(longer);
}

/// Checks how a result grows with one length. Every term of a result is a product of powers. Therefore a factor f of
/// the radius multiplies the result by f^low to f^high, and a factor f of the shaft multiplies the result by 1 to
/// f^high.
template <Quantity const&... quantities>
std::optional<double> grows(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  double worst = 0;
  bool silent = false;
  for (Quantity const* quantity : {&quantities...})
    for (std::size_t i = 1; i < inputs.size() && answered(outputs, quantity->answer); ++i) {
      long double const truth = quantity->truth(inputs[0]), grown_truth = quantity->truth(inputs[i]);
      double const first = outputs[0].*quantity->answer, grown = outputs[i].*quantity->answer;
      if (auto const screen = Screen{held}(*quantity, inputs[0], outputs[0])(*quantity, inputs[i], outputs[i]);
          screen.decided()) {
        if (screen.verdict()) return infinite;
        silent = true;
        continue;
      }
      bool const wider = inputs[i].radius != inputs[0].radius;
      long double const factor = wider ? static_cast<long double>(inputs[i].radius) / inputs[0].radius
                                       : static_cast<long double>(inputs[i].shaft) / inputs[0].shaft;
      long double least = 1, most = 1;
      for (int power = 0; power < (wider ? quantity->radius_growth_low : 0); ++power) least *= factor;
      for (int power = 0; power < (wider ? quantity->radius_growth_high : quantity->shaft_growth_high); ++power)
        most *= factor;
      worst = std::max(worst, in_tolerances(least * first - grown, least * quantity->allowed(held, truth) +
                                                                       quantity->allowed(held, grown_truth)));
      worst = std::max(worst, in_tolerances(grown - most * first, most * quantity->allowed(held, truth) +
                                                                      quantity->allowed(held, grown_truth)));
    }
  if (silent && worst <= 1) return std::nullopt;
  return worst;
}

/// Cuts the shaft into two parts without rounding. Derives a capsule with each part, and the sphere of the two caps,
/// which both capsules contain.
inline void derive_cut(Case const& in, Random& random, std::vector<Case>& inputs) {
  Case const original = in;
  double const first = original.shaft * random.unit(), second = original.shaft - first;
  if (!(original.shaft > 0) || !adds_exactly(original.shaft, -first)) return;
  inputs.push_back(Case{original.radius, first, original.density});
  inputs.push_back(Case{original.radius, second, original.density});
  inputs.push_back(Case{original.radius, 0, original.density});
}

template <Quantity const&... quantities>
std::optional<double> additive(std::span<Case const> inputs, std::span<Answer const> outputs, Tolerance const& held) {
  double worst = 0;
  for (Quantity const* quantity : {&quantities...}) {
    long double sum = 0, tolerance = 0;
    Screen screen(held);
    for (std::size_t i = 0; i < 4; ++i) {
      double const answer = outputs[i].*quantity->answer;
      long double const truth = quantity->truth(inputs[i]);
      screen(*quantity, inputs[i], outputs[i]);
      sum += i == 1 || i == 2 ? -static_cast<long double>(answer) : static_cast<long double>(answer);
      tolerance += quantity->allowed(held, truth);
    }
    // `sum` is whole - first - second + sphere.
    if (screen.decided()) return screen.verdict();
    worst = std::max(worst, in_tolerances(std::fabs(sum), tolerance));
  }
  return worst;
}

/// Checks that Ixx / m is between its values for a sphere and for a cylinder of this radius.
inline std::optional<double> axial_gyration(std::span<Case const> inputs, std::span<Answer const> outputs,
                                            Tolerance const& held) {
  Answer const& out = outputs[0];
  long double const square = static_cast<long double>(inputs[0].radius) * inputs[0].radius;
  long double const mass_truth = mass.truth(inputs[0]), ixx_truth = ixx.truth(inputs[0]);
  if (auto const screen = Screen{held}(mass, inputs[0], out)(ixx, inputs[0], out); screen.decided())
    return screen.verdict();
  long double const low = 2 * square * out.mass / 5, high = square * out.mass / 2;
  return std::max(
      in_tolerances(low - out.ixx, 2 * square / 5 * mass.allowed(held, mass_truth) + ixx.allowed(held, ixx_truth)),
      in_tolerances(out.ixx - high, square / 2 * mass.allowed(held, mass_truth) + ixx.allowed(held, ixx_truth)));
}

inline std::optional<double> reaches_the_tips(std::span<Case const> inputs, std::span<Answer const> outputs,
                                              Tolerance const& held) {
  long double const tip = bounding_radius.truth(inputs[0]);
  if (auto const screen = Screen{held}(bounding_radius, inputs[0], outputs[0]); screen.decided())
    return screen.verdict();
  return in_tolerances(tip - outputs[0].bounding_radius, bounding_radius.allowed(held, tip));
}

inline std::optional<double> fits_the_ball(std::span<Case const> inputs, std::span<Answer const> outputs,
                                           Tolerance const& held) {
  Answer const& out = outputs[0];
  long double const volume_truth = volume.truth(inputs[0]), radius_truth = bounding_radius.truth(inputs[0]);
  if (auto const screen = Screen{held}(volume, inputs[0], out)(bounding_radius, inputs[0], out); screen.decided())
    return screen.verdict();
  long double const radius = out.bounding_radius + bounding_radius.allowed(held, radius_truth);
  return in_tolerances(out.volume - 4 * pi_wide * radius * radius * radius / 3, volume.allowed(held, volume_truth));
}

using Rule = Law<Case, Answer>;

inline std::vector<Rule> changes_of_unit() {
  // If the metre changes by 2^k, the kilogram must change by 2^3k to keep the density.
  constexpr Dimension lengths{1, 3, 0}, density{0, 1, 0};
  return {
      Shared<volume>::scaling<lengths>("volume_length_scaling",
                                       "lengths times 2^k multiply the volume by exactly 2^3k"),
      Shared<mass>::scaling<lengths>("mass_length_scaling", "lengths times 2^k multiply the mass by exactly 2^3k"),
      Shared<ixx, iyy>::scaling<lengths>("inertia_length_scaling",
                                         "lengths times 2^k multiply the moments of inertia by exactly 2^5k"),
      Shared<bounding_radius>::scaling<lengths>("bounding_radius_length_scaling",
                                                "lengths times 2^k multiply the bounding radius by exactly 2^k"),
      Shared<volume>::scaling<density>("volume_without_density", "the volume does not depend on the density"),
      Shared<mass>::scaling<density>("mass_density_scaling",
                                     "the density times 2^k multiplies the mass by exactly 2^k"),
      Shared<ixx, iyy>::scaling<density>("inertia_density_scaling",
                                         "the density times 2^k multiplies the moments of inertia by exactly 2^k"),
  };
}

inline std::vector<Rule> of_a_sphere() {
  return {
      {.name = "sphere_isotropy",
       .doc = "if the shaft is 0, the two moments of inertia are equal",
       .tolerance = "both budgets",
       .uses = {"ixx", "iyy"},
       .derive = derive_sphere,
       .violation = sphere_is_isotropic},
      {.name = "sphere_inertia",
       .doc = "if the shaft is 0, both moments of inertia are 2/5 m r^2",
       .tolerance = "both budgets",
       .uses = {"mass"},
       .compares = {"ixx", "iyy"},
       .derive = derive_sphere,
       .violation = sphere_inertia},
      {.name = "sphere_volume",
       .doc = "if the shaft is 0, the volume is 4/3 pi r^3",
       .tolerance = "its budget",
       .uses = {"volume"},
       .derive = derive_sphere,
       .violation = sphere_volume},
  };
}

inline std::vector<Rule> between_outputs() {
  return {
      {.name = "inertia_difference",
       .doc = "Iyy - Ixx = pi rho a r^2 (a + r) (a + 3r) / 12",
       .tolerance = "both budgets",
       .uses = {"ixx", "iyy"},
       .violation = inertia_difference},
      {.name = "axial_gyration",
       .doc = "2/5 m r^2 <= Ixx <= 1/2 m r^2",
       .tolerance = "both budgets",
       .uses = {"mass", "ixx"},
       .violation = axial_gyration},
      {.name = "mass_of_volume",
       .doc = "the mass is density times volume",
       .tolerance = "both budgets",
       .uses = {"volume", "mass"},
       .violation = mass_is_density_times_volume},
  };
}

inline std::vector<Rule> ranges() {
  return {
      {.name = "volume_in_range",
       .doc = "a volume within the range of doubles is not zero, infinite or NaN",
       .tolerance = "0",
       .compares = {"volume"},
       .violation = in_range<volume>},
      {.name = "mass_in_range",
       .doc = "a mass within the range of doubles is not zero, infinite or NaN",
       .tolerance = "0",
       .compares = {"mass"},
       .violation = in_range<mass>},
      {.name = "inertia_in_range",
       .doc = "a moment of inertia within the range of doubles is not zero, infinite or NaN",
       .tolerance = "0",
       .compares = {"ixx", "iyy"},
       .violation = in_range<ixx, iyy>},
  };
}

inline std::vector<Rule> growth() {
  return {
      {.name = "volume_growth",
       .doc = "f times the radius multiplies the volume by f^2 to f^3; f times the shaft by 1 to f",
       .tolerance = "both budgets",
       .compares = {"volume"},
       .derive = derive_growth,
       .violation = grows<volume>},
      {.name = "inertia_growth",
       .doc =
           "f times the radius multiplies Ixx by f^4 to f^5, Iyy by f^2 to f^5; f times the shaft by 1 to f, 1 to f^3",
       .tolerance = "both budgets",
       .compares = {"ixx", "iyy"},
       .derive = derive_growth,
       .violation = grows<ixx, iyy>},
      {.name = "volume_additive",
       .doc = "V(r, a1 + a2) = V(r, a1) + V(r, a2) - V(r, 0)",
       .tolerance = "the budgets of the four",
       .uses = {"volume"},
       .derive = derive_cut,
       .violation = additive<volume>},
      {.name = "ixx_additive",
       .doc = "Ixx(r, a1 + a2) = Ixx(r, a1) + Ixx(r, a2) - Ixx(r, 0)",
       .tolerance = "the budgets of the four",
       .uses = {"ixx"},
       .derive = derive_cut,
       .violation = additive<ixx>},
  };
}

inline std::vector<Rule> bounds() {
  return {
      {.name = "bounding_radius_reach",
       .doc = "the bounding sphere touches the tips",
       .tolerance = "its budget",
       .uses = {"bounding_radius"},
       .violation = reaches_the_tips},
      {.name = "bounding_volume",
       .doc = "the volume is at most that of the bounding sphere",
       .tolerance = "both budgets",
       .uses = {"volume", "bounding_radius"},
       .violation = fits_the_ball},
  };
}

inline std::span<Rule const> laws() {
  static std::vector<Rule> const list =
      joined<Rule>({changes_of_unit(), of_a_sphere(), between_outputs(), ranges(), growth(), bounds()});
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::capsule_mass_properties::properties
