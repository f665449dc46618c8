#include <demeter_subject.h>

#include <demeter/fast/capsule_mass_properties.hpp>
#include <demeter/fast/segment_distance.hpp>

int demeter_abi_version(void) { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) { return "right 1.0"; }

DEMETER_KERNEL(segment_distance) {
  demeter::segment_distance::fast::evaluate(demeter::best_level(), n, in, out);
  return 0;
}

DEMETER_KERNEL(capsule_mass_properties) {
  demeter::capsule_mass_properties::fast::evaluate(demeter::best_level(), n, in, out);
  return 0;
}
