// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions as values from and to FunctionDefs.
#include "kiln/FunctionSpec.h"
#include "lib/IO/AttrCodec.h"
#include "lib/IO/FunctionCodec.h"
#include "lib/IO/FunctionHash.h"
#include "lib/IO/GraphCodec.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

template <class Map> void encode(const AttrMap &attrs, Map &map) {
  for (const NamedAttr &attr : attrs)
    io::encodeAttr(attr.value, map[attr.name]);
}

void encode(const FunctionSpec &spec, proto::FunctionDef &message) {
  proto::OpDef &signature = *message.mutable_signature();
  io::encodeSchema(spec.signature, signature);
  signature.set_description(spec.description);
  for (const auto &[name, node] : spec.controlReturns) {
    signature.add_control_output(name);
    (*message.mutable_control_ret())[name] = node;
  }
  encode(spec.attrs, *message.mutable_attr());
  for (size_t i = 0; i < spec.argAttrs.size(); ++i)
    if (!spec.argAttrs[i].empty())
      encode(spec.argAttrs[i],
             *(*message.mutable_arg_attr())[static_cast<uint32_t>(i)]
                  .mutable_attr());
  for (const NodeSpec &node : spec.nodes)
    io::encodeNode(node, *message.add_node_def());
  message.mutable_ret()->insert(spec.returns.begin(), spec.returns.end());
}

Status parse(std::string_view bytes, proto::FunctionDef &message) {
  return io::parseBinary(bytes, GraphLoadOptions().maxDepth, message);
}

/// Eight bytes in base 64 without padding; what is neither a letter nor a digit
/// there becomes a letter, because names have neither "-" nor several "_".
std::string lettersOf(uint64_t hash) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789aA";
  std::string letters;
  int bits = 0;
  uint32_t pending = 0;
  for (int byte = 0; byte < 9; ++byte) {
    // The ninth fills the last digit up.
    pending = pending << 8 | (byte < 8 ? (hash >> (8 * byte)) & 0xff : 0);
    for (bits += 8; bits >= 6 && letters.size() < 11; bits -= 6)
      letters += digits[(pending >> (bits - 6)) & 63];
  }
  return letters;
}

StatusOr<FunctionHead> decodeHead(std::string_view bytes) {
  proto::FunctionDef message;
  KILN_RETURN_IF_ERROR(parse(bytes, message));
  FunctionHead head{.name = message.signature().name()};
  io::ByteBudget budget(GraphLoadOptions().maxConstantBytes);
  for (const auto &[name, value] : message.attr()) {
    KILN_ASSIGN_OR_RETURN(AttrValue decoded, io::decodeAttr(value, budget));
    head.attrs.set(name, std::move(decoded));
  }
  return head;
}

/// The functions that are gradients of others, as the library's messages say.
StatusOr<proto::FunctionDefLibrary> gradientsOf(const Graph &graph) {
  proto::FunctionDefLibrary message;
  if (SharedFunctions library = graph.functionLibrary())
    KILN_RETURN_IF_ERROR(io::encodeLibrary(*library, message));
  message.clear_function();
  return message;
}

Status addGradient(Graph &graph, std::string_view function,
                   std::string_view gradient) {
  KILN_ASSIGN_OR_RETURN(proto::FunctionDefLibrary known, gradientsOf(graph));
  for (const proto::GradientDef &each : known.gradient())
    if (each.function_name() == function) {
      if (each.gradient_func() == gradient)
        return okStatus();
      return invalidArgumentError(
          strCat("Cannot assign gradient function '", gradient, "' to '",
                 function, "' because it already has gradient function '",
                 each.gradient_func(), "'"));
    }
  proto::FunctionDefLibrary message;
  proto::GradientDef &added = *message.add_gradient();
  added.set_function_name(std::string(function));
  added.set_gradient_func(std::string(gradient));
  SharedFunctions before = graph.functionLibrary();
  const GraphLoadOptions usual;
  io::ByteBudget budget(usual.maxConstantBytes);
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<const FunctionLibrary> library,
      io::decodeLibrary(message, budget,
                        before ? before->limits() : usual.limits));
  io::addLibrary(std::move(library), graph);
  return okStatus();
}

} // namespace

StatusOr<std::string> encodeFunctionDef(const FunctionSpec &spec) {
  return io::withoutExceptions<StatusOr<std::string>>(
      "a FunctionDef", 0, [&]() -> StatusOr<std::string> {
        proto::FunctionDef message;
        encode(spec, message);
        return io::serialize(message, GraphDefFormat::Binary);
      });
}

StatusOr<std::string> functionDefHash(const FunctionSpec &spec) {
  return io::withoutExceptions<StatusOr<std::string>>(
      "the hash of a FunctionDef", 0, [&]() -> StatusOr<std::string> {
        proto::FunctionDef message;
        encode(spec, message);
        // TensorFlow hashes before it names the function and its controls.
        message.mutable_signature()->clear_name();
        message.mutable_signature()->clear_control_output();
        message.clear_control_ret();
        KILN_ASSIGN_OR_RETURN(uint64_t hash, io::functionHash(message));
        return lettersOf(hash);
      });
}

StatusOr<FunctionHead> decodeFunctionHead(std::string_view bytes) {
  return io::withoutExceptions<StatusOr<FunctionHead>>(
      "a FunctionDef", bytes.size(), [&] { return decodeHead(bytes); });
}

StatusOr<std::string> setFunctionAttr(std::string_view bytes,
                                      std::string_view name,
                                      const AttrValue &value) {
  return io::withoutExceptions<StatusOr<std::string>>(
      "a FunctionDef", bytes.size(), [&]() -> StatusOr<std::string> {
        proto::FunctionDef message;
        KILN_RETURN_IF_ERROR(parse(bytes, message));
        proto::AttrValue &attr = (*message.mutable_attr())[std::string(name)];
        attr.Clear();
        io::encodeAttr(value, attr);
        return io::serialize(message, GraphDefFormat::Binary);
      });
}

Status addFunctionGradient(Graph &graph, std::string_view function,
                           std::string_view gradient) {
  return io::withoutExceptions<Status>("a gradient of a function", 0, [&] {
    return addGradient(graph, function, gradient);
  });
}

} // namespace kiln
