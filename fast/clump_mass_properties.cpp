#include "fast/clump_mass_properties.hpp"

#include "fast/core/double2.hpp"
#include "fast/family/clump/principal_axes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace demeter::clump_mass_properties::fast {
namespace {

using namespace demeter::fast_core;

// ---------------------------------------------------------------------------------------------------------- members

// The members of one clump: the columns of all members, which of them is the first, how many, and how many doubles
// apart they are.
struct Members {
  double const* columns[11];  // position 3, orientation 4, mass, inertia 3
  std::size_t first, size, stride;

  double at(std::size_t column, std::size_t i) const { return columns[column][(first + i) * stride]; }
  double position(std::size_t axis, std::size_t i) const { return at(axis, i); }
  double mass(std::size_t i) const { return at(7, i); }
  double moment(std::size_t k, std::size_t i) const { return at(8 + k, i); }
};

using Result = std::array<double, 17>;  // mass, centroid 3, inertia 6, principal 3, orientation 4

bool in_domain(Members const& members) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (members.size == 0) return false;
  for (std::size_t i = 0; i < members.size; ++i) {
    bool fine = members.mass(i) > 0 && members.mass(i) <= largest;
    for (std::size_t k = 0; k < 3; ++k) {
      fine = fine && std::abs(members.position(k, i)) <= largest;
      fine = fine && members.moment(k, i) >= 0 && members.moment(k, i) <= largest;
    }
    bool turns = false;
    for (std::size_t k = 3; k < 7; ++k) {
      fine = fine && std::abs(members.at(k, i)) <= largest;
      turns = turns || members.at(k, i) != 0;
    }
    if (!fine || !turns) return false;
  }
  return true;
}

// Adds R diag(moments) R^T times a scale: R is the rotation that a quaternion of any length stands for.
void add_own(Members const& members, std::size_t i, Factor const& scaled, std::array<Double2, 6>& tensor) {
  double const a = scaled(members.moment(0, i)), b = scaled(members.moment(1, i)), c = scaled(members.moment(2, i));
  if (a == b && b == c) {  // a sphere, a cube: no rotation matters
    for (std::size_t k = 0; k < 3; ++k) tensor[k].add(a);
    return;
  }
  double largest = 0;
  for (std::size_t k = 3; k < 7; ++k) largest = std::max(largest, std::abs(members.at(k, i)));
  Factor const unit(-exponent_of(largest));
  double const w = unit(members.at(3, i)), x = unit(members.at(4, i)), y = unit(members.at(5, i)),
               z = unit(members.at(6, i));
  double const ww = w * w, xx = x * x, yy = y * y, zz = z * z, square = (ww + xx) + (yy + zz);
  Matrix R = {{{(ww + xx) - (yy + zz), 2 * (x * y - w * z), 2 * (x * z + w * y)},
               {2 * (x * y + w * z), (ww + yy) - (xx + zz), 2 * (y * z - w * x)},
               {2 * (x * z - w * y), 2 * (y * z + w * x), (ww + zz) - (xx + yy)}}};
  for (Vector& row : R)
    for (double& entry : row) entry /= square;
  auto const entry = [&](std::size_t r, std::size_t s) {
    return a * (R[r][0] * R[s][0]) + b * (R[r][1] * R[s][1]) + c * (R[r][2] * R[s][2]);
  };
  tensor[0].add(entry(0, 0));
  tensor[1].add(entry(1, 1));
  tensor[2].add(entry(2, 2));
  tensor[3].add(entry(0, 1));
  tensor[4].add(entry(0, 2));
  tensor[5].add(entry(1, 2));
}

// ------------------------------------------------------------------------------------------------------------ clump

