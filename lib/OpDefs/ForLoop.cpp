// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes what a For does before, between and in its iterations as nodes.
#include "lib/OpDefs/ForLoop.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

class Writer {
public:
  std::vector<NodeSpec> nodes;

  void add(std::string name, std::string op, std::vector<NodeInput> inputs,
           AttrMap attrs = {{"T", DType::Int32}}) {
    nodes.push_back({.name = std::move(name),
                     .op = std::move(op),
                     .inputs = std::move(inputs),
                     .attrs = std::move(attrs)});
  }
  void arg(std::string name, DType dtype, const Shape &shape) {
    add(std::move(name), "Placeholder", {},
        {{"dtype", dtype}, {"shape", shape}});
  }
  void counters() {
    for (const char *name : {"start", "limit", "delta"})
      arg(name, DType::Int32, Shape());
  }
  void logical(std::string name, std::string op, std::string a, std::string b) {
    add(std::move(name), std::move(op), {std::move(a), std::move(b)}, {});
  }
  void constant(std::string name, Tensor value) {
    DType dtype = value.dtype();
    add(std::move(name), "Const", {},
        {{"dtype", dtype}, {"value", std::move(value)}});
  }
  /// "up" and "down": the direction, and that the limit is ahead by these
  /// comparisons.
  void directions(const char *upwards, const char *downwards) {
    constant("zero", Tensor::scalar<int32_t>(0));
    add("rises", "Greater", {"delta", "zero"});
    add("falls", "Less", {"delta", "zero"});
    add("below", upwards, {"start", "limit"});
    add("above", downwards, {"start", "limit"});
    logical("up", "LogicalAnd", "rises", "below");
    logical("down", "LogicalAnd", "falls", "above");
    logical("continues", "LogicalOr", "up", "down");
  }
};

} // namespace

StatusOr<ForLoop> makeForLoop(const Node &node) {
  KILN_ASSIGN_OR_RETURN(const std::vector<DType> *types,
                        node.attrRef<std::vector<DType>>("T"));
  KILN_ASSIGN_OR_RETURN(const NameAttrList *body,
                        node.attrRef<NameAttrList>("body"));
  Writer check;
  check.counters();
  check.directions("LessEqual", "GreaterEqual");
  check.add("none", "Equal", {"start", "limit"});
  check.logical("ends", "LogicalOr", "continues", "none");

  Writer condition, iteration;
  std::vector<NodeInput> passed = {"start"};
  std::vector<DType> passedTypes = {DType::Int32};
  for (Writer *writer : {&condition, &iteration}) {
    writer->counters();
    for (size_t i = 0; i < types->size(); ++i)
      writer->arg(strCat("x", i), (*types)[i], Shape::unknownRank());
  }
  condition.directions("Less", "Greater");
  for (size_t i = 0; i < types->size(); ++i) {
    passed.push_back(strCat("x", i));
    passedTypes.push_back((*types)[i]);
  }
  iteration.add("next", "AddV2", {"start", "delta"});
  iteration.add(
      "call", "PartitionedCall", std::move(passed),
      {{"Tin", std::move(passedTypes)}, {"Tout", *types}, {"f", *body}});
  return ForLoop{std::move(check.nodes), std::move(condition.nodes),
                 std::move(iteration.nodes)};
}

} // namespace kiln
