// Truths of many cases, which take long, where somebody may want them to end before.
#pragma once

#include "oracles/core/oracle.hpp"

#include <atomic>

namespace demeter {

/// As `truths_of`: of all cases, or of the first of them if `stop` is set meanwhile.
Truths truths_until(std::atomic<bool> const& stop, Oracle const&, Schema const& output, Table const& cases);

}  // namespace demeter
