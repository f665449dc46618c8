// Two ellipsoids as Simbody's tracker of convex implicit surfaces has them. Simbody's headers are C++17 and no later
// (in C++20 its comparisons of indices are ambiguous), so what includes them is apart.
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
  std::array<double, 3> normal;  ///< away from the first body
};

/// Made once, as a user's bodies are.
class Pair {
 public:
  Pair(Body const& first, Body const& second);
  /// Nothing where Simbody reports no contact.
  std::optional<Contact> contact() const;

 private:
  struct Native;
  std::shared_ptr<Native const> native_;
};

std::string version();

}  // namespace demeter::peers::simbody_ellipsoids
