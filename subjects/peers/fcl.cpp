// The Flexible Collision Library (FCL) with its default tolerance.
#include "subjects/peers/fcl_answers.hpp"

void demeter_peer(demeter::Subject& made) {
  using namespace demeter;
  double const tolerance = fcl::CollisionRequestd().gjk_tolerance;
  made = {.name = "fcl",
          .doc = "Flexible Collision Library, double precision",
          .version = FCL_VERSION,
          .home = "https://github.com/flexible-collision-library/fcl",
          .origin = Origin::peer,
          .answers = {peers::mass_properties(), peers::distance(),
                      peers::contact(tolerance, "gjk_tolerance 1e-6, an absolute length: the default")}};
}
