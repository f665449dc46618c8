// Regimes and laws of the mass properties of a superquadric.
#pragma once

#include "kernels/law.hpp"
#include "properties/core/allowance.hpp"
#include "properties/core/generators.hpp"
#include "properties/core/invariance.hpp"
#include "reference/spec/superquadric_mass_properties.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace demeter::superquadric_mass_properties::properties {

using Case = Input<double>;
using Answer = Output<double>;
using Wide = long double;
using WideVector = Vector3<Wide>;

// --------------------------------------------------------------------------------------------------------- regimes

inline double ordinary_density(Random& random) { return random.log_uniform(2, 4); }
/// Returns an exponent. It is log-uniform from 10^low to 10^high and limited to the range from 1 to 200.
inline double exponent(Random& random, double low, double high) {
  return std::clamp(random.log_uniform(low, high), 1.0, 200.0);
}
inline Case body(Random& random, double decades, double low, double high) {
  Case in;
  for (double& x : in.semi_axes) x = random.log_uniform(-decades, 0);
  in.n1 = exponent(random, low, high);
  in.n2 = exponent(random, low, high);
  in.density = ordinary_density(random);
  return in;
}
/// Scales the semi-axes to a random everyday size. The density does not change.
inline Case of_any_size(Case in, Random& random) {
  in.semi_axes *= random.size() / in.semi_axes.maxCoeff();
  return in;
}

inline Case draw_typical(Random& random) { return of_any_size(body(random, 0.7, 0.3, 1.3), random); }
inline Case draw_blocky(Random& random) { return of_any_size(body(random, 1, 1.3, 2.4), random); }
inline Case draw_pointed(Random& random) { return of_any_size(body(random, 1, -0.1, 0.35), random); }
inline Case draw_any_exponents(Random& random) { return of_any_size(body(random, 1, -0.1, 2.4), random); }
/// Draws exponents that are whole numbers, or differ from a whole number by 1e-16 to 1e-3.
inline Case draw_whole(Random& random) {
  Case in = of_any_size(body(random, 1, 0, 2.3), random);
  for (double* n : {&in.n1, &in.n2}) {
    auto const which = random.integer(0, 3);
    double const off = random.log_uniform(-16, -3);
    *n = which == 0 ? 1 : which == 1 ? 2 : which == 2 ? 200 : static_cast<double>(random.integer(3, 20));
    if (random.chance(0.4)) *n += *n < 200 ? off : -off;
  }
  return in;
}
/// Returns a body with two or three equal semi-axes.
inline Case equal_axes(Random& random) {
  Case in = body(random, 1, -0.1, 1.3);
  in.semi_axes[1] = in.semi_axes[0];
  if (random.chance(0.5)) in.semi_axes[2] = in.semi_axes[0];
  return in;
}
inline Case draw_equal_axes(Random& random) {
  Case in = of_any_size(equal_axes(random), random);
  in.semi_axes[0] *= 1 + off_a_threshold(random);
  if (random.chance(0.3)) in.semi_axes = nudge(in.semi_axes, random, 3);
  return in;
}
/// Draws the most difficult cases for the bounding radius: exponents slightly above 2. At exponent 2, the formula of
/// the bounding radius changes from the largest semi-axis to a norm of the semi-axes.
inline Case draw_nearly_round(Random& random) {
  Case in = equal_axes(random);
  double const first = random.log_uniform(-15, -1), second = random.log_uniform(-15, -1);
  double const apart = random.log_uniform(-15, -1);
  in.n1 = 2 + first;
  in.n2 = 2 + second;
  if (random.chance(0.5)) in.semi_axes[1] *= 1 + apart;
  return of_any_size(in, random);
}
inline Case draw_needles(Random& random) { return of_any_size(body(random, 8, -0.1, 2), random); }
inline Case draw_wide(Random& random) {
  Case in = body(random, 100, -0.1, 2);
  in.semi_axes *= random.log_uniform(-50, 150);
  in.density = random.log_uniform(-100, 100);
  return in;
}
/// Draws bodies whose results are near the smallest normal number.
inline Case draw_small(Random& random) {
  Case in = body(random, 1, -0.1, 2);
  double const length = random.log_uniform(-66, -60);
  in.semi_axes *= length;
  if (random.chance(0.5)) in.semi_axes *= random.log_uniform(-45, -35);
  return in;
}
inline Case draw_any_bits(Random& random) {
  Case in = body(random, 1, -0.1, 2);
  for (double& x : in.semi_axes) x = random.any_positive();
  in.density = random.any_positive();
  return in;
}

