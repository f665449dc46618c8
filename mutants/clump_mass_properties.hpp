// Wrong mass properties of a clump, each one change away from `right()`.
#pragma once

#include "kernels/mutant.hpp"
#include "reference/spec/clump_mass_properties.hpp"
#include "mutants/core/batches.hpp"
#include "mutants/core/lengths.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace demeter::clump_mass_properties::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;
using Vector = Vector3<Real>;
using Matrix = Matrix3<Real>;

enum class Defect {
  none,
  about_origin,
  one_pass_in_double,
  transfer_forgotten,
  transfer_sign,
  transfer_without_mass,
  transfer_by_total_mass,
  y_twice,
  product_of_inertia,
  xz_and_yz_exchanged,
  wrong_element_averaged,
  own_forgotten,
  own_sphere,
  own_unrotated,
  own_rotated_once,
  own_products_forgotten,
  conjugate,
  scalar_last,
  not_normalised,
  divided_by_length,
  normalised_if_far_off,
  quaternion_as_float,
  quaternion_squares_in_double,
  mass_in_double,
  mass_is_the_first,
  mass_of_the_first_lost,
  centroid_unweighted,
  centroid_is_the_first,
  centroid_as_float,
  arms_as_float,
  moments_as_float,
  last_skipped,
  first_twice,
  only_even_count,
  buffer_of_64,
  same_place_skipped,
  given_twice_skipped,
  light_skipped,
  light_skipped_relatively,
  small_moments_are_none,
  small_tensor_is_diagonal,
  overflow_of_squares,
  moments_descend,
  moments_of_the_diagonal,
  moments_unsorted,
  moments_per_mass,
  moments_in_double_closed_form,
  moments_negative,
  axes_conjugate,
  axes_identity,
  axes_exchanged,
  axes_scalar_last,
  axes_not_unit,
  axes_as_float,
  axes_left_handed,
  one_sweep,
  cluster_too_wide,
  subnormal_is_zero,
  single_about_origin,
  inertia_over_the_budget,
  mass_over_the_budget,
  centroid_over_the_budget,
  axes_over_the_budget,
};

