// Two ellipsoids for Simbody's tracker of convex implicit surfaces. Simbody's headers require C++17 (in C++20 its
// comparisons of indices are ambiguous), so a separate source file includes them.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

namespace demeter::peers::simbody_ellipsoids {

struct Body {
  std::array<double, 3> position;
  std::array<double, 4> quaternion;  ///< w, x, y, z
  std::array<double, 3> semi_axes;
};

struct Contact {
  double depth;
  std::array<double, 3> normal;  ///< pointing away from the first body
};

/// Two bodies as Simbody's types. They are made before the timed calls, as in a user's program.
class Pair {
 public:
  Pair(Body const& first, Body const& second);
  /// Returns nothing if Simbody reports no contact.
  std::optional<Contact> contact() const;

 private:
  struct Native;
  std::shared_ptr<Native const> native_;
};

std::string version();

}  // namespace demeter::peers::simbody_ellipsoids