inline std::span<Regime<Case> const> regimes() {
  static Regime<Case> const list[] = {
      {"typical", Profile::everyday, "sizes of 10 um to 10 m, semi-axes within a factor of 5, exponents 2 to 20",
       draw_typical},
      {"blocky", Profile::everyday, "exponents 20 to 200", draw_blocky},
      {"pointed", Profile::everyday, "exponents 1 to 2.2", draw_pointed},
      {"any_exponents", Profile::everyday, "exponents 1 to 200, independent of each other", draw_any_exponents},
      {"whole", Profile::degenerate, "integer exponents, exactly or nearly, including the ends of the domain",
       draw_whole},
      {"equal_axes", Profile::degenerate, "two or three semi-axes are equal, up to a few ulps or 1e-15 to 1e-3",
       draw_equal_axes},
      {"nearly_round", Profile::degenerate, "exponents of 2 or slightly more, semi-axes nearly equal",
       draw_nearly_round},
      {"needles", Profile::degenerate, "semi-axes within a factor of 1e8", draw_needles},
      {"wide", Profile::extreme, "semi-axes of 1e-150 to 1e150, densities of 1e-100 to 1e100", draw_wide},
      {"small", Profile::extreme, "moments or volumes near the smallest normal double", draw_small},
      {"any_bits", Profile::extreme, "any positive doubles", draw_any_bits},
  };
  return list;
}

// ------------------------------------------------------------------------------------------------------------ laws

/// Returns the sum of the two squares other than square k. The sum of all three minus square k would lose the digits of
/// a needle.
inline Wide of_the_others(WideVector const& squares, Index k) { return squares[(k + 1) % 3] + squares[(k + 2) % 3]; }

/// Returns the results for the box around a body. They are upper bounds of the body's results.
inline Output<Wide> of_box(Case const& in) {
  WideVector const a = wide(in.semi_axes), squares = a.cwiseProduct(a);
  Output<Wide> box;
  box.volume = 8 * a[0] * a[1] * a[2];
  box.mass = in.density * box.volume;
  for (Index k = 0; k < 3; ++k) box.inertia[k] = box.mass * of_the_others(squares, k) / 3;
  box.bounding_radius = a.norm();
  return box;
}
/// Returns whether some result may leave the range of normal numbers.
inline bool leaves_the_range(Case const& in) {
  Output<Wide> const box = of_box(in);
  bool leaves = false;
  for_each_quantity(box, [&](auto const& quantity, auto const&) {
    for_each_number(quantity, [&](Wide x) { leaves = leaves || !(x / 60 > 0x1p-1020L && x < 0x1p1020L); });
  });
  return leaves;
}
/// Returns how laws judge answers. NaN is wrong. Infinity is wrong unless a result may overflow. If a result may leave
/// the range of normal numbers, the laws do not judge the case: only the oracle judges it.
inline Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
  Unusable found;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    bool finite = true, number = true;
    for_each_quantity(outputs[i], [&](auto const& quantity, auto const&) {
      for_each_number(quantity, [&](double x) {
        finite = finite && (std::isfinite(x) || is_not_computed(x));
        number = number && (!std::isnan(x) || is_not_computed(x));
      });
    });
    if (!number || (!finite && !leaves_the_range(inputs[i]))) return {true, infinite};
    if (leaves_the_range(inputs[i])) found = {true, std::nullopt};
  }
  return found;
}

template <class Which>
struct Scaling {
  using Contract = superquadric_mass_properties::Contract;
  static std::vector<std::string_view> outputs() { return Which::outputs(); }
  static Unusable unusable(std::span<Case const> inputs, std::span<Answer const> outputs) {
    return properties::unusable(inputs, outputs);
  }
  static Output<Wide> sizes(Case const& in) { return of_box(in); }
  static bool stays_normal(Case const& in) {
    WideVector const a = wide(in.semi_axes);
    return !leaves_the_range(in) && a.minCoeff() > 0x1p-1000L && a.maxCoeff() < 0x1p1000L && in.density > 0x1p-1000;
  }
};
struct All {
  static std::vector<std::string_view> outputs() { return {"volume", "mass", "inertia", "bounding_radius"}; }
};

