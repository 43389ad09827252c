// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions, branches and loops, as ops on functions and as frames.
#include "test/fuzz/graphs/Guards.h"
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

using Regions = std::vector<std::unique_ptr<Scope>>;

std::vector<DType> typesOf(const std::vector<Value> &values) {
  std::vector<DType> types;
  for (const Value &value : values)
    types.push_back(value.dtype);
  return types;
}

std::vector<Value> outers(const Scope &region) {
  std::vector<Value> list;
  for (const Scope::Argument &argument : region.arguments)
    list.push_back(argument.outer);
  return list;
}

bool hasState(const Scope &region) {
  for (int id = 0; id < region.graph->numNodes(); ++id)
    if (lookupOp(region.graph->node(id)->op())->has(stateful))
      return true;
  return false;
}

/// Extents of what a node gives: nothing where only the run knows.
using ResultDims = std::vector<std::optional<Extents>>;

/// Adds a node whose shapes the graph does not tell.
bool addCall(Call &call, std::vector<Value> inputs, const AttrMap &attrs,
             const ResultDims &dims) {
  Maker &maker = call.maker;
  auto made = maker.add(call.def.name, inputs, attrs);
  if (!made)
    return false;
  std::erase_if(maker.scope->values, [&](const Value &value) {
    return value.at.node == made->front().at.node;
  });
  for (size_t i = 0; i < made->size(); ++i)
    maker.keep(maker.standIn((*made)[i].at, (*made)[i].dtype, dims[i]));
  return true;
}

int numOps(Call &call) { return 1 + call.random.below(3); }

/// Some values of a region, as its results; each of known extents.
std::vector<Value> pickResults(Call &call, Scope &region) {
  std::vector<Value> known;
  for (const Value &value : region.values)
    if (value.isKnown && value.dtype != DType::String && !value.isRef)
      known.push_back(value);
  std::vector<Value> results;
  if (known.empty())
    return results;
  for (int64_t i = call.random.between(1, 2); i > 0; --i)
    results.push_back(i == 1 ? known.back() : call.random.pick(known));
  return results;
}

/// Branches that give the same types, mostly of the same extents.
struct Branches {
  Regions regions;
  std::vector<std::vector<Value>> results;
  ResultDims dims;
};

/// The extents of a result: in each set those of the branches that run.
std::optional<Extents> resultDims(const Branches &branches, size_t at,
                                  std::span<const Sets> runsIn) {
  Extents dims;
  std::optional<size_t> rank;
  for (size_t set = 0; set < numSets; ++set) {
    bool isFirst = true;
    for (size_t i = 0; i < branches.regions.size(); ++i) {
      if (!runsIn[i][set])
        continue;
      const Value &result = branches.results[i][at];
      if (!result.isKnown ||
          rank.value_or(result.dims.size()) != result.dims.size())
        return std::nullopt;
      rank = result.dims.size();
      dims.resize(*rank);
      for (size_t dim = 0; dim < *rank; ++dim) {
        int64_t extent = result.dims[dim].of[set];
        if (!isFirst && dims[dim].of[set] != extent)
          return std::nullopt;
        dims[dim].of[set] = extent;
      }
      isFirst = false;
    }
  }
  return dims;
}

std::optional<Branches> makeBranches(Call &call, std::span<const Sets> runsIn) {
  Maker &maker = call.maker;
  Branches branches;
  for (size_t i = 0; i < runsIn.size(); ++i) {
    branches.regions.push_back(maker.region(
        i == 0 ? std::vector<Value>() : outers(*branches.regions.back()),
        numOps(call), runsIn[i]));
    Scope &region = *branches.regions.back();
    if (i == 0) {
      branches.results.push_back(pickResults(call, region));
      if (branches.results[0].empty())
        return std::nullopt;
      continue;
    }
    branches.results.push_back(maker.inside(region, [&] {
      std::vector<Value> results;
      for (const Value &first : branches.results[0])
        results.push_back(
            call.random.chance(10)
                ? maker.any(first.dtype, first.rank(), first.rank())
                : maker.like(first.dtype, first.dims));
      return results;
    }));
  }
  for (size_t at = 0; at < branches.results[0].size(); ++at)
    branches.dims.push_back(resultDims(branches, at, runsIn));
  maker.shareArguments(branches.regions);
  return branches;
}