inline Matrix rotation(Real w, Real x, Real y, Real z) {
  return {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
          2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
          2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
}

inline Matrix own(Member<double> const& member, Defect const defect) {
  using enum Defect;
  auto const with = [&](Defect wanted) { return defect == wanted; };
  auto const component = [&](Index i) -> Real {
    double const each = member.orientation[with(scalar_last) ? (i + 3) % 4 : i];
    return with(quaternion_as_float) ? static_cast<float>(each) : each;
  };
  auto const moment = [&](Index i) -> Real {
    double const each = member.inertia[i];
    if (with(moments_as_float)) return static_cast<float>(each);
    if (with(small_moments_are_none) && each < 1e-6) return 0;
    return each;
  };
  Real const w = component(0), sign = with(conjugate) ? -1 : 1;
  Real const x = sign * component(1), y = sign * component(2), z = sign * component(3);
  Real square = w * w + x * x + y * y + z * z;
  if (with(quaternion_squares_in_double)) square = static_cast<double>(square);
  if (with(divided_by_length)) square = std::sqrt(square);
  if (with(not_normalised)) square = 1;
  if (with(normalised_if_far_off) && std::fabs(square - 1) < 1e-6L) square = 1;
  Matrix R = rotation(w, x, y, z) / square;
  if (with(own_unrotated)) R.setIdentity();
  Vector moments(moment(0), moment(1), moment(2));
  if (with(own_forgotten)) moments.setZero();
  if (with(own_sphere)) moments.setConstant(moments[0]);
  Matrix tensor = R * moments.asDiagonal() * R.transpose();
  if (with(own_rotated_once)) tensor = R * moments.asDiagonal();
  if (with(own_products_forgotten)) tensor = Matrix(tensor.diagonal().asDiagonal());
  return tensor;
}

struct Principal {
  Vector moments;
  Matrix axes;
};
/// Jacobi's rotations, the moments ascending, right-handed.
inline Principal diagonalised(Matrix A, Defect const defect) {
  using enum Defect;
  Matrix V = Matrix::Identity();
  int const sweeps = defect == one_sweep ? 1 : 40;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    Real const size = A.diagonal().cwiseAbs().maxCoeff();
    for (auto const& [p, q] : {std::pair<Index, Index>{0, 1}, {0, 2}, {1, 2}}) {
      Real const off = A(p, q);
      if (!(std::fabs(off) > 0x1p-75L * size)) continue;
      Real const step = A(q, q) - A(p, p), root = std::sqrt(step * step + 4 * off * off);
      Real const t = 2 * off / (step < 0 ? step - root : step + root), c = 1 / std::sqrt(1 + t * t), s = t * c;
      Matrix turn = Matrix::Identity();
      turn(p, p) = turn(q, q) = c;
      turn(p, q) = s;
      turn(q, p) = -s;
      A = (turn.transpose() * A * turn);
      V = (V * turn);
    }
  }
  std::array<Index, 3> order{0, 1, 2};
  auto const exchange = [&](std::size_t i) {
    if (A(order[i + 1], order[i + 1]) < A(order[i], order[i])) std::swap(order[i], order[i + 1]);
  };
  if (defect != moments_unsorted) exchange(0), exchange(1), exchange(0);
  if (defect == moments_descend) std::swap(order[0], order[2]);
  Principal result;
  for (Index k = 0; k < 3; ++k) {
    Index const from = order[static_cast<std::size_t>(k)];
    result.moments[k] = A(from, from);
    result.axes.col(k) = V.col(from);
  }
  if (defect == cluster_too_wide) {
    for (Index k = 0; k < 2; ++k)
      if (result.moments[k + 1] - result.moments[k] < 1e-6L * result.moments[2])
        result.moments[k] = result.moments[k + 1];
  }
  if (result.axes.determinant() < 0) result.axes.col(2) = -result.axes.col(2);
  if (defect == axes_exchanged) {
    std::swap(result.axes.col(0), result.axes.col(1));
    result.axes.col(2) = -result.axes.col(2);
  }
  if (defect == axes_left_handed) result.axes.col(2) = -result.axes.col(2);
  return result;
}

inline Quaternion<Real> quaternion(Matrix const& R) {
  Real const xx = R(0, 0), yy = R(1, 1), zz = R(2, 2);
  Quaternion<Real> const squares(1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz);
  Index largest = 0;
  squares.maxCoeff(&largest);
  Real const wx = R(2, 1) - R(1, 2), wy = R(0, 2) - R(2, 0), wz = R(1, 0) - R(0, 1);
  Real const xy = R(1, 0) + R(0, 1), xz = R(0, 2) + R(2, 0), yz = R(2, 1) + R(1, 2);
  Quaternion<Real> q;
  if (largest == 0) q = {squares[0], wx, wy, wz};
  if (largest == 1) q = {wx, squares[1], xy, xz};
  if (largest == 2) q = {wy, xy, squares[2], yz};
  if (largest == 3) q = {wz, xz, yz, squares[3]};
  return q / q.norm();
}

