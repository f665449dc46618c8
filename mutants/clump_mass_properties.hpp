// Mutants of clump_mass_properties. Each mutant is `right()` with one defect.
#pragma once

#include "kernels/mutant.hpp"
#include "mutants/core/lengths.hpp"
#include "reference/spec/clump_mass_properties.hpp"

#include <array>
#include <cmath>
#include <utility>

namespace demeter::clump_mass_properties::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;
using Vector = Vector3<Real>;
using Matrix = Matrix3<Real>;

inline constexpr Defect defects[] = {
    {"about_origin", "the inertia stays about the origin", "exactly as in Woo's documentation"},
    {"one_pass_in_double", "computed about the origin first, then transferred, in double",
     "Woo's documentation: cancels far from the origin"},
    {"transfer_forgotten", "only the tensors of the members themselves", "a missing term"},
    {"transfer_sign", "the transfer is subtracted", "sign of the parallel axis term"},
    {"transfer_without_mass", "d^2 instead of m d^2", "a missing factor"},
    {"transfer_by_total_mass", "the mass of the clump instead of the member", "a wrong mass"},
    {"y_twice", "y^2 + y^2 instead of x^2 + y^2 in zz", "godotengine/godot#47284"},
    {"product_of_inertia", "xy, xz, yz are +sum of m x y", "sign of the products of inertia"},
    {"xz_and_yz_exchanged", "xz and yz are exchanged", "order of the storage"},
    {"wrong_element_averaged", "yz is averaged with xy", "LIGGGHTS 3.8.0 multisphere, moi[2][1]"},
    {"own_forgotten", "members are treated as point masses", "a missing term"},
    {"own_sphere", "the first moment is used for all three", "members treated as spheres"},
    {"own_unrotated", "frames of members are treated as the global frame", "a missing orientation"},
    {"own_rotated_once", "R I instead of R I R^T", "half of a rotation"},
    {"own_products_forgotten", "only the diagonal of a member's tensor is used", "missing products"},
    {"conjugate", "R^T I R instead of R I R^T", "Woo's q*: direction of a rotation"},
    {"scalar_last", "read as x, y, z, w instead of w, x, y, z", "order of the components"},
    {"not_normalised", "quaternions are assumed to have length 1", "FCL#567"},
    {"divided_by_length", "divided by |q| instead of |q|^2", "length and square exchanged"},
    {"normalised_if_far_off", "normalised only if |q|^2 differs from 1 by more than 1e-6",
     "a tolerance that saves nothing"},
    {"quaternion_squares_in_double", "|q|^2 in plain double", "overflow and underflow"},
    {"mass_in_double", "masses are summed in plain double", "a naive sum of many terms",
     "150 roundings are less than 1024"},
    {"mass_is_the_first", "the mass is that of the first member", "a wrong index"},
    {"mass_of_the_first_lost", "the mass of the first member is left out",
     "Woo: the first node of a clump has no mass"},
    {"centroid_unweighted", "the unweighted mean of the positions", "missing weights"},
    {"centroid_is_the_first", "the centroid is the position of the first member",
     "a reference point instead of the centroid"},
    {"arms_as_float", "arms are rounded to float", "single precision in between"},
    {"last_skipped", "the last of several members is skipped", "off by one"},
    {"first_twice", "the first member counts twice", "the first is added before the loop and again in the loop"},
    {"only_even_count", "the last member is dropped if their number is odd", "a loop unrolled by two"},
    {"buffer_of_64", "members beyond the 64th are dropped", "a buffer of fixed size"},
    {"same_place_skipped", "a member at the same position as the one before is skipped",
     "members identified by position"},
    {"given_twice_skipped", "a member equal to the one before is skipped", "duplicates removed"},
    {"light_skipped", "members below 1e-6 kg are skipped", "absolute thresholds"},
    {"light_skipped_relatively", "members below 1e-10 of the heaviest are skipped",
     "a threshold wider than the budget"},
    {"far_lighter_skipped", "members below 1e-20 of the heaviest are skipped",
     "a mass that is negligible beside the total"},
    {"small_moments_are_none", "moments below 1e-6 kg m^2 are 0", "lammps#1657, #2105"},
    {"small_tensor_is_diagonal", "a tensor below 1e-9 kg m^2 is not diagonalised", "absolute thresholds"},
    {"overflow_of_squares", "d^2 in plain double", "overflow and underflow"},
    {"moments_descend", "the moments descend", "order of the moments, as in LIGGGHTS and LAMMPS"},
    {"moments_unsorted", "the moments are not sorted", "order of the moments"},
    {"moments_of_the_diagonal", "xx, yy, zz instead of the moments", "a missing diagonalisation"},
    {"moments_per_mass", "squares of the radii of gyration", "radii of gyration instead of moments"},
    {"moments_in_double_closed_form", "the roots are computed by their closed form in double",
     "half of the digits are lost at a double root"},
    {"axes_conjugate", "rotates from global to local instead of local to global", "direction of a rotation"},
    {"axes_identity", "the axes are the global axes", "a missing diagonalisation"},
    {"axes_exchanged", "the axes of the first two moments are exchanged", "moments are sorted, axes are not"},
    {"axes_scalar_last", "the orientation is returned as x, y, z, w", "order of the components"},
    {"axes_not_unit", "a quaternion of length 2", "a missing normalisation"},
    {"axes_left_handed", "a reflection instead of a rotation", "determinant -1 of the eigenvectors"},
    {"one_sweep", "only one sweep of Jacobi rotations", "an iteration stopped too early"},
    {"cluster_too_wide", "moments that differ by less than 1e-6 of the largest are made equal",
     "a tolerance wider than the budget"},
    {"subnormal_is_zero", "subnormal numbers are 0", "flush to zero"},
    {"single_about_origin", "the inertia of a single member is about the origin", "a shortcut for one member"},
    {"axes_over_the_budget", "the square of the length of the quaternion is 80 u S too large",
     "an error just above the budget of 64 u S", "80 u are less than 1024"},
};
using Chosen = Choice<defects>;

