// What scenes come to in continuous time, in long double: rotations and impacts. Source:
// docs/mathematics/simulator.md#oracles.
#pragma once

#include "simulator/spec/scene.hpp"

#include <string>
#include <vector>

namespace demeter::simulator::oracle {

/// The value of an observable at the end; of an orientation all four numbers.
struct Truth {
  std::string observable;
  std::vector<long double> values;
};

/// Bodies that nothing touches: Euler's equations with the torque that turns with the body, and the quaternion, by an
/// integrator of order 8 with steps of its own.
std::vector<Truth> rotation(Scene<double> const& scene, long double duration);

/// Spheres that meet a wall along its normal, without gravity: m x'' = F(x, x') from the moment they touch to the
/// moment the force ends, found by bisection.
std::vector<Truth> impact(Scene<double> const& scene);

/// Those of the oracle that the scene names; nothing if it names none.
std::vector<Truth> truths(Scene<double> const& scene, long double duration);

/// An impact by itself: mass, law and its coefficients, and the velocity with which it begins. Stiffness and damping of
/// hertz are those at an overlap of `radius`.
struct Impact {
  ForceLaw law = ForceLaw::linear;
  bool tension = false;  ///< allowed
  long double mass = 1, stiffness = 1, damping = 0, radius = 1, velocity = 1;
};
struct Rebound {
  long double velocity, overlap, force, time;  ///< after it, the largest two, and how long it took
};
Rebound rebound(Impact const& impact);

/// Of a linear spring without damping, stepped with dt: (v_after / v_before)^2 of a sphere that was the share a of a
/// step past its touch at its first step inside, and is the share b of a step before its leave at its last.
long double discrete_restitution_squared(long double dt, long double stiffness, long double mass, long double a,
                                         long double b);

}  // namespace demeter::simulator::oracle
