// The interface of a simulation, independent of its arithmetic, its force law and its dynamics.
#pragma once

#include "simulator/spec/scene.hpp"
#include "simulator/spec/state.hpp"

#include <functional>
#include <limits>
#include <string_view>

namespace demeter::simulator {

/// A printed number: its digits, and the nearest double.
struct Text {
  std::string digits;
  double value = 0;
};

/// A shape as it is drawn, in the frame of its body. A wall is drawn from the scene, a polyline from its lines.
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

/// Why a simulation cannot continue, as text that begins with the step.
struct Trouble {
  std::string text;
  bool is_not_finite = false;  ///< a number became NaN or infinite; the scene may be valid
};

/// A simulation. Its functions do not throw and depend only on the scene: two simulations of the same scene with the
/// same number of steps are equal bit for bit.
struct Simulation {
  Dynamics dynamics = Dynamics::smooth;
  std::vector<BodyName> bodies;
  std::vector<Drawn> shapes;
  std::vector<Line> boundary;
  std::vector<std::string> warnings;                ///< about its start, one line each
  std::function<void()> advance;                    ///< does one step; does nothing after trouble
  std::function<std::optional<Trouble>()> trouble;  ///< nothing while the simulation can continue
  std::function<std::uint64_t()> step;
  std::function<double()> time, dt;
  std::function<Snapshot<Text>()> snapshot;
  /// Returns the smallest step at which a current contact becomes unstable; infinite without contacts.
  std::function<double()> critical_step;
  /// Return the exact state as text, and restore it. `load` returns false if the text is not a state of this scene and
  /// arithmetic.
  std::function<std::string()> save;
  std::function<bool(std::string_view)> load;
};

}  // namespace demeter::simulator
