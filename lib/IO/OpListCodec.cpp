// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schemas of ops, and what computes them, as messages.
#include "kiln/Messages.h"
#include "lib/IO/AttrCodec.h"
#include "lib/IO/FunctionCodec.h"
#include "lib/IO/GraphCodec.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/IO/proto/Kernel.pb.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

void encode(const OpArgument &arg, proto::OpDef::ArgDef &message) {
  message.set_name(arg.name);
  if (arg.dtype != DType::Invalid)
    message.set_type(static_cast<proto::DataType>(arg.dtype));
  message.set_type_attr(arg.typeAttr);
  message.set_type_list_attr(arg.typeListAttr);
  message.set_number_attr(arg.numberAttr);
  message.set_is_ref(arg.isRef);
}

void encode(const OpAttribute &attr, proto::OpDef::AttrDef &message) {
  message.set_name(attr.name);
  message.set_type(attr.type);
  if (attr.defaultValue)
    io::encodeAttr(*attr.defaultValue, *message.mutable_default_value());
  if (attr.minimum) {
    message.set_has_minimum(true);
    message.set_minimum(*attr.minimum);
  }
  for (DType dtype : attr.allowedTypes)
    message.mutable_allowed_values()->mutable_list()->add_type(
        static_cast<proto::DataType>(dtype));
  for (const std::string &text : attr.allowedStrings)
    message.mutable_allowed_values()->mutable_list()->add_s(text);
}

} // namespace

void io::encodeSchema(const OpSchema &op, proto::OpDef &message) {
  message.set_name(op.name);
  for (const OpArgument &arg : op.inputs)
    encode(arg, *message.add_input_arg());
  for (const OpArgument &arg : op.outputs)
    encode(arg, *message.add_output_arg());
  for (const OpAttribute &attr : op.attrs)
    encode(attr, *message.add_attr());
  message.set_is_commutative(op.isCommutative);
  message.set_is_aggregate(op.isAggregate);
  message.set_is_stateful(op.isStateful);
  message.set_allows_uninitialized_input(op.allowsUninitializedInput);
}

namespace {

StatusOr<std::vector<OpArgument>> decodeArguments(
    const google::protobuf::RepeatedPtrField<proto::OpDef::ArgDef> &list) {
  std::vector<ArgDef> args;
  KILN_RETURN_IF_ERROR(io::decodeArgs(list, args));
  std::vector<OpArgument> decoded;
  for (ArgDef &arg : args)
    decoded.push_back({.name = std::move(arg.name),
                       .dtype = arg.dtype,
                       .typeAttr = std::move(arg.typeAttr),
                       .typeListAttr = std::move(arg.typeListAttr),
                       .numberAttr = std::move(arg.numberAttr),
                       .isRef = arg.isRef});
  return decoded;
}

StatusOr<OpAttribute> decodeAttribute(const proto::OpDef::AttrDef &message,
                                      io::ByteBudget &budget) {
  OpAttribute attr{.name = message.name(), .type = message.type()};
  if (message.has_default_value()) {
    KILN_ASSIGN_OR_RETURN(attr.defaultValue,
                          io::decodeAttr(message.default_value(), budget));
  }
  if (message.has_minimum())
    attr.minimum = message.minimum();
  KILN_ASSIGN_OR_RETURN(AttrValue allowed,
                        io::decodeAttr(message.allowed_values(), budget));
  if (const auto *types = allowed.getIf<std::vector<DType>>())
    attr.allowedTypes = *types;
  if (const auto *texts = allowed.getIf<std::vector<std::string>>())
    attr.allowedStrings = *texts;
  return attr;
}

StatusOr<OpSchema> decode(const proto::OpDef &message, io::ByteBudget &budget) {
  OpSchema op{.name = message.name()};
  KILN_ASSIGN_OR_RETURN(op.inputs, decodeArguments(message.input_arg()));
  KILN_ASSIGN_OR_RETURN(op.outputs, decodeArguments(message.output_arg()));
  for (const proto::OpDef::AttrDef &attr : message.attr()) {
    KILN_ASSIGN_OR_RETURN(OpAttribute decoded, decodeAttribute(attr, budget));
    op.attrs.push_back(std::move(decoded));
  }
  op.isCommutative = message.is_commutative();
  op.isAggregate = message.is_aggregate();
  op.isStateful = message.is_stateful();
  op.allowsUninitializedInput = message.allows_uninitialized_input();
  return op;
}

void encode(const OpKernel &kernel, proto::KernelDef &message) {
  message.set_op(kernel.op);
  message.set_device_type(kernel.device);
  message.set_label(kernel.label);
  message.set_priority(kernel.priority);
  for (const auto &[attr, dtypes] : kernel.constraints) {
    auto &constraint = *message.add_constraint();
    constraint.set_name(attr);
    io::encodeAttr(AttrValue(dtypes), *constraint.mutable_allowed_values());
  }
}

} // namespace

StatusOr<std::string> encodeOpDef(const OpSchema &op) {
  return io::withoutExceptions<StatusOr<std::string>>("an OpDef", 0, [&] {
    proto::OpDef message;
    io::encodeSchema(op, message);
    return io::serialize(message, GraphDefFormat::Binary);
  });
}

StatusOr<OpSchema> decodeOpDef(std::string_view bytes) {
  return io::withoutExceptions<StatusOr<OpSchema>>(
      "an OpDef", bytes.size(), [&]() -> StatusOr<OpSchema> {
        const GraphLoadOptions usual;
        proto::OpDef message;
        KILN_RETURN_IF_ERROR(io::parseBinary(bytes, usual.maxDepth, message));
        io::ByteBudget budget(usual.maxConstantBytes);
        return decode(message, budget);
      });
}

StatusOr<std::string> encodeOpList(std::span<const OpSchema *const> ops) {
  return io::withoutExceptions<StatusOr<std::string>>("an OpList", 0, [&] {
    proto::OpList list;
    for (const OpSchema *op : ops)
      io::encodeSchema(*op, *list.add_op());
    return io::serialize(list, GraphDefFormat::Binary);
  });
}

StatusOr<std::vector<OpSchema>> decodeOpList(std::string_view bytes) {
  return io::withoutExceptions<StatusOr<std::vector<OpSchema>>>(
      "an OpList", bytes.size(), [&]() -> StatusOr<std::vector<OpSchema>> {
        const GraphLoadOptions usual;
        proto::OpList list;
        KILN_RETURN_IF_ERROR(io::parseBinary(bytes, usual.maxDepth, list));
        io::ByteBudget budget(usual.maxConstantBytes);
        std::vector<OpSchema> ops;
        for (const proto::OpDef &message : list.op()) {
          KILN_ASSIGN_OR_RETURN(OpSchema op, decode(message, budget));
          ops.push_back(std::move(op));
        }
        return ops;
      });
}

StatusOr<std::string> encodeKernelList(std::span<const OpKernel> kernels) {
  return io::withoutExceptions<StatusOr<std::string>>("a KernelList", 0, [&] {
    proto::KernelList list;
    for (const OpKernel &kernel : kernels)
      encode(kernel, *list.add_kernel());
    return io::serialize(list, GraphDefFormat::Binary);
  });
}

} // namespace kiln
