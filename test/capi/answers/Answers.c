// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints the answers of one theme, or of all: kiln_capi_answers [theme].
#include "Answers.h"

#include <unistd.h>

TF_Status *status;

static const struct {
  const char *name;
  void (*answer)(void);
} themes[] = {
    {"values", answerValues},       {"operations", answerOperations},
    {"imports", answerImports},     {"sessions", answerSessions},
    {"shapes", answerShapes},       {"users", answerUsers},
    {"gradients", answerGradients}, {"loops", answerLoops},
    {"functions", answerFunctions},
};

// Not main: the recorder calls it in a process that has loaded TensorFlow.
int answer(const char *theme) {
  int known = 0;
  for (int i = 0; i < COUNT(themes); ++i)
    if (!theme || strcmp(theme, themes[i].name) == 0) {
      status = TF_NewStatus();
      themes[i].answer();
      TF_DeleteStatus(status);
      known = 1;
    }
  fflush(stdout);
  return known ? 0 : 2;
}

static void printText(const char *text) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  for (; *text; ++text)
    if (*text == '\n')
      fputs("\\n", stdout);
    else if (host[0] && strncmp(text, " running on ", 12) == 0 &&
             strncmp(text + 12, host, strlen(host)) == 0) {
      fputs(" running on HOST", stdout);
      text += 11 + strlen(host);
    } else
      putchar(*text);
}

int tell(const char *what) {
  printf("%s: ", what);
  if (TF_GetCode(status) == TF_OK) {
    puts("OK");
    return 1;
  }
  printf("%d ", (int)TF_GetCode(status));
  printText(TF_Message(status));
  putchar('\n');
  TF_SetStatus(status, TF_OK, "");
  return 0;
}

void tellNumber(const char *what, long long number) {
  printf("%s: %lld\n", what, number);
}

void tellText(const char *what, const char *text) {
  printf("%s: ", what);
  printText(text ? text : "(null)");
  putchar('\n');
}

void tellTensor(const char *what, TF_Tensor *tensor) {
  if (!tensor) {
    tellText(what, "no tensor");
    return;
  }
  printf("%s: type %d [", what, (int)TF_TensorType(tensor));
  int64_t count = 1;
  for (int i = 0; i < TF_NumDims(tensor); ++i) {
    printf(i ? ",%lld" : "%lld", (long long)TF_Dim(tensor, i));
    count *= TF_Dim(tensor, i);
  }
  printf("]");
  for (int64_t i = 0; i < count; ++i)
    if (TF_TensorType(tensor) == TF_FLOAT)
      printf(" %g", ((const float *)TF_TensorData(tensor))[i]);
    else
      printf(" %d", (int)((const int32_t *)TF_TensorData(tensor))[i]);
  putchar('\n');
  TF_DeleteTensor(tensor);
}

void tellOutput(const char *what, TF_Output output) {
  if (output.oper)
    printf("%s: %s:%d\n", what, TF_OperationName(output.oper), output.index);
  else
    printf("%s: none\n", what);
}

TF_Tensor *floatTensor(const int64_t *dims, int rank, const float *values) {
  size_t count = 1;
  for (int i = 0; i < rank; ++i)
    count *= (size_t)dims[i];
  TF_Tensor *tensor =
      TF_AllocateTensor(TF_FLOAT, dims, rank, count * sizeof(float));
  memcpy(TF_TensorData(tensor), values, count * sizeof(float));
  return tensor;
}

TF_Tensor *intTensor(int32_t value) {
  TF_Tensor *tensor = TF_AllocateTensor(TF_INT32, NULL, 0, sizeof value);
  memcpy(TF_TensorData(tensor), &value, sizeof value);
  return tensor;
}

TF_Operation *placeholder(TF_Graph *graph, const char *name, TF_DataType type) {
  TF_OperationDescription *desc = TF_NewOperation(graph, "Placeholder", name);
  TF_SetAttrType(desc, "dtype", type);
  return TF_FinishOperation(desc, status);
}

TF_Operation *constant(TF_Graph *graph, const char *name, TF_Tensor *value) {
  TF_OperationDescription *desc = TF_NewOperation(graph, "Const", name);
  TF_SetAttrTensor(desc, "value", value, status);
  TF_SetAttrType(desc, "dtype", TF_TensorType(value));
  TF_DeleteTensor(value);
  return TF_FinishOperation(desc, status);
}

TF_Operation *op(TF_Graph *graph, const char *type, const char *name,
                 TF_Operation *a, TF_Operation *b) {
  TF_OperationDescription *desc = TF_NewOperation(graph, type, name);
  TF_AddInput(desc, first(a));
  if (b)
    TF_AddInput(desc, first(b));
  return TF_FinishOperation(desc, status);
}

TF_Output first(TF_Operation *operation) {
  TF_Output output = {operation, 0};
  return output;
}

void tellRun(const char *what, TF_Graph *graph, int numFeeds,
             const TF_Output *feeds, const int32_t *values, TF_Output fetch) {
  TF_SessionOptions *options = TF_NewSessionOptions();
  TF_Session *session = TF_NewSession(graph, options, status);
  TF_DeleteSessionOptions(options);
  TF_Tensor *inputs[8], *result = NULL;
  for (int i = 0; i < numFeeds; ++i)
    inputs[i] = intTensor(values[i]);
  TF_SessionRun(session, NULL, feeds, inputs, numFeeds, &fetch, &result, 1,
                NULL, 0, NULL, status);
  if (tell(what))
    tellTensor(what, result);
  for (int i = 0; i < numFeeds; ++i)
    TF_DeleteTensor(inputs[i]);
  TF_DeleteSession(session, status);
}
