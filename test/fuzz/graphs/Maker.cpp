// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources, operands and nodes, each with its twins of static shapes.
#include "test/fuzz/graphs/Maker.h"

#include "kiln/GraphDef.h"
#include "kiln/Ops.h"
#include "lib/Graph/OutputKey.h"
#include "test/fuzz/graphs/BadNodes.h"
#include "test/fuzz/graphs/Hostile.h"
#include "test/fuzz/graphs/Recipes.h"
#include "test/fuzz/graphs/Sizes.h"

#include <algorithm>
#include <unordered_set>

namespace kiln::fuzz {
namespace {

constexpr int64_t mostOfATensor = 2500;

/// Resources and variants have no value that could be fetched or compared.
bool isPlain(DType dtype) {
  return dtypeSize(dtype) > 0 && dtype != DType::Invalid;
}

/// Drawn apart from all else, so that a seed's ops stay when styles change.
Style drawStyle(unsigned seed, const MakerOptions &options) {
  if (options.style)
    return *options.style;
  Random random(seed * 2654435761u + 35);
  Style style;
  if (options.isHostile || options.feedsAll)
    return style;
  style.guards = random.chance(50);
  style.sizes = random.chance(40);
  style.hostileFeeds = options.mayFail && random.chance(60);
  style.badNodes = random.chance(15);
  style.otherRequests = random.chance(10);
  return style;
}

std::vector<Extent> makePalette(const Style &style, Random &random) {
  constexpr int64_t sizes[] = {1, 2, 2, 3, 3, 4, 5, 5, 7, 8, 9, 16, 17, 33};
  auto size = [&] { return random.pick(sizes); };
  std::vector<Extent> palette = {size(), size(), 2};
  for (int i = 0; i < 2; ++i) {
    Extent &both = palette.emplace_back(size());
    both.of[1] = size();
  }
  if (random.chance(40))
    palette.emplace_back(1);
  if (random.chance(8))
    palette.emplace_back(0);
  if (random.chance(8))
    palette.emplace_back(size()).of[size_t(random.below(2))] = 0;
  if (style.guards) // with nothing in it, or with one element
    palette.emplace_back(random.between(2, 5)).of[size_t(random.below(2))] =
        random.below(2);
  return palette;
}

} // namespace

Scope::Scope(Scope *parent, const Sets &runsIn)
    : parent(parent), graph(std::make_shared<Graph>(makeNodeChecker())),
      runsIn(runsIn) {
  for (size_t set = 0; parent && set < numSets; ++set)
    this->runsIn[set] &= parent->runsIn[set];
  for (size_t set = 0; this->runsIn != everySet && set < numSets; ++set)
    if (this->runsIn[set] || !focus)
      focus = set;
  for (auto &twin : twins)
    twin = std::make_unique<Graph>(makeNodeChecker());
}

Maker::Maker(unsigned seed, MakerOptions options)
    : random(seed), options(std::move(options)),
      style(drawStyle(seed, this->options)), scope(&main),
      palette(makePalette(style, random)) {}

std::string Maker::freshName(std::string_view op) {
  return std::string(op) + "_" + std::to_string(numNames++);
}

Extents Maker::fitted(Extents dims) {
  while (!dims.empty() && mostElements(dims) > mostOfATensor)
    *std::ranges::max_element(dims, {}, [](const Extent &d) {
      return std::max(d.of[0], d.of[1]);
    }) = random.among<int64_t>({1, 2, 3});
  return dims;
}

bool Maker::areSame(const Extents &first, const Extents &second) const {
  return scope->focus
             ? only(first, *scope->focus) == only(second, *scope->focus)
             : first == second;
}

Value Maker::seen(Value value) {
  if (scope->focus && random.chance(80))
    value.dims = only(value.dims, *scope->focus);
  return value;
}

Extents Maker::randomDims(int minRank, int maxRank) {
  constexpr int ranks[] = {0, 1, 1, 2, 2, 2, 3, 3, 4, 5};
  int rank = std::clamp(random.pick(ranks), minRank, maxRank);
  if (rank == 1 && random.chance(6)) {
    Extent large = random.between(300, 2500);
    if (random.chance(50))
      large.of[1] = random.between(1, 2500);
    return {large};
  }
  Extents dims;
  for (int i = 0; i < rank; ++i)
    dims.push_back(randomExtent());
  return fitted(std::move(dims));
}

Value Maker::sourceOf(const Node *node, DType dtype, const Extents &dims,
                      const std::array<Tensor, numSets> &contents) {
  Value value{.at = {node, 0}, .dtype = dtype, .isKnown = true, .dims = dims};
  for (size_t set = 0; set < numSets; ++set) {
    bool isFollowed = contents[set].isValid() &&
                      (isInteger(dtype) || dtype == DType::Bool) &&
                      contents[set].numElements() <= 64;
    NodeSpec spec{.name = node->name(), .op = "Placeholder"};
    spec.attrs.set("dtype", dtype);
    if (isFollowed) {
      spec.op = "Const";
      spec.attrs.set("value", contents[set]);
      value.contents[set] = contents[set];
    } else {
      spec.attrs.set("shape", shapeOf(dims, set));
    }
    value.twins[set] = {*scope->twins[set]->addNode(std::move(spec)), 0};
  }
  return value;
}

Value Maker::constant(const Tensor &tensor) {
  NodeSpec spec{.name = freshName("Const"), .op = "Const"};
  spec.attrs.set("dtype", tensor.dtype());
  spec.attrs.set("value", tensor);
  const Node *node = *scope->graph->addNode(std::move(spec));
  made.insert("Const");
  Extents dims(tensor.shape().dims().begin(), tensor.shape().dims().end());
  std::array<Tensor, numSets> contents;
  contents.fill(tensor);
  return sourceOf(node, tensor.dtype(), dims, contents);
}

Value Maker::placeholder(DType dtype, const Extents &dims, const Fill &fill) {
  bool isSecond = random.chance(6);
  NodeSpec spec{.name = freshName("x"),
                .op = isSecond ? "PlaceholderV2" : "Placeholder"};
  Shape shape = shapeOf(dims, 0);
  for (int i = 0; i < shape.rank(); ++i)
    if (!dims[size_t(i)].isFixed() || random.chance(style.sizes ? 80 : 25))
      shape.setDim(i, -1);
  spec.attrs.set("dtype", dtype);
  spec.attrs.set("shape", random.chance(8) ? Shape::unknownRank() : shape);
  made.insert(spec.op);
  const Node *node = *scope->graph->addNode(std::move(spec));
  std::array<Tensor, numSets> contents;
  for (size_t set = 0; set < numSets; ++set) {
    contents[set] = makeTensor(dtype, shapeOf(dims, set), fill, set, random);
    program.feeds[set][node->name()] = contents[set];
  }
  return sourceOf(node, dtype, dims, contents);
}

Value Maker::fresh(DType dtype, const Extents &dims, const Fill &fill) {
  return source(dtype, dims, fill, /*mayBeConstant=*/true);
}

Value Maker::fed(DType dtype, const Extents &dims, const Fill &fill) {
  return source(dtype, dims, fill, /*mayBeConstant=*/false);
}

Value Maker::source(DType dtype, const Extents &dims, const Fill &fill,
                    bool mayBeConstant) {
  bool isFixedHere = isFixed(dims) && fill.isFixed;
  if (scope->focus && !isFixedHere && mayBeConstant && random.chance(70))
    return source(dtype, only(dims, *scope->focus), only(fill, *scope->focus),
                  mayBeConstant);
  bool isConstant = mayBeConstant && isFixedHere && !options.isHostile &&
                    !options.feedsAll && random.chance(style.sizes ? 65 : 45);
  if (isConstant || isMain()) {
    Value made =
        isConstant
            ? constant(makeTensor(dtype, shapeOf(dims, 0), fill, 0, random))
            : placeholder(dtype, dims, fill);
    keep(made);
    return made;
  }
  Scope *region = std::exchange(scope, scope->parent);
  Value outer = source(dtype, dims, fill, mayBeConstant);
  scope = region;
  return capture(outer);
}

Value Maker::integers(DType dtype, const Extents &numbers) {
  Extents own = numbers;
  bool runsNowhere = scope->runsIn == Sets{false, false};
  if (runsNowhere && !own.empty() && random.chance(20))
    random.pick(own) =
        random.pick(own) + Extent(random.among<int64_t>({1, -1, 3, -4, 100}));
  return fresh(dtype, {static_cast<int64_t>(own.size())}, exactly(own));
}

Value Maker::scalarInteger(DType dtype, const Extent &number) {
  return fresh(dtype, {}, exactly({number}));
}

Value Maker::shapeValue(DType dtype, const Extents &dims) {
  if (random.chance(40))
    for (const Value &value : scope->values)
      if (value.isKnown && areSame(value.dims, dims) && isFresh(value))
        if (auto made = add("Shape", {value},
                            {{"T", value.dtype}, {"out_type", dtype}}))
          return made->front();
  if (style.sizes && random.chance(50))
    if (auto made = sizesTogether(*this, dtype, dims))
      return *made;
  return integers(dtype, dims);
}

Value Maker::standIn(Output at, DType dtype,
                     const std::optional<Extents> &dims) {
  Value value{.at = at, .dtype = dtype};
  if (dims) {
    value.isKnown = true;
    value.dims = *dims;
  }
  for (size_t set = 0; set < numSets; ++set) {
    NodeSpec spec{.name = freshName("like"), .op = "Placeholder"};
    spec.attrs.set("dtype", dtype);
    spec.attrs.set("shape", dims ? shapeOf(*dims, set) : Shape::unknownRank());
    value.twins[set] = {*scope->twins[set]->addNode(std::move(spec)), 0};
  }
  return value;
}

Value Maker::following(Value value, const Extents &numbers) {
  for (size_t set = 0; set < numSets; ++set) {
    Tensor tensor = makeTensor(value.dtype, shapeOf(value.dims, set),
                               exactly(numbers), set, random);
    NodeSpec spec{.name = freshName("like"), .op = "Const"};
    spec.attrs.set("dtype", value.dtype);
    spec.attrs.set("value", tensor);
    value.contents[set] = tensor;
    value.twins[set] = {*scope->twins[set]->addNode(std::move(spec)), 0};
  }
  return value;
}

void Maker::forget(const Value &value) {
  std::erase_if(scope->values, [&](const Value &other) {
    return other.at.node == value.at.node;
  });
}

Value Maker::any(DType dtype, int minRank, int maxRank) {
  auto fitting = [&](const Scope &from) {
    std::vector<const Value *> list;
    for (const Value &value : from.values)
      if (value.dtype == dtype && value.isKnown && isFresh(value) &&
          value.rank() >= minRank && value.rank() <= maxRank)
        list.push_back(&value);
    return list;
  };
  if (random.chance(75))
    if (auto list = fitting(*scope); !list.empty()) {
      // Rather a late one: chains are what fuses.
      int last = int(list.size());
      return seen(
          *list[size_t(std::max(random.below(last), random.below(last)))]);
    }
  if (!isMain() && random.chance(50))
    if (auto list = fitting(*scope->parent); !list.empty())
      return seen(capture(*random.pick(list)));
  Extents dims = randomDims(minRank, maxRank);
  if (style.sizes && random.chance(40))
    if (auto made = ofComputedSizes(*this, dtype, dims))
      return seen(*made);
  return seen(fresh(dtype, dims));
}

Value Maker::like(DType dtype, const Extents &dims) {
  if (random.chance(style.sizes ? 50 : 80)) {
    std::vector<const Value *> list;
    for (const Value &value : scope->values)
      if (value.dtype == dtype && value.isKnown && areSame(value.dims, dims) &&
          isFresh(value))
        list.push_back(&value);
    if (!list.empty())
      return *random.pick(list);
  }
  if (style.sizes && random.chance(50))
    if (auto made = ofComputedSizes(*this, dtype, dims))
      return *made;
  return fresh(dtype, dims);
}

Value Maker::broadcastable(DType dtype, const Extents &dims) {
  Extents own(dims.end() - random.below(int(dims.size()) + 1), dims.end());
  if (random.chance(50))
    own = dims;
  for (Extent &dim : own)
    if (random.chance(20))
      dim = 1;
  if (own.size() == dims.size() && own.size() < 5 && random.chance(8))
    own.insert(own.begin(), random.among<int64_t>({1, 2}));
  return like(dtype, own);
}

int Maker::variable(DType dtype, const Extents &dims, bool isHandle,
                    const Fill &fill) {
  for (size_t id = 0; id < variables.size(); ++id)
    if (const Variable &old = variables[id];
        old.dtype == dtype && old.dims == dims && old.value.isRef != isHandle &&
        random.chance(60))
      return static_cast<int>(id);
  const char *op = isHandle            ? "VarHandleOp"
                   : random.chance(10) ? "Variable"
                                       : "VariableV2";
  Tensor initial = makeTensor(dtype, shapeOf(dims, 0), fill, 0, random);
  // TensorFlow takes all handles without a name for one variable.
  auto made = add(op, {},
                  {{"dtype", dtype},
                   {"shape", shapeOf(dims, 0)},
                   {"shared_name", freshName("variable")}});
  int id = static_cast<int>(variables.size());
  variables.push_back({made->front(), dtype, dims});
  Value &value = variables.back().value;
  value.variable = id;
  value.isKnown = !isHandle;
  value.dims = dims;
  Value start = constant(initial);
  auto assign =
      isHandle ? add("AssignVariableOp", {value, start}, {{"dtype", dtype}})
               : add("Assign", {value, start}, {{"T", dtype}});
  // Only the initializer runs it.
  initializer(scope->graph->node(scope->graph->numNodes() - 1)->name());
  (void)assign;
  variables.back().users.clear();
  variables.back().lastWrite.clear();
  variables.back().version = value.version = 0;
  return id;
}

std::vector<std::string> Maker::orderEffects(const OpDef &def,
                                             const std::vector<Value> &inputs) {
  std::set<std::string> controls;
  for (const Value &input : inputs) {
    if (input.variable < 0)
      continue;
    Variable &variable = variables[size_t(input.variable)];
    if (!variable.lastWrite.empty())
      controls.insert(variable.lastWrite);
    if (def.writesVariable())
      controls.insert(variable.users.begin(), variable.users.end());
  }
  return {controls.begin(), controls.end()};
}

std::optional<std::vector<Value>>
Maker::add(std::string_view op, const std::vector<Value> &inputs, AttrMap attrs,
           const std::vector<std::string> &controls) {
  const OpDef *def = lookupOp(op);
  if (!def)
    return std::nullopt;
  NodeSpec spec{.name = freshName(op), .op = def->name, .attrs = attrs};
  std::array<const Node *, numSets> twins;
  for (size_t set = 0; set < numSets; ++set) {
    spec.inputs.clear();
    for (const Value &input : inputs)
      spec.inputs.emplace_back(input.twins[set]);
    auto added = scope->twins[set]->addNode(spec);
    bool fits = added.ok() && checkSupported(**added, *def).ok();
    if (!fits && scope->runsIn[set])
      return std::nullopt;
    program.misfits += !fits;
    twins[set] = fits ? *added : nullptr;
  }
  spec.inputs.clear();
  for (const Value &input : inputs)
    spec.inputs.emplace_back(input.at);
  for (const std::string &control : controls)
    spec.inputs.emplace_back("^" + control);
  for (const std::string &control : orderEffects(*def, inputs))
    spec.inputs.emplace_back("^" + control);
  auto added = scope->graph->addNode(std::move(spec));
  if (!added.ok())
    return std::nullopt;
  const Node *node = *added;
  made.insert(def->name);
  if (scope->runsIn != everySet)
    program.idle[node->name()] = scope->runsIn;
  for (const Value &input : inputs) {
    if (input.variable < 0)
      continue;
    Variable &variable = variables[size_t(input.variable)];
    if (!def->writesVariable()) {
      variable.users.insert(node->name());
      continue;
    }
    variable.users.clear();
    variable.lastWrite = node->name();
    ++variable.version;
  }
  std::vector<Value> outputs;
  for (int i = 0; i < node->numOutputs(); ++i) {
    Value &output = outputs.emplace_back();
    for (size_t set = 0; set < numSets; ++set)
      output.twins[set] = twins[set] ? Output{twins[set], i}
                                     : missingTwin(*node, i, set, twins);
    output.at = {node, i};
    output.dtype = node->outputDType(i);
    output.isRef = node->output(i).isRef;
    output.isKnown = true;
    for (size_t set = 0; set < numSets; ++set) {
      const Shape &shape = output.twins[set].shape();
      output.isKnown &=
          shape.isFullyDefined() && (set == 0 || shape.rank() == output.rank());
      if (!output.isKnown)
        break;
      output.dims.resize(size_t(shape.rank()));
      for (int dim = 0; dim < shape.rank(); ++dim)
        output.dims[size_t(dim)].of[set] = shape.dim(dim);
    }
    bool isView = output.isRef || def->has(forwardsRef);
    if (i == 0 && isView && !inputs.empty() && inputs[0].variable >= 0 &&
        inputs[0].dtype == output.dtype) {
      output.variable = inputs[0].variable;
      output.version = variables[size_t(output.variable)].version;
    }
    // The handles of old TensorArrays are strings.
    bool isHandle = def->has(usesSlot) && output.dtype == DType::String;
    if (isPlain(output.dtype) && !output.isRef && !isHandle)
      keep(output);
  }
  return outputs;
}

Output Maker::missingTwin(const Node &node, int i, size_t set,
                          std::span<const Node *const> others) {
  Shape shape = node.outputShape(i);
  for (const Node *other : others)
    if (other && other->outputShape(i).isFullyDefined())
      shape = other->outputShape(i);
  if (!shape.isFullyDefined() && shape.hasRank())
    for (int dim = 0; dim < shape.rank(); ++dim)
      if (shape.dim(dim) < 0)
        shape.setDim(dim, 2);
  NodeSpec spec{.name = freshName("like"), .op = "Placeholder"};
  spec.attrs.set("dtype", node.outputDType(i));
  spec.attrs.set("shape", shape);
  return {*scope->twins[set]->addNode(std::move(spec)), 0};
}

bool Maker::addOp(std::string_view name) {
  const OpDef *def = lookupOp(name);
  return def && makeByRecipe(*this, *def);
}

Program Maker::make() {
  program.feeds.resize(numSets);
  static const std::vector<const OpDef *> all = allOps();
  isHostile = options.isHostile || (options.mayFail && random.chance(6));
  if (!options.subject.empty())
    for (int trial = 0; trial < 6 && !addOp(options.subject); ++trial)
      ;
  for (int i = 0; i < options.ops; ++i)
    addOp(style.sizes && random.chance(50) ? sizedOp(random)
          : random.chance(50) ? std::string_view(random.pick(all)->name)
                              : usualOp(random));
  if (style.guards)
    addOp(random.among({"If", "Switch", "While", "Enter", "Case"}));
  finish();
  return std::move(program);
}

void Maker::finish() {
  const Graph &graph = *main.graph;
  std::set<OutputKey> used;
  for (int id = 0; id < graph.numNodes(); ++id)
    for (const Output &input : graph.node(id)->inputs())
      used.insert(input);
  for (const Value &value : main.values) {
    const Node &node = *value.at.node;
    bool isSource = node.numInputs() == 0;
    bool isUsed = used.count({&node, value.at.index}) != 0;
    if (isFresh(value) && !isSource && (!isUsed || random.chance(12)))
      program.fetches.push_back(value.at.name());
  }
  if (!program.init.empty()) {
    NodeSpec init{.name = "init", .op = "NoOp"};
    for (const std::string &name : program.init)
      init.inputs.emplace_back("^" + name);
    if (main.graph->addNode(std::move(init)).ok())
      program.init = {"init"};
  }
  if (style.otherRequests)
    for (int i = 0; i < 3 && !program.fetches.empty(); ++i)
      program.asks.push_back(
          {{random.pick(program.fetches)}, size_t(random.below(int(numSets)))});
  // Queues and their like may wait for what such feeds keep from coming.
  bool waits = std::ranges::any_of(
      made, [](const std::string &op) { return lookupOp(op)->has(cutsRun); });
  if (style.hostileFeeds && !waits) {
    program.feeds.push_back(hostileFeeds(*this));
    program.isHostile = true;
  }
  std::string bytes = *toGraphDef(graph);
  proto::FunctionDefLibrary library = program.graph.library();
  program.graph.ParseFromString(bytes);
  *program.graph.mutable_library() = library;
  if (style.badNodes)
    addBadNodes(*this);
}

} // namespace kiln::fuzz
