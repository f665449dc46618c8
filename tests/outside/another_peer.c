/* The module of a peer from another build of the command. It must never be called. */
#include <stdlib.h>

char const demeter_peer_interface[] = "another";

void demeter_peer(void* made) {
  (void)made;
  abort();
}
