// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorProto in all its encodings: sizes that lie, splats, every dtype, and
// the way back to an equal constant.
#include "lib/IO/TensorCodec.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Tensor.pb.h"
#include "test/fuzz/MessageMutator.h"

#include <cstdlib>

using namespace kiln;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  proto::TensorProto message;
  if (!io::parseBinary({reinterpret_cast<const char *>(data), size}, 100,
                       message)
           .ok())
    return 0;
  io::ByteBudget budget(size_t{1} << 24);
  auto constant = io::decodeTensor(message, budget);
  if (!constant.ok())
    return 0;
  auto elements = constant->shape.numElements();
  if (elements.ok() && *elements <= 1 << 16)
    if (auto full = constant->materialize();
        full.ok() && !(full->shape() == constant->shape))
      std::abort(); // another shape than the file's
  proto::TensorProto again;
  io::encodeTensor(*constant, again);
  io::ByteBudget sameBudget(size_t{1} << 24);
  auto decoded = io::decodeTensor(again, sameBudget);
  if (!decoded.ok() || !(*decoded == *constant))
    std::abort(); // the constant did not survive the round trip
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  proto::TensorProto message;
  return fuzz::mutateBinary(message, data, size, maxSize, seed, {});
}
