/* Changes the floating-point environment of the judge, for tests/abuses/classes/ground.py. Loaded before the command
   (LD_PRELOAD), it changes the arithmetic of the first thread or of every new thread. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

static void alter(char const* what) {
  unsigned vectors = _mm_getcsr();
  unsigned short stack;
  __asm__ volatile("fnstcw %0" : "=m"(stack));
  if (strcmp(what, "down") == 0) vectors |= 0x2000;
  if (strcmp(what, "up") == 0) vectors |= 0x4000;
  if (strcmp(what, "zero") == 0) vectors |= 0x6000;
  if (strcmp(what, "flush") == 0) vectors |= 0x8000;
  if (strcmp(what, "subnormals") == 0) vectors |= 0x0040;
  if (strcmp(what, "both") == 0) vectors |= 0x8040;
  if (strcmp(what, "trap") == 0)
    vectors &= ~0x0200u; /* traps invalid operations: no code does one before the environment is checked */
  if (strcmp(what, "stack_down") == 0) stack |= 0x0400;
  if (strcmp(what, "stack_up") == 0) stack |= 0x0800;
  if (strcmp(what, "stack_zero") == 0) stack |= 0x0c00;
  if (strcmp(what, "double") == 0) stack = (unsigned short)((stack & ~0x0300) | 0x0200);
  if (strcmp(what, "single") == 0) stack = (unsigned short)(stack & ~0x0300);
  if (strcmp(what, "stack_trap") == 0) stack &= (unsigned short)~0x0001;
  _mm_setcsr(vectors);
  __asm__ volatile("fldcw %0" : : "m"(stack));
}

static char const* wanted(char const* where) {
  char const *const what = getenv("GROUND"), *const there = getenv("GROUND_WHERE");
  return what != NULL && there != NULL && strcmp(there, where) == 0 ? what : NULL;
}

__attribute__((constructor)) static void begin(void) {
  char const* const what = wanted("start");
  if (what != NULL) alter(what);
}

struct work {
  void* (*routine)(void*);
  void* of;
};

static void* altered(void* given) {
  struct work const work = *(struct work*)given;
  free(given);
  alter(wanted("thread"));
  return work.routine(work.of);
}

int pthread_create(pthread_t* thread, pthread_attr_t const* attributes, void* (*routine)(void*), void* of) {
  typedef int create(pthread_t*, pthread_attr_t const*, void* (*)(void*), void*);
  create* const real = (create*)dlsym(RTLD_NEXT, "pthread_create");
  if (wanted("thread") == NULL) return real(thread, attributes, routine, of);
  struct work* const work = malloc(sizeof *work);
  if (work == NULL) return 11;
  work->routine = routine;
  work->of = of;
  return real(thread, attributes, altered, work);
}
