#include "subjects/isolation/process.hpp"

#include "subjects/isolation/child.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <initializer_list>
#include <system_error>
#include <vector>

namespace demeter {

using namespace isolation;

namespace {

[[noreturn]] void become_program(char const* command, char* const* environment, Limits const& limits,
                                 std::initializer_list<int> streams) {
  keep_only(streams, STDIN_FILENO);
  // Does not limit the address space: run-time systems reserve much more address space than they use.
  if (limits.memory > 0) lower_limit(RLIMIT_DATA, limits.memory);
  be_expendable();
  char const* const arguments[] = {"sh", "-c", command, nullptr};
  execve("/bin/sh", const_cast<char* const*>(arguments), environment);
  _exit(127);
}

}  // namespace

void ignore_broken_pipes() {
  struct sigaction now {};
  if (sigaction(SIGPIPE, nullptr, &now) == 0 && now.sa_handler == SIG_DFL) std::signal(SIGPIPE, SIG_IGN);
}

Process::Process(std::string const& command, Limits const& limits) {
  require_list_of_children();
  ignore_broken_pipes();
  // Without PYTHONUNBUFFERED, a program in Python keeps its answers in a buffer of some kilobytes.
  std::vector<char*> environment;
  std::string unbuffered = "PYTHONUNBUFFERED=1";
  for (char** each = environ; *each != nullptr; ++each)
    if (std::strncmp(*each, "PYTHONUNBUFFERED=", 17) != 0) environment.push_back(*each);
  environment.push_back(unbuffered.data());
  environment.push_back(nullptr);

  // Pipes for inputs, outputs and errors: [0] is the program's end, [1] is ours.
  int ends[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
  auto const close_all = [&] {
    for (auto const& pair : ends)
      for (int const end : pair)
        if (end >= 0) close(end);
  };
  for (int const i : {0, 1, 2}) {
    int made[2];
    if (pipe2(made, O_CLOEXEC) != 0) {
      int const why = errno;
      close_all();
      throw std::system_error(why, std::generic_category(), "pipe");
    }
    ends[i][0] = made[i == 0 ? 0 : 1];
    ends[i][1] = made[i == 0 ? 1 : 0];
  }
  bool is_program = false;
  try {
    is_program = keeper_.forked();
  } catch (...) {
    close_all();
    throw;
  }
  if (is_program) become_program(command.c_str(), environment.data(), limits, {ends[0][0], ends[1][0], ends[2][0]});
  for (auto const& pair : ends) close(pair[0]);
  input_ = ends[0][1];
  output_ = ends[1][1];
  errors_ = ends[2][1];
  for (int const file : {input_, output_, errors_}) fcntl(file, F_SETFL, O_NONBLOCK);
  // Larger pipes need fewer process switches. A failure does not matter.
  for (int const file : {input_, output_}) fcntl(file, F_SETPIPE_SZ, 1 << 20);
}

Process::~Process() {
  close_input();
  close_errors();
  close(output_);
}

void Process::close_input() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

void Process::close_errors() {
  if (errors_ >= 0) close(errors_);
  errors_ = -1;
}

std::string Process::how_it_ended() const {
  int const code = keeper_.code();
  // If a signal ended the last command of a shell, the exit code of the shell is 128 + signal.
  bool const passed_on = !keeper_.was_signalled() && code > 128 && code < 160;
  return keeper_.how_it_ended() + (passed_on ? ", the code of a shell for " + signal_name(code - 128) : "");
}

}  // namespace demeter
