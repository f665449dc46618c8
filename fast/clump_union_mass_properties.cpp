// The union is divided into one convex body per ball: ball i cut down to its cell in the power diagram. The body is
// bounded by a patch of sphere i and by facets. A facet is the disc in which two spheres meet, cut down by the
// half-planes of the balls that overlap both. Let h be the distance of a facet's plane along its unit normal m, F its
// area, y = x - h m and rho^2 = r^2 - h^2. The divergence theorem about the centre of the ball gives
//   V        = (r^3 A + sum h F) / 3
//   int x    = sum (h int y - rho^2 F m) / 4
//   int xx^T = (r^2 V 1 + sum [(h^2 - r^2/2) (m int y^T + int y m^T) - h rho^2 F m m^T + h int yy^T]) / 5
// The surface is closed. Therefore int n over the patch was replaced by -sum F m, and int nn^T in the same way. Only
// the solid angle A of the patch remains. Great circles connect the ends of the arcs of the patch with one fixed point.
// A is the area between the arcs and these great circles. The fixed point is opposite the largest cap, and no arc comes
// near it. (A cap is the part of the sphere that one other ball covers.)
#include "fast/clump_union_mass_properties.hpp"

#include "fast/core/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fast/clump_union_mass_properties.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "fast/family/clump/union/side_by_side.hpp"

