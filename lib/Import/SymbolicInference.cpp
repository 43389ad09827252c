// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Infers symbolic shapes node by node and reads fed values only where a shape
// depends on them.
#include "lib/Import/SymbolicInference.h"

#include "lib/Ops/Contents.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <unordered_set>

namespace kiln {

Status SymbolicInference::addFeed(int index) {
  const Output &output = graph.feeds[static_cast<size_t>(index)];
  const FeedSpec &spec = specs[static_cast<size_t>(index)];
  KILN_RETURN_IF_ERROR(checkFeed(output, spec.dtype, spec.shape));
  Shape shape = staticShape(output);
  ValueInfo info;
  info.dtype = spec.dtype;
  info.shape.rankKnown = true;
  for (int i = 0; i < spec.shape.rank(); ++i) {
    bool isOpen = !shape.hasRank() || shape.dim(i) == Shape::unknownDim;
    info.shape.dims.push_back(isOpen
                                  ? space.feedDim(index, i, spec.shape.dim(i))
                                  : Dim::known(shape.dim(i)));
  }
  feedOfOutput[{output.node->id(), output.index}] = index;
  feedInfos.push_back(std::move(info));
  return okStatus();
}

Status SymbolicInference::run() {
  if (specs.size() != graph.feeds.size())
    return internalError(
        strCat("expected ", graph.feeds.size(), " feeds, got ", specs.size()));
  isRevealed.assign(specs.size(), false);
  for (size_t i = 0; i < specs.size(); ++i)
    KILN_RETURN_IF_ERROR(addFeed(static_cast<int>(i)));
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    position[graph.nodes[i]] = i;
    KILN_RETURN_IF_ERROR(inferOne(*graph.nodes[i]));
  }
  // Later nodes may have found dimensions of earlier ones to be equal.
  auto settle = [&](ValueInfo &info) {
    info.shape = space.resolve(info.shape);
    if (info.contents)
      info.contents = space.resolve(*info.contents);
  };
  for (ValueInfo &info : feedInfos)
    settle(info);
  for (auto &[node, outputs] : infos)
    for (ValueInfo &info : outputs)
      settle(info);
  return okStatus();
}

Status SymbolicInference::inferOne(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  if (!def)
    return notFoundError(strCat("Op type not registered ", quote(node.op())))
        .withNode(node.name());
  if (isDone(node)) {
    // Only the variable is here of its inputs.
    infos[&node] = {info(node.input(0))};
    return okStatus();
  }
  // A graph without a checker has not looked at its nodes yet.
  if (node.numOutputs() < 0)
    KILN_RETURN_IF_ERROR(checkNode(node, *def));
  std::vector<const ValueInfo *> inputs;
  for (const Output &input : node.inputs()) {
    const ValueInfo &known = info(input);
    if (known.dtype == DType::Invalid)
      return invalidArgumentError(strCat("input ", inputs.size(), " (",
                                         quote(input.name()),
                                         ") does not exist"))
          .withNode(node.name());
    inputs.push_back(&known);
  }
  missing.erase(&node);
  space.setNode(node.name());
  auto answer = [&](int input) {
    const Dims *found = demand(node.input(input));
    if (!found)
      missing[&node] = input;
    // The demand may have inferred other nodes on its way.
    space.setNode(node.name());
    return found;
  };
  auto outputs = inferNode(node, *def, std::move(inputs), space, answer);
  if (!outputs.ok())
    return outputs.status().withNode(node.name());
  // In place, because a shape function that demanded this inference looks at
  // the old entries.
  std::vector<ValueInfo> &stored = infos[&node];
  stored.resize(outputs->size());
  std::move(outputs->begin(), outputs->end(), stored.begin());
  return okStatus();
}

int SymbolicInference::feedOf(const Output &output) const {
  auto found = feedOfOutput.find({output.node->id(), output.index});
  return found == feedOfOutput.end() ? -1 : found->second;
}

const ValueInfo &SymbolicInference::info(const Output &output) const {
  if (int feed = feedOf(output); feed >= 0)
    return feedInfos[static_cast<size_t>(feed)];
  return computed(*output.node, output.index);
}

