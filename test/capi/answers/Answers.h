// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What any libtensorflow answers to the same calls, as text: one line an
// answer.
//
// The themes are C as a program in C would be: they know TensorFlow's headers
// alone. The test compares their lines with those that TensorFlow gave
// (record.py).
#ifndef KILN_TEST_CAPI_ANSWERS_ANSWERS_H
#define KILN_TEST_CAPI_ANSWERS_ANSWERS_H

#include "tensorflow/c/c_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

// The status of all calls, made once for a theme.
extern TF_Status *status;

// Prints "what: OK" or "what: code message" of the last call. Line breaks
// become "\n", the machine's name "HOST". Returns whether it was OK; it is
// then, since some functions take an error that they find for their own.
int tell(const char *what);
// Prints "what: number" and "what: text".
void tellNumber(const char *what, long long number);
void tellText(const char *what, const char *text);
// Prints the elements of a tensor of int32 or float, and deletes it.
void tellTensor(const char *what, TF_Tensor *tensor);
// Prints an output as "name:index", "none" without an operation.
void tellOutput(const char *what, TF_Output output);

TF_Tensor *floatTensor(const int64_t *dims, int rank, const float *values);
TF_Tensor *intTensor(int32_t value);
TF_Operation *placeholder(TF_Graph *graph, const char *name, TF_DataType type);
TF_Operation *constant(TF_Graph *graph, const char *name, TF_Tensor *value);
// An op with one or two inputs, each the first output of its operation; the
// second may be null. Null where it cannot be added.
TF_Operation *op(TF_Graph *graph, const char *type, const char *name,
                 TF_Operation *a, TF_Operation *b);
TF_Output first(TF_Operation *operation);
// Runs a graph for one output with an int32 for each of the feeds.
void tellRun(const char *what, TF_Graph *graph, int numFeeds,
             const TF_Output *feeds, const int32_t *values, TF_Output fetch);

// The themes.
void answerValues(void);
void answerOperations(void);
void answerImports(void);
void answerSessions(void);
void answerShapes(void);
void answerUsers(void);
void answerGradients(void);
void answerLoops(void);
void answerFunctions(void);

#endif
