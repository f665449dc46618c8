/* Subjects that misbehave in the way that the file name states. They answer capsules correctly, except the capsule with
 * radius 7. */
#include "tests/outside/deed.h"

#include "subjects/demeter_subject.h"

#include <fenv.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

__attribute__((constructor)) static void load(void) {
  if (deed("exit_on_load")) exit(3);
  if (deed("crash_on_load")) raise(SIGSEGV);
  if (deed("hang_on_load"))
    for (;;) pause();
}

int demeter_abi_version(void) { return deed("wrong_version") ? 7 : DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) {
  if (deed("no_name")) return NULL;
  if (deed("strange_name")) return "<b>two\nlines \xff</b>";
  return deed_name();
}
int demeter_subject_precision(void) { return deed("binary32") ? 24 : deed("wrong_precision") ? 64 : 53; }

static int deeper(int depth);
static int (*volatile even_deeper)(int) = deeper; /* volatile, so that no compiler turns the recursion into a loop */
static int deeper(int depth) {
  char volatile room[4096];
  room[0] = (char)depth;
  return room[0] + even_deeper(depth + 1);
}

static void misbehave(size_t n, double const* const in[], double* const out[]) {
  if (deed("null")) {
    int volatile* const volatile nowhere = NULL;
    *nowhere = 1;
  }
  if (deed("abort")) abort();
  if (deed("exit")) exit(3);
  if (deed("exit_well")) exit(0);
  if (deed("recursion")) deeper(0);
  if (deed("hang"))
    for (;;) pause();
  if (deed("spin"))
    for (int volatile i = 0;; i = !i) continue;
  if (deed("memory")) {
    for (;;) {
      char* const block = malloc(1 << 24);
      if (!block) abort();
      memset(block, 1, 1 << 24);
    }
  }
  if (deed("rounding")) fesetround(FE_UPWARD);
  if (deed("write_after")) out[1][n] = 1;
  if (deed("write_before")) out[0][-3] = 1;
  if (deed("write_far")) out[0][1 << 28] = 1;
  if (deed("write_input")) ((double*)in[0])[0] = 8;
  if (deed("child") && fork() == 0)
    for (;;) pause();
  if (deed("flood"))
    for (int i = 0; i < 1000000; ++i) {
      puts("a line of a library that talks");
      fputs("and of one that complains\n", stderr);
    }
  if (deed("close"))
    for (int i = 0; i < 64; ++i) close(i);
  if (deed("garbage"))
    for (int i = 3; i < 64; ++i) (void)!write(i, "garbage garbage garbage garbage", 31);
}

DEMETER_KERNEL(capsule_mass_properties) {
  double const pi = 3.14159265358979323846;
  int code = 0;
  if (deed("crash_after_a_while") && clock() > 3 * CLOCKS_PER_SEC / 10) abort();
  for (size_t i = 0; i < n; ++i) {
    double const r = in[0][i], a = in[1][i], density = in[2][i];
    int const now = r == 7;
    if (now) misbehave(n, in, out);
    double mass = density * pi * r * r * (4 * r / 3 + a);
    if (now && deed("nan")) mass = a * 0 / 0.0;
    if (now && deed("infinity")) mass = HUGE_VAL;
    if (now && deed("refuse")) code = 5;
    if (now && deed("nothing")) continue;
    if (deed("binary32")) mass = in[0][i]; /* answers with the radius that the library received */
    if (out[1]) out[1][i] = mass;
  }
  return code;
}