/// Allowed errors of an answer. If an output is missing, its allowed error is not used.
using Allowed = Output<Wide>;
inline Allowed allowed(Tolerance const& held, Case const& in, Answer const& out) {
  return allowance<Contract>(held, in, out);
}

using Inputs = std::span<Case const>;
using Outputs = std::span<Answer const>;
using Violation = std::optional<double>;

/// Returns the largest difference between the last answer and `should`, divided by its tolerance. `extra` is the
/// allowed error of `should`.
inline double compare(Outputs outputs, Output<Wide> const& should, Output<Wide> const& extra, Allowed const& may) {
  Answer const& out = outputs.back();
  double worst = 0;
  auto const number = [&](Wide is, Wide expected, Wide tolerance) {
    worst = std::max(worst, in_tolerances(std::fabs(is - expected), tolerance));
  };
  if (answered(outputs, &Answer::volume)) number(out.volume, should.volume, extra.volume + may.volume);
  if (answered(outputs, &Answer::mass)) number(out.mass, should.mass, extra.mass + may.mass);
  if (answered(outputs, &Answer::inertia))
    for (Index k = 0; k < 3; ++k) number(out.inertia[k], should.inertia[k], extra.inertia[k] + may.inertia[k]);
  if (answered(outputs, &Answer::bounding_radius))
    number(out.bounding_radius, should.bounding_radius, extra.bounding_radius + may.bounding_radius);
  return worst;
}

inline void derive_exchanged(Case const& in, Random&, std::vector<Case>& inputs) {
  Case exchanged = in;
  std::swap(exchanged.semi_axes[0], exchanged.semi_axes[1]);
  inputs.push_back(exchanged);
}
inline Violation exchanged(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Output<Wide> should = cast<Output<Wide>>(outputs[0]), extra = allowed(held, inputs[0], outputs[0]);
  std::swap(should.inertia[0], should.inertia[1]);
  std::swap(extra.inertia[0], extra.inertia[1]);
  return compare(outputs, should, extra, allowed(held, inputs[1], outputs[1]));
}

inline Violation mass_of_volume(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Allowed const may = allowed(held, inputs[0], outputs[0]);
  Wide const density = inputs[0].density;
  return in_tolerances(std::fabs(outputs[0].mass - density * outputs[0].volume), may.mass + density * may.volume);
}

/// Checks that each moment is less than the sum of the other two. The reason: I_x + I_y - I_z is twice the integral of
/// z^2, and so on for the other axes.
inline Violation triangle(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  WideVector const I = wide(outputs[0].inertia), may = allowed(held, inputs[0], outputs[0]).inertia;
  double worst = 0;
  for (Index k = 0; k < 3; ++k) {
    if (!(I[k] > 0)) return infinite;
    worst = std::max(worst, in_tolerances(2 * I[k] - I.sum(), may.sum()));
  }
  return worst;
}

/// Checks that the integrals of x^2 and y^2 have the ratio a^2 : b^2.
inline Violation across_by_squares(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  WideVector const I = wide(outputs[0].inertia), may = allowed(held, inputs[0], outputs[0]).inertia;
  Wide const a = inputs[0].semi_axes[0], b = inputs[0].semi_axes[1], unit = std::max(a, b);
  Wide const a2 = a / unit * (a / unit), b2 = b / unit * (b / unit);
  Wide const X = I[1] + I[2] - I[0], Y = I[0] + I[2] - I[1];
  // The rounding of the squares in long double.
  Wide const rounding = roundings(1) * I.sum();
  return in_tolerances(std::fabs(X * b2 - Y * a2), (may.sum() + rounding) * (a2 + b2));
}

/// Derives the ellipsoid (n = 2) or the octahedron (n = 1) with the same semi-axes.
template <int n>
void derive_simple(Case const& in, Random&, std::vector<Case>& inputs) {
  Case other = in;
  other.n1 = other.n2 = n;
  inputs.push_back(other);
}
template <int n>
Violation simple(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Case const& in = inputs[1];
  WideVector const a = wide(in.semi_axes), squares = a.cwiseProduct(a);
  Output<Wide> should;
  should.volume = (n == 2 ? 4 * pi_wide / 3 : 4.0L / 3) * a[0] * a[1] * a[2];
  should.mass = in.density * should.volume;
  for (Index k = 0; k < 3; ++k) should.inertia[k] = should.mass * of_the_others(squares, k) / (n == 2 ? 5 : 10);
  should.bounding_radius = a.maxCoeff();
  Output<Wide> const none{0, 0, WideVector::Zero(), 0};
  return compare(outputs, should, none, allowed(held, in, outputs[1]));
}