const ValueInfo &SymbolicInference::computed(const Node &node, int i) const {
  static const ValueInfo unknown;
  auto found = infos.find(&node);
  bool exists = found != infos.end() && i >= 0 &&
                static_cast<size_t>(i) < found->second.size();
  return exists ? found->second[static_cast<size_t>(i)] : unknown;
}

const Dims *SymbolicInference::contents(const Output &output) const {
  const ValueInfo &known = info(output);
  if (!known.contents)
    return nullptr;
  bool complete = std::none_of(known.contents->begin(), known.contents->end(),
                               [](Dim dim) { return dim.isUnknown(); });
  return complete ? &*known.contents : nullptr;
}

bool SymbolicInference::isDone(const Node &node) const {
  return std::find(graph.done.begin(), graph.done.end(), &node) !=
         graph.done.end();
}

int SymbolicInference::missingInput(const Node &node) const {
  auto found = missing.find(&node);
  return found == missing.end() ? -1 : found->second;
}

/// The elements of a small integer or bool tensor.
static std::optional<Dims> elementsOf(const Tensor &tensor) {
  if (!tensor.isValid() || !hasContents(tensor.dtype()) ||
      tensor.numElements() > static_cast<int64_t>(maxContents))
    return std::nullopt;
  Dims elements;
  auto take = [&]<class T>(T) {
    for (T element : tensor.data<T>())
      elements.push_back(Dim::known(static_cast<int64_t>(element)));
    return static_cast<int64_t>(elements.size()) == tensor.numElements();
  };
  bool taken = tensor.dtype() == DType::Bool
                   ? take(bool())
                   : dispatchInteger(tensor.dtype(), take);
  return taken ? std::optional<Dims>(std::move(elements)) : std::nullopt;
}

bool SymbolicInference::collectCone(const Output &output,
                                    std::vector<const Node *> &nodes,
                                    std::vector<int> &feeds) const {
  std::vector<Output> pending = {output};
  std::unordered_set<const Node *> seen;
  while (!pending.empty()) {
    Output next = pending.back();
    pending.pop_back();
    if (contents(next))
      continue;
    if (int feed = feedOf(next); feed >= 0) {
      if (!elementsOf(specs[static_cast<size_t>(feed)].value))
        return false;
      if (std::find(feeds.begin(), feeds.end(), feed) == feeds.end())
        feeds.push_back(feed);
      continue;
    }
    if (!hasContents(info(next).dtype))
      return false;
    if (!seen.insert(next.node).second)
      continue;
    if (next.node->inputs().empty())
      return false;
    nodes.push_back(next.node);
    for (const Output &input : next.node->inputs())
      pending.push_back(input);
  }
  return true;
}

Status SymbolicInference::revealFeed(int index) {
  auto place = static_cast<size_t>(index);
  ValueInfo &info = feedInfos[place];
  info.contents = elementsOf(specs[place].value);
  isRevealed[place] = true;
  // The value is part of the signature, and so is its shape.
  for (int i = 0; i < specs[place].shape.rank(); ++i) {
    Dim &dim = info.shape.dims[static_cast<size_t>(i)];
    KILN_ASSIGN_OR_RETURN(
        dim,
        space.unify(
            dim, Dim::known(specs[place].shape.dim(i)),
            {.prefix = "a fed value that shapes depend on has another shape"}));
  }
  return okStatus();
}

const Dims *SymbolicInference::demand(const Output &output) {
  if (const Dims *known = contents(output))
    return known;
  std::vector<const Node *> nodes;
  std::vector<int> feeds;
  if (!collectCone(output, nodes, feeds) || feeds.empty())
    return nullptr;
  for (int feed : feeds)
    if (!revealFeed(feed).ok())
      return nullptr;
  std::sort(nodes.begin(), nodes.end(), [&](const Node *a, const Node *b) {
    return position.at(a) < position.at(b);
  });
  for (const Node *node : nodes)
    if (!inferOne(*node).ok())
      return nullptr;
  return contents(output);
}

std::vector<FedValue> SymbolicInference::takeFedValues() {
  std::vector<FedValue> values;
  for (size_t i = 0; i < specs.size(); ++i)
    if (isRevealed[i])
      values.push_back({static_cast<int>(i), specs[i].value});
  return values;
}

} // namespace kiln
