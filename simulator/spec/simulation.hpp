// A simulation as whoever runs it sees it: what it does, whatever its arithmetic, its law and its dynamics.
#pragma once

#include "simulator/spec/scene.hpp"
#include "simulator/spec/state.hpp"

#include <functional>
#include <limits>
#include <string_view>

namespace demeter::simulator {

/// A number that is shown: its digits, and the double nearest to it.
struct Text {
  std::string digits;
  double value = 0;
};

/// A shape as it is drawn, in the frame of its body. A wall is drawn by its scene, a polyline by its lines.
struct Drawn {
  std::size_t body = 0;
  Form form = Form::sphere;  ///< sphere, capsule, wall, disc or polyline
  Vector3<double> centre{0, 0, 0}, half{0, 0, 0};
  double radius = 0;
};

/// A straight piece of a boundary, and the time at which it is taken away.
struct Line {
  Vector2<double> from{0, 0}, to{0, 0};
  double until = std::numeric_limits<double>::infinity();
};

struct BodyName {
  std::string name;
  Form form = Form::sphere;
  bool fixed = false;
};

/// Why a simulation cannot go on, in words that begin with the step.
struct Trouble {
  std::string text;
  bool is_not_finite = false;  ///< a number became NaN or infinite: the result of a scene that may be valid
};

/// Its functions throw nothing and depend on nothing but the scene: two that were made of the same one and advanced by
/// the same number of steps are equal to the bit.
struct Simulation {
  Dynamics dynamics = Dynamics::smooth;
  std::vector<BodyName> bodies;
  std::vector<Drawn> shapes;
  std::vector<Line> boundary;
  std::vector<std::string> warnings;                ///< of its start, one line each
  std::function<void()> advance;                    ///< by a step, which changes nothing once there is trouble
  std::function<std::optional<Trouble>()> trouble;  ///< nothing as long as the simulation can go on
  std::function<std::uint64_t()> step;
  std::function<double()> time, dt;
  std::function<Snapshot<Text>()> snapshot;
  /// The least step at which a contact as it is now becomes unstable; infinite without contacts.
  std::function<double()> critical_step;
  /// Its whole state, exactly, and that state again; false if the text is no state of this scene and arithmetic.
  std::function<std::string()> save;
  std::function<bool(std::string_view)> load;
};

}  // namespace demeter::simulator
