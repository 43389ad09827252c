// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Staging areas, accumulators of gradients and variables that end in the run:
// small programs around the op that is asked for, none of which waits.
#include "test/fuzz/graphs/Recipes.h"

namespace kiln::fuzz {
namespace {

/// Adds nodes one behind the other, and runs all of them.
class Chain {
public:
  explicit Chain(Maker &maker) : maker(maker) {}

  std::optional<std::vector<Value>> add(const std::string &op,
                                        const std::vector<Value> &inputs,
                                        const AttrMap &attrs = {}) {
    auto made = maker.add(op, inputs, attrs, behind);
    if (!made)
      return std::nullopt;
    const Graph &graph = *maker.scope->graph;
    behind = {graph.node(graph.numNodes() - 1)->name()};
    maker.target(behind.front());
    return made;
  }

private:
  Maker &maker;
  std::vector<std::string> behind;
};

std::string lastNode(const Maker &maker) {
  const Graph &graph = *maker.scope->graph;
  return graph.node(graph.numNodes() - 1)->name();
}

/// Tuples of an area; the types say how it is found, as its name does.
struct Area {
  std::vector<DType> types;
  std::vector<Extents> dims;
  AttrMap attrs;
};

Area makeArea(Call &call) {
  Area area;
  area.types.resize(size_t(call.random.between(1, 3)));
  for (DType &dtype : area.types) {
    dtype = call.random.among(
        {DType::Float32, DType::Int32, DType::Int64, DType::String});
    area.dims.push_back(call.maker.randomDims(0, 3));
  }
  area.attrs = {{"dtypes", area.types},
                {"capacity", int64_t(0)},
                {"memory_limit", int64_t(0)},
                {"container", ""},
                {"shared_name", call.maker.freshName("area")}};
  return area;
}

void addTuple(Maker &maker, const Area &area, std::vector<Value> &inputs) {
  for (size_t i = 0; i < area.types.size(); ++i)
    inputs.push_back(maker.like(area.types[i], area.dims[i]));
}

/// Stages tuples, looks at one, takes one.
bool stage(Call &call) {
  Maker &maker = call.maker;
  Area area = makeArea(call);
  Chain chain(maker);
  int64_t number = call.random.between(1, 3);
  for (int64_t i = 0; i < number; ++i) {
    std::vector<Value> tuple;
    addTuple(maker, area, tuple);
    if (!chain.add("Stage", tuple, area.attrs))
      return false;
  }
  Value place =
      maker.scalarInteger(DType::Int32, call.random.below(int(number)));
  bool isCleared = call.def.name == "StageClear" || call.random.chance(40);
  return chain.add("StagePeek", {place}, area.attrs) &&
         chain.add("Unstage", {}, area.attrs) &&
         chain.add("StageSize", {}, area.attrs) &&
         (!isCleared || chain.add("StageClear", {}, area.attrs));
}

/// As stage(), by keys, and the components of a tuple in two steps.
bool stageMap(Call &call) {
  Maker &maker = call.maker;
  Area area = makeArea(call);
  AttrMap put = area.attrs;
  const std::string kind =
      call.def.name.starts_with("Ordered") ? "OrderedMap" : "Map";
  Chain chain(maker);
  auto all = Extents();
  for (size_t i = 0; i < area.types.size(); ++i)
    all.emplace_back(int64_t(i));
  // What an unordered map gives of several is not defined.
  const bool takesAny = call.def.name.ends_with("NoKey");
  const int64_t number =
      takesAny && kind == "Map" ? 1 : call.random.between(1, 3);
  auto key = [&](int64_t of) {
    return maker.scalarInteger(DType::Int64, of * 7 % 5);
  };
  for (int64_t i = 0; i < number; ++i) {
    std::vector<Value> inputs = {key(i), maker.integers(DType::Int32, all)};
    addTuple(maker, area, inputs);
    put.set("fake_dtypes", area.types);
    if (!chain.add(kind + "Stage", inputs, put))
      return false;
  }
  Value last = key(number - 1), places = maker.integers(DType::Int32, all);
  return chain.add(kind + "Size", {}, area.attrs) &&
         chain.add(kind + "IncompleteSize", {}, area.attrs) &&
         chain.add(kind + "Peek", {last, places}, area.attrs) &&
         (takesAny ? chain.add(kind + "UnstageNoKey", {places}, area.attrs)
                   : chain.add(kind + "Unstage", {last, places}, area.attrs)) &&
         chain.add(kind + "Clear", {}, area.attrs);
}

AttrMap accumulatorAttrs(Call &call, DType dtype, const Extents &dims) {
  return {{"dtype", dtype},
          {"shape", shapeOf(dims, 0)},
          {"reduction_type", call.random.among({"MEAN", "SUM"})},
          {"shared_name", call.maker.freshName("accumulator")}};
}

Extents fixedDims(Maker &maker, int minRank, int maxRank) {
  Extents dims = maker.randomDims(minRank, maxRank);
  for (Extent &dim : dims)
    dim = std::max<int64_t>(dim.of[0], 1);
  return dims;
}

/// As many gradients as are waited for, none of them of a step gone by: a few
/// of those there are, too.
bool accumulate(Call &call) {
  Maker &maker = call.maker;
  const std::string end =
      call.def.name.starts_with("Resource") ? "Resource" : "";
  DType dtype = call.random.among({DType::Float32, DType::Float64});
  Extents dims = fixedDims(maker, 0, 3);
  auto made = maker.add(end + "ConditionalAccumulator", {},
                        accumulatorAttrs(call, dtype, dims));
  if (!made)
    return false;
  Value handle = made->front();
  Chain chain(maker);
  AttrMap typed = {{"dtype", dtype}};
  if (!chain.add(end + "AccumulatorSetGlobalStep",
                 {handle, maker.scalarInteger(DType::Int64, 3)}))
    return false;
  const int64_t number = call.random.between(1, 3);
  for (int64_t i = 0; i <= number; ++i)
    if (!chain.add(end + "AccumulatorApplyGradient",
                   {handle,
                    maker.scalarInteger(DType::Int64, i < number ? 90 : 2),
                    maker.like(dtype, dims)},
                   typed))
      return false;
  return chain.add(end + "AccumulatorNumAccumulated", {handle}) &&
         chain.add(end + "AccumulatorTakeGradient",
                   {handle, maker.scalarInteger(
                                DType::Int32, call.random.between(1, number))},
                   typed);
}

bool accumulateRows(Call &call) {
  Maker &maker = call.maker;
  DType dtype = call.random.among({DType::Float32, DType::Float64});
  Extents dims = fixedDims(maker, 1, 3);
  auto made = maker.add("SparseConditionalAccumulator", {},
                        accumulatorAttrs(call, dtype, dims));
  if (!made)
    return false;
  Value handle = made->front();
  Chain chain(maker);
  const int64_t number = call.random.between(1, 3);
  for (int64_t i = 0; i < number; ++i) {
    // Each row at most once, in order.
    Extents rows;
    for (int64_t row = 0; row < dims[0].of[0]; ++row)
      if (call.random.chance(50))
        rows.emplace_back(row);
    Extents of = dims;
    of[0] = static_cast<int64_t>(rows.size());
    if (rows.empty())
      continue;
    if (!chain.add("SparseAccumulatorApplyGradient",
                   {handle, maker.scalarInteger(DType::Int64, 90),
                    maker.integers(DType::Int64, rows), maker.like(dtype, of),
                    maker.integers(DType::Int64, dims)},
                   {{"dtype", dtype}, {"has_known_shape", true}}))
      return false;
  }
  Extents one = dims;
  one[0] = 1;
  return chain.add("SparseAccumulatorApplyGradient",
                   {handle, maker.scalarInteger(DType::Int64, 90),
                    maker.integers(DType::Int64, {dims[0] - 1}),
                    maker.like(dtype, one), maker.integers(DType::Int64, dims)},
                   {{"dtype", dtype}, {"has_known_shape", true}}) &&
         chain.add("SparseAccumulatorTakeGradient",
                   {handle, maker.scalarInteger(DType::Int32, 1)},
                   {{"dtype", dtype}});
}

/// Elements of two components, as many as are taken.
bool barrier(Call &call) {
  Maker &maker = call.maker;
  const std::vector<DType> types = {DType::Float32, DType::Int64};
  Extents dims = fixedDims(maker, 0, 2);
  auto made = maker.add("Barrier", {},
                        {{"component_types", types},
                         {"shapes", std::vector<Shape>{shapeOf(dims, 0), {}}}});
  if (!made)
    return false;
  Value handle = made->front();
  Chain chain(maker);
  const int64_t number = call.random.between(1, 3);
  for (int64_t i = 0; i < number; ++i) {
    Value key = maker.constant(
        *Tensor::fromStrings(Shape({1}), {std::string_view("abc" + i, 1)}));
    Extents rows = dims;
    rows.insert(rows.begin(), 1);
    const int first = call.random.chance(50);
    for (int component : {first, 1 - first})
      if (!chain.add("BarrierInsertMany",
                     {handle, key,
                      component == 0 ? maker.like(types[0], rows)
                                     : maker.like(types[1], {1})},
                     {{"T", types[size_t(component)]},
                      {"component_index", int64_t(component)}}))
        return false;
  }
  return chain.add("BarrierReadySize", {handle}) &&
         chain.add("BarrierTakeMany",
                   {handle, maker.scalarInteger(DType::Int32, number)},
                   {{"component_types", types},
                    {"allow_small_batch", call.random.chance(30)}}) &&
         chain.add("BarrierIncompleteSize", {handle}) &&
         (call.def.name != "BarrierClose" ||
          chain.add("BarrierClose", {handle},
                    {{"cancel_pending_enqueues", call.random.chance(50)}}));
}

/// A critical section: what is between the lock and its end is one op.
bool criticalSection(Call &call) {
  Maker &maker = call.maker;
  auto mutex = maker.add("MutexV2", {}, {});
  if (!mutex)
    return false;
  auto lock = maker.add("MutexLock", {mutex->front()}, {});
  if (!lock)
    return false;
  const std::string locked = lastNode(maker);
  if (!maker.add("Neg", {maker.any(DType::Float32)}, {{"T", DType::Float32}},
                 {locked}))
    return false;
  const std::string inside = lastNode(maker);
  if (!maker.add("ConsumeMutexLock", {lock->front()}, {}, {inside}))
    return false;
  maker.target(lastNode(maker));
  return true;
}

/// A variable of the run: written, changed, taken.
bool temporary(Call &call) {
  Maker &maker = call.maker;
  DType dtype = call.random.among({DType::Float32, DType::Int32});
  Extents dims = fixedDims(maker, 0, 3);
  const std::string name = maker.freshName("temporary");
  auto made = maker.add(
      "TemporaryVariable", {},
      {{"dtype", dtype}, {"shape", shapeOf(dims, 0)}, {"var_name", name}});
  if (!made)
    return false;
  auto written = maker.add("Assign", {made->front(), maker.like(dtype, dims)},
                           {{"T", dtype}});
  if (!written)
    return false;
  if (call.random.chance(60))
    written =
        maker.add("AssignAdd", {written->front(), maker.like(dtype, dims)},
                  {{"T", dtype}});
  return written && maker.add("DestroyTemporaryVariable", {written->front()},
                              {{"T", dtype}, {"var_name", name}});
}

/// A variable that each run gives a value and takes it from.
bool destroyed(Call &call) {
  Maker &maker = call.maker;
  DType dtype = call.random.among({DType::Float32, DType::Int32});
  Extents dims = fixedDims(maker, 0, 3);
  auto made = maker.add("VarHandleOp", {},
                        {{"dtype", dtype},
                         {"shape", shapeOf(dims, 0)},
                         {"shared_name", maker.freshName("variable")}});
  if (!made)
    return false;
  Value handle = made->front();
  Chain chain(maker);
  return chain.add("AssignVariableOp", {handle, maker.like(dtype, dims)},
                   {{"dtype", dtype}}) &&
         chain.add("ReadVariableOp", {handle}, {{"dtype", dtype}}) &&
         chain.add("DestroyResourceOp", {handle},
                   {{"ignore_lookup_error", call.flag("ignore_lookup_error")}});
}

constexpr Recipe recipes[] = {
    {"Stage Unstage StagePeek StageSize StageClear", stage, false},
    {"MapStage MapUnstage MapUnstageNoKey MapPeek MapSize MapIncompleteSize "
     "MapClear OrderedMapStage OrderedMapUnstage OrderedMapUnstageNoKey "
     "OrderedMapPeek OrderedMapSize OrderedMapIncompleteSize OrderedMapClear",
     stageMap, false},
    {"ConditionalAccumulator AccumulatorApplyGradient "
     "AccumulatorNumAccumulated AccumulatorSetGlobalStep "
     "AccumulatorTakeGradient ResourceConditionalAccumulator "
     "ResourceAccumulatorApplyGradient ResourceAccumulatorNumAccumulated "
     "ResourceAccumulatorSetGlobalStep ResourceAccumulatorTakeGradient",
     accumulate, false},
    {"SparseConditionalAccumulator SparseAccumulatorApplyGradient "
     "SparseAccumulatorTakeGradient",
     accumulateRows, false},
    {"Barrier BarrierInsertMany BarrierTakeMany BarrierClose "
     "BarrierReadySize BarrierIncompleteSize",
     barrier, false},
    {"MutexV2 MutexLock ConsumeMutexLock", criticalSection, false},
    {"TemporaryVariable DestroyTemporaryVariable", temporary, false},
    {"DestroyResourceOp", destroyed, false},
};

} // namespace

std::span<const Recipe> stagingRecipes() { return recipes; }

} // namespace kiln::fuzz