inline Matrix rotation(Real w, Real x, Real y, Real z) {
  return {w * w + x * x - y * y - z * z, 2 * (x * y - w * z),           2 * (x * z + w * y),
          2 * (x * y + w * z),           w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
          2 * (x * z - w * y),           2 * (y * z + w * x),           w * w - x * x - y * y + z * z};
}

inline Matrix own(Member<double> const& member, Chosen const with) {
  auto const component = [&](Index i) -> Real {
    double const each = member.orientation[with("scalar_last") ? (i + 3) % 4 : i];
    return each;
  };
  auto const moment = [&](Index i) -> Real {
    double const each = member.inertia[i];
    if (with("small_moments_are_none") && each < 1e-6) return 0;
    return each;
  };
  Real const w = component(0), sign = with("conjugate") ? -1 : 1;
  Real const x = sign * component(1), y = sign * component(2), z = sign * component(3);
  Real square = w * w + x * x + y * y + z * z;
  if (with("quaternion_squares_in_double")) square = static_cast<double>(square);
  if (with("divided_by_length")) square = std::sqrt(square);
  if (with("not_normalised")) square = 1;
  if (with("normalised_if_far_off") && std::fabs(square - 1) < 1e-6L) square = 1;
  Matrix R = rotation(w, x, y, z) / square;
  if (with("own_unrotated")) R.setIdentity();
  Vector moments(moment(0), moment(1), moment(2));
  if (with("own_forgotten")) moments.setZero();
  if (with("own_sphere")) moments.setConstant(moments[0]);
  Matrix tensor = R * moments.asDiagonal() * R.transpose();
  if (with("own_rotated_once")) tensor = R * moments.asDiagonal();
  if (with("own_products_forgotten")) tensor = Matrix(tensor.diagonal().asDiagonal());
  return tensor;
}

