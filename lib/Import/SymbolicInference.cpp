// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Infers symbolic shapes node by node and reads fed values only where a shape
// depends on them.
#include "lib/Import/SymbolicInference.h"

#include "lib/OpDefs/Contents.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <utility>

namespace kiln {

Status SymbolicInference::addFeed(int index) {
  auto place = static_cast<size_t>(index);
  const Output &output = root.args[place];
  const FeedSpec &spec = specs[place];
  Shape shape = staticShape(output);
  // What a part of a run computes for another may have another shape than the
  // graph says, and so may what is fed where the session does not check it:
  // TensorFlow looks at the value alone.
  const bool fits = shape.isCompatibleWith(spec.shape);
  KILN_RETURN_IF_ERROR(
      checkFeed(output, spec.dtype, fits ? spec.shape : shape));
  if (!fits)
    shape = Shape::unknownRank();
  ValueInfo info;
  info.dtype = spec.dtype;
  info.shape.rankKnown = true;
  for (int i = 0; i < spec.shape.rank(); ++i) {
    bool isOpen = !shape.hasRank() || shape.dim(i) == Shape::unknownDim;
    // A value that is part of the signature brings its shape along.
    info.shape.dims.push_back(isOpen && !isRevealed[place]
                                  ? space.feedDim(index, i, spec.shape.dim(i))
                                  : Dim::known(spec.shape.dim(i)));
  }
  if (isRevealed[place])
    info.contents = contentsOf(spec.value);
  feedOfOutput[Scope::key(output)] = index;
  current->tensors[Scope::key(output)] = std::move(info);
  return okStatus();
}

/// A later node may have made a number of what an earlier one looked at: then
/// its guard may fail in all runs of the signature.
static Status checkGuards(DimSpace &space) {
  for (const Guard &guard : space.symbols().guards) {
    if (guard.inRun || !space.isRefuted(guard.kind, guard.a, guard.b))
      continue;
    space.setNode(guard.node);
    return space.error({.prefix = guard.prefix,
                        .joiner = guard.joiner,
                        .suffix = guard.suffix,
                        .lhs = &guard.lhsShape,
                        .rhs = &guard.rhsShape,
                        .asNumbers = guard.asNumbers});
  }
  return okStatus();
}

Status SymbolicInference::run() {
  if (specs.size() != root.args.size())
    return internalError(
        strCat("expected ", root.args.size(), " feeds, got ", specs.size()));
  // Each time at least one more feed is known, or less of a slot. Ranks that
  // only the run knows are guessed once all else is known, and not where that
  // leads nowhere.
  Status status;
  for (bool isOpen = true; isOpen;) {
    beginsAgain = false;
    space = DimSpace();
    slotSpace.beginPass();
    scopes.clear();
    feedOfOutput.clear();
    findsSizes = false;
    status = inferAll();
    isOpen = beginsAgain || (status.ok() && slotSpace.mustRepeat());
    if (!isOpen && status.ok() && slotSpace.wantsRanks()) {
      slotSpace.guessRanks();
      isOpen = true;
    } else if (!isOpen && !status.ok() && slotSpace.guessesRanks()) {
      slotSpace.giveUpGuesses();
      isOpen = true;
    }
  }
  KILN_RETURN_IF_ERROR(status);
  // Later nodes may have found dimensions of earlier ones to be equal; but what
  // follows from sizes of the run holds behind its guards alone, for the
  // extents of feeds, too.
  space.forgetEqualitiesOfRun();
  KILN_RETURN_IF_ERROR(checkGuards(space));
  auto settle = [&](ValueInfo &info) {
    for (Dim &dim : info.shape.dims)
      dim = settled(dim);
    if (info.contents)
      for (Dim &dim : *info.contents)
        dim = settled(dim);
  };
  for (auto &[block, scope] : scopes) {
    for (auto &[key, info] : scope->tensors)
      settle(info);
    for (auto &[node, outputs] : scope->infos)
      for (ValueInfo &info : outputs)
        settle(info);
    for (auto &[input, place] : scope->dynamicInputs)
      for (Dim &dim : place.first.dims)
        dim = settled(dim);
    for (auto &[item, sizes] : scope->runSizes)
      for (auto &[input, shape] : sizes.inputs)
        for (Dim &dim : shape.dims)
          dim = settled(dim);
  }
  current = &scopeOf(root);
  space.beginLowering();
  return okStatus();
}

Status SymbolicInference::inferAll() {
  dynamic.begin();
  current = &newScope(root, nullptr, /*isInlined=*/false);
  for (size_t i = 0; i < specs.size(); ++i)
    KILN_RETURN_IF_ERROR(addFeed(static_cast<int>(i)));
  return inferBlock(*current);
}

Scope &SymbolicInference::newScope(const Block &block, Scope *parent,
                                   bool isInlined) {
  int number =
      blockNumbers.try_emplace(&block, static_cast<int>(blockNumbers.size()))
          .first->second;
  if (!isInlined)
    space.beginRegion(number);
  std::unique_ptr<Scope> &scope = scopes[&block];
  scope = std::make_unique<Scope>(block, parent, number,
                                  isInlined ? parent->region : number);
  return *scope;
}

Status SymbolicInference::inferBlock(Scope &scope) {
  Scope *before = std::exchange(current, &scope);
  Status status;
  for (const Item &item : scope.block.items) {
    const size_t numGuards = space.symbols().guards.size();
    switch (item.kind) {
    case Item::Kind::Node:
      status = inferOne(item);
      break;
    case Item::Kind::Call:
      status = inferCall(item, *item.first);
      break;
    case Item::Kind::If:
      status = inferIf(item);
      break;
    case Item::Kind::While:
      status = inferWhile(item);
      break;
    case Item::Kind::Fail:
      break;
    }
    // A guess may be what is wrong.
    if (!status.ok() && scope.mayNotRun && isErrorOfRun(status) &&
        !slotSpace.guessesRanks()) {
      countSizes(item);
      noteFailure(scope, item, std::exchange(status, okStatus()));
      break;
    }
    if (!status.ok())
      break;
    noteRunSizes(item, numGuards);
    if (noteFailureBehind(scope, item))
      break;
    if (const Status *error = errorInside(item)) {
      status = *error;
      break;
    }
  }
  current = before;
  return status;
}

bool isErrorOfRun(const Status &status) {
  switch (status.code()) {
  case StatusCode::InvalidArgument:
  case StatusCode::OutOfRange:
  case StatusCode::FailedPrecondition:
    return true;
  default:
    return false;
  }
}

void SymbolicInference::noteFailure(Scope &scope, const Item &item,
                                    Status error) {
  DimSpace::Region region(space, scope.region);
  space.demandNever(error);
  scope.failure = {&item, std::move(error), space.symbols().guards.size() - 1};
}

const Status *SymbolicInference::errorInside(const Item &item) const {
  auto errorOf = [&](const Block &block) -> const Status * {
    const std::optional<BlockFailure> &failure = scopes.at(&block)->failure;
    return failure ? &failure->error : nullptr;
  };
  if (item.kind == Item::Kind::Call)
    return errorOf(*item.first);
  if (item.kind != Item::Kind::If)
    return nullptr;
  if (int taken = takenBranch(item); taken >= 0)
    return errorOf(taken == 0 ? *item.first : *item.second);
  return errorOf(*item.second) ? errorOf(*item.first) : nullptr;
}

bool SymbolicInference::noteFailureBehind(Scope &scope, const Item &item) {
  const Status *error = errorInside(item);
  if (!error || !mayFail(scope))
    return false;
  scope.failure = {&item + 1, *error, std::nullopt};
  return true;
}

void SymbolicInference::setPlace(const Node &node) {
  space.setBlock(current->number);
  space.setNode(node.name());
}

Status SymbolicInference::inferOne(const Item &item) {
  const Node &node = *item.node;
  const OpDef *def = lookupOp(node.op());
  if (!def)
    return notFoundError(strCat("Op type not registered ", quote(node.op())))
        .withNode(node.name());
  if (isDone(node)) {
    // Only the variable is here of its inputs.
    current->infos[&node] = {info(node.input(0))};
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
  auto answer = [&](int input, Demand what) {
    const Dims *found = demand(node.input(input), item, what);
    if (!found)
      current->missing[&node] = {input, what == Demand::Extents};
    setPlace(node);
    return found;
  };
  setPlace(node);
  if (makesDynamic(node, *def)) {
    beginsAgain = true;
    return abortedError("inference begins again");
  }
  std::vector<ValueInfo> opened = dynamicInputs(node, *def, inputs);
  auto outputs = inferNode(
      node, *def, std::move(inputs), space,
      {answer, &slotSpace, &current->block.path,
       lists.inPlace.contains({&current->block, &node}),
       [&](int input) { return constantNumber(current, node.input(input)); }});
  if (beginsAgain)
    return abortedError("inference begins again");
  if (!outputs.ok())
    return outputs.status().withNode(node.name());
  if (numberSizes(node, *outputs))
    return okStatus();
  KILN_RETURN_IF_ERROR(noteDynamic(node, *outputs));
  current->infos[&node] = *std::move(outputs);
  return okStatus();
}

/// Whether the op looks at no more of a variable than that it is there.
static bool givesShape(const Node &node, const OpDef &def) {
  if (def.role == OpRole::Assign)
    return !node.attrOr<bool>("validate_shape", def.inputs[0].isRef);
  return def.has(allowsUninitializedInput);
}

bool SymbolicInference::makesDynamic(const Node &node, const OpDef &def) {
  if (def.role != OpRole::Assign || !givesShape(node, def))
    return false;
  const ValueInfo &assigned = info(node.input(0));
  SymShape value = space.resolve(info(node.input(1)).shape);
  // What has no rank before the run comes as a feed after a cut.
  if (assigned.dynamicVariable >= 0 || !value.rankKnown)
    return false;
  auto [scope, origin] = originOf(current, node.input(0));
  const OpDef *by = origin.node ? lookupOp(origin.node->op()) : nullptr;
  while (by && (by->has(forwardsRef) || isFlow(by->role))) {
    std::tie(scope, origin) = originOf(scope, origin.node->input(0));
    by = origin.node ? lookupOp(origin.node->op()) : nullptr;
  }
  if (!by || !by->has(variable))
    return false;
  const ImportedVariable declared = variableOf(*origin.node, scope->block.path);
  bool isSame = value.rank() == declared.shape.rank();
  // A feed's extent is looked at: with another one there is other code.
  for (int d = 0; isSame && d < value.rank(); ++d)
    isSame = space.takeAsKnown(value.dims[static_cast<size_t>(d)]) ==
             declared.shape.dim(d);
  if (!isSame)
    dynamic.makeDynamic(declared);
  return !isSame;
}

std::vector<ValueInfo>
SymbolicInference::dynamicInputs(const Node &node, const OpDef &def,
                                 std::vector<const ValueInfo *> &inputs) {
  std::vector<ValueInfo> opened;
  opened.reserve(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const int number = inputs[i]->dynamicVariable;
    if (number < 0)
      continue;
    ValueInfo &info = opened.emplace_back(*inputs[i]);
    // Who passes a handle or reference on looks at nothing.
    bool passesOn = def.has(forwardsRef) && def.outputs[0].isRef;
    SymShape shape = givesShape(node, def) || passesOn ? dynamic.shape(number)
                                                       : dynamic.look(number);
    // TensorFlow compares a scalar's shape where there is no value yet.
    if (def.role == OpRole::Assign && def.inputs[0].isRef &&
        dynamic.isShapeless(number) && !givesShape(node, def))
      shape = SymShape::scalar();
    (info.handle ? info.handle->shape : info.shape) = shape;
    current->dynamicInputs[{&node, static_cast<int>(i)}] = {
        shape, dynamic.writer(number)};
    inputs[i] = &info;
  }
  return opened;
}

Status SymbolicInference::noteDynamic(const Node &node,
                                      std::vector<ValueInfo> &outputs) {
  if (lookupOp(node.op())->has(variable)) {
    ImportedVariable declared =
        dynamic.asDynamic(variableOf(node, current->block.path));
    if (declared.shape.isFullyDefined())
      return okStatus();
    auto number =
        dynamic.declare(declared, static_cast<int>(specs.size()), space);
    if (!number.ok())
      return number.status().withNode(node.name());
    outputs[0].dynamicVariable = *number;
    return okStatus();
  }
  if (dynamic.place().empty())
    return okStatus();
  for (const Output &input : node.inputs()) {
    const int number = info(input).dynamicVariable;
    if (number < 0)
      continue;
    for (ValueInfo &output : outputs)
      if (output.isRef || output.dtype == DType::Resource)
        output.dynamicVariable = number;
    if (roleOf(node) == OpRole::Assign)
      dynamic.write(number, space.resolve(info(node.input(1)).shape), node);
    break;
  }
  return okStatus();
}

const SymShape *SymbolicInference::dynamicInput(const Node &node, int i) const {
  for (const Scope *scope = current; scope; scope = scope->parent)
    if (scope->infos.contains(&node)) {
      auto found = scope->dynamicInputs.find({&node, i});
      return found == scope->dynamicInputs.end() ? nullptr
                                                 : &found->second.first;
    }
  return nullptr;
}

// Equalities of sizes of the run hold from the node on that demands them: what
// stands before keeps its own symbol.
Dim SymbolicInference::settled(Dim dim) const {
  Dim resolved = space.resolve(dim);
  bool inRun =
      space.symbols().isInRun(dim) || space.symbols().isInRun(resolved);
  return inRun ? dim : resolved;
}

RunSizes &SymbolicInference::countSizes(const Item &item) {
  RunSizes &sizes = current->runSizes[&item];
  sizes.numSymbols = space.symbols().defs.size();
  sizes.numGuards = space.symbols().guards.size();
  sizes.numEqualities = space.numEqualities(current->region);
  return sizes;
}

void SymbolicInference::noteRunSizes(const Item &item, size_t firstGuard) {
  std::vector<int64_t> binds;
  if (item.kind == Item::Kind::Node) {
    setPlace(*item.node);
    for (const ValueInfo &output : current->infos.at(item.node))
      for (Dim dim : output.shape.dims)
        if (space.isOwnRunDim(dim) &&
            std::find(binds.begin(), binds.end(), dim.symbol) == binds.end())
          binds.push_back(dim.symbol);
  }
  // Most graphs find out nothing, and check nothing in the run.
  findsSizes |=
      !binds.empty() || space.numRunGuards() != 0 || space.hasEqualities();
  if (!findsSizes)
    return;
  RunSizes &sizes = countSizes(item);
  if (item.kind != Item::Kind::Node)
    return;
  sizes.checks = space.mayNotRun() && firstGuard < sizes.numGuards;
  sizes.binds = std::move(binds);
  current->bound.insert(sizes.binds.begin(), sizes.binds.end());
  for (int i = 0; i < item.node->numInputs(); ++i) {
    const SymShape &shape = info(item.node->input(i)).shape;
    if (SymShape seen = space.resolve(shape); seen.dims != shape.dims)
      sizes.inputs[i] = std::move(seen);
  }
}

bool SymbolicInference::isVisible(Dim dim) const {
  if (!space.symbols().isInRun(dim))
    return true;
  const SymbolDef &def = space.symbols().defs[static_cast<size_t>(dim.symbol)];
  if (def.kind != SymbolDef::Kind::Run)
    return isVisible(def.a) && isVisible(def.b);
  for (const Scope *scope = current; scope; scope = scope->parent)
    if (scope->bound.contains(dim.symbol))
      return true;
  return false;
}

const RunSizes *SymbolicInference::runSizes(const Item &item) const {
  auto found = current->runSizes.find(&item);
  return found == current->runSizes.end() ? nullptr : &found->second;
}

const Dims *SymbolicInference::sizes(const Output &output) const {
  if (const Dims *known = contents(output))
    return known;
  for (const Scope *scope = current; scope; scope = scope->parent)
    if (auto found = scope->readNumbers.find(Scope::key(output));
        found != scope->readNumbers.end())
      return &found->second;
  return nullptr;
}

int SymbolicInference::feedOf(const Output &output) const {
  auto found = feedOfOutput.find(Scope::key(output));
  return found == feedOfOutput.end() ? -1 : found->second;
}

/// What a node itself gives as a scope sees it.
static const ValueInfo &computedIn(const Scope *scope, const Output &output) {
  static const ValueInfo unknown;
  const auto place = static_cast<size_t>(output.index);
  for (; scope; scope = scope->parent)
    if (auto found = scope->infos.find(output.node);
        found != scope->infos.end())
      return place < found->second.size() ? found->second[place] : unknown;
  return unknown;
}

const ValueInfo &SymbolicInference::infoIn(const Scope *scope,
                                           const Output &output) const {
  for (const Scope *owner = scope; owner; owner = owner->parent) {
    if (auto found = owner->tensors.find(Scope::key(output));
        found != owner->tensors.end())
      return found->second;
    if (owner->infos.contains(output.node))
      break;
  }
  return computedIn(scope, output);
}

const ValueInfo &SymbolicInference::info(const Output &output) const {
  return infoIn(current, output);
}

const ValueInfo &SymbolicInference::computed(const Node &node, int i) const {
  return computedIn(current, {&node, i});
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
  return std::find(root.done.begin(), root.done.end(), &node) !=
         root.done.end();
}

const MissingInput *SymbolicInference::missingInput(const Node &node) const {
  for (const Scope *scope = current; scope; scope = scope->parent)
    if (auto found = scope->missing.find(&node); found != scope->missing.end())
      return &found->second;
  return nullptr;
}

std::optional<std::pair<int, Output>>
SymbolicInference::giverOf(Scope *scope, Output tensor) const {
  while (feedOf(tensor) < 0) {
    Scope *owner = scope->ownerOf(tensor);
    if (!owner)
      break;
    if (roleOf(*tensor.node) == OpRole::Switch) {
      tensor = tensor.node->input(0);
      continue;
    }
    auto alias = owner->aliases.find(Scope::key(tensor));
    if (alias == owner->aliases.end())
      return std::pair(owner->depth(), tensor);
    std::tie(scope, tensor) = alias->second;
  }
  return std::nullopt;
}

std::optional<AskedTensor> SymbolicInference::missingTensor() const {
  auto isKnown = [](const ValueInfo &info) {
    return info.shape.rankKnown && llvm::none_of(info.shape.dims, [](Dim dim) {
             return dim.isUnknown();
           });
  };
  using Giver = std::pair<int, Output>;
  std::optional<Giver> first;
  // What is around comes first, so that as little as can be is driven.
  auto comesBefore = [](const Giver &a, const Giver &b) {
    return std::tuple(a.first, a.second.node->id(), a.second.index) <
           std::tuple(b.first, b.second.node->id(), b.second.index);
  };
  for (auto &[block, scope] : scopes)
    for (auto [node, what] : scope->missing)
      if (auto infos = scope->infos.find(node);
          infos != scope->infos.end() && !llvm::all_of(infos->second, isKnown))
        if (auto found = giverOf(scope.get(), node->input(what.input));
            found && (!first || comesBefore(*found, *first)))
          first = found;
  if (auto open = openRank(); open && (!first || comesBefore(*open, *first)))
    return AskedTensor{open->second, /*isRank=*/true};
  if (first)
    return AskedTensor{first->second};
  // The shape of a variable without a static one is known behind what gave it
  // one in a branch or a loop, and behind a read in a branch that is taken.
  for (auto &[block, scope] : scopes)
    for (auto &[input, place] : scope->dynamicInputs) {
      const auto &[shape, writer] = place;
      const Node *reader = input.first;
      auto infos = scope->infos.find(reader);
      if (shape.rankKnown || infos == scope->infos.end() ||
          llvm::all_of(infos->second, isKnown) ||
          infos->second[0].dynamicVariable >= 0)
        continue;
      const Giver giver = {scope->depth(), {writer ? writer : reader, 0}};
      if (!first || comesBefore(giver, *first))
        first = giver;
    }
  return first ? std::optional(AskedTensor{first->second}) : std::nullopt;
}

} // namespace kiln