Result properties(Members const& members) {
  Result result;
  if (!in_domain(members)) {
    result.fill(std::numeric_limits<double>::quiet_NaN());
    return result;
  }
  double largest_moment = 0;
  std::size_t heaviest = 0;
  Vector largest_position = {0, 0, 0};
  for (std::size_t i = 0; i < members.size; ++i) {
    if (members.mass(i) > members.mass(heaviest)) heaviest = i;
    for (std::size_t k = 0; k < 3; ++k) {
      largest_position[k] = std::max(largest_position[k], std::abs(members.position(k, i)));
      largest_moment = std::max(largest_moment, members.moment(k, i));
    }
  }

  // First pass: mass and, from the heaviest member, the centroid, each axis in units of its own.
  int const mass_exponent = exponent_of(members.mass(heaviest));
  double const mass_unit = power_of_two(-mass_exponent);
  std::array<int, 3> axis_exponent;
  Vector axis_unit;
  for (std::size_t k = 0; k < 3; ++k) {
    axis_exponent[k] = std::clamp(exponent_of(largest_position[k]), -1000, 1000);
    axis_unit[k] = power_of_two(-axis_exponent[k]);
  }
  int const used_mass_exponent = std::clamp(mass_exponent, -1000, 1000);
  auto const from_heaviest = [&](std::size_t k, std::size_t i) {
    return exact_difference(axis_unit[k] * members.position(k, i), axis_unit[k] * members.position(k, heaviest));
  };
  Double2 mass;
  std::array<Double2, 3> sum, mean;
  for (std::size_t i = 0; i < members.size; ++i) {
    double const m = mass_unit * members.mass(i);
    mass.add(m);
    for (std::size_t k = 0; k < 3; ++k) {
      Double2 const y = from_heaviest(k, i), term = exact_product(m, y.high);
      sum[k].add(term.high);
      sum[k].low += term.low + m * y.low;
    }
  }
  for (std::size_t k = 0; k < 3; ++k) mean[k] = quotient(sum[k], mass);

  // Second pass: arms from the centroid, brought to about 1.
  auto const arm = [&](std::size_t k, std::size_t i) {
    Double2 const y = from_heaviest(k, i), d = exact_difference(y.high, mean[k].high);
    return d.high + (d.low + (y.low - mean[k].low));
  };
  Vector largest_arm = {0, 0, 0};
  for (std::size_t i = 0; i < members.size; ++i)
    for (std::size_t k = 0; k < 3; ++k) largest_arm[k] = std::max(largest_arm[k], std::abs(arm(k, i)));
  constexpr int none = -10000;
  int arm_exponent = none;
  for (std::size_t k = 0; k < 3; ++k)
    if (largest_arm[k] > 0) arm_exponent = std::max(arm_exponent, std::ilogb(largest_arm[k]) + axis_exponent[k]);
  int const transfer_exponent = arm_exponent == none ? none : used_mass_exponent + 2 * arm_exponent;
  int const moment_exponent = largest_moment > 0 ? exponent_of(largest_moment) : none;
  int exponent = std::max(moment_exponent, transfer_exponent);
  if (exponent == none) exponent = 0;
  std::array<Factor, 3> const arm_scaled = {Factor(axis_exponent[0] - arm_exponent),
                                            Factor(axis_exponent[1] - arm_exponent),
                                            Factor(axis_exponent[2] - arm_exponent)};
  Factor const own_scaled(-exponent), transfer_scaled(transfer_exponent - exponent);
  std::array<Double2, 6> sums;
  for (std::size_t i = 0; i < members.size; ++i) {
    add_own(members, i, own_scaled, sums);
    if (arm_exponent == none) continue;
    double const m = transfer_scaled(mass_unit * members.mass(i));
    double const x = arm_scaled[0](arm(0, i)), y = arm_scaled[1](arm(1, i)), z = arm_scaled[2](arm(2, i));
    sums[0].add(m * (y * y + z * z));
    sums[1].add(m * (x * x + z * z));
    sums[2].add(m * (x * x + y * y));
    sums[3].add(-m * (x * y));
    sums[4].add(-m * (x * z));
    sums[5].add(-m * (y * z));
  }
  std::array<double, 6> tensor;
  for (std::size_t k = 0; k < 6; ++k) tensor[k] = sums[k].rounded();

  Principal principal = diagonalised(tensor);
  make_canonical(principal);
  auto const q = quaternion(principal.axes);
  result[0] = std::ldexp(mass.rounded(), used_mass_exponent);
  for (std::size_t k = 0; k < 3; ++k) {
    Double2 centroid{axis_unit[k] * members.position(k, heaviest), mean[k].low};
    centroid.add(mean[k].high);
    result[1 + k] = std::ldexp(centroid.rounded(), axis_exponent[k]);
  }
  for (std::size_t k = 0; k < 6; ++k) result[4 + k] = std::ldexp(tensor[k], exponent);
  for (std::size_t k = 0; k < 3; ++k) result[10 + k] = std::ldexp(principal.moments[k], exponent);
  for (std::size_t k = 0; k < 4; ++k) result[13 + k] = q[k];
  return result;
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  static_assert(sizeof(Member<double>) % sizeof(double) == 0);
  Members members{{}, 0, in.members.size(), sizeof(Member<double>) / sizeof(double)};
  if (!in.members.empty()) {
    Member<double> const& first = in.members.front();
    std::size_t column = 0;
    for (Eigen::Index k = 0; k < 3; ++k) members.columns[column++] = first.position.data() + k;
    for (Eigen::Index k = 0; k < 4; ++k) members.columns[column++] = first.orientation.data() + k;
    members.columns[column++] = &first.mass;
    for (Eigen::Index k = 0; k < 3; ++k) members.columns[column++] = first.inertia.data() + k;
  }
  Result const r = properties(members);
  Output<double> out;
  out.mass = r[0];
  out.centroid << r[1], r[2], r[3];
  out.inertia << r[4], r[5], r[6], r[7], r[8], r[9];
  out.principal << r[10], r[11], r[12];
  out.orientation << r[13], r[14], r[15], r[16];
  return out;
}

void evaluate(demeter::Level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  Members members{{}, 0, 0, 1};
  std::copy(in + 1, in + 12, members.columns);
  for (std::size_t row = 0; row < n; ++row) {
    members.first = static_cast<std::size_t>(in[0][row]);
    members.size = static_cast<std::size_t>(in[0][row + 1]) - members.first;
    Result const result = properties(members);
    for (std::size_t k = 0; k < result.size(); ++k)
      if (out[k] != nullptr) out[k][row] = result[k];
  }
}

}  // namespace demeter::clump_mass_properties::fast
