// The Highway targets of every fast kernel. A kernel's .cpp holds all its levels: Highway includes the file once a
// target, and the file says its own name before it includes foreach_target.h.
//
//   #include "fast/core/targets.hpp"
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "fast/segment_distance.cpp"
//   #include <hwy/foreach_target.h>
//   #include <hwy/highway.h>
#pragma once

// AVX2, AVX-512 and the compiler's own baseline, which must stay in the list. Below AVX2 Highway's MulAdd rounds twice.
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
