#include "bench/core/baseline.hpp"
#include <span>
namespace demeter { namespace segment_distance::bench { std::span<demeter::bench::Promise const> promises(){return {};} }
namespace capsule_mass_properties::bench { std::span<demeter::bench::Promise const> promises(){return {};} }
namespace clump_force_torque::bench { std::span<demeter::bench::Promise const> promises(){return {};} } }
