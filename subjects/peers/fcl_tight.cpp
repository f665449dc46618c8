// The Flexible Collision Library (FCL) with its smallest tolerance. Answers only capsule contacts, because the other
// answers of FCL do not depend on the tolerance.
#include "subjects/peers/fcl_answers.hpp"

#include <limits>

void demeter_peer(demeter::Subject& made) {
  using namespace demeter;
  made = {.name = "fcl_tight",
          .doc = "Flexible Collision Library, double precision, with the smallest tolerance",
          .version = FCL_VERSION,
          .home = "https://github.com/flexible-collision-library/fcl",
          .origin = Origin::peer,
          .answers = {peers::contact(std::numeric_limits<double>::epsilon(),
                                     "gjk_tolerance 2.2e-16, an absolute length: the smallest")}};
}
