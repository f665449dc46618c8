// Timing of a subject in a child process that is kept for several measurements.
#include "subjects/isolation/forked.hpp"
#include "subjects/isolation/isolate.hpp"
#include "subjects/isolation/process.hpp"

#include <ctime>

#include <algorithm>
#include <optional>

namespace demeter {

using namespace isolation;

struct IsolatedTimer::State {
  std::function<std::function<void()>()> prepare;
  Limits limits;
  Patience* patience;
  std::optional<Child> child;
  std::optional<Passes> failed;
  double seconds_a_pass = 0;  ///< time per pass in the last measurement
};

IsolatedTimer::IsolatedTimer(std::function<std::function<void()>()> prepare, Limits const& limits, Patience* patience)
    : state_(new State{std::move(prepare), limits, patience, {}, {}}) {
  ignore_broken_pipes();
}
IsolatedTimer::~IsolatedTimer() = default;

namespace {

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Reads commands from the parent. Each command is a number of passes. Runs these passes and sends their time in
/// seconds.
void time_passes(std::function<std::function<void()>()> const& prepare, FrameWriter const& writer) {
  std::function<void()> pass;
  std::uint64_t passes = 0;
  while (read_command(reinterpret_cast<char*>(&passes), sizeof passes)) {
    bool const sent = send(writer, FrameKind::result, [&] {
      if (!pass) pass = prepare();
      double const begin = processor_seconds();
      for (std::uint64_t i = 0; i < passes; ++i) pass();
      double const seconds = processor_seconds() - begin;
      return std::string(reinterpret_cast<char const*>(&seconds), sizeof seconds);
    });
    if (!sent) return;
  }
}

}  // namespace

IsolatedTimer::Passes IsolatedTimer::run(std::uint64_t passes) {
  State& state = *state_;
  if (state.failed) return *state.failed;
  auto const fail = [&](Status status, std::string message) {
    state.child.reset();
    state.failed = Passes{status, std::move(message), 0};
    return *state.failed;
  };
  Forbearance forbearance(state.limits, state.patience);
  if (state.patience != nullptr && state.patience->hasty(state.limits))
    return fail(Status::timeout, "given up after " + std::to_string(state.patience->timeouts) + " timeouts");
  if (forbearance.over()) return fail(Status::not_asked, forbearance.why());
  if (!state.child)
    state.child.emplace(
        state.limits, [&](FrameWriter const& writer) { time_passes(state.prepare, writer); }, true);
  state.child->command({reinterpret_cast<char const*>(&passes), sizeof passes}, state.limits.time_per_chunk);
  FrameKind kind{};
  std::string bytes;
  auto const expected = static_cast<long long>(4000 * state.seconds_a_pass * static_cast<double>(passes));
  auto const time = state.limits.time_per_chunk + std::chrono::milliseconds(expected);
  if (auto failure = state.child->read_frame(kind, bytes, state.limits, time, state.patience)) {
    if (failure->status == Status::timeout) forbearance.count(Forbearance::Failure::timeout);
    return fail(failure->status, std::move(failure->message));
  }
  if (kind == FrameKind::threw) return fail(Status::crash, "uncaught exception: " + tidy(bytes));
  Passes result;
  if (kind != FrameKind::result || bytes.size() != sizeof result.seconds)
    return fail(Status::malformed, "unexpected data instead of times in its pipe");
  std::memcpy(&result.seconds, bytes.data(), sizeof result.seconds);
  state.seconds_a_pass = result.seconds / static_cast<double>(std::max<std::uint64_t>(passes, 1));
  return result;
}

}  // namespace demeter
