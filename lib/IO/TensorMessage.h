// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors as the messages that ops give and take.
#ifndef KILN_LIB_IO_TENSORMESSAGE_H
#define KILN_LIB_IO_TENSORMESSAGE_H

#include "kiln/Tensor.h"

#include <string>
#include <string_view>

namespace kiln::proto {
class TensorProto;
} // namespace kiln::proto

namespace kiln::io {

/// As TensorFlow serializes: contents as they lie, strings one by one.
void encodeContents(const Tensor &tensor, proto::TensorProto &message);
StatusOr<std::string> serializeContents(const Tensor &tensor);
/// The same with strings as contents too: their lengths, and all of their
/// bytes.
StatusOr<std::string> serializePacked(const Tensor &tensor);

/// **Errors**: INVALID_ARGUMENT, RESOURCE_EXHAUSTED, also beyond 2 GiB, of
/// which a few bytes could otherwise be many times: they may repeat.
StatusOr<Tensor> decodeContents(const proto::TensorProto &message);

} // namespace kiln::io

#endif // KILN_LIB_IO_TENSORMESSAGE_H
