// Mutants of clump_union_mass_properties. Each mutant is `right()` with one defect.
//
// A patch is the part of a sphere outside all other balls. `right()` computes the patches with the function of the
// reference, in long double. If circles nearly touch or coincide, `right()` uses 64 digits and perturbs the radii by
// 1e-17, so that no case is degenerate. The mutants change the balls, or use the patches in another way.
#pragma once

#include "kernels/mutant.hpp"
#include "mutants/core/lengths.hpp"
#include "mutants/core/once.hpp"
#include "reference/clump_union_mass_properties.hpp"
#include "reference/spec/clump_union_mass_properties.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace demeter::clump_union_mass_properties::mutants {

using Case = Input<double>;
using Answer = Output<double>;
using Real = long double;
using Wide = Multiprecision;
using Part = Ball<Real>;
using Vector = Vector3<Real>;
using Matrix = Matrix3<Real>;

inline constexpr Defect defects[] = {
    {"overlaps_count", "the sum over all balls", "Woo's documentation: volumes computed twice"},
    {"pairs_only", "the balls minus the lenses of pairs", "inclusion and exclusion stopped after pairs"},
    {"contained_count", "a ball in another is added to the union", "a test that finds only partial overlaps"},
    {"duplicates_count", "a ball given twice counts twice", "ties in the test for contained balls"},
    {"next_only", "only consecutive balls of the list are neighbours", "the clump is assumed to be a chain"},
    {"last_dropped", "the last ball is skipped", "off by one"},
    {"first_alone", "only the first ball is used", "a wrong index"},
    {"buffer_of_four", "balls beyond the fourth are dropped", "a buffer of fixed size"},
    {"four_neighbours", "a ball is cut by at most four others", "a limited number of neighbours"},
    {"eight_neighbours", "a ball is cut by at most eight others", "a limited number of neighbours"},
    {"given_twice_dropped", "if a ball is given twice, both copies are dropped", "duplicates removed"},
    {"small_skipped", "balls below 0.1 mm are skipped", "absolute thresholds"},
    {"small_skipped_relatively", "balls below 1e-3 of the largest are skipped", "a threshold wider than the budget"},
    {"shallow_overlaps_ignored", "overlaps below 1e-3 r are removed by moving the balls apart",
     "a tolerance wider than the budget"},
    {"shallow_overlaps_ignored_absolutely", "overlaps below 1e-7 m are removed by moving the balls apart",
     "absolute thresholds"},
    {"perturbed_too_much", "ties are broken by radii 1e-12 larger", "a perturbation that is too large"},
    {"touching_from_inside_counts", "a ball that touches another from inside, to 1e-9, is added to the union",
     "a tolerance around a threshold"},
    {"nearly_inside_dropped", "a ball that protrudes from another by less than 1e-5 of its radius is skipped",
     "a tolerance around a threshold", "", "nearly_inside"},
    {"pi_as_float", "pi is a float", "a constant in single precision"},
    {"flux_of_centres_lost", "r^3 A / 3 instead of r^2 (c.N + r A) / 3", "a missing term"},
    {"flux_of_centres_halved", "c.N / 2 instead of c.N", "a wrong factor"},
    {"first_moment_of_patches_lost", "r^2 N is missing in the first moment", "a missing term"},
    {"second_moment_of_patches_lost", "r^3 Q is missing in the second moment", "a missing term"},
    {"third_moment_lost", "r^2 t is missing in the second moment", "a missing term"},
    {"nearly_whole_spheres_are_whole", "patches of more than 12.5 (of 4 pi) are treated as whole spheres",
     "small caps treated as a rounding error of 4 pi"},
    {"centroid_of_the_balls", "the centroid of the sum instead of the union", "overlaps not subtracted"},
    {"centroid_unweighted", "the unweighted mean of the centres", "missing weights"},
    {"centroid_mirrored", "y of the centroid has the wrong sign", "a wrong sign"},
    {"inertia_of_the_balls", "the second moments of the sum instead of the union", "overlaps not subtracted"},
    {"about_origin", "the inertia stays about the origin", "exactly as in the first document"},
    {"about_origin_in_double", "computed about the origin first, then transferred, in double",
     "cancels far from the origin"},
    {"transfer_sign", "the transfer is added", "sign of the parallel axis term"},
    {"second_moments_for_inertia", "int xx^T instead of tr 1 - int xx^T", "Euler tensor instead of inertia tensor"},
    {"product_of_inertia", "xy, xz, yz are plus the integrals", "sign of the products of inertia"},
    {"xz_and_yz_exchanged", "xz and yz are exchanged", "order of the storage"},
    {"surface_of_all", "the surfaces of all balls, including covered parts", "the inner surface is counted"},
    {"surface_of_equal_ball", "the surface of a ball with the same volume", "an equivalent radius"},
    {"mass_without_density", "the volume instead of the mass", "a missing factor"},
    {"inertia_without_density", "moments of the volume instead of the mass", "a missing factor"},
    {"moments_descend", "the moments descend", "order of the moments, as in LIGGGHTS and LAMMPS"},
    {"moments_of_the_diagonal", "xx, yy, zz instead of the moments", "a missing diagonalisation"},
    {"moments_per_mass", "squares of the radii of gyration", "radii of gyration instead of moments"},
    {"axes_conjugate", "rotates from global to local instead of local to global", "direction of a rotation"},
    {"axes_identity", "the axes are the global axes", "a missing diagonalisation"},
    {"axes_scalar_last", "the orientation is returned as x, y, z, w", "order of the components"},
    {"axes_not_unit", "a quaternion of length 2", "a missing normalisation"},
};
using Chosen = Choice<defects>;

