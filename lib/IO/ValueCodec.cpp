// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Single attributes, shapes, tensors and nodes as messages.
#include "kiln/Messages.h"
#include "lib/IO/AttrCodec.h"
#include "lib/IO/FunctionCodec.h"
#include "lib/IO/GraphCodec.h"
#include "lib/IO/TensorMessage.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <google/protobuf/arena.h>

namespace kiln {
namespace {

/// Fills a message of type Message and serializes it.
template <class Message, class Fill>
StatusOr<std::string> encode(std::string_view what, const Fill &fill) {
  return io::withoutExceptions<StatusOr<std::string>>(what, 0, [&] {
    Message message;
    fill(message);
    return io::serialize(message, GraphDefFormat::Binary);
  });
}

/// Parses a message of type Message and reads it within the usual limits.
template <class Value, class Message, class Read>
StatusOr<Value> decode(std::string_view what, std::string_view bytes,
                       const Read &read) {
  return io::withoutExceptions<StatusOr<Value>>(
      what, bytes.size(), [&]() -> StatusOr<Value> {
        const GraphLoadOptions usual;
        google::protobuf::Arena arena;
        auto &message =
            *google::protobuf::Arena::CreateMessage<Message>(&arena);
        KILN_RETURN_IF_ERROR(io::parseBinary(bytes, usual.maxDepth, message));
        io::ByteBudget budget(usual.maxConstantBytes);
        return read(message, budget);
      });
}

} // namespace

StatusOr<std::string> encodeAttrValue(const AttrValue &value) {
  return encode<proto::AttrValue>(
      "an AttrValue", [&](auto &message) { io::encodeAttr(value, message); });
}

StatusOr<AttrValue> decodeAttrValue(std::string_view bytes) {
  return decode<AttrValue, proto::AttrValue>(
      "an AttrValue", bytes, [](const auto &message, io::ByteBudget &budget) {
        return io::decodeAttr(message, budget);
      });
}

StatusOr<std::string> encodeTensorShape(const Shape &shape) {
  return encode<proto::TensorShapeProto>(
      "a shape", [&](auto &message) { io::encodeShape(shape, message); });
}

StatusOr<Shape> decodeTensorShape(std::string_view bytes) {
  return decode<Shape, proto::TensorShapeProto>(
      "a shape", bytes, [](const auto &message, io::ByteBudget &) {
        return io::decodeShape(message);
      });
}

StatusOr<std::string> encodeTensorProto(const Tensor &tensor) {
  if (dtypeSize(tensor.dtype()) == 0)
    return invalidArgumentError(strCat("expected a tensor of values, got one "
                                       "of ",
                                       dtypeTfName(tensor.dtype())));
  return encode<proto::TensorProto>("a TensorProto", [&](auto &message) {
    io::encodeTensor(TensorConstant(tensor), message);
  });
}

StatusOr<Tensor> decodeTensorProto(std::string_view bytes) {
  return decode<Tensor, proto::TensorProto>(
      "a TensorProto", bytes, [](const auto &message, io::ByteBudget &) {
        return io::decodeContents(message);
      });
}

StatusOr<std::string> encodeNodeDef(const NodeSpec &node) {
  return encode<proto::NodeDef>(
      "a NodeDef", [&](auto &message) { io::encodeNode(node, message); });
}

StatusOr<std::string> encodeVersionDef(const GraphVersions &versions) {
  return encode<proto::VersionDef>("a VersionDef", [&](auto &message) {
    io::encodeVersions(versions, message);
  });
}

StatusOr<NodeSpec> decodeNodeDef(std::string_view bytes) {
  return decode<NodeSpec, proto::NodeDef>(
      "a NodeDef", bytes, [](const auto &message, io::ByteBudget &budget) {
        return io::decodeNode(message, budget);
      });
}

} // namespace kiln
