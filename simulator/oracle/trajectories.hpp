// Solves the motion of a scene in continuous time, in long double. Two kinds of scenes have such an oracle: rotations
// and impacts. Source: docs/mathematics/simulator.md#oracles.
#pragma once

#include "simulator/spec/scene.hpp"

#include <string>
#include <vector>

namespace demeter::simulator::oracle {

/// The exact value of an observable at the end of a scene. An orientation has four values.
struct Truth {
  std::string observable;
  std::vector<long double> values;
};

/// Returns the truths for bodies without contact. Integrates Euler's equations and the quaternion by a method of order
/// 8 with adaptive steps. The torque is constant in the frame of the body.
std::vector<Truth> rotation(Scene<double> const& scene, long double duration);

/// Returns the truths for spheres that hit a wall along its normal, without gravity. Integrates m x'' = F(x, x') from
/// the first touch until the force ends. Bisection finds that time.
std::vector<Truth> impact(Scene<double> const& scene);

/// Returns the truths of the oracle that the scene names. Returns an empty list if the scene does not name an oracle.
std::vector<Truth> truths(Scene<double> const& scene, long double duration);

/// An impact of one body. `velocity` is the velocity at the first touch. For the Hertz law, stiffness and damping are
/// the values at an overlap of `radius`.
struct Impact {
  ForceLaw law = ForceLaw::linear;
  bool tension = false;  ///< tensile forces are allowed
  long double mass = 1, stiffness = 1, damping = 0, radius = 1, velocity = 1;
};
struct Rebound {
  long double velocity, overlap, force, time;  ///< the velocity after the impact, the largest overlap, the largest
                                               ///< force, and the duration
};
Rebound rebound(Impact const& impact);

/// Returns (v_after / v_before)^2 for a linear spring without damping and time steps of dt. The first step in contact
/// is at the time a dt after the first touch. The last step in contact is at the time b dt before the separation.
long double discrete_restitution_squared(long double dt, long double stiffness, long double mass, long double a,
                                         long double b);

}  // namespace demeter::simulator::oracle
