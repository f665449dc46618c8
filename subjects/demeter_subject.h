/* The C interface through which Demeter judges and times your code: `demeter check KERNEL --subject lib:./libmine.so`.
 *
 * Define the functions declared below (some are optional), and one function for each kernel that you answer:
 *
 *     DEMETER_KERNEL(segment_distance) { ... return 0; }
 *
 * This defines the function
 *
 *     int demeter_segment_distance(size_t n, double const* const in[], double* const out[], size_t room)
 *
 * `in` and `out` are arrays of columns for n cases: in[k][i] is column k of case i. `demeter list KERNEL --abi` prints
 * the number of each column. The columns have the order of the kernel's fields. A vector has one column per component.
 * A nested record is replaced by its fields. These rules hold for inputs and for outputs:
 *
 * - A label is the index of its name, from 0.
 * - A value that may be null has an extra column before it: 1 if there is a value, 0 for null. In an output, this
 *   column contains 1 when you are called: write 0 for null.
 * - A list has a column of n + 1 offsets, the first of which is 0, and then the columns of its elements. Case i has the
 *   elements offsets[i] to offsets[i + 1] - 1. If an output list is `as long as` an input list, its offsets are filled
 *   in when you are called: write only its elements. For other output lists write offsets and elements. There is room
 *   for `room` elements of all n cases together. If you need more, return DEMETER_MORE_ROOM: you are called again for
 *   the same cases with more room.
 *
 * Rules:
 *
 * - out[k] may be NULL: this output is not wanted. Either all columns of an output are NULL, or none of them.
 * - All other cells of an output contain a special NaN of Demeter when you are called. This NaN means "not computed".
 *   Leave it, or copy it, for numbers that you do not compute. In a list of your own length, leave it in all offsets or
 *   in all elements. Any other NaN is a wrong answer. So the result of 0/0 does not mean "not computed".
 * - Return 0 if you have answered the cases. Any other value means that you do not support the batch. Demeter then asks
 *   the cases one by one, so that only the unsupported cases count as unsupported.
 * - Do not write to `in` or outside the columns of `out`, and do not change the rounding mode: that makes the answer
 *   malformed.
 * - Columns begin at multiples of 64 bytes. One test of `demeter check` uses other multiples of 8 bytes. You may read
 *   beyond the last cell of a column up to the next multiple of 64 bytes, but not further.
 * - n may be 0: then write nothing except the first offset of lists of your own length.
 * - The answer to a case must depend on its inputs only: not on the size of the batch, the place in the batch, other
 *   cases or earlier calls. `demeter check` changes all of these and compares the answers bit by bit.
 *
 * Kernels without a function are not checked. The library is loaded into its own process, with limits on time and
 * memory (`--timeout`, `--memory`). If it crashes or hangs, the case that causes this fails.
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

/* Declares the function of a kernel, or defines it if a body follows. */
#define DEMETER_KERNEL(kernel)                                                           \
  DEMETER_EXPORT int demeter_##kernel(size_t n, double const* const in[], double* const out[], \
                                      size_t room __attribute__((unused)))

/* Returns DEMETER_ABI_VERSION. */
DEMETER_EXPORT int demeter_abi_version(void);

/* Returns the name of your code for reports: "my_code 1.2". */
DEMETER_EXPORT char const* demeter_subject_name(void);

/* Optional. Returns 53 if you compute in double (the default), or 24 for float. With 24, your inputs are rounded to
 * float, and you are judged at the rounded inputs. */
DEMETER_EXPORT int demeter_subject_precision(void);

/* Optional. Returns the formula of a kernel that you implement, by its name in `demeter list KERNEL` ("geometric"), or
 * NULL for the recommended formula. You are judged by this formula. */
DEMETER_EXPORT char const* demeter_formula(char const* kernel);

#endif
