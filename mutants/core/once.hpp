// A cache for computations that mutants of a kernel share.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

namespace demeter {

/// Returns `compute()`, or the stored result of an earlier call in this thread with an equal key. Most mutants answer
/// the same cases. They begin with the same computation and introduce their defect after it. The cache is cleared when
/// the sum of all `size(value)` has reached `most`. Therefore a returned reference is valid only until the next call.
template <class Key, class Compute, class Size>
auto const& once(Key key, std::size_t most, Compute const& compute, Size const& size) {
  using Value = decltype(compute());
  thread_local std::map<Key, Value> known;
  thread_local std::size_t kept = 0;
  if (auto const found = known.find(key); found != known.end()) return found->second;
  if (kept >= most) known.clear(), kept = 0;
  Value const& value = known.emplace(std::move(key), compute()).first->second;
  kept += size(value);
  return value;
}

/// Overload in which each value has the size 1: `most` is then the number of values.
template <class Key, class Compute>
auto const& once(Key key, std::size_t most, Compute const& compute) {
  return once(std::move(key), most, compute, [](auto const&) { return std::size_t{1}; });
}

}  // namespace demeter
