#include "cli/core/footing.hpp"

#include "base/ground.hpp"
#include "cli/core/command.hpp"

#include <fcntl.h>
#include <gmp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

namespace demeter::cli {
namespace {

constexpr std::size_t needed_stack = std::size_t{8} << 20;

void keep_number(int number, int flags) {
  if (::fcntl(number, F_GETFD) >= 0) return;
  int const nowhere = ::open("/dev/null", flags);
  if (nowhere >= 0 && nowhere != number) {
    ::dup2(nowhere, number);
    ::close(nowhere);
  }
}

[[noreturn]] void end_in_one_line() {
  // This function must not allocate: the program may be out of memory.
  char const* what = "unknown error";
  static bool again = false;
  be_the_one_that_ends();
  if (!again && std::current_exception()) {
    again = true;
    try {
      throw;
    } catch (std::bad_alloc const&) {
      what = "out of memory";
    } catch (std::exception const& error) {
      what = error.what();
    } catch (...) {
    }
  }
  say("demeter: ");
  say(what);
  say("\n");
  ::_exit(broken);
}

// Ends the program if there is no memory for GMP or MPFR. Otherwise these libraries would abort, and an exception
// cannot pass through their code.
void* memory_or_end(void* memory) {
  if (memory != nullptr) return memory;
  be_the_one_that_ends();
  say("demeter: out of memory\n");
  ::_exit(broken);
}
void* allocate(std::size_t size) { return memory_or_end(std::malloc(size)); }
void* reallocate(void* old, std::size_t, std::size_t size) { return memory_or_end(std::realloc(old, size)); }
void release(void* old, std::size_t) { std::free(old); }

/// Ends the program instead of throwing std::bad_alloc if even 64 KiB cannot be allocated. Unwinding allocates memory
/// too, and nlohmann::json 3.11 then destroys an object that it could not construct.
void without_memory() {
  constexpr std::size_t little = std::size_t{64} << 10;
  std::free(memory_or_end(std::malloc(little)));
  throw std::bad_alloc();
}

/// Runs before the constructors of shared libraries. These constructors allocate memory. If there is none, some of them
/// throw and some use a null pointer. So this function ends the program if 2 MiB are not available.
///
/// Removes environment variables that libraries read. Google Benchmark reads each of its options from a variable when
/// it is loaded, for example "benchmark_out" from BENCHMARK_OUT and "v" from V. It prints V if V is not a number.
/// simdjson reads the name of its implementation from a variable. If the name is unknown, simdjson parses nothing.
void before_libraries(int, char**, char** environment) {
  char** kept = environment;
  for (char** each = environment; *each != nullptr; ++each) {
    std::string_view const variable = *each;
    bool const is_read =
        variable.starts_with("BENCHMARK_") || variable.starts_with("SIMDJSON_") || variable.starts_with("V=");
    if (!is_read) *kept++ = *each;
  }
  *kept = nullptr;
  std::set_terminate(end_in_one_line);
  std::set_new_handler(without_memory);
  constexpr std::size_t wanted = std::size_t{2} << 20;
  void* const some = ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memory_or_end(some == MAP_FAILED ? nullptr : some);
  ::munmap(some, wanted);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const called_first)(int, char**, char**) = before_libraries;

/// Checks the floating-point environment before the constructors of the libraries that are linked in, because these
/// constructors compute too.
[[gnu::constructor(101)]] void before_anything_else() {
  mp_set_memory_functions(allocate, reallocate, release);
  auto const wrong = unsound_arithmetic();
  if (!wrong) return;
  tell("demeter: floating-point environment: {}; verdicts would be unreliable\n", *wrong);
  ::_exit(broken);
}

void* run(void* of) {
  auto* const work = static_cast<std::function<void()>*>(of);
  (*work)();
  return nullptr;
}

}  // namespace

void stand_firmly() {
  keep_number(STDIN_FILENO, O_WRONLY);
  keep_number(STDOUT_FILENO, O_RDONLY);
  keep_number(STDERR_FILENO, O_WRONLY);
  for (int const signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

int with_enough_stack(std::function<int()> const& work) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) != 0) return work();
  if (limit.rlim_cur < needed_stack) {
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, needed_stack);
    ::setrlimit(RLIMIT_STACK, &limit);
  }
  // New threads get the stack size of the limit at the start of the program, which may be too small. A larger stack
  // only takes address space.
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return work();
  std::size_t usual = 0;
  pthread_getattr_default_np(&attributes);
  pthread_attr_getstacksize(&attributes, &usual);
  pthread_attr_setstacksize(&attributes, std::max(usual, needed_stack));
  pthread_setattr_default_np(&attributes);
  int code = broken;
  std::function<void()> wrapped = [&] { code = work(); };
  pthread_t thread;
  bool const enough = limit.rlim_cur >= needed_stack;
  bool const begun = !enough && pthread_create(&thread, &attributes, run, &wrapped) == 0;
  pthread_attr_destroy(&attributes);
  if (!begun) return work();
  pthread_join(thread, nullptr);
  return code;
}

}  // namespace demeter::cli
