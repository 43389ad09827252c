// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bodies of functions, branches and loops: captures, and what becomes of them.
#include "lib/IO/AttrCodec.h"
#include "test/fuzz/graphs/Guards.h"
#include "test/fuzz/graphs/Maker.h"
#include "test/fuzz/graphs/Recipes.h"

namespace kiln::fuzz {
namespace {

const Scope::Argument *findArgument(const Scope &region, const Node *node) {
  for (const Scope::Argument &argument : region.arguments)
    if (argument.inner.at.node == node)
      return &argument;
  return nullptr;
}

/// "node:output_arg:i", as functions name a tensor.
std::string functionTensor(const Scope &region, const Output &output) {
  const Node &node = *output.node;
  if (findArgument(region, &node))
    return node.name();
  const OpDef &def = *lookupOp(node.op());
  int index = output.index;
  for (const ArgDef &arg : def.outputs) {
    auto types = expandArgs({&arg, 1}, node, def);
    int number = types.ok() ? static_cast<int>(types->size()) : 0;
    if (index < number)
      return node.name() + ":" + arg.name + ":" + std::to_string(index);
    index -= number;
  }
  return node.name();
}

} // namespace

Value Maker::capture(const Value &outer) {
  Scope &region = *scope;
  for (const Scope::Argument &argument : region.arguments)
    if (argument.outer.at == outer.at)
      return argument.inner;
  NodeSpec spec{.name = freshName("arg"), .op = "Placeholder"};
  spec.attrs.set("dtype", outer.dtype);
  spec.attrs.set("shape", outer.at.shape());
  const Node *node = *region.graph->addNode(std::move(spec));
  Value inner = outer.isKnown
                    ? sourceOf(node, outer.dtype, outer.dims, outer.contents)
                    : standIn({node, 0}, outer.dtype, std::nullopt);
  region.arguments.push_back({inner, outer});
  keep(inner);
  return inner;
}

std::unique_ptr<Scope> Maker::region(const std::vector<Value> &arguments,
                                     int ops, const Sets &runsIn) {
  auto region = std::make_unique<Scope>(scope, runsIn);
  inside(*region, [&] {
    for (const Value &argument : arguments)
      capture(argument);
    static const std::vector<const OpDef *> all = allOps();
    for (int i = 0; i < ops; ++i)
      if (scope->focus && random.chance(35))
        addRisky(*this);
      else if (scope->focus && random.chance(40))
        addOp(sizedOp(random));
      else
        addOp(random.chance(35) ? std::string_view(random.pick(all)->name)
                                : usualOp(random));
    return 0;
  });
  return region;
}

void Maker::shareArguments(std::span<const std::unique_ptr<Scope>> regions) {
  for (const auto &region : regions)
    inside(*region, [&] {
      const Scope &last = *regions.back();
      for (size_t i = region->arguments.size(); i < last.arguments.size(); ++i)
        capture(last.arguments[i].outer);
      return 0;
    });
}

std::string Maker::function(Scope &region, const std::vector<Value> &results) {
  proto::FunctionDef &function =
      *program.graph.mutable_library()->add_function();
  std::string name = freshName("function");
  proto::OpDef &signature = *function.mutable_signature();
  signature.set_name(name);
  for (const Scope::Argument &argument : region.arguments) {
    auto &arg = *signature.add_input_arg();
    arg.set_name(argument.inner.at.node->name());
    arg.set_type(static_cast<proto::DataType>(argument.inner.dtype));
  }
  for (size_t i = 0; i < results.size(); ++i) {
    auto &result = *signature.add_output_arg();
    result.set_name("r" + std::to_string(i));
    result.set_type(static_cast<proto::DataType>(results[i].dtype));
    (*function.mutable_ret())[result.name()] =
        functionTensor(region, results[i].at);
  }
  for (int id = 0; id < region.graph->numNodes(); ++id) {
    const Node &node = *region.graph->node(id);
    if (findArgument(region, &node))
      continue;
    if (lookupOp(node.op())->has(stateful))
      signature.set_is_stateful(true);
    proto::NodeDef &nodeDef = *function.add_node_def();
    nodeDef.set_name(node.name());
    nodeDef.set_op(node.op());
    for (const Output &input : node.inputs())
      nodeDef.add_input(functionTensor(region, input));
    for (const Node *control : node.controlInputs())
      nodeDef.add_input("^" + control->name());
    for (const NamedAttr &attr : node.attrs())
      io::encodeAttr(attr.value, (*nodeDef.mutable_attr())[attr.name]);
  }
  return name;
}

std::vector<NodeSpec> Maker::inlined(const Scope &region,
                                     const std::vector<std::string> &arguments,
                                     const std::string &pivot,
                                     std::span<const std::string> constants) {
  std::vector<NodeSpec> specs;
  for (int id = 0; id < region.graph->numNodes(); ++id) {
    const Node &node = *region.graph->node(id);
    if (findArgument(region, &node))
      continue;
    NodeSpec &spec = specs.emplace_back();
    spec.name = node.name();
    spec.op = node.op();
    spec.attrs = node.attrs();
    bool isFree = node.controlInputs().empty();
    for (const Output &input : node.inputs()) {
      const Scope::Argument *argument = findArgument(region, input.node);
      std::string name =
          argument ? arguments[size_t(argument - region.arguments.data())]
                   : input.name();
      isFree &= std::ranges::count(constants, name) != 0;
      spec.inputs.emplace_back(std::move(name));
    }
    for (const Node *control : node.controlInputs())
      spec.inputs.emplace_back("^" + control->name());
    // Those of frames inside have a pivot of their own.
    if (isFree)
      spec.inputs.emplace_back("^" + pivot);
  }
  return specs;
}

} // namespace kiln::fuzz