inline std::vector<Part> chosen(Case const& in, Vector const& origin, Chosen const with) {
  double largest = 0;
  for (auto const& ball : in.balls) largest = std::max(largest, ball.radius);
  std::vector<Part> balls;
  for (std::size_t i = 0; i < in.balls.size(); ++i) {
    auto ball = in.balls[i];
    if (with("last_dropped") && i > 0 && i + 1 == in.balls.size()) continue;
    if (with("first_alone") && i > 0) continue;
    if (with("buffer_of_four") && i >= 4) continue;
    auto const again = [&](auto const& other) { return other.centre == ball.centre && other.radius == ball.radius; };
    if (with("given_twice_dropped") && std::count_if(in.balls.begin(), in.balls.end(), again) == 2 &&
        in.balls.size() > 2)
      continue;
    if (with("small_skipped") && i > 0 && ball.radius < 1e-4) continue;
    if (with("small_skipped_relatively") && ball.radius < 1e-3 * largest) continue;
    Part part = cast<Part>(ball);
    part.centre -= origin;
    balls.push_back(part);
  }
  if (with("shallow_overlaps_ignored") || with("shallow_overlaps_ignored_absolutely")) {
    // Two balls overlap by a tiny depth: moves one ball until the balls only touch.
    for (std::size_t i = 0; i < balls.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        Vector const between = balls[i].centre - balls[j].centre;
        Real const d = std::sqrt(between.dot(between)), depth = balls[i].radius + balls[j].radius - d;
        Real const allowed = with("shallow_overlaps_ignored") ? Real(Real(1e-3) * balls[i].radius) : Real(1e-7);
        if (depth > 0 && depth < allowed && d > 0) balls[i].centre += depth / d * between;
      }
  }
  return with("perturbed_too_much") ? reference::perturbed<Real>(balls, 1e-12L) : balls;
}

inline reference::Integrals<Real> nothing() { return {Real(0), Real(0), Vector3<Real>::Zero(), Matrix3<Real>::Zero()}; }

inline void add(reference::Integrals<Real> const& term, int sign, reference::Integrals<Real>& sum) {
  sum.volume += sign * term.volume;
  sum.area += sign * term.area;
  sum.first += Real(sign) * term.first;
  sum.second += Real(sign) * term.second;
}

