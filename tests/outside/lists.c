/* The toy kernel of lists.hpp in C.
 * Input columns: limit; points: offsets, x, y, z.
 * Output columns: 0 order; doubled: 1 offsets, 2-4 numbers; steps: 5 offsets, 6 rise, 7 height;
 * signs: 8 offsets, 9 presence, 10 sign; highest: 11 presence, 12 number. */
#include "subjects/demeter_subject.h"

int demeter_abi_version(void) { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) { return "lists in C"; }

DEMETER_KERNEL(toy_lists) {
  double const* x = in[2];
  size_t steps = 0;
  out[5][0] = 0;
  for (size_t i = 0; i < n; ++i) {
    size_t const begin = (size_t)in[1][i], end = (size_t)in[1][i + 1];
    double highest = begin < end ? x[begin] : 0;
    out[0][i] = begin == end ? 0 : 1;
    for (size_t j = begin; j < end; ++j) {
      for (int k = 0; k < 3; ++k) out[2 + k][j] = 2 * in[2 + k][j];
      if (x[j] == 0)
        out[9][j] = 0; /* null */
      else
        out[10][j] = x[j] > 0 ? 1 : -1;
      if (x[j] > highest) highest = x[j];
      if (j > begin && x[j] < x[j - 1]) out[0][i] = 2;
      if (j > begin && x[j] - x[j - 1] > in[0][i]) {
        if (steps == room) return DEMETER_MORE_ROOM;
        out[6][steps] = x[j] - x[j - 1];
        out[7][steps++] = x[j];
      }
    }
    out[5][i + 1] = (double)steps;
    if (begin == end)
      out[11][i] = 0; /* null */
    else
      out[12][i] = highest;
  }
  return 0;
}