struct Principal {
  Vector moments;
  Matrix axes;
};
/// Diagonalises a tensor by Jacobi's rotations. The moments ascend, and the axes are right-handed.
inline Principal diagonalised(Matrix A, Chosen const with) {
  Matrix V = Matrix::Identity();
  int const sweeps = with("one_sweep") ? 1 : 40;
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
  if (!with("moments_unsorted")) exchange(0), exchange(1), exchange(0);
  if (with("moments_descend")) std::swap(order[0], order[2]);
  Principal result;
  for (Index k = 0; k < 3; ++k) {
    Index const from = order[static_cast<std::size_t>(k)];
    result.moments[k] = A(from, from);
    result.axes.col(k) = V.col(from);
  }
  if (with("cluster_too_wide")) {
    for (Index k = 0; k < 2; ++k)
      if (result.moments[k + 1] - result.moments[k] < 1e-6L * result.moments[2])
        result.moments[k] = result.moments[k + 1];
  }
  if (result.axes.determinant() < 0) result.axes.col(2) = -result.axes.col(2);
  if (with("axes_exchanged")) {
    std::swap(result.axes.col(0), result.axes.col(1));
    result.axes.col(2) = -result.axes.col(2);
  }
  if (with("axes_left_handed")) result.axes.col(2) = -result.axes.col(2);
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

/// Returns the moments by Smith's closed form in double. This form loses half of the digits if two moments are equal.
inline Vector closed_form(Matrix const& inertia, Real size) {
  double const scale = static_cast<double>(size > 0 ? size : 1);
  Matrix3<double> const B = (inertia / size).cast<double>();
  double const centre = B.trace() / 3;
  Matrix3<double> const C = B - centre * Matrix3<double>::Identity();
  double const p = std::sqrt(C.squaredNorm() / 6);
  double const r = p > 0 ? std::min(1.0, std::max(-1.0, C.determinant() / (2 * p * p * p))) : 1;
  double const angle = std::acos(r) / 3, third = 2.0943951023931953;
  Vector moments{centre + 2 * p * std::cos(angle + third), centre + 2 * p * std::cos(third - angle),
                 centre + 2 * p * std::cos(angle)};
  return moments * scale;
}

inline bool is_skipped(Case const& in, std::size_t i, double heaviest, Chosen const with) {
  Member<double> const& member = in.members[i];
  if (with("light_skipped")) return member.mass < 1e-6;
  if (with("light_skipped_relatively")) return member.mass < 1e-10 * heaviest;
  if (with("far_lighter_skipped")) return member.mass < 1e-20 * heaviest;
  if (i == 0) return false;
  Member<double> const& before = in.members[i - 1];
  if (with("same_place_skipped")) return member.position == before.position;
  return with("given_twice_skipped") && member.position == before.position && member.mass == before.mass &&
         member.inertia == before.inertia && member.orientation == before.orientation;
}

/// Computes the sums in two passes in long double, with positions relative to the heaviest member. The range of long
/// double contains every product.
inline Answer evaluate(Case const& in, Chosen const with) {
  auto const as_double = [](Vector const& x) -> Vector { return x.cast<double>().cast<Real>(); };
  auto const as_float = [](Vector const& x) -> Vector { return x.cast<float>().cast<Real>(); };
  std::size_t count = in.members.size(), heaviest = 0;
  if (with("last_skipped") && count > 1) count = count - 1;
  if (with("only_even_count") && count > 1) count = count / 2 * 2;
  if (with("buffer_of_64")) count = std::min<std::size_t>(count, 64);
  for (std::size_t i = 0; i < count; ++i)
    if (in.members[i].mass > in.members[heaviest].mass) heaviest = i;
  Vector const origin = in.members[heaviest].position.cast<Real>();
  auto const skipped = [&](std::size_t i) { return is_skipped(in, i, in.members[heaviest].mass, with); };
  auto const mass_of = [&](std::size_t i) -> Real {
    if (with("mass_of_the_first_lost") && i == 0 && count > 1) return 0;
    double const mass = in.members[i].mass;
    if (with("subnormal_is_zero") && !std::isnormal(mass)) return 0;
    return with("first_twice") && i == 0 ? 2.0L * mass : mass;
  };

  Real mass = 0;
  Vector mean = Vector::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    if (skipped(i)) continue;
    Real const m = mass_of(i);
    mass += m;
    if (with("mass_in_double")) mass = static_cast<double>(mass);
    mean += m * (in.members[i].position.cast<Real>() - origin);
  }
  mean /= mass;
  if (with("centroid_unweighted")) {
    mean.setZero();
    for (std::size_t i = 0; i < count; ++i)
      mean += (in.members[i].position.cast<Real>() - origin) / static_cast<Real>(count);
  }
  if (with("centroid_is_the_first")) mean = in.members.front().position.cast<Real>() - origin;
  Vector centroid = origin + mean;

  Matrix inertia = Matrix::Zero();
  for (std::size_t i = 0; i < count; ++i) {
    if (skipped(i)) continue;
    Member<double> const& member = in.members[i];
    Vector arm = (member.position.cast<Real>() - origin) - mean;
    if (with("arms_as_float")) arm = as_float(arm);
    if (with("about_origin") || with("one_pass_in_double") || (with("single_about_origin") && count == 1))
      arm = member.position.cast<Real>();
    Real m = mass_of(i);
    if (with("transfer_without_mass")) m = 1;
    if (with("transfer_by_total_mass")) m = mass;
    if (with("transfer_forgotten")) m = 0;
    if (with("transfer_sign")) m = -m;
    Real const squares = with("overflow_of_squares") ? static_cast<double>(arm.squaredNorm()) : arm.squaredNorm();
    Matrix transfer = m * (squares * Matrix::Identity() - arm * arm.transpose());
    if (with("y_twice")) transfer(2, 2) = m * (arm[1] * arm[1] + arm[1] * arm[1]);
    inertia += transfer + own(member, with) * (with("first_twice") && i == 0 ? 2 : 1);
    if (with("one_pass_in_double")) inertia = inertia.cast<double>().cast<Real>();
  }
  if (with("one_pass_in_double")) {
    Vector const c = as_double(centroid);
    inertia -= Matrix((mass * (c.squaredNorm() * Matrix::Identity() - c * c.transpose()))).cast<double>().cast<Real>();
  }
  if (with("wrong_element_averaged")) inertia(1, 2) = inertia(2, 1) = (inertia(1, 2) + inertia(0, 1)) / 2;
  if (with("xz_and_yz_exchanged")) {
    std::swap(inertia(0, 2), inertia(1, 2));
    inertia(2, 0) = inertia(0, 2), inertia(2, 1) = inertia(1, 2);
  }
  if (with("own_rotated_once")) inertia = ((inertia + inertia.transpose()) / 2);
  Real const size = Contract::scale(in).principal[0];

  Matrix diagonalise = inertia;
  if (with("small_tensor_is_diagonal") && inertia.diagonal().maxCoeff() < 1e-9L)
    diagonalise = Matrix(inertia.diagonal().asDiagonal());
  Principal principal = diagonalised(diagonalise, with);
  Quaternion<Real> q = quaternion(principal.axes);
  if (with("moments_of_the_diagonal")) principal.moments = inertia.diagonal();
  if (with("moments_per_mass")) principal.moments /= mass;
  if (with("moments_in_double_closed_form")) principal.moments = closed_form(inertia, size);
  if (with("axes_conjugate")) q = {q[0], -q[1], -q[2], -q[3]};
  if (with("axes_identity")) q = {1, 0, 0, 0};
  if (with("axes_scalar_last")) q = Quaternion<Real>(q[1], q[2], q[3], q[0]);
  if (with("axes_not_unit")) q *= 2;
  if (with("axes_over_the_budget"))
    q *= 1 + 0x1p-53L * 40 * size / (principal.moments[2] > 0 ? principal.moments[2] : 1);
  if (with("product_of_inertia"))
    for (auto const& [i, j] : {std::pair<Index, Index>{0, 1}, {0, 2}, {1, 2}}) inertia(i, j) *= -1;

  auto const rounded = [&](Real value) -> double {
    auto const result = static_cast<double>(value);
    return with("subnormal_is_zero") && !std::isnormal(result) ? 0 : result;
  };
  Answer out;
  out.mass = rounded(with("mass_is_the_first") ? in.members.front().mass : mass);
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

inline Answer right(Case const& in) { return evaluate(in, {}); }

// ------------------------------------------------------------------------------------------------------ of batches

/// Imitates an iteration that starts from the principal axes of the previous clump. If a clump has one member, its
/// answer has the axes of the previous clump.
inline void axes_of_the_last(std::span<Case const> in, std::span<Answer> out) {
  answer_each<right>(in, out);
  for (std::size_t i = 1; i < in.size(); ++i)
    if (in[i].members.size() == 1) out[i].orientation = out[i - 1].orientation;
}

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"one_of_the_next", "the first member of the next clump is included", "offsets of lists read inclusively",
       one_of_the_next<right, &Case::members>},
      {"axes_of_the_last", "a single member gets the axes of the clump before it", "a missing start value",
       axes_of_the_last},
  };
  Distortions const distortions{.read_as_float = "members.orientation members.inertia",
                                .as_float = "centroid orientation",
                                .negated = "principal",
                                .just_over = "mass centroid inertia"};
  return make_mutants<Contract>(evaluate, distortions, batches, dropped_at_lengths<right, &Case::members>(right));
}

}  // namespace demeter::clump_mass_properties::mutants
