// How a scene is run, and why a run has no result.
#pragma once

#include "simulator/reference/simulation.hpp"
#include "simulator/scene_file.hpp"

#include <string>

namespace demeter::simulations {

/// How a scene is run. The folder of the run records it beside the scene.
struct Manner {
  std::string version;  ///< of the program that began the run
  std::string implementation = "reference@double";
  simulator::reference::InArithmetic arithmetic;
  bool fast = false;  ///< of non-smooth scenes, in double
  Sets sets;
  std::string start;  ///< the state of another run, in place of the scene's own start; empty: none
};

/// Why there is no result: a scene, a mesh or a folder of a run that is wrong; something that was asked for and cannot
/// be; a file that could not be written though its folder can; a run that came to numbers that are not finite.
enum class Cause { data, usage, harness, result };

struct Failure {
  std::string message;
  Cause cause = Cause::data;
};

/// "reference", "reference@double", "reference@long-double", "reference@mpfr:50", "fast", "fast@double"; false if it is
/// none of these.
bool read_implementation(std::string_view text, Manner& manner);

}  // namespace demeter::simulations
