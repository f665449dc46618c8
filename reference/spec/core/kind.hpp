// What a field is in the frame.
#pragma once

namespace demeter {

/// How the numbers of a field change when the frame is turned, mirrored or moved.
enum class Kind {
  number,      ///< not at all
  position,    ///< turns and moves with the frame; one number: a coordinate along some axis, which moves
  vector,      ///< turns: a direction, a difference of positions, a force
  axial,       ///< turns, and changes its sign where the frame is mirrored: a torque
  tensor,      ///< symmetric: xx, yy, zz, xy, xz, yz
  quaternion,  ///< w, x, y, z: an orientation
  own_axes,    ///< one number for each axis of a body's own frame, which its quaternion turns into the global one
};

}  // namespace demeter