#if HWY_ONCE
#include "fast/core/double2.hpp"
#include "fast/family/clump/principal_axes.hpp"
#include "fast/family/clump/union/facets.hpp"
#include "fast/family/clump/union/lines.hpp"
#include "fast/family/clump/union/sites.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace demeter::clump_union_mass_properties::fast {
namespace {

using namespace demeter::fast_core;
using namespace demeter::fast_union;
using Index = demeter::fast_union::Index;
namespace axes = demeter::fast_clump::HWY_NAMESPACE;

using Result = std::array<double, 19>;  // volume, surface, mass, centroid (3), inertia (6), principal moments (3),
                                        // orientation (4)

bool in_domain(double density, Balls const& balls) {
  constexpr double largest = std::numeric_limits<double>::max();
  if (!(density > 0 && density <= largest) || balls.size == 0) return false;
  for (std::size_t i = 0; i < balls.size; ++i) {
    if (!(balls.r(i) > 0 && balls.r(i) <= largest)) return false;
    for (std::size_t k = 0; k < 3; ++k)
      if (!(std::abs(balls.c(k, i)) <= largest)) return false;
  }
  return true;
}

Result no_answer() {
  Result result;
  result.fill(std::numeric_limits<double>::quiet_NaN());
  return result;
}

/// Adds the remaining parts of all facets and the patches of all spheres, except spheres of sites (see sites.hpp).
/// Returns false if rounding left large gaps between the arcs of a sphere (see tear()). Such a sphere is then marked as
/// part of a pencil, and a second call puts it into a site.
bool add_patches(Workspace& work, SideBySide const& forms, Balls const& balls, Factor const& scaled) {
  work.arcs_found = 0;
  work.torn = false;
  if (work.pencils) find_sites(work);
  add_facets(work, forms, balls, scaled);
  bool broken = false;
  for (Body& body : work.bodies) {
    if (body.site.exists()) body.unclosed = 0;
    broken = broken || body.unclosed != 0;
  }
  if (broken) close_gaps(work);
  return !work.torn;
}

/// Initialises one body per ball, in the clump's unit of length. The bodies have no patches yet.
void lay_out(Workspace& work, Balls const& balls, Factor const& scaled) {
  work.bodies.assign(balls.size, Body{});
  for (std::size_t i = 0; i < balls.size; ++i) {
    Body& body = work.bodies[i];
    body.r = scaled(balls.r(i));
    body.dropped = body.r < 0x1p-300;  // such a ball is negligible, because the biggest radius is about 1
    if (body.dropped) body.r = 0x1p-300;
    body.inverse_r = 1 / body.r;
    body.least_a = 2;
    body.turn_x = 1;
  }
}

/// Volume, surface, centroid relative to the biggest ball, and second moments about the centroid, in the clump's unit
/// of length.
struct Integrals {
  Wide const &volume, &surface;
  Wide const (&mean)[3], (&second)[6];
};

/// Writes the result in the caller's units, with principal moments and orientation.
void write(Integrals const& of, double density, Balls const& balls, std::size_t biggest, int exponent, Result& result) {
  Wide const inertia[6] = {of.second[1] + of.second[2],
                           of.second[0] + of.second[2],
                           of.second[0] + of.second[1],
                           -of.second[3],
                           -of.second[4],
                           -of.second[5]};
  int const size = std::ilogb(inertia[0] + inertia[1] + inertia[2]);
  Wide const down = std::ldexp(Wide(1), -size);
  double tensor[6];
  for (std::size_t k = 0; k < 6; ++k) tensor[k] = static_cast<double>(inertia[k] * down);
  axes::Principal<double> principal;
  axes::diagonalise(tensor, principal);
  axes::make_canonical(principal);
  double q[4];
  axes::quaternion(principal.axes, q);
  // Powers of two in the range of long double. Each is computed only once: calling std::ldexp for every number took a
  // third of the time of a clump of one ball.
  Wide const length = std::ldexp(Wide(1), exponent), squared = length * length, moment = squared * squared * length;
  Wide const mass = density * of.volume;
  result[0] = static_cast<double>(of.volume * (squared * length));
  result[1] = static_cast<double>(of.surface * squared);
  result[2] = static_cast<double>(mass * (squared * length));
  for (std::size_t k = 0; k < 3; ++k) result[3 + k] = static_cast<double>(balls.c(k, biggest) + of.mean[k] * length);
  for (std::size_t k = 0; k < 6; ++k) result[6 + k] = static_cast<double>(density * inertia[k] * moment);
  Wide const up = std::ldexp(moment, size);
  for (std::size_t k = 0; k < 3; ++k)
    result[12 + k] = static_cast<double>(density * static_cast<Wide>(principal.moments[k]) * up);
  for (std::size_t k = 0; k < 4; ++k) result[15 + k] = q[k];
}

/// Computes the body of each ball: volume, surface, and moments about the ball's centre, in the clump's unit of length.
/// Returns false if there are too many facets or lines.
bool cut_up(SideBySide const& forms, Balls const& balls, int exponent, Workspace& work, Boxes& boxes) {
  std::size_t const n = balls.size;
  Factor const scaled(-exponent);
  lay_out(work, balls, scaled);
  work.pencils = false;
  if (!find_facets(work, forms, boxes, balls, scaled) || !find_lines(work, forms, balls, scaled)) return false;
  while (!add_patches(work, forms, balls, scaled)) forget_patches(work);
  if (work.pencils) add_sites(work, balls, exponent);
  std::size_t const room = n + most_lanes;
  if (work.angles.size() < 3 * room) work.angles.resize(3 * room);
  double* const angles = work.angles.data();
  for (std::size_t i = 0; i < n; ++i) {
    angles[i] = work.bodies[i].turn_y;
    angles[room + i] = work.bodies[i].turn_x;
  }
  forms.angles(angles, angles + room, angles + 2 * room, n);
  // The short loops are unrolled. Without unrolling they would take 1/40 of the time of a clump of 20 packed balls.
  for (std::size_t i = 0; i < n; ++i) {
    Body& body = work.bodies[i];
    if (body.dropped) continue;
    double const r_2 = body.r * body.r;
    if (!body.site.exists()) {
      body.surface = r_2 * solid_angle(body, angles[2 * room + i]);
      body.volume += body.r * body.surface;
#pragma GCC unroll 3
      for (std::size_t k = 0; k < 3; ++k) body.second[k] += r_2 * body.volume * (1.0 / 3);
    }
    body.volume *= 1.0 / 3;
#pragma GCC unroll 3
    for (std::size_t k = 0; k < 3; ++k) body.first[k] *= 0.25;
#pragma GCC unroll 6
    for (std::size_t k = 0; k < 6; ++k) body.second[k] *= 0.2;
  }
  return true;
}

/// Returns the properties of the union from the bodies of its balls.
template <class Bodies>
Result sum_up(Bodies const& bodies, double density, Balls const& balls, std::size_t biggest, int exponent) {
  // Volume, surface and first moments are summed first, then the second moments about the centroid. The exponent range
  // of long double contains every product. Positions are relative to the biggest ball, in the clump's unit of length.
  Wide const unit = std::ldexp(Wide(1), -exponent);
  auto const place = [&](std::size_t k, std::size_t i) {
    return (static_cast<Wide>(balls.c(k, i)) - balls.c(k, biggest)) * unit;
  };
  Wide volume = 0, surface = 0, mean[3] = {0, 0, 0}, second[6] = {0, 0, 0, 0, 0, 0};
  for (std::size_t i = 0; i < balls.size; ++i) {
    auto const& body = bodies[i];
    if (body.dropped) continue;
    surface += body.surface;
    volume += body.volume;
#pragma GCC unroll 3
    for (std::size_t k = 0; k < 3; ++k) mean[k] += body.volume * place(k, i) + body.first[k];
  }
  for (Wide& each : mean) each /= volume;
  for (std::size_t i = 0; i < balls.size; ++i) {
    auto const& body = bodies[i];
    if (body.dropped) continue;
    Wide arm[3];
#pragma GCC unroll 3
    for (std::size_t k = 0; k < 3; ++k) arm[k] = place(k, i) - mean[k];
    // Adds arm first^T + first arm^T + volume arm arm^T, computed as arm p^T + p arm^T with p = volume/2 arm + first.
    Wide const half = 0.5L * body.volume;
    Wide const x = half * arm[0] + body.first[0], y = half * arm[1] + body.first[1], z = half * arm[2] + body.first[2];
    second[0] += body.second[0] + 2 * (arm[0] * x);
    second[1] += body.second[1] + 2 * (arm[1] * y);
    second[2] += body.second[2] + 2 * (arm[2] * z);
    second[3] += body.second[3] + (arm[0] * y + arm[1] * x);
    second[4] += body.second[4] + (arm[0] * z + arm[2] * x);
    second[5] += body.second[5] + (arm[1] * z + arm[2] * y);
  }
  Result result;
  write(Integrals{volume, surface, mean, second}, density, balls, biggest, exponent, result);
  return result;
}

/// Balls without duplicates.
struct Distinct {
  std::vector<double> centre[3], radius;

