/* A template for code in C with Demeter's C interface. Replace `capsule` by your own routine, then run:
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

/* `demeter list capsule_mass_properties --abi` prints the meaning of each column. */
DEMETER_KERNEL(capsule_mass_properties) {
  for (size_t i = 0; i < n; ++i) {
    double result[5];
    capsule(in[0][i], in[1][i], in[2][i], result);
    for (int k = 0; k < 5; ++k)
      if (out[k]) out[k][i] = result[k];
  }
  return 0;
}

/* An example of lists, null and labels. Its kernel exists only in Demeter's tests. A case has a list of points along
 * a line, and a limit.
 *   in   0 limit; 1 offsets, 2 x, 3 y, 4 z of the points
 *   out  0 order, a label: 0 none, 1 rising, 2 mixed
 *        1 offsets, 2-4 doubled: as long as the points; the offsets are filled in already
 *        5 offsets, 6 rise, 7 height of the steps: a list of its own length
 *        8 offsets, 9 presence (0 or 1), 10 signs: as long as the points, null where x is 0
 *        11 presence (0 or 1), 12 highest: null if there are no points */
static void put(double* column, size_t at, double value) {
  if (column) column[at] = value;
}

DEMETER_KERNEL(toy_lists) {
  double const *x = in[2], *offsets = in[1];
  size_t steps = 0;
  put(out[5], 0, 0);
  for (size_t i = 0; i < n; ++i) {
    size_t const begin = (size_t)offsets[i], end = (size_t)offsets[i + 1];
    int order = begin == end ? 0 : 1;
    double highest = begin == end ? 0 : x[begin];
    for (size_t j = begin; j < end; ++j) {
      for (int k = 2; k < 5; ++k) put(out[k], j, 2 * in[k][j]);
      put(out[9], j, x[j] != 0);
      put(out[10], j, x[j] > 0 ? 1 : -1);
      if (x[j] > highest) highest = x[j];
      if (j == begin) continue;
      if (x[j] < x[j - 1]) order = 2;
      if (x[j] - x[j - 1] > in[0][i]) {
        if (steps == room) return DEMETER_MORE_ROOM;
        put(out[6], steps, x[j] - x[j - 1]);
        put(out[7], steps, x[j]);
        ++steps;
      }
    }
    put(out[5], i + 1, (double)steps);
    put(out[0], i, order);
    put(out[11], i, begin != end);
    put(out[12], i, highest);
  }
  return 0;
}
