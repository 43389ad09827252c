// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program on TensorFlow's C interface that bytes write, one call after the
// other.
#ifndef KILN_TEST_CAPI_FUZZ_CALLSEQUENCE_H
#define KILN_TEST_CAPI_FUZZ_CALLSEQUENCE_H

#include "tensorflow/c/c_api.h"
#include "tensorflow/c/eager/c_api.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

/// Owns all handles that calls have made, and deletes them.
class CallSequence {
public:
  CallSequence(const uint8_t *data, size_t size);
  ~CallSequence();
  CallSequence(const CallSequence &) = delete;
  CallSequence &operator=(const CallSequence &) = delete;

  /// Makes the next call; false at the end of the bytes. Ends the process where
  /// a call gives neither a result nor an error, or both.
  bool next();

private:
  unsigned byte();
  int64_t number();
  const char *word();
  std::vector<int64_t> dims();
  template <class T> T *pick(const std::vector<T *> &list);
  TF_Output pickOutput();
  void check(const void *result);

  void describe();
  void setAttribute();
  void finish();
  void importNodes();
  void look();
  void run();
  void runInParts();
  void makeTensor();
  void viewTensor();
  void makeEagerOp();
  void execute();

  const uint8_t *data, *end;
  TF_Status *status;
  TF_Graph *graph;
  TF_Session *session;
  TFE_Context *context;
  TF_OperationDescription *description = nullptr;
  TFE_Op *op = nullptr;
  std::vector<TF_Operation *> operations;
  std::vector<TF_Tensor *> tensors;
  std::vector<TFE_TensorHandle *> handles;
};

} // namespace kiln

#endif // KILN_TEST_CAPI_FUZZ_CALLSEQUENCE_H