  Balls balls() const {
    return {{centre[0].data(), centre[1].data(), centre[2].data()}, radius.data(), radius.size(), 1};
  }
  void add(Balls const& from, std::size_t i) {
    for (std::size_t k = 0; k < 3; ++k) centre[k].push_back(from.c(k, i));
    radius.push_back(from.r(i));
  }
};

/// Returns the balls without duplicates, or nullopt if there are no duplicates. With duplicates, all pairs of equal
/// balls would be tested, which may take long.
std::optional<Distinct> without_equals(Balls const& balls) {
  std::vector<Index> order(balls.size);
  std::iota(order.begin(), order.end(), Index{0});
  auto const key = [&](Index i) { return std::array{balls.c(0, i), balls.c(1, i), balls.c(2, i), balls.r(i)}; };
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    auto const x = key(a), y = key(b);
    return x < y || (x == y && a < b);
  });
  std::vector<bool> again(balls.size, false);
  bool any = false;
  for (std::size_t k = 1; k < order.size(); ++k)
    if (key(order[k - 1]) == key(order[k])) again[order[k]] = any = true;
  if (!any) return std::nullopt;
  Distinct distinct;
  for (std::size_t i = 0; i < balls.size; ++i)
    if (!again[i]) distinct.add(balls, i);
  return distinct;
}

/// The results of one body that sum_up() needs.
struct Kept {
  double surface, volume, first[3], second[6];
  bool dropped;
};

/// Number of balls whose bodies are computed at once, together with the balls that overlap them. A ball with ten
/// neighbours takes 3 KB.
constexpr Index at_once = Index{1} << 15;

/// Computes the bodies of many balls, one part of the clump at a time. The body of a ball depends only on the balls
/// that overlap the ball, unless a site (see sites.hpp) extends beyond the part.
class Parts {
 public:
  Parts(SideBySide const& forms, Balls const& balls, int exponent)
      : kept(balls.size), forms_(forms), balls_(balls), exponent_(exponent), is_own_(balls.size, false) {
    tree_.build(balls);
  }

  /// Computes the bodies of the balls of a box. A box with more than at_once balls is divided into its two halves. If a
  /// half fails, the box is computed as a whole. Returns false if there are too many facets or lines.
  bool cut_up(Index place = 0) {
    Boxes::Box const box = tree_.boxes[place];
    bool const whole = box.right == 0 || box.end - box.begin <= at_once;
    return (!whole && cut_up(place + 1) && cut_up(box.right)) || cut_up_at_once(box);
  }

  std::vector<Kept> kept;  ///< results of each ball

