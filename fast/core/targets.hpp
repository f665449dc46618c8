// The Highway targets of every fast kernel. One .cpp file per kernel contains all levels: Highway includes the file
// once per target. The file therefore defines its own name before it includes foreach_target.h.
//
//   #include "fast/core/targets.hpp"
//   #undef HWY_TARGET_INCLUDE
//   #define HWY_TARGET_INCLUDE "fast/segment_distance.cpp"
//   #include <hwy/foreach_target.h>
//   #include <hwy/highway.h>
#pragma once

// AVX2, AVX-512 and the compiler's own baseline, which Highway requires. Targets below AVX2 are disabled because their
// MulAdd rounds twice.
#define HWY_COMPILE_ALL_ATTAINABLE
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
