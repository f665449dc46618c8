// Rigid motions that are rational functions of a parameter. They need no trigonometric functions, preserve lengths
// exactly, and work in any precision.
#pragma once

#include "reference/spec/core/contract.hpp"

namespace demeter {

/// Returns v rotated by a Gibbs vector g (axis times tan(angle/2)): v + 2 g x (v + g x v) / (1 + g.g).
template <class Scalar>
Vector3<Scalar> turned(Vector3<Scalar> const& g, Vector3<Scalar> const& v) {
  Vector3<Scalar> const moved = g.cross(Vector3<Scalar>(v + g.cross(v)));
  Scalar const factor = 2 / (1 + g.squaredNorm());
  return v + factor * moved;
}

/// Returns the angular velocity of a body, in the global frame. The Gibbs vector of the body is g, and `rate` is the
/// time derivative of g.
inline Vector3<double> angular_velocity(Vector3<double> const& g, Vector3<double> const& rate) {
  return 2 / (1 + g.squaredNorm()) * (rate + g.cross(rate));
}

/// A rigid motion at s = 1: a rotation followed by a shift. The shift and the Gibbs vector are proportional to s, so
/// the motion is 0 at s = 0.
template <class Scalar>
struct Motion {
  Vector3<Scalar> translation, turn;

  static constexpr auto fields() {
    return std::tuple{
        field("translation", &Motion::translation, unit::metre, "shift at s = 1"),
        field("turn", &Motion::turn, unit::none, "Gibbs vector at s = 1: axis times tan(angle/2)"),
    };
  }
};

template <class Scalar>
bool is_nothing(Motion<Scalar> const& motion) {
  for (Index i = 0; i < 3; ++i)
    if (motion.translation[i] != Scalar(0) || motion.turn[i] != Scalar(0)) return false;
  return true;
}

/// The combination of two motions at one parameter of a path: turn and shift, and their derivatives with respect to the
/// parameter.
template <class Scalar>
struct Moved {
  Vector3<Scalar> turn, shift, turn_rate, shift_rate;
};

/// Returns the motion at parameter t in [0, 1]. If `across` is 0, the path is `motion` from s = -1 to s = 1. Otherwise
/// the path goes once around the rectangle [-1, 1]^2 of the parameters s of both motions. The motion is a smooth
/// function of t except at the corners of the rectangle.
template <class Scalar>
Moved<Scalar> moved(Motion<Scalar> const& motion, Motion<Scalar> const& across, Scalar const& t) {
  Scalar along(0), sideways(0), along_rate(0), sideways_rate(0);
  if (is_nothing(across)) {
    along = 2 * t - 1;
    along_rate = Scalar(2);
  } else {
    int const edge = t < Scalar(1) / 4 ? 0 : t < Scalar(1) / 2 ? 1 : t < Scalar(3) / 4 ? 2 : 3;
    Scalar const on_edge = 8 * t - (2 * edge + 1);  // -1 to 1
    int const sign = edge < 2 ? 1 : -1;
    Scalar& going = edge % 2 == 0 ? along : sideways;
    Scalar& resting = edge % 2 == 0 ? sideways : along;
    (edge % 2 == 0 ? along_rate : sideways_rate) = Scalar(8 * sign);
    going = sign * on_edge;
    resting = Scalar(edge == 0 || edge == 3 ? -1 : 1);
  }
  return {along * motion.turn + sideways * across.turn, along * motion.translation + sideways * across.translation,
          along_rate * motion.turn + sideways_rate * across.turn,
          along_rate * motion.translation + sideways_rate * across.translation};
}

}  // namespace demeter
