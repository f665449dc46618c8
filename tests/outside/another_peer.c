/* A peer module that states another interface, as if another build had made it. The command must never call it. */
#include <stdlib.h>

char const demeter_peer_interface[] = "another";

void demeter_peer(void* made) {
  (void)made;
  abort();
}
