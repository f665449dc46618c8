// Mutants of capsule_mass_properties. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/capsule_mass_properties.hpp"

namespace demeter::capsule_mass_properties::mutants {

using Case = Input<double>;
using Answer = Output<double>;

inline constexpr Defect defects[] = {
    {"pi_of_eight_decimals", "pi is 3.14159265", "a constant typed by hand"},
    {"pi_as_float", "pi is a float", "a constant with a forgotten suffix f"},
    {"pi_with_a_wrong_bit", "the bit 2^-47 of pi is wrong", "a wrong bit in a table", "2^-47 of pi is 20 u"},
    {"third_of_eight_decimals", "4 times .33333333 instead of 4/3", "Bullet: .08333333 instead of 1/12"},
    {"integer_division", "4 / 3 in integers", "integer division in C"},
    {"volume_without_caps", "both caps are left out", "a cylinder instead of a capsule"},
    {"one_cap", "only one of the two caps", "a missing end"},
    {"shaft_between_the_tips", "the shaft is treated as the length from tip to tip",
     "another convention (FCL#225, FCL#436)"},
    {"shaft_is_the_half", "the shaft is treated as the half length", "another convention"},
    {"radius_is_the_diameter", "the radius is treated as the diameter", "another convention"},
    {"collision_margin", "a margin of .04 m is added to the radius", "bullet3#702"},
    {"least_radius", "radii below 1e-6 m are treated as 1e-6 m", "absolute thresholds"},
    {"density_forgotten", "the moments lack the density", "moments per density used as moments"},
    {"density_twice", "the mass is multiplied by the density twice", "a factor applied in two places"},
    {"density_guarded", "the volume is mass / (density + 1e-12)", "an absolute epsilon against division by zero"},
    {"density_rounded", "the density is kept as a float", "a material table in single precision"},
    {"powers_in_double", "r^2 and r^3 overflow and underflow", "intermediate results out of range"},
    {"power_by_logarithm", "r^3 as exp(3 log r)", "a power function that loses digits for large logarithms"},
    {"square_over_two", "a^2/2 instead of a^2/4 in the distance of the caps from the centroid",
     "JoltPhysics#830, dart#1524, gz-math#163"},
    {"three_sevenths", "3/7 instead of 3/8 in the centroid of the caps", "a misread digit"},
    {"offset_term_dropped", "the centroids of the caps are put on their bases", "a missing term of Steiner's theorem"},
    {"offset_from_the_rim", "5/8 instead of 3/8: the centroid measured from the pole", "inertia about the wrong point"},
    {"offset_sign", "the centroids of the caps are on the inner side", "sign of an offset"},
    {"cap_about_its_end", "the centroids of the caps are put on the poles", "inertia about the wrong point"},
    {"steiner_dropped", "a^2/4 is left out", "Steiner's theorem not applied"},
    {"shaft_about_its_end", "a^2/3 instead of a^2/12 in the moment of the shaft", "inertia about the wrong point"},
    {"y_twice", "r^2/2 instead of r^2/4 in the transverse moment of the shaft",
     "y^2 + y^2 instead of x^2 + y^2: godot#47284"},
    {"radius_not_squared", "r instead of r^2 in the axial moment of the caps", "vsangelidakis/CLUMP#1"},
    {"hollow_caps", "2/3 instead of 2/5 in the moment of the caps", "the moment of a shell instead of a solid"},
    {"caps_as_cylinder", "1/2 instead of 2/5 in the moment of the caps", "the moment of a cylinder instead of a ball"},
    {"bounding_box", "the moments of the bounding box, with .08333333 instead of 1/12",
     "Bullet, capsule and multi-sphere"},
    {"axes_swapped", "ixx and iyy are exchanged", "newton-physics#486, #505"},
    {"gyration", "radii of gyration instead of moments", "another convention"},
    {"sphere_below_epsilon", "shafts below 1e-6 m are treated as 0", "absolute thresholds"},
    {"sphere_below_ratio", "shafts below 1e-12 radii are treated as 0", "a threshold wider than the budget"},
    {"negative_zero_is_negative", "a shaft of -0 is treated as negative", "the sign bit is tested instead of < 0"},
    {"sphere_is_not_a_number", "NaN for a shaft of zero", "0/0 in a case that was not tested"},
    {"small_inertia_is_none", "moments below 1e-14 kg m^2 are zero", "lammps#1657, #2105"},
    {"subnormal_is_zero", "moments below the normal range are zero", "flush to zero"},
    {"bounding_whole_shaft", "r + a instead of r + a/2", "half and whole length exchanged"},
    {"bounding_inscribed", "max(r, a/2) instead of r + a/2", "a sphere that does not bound"},
    {"bounding_box_diagonal", "the sphere around the bounding box", "a sphere that is too large"},
    {"infinite_is_largest", "volume and mass are limited to 1e300", "\"infinity\" stored as a large number"},
};
using Chosen = Choice<defects>;

/// Adds a cylinder and two half balls with the parallel-axis theorem, like physics engines. Computes in long double,
/// whose range contains every power. Without a defect, all results are correct to 0.51 u.
inline Answer evaluate(Case const& in, Chosen const with) {
  using Real = long double;

  Real r = in.radius, a = in.shaft, rho = in.density;
  if (with("negative_zero_is_negative") && std::signbit(in.shaft)) a = -2 * r;
  if (with("shaft_between_the_tips")) a = std::max(a - 2 * r, 0.0L);
  if (with("shaft_is_the_half")) a = 2 * a;
  if (with("radius_is_the_diameter")) r = r / 2;
  if (with("collision_margin")) r = r + 0.04L;
  if (with("least_radius")) r = std::max(r, 1e-6L);
  if (with("sphere_below_epsilon") && a < 1e-6L) a = 0;
  if (with("sphere_below_ratio") && a < 1e-12L * r) a = 0;

  Real pi = 3.14159265358979323846264338327950288L;
  if (with("pi_of_eight_decimals")) pi = 3.14159265L;
  if (with("pi_as_float")) pi = static_cast<float>(pi);
  if (with("pi_with_a_wrong_bit")) pi = pi - 0x1p-47L;
  Real four_thirds = 4 / 3.0L;
  if (with("integer_division")) four_thirds = 4 / 3;
  if (with("third_of_eight_decimals")) four_thirds = 4 * .33333333L;
  if (with("one_cap")) four_thirds = 2 / 3.0L;
  if (with("volume_without_caps")) four_thirds = 0;

  Real r2 = r * r, r3 = r2 * r;
  if (with("powers_in_double")) r2 = in.radius * in.radius, r3 = in.radius * in.radius * in.radius;
  if (with("power_by_logarithm")) r3 = std::exp(3 * std::log(in.radius));
  Real const cylinder_volume = pi * r2 * a, sphere_volume = pi * four_thirds * r3;
  Real const cylinder = rho * cylinder_volume, sphere = rho * sphere_volume;

  Real volume = cylinder_volume + sphere_volume, mass = cylinder + sphere;
  if (with("density_guarded")) volume = mass / (rho + 1e-12L);
  if (with("density_rounded")) mass = volume * static_cast<Real>(static_cast<float>(in.density));
  if (with("density_twice")) mass = mass * rho;

  Real cap = with("hollow_caps") ? 2 * r2 / 3 : 2 * r2 / 5;  // squared radius of gyration of the two caps together (a
                                                             // ball) about the axis
  if (with("caps_as_cylinder")) cap = r2 / 2;
  Real ixx = cylinder * r2 / 2 + sphere * cap;
  if (with("radius_not_squared")) ixx = cylinder * r2 / 2 + sphere * 2 * r / 5;

  Real steiner = a * a / 4, offset = 3 * a * r / 8;  // the centroid of a half ball is 3/8 r from its base
  if (with("square_over_two")) steiner = a * a / 2;
  if (with("three_sevenths")) offset = 3 * a * r / 7;
  if (with("steiner_dropped")) steiner = 0;
  if (with("offset_term_dropped")) offset = 0;
  if (with("offset_from_the_rim")) offset = 5 * a * r / 8;
  if (with("offset_sign")) offset = -offset;
  if (with("cap_about_its_end")) offset = a * r;
  Real rod = a * a / 12, disc = r2 / 4;
  if (with("shaft_about_its_end")) rod = a * a / 3;
  if (with("y_twice")) disc = r2 / 2;
  Real iyy = cylinder * (disc + rod) + sphere * (cap + steiner + offset);
  if (with("bounding_box")) {
    Real const x = a + 2 * r, y = 2 * r;
    ixx = mass * .08333333L * (y * y + y * y);
    iyy = mass * .08333333L * (x * x + y * y);
  }
  if (with("axes_swapped")) std::swap(ixx, iyy);
  if (with("density_forgotten")) ixx = ixx / rho, iyy = iyy / rho;
  if (with("gyration")) ixx = std::sqrt(ixx / mass), iyy = std::sqrt(iyy / mass);
  if (with("sphere_is_not_a_number")) iyy = iyy + 0 * (a / in.shaft);
  if (with("small_inertia_is_none")) ixx = ixx < 1e-14L ? 0 : ixx, iyy = iyy < 1e-14L ? 0 : iyy;
  if (with("subnormal_is_zero")) ixx = ixx < 0x1p-1022L ? 0 : ixx, iyy = iyy < 0x1p-1022L ? 0 : iyy;
  if (with("infinite_is_largest")) volume = std::min<Real>(volume, 1e300L), mass = std::min<Real>(mass, 1e300L);

  Real bounding = r + a / 2;
  if (with("bounding_whole_shaft")) bounding = r + a;
  if (with("bounding_inscribed")) bounding = std::max(r, a / 2);
  if (with("bounding_box_diagonal")) bounding = std::sqrt((r + a / 2) * (r + a / 2) + 2 * r2);
  return {static_cast<double>(volume), static_cast<double>(mass), static_cast<double>(ixx), static_cast<double>(iyy),
          static_cast<double>(bounding)};
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

// ------------------------------------------------------------------------------------------------------ of batches

inline void last_of_the_block(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::size_t const last = std::min(i / 8 * 8 + 7, in.size() - 1);
    if (in[i].shaft == 0) out[i].iyy = out[last].iyy;
  }
}
inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"last_of_the_block", "a sphere gets the iyy of the last case of its block",
       "the mask of one SIMD lane applied to its neighbours", last_of_the_block},
  };
  Distortions const distortions{
      .read_as_float = "radius", .shared_by_four = "density", .as_float = "mass bounding_radius", .just_over = "iyy"};
  return make_mutants<Contract>(evaluate, distortions, batches);
}

}  // namespace demeter::capsule_mass_properties::mutants
