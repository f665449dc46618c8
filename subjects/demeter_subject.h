/* The C interface by which Demeter judges and times your code: `demeter check KERNEL --subject lib:./libmine.so`.
 *
 * Define the three functions below and one function for each kernel you answer:
 *
 *     DEMETER_KERNEL(segment_distance) { ... return 0; }
 *
 * which is
 *
 *     int demeter_segment_distance(size_t n, double const* const in[], double* const out[], size_t room)
 *
 * `in` and `out` are columns of n cases: in[k][i] is column k of case i. `demeter list KERNEL --abi` prints which column
 * is which number. The order is that of the kernel's fields; a vector is one column a component, and nested records
 * follow in place. Inputs and outputs have the same forms:
 *
 * - A label is the index of its name, from 0.
 * - A value that may be null has a column before it: 1 if there is a value, 0 if it is null. In an output it is 1 when
 *   you get it: write 0 for null.
 * - A list has a column of n + 1 offsets, from 0, and then the columns of its elements: case i has the elements
 *   offsets[i] to offsets[i + 1]. An output's list that is `as long as` a list of the input has that list's offsets when
 *   you get it: write its elements only. Of any other list you write offsets and elements. There is room for `room`
 *   elements, of all n cases together. If they are more, return DEMETER_MORE_ROOM: the same cases are asked again.
 *
 * - out[k] may be NULL: that output is not wanted. An output is left out whole: all of its columns are NULL, or none.
 * - Every other cell of an output holds a NaN of Demeter's own when you get it. Leave it (or copy it) for what you do
 *   not compute; leave all the offsets or all the elements of such a list. Any other NaN is taken for an answer, and a
 *   wrong one: 0/0 must not pass for "not computed".
 * - Return 0 if the cases are answered. Anything else says that you do not support the batch; it is then asked again
 *   case by case, so that only those cases count as unsupported.
 * - Do not write to `in`, outside of a column of `out`, or change the rounding mode: that is a malformed answer.
 * - Columns begin at multiples of 64 bytes. What is read beyond the last cell of one, to the next such multiple, is
 *   there; nothing else is. n may be 0: nothing is written but the first offset of a list of your own.
 * - Answer a case by its inputs alone: not by the size of the batch, its place in it, the cases around it or the calls
 *   before. `demeter check` calls you in all of these ways and compares the answers bit for bit.
 *
 * A kernel whose function is missing is not answered. The library is loaded into a process of its own, with limits of
 * time and memory (`--timeout`, `--memory`): if it crashes or hangs, that is a verdict on the case that did it.
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
#define DEMETER_MORE_ROOM 2024

/* Declares or, followed by a body, defines the function of a kernel. */
#define DEMETER_KERNEL(kernel)                                                           \
  DEMETER_EXPORT int demeter_##kernel(size_t n, double const* const in[], double* const out[], \
                                      size_t room __attribute__((unused)))

/* Returns DEMETER_ABI_VERSION. */
DEMETER_EXPORT int demeter_abi_version(void);

/* What reports call your code: "my_code 1.2". */
DEMETER_EXPORT char const* demeter_subject_name(void);

/* May be left out. 53: you compute in double, the default. 24: in float; your inputs are then rounded to float, and you
 * are judged at those. */
DEMETER_EXPORT int demeter_subject_precision(void);

/* May be left out. The formula of a kernel that you implement, by the name that `demeter list KERNEL` has for it
 * ("geometric"), or NULL for the recommended one: you are then judged by that formula. */
DEMETER_EXPORT char const* demeter_formula(char const* kernel);

#endif
