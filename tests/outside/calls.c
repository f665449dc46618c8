/* Answers capsules correctly, except in the call pattern that the file name states. */
#include "tests/outside/deed.h"

#include "subjects/demeter_subject.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int demeter_abi_version(void) { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) { return deed_name(); }

static size_t calls;           /* number of calls so far */
static double previous;        /* volume of the first row of the previous call */
static double table[1000];     /* radii of earlier calls, for large_table */
static double volatile looked; /* a value that is read, but not used */

typedef double Pair __attribute__((vector_size(16)));

static double volume_of(double r, double a) { return 3.14159265358979323846 * r * r * (4 * r / 3 + a); }

DEMETER_KERNEL(capsule_mass_properties) {
  ++calls;
  if (deed("no_rows_dies") && n == 0) abort();
  if (deed("no_rows_writes") && n == 0) out[1][0] = 0;
  if (deed("refuses_large") && n > 8) return 5;
  if (deed("dies_17") && n == 17) abort();
  if (deed("hangs_17") && n == 17)
    for (;;) pause();
  if (deed("behind") && n > 1) out[1][n] = 1;
  if (deed("before") && n > 1) out[1][-1] = 1;
  if (deed("far") && n > 17 && out[0] != NULL) out[0][n + 512] = 1;
  if (deed("reads") && n % 8 == 0 && n > 0) looked = in[2][n];
  if (deed("input") && n > 8) {
    double volatile* const cell = (double*)in[0] + n / 2;
    double const before = *cell;
    *cell = 0;
    *cell = before;
  }
  if (deed("dies_second") && calls == 2) abort();
  if (deed("dies_fourth") && calls == 4) raise(SIGKILL);
  if (deed("exits_eleventh") && calls == 11) exit(0);
  if (deed("null_third") && calls == 3) *(double volatile*)NULL = 0;
  if (deed("hangs_second") && calls == 2)
    for (;;) pause();
  if (deed("dies_fortieth") && calls == 40) abort();
  if (deed("dies_late") && calls == 700) abort();
  if (deed("aligned") && n > 1) {
    Pair const pair = *(Pair const volatile*)in[0]; /* an aligned load of 16 bytes */
    looked = pair[0] + pair[1];
  }
  for (size_t i = 0; i < n; ++i) {
    size_t from = i;
    if (i > 0 && ((deed("row_7") && i == 7) || (deed("row_63") && i == 63))) from = i - 1;
    if (deed("odd_tail") && n > 1 && n % 2 == 1 && i == n - 1) from = i - 1;
    if (deed("large") && n > 1000 && i == 0) from = 1;
    if (deed("rest_5") && n > 8 && n % 8 == 5 && i == n - 1) from = i - 1;
    if (deed("last_left") && n > 1 && i == n - 1) break;
    double volume = volume_of(in[0][from], in[1][from]);
    double const mass = in[2][from] * volume;
    if (deed("neighbour") && i > 0 && in[0][i] < in[0][i - 1]) volume *= 2;
    if (deed("large_table")) {
      if (i < 1000) table[i] = in[0][i];
      if (i >= 1000) volume = volume_of(table[0], in[1][i]);
    }
    if (deed("tenth") && calls % 10 == 0) volume = 1;
    if (deed("late") && calls >= 300) volume = 1;
    if (deed("first_call") && calls > 1) volume *= 2;
    if (deed("process")) volume *= 1 + (double)getpid();
    if (deed("time")) {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      volume *= 1 + (double)now.tv_nsec;
    }
    if (deed("previous") && n == 1) {
      double const right = volume;
      if (calls > 1) volume = previous;
      previous = right;
    }
    if (deed("kept") && i == 0) {
      double const right = volume;
      if (calls > 1) volume += previous;
      previous = right * 1e-3;
    }
    if (deed("unwanted_other") && out[0] == NULL) {
      out[1][i] = 0;
      continue;
    }
    if (out[0] != NULL || deed("unwanted")) out[0][i] = volume;
    if (out[1] != NULL) out[1][i] = mass;
  }
  return 0;
}
