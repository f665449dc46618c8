// Options of a run of a scene, and the causes of a failure.
#pragma once

#include "simulator/reference/simulation.hpp"
#include "simulator/scene_file.hpp"

#include <string>

namespace demeter::simulations {

/// Options of a run of a scene. The folder of the run records them beside the scene.
struct Manner {
  std::string version;  ///< version of the program that started the run
  std::string implementation = "reference@double";
  simulator::reference::InArithmetic arithmetic;
  bool fast = false;  ///< use the fast form; only for non-smooth scenes in double
  Sets sets;
  std::string start;  ///< state of another run, from which this run starts; empty: the run starts from the initial
                      ///< state of the scene
};

/// The causes of a failure. `data`: the scene, a mesh or the folder of a run is wrong. `usage`: the request is
/// impossible. `harness`: a file could not be written although its folder is writable. `result`: a number of the run is
/// not finite.
enum class Cause { data, usage, harness, result };

struct Failure {
  std::string message;
  Cause cause = Cause::data;
};

/// Reads "reference", "reference@double", "reference@long-double", "reference@mpfr:50", "fast" or "fast@double".
/// Returns false for any other text.
bool read_implementation(std::string_view text, Manner& manner);

}  // namespace demeter::simulations
