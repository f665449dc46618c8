// Solves scenes in continuous time in long double: rotations and impacts. Source:
// docs/mathematics/simulator.md#oracles.
#pragma once

#include "simulator/spec/scene.hpp"

#include <string>
#include <vector>

namespace demeter::simulator::oracle {

/// The value of an observable at the end; four numbers for an orientation.
struct Truth {
  std::string observable;
  std::vector<long double> values;
};

/// Returns the truths for bodies without contact. Integrates Euler's equations, with the torque that turns with the
/// body, and the quaternion, with a method of order 8 and adaptive steps.
std::vector<Truth> rotation(Scene<double> const& scene, long double duration);

/// Returns the truths for spheres that hit a wall along its normal, without gravity. Integrates m x'' = F(x, x') from
/// the first touch to the end of the force, which bisection finds.
std::vector<Truth> impact(Scene<double> const& scene);

/// Returns the truths of the oracle that the scene names, or none if it names no oracle.
std::vector<Truth> truths(Scene<double> const& scene, long double duration);

/// An isolated impact: the mass, the law and its coefficients, and the velocity at the start. With hertz, stiffness and
/// damping are the values at an overlap of `radius`.
struct Impact {
  ForceLaw law = ForceLaw::linear;
  bool tension = false;  ///< tensile forces are allowed
  long double mass = 1, stiffness = 1, damping = 0, radius = 1, velocity = 1;
};
struct Rebound {
  long double velocity, overlap, force, time;  ///< the velocity after the impact, the largest overlap and force, and
                                               ///< the duration
};
Rebound rebound(Impact const& impact);

/// Returns (v_after / v_before)^2 for a linear spring without damping and steps of dt. At its first step in contact the
/// sphere is the fraction a of a step past the first touch. At its last step in contact it is the fraction b of a step
/// before the separation.
long double discrete_restitution_squared(long double dt, long double stiffness, long double mass, long double a,
                                         long double b);

}  // namespace demeter::simulator::oracle
