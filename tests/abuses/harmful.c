/* Harmful or broken libraries. They answer capsules correctly, except for the deed in the file name: the way in which
 * the library misbehaves (tests/outside/deed.h). */
#include "tests/outside/deed.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void stay(void) {
  for (;;) pause();
}

static void* in_thread(void* of) {
  (void)of;
  stay();
  return NULL;
}

static void in_background(int session, int busy) {
  if (fork() != 0) return;
  if (session) setsid();
  if (session == 2 && fork() != 0) _exit(0);
  for (;;)
    if (!busy) pause();
}

__attribute__((constructor)) static void load(void) {
  if (deed("load_hang")) stay();
  if (deed("load_spin"))
    for (int volatile i = 0;; i = !i) continue;
  if (deed("load_stop")) raise(SIGSTOP);
  if (deed("load_exit")) exit(0);
  if (deed("load_abort")) abort();
  if (deed("load_daemon")) in_background(2, 0);
}

int demeter_abi_version(void) { return 1; }
char const* demeter_subject_name(void) { return deed_name(); }

static void harm(void) {
  static int calls; /* harms ten calls only, because a process is called about a thousand times */
  if (calls++ >= 10) return;
  if (deed("hang")) stay();
  if (deed("spin"))
    for (int volatile i = 0;; i = !i) continue;
  if (deed("deaf")) { /* ignores every signal that can be ignored */
    for (int i = 1; i < 65; ++i) signal(i, SIG_IGN);
    stay();
  }
  if (deed("stop")) raise(SIGSTOP);
  if (deed("stop_group")) kill(0, SIGSTOP);
  if (deed("stop_parent")) {
    kill(getppid(), SIGSTOP);
    stay();
  }
  if (deed("kill_parent")) {
    kill(getppid(), SIGKILL);
    stay();
  }
  if (deed("kill_group")) kill(0, SIGKILL);
  if (deed("die_in_child_of_child") && fork() == 0) {
    if (fork() == 0) abort();
    stay();
  }
  if (deed("child")) in_background(0, 0);
  if (deed("child_spins")) in_background(0, 1);
  if (deed("session")) in_background(1, 0);
  if (deed("daemon")) in_background(2, 0);
  if (deed("daemon_and_die")) {
    in_background(2, 0);
    abort();
  }
  if (deed("daemon_and_hang")) {
    in_background(2, 0);
    stay();
  }
  if (deed("many_children"))
    for (int i = 0; i < 30; ++i) in_background(i % 3, 0);
  if (deed("child_answers_too") && fork() == 0) return; /* now two processes use the same pipe */
  if (deed("thread_hangs")) {
    pthread_t thread;
    pthread_create(&thread, NULL, in_thread, NULL);
    pthread_join(thread, NULL);
  }
  if (deed("crash")) raise(SIGSEGV);
  if (deed("exit")) exit(0);
  if (deed("quick_exit")) quick_exit(0);
  if (deed("at_once")) _exit(0);
  if (deed("slow_crash")) {
    usleep(200000);
    abort();
  }
  if (deed("flood_out"))
    for (int i = 0; i < 200000; ++i) puts("words without end");
  if (deed("flood_err"))
    for (int i = 0; i < 20000; ++i) /* enough to fill the buffer of a pipe */
      fputs("words without end, words without end, words without end, words without end, words without end\n", stderr);
  if (deed("flood_files"))
    for (int i = 3; i < 10; ++i)
      for (int k = 0; k < 1000; ++k) (void)!write(i, "frame frame frame frame frame frame frame frame", 47);
  if (deed("forge_small")) {
    unsigned long const header[3] = {0x64656d6574657201, 1, 8};
    for (int i = 3; i < 10; ++i) (void)!write(i, header, sizeof header);
  }
  if (deed("forge_huge")) {
    unsigned long const header[3] = {0x64656d6574657201, 1, ~0ul};
    for (int i = 3; i < 10; ++i) (void)!write(i, header, sizeof header);
  }
  if (deed("forge_zero")) {
    static char const nothing[4096];
    for (int i = 3; i < 10; ++i) (void)!write(i, nothing, sizeof nothing);
  }
  if (deed("close_all"))
    for (int i = 0; i < 1024; ++i) close(i);
  if (deed("close_and_hang")) {
    for (int i = 0; i < 1024; ++i) close(i);
    stay();
  }
  if (deed("read_commands")) {
    char text[1 << 16];
    for (int i = 3; i < 10; ++i) {
      fcntl(i, F_SETFL, O_NONBLOCK);
      (void)!read(i, text, sizeof text);
    }
  }
  if (deed("eat_memory"))
    for (;;) {
      char* const block = malloc(1 << 24);
      if (block == NULL) abort();
      memset(block, 1, 1 << 24);
    }
  if (deed("map_memory"))
    while (mmap(NULL, 1ul << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) abort();
  if (deed("no_files"))
    while (dup(0) >= 0) continue;
  if (deed("less_of_all")) {
    struct rlimit const none = {0, 0};
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_NPROC, &none);
    setrlimit(RLIMIT_FSIZE, &none);
  }
  if (deed("alarm")) alarm(1), stay();
  if (deed("change_folder")) (void)!chdir("/");
  if (deed("block_all")) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    stay();
  }
  if (deed("run_away")) { /* leaves its process group and continues */
    setsid();
    if (fork() == 0) stay();
    stay();
  }
}

int demeter_capsule_mass_properties(size_t n, double const* const in[], double* const out[], size_t room) {
  (void)room;
  harm();
  for (size_t i = 0; i < n; ++i) {
    double const r = in[0][i], a = in[1][i], v = 3.14159265358979323846 * r * r * (4 * r / 3 + a);
    if (out[0]) out[0][i] = v;
    if (out[1] && !(deed("left_out") && a > r)) out[1][i] = v * in[2][i];
    if (out[1] && deed("half_a_nan") && a > r) out[1][i] = NAN;
  }
  return 0;
}
