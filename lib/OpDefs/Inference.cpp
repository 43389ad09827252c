// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs shape functions, for one node and as the checker of a graph that is
// being built.
#include "lib/OpDefs/Inference.h"

#include "lib/OpDefs/Contents.h"
#include "lib/OpDefs/DeclaredShapes.h"
#include "lib/OpDefs/SlotSpace.h"
#include "lib/Shape/Rules.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <unordered_map>

namespace kiln {

const Dims *InferenceContext::knownContents(int i) const {
  const ValueInfo &value = input(i);
  return value.contents ? &*value.contents : nullptr;
}

const Dims *InferenceContext::inputContents(int i) const {
  return demanded(i, Demand::Known);
}

const Dims *InferenceContext::inputSizes(int i) const {
  return demanded(i, Demand::Sizes);
}

const Dims *InferenceContext::demanded(int i, Demand what) const {
  const Dims *known = knownContents(i);
  bool complete =
      known && std::none_of(known->begin(), known->end(),
                            [](Dim dim) { return dim.isUnknown(); });
  if (complete || !site.demand)
    return known;
  const Dims *answer = site.demand(i, what);
  return answer ? answer : known;
}

void InferenceContext::needExtents(int i) const {
  if (site.demand)
    (void)site.demand(i, Demand::Extents);
}

int InferenceContext::slotHere(const std::string &name) const {
  return site.slots ? site.slots->slotOf(*site.path, &theNode, name) : -1;
}

void InferenceContext::setOutput(int i, DType dtype, SymShape shape) {
  outputs[static_cast<size_t>(i)].dtype = dtype;
  setOutputShape(i, std::move(shape));
}

void InferenceContext::setOutputContents(int i, Dims contents) {
  DType dtype = outputs[static_cast<size_t>(i)].dtype;
  if (contents.size() <= maxContents &&
      (isInteger(dtype) || dtype == DType::Bool))
    outputs[static_cast<size_t>(i)].contents = std::move(contents);
}

const AttrValue *InferenceContext::attr(std::string_view name) const {
  if (const AttrValue *value = theNode.findAttr(name))
    return value;
  const AttrDef *attr = theDef.findAttr(name);
  return attr && attr->defaultValue ? &*attr->defaultValue : nullptr;
}

namespace {
template <class T> T valueOr(const AttrValue *attr, T fallback) {
  const T *value = attr ? attr->getIf<T>() : nullptr;
  return value ? *value : std::move(fallback);
}
} // namespace

bool InferenceContext::boolAttr(std::string_view name) const {
  return valueOr(attr(name), false);
}
int64_t InferenceContext::intAttr(std::string_view name) const {
  return valueOr(attr(name), int64_t{0});
}
float InferenceContext::floatAttr(std::string_view name) const {
  return valueOr(attr(name), float{0});
}
DType InferenceContext::typeAttr(std::string_view name) const {
  return valueOr(attr(name), DType::Invalid);
}
std::string InferenceContext::stringAttr(std::string_view name) const {
  return valueOr(attr(name), std::string());
}
SymShape InferenceContext::shapeAttr(std::string_view name) const {
  return toSymShape(valueOr(attr(name), Shape::unknownRank()));
}
std::vector<int64_t> InferenceContext::intsAttr(std::string_view name) const {
  return valueOr(attr(name), std::vector<int64_t>());
}

Status InferenceContext::error(std::string message) const {
  return invalidArgumentError(std::move(message)).withNode(theNode.name());
}

StatusOr<SymShape> InferenceContext::withRank(const SymShape &shape,
                                              int rank) const {
  if (!shape.rankKnown)
    return SymShape::unknownDims(static_cast<size_t>(rank));
  if (shape.rank() != rank)
    return error(
        strCat("Shape must be rank ", rank, " but is rank ", shape.rank()));
  return shape;
}

StatusOr<std::vector<ValueInfo>> InferenceContext::run() {
  space.setNode(theNode.name());
  KILN_ASSIGN_OR_RETURN(std::vector<ArgType> types,
                        expandArgs(theDef.outputs, theNode, theDef));
  outputs.clear();
  for (ArgType type : types) {
    ValueInfo output;
    output.dtype = type.dtype;
    output.isRef = type.isRef;
    outputs.push_back(std::move(output));
  }
  KILN_RETURN_IF_ERROR(theDef.infer(*this).withNode(theNode.name()));
  for (ValueInfo &output : outputs) {
    output.shape = space.resolve(output.shape);
    if (output.contents)
      output.contents = space.resolve(*output.contents);
  }
  if (theDef.has(hostBody) && !space.isBuilding())
    giveFoundSizes();
  return std::move(outputs);
}

void InferenceContext::giveFoundSizes() {
  // Behind those that the shape function may have of its own.
  int found = 1 << 16;
  for (int i = 0; i < numOutputs(); ++i) {
    SymShape &shape = outputs[static_cast<size_t>(i)].shape;
    if (!shape.rankKnown)
      shape = toSymShape(theNode.outputShape(i));
    for (Dim &dim : shape.dims)
      if (dim.isUnknown())
        dim = space.runDim(found++, /*isSize=*/true);
  }
}

std::optional<double> InferenceContext::constantNumber(int i) const {
  if (site.constantNumber)
    return site.constantNumber(i);
  if (!space.isBuilding())
    return std::nullopt;
  const Node &input = *theNode.input(i).node;
  if (!isCast(input))
    return kiln::constantNumber(input);
  std::optional<double> number = kiln::constantNumber(*input.input(0).node);
  return number ? std::optional(castNumber(input, *number)) : number;
}

StatusOr<std::vector<ValueInfo>>
inferNode(const Node &node, const OpDef &def,
          std::vector<const ValueInfo *> inputs, DimSpace &dims,
          InferenceSite site) {
  return InferenceContext(node, def, std::move(inputs), dims, std::move(site))
      .run();
}

namespace shapes {
StatusOr<SymShape> sameShape(InferenceContext &context, const SymShape &a,
                             const SymShape &b, const GuardInfo &info) {
  if (!a.rankKnown || !b.rankKnown)
    return a.rankKnown ? a : b;
  KILN_ASSIGN_OR_RETURN(Dims dims,
                        unifyShapes(context.dims(), a.dims, b.dims, info));
  return SymShape::of(std::move(dims));
}
} // namespace shapes

SymShape toSymShape(const Shape &shape) {
  if (!shape.hasRank())
    return SymShape::unknownRank();
  SymShape result = SymShape::scalar();
  for (int64_t dim : shape.dims())
    result.dims.push_back(dim < 0 ? Dim::unknown() : Dim::known(dim));
  return result;
}

Shape toShape(const SymShape &shape) {
  if (!shape.rankKnown)
    return Shape::unknownRank();
  Shape result;
  for (Dim dim : shape.dims)
    result.appendDim(dim.isKnown() && dim.value >= 0 ? dim.value
                                                     : Shape::unknownDim);
  return result;
}

namespace {

/// Infers nodes as they are added. Keeps only what a Node itself does not hold:
/// elements and handles.
class BuildingChecker {
public:
  Status check(Node &node) {
    details.erase(&node); // a failed addition may have left an entry for a node
                          // at this address
    const OpDef *def = lookupOp(node.op());
    if (!def)
      return okStatus();
    KILN_RETURN_IF_ERROR(checkNode(node, *def));
    setDefaultAttrs(node, *def);
    std::vector<ValueInfo> values(static_cast<size_t>(node.numInputs()));
    std::vector<const ValueInfo *> inputs;
    for (int i = 0; i < node.numInputs(); ++i) {
      ValueInfo &value = values[static_cast<size_t>(i)];
      const Output &source = node.input(i);
      const OutputInfo &info = source.node->output(source.index);
      auto found = details.find(source.node);
      if (found != details.end() &&
          static_cast<size_t>(source.index) < found->second.size()) {
        value = found->second[static_cast<size_t>(source.index)];
        // What enters a loop may have got the shape of all its iterations.
        if (toShape(value.shape) != info.shape) {
          value.shape = toSymShape(info.shape);
          value.contents.reset();
        }
      } else {
        value = {info.dtype, info.isRef, toSymShape(info.shape), {}, {}};
      }
      inputs.push_back(&value);
    }
    auto outputs = inferNode(node, *def, std::move(inputs), space);
    if (!outputs.ok()) {
      KILN_RETURN_IF_ERROR(setTypes(node, *def));
      return outputs.status();
    }
    mergeDeclaredShapes(node, *outputs);
    std::vector<OutputInfo> infos;
    bool keep = false;
    for (const ValueInfo &output : *outputs) {
      infos.push_back({output.dtype, toShape(output.shape), output.isRef});
      keep |= output.contents || output.handle;
    }
    node.setOutputs(std::move(infos));
    if (keep)
      details.emplace(&node, *std::move(outputs));
    return okStatus();
  }

private:
  /// For who takes the node all the same (see Graph::addNodes()).
  static Status setTypes(Node &node, const OpDef &def) {
    KILN_ASSIGN_OR_RETURN(std::vector<ArgType> types,
                          expandArgs(def.outputs, node, def));
    std::vector<OutputInfo> infos;
    for (ArgType type : types)
      infos.push_back({type.dtype, Shape::unknownRank(), type.isRef});
    node.setOutputs(std::move(infos));
    return okStatus();
  }

  DimSpace space{DimSpace::Mode::Building};
  std::unordered_map<const Node *, std::vector<ValueInfo>> details;
};

} // namespace

NodeChecker makeNodeChecker() {
  return [checker = std::make_shared<BuildingChecker>()](Node &node) {
    return checker->check(node);
  };
}

} // namespace kiln