bool mayNest(const Call &call) { return call.maker.regionDepth() < 2; }

/// A predicate for two branches.
Guard guardOf(Call &call) {
  Maker &maker = call.maker;
  if (call.random.chance(maker.style.guards ? 80 : 10))
    return chooseGuard(maker);
  return {maker.like(DType::Bool, {})};
}

bool branch(Call &call) {
  if (!mayNest(call))
    return false;
  Maker &maker = call.maker;
  bool isCase = call.def.name.ends_with("Case");
  size_t number = isCase ? size_t(call.random.between(1, 3)) : 2;
  DType condition =
      call.random.chance(70)
          ? DType::Bool
          : call.random.among({DType::Int32, DType::Float32, DType::String});
  Guard guard;
  if (isCase)
    guard.pred =
        maker.fresh(DType::Int32, {}, between(-1, static_cast<double>(number)));
  else if (condition == DType::Bool)
    guard = guardOf(call);
  else
    guard.pred = maker.like(condition, {});
  std::vector<Sets> runsIn(number, everySet);
  if (isCase)
    for (size_t set = 0; set < numSets; ++set) {
      int32_t given = guard.pred.contents[set].data<int32_t>()[0];
      size_t taken =
          given < 0 ? number - 1 : std::min(size_t(given), number - 1);
      for (size_t i = 0; i < number; ++i)
        runsIn[i][set] = i == taken;
    }
  else
    runsIn = {guard.ifTrue, guard.ifFalse};
  auto branches = makeBranches(call, runsIn);
  if (!branches)
    return false;
  AttrMap attrs;
  std::vector<NameAttrList> names;
  for (size_t i = 0; i < number; ++i) {
    if (call.def.name.starts_with("Stateless") &&
        hasState(*branches->regions[i]))
      return false;
    names.push_back(
        {maker.function(*branches->regions[i], branches->results[i]), {}});
  }
  std::vector<Value> inputs = outers(*branches->regions[0]);
  attrs.set("Tin", typesOf(inputs));
  attrs.set("Tout", typesOf(branches->results[0]));
  if (isCase) {
    attrs.set("branches", names);
  } else {
    attrs.set("Tcond", condition);
    attrs.set("then_branch", names[0]);
    attrs.set("else_branch", names[1]);
  }
  inputs.insert(inputs.begin(), guard.pred);
  return addCall(call, inputs, attrs, branches->dims);
}

bool callFunction(Call &call) {
  if (!mayNest(call))
    return false;
  Maker &maker = call.maker;
  auto region = maker.region({}, numOps(call) + 1);
  std::vector<Value> results = pickResults(call, *region);
  if (results.empty() ||
      (call.def.name == "PartitionedCall" && hasState(*region)))
    return false;
  ResultDims dims;
  for (const Value &result : results)
    dims.emplace_back(result.dims);
  std::vector<Value> inputs = outers(*region);
  return addCall(call, inputs,
                 {{"Tin", typesOf(inputs)},
                  {"Tout", typesOf(results)},
                  {"f", NameAttrList{maker.function(*region, results), {}}}},
                 dims);
}

/// A loop's body, with the counter as its first argument.
struct Loop {
  std::unique_ptr<Scope> body;
  std::vector<Value> initial; ///< the counter first, then what is carried
  std::vector<Value> results; ///< of the same types and extents
  /// What the counter stays below: an argument of the body behind all that is
  /// carried.
  Value limit;
};