 private:
  /// Returns false if there are too many facets or lines, or if a site extends beyond the box.
  bool cut_up_at_once(Boxes::Box const& box) {
    std::fill(is_own_.begin(), is_own_.end(), false);
    for (Index n = box.begin; n < box.end; ++n) is_own_[tree_.order[n]] = true;
    std::vector<Index> const& part = tree_.meeting(box, [](Index) { return true; });
    Distinct copies;
    for (Index const ball : part) copies.add(balls_, ball);
    if (!fast::cut_up(forms_, copies.balls(), exponent_, work_, boxes_)) return false;
    for (std::size_t i = 0; i < part.size(); ++i) {
      Body const& body = work_.bodies[i];
      if (!is_own_[part[i]]) {
        if (body.site.exists()) return false;
        continue;
      }
      Kept& into = kept[part[i]];
      into.surface = body.surface;
      into.volume = body.volume;
      into.dropped = body.dropped;
      std::copy_n(body.first, 3, into.first);
      std::copy_n(body.second, 6, into.second);
    }
    return true;
  }

  SideBySide const& forms_;
  Balls const& balls_;
  int exponent_;
  std::vector<bool> is_own_;
  Boxes tree_, boxes_;
  Workspace work_;
};

Result properties(SideBySide const& forms, double density, Balls const& balls, Workspace& work, Boxes& boxes) {
  if (!in_domain(density, balls)) return no_answer();
  if (balls.size > several)
    if (auto const distinct = without_equals(balls)) return properties(forms, density, distinct->balls(), work, boxes);
  std::size_t biggest = 0;
  for (std::size_t i = 1; i < balls.size; ++i)
    if (balls.r(i) > balls.r(biggest)) biggest = i;
  int const exponent = exponent_of(balls.r(biggest));
  if (balls.size > 2 * at_once) {
    Parts parts(forms, balls, exponent);
    return parts.cut_up() ? sum_up(parts.kept, density, balls, biggest, exponent) : no_answer();
  }
  if (cut_up(forms, balls, exponent, work, boxes)) return sum_up(work.bodies, density, balls, biggest, exponent);
  work = {}, boxes = {};
  return no_answer();
}

Result properties(SideBySide const& forms, double density, Balls const& balls) {
  thread_local Workspace work;
  thread_local Boxes boxes;
  try {
    return properties(forms, density, balls, work, boxes);
  } catch (std::exception const&) {  // memory is exhausted, or a vector would be too long
    work = {}, boxes = {};
    return no_answer();
  }
}

/// Returns the functions of a level. AVX-512 runs the AVX2 code.
SideBySide const& forms_of(demeter::Level level) {
  return level == demeter::Level::scalar ? demeter::fast_union::HWY_NAMESPACE::forms
                                         : demeter::fast_union::N_AVX2::forms;
}

}  // namespace

Output<double> evaluate(Input<double> const& in) noexcept {
  static_assert(sizeof(Ball<double>) % sizeof(double) == 0);
  Balls balls{{nullptr, nullptr, nullptr}, nullptr, in.balls.size(), sizeof(Ball<double>) / sizeof(double)};
  if (!in.balls.empty()) {
    Ball<double> const& first = in.balls.front();
    for (std::size_t k = 0; k < 3; ++k) balls.centre[k] = first.centre.data() + k;
    balls.radius = &first.radius;
  }
  static demeter::Level const best = demeter::best_level();
  Result const r = properties(forms_of(best), in.density, balls);
  Output<double> out;
  out.volume = r[0];
  out.surface_area = r[1];
  out.mass = r[2];
  out.centroid = {r[3], r[4], r[5]};
  out.inertia = {r[6], r[7], r[8], r[9], r[10], r[11]};
  out.principal = {r[12], r[13], r[14]};
  out.orientation = {r[15], r[16], r[17], r[18]};
  return out;
}

void evaluate(demeter::Level level, std::size_t n, double const* const in[], double* const out[]) noexcept {
  SideBySide const& forms = forms_of(level);
  for (std::size_t row = 0; row < n; ++row) {
    auto const first = static_cast<std::size_t>(in[1][row]), end = static_cast<std::size_t>(in[1][row + 1]);
    Balls const balls{{in[2] + first, in[3] + first, in[4] + first}, in[5] + first, end - first, 1};
    Result const result = properties(forms, in[0][row], balls);
    for (std::size_t k = 0; k < result.size(); ++k)
      if (out[k] != nullptr) out[k][row] = result[k];
  }
}

}  // namespace demeter::clump_union_mass_properties::fast
#endif