inline reference::Patch<Real> wide_patch(std::vector<Part> const& balls, std::size_t i) {
  Precision const enough(64);
  std::vector<Ball<Wide>> wide;
  for (Part const& ball : balls) wide.push_back(cast<Ball<Wide>>(ball));
  auto const patch = *reference::exposed_patch<Wide>(reference::perturbed<Wide>(wide, Wide(1e-17)), i, true);
  reference::Patch<Real> rounded{static_cast<Real>(patch.A), {}, {}, {}};
  for (Index k = 0; k < 3; ++k) {
    rounded.N[k] = static_cast<Real>(patch.N[k]);
    for (Index l = 0; l < 3; ++l) {
      rounded.Q(k, l) = static_cast<Real>(patch.Q(k, l));
      rounded.t(k, l) = static_cast<Real>(patch.t(k, l));
    }
  }
  return rounded;
}

inline reference::Patch<Real> exposed_patch(std::vector<Part> const& balls, std::size_t i) {
  auto const patch = reference::exposed_patch<Real>(balls, i, false);
  return patch ? *patch : wide_patch(balls, i);
}

/// The balls that are not inside another ball, and the patch of each ball: the part of its sphere outside all other
/// balls.
struct Exposed {
  std::vector<Part> balls;
  std::vector<reference::Patch<Real>> patches;
};

inline Exposed const& exposed(std::vector<Part> const& all) {
  std::vector<Real> key;
  key.reserve(4 * all.size());
  for (Part const& ball : all) key.insert(key.end(), {ball.centre[0], ball.centre[1], ball.centre[2], ball.radius});
  auto const compute = [&] {
    Exposed result{reference::without_contained<Real>(all), {}};
    for (std::size_t i = 0; i < result.balls.size(); ++i) result.patches.push_back(exposed_patch(result.balls, i));
    return result;
  };
  return once(std::move(key), 50'000, compute, [](Exposed const& each) { return each.patches.size(); });  // about 20 MB
}

/// Returns the balls that a mutant considers for ball i. Ball i is the first of them. The others are the previous and
/// the next ball of the list, or the first few balls that overlap ball i.
inline std::vector<Part> seen_by(std::size_t i, std::vector<Part> const& kept, Chosen const with) {
  std::vector<Part> balls{kept[i]};
  if (with("next_only")) {
    if (i > 0) balls.push_back(kept[i - 1]);
    if (i + 1 < kept.size()) balls.push_back(kept[i + 1]);
    return balls;
  }
  std::size_t const most = with("four_neighbours") ? 5 : 9;
  for (std::size_t j = 0; j < kept.size() && balls.size() < most; ++j) {
    Vector const between = kept[j].centre - kept[i].centre;
    Real const reach = kept[j].radius + kept[i].radius;
    if (j != i && between.dot(between) < reach * reach) balls.push_back(kept[j]);
  }
  return balls;
}

/// Returns the length by which ball i protrudes from ball j. The length is negative if ball i is inside.
inline Real comes_out(std::vector<Part> const& balls, std::size_t i, std::size_t j) {
  Vector const between = balls[i].centre - balls[j].centre;
  return std::sqrt(between.dot(between)) + balls[i].radius - balls[j].radius;
}

/// Adds the integrals over the patches by the divergence theorem, like the reference.
inline reference::Integrals<Real> of_union(std::vector<Part> const& all, Chosen const with) {
  auto sum = nothing();
  bool const some = with("next_only") || with("four_neighbours") || with("eight_neighbours");
  auto const& [kept, patches] = exposed(all);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    auto patch = some ? exposed_patch(seen_by(i, kept, with), 0) : patches[i];
    Vector const& c = kept[i].centre;
    Real const r = kept[i].radius, r_2 = r * r;
    if (with("nearly_whole_spheres_are_whole") && patch.A > Real(12.5)) {
      patch.A = 4 * pi<Real>();
      patch.N.setZero();
      patch.Q = Matrix(Matrix::Identity() * Real(patch.A / 3));
      patch.t.setZero();
    }
    auto const& [A, N, Q, t] = patch;
    Real centre_flux = c.dot(N);
    if (with("flux_of_centres_lost")) centre_flux = 0;
    if (with("flux_of_centres_halved")) centre_flux /= 2;
    Real const flux = centre_flux + r * A;
    Matrix const cQ = c * Vector(Q * c).transpose(), cN = c * N.transpose();
    sum.area += r_2 * A;
    sum.volume += r_2 * flux / 3;
    Vector first = flux * c + r * (Q * c);
    if (!with("first_moment_of_patches_lost")) first += r_2 * N;
    sum.first += r_2 / 4 * first;
    Matrix second = flux * (c * c.transpose()) + r * (cQ + cQ.transpose()) + r_2 * (cN + cN.transpose());
    if (!with("third_moment_lost")) second += r_2 * t;
    if (!with("second_moment_of_patches_lost")) second += r_2 * r * Q;
    sum.second += r_2 / 5 * second;
  }
  return sum;
}

