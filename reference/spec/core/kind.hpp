// How a field depends on the frame.
#pragma once

namespace demeter {

/// How the numbers of a field change when the frame is rotated, mirrored or moved.
enum class Kind {
  number,      ///< does not change
  position,    ///< rotates and moves with the frame; a single number is a coordinate along some axis and only moves
  vector,      ///< rotates: a direction, a difference of positions, a force
  axial,       ///< rotates, and changes sign when the frame is mirrored: a torque
  tensor,      ///< symmetric: xx, yy, zz, xy, xz, yz
  quaternion,  ///< w, x, y, z: an orientation
  own_axes,  ///< one number per axis of the body's own frame, which the body's quaternion rotates into the global frame
};

}  // namespace demeter
