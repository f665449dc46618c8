/* The module of a peer as another build of the command would have it: it must never be called. */
#include <stdlib.h>

char const demeter_peer_interface[] = "another";

void demeter_peer(void* made) {
  (void)made;
  abort();
}
