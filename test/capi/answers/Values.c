// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statuses, buffers and tensors.
#include "Answers.h"

static int freed;

static void countFreed(void *data, size_t length, void *argument) {
  freed += *(int *)argument;
  free(data);
}

static void tellTensors(void) {
  const int64_t dims[] = {2, 3}, more[] = {3, 2}, none[] = {4, 0};
  TF_Tensor *tensor = TF_AllocateTensor(TF_FLOAT, dims, 2, 24);
  tellNumber("dimensions", TF_NumDims(tensor));
  tellNumber("bytes", (long long)TF_TensorByteSize(tensor));
  tellNumber("elements", TF_TensorElementCount(tensor));
  TF_Tensor *view = TF_AllocateTensor(TF_FLOAT, NULL, 0, 4);
  TF_TensorBitcastFrom(tensor, TF_INT32, view, more, 2, status);
  tell("the same bytes as integers");
  tellNumber("type", TF_TensorType(view));
  tellNumber("shared", TF_TensorData(view) == TF_TensorData(tensor));
  TF_TensorBitcastFrom(tensor, TF_DOUBLE, view, more, 2, status);
  tellNumber("twice the bytes", TF_GetCode(status));
  TF_DeleteTensor(view);
  TF_DeleteTensor(tensor);
  tensor = TF_AllocateTensor(TF_FLOAT, none, 2, 0);
  tellNumber("no elements", TF_TensorElementCount(tensor));
  TF_DeleteTensor(tensor);
  int one = 1;
  void *data = malloc(64);
  tensor = TF_NewTensor(TF_FLOAT, dims, 2, data, 24, countFreed, &one);
  tellNumber("its own", tensor != NULL);
  TF_DeleteTensor(tensor);
  tellNumber("freed", freed);
  data = malloc(64);
  tellNumber("too few bytes", TF_NewTensor(TF_FLOAT, dims, 2, data, 20,
                                           countFreed, &one) != NULL);
  TF_DeleteTensor(NULL);
}

static void tellSizes(void) {
  for (int type = 0; type < 25; ++type)
    printf("size of type %d: %d\n", type,
           (int)TF_DataTypeSize((TF_DataType)type));
}

void answerValues(void) {
  tell("at first");
  TF_SetStatus(status, TF_NOT_FOUND, "not\nhere");
  tell("set");
  TF_SetStatus(status, TF_OK, "ignored");
  tellText("no message", TF_Message(status));
  TF_Buffer *buffer = TF_NewBufferFromString("a\0b", 3);
  tellNumber("length", (long long)buffer->length);
  tellNumber("last", ((const char *)buffer->data)[2]);
  TF_Buffer copy = TF_GetBuffer(buffer);
  tellNumber("the same data", copy.data == buffer->data);
  TF_DeleteBuffer(buffer);
  buffer = TF_NewBuffer();
  tellNumber("empty", buffer->data == NULL && buffer->length == 0);
  TF_DeleteBuffer(buffer);
  TF_DeleteBuffer(NULL);
  tellTensors();
  tellSizes();
}