/// Two passes in long double from the heaviest member, whose exponent range holds every product.
inline Answer evaluate(Case const& in, Defect const defect) {
  using enum Defect;
  auto const with = [&](Defect wanted) { return defect == wanted; };
  auto const as_double = [](Vector const& x) -> Vector { return x.cast<double>().cast<Real>(); };
  auto const as_float = [](Vector const& x) -> Vector { return x.cast<float>().cast<Real>(); };
  std::size_t count = in.members.size(), heaviest = 0;
  if (with(last_skipped) && count > 1) count = count - 1;
  if (with(only_even_count) && count > 1) count = count / 2 * 2;
  if (with(buffer_of_64)) count = std::min<std::size_t>(count, 64);
  for (std::size_t i = 0; i < count; ++i)
    if (in.members[i].mass > in.members[heaviest].mass) heaviest = i;
  Vector const origin = in.members[heaviest].position.cast<Real>();
  auto const skipped = [&](std::size_t i) {
    Member<double> const& member = in.members[i];
    if (with(same_place_skipped)) return i > 0 && member.position == in.members[i - 1].position;
    if (with(given_twice_skipped) && i > 0) {
      Member<double> const& before = in.members[i - 1];
      return member.position == before.position && member.mass == before.mass && member.inertia == before.inertia &&
             member.orientation == before.orientation;
    }
    if (with(light_skipped)) return member.mass < 1e-6;
    if (with(light_skipped_relatively)) return member.mass < 1e-10 * in.members[heaviest].mass;
    return false;
  };
  auto const mass_of = [&](std::size_t i) -> Real {
    if (with(mass_of_the_first_lost) && i == 0 && count > 1) return 0;
    double const mass = in.members[i].mass;
    if (with(subnormal_is_zero) && !std::isnormal(mass)) return 0;
    return with(first_twice) && i == 0 ? 2.0L * mass : mass;
  };

  Real mass = 0;
  Vector mean = Vector::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    if (skipped(i)) continue;
    Real const m = mass_of(i);
    mass += m;
    if (with(mass_in_double)) mass = static_cast<double>(mass);
    mean += m * (in.members[i].position.cast<Real>() - origin);
  }
  mean /= mass;
  if (with(centroid_unweighted)) {
    mean.setZero();
    for (std::size_t i = 0; i < count; ++i)
      mean += (in.members[i].position.cast<Real>() - origin) / static_cast<Real>(count);
  }
  if (with(centroid_is_the_first)) mean = in.members.front().position.cast<Real>() - origin;
  Vector centroid = origin + mean;
  if (with(centroid_as_float)) centroid = as_float(centroid), mean = centroid - origin;

  Matrix inertia = Matrix::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    if (skipped(i)) continue;
    Member<double> const& member = in.members[i];
    Vector arm = (member.position.cast<Real>() - origin) - mean;
    if (with(arms_as_float)) arm = as_float(arm);
    if (with(about_origin) || with(one_pass_in_double) || (with(single_about_origin) && count == 1))
      arm = member.position.cast<Real>();
    Real m = mass_of(i);
    if (with(transfer_without_mass)) m = 1;
    if (with(transfer_by_total_mass)) m = mass;
    if (with(transfer_forgotten)) m = 0;
    if (with(transfer_sign)) m = -m;
    Real const squares = with(overflow_of_squares) ? static_cast<double>(arm.squaredNorm()) : arm.squaredNorm();
    Matrix transfer = m * (squares * Matrix::Identity() - arm * arm.transpose());
    if (with(y_twice)) transfer(2, 2) = m * (arm[1] * arm[1] + arm[1] * arm[1]);
    inertia += transfer + own(member, defect) * (with(first_twice) && i == 0 ? 2 : 1);
    if (with(one_pass_in_double)) inertia = inertia.cast<double>().cast<Real>();
  }
  if (with(one_pass_in_double)) {
    Vector const c = as_double(centroid);
    inertia -= Matrix((mass * (c.squaredNorm() * Matrix::Identity() - c * c.transpose()))).cast<double>().cast<Real>();
  }
  if (with(wrong_element_averaged)) inertia(1, 2) = inertia(2, 1) = (inertia(1, 2) + inertia(0, 1)) / 2;
  if (with(xz_and_yz_exchanged)) {
    std::swap(inertia(0, 2), inertia(1, 2));
    inertia(2, 0) = inertia(0, 2), inertia(2, 1) = inertia(1, 2);
  }
  if (with(own_rotated_once)) inertia = ((inertia + inertia.transpose()) / 2);
  Real const size = Contract::scale(in).principal[0];
  if (with(inertia_over_the_budget)) inertia(0, 0) += 25 * 0x1p-53L * size;
  if (with(mass_over_the_budget)) mass *= 1 + 3.5L * 0x1p-53L;
  if (with(centroid_over_the_budget)) centroid += 5 * 0x1p-53L * Contract::scale(in).centroid;

  Matrix diagonalise = inertia;
  if (with(small_tensor_is_diagonal) && inertia.diagonal().maxCoeff() < 1e-9L)
    diagonalise = Matrix(inertia.diagonal().asDiagonal());
  Principal principal = diagonalised(diagonalise, defect);
  Quaternion<Real> q = quaternion(principal.axes);
  if (with(moments_of_the_diagonal)) principal.moments = inertia.diagonal();
  if (with(moments_per_mass)) principal.moments /= mass;
  if (with(moments_negative)) principal.moments[0] = -principal.moments[0];
  if (with(moments_in_double_closed_form)) {
    // Smith's closed form, of which a double root loses half the digits.
    double const scale = static_cast<double>(size > 0 ? size : 1);
    Matrix3<double> const B = (inertia / size).cast<double>();
    double const centre = B.trace() / 3;
    Matrix3<double> const C = B - centre * Matrix3<double>::Identity();
    double const p = std::sqrt(C.squaredNorm() / 6);
    double const r = p > 0 ? std::min(1.0, std::max(-1.0, C.determinant() / (2 * p * p * p))) : 1;
    double const angle = std::acos(r) / 3, third = 2.0943951023931953;
    principal.moments = {centre + 2 * p * std::cos(angle + third), centre + 2 * p * std::cos(third - angle),
                         centre + 2 * p * std::cos(angle)};
    principal.moments *= scale;
  }
  if (with(axes_conjugate)) q = {q[0], -q[1], -q[2], -q[3]};
  if (with(axes_identity)) q = {1, 0, 0, 0};
  if (with(axes_scalar_last)) q = Quaternion<Real>(q[1], q[2], q[3], q[0]);
  if (with(axes_not_unit)) q *= 2;
  if (with(axes_as_float)) q = q.cast<float>().cast<Real>();
  if (with(axes_over_the_budget)) q *= 1 + 0x1p-53L * 40 * size / (principal.moments[2] > 0 ? principal.moments[2] : 1);
  if (with(product_of_inertia))
    for (auto const& [i, j] : {std::pair<Index, Index>{0, 1}, {0, 2}, {1, 2}}) inertia(i, j) *= -1;

  auto const rounded = [&](Real value) -> double {
    auto const result = static_cast<double>(value);
    return with(subnormal_is_zero) && !std::isnormal(result) ? 0 : result;
  };
  Answer out;
  out.mass = rounded(with(mass_is_the_first) ? in.members.front().mass : mass);
  for (Index i = 0; i < 3; ++i) {
    out.centroid[i] = rounded(centroid[i]);
    out.principal[i] = rounded(principal.moments[i]);
    out.inertia[i] = rounded(inertia(i, i));
  }
  out.inertia[3] = rounded(inertia(0, 1)), out.inertia[4] = rounded(inertia(0, 2)),
  out.inertia[5] = rounded(inertia(1, 2));
  out.orientation = q.cast<double>();
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, Defect::none); }

