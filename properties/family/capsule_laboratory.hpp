// The quantities that the continuity searches of capsule contacts observe: point, normal, overlap, force and torque, in
// units of a length.
#pragma once

#include "kernels/make_laboratory.hpp"
#include "kernels/motion.hpp"
#include "properties/core/generators.hpp"

#include <span>

namespace demeter::capsule::continuity {

/// A contact in the natural unit of length of a continuity search. `point` is relative to the point about which torques
/// are computed.
template <class Scalar>
struct Contact {
  Vector3<Scalar> point, normal;
  Scalar uN;     ///< uN as the subject answered it
  Scalar depth;  ///< overlap; 0 if the capsules do not overlap
  bool asked;    ///< whether quantities other than the overlap are compared here
};

/// Returns the observation of a contact. Its numbers 0 to 12 are point, normal, overlap, force (overlap times normal)
/// and torque. Without an overlap, force and torque are 0, and point and normal are not compared. A quantity that was
/// not computed is not compared.
template <class Scalar>
Observation<Scalar, 13, 5> observed(Contact<Scalar> const& contact) {
  Observation<Scalar, 13, 5> result;
  bool const measured = contact.uN == contact.uN, touching = contact.uN < Scalar(0);
  auto const put = [&](std::size_t first, Vector3<Scalar> const& v) {
    for (std::size_t i = 0; i < 3; ++i) result.numbers[first + i] = v[static_cast<Index>(i)];
  };
  put(0, contact.point);
  put(3, contact.normal);
  result.numbers[6] = contact.depth;
  if (touching) {
    Vector3<Scalar> const force = contact.depth * contact.normal;
    put(7, force);
    put(10, Vector3<Scalar>(contact.point.cross(force)));
  } else {
    for (std::size_t i = 7; i < 13; ++i) result.numbers[i] = Scalar(0);
  }
  auto const known = [&](std::size_t first) {
    for (std::size_t i = first; i < first + 3; ++i)
      if (!(result.numbers[i] == result.numbers[i])) return false;
    return true;
  };
  bool const asked = contact.asked && measured;
  result.counts = {asked && touching && known(0), asked && touching && known(3), measured, asked && known(7),
                   asked && known(10)};
  return result;
}

/// Returns a small rotation, a small translation or both. The rotation is at most 10^`turn_log` and the translation at
/// most 10^`shift_log`.
inline Motion<double> small_motion(Random& random, double turn_log, double shift_log) {
  Motion<double> motion;
  motion.translation.setZero();
  motion.turn.setZero();
  bool const turns = random.chance(0.6), shifts = !turns || random.chance(0.5);
  if (turns) motion.turn = any_vector(random, -2, turn_log);
  if (shifts) motion.translation = any_vector(random, -1.5, shift_log);
  return motion;
}

/// Returns the stored energy overlap^2 / 2 for stiffness 1, computed from the answered overlap.
inline double stored(std::span<double const> observation) { return observation[6] * observation[6] / 2; }

}  // namespace demeter::capsule::continuity
