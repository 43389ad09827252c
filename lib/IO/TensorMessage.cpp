// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes tensors into messages, and reads them within a limit of memory.
#include "lib/IO/TensorMessage.h"

#include "lib/IO/Formats.h"
#include "lib/IO/TensorCodec.h"
#include "lib/IO/Varint.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Tensor.pb.h"
#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"

namespace kiln::io {

void encodeContents(const Tensor &tensor, proto::TensorProto &message) {
  message.set_dtype(static_cast<proto::DataType>(tensor.dtype()));
  encodeShape(tensor.shape(), *message.mutable_tensor_shape());
  if (tensor.dtype() != DType::String) {
    message.set_tensor_content(tensor.rawData(), tensor.byteSize());
    return;
  }
  for (const String &text : tensor.data<String>())
    message.add_string_val(std::string(text.view()));
}

StatusOr<std::string> serializeContents(const Tensor &tensor) {
  proto::TensorProto message;
  encodeContents(tensor, message);
  return serialize(message, GraphDefFormat::Binary);
}

StatusOr<std::string> serializePacked(const Tensor &tensor) {
  if (tensor.dtype() != DType::String)
    return serializeContents(tensor);
  proto::TensorProto message;
  message.set_dtype(static_cast<proto::DataType>(tensor.dtype()));
  encodeShape(tensor.shape(), *message.mutable_tensor_shape());
  std::string &content = *message.mutable_tensor_content();
  for (const String &text : tensor.data<String>())
    appendVarint(content, text.size());
  for (const String &text : tensor.data<String>())
    content += text.view();
  return serialize(message, GraphDefFormat::Binary);
}

StatusOr<Tensor> decodeContents(const proto::TensorProto &message) {
  constexpr size_t maxBytes = size_t(2) << 30;
  ByteBudget budget(maxBytes);
  KILN_ASSIGN_OR_RETURN(TensorConstant constant, decodeTensor(message, budget));
  KILN_ASSIGN_OR_RETURN(int64_t count, constant.shape.numElements());
  auto bytes = checkedMul(count, static_cast<int64_t>(dtypeSize(
                                     static_cast<DType>(message.dtype()))));
  KILN_RETURN_IF_ERROR(ByteBudget(maxBytes).spend(
      bytes ? static_cast<size_t>(*bytes) : SIZE_MAX));
  return constant.materialize();
}

} // namespace kiln::io

namespace kiln {

StatusOr<std::string> encodeTensor(const Tensor &tensor) {
  return io::serializePacked(tensor);
}

StatusOr<Tensor> decodeTensor(std::string_view bytes) {
  constexpr int maxDepth = 100;
  proto::TensorProto message;
  if (!io::parseBinary(bytes, maxDepth, message).ok())
    return invalidArgumentError("Could not parse serialized proto");
  auto tensor = io::decodeContents(message);
  if (!tensor.ok() && tensor.status().code() == StatusCode::InvalidArgument)
    return invalidArgumentError("Could not construct tensor from proto");
  return tensor;
}

} // namespace kiln
