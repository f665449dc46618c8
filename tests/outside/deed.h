/* A deed is the way in which a library under test misbehaves. The library reads it from its own file name, after the
 * first underscore: "abort" for misbehave_abort.so. One library is built for many deeds. tests/CMakeLists.txt makes one
 * link to it per deed. */
#ifndef DEMETER_TESTS_OUTSIDE_DEED_H
#define DEMETER_TESTS_OUTSIDE_DEED_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* Returns the deed, or "" for a file name without an underscore. */
static char const* deed_name(void) {
  static char name[64];
  static int known;
  Dl_info self;
  if (known || dladdr(name, &self) == 0) return name;
  char const* const slash = strrchr(self.dli_fname, '/');
  char const* const underscore = strchr(slash != NULL ? slash : self.dli_fname, '_');
  if (underscore != NULL) strncpy(name, underscore + 1, sizeof name - 1);
  char* const extension = strrchr(name, '.');
  if (extension != NULL) *extension = 0;
  known = 1;
  return name;
}

static int deed(char const* name) { return strcmp(deed_name(), name) == 0; }

#endif
