/* A library as it was written for version 1 of the interface, which had no room for lists. */
#include <stddef.h>

int demeter_abi_version(void) { return 1; }
char const* demeter_subject_name(void) { return "of version 1"; }

int demeter_toy_lists(size_t n, double const* const in[], double* const out[]) { return n > 0 && in == 0 && out == 0; }

#ifdef OF_TWO
int demeter_capsule_mass_properties(size_t n, double const* const in[], double* const out[]) {
  for (size_t i = 0; i < n; ++i)
    if (out[1]) out[1][i] = 1 + in[0][i];
  return 0;
}
#endif
