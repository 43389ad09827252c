// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants between their wire form and kiln::TensorConstant.
#ifndef KILN_LIB_IO_TENSORCODEC_H
#define KILN_LIB_IO_TENSORCODEC_H

#include "kiln/Attributes.h"

namespace kiln::proto {
class TensorProto;
class TensorShapeProto;
} // namespace kiln::proto

namespace kiln::io {

/// The bytes that constants may still take in memory.
///
/// A few bytes of a file may claim any number of elements (the last value
/// stands for all that follow), so memory is asked for here before it is
/// allocated.
class ByteBudget {
public:
  explicit ByteBudget(size_t limitBytes) : limit(limitBytes) {}
  /// **Errors**: RESOURCE_EXHAUSTED when `bytes` more would pass the limit.
  Status spend(size_t bytes);

private:
  size_t limit;
  size_t used = 0;
};

/// **Errors**: INVALID_ARGUMENT for negative dimensions (-1 is unknown), too
/// many of them, or an element count beyond int64.
StatusOr<Shape> decodeShape(const proto::TensorShapeProto &shapeProto);
void encodeShape(const Shape &shape, proto::TensorShapeProto &shapeProto);

/// Decodes every encoding of a TensorProto. One value for several elements, or
/// none (zeros), becomes a splat and costs one element. **Errors**:
/// INVALID_ARGUMENT for unknown dtypes, dimensions that are negative or
/// unknown, sizes that overflow, and contents of another length than the
/// shape's; RESOURCE_EXHAUSTED beyond the budget. **Source**:
/// Tensor::FromProto.
StatusOr<TensorConstant> decodeTensor(const proto::TensorProto &tensorProto,
                                      ByteBudget &budget);

/// How many elements the field of the message's dtype, or its contents, have:
/// fewer than its shape says where the last one stands for others.
int64_t countElements(const proto::TensorProto &tensorProto);

/// Encodes a constant: one element and splats as a single value, all else as
/// contents.
void encodeTensor(const TensorConstant &constant,
                  proto::TensorProto &tensorProto);

} // namespace kiln::io

#endif // KILN_LIB_IO_TENSORCODEC_H
