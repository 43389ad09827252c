// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes messages of tensors, and tensors of messages.
#include "lib/Ops/Summary/Host.h"

#include "lib/IO/TensorMessage.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Tensor.pb.h"
#include "lib/Ops/Summary/HostHistogram.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cmath>
#include <set>

namespace kiln::host {

using namespace io;
namespace {

constexpr int maxDepth = 100;

/// Element i as a double; false for types that are no real numbers.
template <class Fn> Status forEachNumber(const Tensor &tensor, Fn use) {
  Status status;
  dispatchElement(tensor.dtype(), [&]<class T>(T) {
    if constexpr (!std::is_same_v<T, bool>)
      for (int64_t i = 0; i < tensor.numElements() && status.ok(); ++i) {
        T value = static_cast<const T *>(tensor.rawData())[i];
        if constexpr (std::is_arithmetic_v<T>)
          status = use(i, static_cast<double>(value));
        else
          status = use(i, static_cast<double>(static_cast<float>(value)));
      }
  });
  return status;
}

/// Sets the only output, a string.
Status giveMessage(const HostCall &call,
                   const google::protobuf::Message &message) {
  KILN_ASSIGN_OR_RETURN(std::string bytes,
                        serialize(message, GraphDefFormat::Binary));
  KILN_ASSIGN_OR_RETURN(call.outputs[0], Tensor::fromStrings(Shape(), {bytes}));
  return okStatus();
}

std::string_view textAt(const Tensor &tensor, int64_t i) {
  return tensor.data<String>()[static_cast<size_t>(i)].view();
}

/// The first bytes, for a message.
std::string base64(std::string_view bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  bytes = bytes.substr(0, 300);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    std::string_view group = bytes.substr(i, 3);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k)
      bits =
          bits << 8 | (k < group.size() ? static_cast<uint8_t>(group[k]) : 0u);
    for (size_t k = 0; k < 4; ++k)
      text += k <= group.size() ? digits[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

} // namespace

Status scalarSummary(const HostCall &call) {
  const Tensor &tags = call.inputs[0], &values = call.inputs[1];
  if (tags.shape() != values.shape())
    return invalidArgumentError(strCat(
        "tags and values are not the same shape: ", tags.shape().toString(),
        " != ", values.shape().toString(),
        tags.numElements() == 1 ? strCat(" (tag '", textAt(tags, 0), "')")
                                : ""));
  proto::Summary summary;
  KILN_RETURN_IF_ERROR(forEachNumber(values, [&](int64_t i, double number) {
    proto::Summary::Value &value = *summary.add_value();
    value.set_tag(std::string(textAt(tags, i)));
    value.set_simple_value(static_cast<float>(number));
    return okStatus();
  }));
  return giveMessage(call, summary);
}

Status histogramSummary(const HostCall &call) {
  const Tensor &tag = call.inputs[0];
  if (tag.rank() != 0)
    return invalidArgumentError("tags must be scalar");
  Histogram histogram;
  auto add = [&](int64_t, double number) {
    if (std::isnan(number))
      return invalidArgumentError(
          strCat("Nan in summary histogram for: ", call.node.name()));
    if (std::isinf(number))
      return invalidArgumentError(
          strCat("Infinity in Histogram for: ", call.node.name()));
    histogram.add(number);
    return okStatus();
  };
  KILN_RETURN_IF_ERROR(forEachNumber(call.inputs[1], add));
  proto::Summary summary;
  proto::Summary::Value &value = *summary.add_value();
  value.set_tag(std::string(textAt(tag, 0)));
  histogram.encode(*value.mutable_histo());
  return giveMessage(call, summary);
}

/// The tensor with the node's name; TensorFlow drops the rest of it, too.
Status tensorSummary(const HostCall &call) {
  proto::Summary summary;
  proto::Summary::Value &value = *summary.add_value();
  value.set_node_name(call.node.name());
  encodeContents(call.inputs[0], *value.mutable_tensor());
  return giveMessage(call, summary);
}

Status tensorSummaryV2(const HostCall &call) {
  const Tensor &tag = call.inputs[0], &described = call.inputs[2];
  for (const auto &[input, name] :
       {std::pair(&tag, "tag"),
        std::pair(&described, "serialized_summary_metadata")})
    if (input->rank() != 0)
      return invalidArgumentError(strCat(name, " must be scalar"));
  proto::Summary summary;
  proto::Summary::Value &value = *summary.add_value();
  value.set_tag(std::string(textAt(tag, 0)));
  encodeContents(call.inputs[1], *value.mutable_tensor());
  // What is no message is as none, as in TensorFlow.
  proto::SummaryMetadata &metadata = *value.mutable_metadata();
  if (!parseBinary(textAt(described, 0), maxDepth, metadata).ok())
    metadata.Clear();
  return giveMessage(call, summary);
}

Status mergeSummary(const HostCall &call) {
  proto::Summary merged;
  std::set<std::string> tags;
  for (const Tensor &input : call.inputs)
    for (int64_t i = 0; i < input.numElements(); ++i) {
      proto::Summary summary;
      if (!parseBinary(textAt(input, i), maxDepth, summary).ok())
        return invalidArgumentError(
            "Could not parse one of the summary inputs");
      for (proto::Summary::Value &value : *summary.mutable_value()) {
        if (!value.tag().empty() && !tags.insert(value.tag()).second)
          return invalidArgumentError(strCat("Duplicate tag ", value.tag(),
                                             " found in summary inputs "));
        merged.add_value()->Swap(&value);
      }
    }
  return giveMessage(call, merged);
}

Status serializeTensor(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(std::string bytes, serializeContents(call.inputs[0]));
  KILN_ASSIGN_OR_RETURN(call.outputs[0], Tensor::fromStrings(Shape(), {bytes}));
  return okStatus();
}

Status parseTensor(const HostCall &call) {
  const Tensor &serialized = call.inputs[0];
  if (serialized.rank() != 0)
    return invalidArgumentError(
        strCat("Expected `serialized` to be a scalar, got shape: ",
               serialized.shape().toString()));
  proto::TensorProto message;
  if (!parseBinary(textAt(serialized, 0), maxDepth, message).ok())
    return invalidArgumentError(
        strCat("Could not parse `serialized` as TensorProto, base64: ",
               base64(textAt(serialized, 0))));
  auto dtype = call.node.attrOr<DType>("out_type", DType::Invalid);
  if (static_cast<DType>(message.dtype()) != dtype)
    return invalidArgumentError(
        strCat("Type mismatch between parsed tensor (",
               dtypeTfName(static_cast<DType>(message.dtype())),
               ") and dtype (", dtypeTfName(dtype), ")"));
  auto tensor = decodeContents(message);
  if (!tensor.ok())
    return Status(
        tensor.status().code(),
        strCat("Cannot parse tensor from proto: ", tensor.status().message()));
  call.outputs[0] = *std::move(tensor);
  return okStatus();
}

} // namespace kiln::host
