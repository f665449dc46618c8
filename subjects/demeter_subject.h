/* The C interface by which Demeter judges and times your code: `demeter check KERNEL --subject lib:./libmine.so`.
 *
 * Define the three functions below and one function for each kernel you answer:
 *
 *     DEMETER_KERNEL(segment_distance) { ... return 0; }
 *
 * which is
 *
 *     int demeter_segment_distance(size_t n, double const* const in[], double* const out[])
 *
 * `in` and `out` are columns, one double a case in each: in[k][i] is column k of case i. `demeter list KERNEL --abi`
 * prints which column is which number. The order is that of the kernel's fields; a vector is one column a component,
 * and nested records follow in place. A list takes a column of n + 1 offsets, then a column for each number of its
 * elements: case i has the elements offsets[i] to offsets[i + 1]. An enumeration is the index of its label.
 *
 * - out[k] may be NULL: that output is not wanted.
 * - Every cell of an output column holds a NaN of Demeter's own when you get it. Leave it (or copy it) for what you do
 *   not compute. Any other NaN is taken for an answer, and a wrong one: 0/0 must not pass for "not computed".
 * - Return 0 if the cases are answered. Anything else says that you do not support the batch; it is then asked again
 *   case by case, so that only those cases count as unsupported.
 * - Do not write to `in`, outside of `out[k][0..n-1]`, or change the rounding mode: that is a malformed answer.
 * - Columns begin at multiples of 64 bytes. n may be 0.
 *
 * A kernel whose function is missing is not answered. Kernels with lists among their outputs cannot be answered in this
 * way (there are none so far). The library is loaded into a process of its own, with limits of time and memory
 * (`--timeout`, `--memory`): if it crashes or hangs, that is a verdict on the case that did it.
 */
#ifndef DEMETER_SUBJECT_H
#define DEMETER_SUBJECT_H

#include <stddef.h>

#ifdef __cplusplus
#define DEMETER_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define DEMETER_EXPORT __attribute__((visibility("default")))
#endif

#define DEMETER_ABI_VERSION 1

/* Declares or, followed by a body, defines the function of a kernel. */
#define DEMETER_KERNEL(kernel) \
  DEMETER_EXPORT int demeter_##kernel(size_t n, double const* const in[], double* const out[])

/* Returns DEMETER_ABI_VERSION. */
DEMETER_EXPORT int demeter_abi_version(void);

/* What reports call your code: "my_code 1.2". */
DEMETER_EXPORT char const* demeter_subject_name(void);

/* May be left out. 53: you compute in double, the default. 24: in float; your inputs are then rounded to float, and you
 * are judged at those. */
DEMETER_EXPORT int demeter_subject_precision(void);

#endif
