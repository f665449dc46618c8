#include "subjects/isolation/child.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>

namespace demeter::isolation {

void follow(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // the parent had already ended when prctl() was called
  setpgid(0, 0);
}

void default_signals() {
  for (int signal = 1; signal < SIGRTMIN; ++signal)
    if (signal != SIGKILL && signal != SIGSTOP) std::signal(signal, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

void keep_only(std::initializer_list<int> files, int first) {
  std::array<int, 8> moved{};
  int const beyond = std::max(first + static_cast<int>(files.size()), STDERR_FILENO + 1);
  // First moves all files to numbers that are not used below. If the parent had closed its standard streams, `files`
  // may have the numbers 0 to 2, which are overwritten below.
  auto const move = [&](int file) {
    int const to = file < 0 ? open("/dev/null", O_RDWR) : file;
    int const out_of_the_way = fcntl(to, F_DUPFD, beyond);
    if (out_of_the_way < 0) _exit(1);
    return out_of_the_way;
  };
  int const nowhere = move(-1);
  std::size_t count = 0;
  for (int const file : files) moved[count++] = move(file);
  for (int standard = STDIN_FILENO; standard <= STDERR_FILENO; ++standard) dup2(nowhere, standard);
  for (std::size_t i = 0; i < count; ++i) {
    int const number = first + static_cast<int>(i);
    dup2(moved[i], number);
    if (number > STDERR_FILENO) fcntl(number, F_SETFD, FD_CLOEXEC);
  }
  closefrom(beyond);
}

void lower_limit(decltype(RLIMIT_AS) resource, rlim_t value) {
  rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_max = std::min(limit.rlim_max, value);
  limit.rlim_cur = std::min(limit.rlim_cur, limit.rlim_max);
  setrlimit(resource, &limit);
}

void be_expendable() {
  lower_limit(RLIMIT_CORE, 0);
  int const score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score < 0) return;
  [[maybe_unused]] ssize_t const written = write(score, "1000", 4);
  close(score);
}

}  // namespace demeter::isolation
