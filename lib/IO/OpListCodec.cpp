// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Schemas of ops as messages.
#include "lib/IO/AttrCodec.h"
#include "lib/IO/Formats.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/OpDefs/OpDef.h"

namespace kiln {
namespace {

void encode(const ArgDef &arg, proto::OpDef::ArgDef &message) {
  message.set_name(arg.name);
  if (arg.dtype != DType::Invalid)
    message.set_type(static_cast<proto::DataType>(arg.dtype));
  message.set_type_attr(arg.typeAttr);
  message.set_type_list_attr(arg.typeListAttr);
  message.set_number_attr(arg.numberAttr);
  message.set_is_ref(arg.isRef);
}

std::string kindName(const AttrDef &attr) {
  auto kind = [&] {
    switch (attr.kind) {
    case AttrKind::Int:
      return "int";
    case AttrKind::Float:
      return "float";
    case AttrKind::Bool:
      return "bool";
    case AttrKind::String:
      return "string";
    case AttrKind::Type:
      return "type";
    case AttrKind::Shape:
      return "shape";
    case AttrKind::Tensor:
      return "tensor";
    case AttrKind::Func:
      return "func";
    }
    return "";
  }();
  return attr.isList ? std::string("list(") + kind + ")" : kind;
}

void encode(const AttrDef &attr, proto::OpDef::AttrDef &message) {
  message.set_name(attr.name);
  message.set_type(kindName(attr));
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

StatusOr<std::string> encodeOpList(std::span<const OpDef *const> ops) {
  proto::OpList list;
  for (const OpDef *op : ops) {
    proto::OpDef &message = *list.add_op();
    message.set_name(op->name);
    for (const ArgDef &arg : op->inputs)
      encode(arg, *message.add_input_arg());
    for (const ArgDef &arg : op->outputs)
      encode(arg, *message.add_output_arg());
    for (const AttrDef &attr : op->attrs)
      encode(attr, *message.add_attr());
    message.set_is_commutative((op->flags & commutative) != 0);
    message.set_is_stateful((op->flags & stateful) != 0);
    message.set_allows_uninitialized_input(
        (op->flags & allowsUninitializedInput) != 0);
  }
  return io::serialize(list, GraphDefFormat::Binary);
}

} // namespace kiln
