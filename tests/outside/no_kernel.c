/* A library that answers no kernel. */
#include "subjects/demeter_subject.h"

int demeter_abi_version(void) { return DEMETER_ABI_VERSION; }
char const* demeter_subject_name(void) { return "nothing in particular"; }
int demeter_no_such_kernel(void) { return 0; }
