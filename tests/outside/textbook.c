/* The textbook distance of two segments (Ericson 2005, 5.1.9), as it is written in C codes. The file name selects a
 * variant: an epsilon, the formula that the library states, or a crash if p is longer than q. */
#include "tests/outside/deed.h"

#include "subjects/demeter_subject.h"

#include <math.h>
#include <stdlib.h>

/* Squared lengths up to epsilon count as zero. Lines with a determinant up to epsilon count as parallel. */
static double epsilon;
static int crashes;

__attribute__((constructor)) static void load(void) {
  if (deed("epsilon")) epsilon = 1e-10;
  if (deed("newcomer")) epsilon = 1e-8;
  crashes = deed("crashes");
}

static double dot(double const* a, double const* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double clamp(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static double distance(double const p0[3], double const p1[3], double const q0[3], double const q1[3], double* s,
                       double* t) {
  double d1[3], d2[3], r[3], gap[3];
  for (int k = 0; k < 3; ++k) d1[k] = p1[k] - p0[k], d2[k] = q1[k] - q0[k], r[k] = p0[k] - q0[k];
  double const a = dot(d1, d1), e = dot(d2, d2), f = dot(d2, r);
  *s = *t = 0;
  if (a <= epsilon && e <= epsilon) {
    /* both segments are points */
  } else if (a <= epsilon) {
    *t = clamp(f / e);
  } else {
    double const c = dot(d1, r);
    if (e <= epsilon) {
      *s = clamp(-c / a);
    } else {
      double const b = dot(d1, d2), determinant = a * e - b * b;
      if (determinant > epsilon) *s = clamp((b * f - c * e) / determinant);
      *t = (b * *s + f) / e;
      if (*t < 0) {
        *t = 0;
        *s = clamp(-c / a);
      } else if (*t > 1) {
        *t = 1;
        *s = clamp((b - c) / a);
      }
    }
  }
  for (int k = 0; k < 3; ++k) gap[k] = (p0[k] + *s * d1[k]) - (q0[k] + *t * d2[k]);
  return sqrt(dot(gap, gap));
}

int demeter_abi_version(void) { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) { return "a textbook's segments"; }
char const* demeter_formula(char const* kernel) {
  (void)kernel;
  return deed("says_textbook") ? "textbook" : deed("says_another") ? "woo" : NULL;
}

DEMETER_KERNEL(segment_distance) {
  for (size_t i = 0; i < n; ++i) {
    double point[4][3], result[3];
    for (int k = 0; k < 12; ++k) point[k / 3][k % 3] = in[k][i];
    if (crashes) {
      double length[2] = {0, 0};
      for (int k = 0; k < 6; ++k) length[k / 3] += fabs(in[6 * (k / 3) + 3 + k % 3][i] - in[6 * (k / 3) + k % 3][i]);
      if (length[0] > length[1]) abort();
    }
    result[0] = distance(point[0], point[1], point[2], point[3], &result[1], &result[2]);
    for (int k = 0; k < 3; ++k)
      if (out[k]) out[k][i] = result[k];
  }
  return 0;
}
