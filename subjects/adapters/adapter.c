/* Your code in C behind Demeter's interface. Put your own routine in place of `capsule`, then
 *
 *     cc -O2 -fPIC -shared -I <where demeter_subject.h is> adapter.c -o libadapter.so -lm
 *     demeter check capsule_mass_properties --subject lib:./libadapter.so
 */
#include "demeter_subject.h"

static void capsule(double r, double a, double density, double result[5]) {
  double const pi = 3.14159265358979323846;
  double const shaft = pi * r * r * a, caps = 4 * pi * r * r * r / 3; /* volumes */
  result[0] = shaft + caps;
  result[1] = density * result[0];
  result[2] = density * r * r * (shaft / 2 + 2 * caps / 5);
  result[3] = density * (shaft * (r * r / 4 + a * a / 12) + caps * (2 * r * r / 5 + 3 * r * a / 8 + a * a / 4));
  result[4] = r + a / 2;
}

int demeter_abi_version(void) { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) { return "the adapter template in C"; }

/* `demeter list capsule_mass_properties --abi` says which column is which. */
DEMETER_KERNEL(capsule_mass_properties) {
  for (size_t i = 0; i < n; ++i) {
    double result[5];
    capsule(in[0][i], in[1][i], in[2][i], result);
    for (int k = 0; k < 5; ++k)
      if (out[k]) out[k][i] = result[k];
  }
  return 0;
}
