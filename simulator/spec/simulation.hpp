// The interface of a simulation, independent of its arithmetic, its force law and its dynamics.
#pragma once

#include "simulator/spec/scene.hpp"
#include "simulator/spec/state.hpp"

#include <functional>
#include <limits>
#include <string_view>

namespace demeter::simulator {

/// A number as text: its digits, and the nearest double.
struct Text {
  std::string digits;
  double value = 0;
};

/// A shape for drawing, in the frame of its body. A wall is drawn from the scene, a polyline from the lines of the
/// boundary.
struct Drawn {
  std::size_t body = 0;
  Form form = Form::sphere;  ///< sphere, capsule, wall, disc or polyline
  Vector3<double> centre{0, 0, 0}, half{0, 0, 0};
  double radius = 0;
};

/// A straight piece of a boundary, and the time at which it is removed.
struct Line {
  Vector2<double> from{0, 0}, to{0, 0};
  double until = std::numeric_limits<double>::infinity();
};

struct BodyName {
  std::string name;
  Form form = Form::sphere;
  bool fixed = false;
};

/// The reason why a simulation cannot continue. The text begins with the number of the step.
struct Trouble {
  std::string text;
  bool is_not_finite = false;  ///< a number became NaN or infinite; the scene may be valid
};

/// A simulation. Its functions do not throw. They depend only on the scene: two simulations of the same scene are equal
/// bit for bit after the same number of steps.
struct Simulation {
  Dynamics dynamics = Dynamics::smooth;
  std::vector<BodyName> bodies;
  std::vector<Drawn> shapes;
  std::vector<Line> boundary;
  std::vector<std::string> warnings;                ///< warnings about the start of the scene, one line each
  std::function<void()> advance;                    ///< does one step; does nothing after trouble
  std::function<std::optional<Trouble>()> trouble;  ///< the reason why the simulation cannot continue, or nothing
  std::function<std::uint64_t()> step;
  std::function<double()> time, dt;
  std::function<Snapshot<Text>()> snapshot;
  /// Returns the largest stable step for the current contacts, in seconds. Returns infinity without contacts and in
  /// non-smooth dynamics.
  std::function<double()> critical_step;
  /// `save` returns the exact state as text, and `load` restores it. `load` returns false if the text is not a state of
  /// this scene and this arithmetic.
  std::function<std::string()> save;
  std::function<bool(std::string_view)> load;
};

}  // namespace demeter::simulator