std::optional<Loop> makeLoop(Call &call) {
  Maker &maker = call.maker;
  Loop loop;
  int start = call.random.below(2);
  loop.initial.push_back(maker.constant(Tensor::scalar<int32_t>(start)));
  Iterations iterations = chooseIterations(maker, start);
  loop.limit = iterations.limit;
  for (int64_t i = call.random.between(1, 2); i > 0; --i) {
    DType dtype =
        call.random.among({DType::Float32, DType::Float32, DType::Int32,
                           DType::Float64, DType::Bool, DType::Int64});
    Value value = maker.any(dtype, 0, 4);
    // Another argument of the same tensor would be the same one.
    if (std::ranges::any_of(
            loop.initial,
            [&](const Value &other) { return other.at == value.at; }) ||
        value.at == loop.limit.at)
      continue;
    loop.initial.push_back(value);
  }
  // What is carried does not keep its elements.
  for (Value &value : loop.initial)
    value.contents = {};
  loop.body = maker.region(loop.initial, numOps(call) + 1, iterations.any);
  loop.results = maker.inside(*loop.body, [&] {
    if (loop.limit.at.node->op() != "Const")
      maker.capture(loop.limit);
    std::vector<Value> results;
    Value one = maker.constant(Tensor::scalar<int32_t>(1));
    auto next = maker.add("AddV2", {loop.body->arguments[0].inner, one},
                          {{"T", DType::Int32}});
    if (next)
      results.push_back(next->front());
    for (size_t i = 1; i < loop.initial.size(); ++i)
      results.push_back(
          maker.like(loop.initial[i].dtype, loop.initial[i].dims));
    return results;
  });
  if (loop.results.size() != loop.initial.size())
    return std::nullopt;
  return loop;
}

bool whileLoop(Call &call) {
  if (!mayNest(call))
    return false;
  Maker &maker = call.maker;
  auto loop = makeLoop(call);
  if (!loop || (call.def.name == "StatelessWhile" && hasState(*loop->body)))
    return false;
  std::vector<Value> inputs = outers(*loop->body);
  for (size_t i = loop->results.size(); i < inputs.size(); ++i)
    loop->results.push_back(loop->body->arguments[i].inner);
  std::string body = maker.function(*loop->body, loop->results);
  auto condition = maker.region(inputs, 0);
  auto less = maker.inside(*condition, [&] {
    bool isConstant = loop->limit.at.node->op() == "Const";
    return maker.add("Less",
                     {condition->arguments[0].inner,
                      isConstant ? maker.constant(loop->limit.contents[0])
                                 : maker.capture(loop->limit)},
                     {{"T", DType::Int32}});
  });
  if (!less)
    return false;
  ResultDims dims;
  for (const Value &input : inputs)
    dims.push_back(input.isKnown ? std::optional(input.dims) : std::nullopt);
  return addCall(call, inputs,
                 {{"T", typesOf(inputs)},
                  {"cond", NameAttrList{maker.function(*condition, *less), {}}},
                  {"body", NameAttrList{body, {}}}},
                 dims);
}

bool forLoop(Call &call) {
  if (!mayNest(call))
    return false;
  Maker &maker = call.maker;
  auto loop = makeLoop(call);
  if (!loop)
    return false;
  std::vector<Value> carried = outers(*loop->body);
  carried.erase(carried.begin());
  loop->results.erase(loop->results.begin());
  for (size_t i = loop->results.size(); i < carried.size(); ++i)
    loop->results.push_back(loop->body->arguments[i + 1].inner);
  if (carried.empty())
    return false;
  ResultDims dims;
  for (const Value &input : carried)
    dims.push_back(input.isKnown ? std::optional(input.dims) : std::nullopt);
  std::vector<Value> inputs = {
      loop->initial[0], loop->limit,
      maker.scalarInteger(DType::Int32, call.random.between(1, 3))};
  inputs.insert(inputs.end(), carried.begin(), carried.end());
  return addCall(
      call, inputs,
      {{"T", typesOf(carried)},
       {"body", NameAttrList{maker.function(*loop->body, loop->results), {}}}},
      dims);
}

