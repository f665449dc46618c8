// Simbody, a multibody library: its contact tracker for two convex implicit surfaces.
#include "reference/spec/superquadric_depth.hpp"
#include "subjects/isolation/prepared.hpp"
#include "subjects/peers/peer.hpp"
#include "subjects/peers/simbody/ellipsoids.hpp"

namespace demeter::peers {
namespace {

simbody_ellipsoids::Body to_simbody(Superquadric<double> const& body) {
  // Simbody normalises quaternions, but returns NaN if the length is below an epsilon. So the largest component is made
  // 1 here.
  Quaternion<double> const q = body.orientation / body.orientation.cwiseAbs().maxCoeff();
  auto const &at = body.position, &axes = body.semi_axes;
  return {{at[0], at[1], at[2]}, {q[0], q[1], q[2], q[3]}, {axes[0], axes[1], axes[2]}};
}

bool is_ellipsoid(Superquadric<double> const& body) { return body.n1 == 2 && body.n2 == 2; }

Answering depth() {
  using namespace superquadric_depth;
  struct Native {
    simbody_ellipsoids::Pair pair;
    bool ellipsoids;
  };
  return answer_prepared<Contract>(
      "ContactTracker::ConvexImplicitPair of two ContactGeometry::Ellipsoid: the depth and the normal of its "
      "contact, a stationary direction that a search from one start finds; unsupported if an exponent is not 2 or "
      "if Simbody reports no contact, as for separated bodies",
      [](Input<double> const& in) -> Native {
        return {{to_simbody(in.i), to_simbody(in.j)}, is_ellipsoid(in.i) && is_ellipsoid(in.j)};
      },
      [](Native const& native, Output<double>& out) -> char const* {
        if (!native.ellipsoids) return "Simbody has ellipsoids, but no superquadrics with other exponents";
        auto const found = native.pair.contact();
        if (!found) return "Simbody reports no contact";
        out.depth = found->depth;
        out.direction = {found->normal[0], found->normal[1], found->normal[2]};
        return nullptr;
      });
}

Subject simbody() {
  return {.name = "simbody",
          .doc = "Simbody, double precision",
          .version = simbody_ellipsoids::version(),
          .home = "https://github.com/simbody/simbody",
          .origin = Origin::peer,
          .answers = {depth()}};
}

}  // namespace
}  // namespace demeter::peers

void demeter_peer(demeter::Subject& made) { made = demeter::peers::simbody(); }
