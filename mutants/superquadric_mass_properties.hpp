// Mutants of superquadric_mass_properties. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/superquadric_mass_properties.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace demeter::superquadric_mass_properties::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;

inline constexpr Defect defects[] = {
    {"exponents_exchanged", "n1 and n2 are exchanged", "another convention"},
    {"exponents_inverted", "2/n instead of n: the exponents of computer graphics", "another convention"},
    {"exponent_rounded", "exponents within .01 of an integer are rounded", "observed in LIGGGHTS"},
    {"one_exponent", "n1 for both exponents", "equation (1) of Open DEM Japan's note"},
    {"exponents_from_2", "exponents below 2 are treated as 2", "a domain narrower than that of the kernel"},
    {"axes_are_diameters", "whole axes instead of semi-axes", "another convention"},
    {"gamma_in_double", "gamma functions are exp(lgamma) with errors of 16 u", "a library's lgamma",
     "errors of tens of u"},
    {"gamma_by_stirling", "three terms of Stirling's series, from 8 on", "a series that ends too early"},
    {"volume_of_ellipsoid", "the volume is 4/3 pi abc", "an ellipsoid instead of a superquadric"},
    {"volume_of_box", "the volume is 8 abc", "a box instead of a superquadric"},
    {"volume_of_equation_1", "the volume of rho + |z/c|^n1 <= 1", "Open DEM Japan's equation (1)"},
    {"area_without_4", "only a quarter of the superellipse", "one quadrant instead of four"},
    {"radius_from_axes", "the volume of a ball of radius (abc)^(1/3)", "Open DEM Japan's equation (3)"},
    {"density_forgotten", "the mass lacks the density", "the volume used as mass"},
    {"density_twice", "the mass is multiplied by the density twice", "a factor applied in two places"},
    {"inertia_of_ellipsoid", "the moment is m (b^2 + c^2)/5", "the moments of an ellipsoid with the right mass"},
    {"inertia_of_box", "the moment is m (b^2 + c^2)/3", "the moments of a box with the right mass"},
    {"inertia_full_axes", "whole axes instead of semi-axes in the moments", "another convention"},
    {"inertia_exchanged", "the moments about x and y are exchanged", "a wrong index"},
    {"inertia_about_a_face", "the moments about x and y are about the lower end", "inertia about the wrong point"},
    {"inertia_square_of_own_axis", "the integral of x^2 instead of y^2 + z^2", "a misread definition"},
    {"inertia_without_density", "moments lack the density", "moments per density used as moments"},
    {"inertia_gyration", "radii of gyration instead of moments", "another convention"},
    {"inertia_fourths", "the mean of rho^4 is the square of the mean of rho^2",
     "a squared mean instead of a mean of squares"},
    {"inertia_heights", "z^2 and rho^2 are averaged separately", "a product of means instead of a mean of products"},
    {"small_inertia_is_none", "moments below 1e-14 kg m^2 are zero", "lammps#1657, #2105"},
    {"powers_in_double", "a^2 and abc overflow and underflow", "intermediate results out of range"},
    {"bounding_largest_axis", "the largest semi-axis is used", "a ball that does not contain the corners"},
    {"bounding_box_diagonal", "the ball around the bounding box", "a ball that is too large"},
    {"bounding_exponent", "n/(n - 2) instead of 2n/(n - 2)", "a norm of squares instead of lengths"},
    {"bounding_without_limit", "the norm is used for exponents below 2 too", "a missing maximum at an end"},
};
using Chosen = Choice<defects>;