/// The name of a tensor of a region once it is inlined.
std::string inlinedName(const Scope &region, const Value &value,
                        const std::vector<std::string> &arguments) {
  for (size_t i = 0; i < region.arguments.size(); ++i)
    if (region.arguments[i].inner.at.node == value.at.node)
      return arguments[i];
  return value.at.name();
}

/// Adds nodes that may form loops, and gives their results as values.
bool addFrame(Call &call, std::vector<NodeSpec> specs,
              const std::vector<std::string> &results,
              const std::vector<Value> &like, const ResultDims &dims) {
  Maker &maker = call.maker;
  for (const NodeSpec &spec : specs)
    maker.made.insert(spec.op);
  if (!maker.scope->graph->addNodes(std::move(specs)).ok())
    return false;
  for (size_t i = 0; i < results.size(); ++i)
    maker.keep(maker.standIn({maker.scope->graph->lookup(results[i]), 0},
                             like[i].dtype, dims[i]));
  return true;
}

/// A branch of Switches and Merges.
bool switches(Call &call) {
  if (!mayNest(call))
    return false;
  Maker &maker = call.maker;
  Guard guard = guardOf(call);
  const Value &pred = guard.pred;
  const Sets runsIn[] = {guard.ifFalse, guard.ifTrue};
  auto branches = makeBranches(call, runsIn);
  if (!branches)
    return false;
  std::vector<NodeSpec> specs;
  auto add = [&](const std::string &op, std::vector<NodeInput> inputs,
                 AttrMap attrs) {
    specs.push_back(
        {maker.freshName(op), op, std::move(inputs), std::move(attrs)});
    return specs.back().name;
  };
  std::string sides = add("Switch", {pred.at, pred.at}, {{"T", DType::Bool}});
  std::string pivots[2];
  for (int side = 0; side < 2; ++side)
    pivots[side] = add("Identity", {sides + ":" + std::to_string(side)},
                       {{"T", DType::Bool}});
  std::vector<std::string> arguments[2];
  for (const Value &outer : outers(*branches->regions[0])) {
    std::string name = add("Switch", {outer.at, pred.at}, {{"T", outer.dtype}});
    for (int side = 0; side < 2; ++side)
      arguments[side].push_back(name + ":" + std::to_string(side));
  }
  std::vector<std::string> results;
  for (int side = 0; side < 2; ++side)
    for (NodeSpec &spec : maker.inlined(*branches->regions[size_t(side)],
                                        arguments[side], pivots[side]))
      specs.push_back(std::move(spec));
  for (size_t i = 0; i < branches->dims.size(); ++i) {
    std::vector<NodeInput> inputs;
    for (size_t side = 0; side < 2; ++side)
      inputs.emplace_back(inlinedName(*branches->regions[side],
                                      branches->results[side][i],
                                      arguments[side]));
    results.push_back(
        add("Merge", inputs, {{"T", branches->results[0][i].dtype}, {"N", 2}}));
  }
  return addFrame(call, std::move(specs), results, branches->results[0],
                  branches->dims);
}

