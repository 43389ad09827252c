// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes between their wire form and kiln::AttrValue.
#ifndef KILN_LIB_IO_ATTRCODEC_H
#define KILN_LIB_IO_ATTRCODEC_H

#include "lib/IO/TensorCodec.h"

namespace kiln::proto {
class AttrValue;
} // namespace kiln::proto

namespace kiln::io {

/// Decodes an attribute. Nesting is bounded by the parser's limit of depth.
/// **Errors**: INVALID_ARGUMENT for unknown types, bad shapes and tensors, and
/// lists of mixed kinds; RESOURCE_EXHAUSTED beyond the budget.
StatusOr<AttrValue> decodeAttr(const proto::AttrValue &attrProto,
                               ByteBudget &budget);
void encodeAttr(const AttrValue &value, proto::AttrValue &attrProto);

} // namespace kiln::io

#endif // KILN_LIB_IO_ATTRCODEC_H