// ------------------------------------------------------------------------------------------------------ of batches

/// The axes of the clump before are where the iteration starts and, if it has one member, where it stays.
inline void axes_of_the_last(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = 1; i < in.size(); ++i)
    if (in[i].members.size() == 1) out[i].orientation = out[i - 1].orientation;
}

inline std::span<Mutant<Defect, Case, Answer> const> mutants() {
  using enum Defect;
  static Mutant<Defect, Case, Answer> const list[] = {
      {"about_origin", "the inertia stays about the origin", "Woo's documentation to the letter", about_origin},
      {"one_pass_in_double", "about the origin first, then transferred, in double",
       "Woo's documentation: cancels far from the origin", one_pass_in_double},
      {"transfer_forgotten", "the members' own tensors only", "a term forgotten", transfer_forgotten},
      {"transfer_sign", "the transfer is subtracted", "sign of the parallel axes", transfer_sign},
      {"transfer_without_mass", "d^2 for m d^2", "a factor forgotten", transfer_without_mass},
      {"transfer_by_total_mass", "the clump's mass for the member's", "wrong mass", transfer_by_total_mass},
      {"y_twice", "y^2 + y^2 for x^2 + y^2 in zz", "godotengine/godot#47284", y_twice},
      {"product_of_inertia", "xy, xz, yz are +sum of m x y", "sign of the products of inertia", product_of_inertia},
      {"xz_and_yz_exchanged", "xz for yz", "order of the storage", xz_and_yz_exchanged},
      {"wrong_element_averaged", "yz is averaged with xy", "LIGGGHTS 3.8.0 multisphere, moi[2][1]",
       wrong_element_averaged},
      {"own_forgotten", "members are point masses", "a term forgotten", own_forgotten},
      {"own_sphere", "the first moment counts for all three", "members taken for spheres", own_sphere},
      {"own_unrotated", "members' frames are taken for the global one", "an orientation forgotten", own_unrotated},
      {"own_rotated_once", "R I for R I R^T", "half of a rotation", own_rotated_once},
      {"own_products_forgotten", "only the diagonal of a member's tensor counts", "products forgotten",
       own_products_forgotten},
      {"conjugate", "R^T I R for R I R^T", "Woo's q*: direction of a rotation", conjugate},
      {"scalar_last", "x, y, z, w for w, x, y, z", "order of the components", scalar_last},
      {"not_normalised", "quaternions are taken to have length 1", "FCL#567", not_normalised},
      {"divided_by_length", "divided by |q| for |q|^2", "length and square mixed up", divided_by_length},
      {"normalised_if_far_off", "normalised if |q|^2 is 1e-6 off", "a tolerance for what costs nothing",
       normalised_if_far_off},
      {"quaternion_as_float", "quaternions are rounded to float", "single precision storage", quaternion_as_float},
      {"quaternion_squares_in_double", "|q|^2 in plain double", "over- and underflow", quaternion_squares_in_double},
      {"mass_in_double", "masses are summed plainly in double", "a naive sum of many terms", mass_in_double, nullptr,
       "150 roundings are less than 1024"},
      {"mass_is_the_first", "the first member's mass", "an index lost", mass_is_the_first},
      {"mass_of_the_first_lost", "the first member has no mass", "Woo's clump node, massless and first",
       mass_of_the_first_lost},
      {"centroid_unweighted", "the mean of the positions", "weights forgotten", centroid_unweighted},
      {"centroid_is_the_first", "the first member's position", "a reference taken for the centroid",
       centroid_is_the_first},
      {"centroid_as_float", "the centroid is rounded to float", "single precision on the way", centroid_as_float},
      {"arms_as_float", "arms are rounded to float", "single precision on the way", arms_as_float},
      {"moments_as_float", "the members' moments are rounded to float", "single precision storage", moments_as_float},
      {"last_skipped", "the last of several members is skipped", "off by one", last_skipped},
      {"first_twice", "the first member counts twice", "a loop begun after the first was put in", first_twice},
      {"only_even_count", "the last member of an odd number is dropped", "a loop unrolled by two", only_even_count},
      {"buffer_of_64", "members beyond the 64th are dropped", "a buffer of fixed size", buffer_of_64},
      {"same_place_skipped", "a member where the one before is is skipped", "members told apart by position",
       same_place_skipped},
      {"given_twice_skipped", "a member that is the one before once more is skipped", "duplicates removed",
       given_twice_skipped},
      {"light_skipped", "members below 1e-6 kg are skipped", "absolute thresholds", light_skipped},
      {"light_skipped_relatively", "members below 1e-10 of the heaviest are skipped",
       "a threshold wider than the budget", light_skipped_relatively},
      {"small_moments_are_none", "moments below 1e-6 kg m^2 are 0", "lammps#1657, #2105", small_moments_are_none},
      {"small_tensor_is_diagonal", "a tensor below 1e-9 kg m^2 is not diagonalised", "absolute thresholds",
       small_tensor_is_diagonal},
      {"overflow_of_squares", "d^2 in plain double", "over- and underflow", overflow_of_squares},
      {"moments_descend", "the largest moment first", "order of the moments: LIGGGHTS, LAMMPS", moments_descend},
      {"moments_unsorted", "the moments as Jacobi's rotations leave them", "order of the moments", moments_unsorted},
      {"moments_of_the_diagonal", "xx, yy, zz for the moments", "not diagonalised", moments_of_the_diagonal},
      {"moments_per_mass", "squares of the radii of gyration", "moments or radii of gyration", moments_per_mass},
      {"moments_in_double_closed_form", "the closed form of the roots, in double", "half the digits at a double root",
       moments_in_double_closed_form},
      {"moments_negative", "the least moment has the wrong sign", "sign", moments_negative},
      {"axes_conjugate", "global to local for local to global", "direction of a rotation", axes_conjugate},
      {"axes_identity", "the axes stay the global ones", "not diagonalised", axes_identity},
      {"axes_exchanged", "the axes of the first two moments exchanged", "moments sorted, axes not", axes_exchanged},
      {"axes_scalar_last", "the orientation is answered as x, y, z, w", "order of the components", axes_scalar_last},
      {"axes_not_unit", "a quaternion of length 2", "not normalised", axes_not_unit},
      {"axes_as_float", "the quaternion is rounded to float", "single precision storage", axes_as_float},
      {"axes_left_handed", "a reflection taken for a rotation", "determinant -1 of the eigenvectors", axes_left_handed},
      {"one_sweep", "one sweep of Jacobi's rotations", "an iteration stopped too early", one_sweep},
      {"cluster_too_wide", "moments within 1e-6 of the largest are made equal", "a tolerance wider than the budget",
       cluster_too_wide},
      {"subnormal_is_zero", "subnormal numbers are 0", "flush to zero", subnormal_is_zero},
      {"single_about_origin", "a single member's inertia is about the origin", "a shortcut for one member",
       single_about_origin},
      {"inertia_over_the_budget", "xx is 25 u S too large", "the least that the budget of 24 u S forbids",
       inertia_over_the_budget, nullptr, "25 u are less than 1024"},
      {"mass_over_the_budget", "the mass is 3.5 u too large", "the least that the budget of 2 u forbids",
       mass_over_the_budget, nullptr, "3.5 u are less than 1024"},
      {"centroid_over_the_budget", "the centroid is 5 u of the scale off", "the least that the budget of 4 u forbids",
       centroid_over_the_budget, nullptr, "5 u are less than 1024"},
      {"axes_over_the_budget", "the quaternion is 80 u S longer, squared",
       "the least that the budget of 64 u S forbids", axes_over_the_budget, nullptr, "80 u are less than 1024"},
      {"one_of_the_next", "the first member of the next clump counts too", "offsets of lists read inclusively", none,
       one_of_the_next<right, &Case::members>},
      {"axes_of_the_last", "a single member has the axes of the clump before", "a start value not set", none,
       axes_of_the_last},
      {"tail_left_alone", "the last n modulo 4 clumps of a batch are another", "a SIMD loop without its tail", none,
       tail_left_alone<right>},
  };
  return with_lengths<right, &Case::members>(list);
}

}  // namespace demeter::clump_mass_properties::mutants
