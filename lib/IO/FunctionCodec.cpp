// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes signatures and bodies of functions.
#include "lib/IO/FunctionCodec.h"

#include "lib/Graph/ProgramShapes.h"
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

} // namespace

Status
decodeArgs(const google::protobuf::RepeatedPtrField<proto::OpDef_ArgDef> &list,
           std::vector<ArgDef> &args) {
  for (const proto::OpDef::ArgDef &argDef : list) {
    KILN_ASSIGN_OR_RETURN(ArgDef arg, decodeArg(argDef));
    args.push_back(std::move(arg));
  }
  return okStatus();
}

namespace {

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

template <class Map>
StatusOr<AttrMap> decodeAttrs(const Map &map, ByteBudget &budget) {
  AttrMap attrs;
  for (const auto *entry : byKey(map)) {
    KILN_ASSIGN_OR_RETURN(AttrValue value, decodeAttr(entry->second, budget));
    attrs.set(entry->first, std::move(value));
  }
  return attrs;
}

Status decodeFunction(const proto::FunctionDef &functionDef, ByteBudget &budget,
                      Function &function) {
  const proto::OpDef &signature = functionDef.signature();
  KILN_RETURN_IF_ERROR(decodeArgs(signature.input_arg(), function.args));
  KILN_RETURN_IF_ERROR(decodeArgs(signature.output_arg(), function.results));
  for (int i = 0; i < signature.input_arg_size(); ++i)
    function.argShapes.push_back(argShape(functionDef, i));
  function.isStateful = signature.is_stateful();
  KILN_ASSIGN_OR_RETURN(function.ownAttrs,
                        decodeAttrs(functionDef.attr(), budget));
  for (int i = 0; i < signature.input_arg_size(); ++i) {
    auto found = functionDef.arg_attr().find(static_cast<uint32_t>(i));
    AttrMap &attrs = function.argAttrs.emplace_back();
    if (found != functionDef.arg_attr().end()) {
      KILN_ASSIGN_OR_RETURN(attrs, decodeAttrs(found->second.attr(), budget));
    }
  }
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
decodeLibrary(const proto::FunctionDefLibrary &library, ByteBudget &budget,
              const GraphLimits &limits) {
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
  auto decoded = std::make_shared<FunctionLibrary>(std::move(serialized),
                                                   std::move(functions));
  decoded->setLimits(limits);
  return std::shared_ptr<const FunctionLibrary>(std::move(decoded));
}

namespace {

void encodeArg(const ArgDef &arg, proto::OpDef::ArgDef &argDef) {
  argDef.set_name(arg.name);
  argDef.set_type(static_cast<proto::DataType>(arg.dtype));
}

} // namespace

void encodeNode(const NodeSpec &spec, proto::NodeDef &nodeDef) {
  nodeDef.set_name(spec.name);
  nodeDef.set_op(spec.op);
  nodeDef.set_device(spec.device);
  for (const NodeInput &input : spec.inputs)
    if (const auto *output = std::get_if<Output>(&input))
      nodeDef.add_input(output->name());
    else
      nodeDef.add_input(std::get<std::string>(input));
  for (const NamedAttr &attr : spec.attrs)
    if (attr.name != programShapesAttr)
      encodeAttr(attr.value, (*nodeDef.mutable_attr())[attr.name]);
}

void addLibrary(std::shared_ptr<const FunctionLibrary> library, Graph &graph) {
  if (SharedFunctions known = graph.functionLibrary()) {
    auto both = std::make_shared<FunctionLibrary>(*known);
    both->extend(*library);
    both->setLimits(library->limits());
    library = std::move(both);
  }
  graph.setFunctionLibrary(std::move(library));
}

Status encodeLibrary(const FunctionLibrary &library,
                     proto::FunctionDefLibrary &message) {
  // It was parsed once: its nesting is known to be within bounds.
  KILN_RETURN_IF_ERROR(
      parseBinary(library.serialized(), GraphLoadOptions().maxDepth, message));
  encodeBuilt(library, message);
  return okStatus();
}

void encodeBuilt(const FunctionLibrary &library,
                 proto::FunctionDefLibrary &message) {
  for (const auto &function : library.built()) {
    proto::FunctionDef &functionDef = *message.add_function();
    proto::OpDef &signature = *functionDef.mutable_signature();
    signature.set_name(function->name);
    signature.set_is_stateful(function->isStateful);
    for (const ArgDef &arg : function->args)
      encodeArg(arg, *signature.add_input_arg());
    for (const ArgDef &arg : function->results)
      encodeArg(arg, *signature.add_output_arg());
    for (const NamedAttr &attr : function->ownAttrs)
      encodeAttr(attr.value, (*functionDef.mutable_attr())[attr.name]);
    for (size_t i = 0; i < function->argAttrs.size(); ++i)
      for (const NamedAttr &attr : function->argAttrs[i])
        encodeAttr(attr.value,
                   (*(*functionDef.mutable_arg_attr())[static_cast<uint32_t>(i)]
                         .mutable_attr())[attr.name]);
    for (const NodeSpec &spec : function->nodes)
      encodeNode(spec, *functionDef.add_node_def());
    for (const auto &[name, output] : function->returns)
      (*functionDef.mutable_ret())[name] = output;
    for (const std::string &node : function->controlReturns) {
      signature.add_control_output(node);
      (*functionDef.mutable_control_ret())[node] = node;
    }
  }
}

} // namespace kiln::io