inline reference::Integrals<Real> of_each(std::vector<Part> const& balls) {
  auto sum = nothing();
  for (Part const& ball : balls) add(of_union({ball}, {}), 1, sum);
  return sum;
}

inline reference::Integrals<Real> integrals(Case const& in, std::vector<Part> balls, Chosen const with) {
  if (with("nearly_inside_dropped"))
    for (std::size_t i = balls.size(); i-- > 0;)
      for (std::size_t j = 0; j < balls.size(); ++j)
        if (balls[i].radius < balls[j].radius && comes_out(balls, i, j) < Real(1e-5) * balls[i].radius) {
          balls.erase(balls.begin() + static_cast<std::ptrdiff_t>(i));
          break;
        }
  if (with("overlaps_count")) return of_each(balls);
  auto sum = of_union(balls, with);
  if (with("pairs_only")) {
    sum = of_each(balls);
    for (std::size_t i = 0; i < balls.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        add(of_union({balls[i], balls[j]}, {}), 1, sum);
        add(of_each({balls[i], balls[j]}), -1, sum);
      }
  }
  bool const counts = with("contained_count") || with("duplicates_count") || with("touching_from_inside_counts");
  for (std::size_t i = 0; i < balls.size() && counts; ++i) {
    bool inside = false, again = false, touches = false;
    for (std::size_t j = 0; j < balls.size(); ++j) {
      touches = touches ||
                (balls[i].radius < balls[j].radius && std::fabs(comes_out(balls, i, j)) < Real(1e-9) * balls[j].radius);
      inside = inside || (i != j && reference::contained<Real>(balls, i, j));
      again = again || (j < i && in.balls[i].centre == in.balls[j].centre && in.balls[i].radius == in.balls[j].radius);
    }
    if ((with("contained_count") && inside) || (with("duplicates_count") && again) ||
        (with("touching_from_inside_counts") && touches))
      add(of_union({balls[i]}, {}), 1, sum);
  }
  return sum;
}

