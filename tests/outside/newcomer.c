/* A newcomer's own distance of two segments: the textbook routine, with a threshold of a length squared and one of a
 * length to the fourth taken for small whatever the unit. */
#include "subjects/demeter_subject.h"

#include <math.h>

#define EPSILON 1e-8

static double dot(double const* a, double const* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double clamp(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static double segments(double const p0[3], double const p1[3], double const q0[3], double const q1[3], double* s,
                       double* t) {
  double d1[3], d2[3], r[3], gap[3];
  for (int k = 0; k < 3; ++k) d1[k] = p1[k] - p0[k], d2[k] = q1[k] - q0[k], r[k] = p0[k] - q0[k];
  double const a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r);
  *s = *t = 0;
  if (a <= EPSILON && e <= EPSILON) {
    /* two points */
  } else if (a <= EPSILON) {
    *t = clamp(f / e);
  } else if (e <= EPSILON) {
    *s = clamp(-dot(d1, r) / a);
  } else {
    double const b = dot(d1, d2), c = dot(d1, r), determinant = a * e - b * b;
    *s = fabs(determinant) > EPSILON ? clamp((b * f - c * e) / determinant) : 0;
    *t = (b * *s + f) / e;
    if (*t < 0) {
      *t = 0;
      *s = clamp(-c / a);
    } else if (*t > 1) {
      *t = 1;
      *s = clamp((b - c) / a);
    }
  }
  for (int k = 0; k < 3; ++k) gap[k] = r[k] + *s * d1[k] - *t * d2[k];
  return sqrt(dot(gap, gap));
}

int demeter_abi_version(void) { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) { return "a newcomer's segments"; }

DEMETER_KERNEL(segment_distance) {
  for (size_t i = 0; i < n; ++i) {
    double point[4][3], result[3];
    for (int k = 0; k < 12; ++k) point[k / 3][k % 3] = in[k][i];
    result[0] = segments(point[0], point[1], point[2], point[3], &result[1], &result[2]);
    for (int k = 0; k < 3; ++k)
      if (out[k]) out[k][i] = result[k];
  }
  return 0;
}
