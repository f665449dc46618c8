#include "subjects/isolation/process.hpp"

#include "subjects/isolation/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

namespace demeter {

using namespace isolation;

namespace {

/// What the keeper tells of the program's end.
struct Exited {
  int signalled, code;
};

// The numbers the program's streams and the leash have in the keeper.
constexpr int program_input = 3, program_output = 4, program_errors = 5, leash = 6;

[[noreturn]] void become_program(char const* command, char* const* environment, Limits const& limits, pid_t keeper) {
  follow(keeper);
  default_signals();
  keep_only({program_input, program_output, program_errors}, STDIN_FILENO);
  // Not the address space: run-time systems reserve far more of it than they use.
  if (limits.memory > 0) lower_limit(RLIMIT_DATA, limits.memory);
  be_expendable();
  char const* const arguments[] = {"sh", "-c", command, nullptr};
  execve("/bin/sh", const_cast<char* const*>(arguments), environment);
  _exit(127);
}

/// Ends what the program left behind under other process groups: as their subreaper, the keeper is their parent now.
void end_orphans() {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(getpid()));
  for (int round = 0; round < 200; ++round) {
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    int const file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    char text[4096];
    ssize_t const length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return;
    text[length] = 0;
    for (char* at = text; *at != 0;) {
      char* end = at;
      long const child = std::strtol(at, &end, 10);
      if (end == at) break;
      if (child > 1) kill(static_cast<pid_t>(child), SIGKILL);
      at = end;
    }
    poll(nullptr, 0, 1);
  }
}

/// The keeper's whole life. It is forked from a process with threads, so that it makes system calls only.
[[noreturn]] void keep(char const* command, char* const* environment, Limits const& limits,
                       std::array<int, 4> const& ends) {
  setpgid(0, 0);  // a Ctrl-C is for those in the foreground
  keep_only({ends[0], ends[1], ends[2], ends[3]}, program_input);
  default_signals();
  for (int signal : {SIGHUP, SIGINT, SIGTERM, SIGPIPE}) std::signal(signal, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t child_ends, none;
  sigemptyset(&none);
  sigemptyset(&child_ends);
  sigaddset(&child_ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child_ends, nullptr);
  struct sigaction wake {};
  wake.sa_handler = [](int) {};
  sigaction(SIGCHLD, &wake, nullptr);

  pid_t const keeper = getpid(), program = fork();
  if (program == 0) become_program(command, environment, limits, keeper);
  if (program < 0) _exit(1);
  setpgid(program, program);  // the program does the same: whoever comes first
  for (int const file : {program_input, program_output, program_errors}) close(file);

  bool told = false;
  for (;;) {
    siginfo_t info{};
    // Not reaped until the last moment, so that the number of its group stays its own.
    if (!told && waitid(P_PID, static_cast<id_t>(program), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == program) {
      Exited const end{info.si_code != CLD_EXITED, info.si_status};
      [[maybe_unused]] ssize_t const written = write(leash, &end, sizeof end);
      told = true;
    }
    pollfd held{leash, POLLIN, 0};
    if (ppoll(&held, 1, nullptr, &none) > 0) break;  // we are let go
  }
  kill(-program, SIGKILL);
  end_orphans();
  _exit(0);
}

}  // namespace

std::string shell_quoted(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  std::string result = "'";
  for (char const c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

void ignore_broken_pipes() {
  struct sigaction now {};
  if (sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) std::signal(SIGPIPE, SIG_IGN);
}

Process::Process(std::string const& command, Limits const& limits) {
  ignore_broken_pipes();
  // A program in Python would keep its answers back until it has some kilobytes of them.
  std::vector<char*> environment;
  std::string unbuffered = "PYTHONUNBUFFERED=1";
  for (char** each = environ; *each != nullptr; ++each)
    if (std::strncmp(*each, "PYTHONUNBUFFERED=", 17) != 0) environment.push_back(*each);
  environment.push_back(unbuffered.data());
  environment.push_back(nullptr);

  // Inputs, outputs, errors and the leash; [0] the program's end, [1] ours.
  int ends[4][2] = {{-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}};
  auto const give_up = [&](char const* what) {
    int const why = errno;
    for (auto const& pair : ends)
      for (int const end : pair)
        if (end >= 0) close(end);
    throw std::system_error(why, std::generic_category(), what);
  };
  if (pipe2(ends[0], O_CLOEXEC) != 0) give_up("pipe");
  for (int const i : {1, 2}) {
    int made[2];
    if (pipe2(made, O_CLOEXEC) != 0) give_up("pipe");
    ends[i][0] = made[1];
    ends[i][1] = made[0];
  }
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends[3]) != 0) give_up("socketpair");
  keeper_ = fork();
  if (keeper_ < 0) give_up("fork");
  if (keeper_ == 0) keep(command.c_str(), environment.data(), limits, {ends[0][0], ends[1][0], ends[2][0], ends[3][0]});
  for (auto const& pair : ends) close(pair[0]);
  input_ = ends[0][1];
  output_ = ends[1][1];
  errors_ = ends[2][1];
  leash_ = ends[3][1];
  for (int const file : {input_, output_, errors_, leash_}) fcntl(file, F_SETFL, O_NONBLOCK);
  // Fewer switches; that it may fail does not matter.
  for (int const file : {input_, output_}) fcntl(file, F_SETPIPE_SZ, 1 << 20);
}

Process::~Process() {
  close_input();
  close_errors();
  close(output_);
  close(leash_);
  while (waitpid(keeper_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

void Process::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

void Process::close_errors() {
  if (errors_ >= 0) close(errors_);
  errors_ = -1;
}

bool Process::has_ended() {
  if (ended_) return true;
  Exited end{};
  ssize_t const got = read(leash_, &end, sizeof end);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (got == static_cast<ssize_t>(sizeof end)) {
    signalled_ = end.signalled != 0;
    code_ = end.code;
  } else {  // the keeper itself is gone, and the program with it
    signalled_ = true;
    code_ = SIGKILL;
  }
  return ended_ = true;
}

std::string Process::how_it_ended() const {
  if (signalled_) return signal_name(code_);
  std::string const code = "exit code " + std::to_string(code_);
  // A shell that has waited for its last command passes on the signal that ended it.
  return code_ > 128 && code_ < 160 ? code + ", which is a shell's for " + signal_name(code_ - 128) : code;
}

}  // namespace demeter