inline Answer evaluate(Case const& in, Chosen const with) {
  Vector const origin = cast<Ball<Real>>(in.balls.front()).centre;
  std::vector<Part> const balls = chosen(in, origin, with);
  auto found = integrals(in, balls, with);
  Real density = in.density;
  if (with("pi_as_float")) found.volume *= Real(static_cast<double>(3.14159265f)) / pi<Real>();
  Vector arm = found.first / found.volume;
  bool const of_all = with("centroid_of_the_balls") || with("inertia_of_the_balls") || with("surface_of_all");
  auto const each = of_all ? of_each(balls) : nothing();
  if (with("centroid_of_the_balls")) arm = each.first / each.volume;
  if (with("centroid_unweighted")) {
    arm.setZero();
    for (Part const& ball : balls) arm += ball.centre / Real(static_cast<double>(balls.size()));
  }
  Vector const to_centroid = with("about_origin") || with("about_origin_in_double") ? Vector(arm + origin) : arm;
  auto second = with("inertia_of_the_balls") ? each.second : found.second;
  Matrix const steiner = found.volume * (arm * arm.transpose());
  Matrix central = second - steiner;
  if (with("transfer_sign")) central = second + steiner;
  if (with("about_origin")) central += found.volume * (to_centroid * to_centroid.transpose());
  if (with("about_origin_in_double")) {
    Matrix const shift = found.volume * (to_centroid * to_centroid.transpose());
    for (Index i = 0; i < 3; ++i)
      for (Index k = 0; k < 3; ++k)
        central(i, k) =
            Real(static_cast<double>(Real(central(i, k) + shift(i, k)))) - Real(static_cast<double>(shift(i, k)));
  }
  Matrix inertia = -density * central;
  for (Index k = 0; k < 3; ++k) inertia(k, k) += density * (central(0, 0) + central(1, 1) + central(2, 2));
  if (with("second_moments_for_inertia")) inertia = density * central;
  if (with("inertia_without_density")) inertia /= density;
  if (with("xz_and_yz_exchanged")) {
    std::swap(inertia(0, 2), inertia(1, 2));
    inertia(2, 0) = inertia(0, 2), inertia(2, 1) = inertia(1, 2);
  }
  if (with("surface_of_all")) found.area = each.area;
  if (with("surface_of_equal_ball")) {
    Real const radius = std::cbrt(Real(3 * found.volume / (4 * pi<Real>())));
    found.area = 4 * pi<Real>() * radius * radius;
  }
  namespace clump = clump_mass_properties::reference;
  auto principal = clump::canonical<Real>(clump::diagonalised<Real>(inertia));
  Quaternion<Real> q = clump::quaternion<Real>(principal.axes);
  if (with("moments_descend")) std::swap(principal.moments[0], principal.moments[2]);
  if (with("moments_of_the_diagonal")) principal.moments = Vector(inertia(0, 0), inertia(1, 1), inertia(2, 2));
  if (with("moments_per_mass")) principal.moments /= Real(density * found.volume);
  if (with("axes_conjugate"))
    for (Index k = 1; k < 4; ++k) q[k] = -q[k];
  if (with("axes_identity")) q = {Real(1), Real(0), Real(0), Real(0)};
  if (with("axes_scalar_last")) q = Quaternion<Real>(q[1], q[2], q[3], q[0]);
  if (with("axes_not_unit")) q *= Real(2);
  if (with("product_of_inertia"))
    inertia(0, 1) = -inertia(0, 1), inertia(0, 2) = -inertia(0, 2), inertia(1, 2) = -inertia(1, 2);

  Answer out;
  auto const rounded = [](Real const& x) { return ScalarCast<double, Real>::apply(x); };
  out.volume = rounded(found.volume);
  out.surface_area = rounded(found.area);
  out.mass = rounded(with("mass_without_density") ? found.volume : Real(density * found.volume));
  for (Index k = 0; k < 3; ++k) {
    Real place = origin[k] + arm[k];
    if (with("centroid_mirrored") && k == 1) place = -place;
    out.centroid[k] = rounded(place);
    out.principal[k] = rounded(principal.moments[k]);
    out.inertia[k] = rounded(inertia(k, k));
  }
  out.inertia[3] = rounded(inertia(0, 1)), out.inertia[4] = rounded(inertia(0, 2)),
  out.inertia[5] = rounded(inertia(1, 2));
  for (Index k = 0; k < 4; ++k) out.orientation[k] = rounded(q[k]);
  return out;
}

inline Answer right(Case const& in) { return evaluate(in, {}); }

inline Mutants mutants() {
  std::vector<BatchDefect<Case, Answer>> const batches{
      {"one_of_the_next", "the first ball of the next clump is included", "offsets of lists read inclusively",
       one_of_the_next<right, &Case::balls>},
  };
  Distortions const distortions{.read_as_float = "density balls.centre balls.radius",
                                .as_float = "orientation",
                                .doubled = "surface_area",
                                .just_over = "volume surface_area centroid inertia"};
  return make_mutants<Contract>(evaluate, distortions, batches, dropped_at_lengths<right, &Case::balls>(right));
}

}  // namespace demeter::clump_union_mass_properties::mutants