/// A loop of Enters, Merges, Switches and NextIterations.
bool frame(Call &call) {
  if (!mayNest(call))
    return false;
  Maker &maker = call.maker;
  auto loop = makeLoop(call);
  if (!loop)
    return false;
  std::vector<NodeSpec> specs;
  auto add = [&](const std::string &op, std::vector<NodeInput> inputs,
                 AttrMap attrs) {
    specs.push_back(
        {maker.freshName(op), op, std::move(inputs), std::move(attrs)});
    return specs.back().name;
  };
  std::string frame = maker.freshName("frame");
  size_t carried = loop->results.size();
  std::vector<std::string> merges, switches, arguments, exits, next;
  std::vector<Value> inputs = outers(*loop->body);
  std::vector<std::string> enters;
  for (size_t i = 0; i < inputs.size(); ++i)
    enters.push_back(add("Enter", {inputs[i].at},
                         {{"T", inputs[i].dtype},
                          {"frame_name", frame},
                          {"is_constant", i >= carried}}));
  for (size_t i = 0; i < carried; ++i) {
    next.push_back(maker.freshName("NextIteration"));
    merges.push_back(
        add("Merge", {enters[i], next[i]}, {{"T", inputs[i].dtype}, {"N", 2}}));
  }
  std::string limit;
  if (loop->limit.at.node->op() == "Const")
    limit = add("Const", {"^" + merges[0]},
                {{"dtype", DType::Int32}, {"value", loop->limit.contents[0]}});
  for (size_t i = carried; i < inputs.size(); ++i)
    if (inputs[i].at == loop->limit.at)
      limit = enters[i];
  std::string less = add("Less", {merges[0], limit}, {{"T", DType::Int32}});
  std::string condition = add("LoopCond", {less}, {});
  for (size_t i = 0; i < carried; ++i) {
    switches.push_back(
        add("Switch", {merges[i], condition}, {{"T", inputs[i].dtype}}));
    exits.push_back(
        add("Exit", {switches[i] + ":0"}, {{"T", inputs[i].dtype}}));
    arguments.push_back(switches[i] + ":1");
  }
  arguments.insert(arguments.end(), enters.begin() + long(carried),
                   enters.end());
  std::string pivot = add("Identity", {arguments[0]}, {{"T", DType::Int32}});
  const std::span<const std::string> constants =
      std::span(enters).subspan(carried);
  for (NodeSpec &spec : maker.inlined(*loop->body, arguments, pivot, constants))
    specs.push_back(std::move(spec));
  ResultDims dims;
  for (size_t i = 0; i < carried; ++i) {
    std::string result = inlinedName(*loop->body, loop->results[i], arguments);
    NodeSpec &back = specs.emplace_back();
    back = {next[i], "NextIteration", {result}, {{"T", inputs[i].dtype}}};
    // What nothing of the iteration makes would go round for ever.
    if (std::ranges::count(constants, result) != 0)
      back.inputs.emplace_back("^" + pivot);
    dims.emplace_back(inputs[i].dims);
  }
  return addFrame(call, std::move(specs), exits, inputs, dims);
}

bool order(Call &call) {
  std::vector<std::string> controls;
  for (int i = 0; i < 2 && !call.maker.scope->values.empty(); ++i)
    if (const Node *node = call.random.pick(call.maker.scope->values).at.node;
        node->numInputs() > 0) // not an argument, which frames replace
      controls.push_back(node->name());
  std::ranges::sort(controls);
  auto last = std::ranges::unique(controls);
  controls.erase(last.begin(), last.end());
  if (!call.results(controls))
    return false;
  const Graph &graph = *call.maker.scope->graph;
  std::string name = graph.node(graph.numNodes() - 1)->name();
  call.maker.add("Identity", {call.maker.any(DType::Float32)},
                 {{"T", DType::Float32}}, {name});
  return true;
}

bool refSwitch(Call &call) {
  Maker &maker = call.maker;
  DType dtype = call.type("T");
  int id = maker.variable(dtype, {2, 3}, false);
  Value pred = maker.like(DType::Bool, {});
  auto sides =
      maker.add("RefSwitch", {maker.variableValue(id), pred}, {{"T", dtype}});
  if (!sides)
    return false;
  auto merged = maker.add("RefMerge", {sides->at(0), sides->at(1)},
                          {{"T", dtype}, {"N", 2}});
  return merged &&
         maker.add("Identity", {merged->front()}, {{"T", dtype}}).has_value();
}

constexpr Recipe recipes[] = {
    {"If StatelessIf Case StatelessCase", branch},
    {"PartitionedCall StatefulPartitionedCall", callFunction},
    {"While StatelessWhile", whileLoop},
    {"For", forLoop},
    {"Switch Merge", switches},
    {"Enter Exit NextIteration LoopCond", frame},
    {"NoOp ControlTrigger", order},
    {"RefSwitch RefMerge", refSwitch, false},
};

} // namespace

std::span<const Recipe> controlFlowRecipes() { return recipes; }

} // namespace kiln::fuzz
