// Tests that cases are drawn on both sides of every threshold of every kernel. There must be cases in every decade of
// distance, from a few ulps to a thousandth of the scale. An error that occurs only at such a distance then appears in
// some case. Kernels without a threshold are not listed.
#include "fast/clump_mass_properties.hpp"
#include "fast/superquadric_box_test.hpp"
#include "fast/superquadric_contact.hpp"
#include "fast/superquadric_depth.hpp"
#include "fast/superquadric_shape.hpp"
#include "kernels/kernel.hpp"
#include "reference/spec/capsule_contact.hpp"
#include "reference/spec/capsule_endpoints.hpp"
#include "reference/spec/capsule_mass_properties.hpp"
#include "reference/spec/clump_grid_mass_properties.hpp"
#include "reference/spec/clump_union_mass_properties.hpp"
#include "reference/spec/contact_force.hpp"
#include "reference/spec/core/table.hpp"
#include "reference/spec/disc_disc_contact.hpp"
#include "reference/spec/disc_segment_contact.hpp"
#include "reference/spec/nscd_contact_update.hpp"
#include "reference/spec/nscd_solve.hpp"
#include "reference/spec/segment_distance.hpp"
#include "reference/spec/superquadric_kinematics.hpp"
#include "reference/spec/superquadric_mass_properties.hpp"
#include "reference/spec/wall_capsule_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>

