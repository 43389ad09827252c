// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sequences of calls of TensorFlow's C interface, as bytes say them: handles
// are used as the interface allows, everything else is any. A call gives a
// result or an error, never both and never neither; nothing is left behind.
#include "test/capi/fuzz/CallSequence.h"

#include <cstdlib>

using kiln::CallSequence;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CallSequence calls(data, size);
  // As many as compile nothing for long.
  for (int i = 0; i < 200 && calls.next(); ++i)
    ;
  return 0;
}
