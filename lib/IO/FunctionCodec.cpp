// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes signatures and bodies of functions.
#include "lib/IO/FunctionCodec.h"

#include "lib/IO/AttrCodec.h"
#include "lib/IO/MapOrder.h"
#include "lib/IO/Wire.h"
#include "lib/IO/proto/Graph.pb.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <set>

namespace kiln::io {

StatusOr<NodeSpec> decodeNode(const proto::NodeDef &nodeDef,
                              ByteBudget &budget) {
  NodeSpec spec{
      .name = nodeDef.name(), .op = nodeDef.op(), .device = nodeDef.device()};
  spec.inputs.assign(nodeDef.input().begin(), nodeDef.input().end());
  for (const auto *entry : byKey(nodeDef.attr())) {
    const auto &[name, value] = *entry;
    auto decoded = decodeAttr(value, budget);
    if (!decoded.ok())
      return Status(decoded.status().code(),
                    strCat("attribute ", quote(name), " of node ",
                           quote(nodeDef.name()), ": ",
                           decoded.status().message()),
                    nodeDef.name());
    spec.attrs.set(name, *std::move(decoded));
  }
  return spec;
}

namespace {

StatusOr<ArgDef> decodeArg(const proto::OpDef::ArgDef &argDef) {
  ArgDef arg;
  arg.name = argDef.name();
  arg.typeAttr = argDef.type_attr();
  arg.typeListAttr = argDef.type_list_attr();
  arg.numberAttr = argDef.number_attr();
  arg.isRef = argDef.is_ref();
  int kinds = !arg.typeAttr.empty() + !arg.typeListAttr.empty();
  if (argDef.type() != 0) {
    ++kinds;
    if (auto dtype = dtypeFromNumber(argDef.type()))
      arg.dtype = *dtype;
    else
      return invalidArgumentError(strCat("argument ", quote(arg.name),
                                         ": unknown dtype number ",
                                         int64_t{argDef.type()}));
  }
  if (kinds != 1)
    return invalidArgumentError(strCat("argument ", quote(arg.name),
                                       ": expected one type, got ", kinds));
  return arg;
}

template <class List>
Status decodeArgs(const List &list, std::vector<ArgDef> &args) {
  for (const proto::OpDef::ArgDef &argDef : list) {
    KILN_ASSIGN_OR_RETURN(ArgDef arg, decodeArg(argDef));
    args.push_back(std::move(arg));
  }
  return okStatus();
}

/// The shape that the tracer noted of an argument.
Shape argShape(const proto::FunctionDef &functionDef, int index) {
  auto found = functionDef.arg_attr().find(static_cast<uint32_t>(index));
  if (found == functionDef.arg_attr().end())
    return Shape::unknownRank();
  auto shapes = found->second.attr().find("_output_shapes");
  if (shapes == found->second.attr().end() ||
      shapes->second.list().shape_size() != 1)
    return Shape::unknownRank();
  auto shape = decodeShape(shapes->second.list().shape(0));
  return shape.ok() ? *std::move(shape) : Shape::unknownRank();
}

Status decodeFunction(const proto::FunctionDef &functionDef, ByteBudget &budget,
                      Function &function) {
  const proto::OpDef &signature = functionDef.signature();
  KILN_RETURN_IF_ERROR(decodeArgs(signature.input_arg(), function.args));
  KILN_RETURN_IF_ERROR(decodeArgs(signature.output_arg(), function.results));
  for (int i = 0; i < signature.input_arg_size(); ++i)
    function.argShapes.push_back(argShape(functionDef, i));
  for (const proto::OpDef::AttrDef &attrDef : signature.attr()) {
    Function::Attr &attr = function.attrs.emplace_back();
    attr.name = attrDef.name();
    attr.kind = attrDef.type();
    if (attrDef.has_default_value()) {
      KILN_ASSIGN_OR_RETURN(attr.defaultValue,
                            decodeAttr(attrDef.default_value(), budget));
    }
  }
  for (const proto::NodeDef &nodeDef : functionDef.node_def()) {
    KILN_ASSIGN_OR_RETURN(NodeSpec spec, decodeNode(nodeDef, budget));
    function.nodes.push_back(std::move(spec));
  }
  function.returns.insert(functionDef.ret().begin(), functionDef.ret().end());
  for (const std::string &name : signature.control_output()) {
    auto found = functionDef.control_ret().find(name);
    if (found == functionDef.control_ret().end())
      return invalidArgumentError(
          strCat("control output ", quote(name), " stands for no node"));
    function.controlReturns.push_back(found->second);
  }
  return okStatus();
}

} // namespace

StatusOr<std::shared_ptr<const FunctionLibrary>>
decodeLibrary(const proto::FunctionDefLibrary &library, ByteBudget &budget) {
  KILN_ASSIGN_OR_RETURN(std::string serialized,
                        serialize(library, GraphDefFormat::Binary));
  std::vector<std::unique_ptr<Function>> functions;
  std::set<std::string_view> names;
  for (const proto::FunctionDef &functionDef : library.function()) {
    const std::string &name = functionDef.signature().name();
    if (!names.insert(name).second)
      return invalidArgumentError(
          strCat("the library has two functions of the name ", quote(name)));
    auto function = std::make_unique<Function>();
    function->name = name;
    Status status = decodeFunction(functionDef, budget, *function);
    if (status.code() == StatusCode::ResourceExhausted)
      return status;
    function->problem = std::move(status);
    functions.push_back(std::move(function));
  }
  return std::make_shared<const FunctionLibrary>(std::move(serialized),
                                                 std::move(functions));
}

} // namespace kiln::io
