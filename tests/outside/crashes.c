/* Answers segments, and crashes where p is longer than q. */
#include "subjects/demeter_subject.h"

#include <math.h>
#include <stdlib.h>

int demeter_abi_version(void) { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) { return "crashes"; }

DEMETER_KERNEL(segment_distance) {
  for (size_t i = 0; i < n; ++i) {
    double length[2] = {0, 0};
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 2; ++j) length[j] += fabs(in[6 * j + 3 + k][i] - in[6 * j + k][i]);
    if (length[0] > length[1]) abort();
    out[0][i] = 0;
  }
  return 0;
}