namespace demeter {
namespace thresholds_test {

using Wide = long double;
using See = std::function<void(Wide)>;

/// States whether cases can be on both sides of a threshold or only on one side.
enum class Sides : unsigned char { both, one };

struct Threshold {
  std::string kernel, regime, what;
  Sides sides;
  int nearest;  ///< the power of ten of the first decade that is drawn; the last decade is 1e-4
  /// Calls `see` with the signed distances of a case from the threshold, relative to the scale.
  std::function<void(Table const& cases, std::size_t row, See const& see)> look;
};
std::ostream& operator<<(std::ostream& out, Threshold const& of) {
  return out << of.kernel << ", " << of.regime << ": " << of.what;
}

template <class Contract, class Look>
Threshold threshold(std::string regime, std::string what, Look look, Sides sides = Sides::both, int nearest = -14) {
  return {std::string(Contract::name),
          std::move(regime),
          std::move(what),
          sides,
          nearest,
          [look](Table const& cases, std::size_t row, See const& see) {
            look(load<typename Contract::template Input<double>>(cases, row), see);
          }};
}

template <class Vector>
auto wide(Vector const& v) {
  return v.template cast<Wide>();
}
/// Returns the number that is nearer to 0.
Wide nearer(Wide a, Wide b) { return std::fabs(a) < std::fabs(b) ? a : b; }

// ------------------------------------------------------------------------------------------------------- non-smooth

void add_discs(std::vector<Threshold>& all) {
  using Disc = disc_disc_contact::Contract;
  auto const distance = [](auto const& in) { return wide(in.centre_i - in.centre_j).norm(); };
  all.push_back(threshold<Disc>("just_present", "the gap is the alert distance", [distance](auto const& in, See see) {
    see((distance(in) - in.radius_i - in.radius_j - in.alert) / (in.radius_i + in.radius_j));
  }));
  all.push_back(threshold<Disc>("just_present", "the discs touch", [distance](auto const& in, See see) {
    see((distance(in) - in.radius_i - in.radius_j) / (in.radius_i + in.radius_j));
  }));
  all.push_back(threshold<Disc>(
      "nearly_equal_centres", "the centres are equal",
      [distance](auto const& in, See see) { see(distance(in) / (in.radius_i + in.radius_j)); }, Sides::one));
  all.push_back(
      threshold<Disc>("along_an_axis", "the line of the centres is along an axis", [](auto const& in, See see) {
        auto const d = wide(in.centre_i - in.centre_j);
        see(nearer(d[0], d[1]) / d.norm());
      }));

  using Segment = disc_segment_contact::Contract;
  struct Seen {
    Wide along, length, across, distance;
  };
  auto const seen = [](auto const& in) -> Seen {
    auto const t = wide(in.p1 - in.p0), s = wide(in.centre - in.p0), q = wide(in.centre - in.p1);
    Wide const length = t.norm(), along = s.dot(t) / length, behind = q.dot(t) / length,
               across = std::fabs(t[0] * s[1] - t[1] * s[0]) / length;
    return {along, length, across, along < 0 ? s.norm() : behind > 0 ? q.norm() : across};
  };
  all.push_back(threshold<Segment>("just_present", "the gap is the alert distance", [seen](auto const& in, See see) {
    see((seen(in).distance - in.radius - in.alert) / in.radius);
  }));
  all.push_back(threshold<Segment>("just_present", "disc and segment touch", [seen](auto const& in, See see) {
    see((seen(in).distance - in.radius) / in.radius);
  }));
  all.push_back(threshold<Segment>("at_an_end", "the foot is an end", [seen](auto const& in, See see) {
    Seen const of = seen(in);
    see(nearer(of.along, of.along - of.length) / in.radius);
  }));
  all.push_back(threshold<Segment>(
      "nearly_on_the_segment", "the centre is on the segment",
      [seen](auto const& in, See see) { see(seen(in).across / in.radius); }, Sides::one));
  all.push_back(threshold<Segment>(
      "near_an_end", "the centre is an end",
      [](auto const& in, See see) {
        see(std::min(wide(in.centre - in.p0).norm(), wide(in.centre - in.p1).norm()) / in.radius);
      },
      Sides::one));
}

void add_nonsmooth(std::vector<Threshold>& all) {
  using Update = nscd_contact_update::Contract;
  auto const approach = [](auto const& in) { return wide(in.velocity_i - in.velocity_j); };
  all.push_back(threshold<Update>("just_meeting", "the gap is what a step closes", [approach](auto const& in, See see) {
    Wide const v = approach(in).dot(wide(in.normal));
    see(1 + in.gap / (v * in.dt));
  }));
  all.push_back(threshold<Update>("touching", "the surfaces touch", [approach](auto const& in, See see) {
    see(in.gap / (approach(in).norm() * in.dt));
  }));
  all.push_back(threshold<Update>("grazing", "nothing approaches", [approach](auto const& in, See see) {
    see(approach(in).dot(wide(in.normal)) / approach(in).norm());
  }));

  using Solve = nscd_solve::Contract;
  auto const each = [](auto const& in, auto const& use) {
    for (auto const& contact : in.contacts) {
      auto const i = static_cast<std::size_t>(contact.i), j = static_cast<std::size_t>(contact.j);
      auto const v = wide(in.velocities[i] - in.velocities[j]);
      use(v.norm() * in.dt, v.dot(wide(contact.normal)) * in.dt, static_cast<Wide>(contact.gap));
    }
  };
  all.push_back(threshold<Solve>("nearly_meeting", "a gap is what a step closes", [each](auto const& in, See see) {
    each(in, [&](Wide, Wide approach_, Wide gap) { see(1 + gap / approach_); });
  }));
  all.push_back(threshold<Solve>("nearly_meeting", "surfaces touch", [each](auto const& in, See see) {
    each(in, [&](Wide speed, Wide, Wide gap) { see(gap / speed); });
  }));
  all.push_back(threshold<Solve>("parallel_to_ulps", "two normals are the same", [](auto const& in, See see) {
    auto const n = wide(in.contacts[0].normal), m = wide(in.contacts[1].normal);
    see(n[0] * m[1] - n[1] * m[0]);
  }));
}

void add_forces(std::vector<Threshold>& all) {
  using Force = contact_force::Contract;
  all.push_back(threshold<Force>("parting", "the bodies touch",
                                 [](auto const& in, See see) { see(static_cast<Wide>(in.uN) / in.uN_before); }));
  all.push_back(threshold<Force>("first_touch", "a step ago they touched",
                                 [](auto const& in, See see) { see(static_cast<Wide>(in.uN_before) / in.uN); }));
  all.push_back(
      threshold<Force>("at_the_bound", "the tangential force is Coulomb's bound", [](auto const& in, See see) {
        auto const n = wide(in.normal);
        auto const v = wide(in.velocity), w = (v - v.dot(n) * n);
        auto const spring = (in.tangential_stiffness * (wide(in.spring) + in.dt * w));
        Wide const damping = in.law == contact_force::ForceLaw::dashpot ? in.tangential_damping : 0,
                   most = std::max(spring.norm(), (spring + damping * w).norm());
        see(most / (static_cast<Wide>(in.friction) * in.normal_stiffness * -in.uN) - 1);
      }));
  all.push_back(threshold<Force>("just_pulling", "the normal force changes its sign", [](auto const& in, See see) {
    Wide const s = in.law == contact_force::ForceLaw::hertz ? std::sqrt(-static_cast<Wide>(in.uN) / in.radius) : 1,
               elastic = s * in.normal_stiffness * -in.uN;
    see(std::sqrt(s) * in.normal_damping * wide(in.velocity).dot(wide(in.normal)) / elastic - 1);
  }));
  auto const one_sided = [&](std::string what, auto share) {
    all.push_back(threshold<Force>(
        "without", what, [share](auto const& in, See see) { see(share(in)); }, Sides::one));
  };
  one_sided("no tangential stiffness",
            [](auto const& in) { return static_cast<Wide>(in.tangential_stiffness) / in.normal_stiffness; });
  one_sided("no friction", [](auto const& in) { return static_cast<Wide>(in.friction); });
  one_sided("the normal stays", [](auto const& in) { return (wide(in.normal_before) - wide(in.normal)).norm(); });
}

// ---------------------------------------------------------------------------------------------------------- capsules

void add_capsules(std::vector<Threshold>& all) {
  using Contact = capsule_contact::Contract;
  for (std::string const regime : {"parallel", "perpendicular", "spheres", "stubby", "slender", "lattice"})
    all.push_back(threshold<Contact>(regime, "the capsules touch", [](auto const& in, See see) {
      Wide const R = static_cast<Wide>(in.radius1) + in.radius2;
      see(capsule_contact::conditioning(in).distance / R - 1);
    }));
  auto const sine = [](auto const& a, auto const& b) { return a.cross(b).norm() / (a.norm() * b.norm()); };
  all.push_back(threshold<Contact>(
      "near_parallel", "the axes are parallel",
      [sine](auto const& in, See see) { see(sine(wide(in.half1), wide(in.half2))); }, Sides::one));

  using Distance = segment_distance::Contract;
  all.push_back(threshold<Distance>(
      "near_parallel", "the segments are parallel",
      [sine](auto const& in, See see) { see(sine(wide(in.p1 - in.p0), wide(in.q1 - in.q0))); }, Sides::one));
  all.push_back(threshold<Distance>("feet_at_ends", "a foot is at an end", [](auto const& in, See see) {
    auto const A = wide(in.p1 - in.p0), B = wide(in.q1 - in.q0), w = wide(in.q0 - in.p0), N = A.cross(B);
    for (Wide const part : {w.cross(B).dot(N) / N.squaredNorm(), w.cross(A).dot(N) / N.squaredNorm()})
      see(nearer(part, 1 - part));
  }));

  using Wall = wall_capsule_contact::Contract;
  for (std::string const regime : {"touching", "sphere"})
    all.push_back(threshold<Wall>(regime, "an end touches the wall", [](auto const& in, See see) {
      auto const k = wall_capsule_contact::axis_of(in);
      Wide const height = (static_cast<Wide>(in.centre[k]) - in.wall) * in.sense - in.radius;
      for (int const sign : {-1, 1}) see((height + sign * static_cast<Wide>(in.half[k])) / in.radius);
    }));
  all.push_back(threshold<Wall>("flat", "the capsule is level", [](auto const& in, See see) {
    see(in.half[wall_capsule_contact::axis_of(in)] / wide(in.half).norm());
  }));

  using Ends = capsule_endpoints::Contract;
  all.push_back(threshold<Ends>("nearly_unit", "the quaternion has length 1",
                                [](auto const& in, See see) { see(wide(in.orientation).norm() - 1); }));
  all.push_back(threshold<Ends>("half_turn", "half a turn", [](auto const& in, See see) { see(in.orientation[0]); }));
  all.push_back(threshold<capsule_mass_properties::Contract>(
      "stubby", "no shaft", [](auto const& in, See see) { see(static_cast<Wide>(in.shaft) / in.radius); }, Sides::one));
}

// ------------------------------------------------------------------------------------------------------------ clumps

void add_clumps(std::vector<Threshold>& all) {
  using Union = clump_union_mass_properties::Contract;
  auto const pairs = [](auto const& in, auto const& use) {
    for (auto const& a : in.balls)
      for (auto const& b : in.balls)
        if (&a != &b && a.radius <= b.radius)
          use(wide(a.centre - b.centre).norm(), static_cast<Wide>(a.radius), static_cast<Wide>(b.radius));
  };
  all.push_back(
      threshold<Union>("nearly_inside", "a ball touches another from inside", [pairs](auto const& in, See see) {
        pairs(in, [&](Wide distance, Wide small, Wide large) { see((distance + small - large) / large); });
      }));
  all.push_back(threshold<Union>("nearly_touching", "balls touch from outside", [pairs](auto const& in, See see) {
    pairs(in, [&](Wide distance, Wide small, Wide large) { see((distance - small - large) / large); });
  }));
  all.push_back(threshold<clump_grid_mass_properties::Contract>(
      "near_sphere", "a centre is on a sphere", [](auto const& in, See see) {
        Wide const one = in.balls[0].radius, other = in.balls[1].radius;
        // At the threshold, both radii are whole numbers of half cell edges: the smaller radius is 2 `cells` of them.
        // The distance from the threshold is the relative deviation of the larger radius from a whole number.
        Wide const ratio = std::max(one, other) / std::min(one, other) * 2 * in.cells;
        see(ratio / std::round(ratio) - 1);
      }));
  all.push_back(threshold<clump_mass_properties::Contract>(
      "nearly_symmetric", "two moments are equal",
      [](auto const& in, See see) {
        auto const moments = wide(clump_mass_properties::fast::evaluate(in).principal);
        for (Index k = 0; k < 2; ++k) see((moments[k + 1] - moments[k]) / moments[2]);
      },
      Sides::one));
}

// ----------------------------------------------------------------------------------------------------- superquadrics

template <class Pair>
Wide distance_of_centres(Pair const& in) {
  return wide(in.j.position - in.i.position).norm() / in.i.semi_axes.minCoeff();
}
/// Returns sigma: the factor by which two bodies must grow to touch.
template <class Pair>
Wide sigma_of(Pair const& in) {
  return superquadric_contact::fast::evaluate({in.i, in.j, std::nullopt}).sigma;
}

void add_pairs(std::vector<Threshold>& all) {
  using Contact = superquadric_contact::Contract;
  using Depth = superquadric_depth::Contract;
  using Boxes = superquadric_box_test::Contract;
  auto const touch = [](auto const& in, See see) { see(sigma_of(in) - 1); };
  auto const centres = [](auto const& in, See see) { see(distance_of_centres(in)); };
  for (std::string const regime : {"touching", "just_separated"}) {
    all.push_back(threshold<Contact>(regime, "the bodies touch", touch));
    all.push_back(threshold<Depth>(regime, "the bodies touch", touch));
  }
  all.push_back(threshold<Boxes>("just_separated", "the bodies touch", touch));
  all.push_back(threshold<Contact>("concentric", "the centres are equal", centres, Sides::one));
  all.push_back(threshold<Depth>("concentric", "the centres are equal", centres, Sides::one));
  all.push_back(threshold<Boxes>("equal_centres", "the centres are equal", centres, Sides::one));
  auto const boxes = [](auto const& in, See see) {
    see(static_cast<Wide>(superquadric_box_test::fast::evaluate({in.i, in.j}).sigma_box) - 1);
  };
  all.push_back(threshold<Boxes>("typical", "the boxes touch", boxes));
  all.push_back(threshold<Contact>("touching", "the boxes touch", boxes));
}

void add_bodies(std::vector<Threshold>& all) {
  using Shape = superquadric_shape::Contract;
  all.push_back(threshold<Shape>("surface", "the point is on the surface", [](auto const& in, See see) {
    see(static_cast<Wide>(superquadric_shape::fast::evaluate(in).gauge) - 1);
  }));
  all.push_back(threshold<Shape>("edges", "two scaled coordinates are equal", [](auto const& in, See see) {
    auto const y = wide(in.point.cwiseQuotient(in.semi_axes)).cwiseAbs();
    see(nearer(nearer(y[0] / y[1] - 1, y[0] / y[2] - 1), y[1] / y[2] - 1));
  }));
  all.push_back(threshold<Shape>(
      "ellipsoid", "an exponent is 2",
      [](auto const& in, See see) {
        see(in.n1 - 2);
        see(in.n2 - 2);
      },
      Sides::one));
  all.push_back(threshold<Shape>(
      "near_planes", "the point is in a plane of symmetry",
      [](auto const& in, See see) {
        for (Index k = 0; k < 3; ++k) see(std::fabs(in.point[k]) / in.semi_axes[k]);
      },
      Sides::one));
  using Mass = superquadric_mass_properties::Contract;
  all.push_back(threshold<Mass>("equal_axes", "two semi-axes are equal", [](auto const& in, See see) {
    see(static_cast<Wide>(in.semi_axes[0]) / in.semi_axes[1] - 1);
  }));
  all.push_back(threshold<Mass>(
      "nearly_round", "an exponent is 2", [](auto const& in, See see) { see(in.n1 - 2); }, Sides::one));
  using Moving = superquadric_kinematics::Contract;
  all.push_back(threshold<Moving>("spheres", "the point is on a surface", [](auto const& in, See see) {
    for (auto const* of : {&in.i, &in.j}) see(wide(in.point - of->position).norm() / of->semi_axes[0] - 1);
  }));
  all.push_back(threshold<Moving>("spheres", "the curvatures limit the radius",
                                  [](auto const& in, See see) { see(in.curvature_limit - 1); }));
}

std::vector<Threshold> thresholds() {
  std::vector<Threshold> all;
  add_discs(all);
  add_nonsmooth(all);
  add_forces(all);
  add_capsules(all);
  add_clumps(all);
  add_pairs(all);
  add_bodies(all);
  std::erase_if(all, [](Threshold const& of) { return find_batch_kernel(of.kernel) == nullptr; });
  return all;
}

class ThresholdOf : public testing::TestWithParam<Threshold> {};

TEST_P(ThresholdOf, CasesAreDrawnOnBothSidesInEveryDecade) {
  constexpr int farthest = -4, enough = 3;
  constexpr std::uint64_t most = 40'000;
  Threshold const& of = GetParam();
  Kernel const& kernel = *find_batch_kernel(of.kernel);
  std::size_t regime = 0;
  while (regime < kernel.regimes.size() && kernel.regimes[regime].name != of.regime) ++regime;
  ASSERT_LT(regime, kernel.regimes.size());
  // Only nscd_solve has its thresholds in an extreme regime. Lemke's method in double treats numbers below half of the
  // digits as zero, so simple code fails near these thresholds.
  EXPECT_EQ(kernel.regimes[regime].profile == Profile::extreme, of.kernel == "nscd_solve");
  std::map<std::pair<int, bool>, int> seen;  // number of cases by decade of the distance and by sign
  std::size_t missing = static_cast<std::size_t>(farthest - of.nearest + 1) * (of.sides == Sides::both ? 2 : 1);
  See const see = [&](Wide off) {
    if (off == 0 || !std::isfinite(off)) return;
    auto const decade = static_cast<int>(std::floor(std::log10(std::fabs(off))));
    if (decade < of.nearest || decade > farthest) return;
    if (++seen[{decade, of.sides == Sides::both && off < 0}] == enough) --missing;
  };
  for (std::uint64_t id = 0; id < most && missing > 0; ++id) {
    Table cases(kernel.input);
    kernel.generate(regime, 1, id, cases);
    of.look(cases, 0, see);
  }
  EXPECT_EQ(missing, 0u);
  for (int decade = of.nearest; decade <= farthest; ++decade)
    for (bool const negative : {false, true}) {
      if (negative && of.sides == Sides::one) continue;
      EXPECT_GE((seen[{decade, negative}]), enough) << (negative ? "-" : "") << "1e" << decade << " in " << of;
    }
}

INSTANTIATE_TEST_SUITE_P(Threshold, ThresholdOf, testing::ValuesIn(thresholds()), [](auto const& each) {
  std::string name = each.param.kernel + "_" + each.param.regime + "_" + each.param.what;
  for (char& letter : name)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return name;
});

}  // namespace thresholds_test
}  // namespace demeter
