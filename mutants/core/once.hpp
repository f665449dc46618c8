// What mutants of a kernel have in common, computed once for all that ask one after the other.
#pragma once

#include <cstddef>
#include <map>
#include <utility>

namespace demeter {

/// `compute()`, or what it returned when a thread last asked with an equal key: most mutants are asked for the same
/// cases, and are wrong about what is made of it. All is forgotten once the sizes, `size(value)`, add up to `most`, so
/// that a reference holds until the next call.
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

/// The same, of values of one size.
template <class Key, class Compute>
auto const& once(Key key, std::size_t most, Compute const& compute) {
  return once(std::move(key), most, compute, [](auto const&) { return std::size_t{1}; });
}

}  // namespace demeter