inline Answer evaluate(Case const& in, Chosen const with) {
  Real a = in.semi_axes[0], b = in.semi_axes[1], c = in.semi_axes[2], n1 = in.n1, n2 = in.n2;
  if (with("exponents_exchanged")) std::swap(n1, n2);
  if (with("exponents_inverted")) n1 = std::max(1.0L, 2 / n1), n2 = std::max(1.0L, 2 / n2);
  if (with("exponent_rounded"))
    for (Real* n : {&n1, &n2}) *n = std::fabs(*n - std::round(*n)) < .01L ? std::round(*n) : *n;
  if (with("one_exponent")) n2 = n1;
  if (with("exponents_from_2")) n1 = std::max(n1, 2.0L), n2 = std::max(n2, 2.0L);
  if (with("axes_are_diameters")) a /= 2, b /= 2, c /= 2;

  auto const G = [&](Real x) -> Real {
    if (with("gamma_in_double")) return std::exp(std::lgamma(static_cast<double>(x)) * (1 + 0x1p-49));
    if (with("gamma_by_stirling")) {
      Real const z = x + 7, series = 1 / (12 * z) - 1 / (360 * z * z * z) + 1 / (1260 * std::pow(z, 5.0L));
      Real product = 1;
      for (int k = 0; k < 7; ++k) product *= x + k;
      return std::exp((z - .5L) * std::log(z) - z + .918938533204672741780L + series) / product;
    }
    return std::tgamma(x);
  };
  Real const e1 = 1 / n1, e2 = 1 / n2;
  Real const area = (with("area_without_4") ? 1 : 4) * G(1 + e2) * G(1 + e2) / G(1 + 2 * e2);
  Real const second = 4.0L / 3 * G(1 + e2) * G(1 + 3 * e2) / G(1 + 4 * e2);
  Real const squares = 2 * G(1 + e1) * G(1 + 2 * e1) / G(1 + 3 * e1);
  Real fourths = 2 * G(1 + e1) * G(1 + 4 * e1) / G(1 + 5 * e1);
  Real heights = 2.0L / 3 * G(1 + 3 * e1) * G(1 + 2 * e1) / G(1 + 5 * e1);
  if (with("inertia_fourths")) fourths = squares * squares / 2;
  if (with("inertia_heights")) heights = squares / 3;

  Real const box = a * b * c;
  Real volume = box * area * squares;
  if (with("volume_of_ellipsoid")) volume = 4.188790204786390984617L * box;
  if (with("volume_of_box")) volume = 8 * box;
  if (with("volume_of_equation_1")) volume = box * area * 4 * n1 * n1 / ((n1 + 1) * (2 * n1 + 1));
  if (with("radius_from_axes")) volume = 4.188790204786390984617L * std::pow(std::cbrt(box), 3.0L);
  Real mass = in.density * volume;
  if (with("density_forgotten")) mass = volume;
  if (with("density_twice")) mass *= in.density;

  Real a2 = a * a, b2 = b * b, c2 = c * c, matter = in.density * box;
  if (with("powers_in_double")) {
    a2 = in.semi_axes[0] * in.semi_axes[0];
    b2 = in.semi_axes[1] * in.semi_axes[1];
    c2 = in.semi_axes[2] * in.semi_axes[2];
    matter = in.density * in.semi_axes[0] * in.semi_axes[1] * in.semi_axes[2];
  }
  if (with("inertia_without_density")) matter = box;
  if (with("inertia_full_axes")) a2 *= 4, b2 *= 4, c2 *= 4;
  Real const x = matter * a2 * second * fourths, y = matter * b2 * second * fourths, z = matter * c2 * area * heights;
  Real I[3] = {y + z, x + z, x + y};
  Real const around[3] = {b2 + c2, a2 + c2, a2 + b2};
  for (int k = 0; k < 3; ++k) {
    if (with("inertia_of_ellipsoid")) I[k] = mass * around[k] / 5;
    if (with("inertia_of_box")) I[k] = mass * around[k] / 3;
    if (with("inertia_square_of_own_axis")) I[k] = x + y + z - I[k];
    if (with("inertia_gyration")) I[k] = std::sqrt(I[k] / mass);
    if (with("inertia_about_a_face")) I[k] += k == 2 ? 0 : mass * c2;
    if (with("small_inertia_is_none") && I[k] < 1e-14L) I[k] = 0;
  }
  if (with("inertia_exchanged")) std::swap(I[0], I[1]);

  auto const farthest = [&](Real u, Real v, Real n) -> Real {
    Real const large = std::max(u, v), small = std::min(u, v);
    if (n <= 2 && !with("bounding_without_limit")) return large;
    Real p = 2 * n / (n - 2);
    if (with("bounding_exponent")) p = n / (n - 2);
    if (with("bounding_without_limit") && n <= 2) p = n == 2 ? 2 : -p;
    return large * std::exp(std::log1p(std::pow(small / large, p)) / p);
  };
  Real R = farthest(farthest(a, b, n2), c, n1);
  if (with("bounding_largest_axis")) R = std::max({a, b, c});
  if (with("bounding_box_diagonal")) R = std::sqrt(a * a + b * b + c * c);

  Answer out;
  out.volume = static_cast<double>(volume);
  out.mass = static_cast<double>(mass);
  for (int k = 0; k < 3; ++k) out.inertia[k] = static_cast<double>(I[k]);
  out.bounding_radius = static_cast<double>(R);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline Mutants mutants() {
  Distortions const distortions{.read_as_float = "semi_axes",
                                .shared_by_four = "density",
                                .as_float = "mass bounding_radius",
                                .just_over = "volume inertia"};
  return make_mutants<Contract>(evaluate, distortions);
}

}  // namespace demeter::superquadric_mass_properties::mutants
