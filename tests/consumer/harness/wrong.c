#include <demeter_subject.h>

int demeter_abi_version(void) { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) { return "wrong 1.0"; }

/* Uses the shaft as the length of the whole capsule. */
DEMETER_KERNEL(capsule_mass_properties) {
  double const pi = 3.14159265358979323846;
  for (size_t i = 0; i < n; ++i) {
    double const radius = in[0][i], length = in[1][i];
    if (out[0]) out[0][i] = pi * radius * radius * (length - 2 * radius / 3);
    if (out[4]) out[4][i] = radius + length / 2;
  }
  return 0;
}
