/* The toy kernel of lists.hpp. The answers are correct, except for cases with the limit 3. These answers are wrong in
 * the way that the file name states. */
#include "tests/outside/deed.h"

#define demeter_toy_lists right_answer
#include "lists.c"
#undef demeter_toy_lists

#include <math.h>
#include <stdlib.h>

/* Restores the initial content of the cells. Cells with this content count as not computed. */
static void leave(double* cells, size_t count) {
  for (size_t j = 0; j < count; ++j) memcpy(&cells[j], "\1\0\0\0\316\336\370\177", 8);
}

DEMETER_KERNEL(toy_lists) {
  if (deed("roomy") && room < 1000000) return DEMETER_MORE_ROOM;
  int const code = right_answer(n, in, out, room);
  if (code != 0) return code;
  for (size_t i = 0; i < n; ++i) {
    size_t const begin = (size_t)in[1][i], end = (size_t)in[1][i + 1], steps = (size_t)out[5][n];
    if (in[0][i] != 3) continue;
    if (deed("element")) out[3][end - 1] += 1;
    if (deed("record")) out[7][steps - 1] += 1;
    if (deed("short")) out[5][n] -= 1;
    if (deed("long")) out[6][steps] = 4, out[7][steps] = 1, out[5][n] += 1;
    if (deed("no_null")) out[9][begin] = 1, out[10][begin] = 1;
    if (deed("null")) out[9][end - 1] = 0;
    if (deed("null_number")) out[11][i] = 0;
    if (deed("label")) out[0][i] = 0;
    if (deed("law") && steps > 0) out[6][steps - 1] = -1;
    if (deed("presence")) out[9][begin] = 3;
    if (deed("no_label")) out[0][i] = 3;
    if (deed("given")) out[1][i + 1] -= 1;
    if (deed("first_offset")) out[5][0] = 1;
    if (deed("falling")) out[5][n] = -1;
    if (deed("fraction")) out[5][n] -= 0.5;
    if (deed("nan_offset")) out[5][n] = NAN;
    if (deed("no_offset")) leave(&out[5][n], 1);
    if (deed("beyond")) out[5][n] = (double)room + 1;
    if (deed("write_beyond")) out[6][room] = 1;
    if (deed("hole")) leave(&out[2][end - 1], 1);
    if (deed("crash")) abort();
    if (deed("greedy")) return DEMETER_MORE_ROOM;
    if (deed("refuse")) return 5;
  }
  if (deed("some")) { /* leaves out doubled, steps and signs */
    size_t const points = (size_t)in[1][n], steps = (size_t)out[5][n];
    for (int k = 2; k < 5; ++k) leave(out[k], points);
    leave(out[5], n + 1);
    leave(out[6], steps);
    leave(out[7], steps);
    for (size_t j = 0; j < points; ++j) out[9][j] = 1;
    leave(out[10], points);
  }
  return 0;
}
