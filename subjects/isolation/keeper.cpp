#include "subjects/isolation/keeper.hpp"

#include "kernels/limits.hpp"
#include "subjects/isolation/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <system_error>

namespace demeter::isolation {
namespace {

/// A message from the supervisor. The first message has the id of the supervised process (`begun`) or the errno of the
/// fork (`failed`). A second message has the exit code (`exited`) or the signal (`signalled`).
struct Told {
  enum What : int { begun, exited, signalled, failed };
  int what, number;
};

/// The file in /proc that lists the children of a process with one thread.
struct ListOfChildren {
  char path[64];
  explicit ListOfChildren(pid_t parent) {
    std::snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(parent));
  }
  int open() const { return ::open(path, O_RDONLY | O_CLOEXEC); }
};

constexpr int keepers_leash = STDERR_FILENO + 1;

void tell(Told const& told) {
  [[maybe_unused]] ssize_t const written = ::send(keepers_leash, &told, sizeof told, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// The main loop of the supervisor. It was forked from a process with threads, so it makes system calls only.
[[noreturn]] void keep(pid_t kept, sigset_t const& all) {
  tell({Told::begun, kept});
  bool told = false;
  for (;;) {
    siginfo_t info{};
    // Does not reap the process yet (WNOWAIT). Otherwise another process could get its id, which is also the id of its
    // group.
    if (!told && waitid(P_PID, static_cast<id_t>(kept), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == kept) {
      tell({info.si_code == CLD_EXITED ? Told::exited : Told::signalled, info.si_status});
      told = true;
    }
    pollfd held{keepers_leash, POLLIN, 0};
    if (ppoll(&held, 1, nullptr, &all) > 0) break;  // our parent has closed its end
  }
  kill(-kept, SIGKILL);
  kill(kept, SIGKILL);
  while (waitpid(kept, nullptr, 0) < 0 && errno == EINTR) {
  }
  end_children();
  _exit(0);
}

/// Waits for the end of a child. Returns false if the child does not end in time.
bool reaped(pid_t child, int milliseconds, int& status) {
  for (int waited = 0;; ++waited) {
    pid_t const found = waitpid(child, &status, WNOHANG);
    if (found == child || (found < 0 && errno == ECHILD)) return true;
    if (waited >= milliseconds) return false;
    poll(nullptr, 0, 1);
  }
}

}  // namespace

void require_list_of_children() {
  ListOfChildren const list(getpid());
  int const file = list.open();
  if (file < 0)
    throw std::system_error(errno, std::generic_category(),
                            "external code is not run without a list of its processes: " + std::string(list.path));
  close(file);
}

void end_children() {
  ListOfChildren const list(getpid());
  // Children of killed processes become our children. Repeat until there are none.
  for (int round = 0; round < 1000; ++round) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    int const file = list.open();
    if (file < 0) return;
    char text[4096];
    ssize_t const length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return;
    text[length] = 0;
    for (char* at = text; *at != 0;) {
      char* end = at;
      long const child = std::strtol(at, &end, 10);
      // The last number may be cut off by the end of the buffer. The next round reads it again.
      if (end == at || *end == 0) break;
      if (child > 1) kill(static_cast<pid_t>(child), SIGKILL);
      at = end;
    }
    poll(nullptr, 0, round < 50 ? 1 : 10);
  }
}

bool Keeper::forked() {
  // One fork at a time: forks of a process with many pages wait for each other anyway.
  static std::mutex forking;
  std::lock_guard const lock(forking);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  keeper_ = fork();
  if (keeper_ < 0) {
    int const why = errno;
    close(ends[0]);
    close(ends[1]);
    throw std::system_error(why, std::generic_category(), "fork");
  }
  if (keeper_ == 0) {
    setpgid(0, 0);  // Ctrl-C reaches only the foreground process group, so it does not end the supervisor
    default_signals();
    for (int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU}) std::signal(signal, SIG_IGN);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    sigset_t child_ends, none;
    sigemptyset(&none);
    sigemptyset(&child_ends);
    sigaddset(&child_ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child_ends, nullptr);
    struct sigaction wake {};
    wake.sa_handler = [](int) {};
    sigaction(SIGCHLD, &wake, nullptr);
    pid_t const keeper = getpid(), kept = fork();
    if (kept == 0) {
      follow(keeper);
      default_signals();
      std::set_new_handler(nullptr);  // foreign code must not use our handler
      return true;
    }
    int const why = errno;
    keep_only({ends[0]}, keepers_leash);
    if (kept < 0) {
      tell({Told::failed, why});
      _exit(1);
    }
    setpgid(kept, kept);  // the supervised process makes the same call; it does not matter which of the two is first
    keep(kept, none);
  }
  close(ends[0]);
  leash_ = ends[1];
  fcntl(leash_, F_SETFL, O_NONBLOCK);
  return false;
}

Keeper::~Keeper() {
  if (keeper_ <= 0) return;
  try {
    has_ended();  // reads the id of the supervised process
  } catch (std::system_error const&) {
  }
  close(leash_);
  int status = 0;
  // The supervisor ends at once, unless the supervised process has stopped or killed it.
  bool gone = reaped(keeper_, 300, status);
  if (!gone) {
    kill(keeper_, SIGCONT);
    gone = reaped(keeper_, 5000, status);
  }
  if (gone && WIFEXITED(status)) return;
  if (kept_ > 1) kill(-kept_, SIGKILL);
  if (gone) return;
  kill(keeper_, SIGKILL);
  while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool Keeper::has_ended() {
  while (!ended_) {
    Told told{};
    ssize_t const got = read(leash_, &told, sizeof told);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (got != static_cast<ssize_t>(sizeof told)) {
      // The supervisor itself has ended, and the supervised process has ended with it.
      ended_ = signalled_ = true;
      code_ = SIGKILL;
    } else if (told.what == Told::begun) {
      kept_ = told.number;
    } else if (told.what == Told::failed) {
      ended_ = signalled_ = true;
      throw std::system_error(told.number, std::generic_category(), "fork");
    } else {
      ended_ = true;
      signalled_ = told.what == Told::signalled;
      code_ = told.number;
    }
  }
  return true;
}

std::string Keeper::how_it_ended() const {
  return signalled_ ? signal_name(code_) : "exit code " + std::to_string(code_);
}

}  // namespace demeter::isolation