/// Derives two cases, each with one larger exponent. The new body contains the original body.
inline void derive_fuller(Case const& in, Random& random, std::vector<Case>& inputs) {
  for (int which = 0; which < 2; ++which) {
    Case fuller = in;
    double& n = which == 0 ? fuller.n1 : fuller.n2;
    n = std::min(200.0, n * (1 + random.log_uniform(-12, 0)));
    if (n > (which == 0 ? in.n1 : in.n2)) inputs.push_back(fuller);
  }
}
inline Violation fuller(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Allowed const first = allowed(held, inputs[0], outputs[0]);
  double worst = 0;
  for (std::size_t i = 1; i < outputs.size(); ++i) {
    Allowed const second = allowed(held, inputs[i], outputs[i]);
    auto const grows = [&](Wide before, Wide after, Wide tolerance) {
      worst = std::max(worst, in_tolerances(before - after, tolerance));
    };
    if (answered(outputs, &Answer::volume)) grows(outputs[0].volume, outputs[i].volume, first.volume + second.volume);
    if (answered(outputs, &Answer::mass)) grows(outputs[0].mass, outputs[i].mass, first.mass + second.mass);
    if (answered(outputs, &Answer::inertia))
      for (Index k = 0; k < 3; ++k)
        grows(outputs[0].inertia[k], outputs[i].inertia[k], first.inertia[k] + second.inertia[k]);
    if (answered(outputs, &Answer::bounding_radius))
      grows(outputs[0].bounding_radius, outputs[i].bounding_radius, first.bounding_radius + second.bounding_radius);
  }
  return worst;
}

/// Checks that the body is inside its box and contains the octahedron whose six corners are the ends of the semi-axes.
inline Violation between_corners_and_box(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Answer const& out = outputs[0];
  Output<Wide> const box = of_box(inputs[0]);
  Allowed const may = allowed(held, inputs[0], out);
  double worst = 0;
  // The octahedron has 1/6 of the volume of the box. The moments of the octahedron are m (b^2 + c^2) / 10, and the
  // moments of the box are m (b^2 + c^2) / 3. The ratio of the moments is therefore 1/20.
  auto const between = [&](Wide x, Wide high, Wide share, Wide tolerance) {
    worst = std::max({worst, in_tolerances(x - high, tolerance), in_tolerances(high * share - x, tolerance)});
  };
  if (answered(outputs, &Answer::volume)) between(out.volume, box.volume, 1.0L / 6, may.volume);
  if (answered(outputs, &Answer::mass)) between(out.mass, box.mass, 1.0L / 6, may.mass);
  if (answered(outputs, &Answer::inertia))
    for (Index k = 0; k < 3; ++k) between(out.inertia[k], box.inertia[k], 1.0L / 20, may.inertia[k]);
  if (answered(outputs, &Answer::bounding_radius)) {
    Wide const most = wide(inputs[0].semi_axes).maxCoeff();
    between(out.bounding_radius, box.bounding_radius, most / box.bounding_radius, may.bounding_radius);
  }
  return worst;
}

/// Derives the three other cases of the equation V(n1, n2) V(2, 2) = V(n1, 2) V(2, n2). The equation is true because
/// the volume is a product of one function per exponent.
inline void derive_each_exponent(Case const& in, Random&, std::vector<Case>& inputs) {
  Case both = in, first = in, second = in;
  both.n1 = both.n2 = first.n2 = second.n1 = 2;
  inputs.insert(inputs.end(), {both, first, second});
}
inline Violation separate(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  auto const relative = [&](std::size_t i) { return allowed(held, inputs[i], outputs[i]).volume / outputs[i].volume; };
  // Computes in units of the ellipsoid's volume, because a product of four volumes could overflow or underflow.
  Wide const whole = static_cast<Wide>(outputs[0].volume) / outputs[1].volume;
  Wide const parts = static_cast<Wide>(outputs[2].volume) / outputs[1].volume * outputs[3].volume / outputs[1].volume;
  return in_tolerances(std::fabs(whole - parts), parts * (relative(0) + 2 * relative(1) + relative(2) + relative(3)));
}

