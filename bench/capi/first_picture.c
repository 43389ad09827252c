// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program on TensorFlow's C interface as many are: it reads a frozen network,
// runs one picture and ends. first_picture NETWORK.pb INPUT OUTPUT SIZE [RUNS]
// prints one line: milliseconds from the start of main() to the first result,
// milliseconds of the least later run, peak memory in MB, the largest output.
#include "tensorflow/c/c_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void check(TF_Status *status, const char *what) {
  if (TF_GetCode(status) == TF_OK)
    return;
  fprintf(stderr, "%s: %s\n", what, TF_Message(status));
  exit(1);
}

static void freeBytes(void *data, size_t length) {
  (void)length;
  free(data);
}

static TF_Buffer *readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    perror(path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  const size_t length = (size_t)ftell(file);
  rewind(file);
  void *bytes = malloc(length);
  if (!bytes || fread(bytes, 1, length, file) != length)
    exit(1);
  fclose(file);
  TF_Buffer *buffer = TF_NewBuffer();
  buffer->data = bytes;
  buffer->length = length;
  buffer->data_deallocator = freeBytes;
  return buffer;
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr,
            "usage: first_picture NETWORK.pb INPUT OUTPUT SIZE [RUNS]\n");
    return 2;
  }
  const double start = now();
  TF_Status *status = TF_NewStatus();
  TF_Graph *graph = TF_NewGraph();
  TF_Buffer *buffer = readFile(argv[1]);
  TF_ImportGraphDefOptions *import = TF_NewImportGraphDefOptions();
  TF_GraphImportGraphDef(graph, buffer, import, status);
  check(status, "import");
  TF_DeleteImportGraphDefOptions(import);
  TF_DeleteBuffer(buffer);
  TF_SessionOptions *options = TF_NewSessionOptions();
  TF_Session *session = TF_NewSession(graph, options, status);
  check(status, "session");
  const TF_Output input = {TF_GraphOperationByName(graph, argv[2]), 0};
  const TF_Output output = {TF_GraphOperationByName(graph, argv[3]), 0};
  if (!input.oper || !output.oper)
    return 1;

  const int64_t size = atoi(argv[4]);
  const int64_t dims[] = {1, size, size, 3};
  const size_t count = (size_t)(size * size * 3);
  TF_Tensor *picture =
      TF_AllocateTensor(TF_FLOAT, dims, 4, count * sizeof(float));
  float *pixels = TF_TensorData(picture);
  for (size_t i = 0; i < count; ++i)
    pixels[i] = (float)(i * 7919 % 256) / 255;

  double first = 0, least = 1e30, largest = 0;
  const int runs = argc > 5 ? atoi(argv[5]) : 1;
  for (int run = 0; run < runs; ++run) {
    const double begin = now();
    TF_Tensor *result = NULL;
    TF_SessionRun(session, NULL, &input, &picture, 1, &output, &result, 1, NULL,
                  0, NULL, status);
    check(status, "run");
    const double end = now();
    if (run == 0)
      first = end - start;
    else if (end - begin < least)
      least = end - begin;
    const float *values = TF_TensorData(result);
    largest = values[0];
    for (int64_t i = 1; i < TF_TensorElementCount(result); ++i)
      if (values[i] > largest)
        largest = values[i];
    TF_DeleteTensor(result);
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%s %.1f %.2f %.1f %.6g\n", TF_Version(), first, runs > 1 ? least : 0,
         (double)usage.ru_maxrss / 1024, largest);
  TF_DeleteTensor(picture);
  TF_DeleteSession(session, status);
  TF_DeleteSessionOptions(options);
  TF_DeleteGraph(graph);
  TF_DeleteStatus(status);
  return 0;
}
