// The kinds of fields: how a field depends on the frame.
#pragma once

namespace demeter {

/// How the numbers of a field change when the frame is rotated, mirrored or moved.
enum class Kind {
  number,      ///< does not depend on the frame
  position,    ///< rotates and moves with the frame; a single number is a coordinate along an axis and only moves
  vector,      ///< rotates with the frame: a direction, a difference of positions, a force
  axial,       ///< rotates with the frame, and changes sign when the frame is mirrored: a torque
  tensor,      ///< a symmetric tensor: xx, yy, zz, xy, xz, yz
  quaternion,  ///< an orientation: w, x, y, z
  own_axes,  ///< one number per axis of the body's own frame; the body's quaternion rotates this frame into the global
             ///< frame
};

}  // namespace demeter