/// Derives the body stretched along z by 2. The volume and the integral of x^2 + y^2 must double.
inline void derive_stretched(Case const& in, Random&, std::vector<Case>& inputs) {
  Case longer = in;
  longer.semi_axes[2] *= 2;
  inputs.push_back(longer);
}
inline Violation stretched(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Allowed const first = allowed(held, inputs[0], outputs[0]), second = allowed(held, inputs[1], outputs[1]);
  auto const twice = [](Wide before, Wide after, Wide tolerance) {
    return in_tolerances(std::fabs(2 * before - after), tolerance);
  };
  return worst_answered({{answered(outputs, &Answer::volume),
                          twice(outputs[0].volume, outputs[1].volume, 2 * first.volume + second.volume)},
                         {answered(outputs, &Answer::inertia), twice(outputs[0].inertia[2], outputs[1].inertia[2],
                                                                     2 * first.inertia[2] + second.inertia[2])}});
}

inline Violation fits_the_ball(Inputs inputs, Outputs outputs, Tolerance const& held) {
  if (auto const bad = unusable(inputs, outputs); bad.decided) return bad.verdict;
  Answer const& out = outputs[0];
  Allowed const may = allowed(held, inputs[0], out);
  Wide const R = out.bounding_radius + may.bounding_radius;
  return in_tolerances(out.volume - 4 * pi_wide / 3 * R * R * R, may.volume);
}

using Rule = Law<Case, Answer>;

inline std::span<Rule const> laws() {
  static OutputNames const all = All::outputs();
  static std::vector<Rule> const list{
      Invariances<Scaling<All>>::scaling(),
      {.name = "exchange",
       .doc = "an exchange of a and b exchanges the moments about x and y",
       .tolerance = "both budgets",
       .compares = all,
       .derive = derive_exchanged,
       .violation = exchanged},
      {.name = "mass_of_volume",
       .doc = "the mass is density times volume",
       .tolerance = "both budgets",
       .uses = {"volume", "mass"},
       .violation = mass_of_volume},
      {.name = "triangle",
       .doc = "each moment of inertia is less than the sum of the other two",
       .tolerance = "the budgets of the three",
       .uses = {"inertia"},
       .violation = triangle},
      {.name = "across_by_squares",
       .doc = "the ratio of Iy + Iz - Ix and Ix + Iz - Iy (integrals of x^2 and y^2) is a^2 / b^2",
       .tolerance = "the budgets of the three",
       .uses = {"inertia"},
       .violation = across_by_squares},
      {.name = "ellipsoid",
       .doc = "for exponents 2: volume 4/3 pi abc, moment m (b^2 + c^2)/5, bounding radius the largest semi-axis",
       .tolerance = "the budgets",
       .compares = all,
       .derive = derive_simple<2>,
       .violation = simple<2>},
      {.name = "octahedron",
       .doc = "for exponents 1: volume 4/3 abc, moment m (b^2 + c^2)/10, bounding radius the largest semi-axis",
       .tolerance = "the budgets",
       .compares = all,
       .derive = derive_simple<1>,
       .violation = simple<1>},
      {.name = "fuller",
       .doc = "no output decreases if an exponent grows",
       .tolerance = "both budgets",
       .compares = all,
       .derive = derive_fuller,
       .violation = fuller},
      {.name = "between_corners_and_box",
       .doc = "each result is between those of the octahedron and of the box",
       .tolerance = "the budgets",
       .compares = all,
       .violation = between_corners_and_box},
      {.name = "separate",
       .doc = "V(n1, n2) V(2, 2) = V(n1, 2) V(2, n2)",
       .tolerance = "the budgets of the four",
       .uses = {"volume"},
       .derive = derive_each_exponent,
       .violation = separate},
      {.name = "stretched",
       .doc = "a doubled c doubles the volume and the moment about z",
       .tolerance = "both budgets",
       .compares = {"volume", "inertia"},
       .derive = derive_stretched,
       .violation = stretched},
      {.name = "bounding_volume",
       .doc = "the volume is at most that of the bounding ball",
       .tolerance = "both budgets",
       .uses = {"volume", "bounding_radius"},
       .violation = fits_the_ball},
  };
  return list;
}

inline constexpr PropertiesHooks<Case> hooks{};

}  // namespace demeter::superquadric_mass_properties::properties
