/* Fails every allocation from the SCARCE-th call on, for tests/abuses/classes/resources.py. Loaded before the command
 * (LD_PRELOAD). */
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static int none_left(void) {
  static _Atomic long calls;
  static _Atomic long limit;
  if (limit == 0) {
    char const *given = getenv("SCARCE");
    limit = given ? atol(given) : -1;
  }
  if (limit < 0 || atomic_fetch_add(&calls, 1) < limit) return 0;
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t size) { return none_left() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return none_left() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return none_left() ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return none_left() ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **made, size_t alignment, size_t size) {
  void *const memory = memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *made = memory;
  return 0;
}
