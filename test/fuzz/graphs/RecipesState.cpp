// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables: reads, updates, scatters and optimizer steps.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

Extents fixedDims(Maker &maker, int minRank, int maxRank) {
  Extents dims = maker.randomDims(minRank, maxRank);
  for (Extent &dim : dims)
    dim = dim.of[0];
  return dims;
}

Extents fullDims(Maker &maker, int minRank, int maxRank) {
  Extents dims = fixedDims(maker, minRank, maxRank);
  for (Extent &dim : dims)
    if (dim.least() == 0)
      dim = 3;
  return dims;
}

bool takesHandle(const Call &call) {
  return call.def.inputs[0].dtype == DType::Resource;
}

DType variableType(const Call &call) {
  for (const char *attr : {"T", "dtype"})
    if (DType dtype = call.type(attr); dtype != DType::Invalid)
      return dtype;
  return call.random.among({DType::Float32, DType::Int32, DType::Float64});
}

/// Appends a variable as the first input.
int addVariable(Call &call, const Extents &dims) {
  int id = call.maker.variable(variableType(call), dims, takesHandle(call));
  call.in(call.maker.variableValue(id));
  return id;
}

/// Reads the variable behind what was done, in half of the programs.
bool doneAndRead(Call &call, int id) {
  auto made = call.results();
  if (!made)
    return false;
  Maker &maker = call.maker;
  const Graph &graph = *maker.scope->graph;
  maker.target(graph.node(graph.numNodes() - 1)->name());
  if (call.random.chance(60)) {
    const Variable &variable = maker.variables[size_t(id)];
    if (variable.value.isRef) {
      Value from = !made->empty() && made->front().isRef ? made->front()
                                                         : variable.value;
      from.variable = id;
      maker.add("Identity", {from}, {{"T", variable.dtype}});
    } else {
      maker.add("ReadVariableOp", {variable.value},
                {{"dtype", variable.dtype}});
    }
  }
  return true;
}

bool assign(Call &call) {
  // A value of open extents has another shape than the variable in later runs.
  const bool isUnchecked =
      call.def.name == "AssignVariableOp" && call.random.chance(20);
  Extents dims =
      isUnchecked ? call.maker.randomDims(0, 4) : fixedDims(call.maker, 0, 4);
  int id = addVariable(call, dims);
  call.setIf("validate_shape", call.def.name == "Assign");
  call.like(dims);
  return doneAndRead(call, id);
}

bool read(Call &call) {
  DType dtype = call.type("dtype");
  Extents dims = fixedDims(call.maker, 0, 4);
  bool isHandle =
      call.def.name == "VarHandleOp" || call.def.name == "ReadVariableOp";
  // The op Variable is picked at times.
  for (int trial = 0; trial < 30; ++trial) {
    int id = call.maker.variable(dtype, dims, isHandle);
    Value from = call.maker.variableValue(id);
    call.maker.add(isHandle ? "ReadVariableOp" : "Identity", {from},
                   {{isHandle ? "dtype" : "T", dtype}});
    if (call.maker.made.count(call.def.name))
      return true;
  }
  return false;
}

bool query(Call &call) {
  addVariable(call, fixedDims(call.maker, 0, 3));
  return call.done();
}

bool demand(Call &call) {
  int id = addVariable(call, fixedDims(call.maker, 0, 3));
  return doneAndRead(call, id);
}

bool countUp(Call &call) {
  call.set("limit", int64_t(INT32_MAX));
  int id = addVariable(call, {});
  return doneAndRead(call, id);
}

bool refIdentity(Call &call) {
  int id = addVariable(call, fixedDims(call.maker, 0, 3));
  auto made = call.results();
  if (!made)
    return false;
  Value from = made->front();
  call.maker.add("Identity", {from}, {{"T", from.dtype}});
  return id >= 0;
}

/// Scatters along the first dimension, of rows or of one number.
bool scatter(Call &call) {
  Extents dims = fullDims(call.maker, 1, 3);
  int id = addVariable(call, dims);
  Extents indexDims = call.maker.randomDims(0, 2), updates = indexDims;
  call.indices(indexDims, dims[0]);
  updates.insert(updates.end(), dims.begin() + 1, dims.end());
  if (call.random.chance(20) &&
      call.def.name.find("Update") == std::string::npos)
    updates.clear();
  if (call.def.name.ends_with("Div") && !isFloating(call.next()))
    call.fresh(updates, between(1, 5));
  else
    call.like(updates);
  return doneAndRead(call, id);
}

bool scatterNd(Call &call) {
  Extents dims = fullDims(call.maker, 1, 3);
  int depth = 1 + call.random.below(int(dims.size()));
  int id = addVariable(call, dims);
  Extents batch = {call.random.between(0, 4)}, index = batch, updates = batch;
  index.push_back(int64_t(depth));
  updates.insert(updates.end(), dims.begin() + depth, dims.end());
  Extent limit = dims[0];
  for (int i = 0; i < depth; ++i)
    limit = std::min(limit.of[0], dims[size_t(i)].of[0]);
  call.indices(index, limit);
  call.like(updates);
  return doneAndRead(call, id);
}

bool resourceGather(Call &call) {
  Extents dims = fullDims(call.maker, 1, 3);
  addVariable(call, dims);
  call.setIf("batch_dims", int64_t(0));
  call.indices(call.maker.randomDims(0, 2), dims[0]);
  return call.done();
}

bool resourceGatherNd(Call &call) {
  Extents dims = fullDims(call.maker, 1, 3);
  addVariable(call, dims);
  call.indices({call.random.between(0, 4), 1}, dims[0]);
  return call.done();
}

bool stridedAssign(Call &call) {
  Extents dims = fullDims(call.maker, 1, 3);
  int id = addVariable(call, dims);
  for (const char *mask : {"begin_mask", "end_mask", "ellipsis_mask",
                           "new_axis_mask", "shrink_axis_mask"})
    call.set(mask, int64_t(0));
  int64_t from = call.random.below(int(dims[0].of[0])),
          to = call.random.between(from, dims[0].of[0]);
  call.integers({from});
  call.integers({to});
  call.integers({1});
  dims[0] = to - from;
  call.like(dims);
  return doneAndRead(call, id);
}

/// Steps of optimizers, dense and sparse: the arguments' names say what they
/// are.
bool step(Call &call) {
  // TensorFlow has steps of floats alone.
  call.set("T", call.random.chance(70)
                    ? DType::Float32
                    : call.random.among(
                          {DType::Float64, DType::Float16, DType::BFloat16}));
  Extents dims = fullDims(call.maker, 1, 3);
  if (!call.def.findAttr("Tindices") && call.random.chance(20))
    dims.clear();
  Extents gradient = dims;
  if (call.def.findAttr("Tindices"))
    gradient[0] = call.random.between(0, std::min<int64_t>(dims[0].of[0], 4));
  std::vector<int> taken;
  Maker &maker = call.maker;
  for (const ArgDef &arg : call.def.inputs) {
    if (arg.isRef || arg.dtype == DType::Resource) {
      int id;
      do
        id = maker.variable(call.type("T"), dims, arg.dtype == DType::Resource,
                            between(0.25, 2));
      while (std::ranges::count(taken, id));
      taken.push_back(id);
      call.in(maker.variableValue(id));
    } else if (arg.name == "grad" || arg.name == "delta") {
      call.like(gradient);
    } else if (arg.name == "indices") {
      if (call.maker.isHostile)
        call.indices({gradient[0]}, dims[0]);
      else
        call.fresh({gradient[0]}, distinctBelow(dims[0]));
    } else if (arg.name == "global_step") {
      call.scalar(call.random.between(1, 9));
    } else if (arg.name == "lr_power") {
      call.fresh({}, between(-0.5, -0.5));
    } else {
      call.fresh({}, between(0.125, 0.75));
    }
  }
  // All are written, not the first alone.
  auto made = call.results();
  if (!made)
    return false;
  const Graph &graph = *maker.scope->graph;
  const std::string &name = graph.node(graph.numNodes() - 1)->name();
  for (int id : taken) {
    Variable &variable = maker.variables[size_t(id)];
    variable.lastWrite = name;
    variable.users.clear();
    ++variable.version;
  }
  maker.target(name);
  return true;
}

constexpr Recipe recipes[] = {
    {"Assign AssignAdd AssignSub AssignVariableOp AssignAddVariableOp "
     "AssignSubVariableOp",
     assign, false},
    {"Variable VariableV2 VarHandleOp ReadVariableOp", read, false},
    {"IsVariableInitialized VarIsInitializedOp VariableShape", query, false},
    {"DisableCopyOnRead", demand, false},
    {"CountUpTo ResourceCountUpTo", countUp, false},
    {"RefIdentity", refIdentity, false},
    {"ScatterUpdate ScatterAdd ScatterSub ScatterMul ScatterDiv ScatterMin "
     "ScatterMax ResourceScatterUpdate ResourceScatterAdd ResourceScatterSub "
     "ResourceScatterMul ResourceScatterDiv ResourceScatterMin "
     "ResourceScatterMax",
     scatter, false},
    {"ScatterNdUpdate ScatterNdAdd ScatterNdSub ScatterNdMin ScatterNdMax "
     "ResourceScatterNdUpdate ResourceScatterNdAdd ResourceScatterNdSub "
     "ResourceScatterNdMin ResourceScatterNdMax",
     scatterNd, false},
    {"ResourceGather", resourceGather, false},
    {"ResourceGatherNd", resourceGatherNd, false},
    {"StridedSliceAssign ResourceStridedSliceAssign", stridedAssign, false},
    {"ApplyGradientDescent ApplyProximalGradientDescent ApplyMomentum "
     "ApplyAdam ApplyAdaMax ApplyAdagrad ApplyAdagradV2 ApplyAdagradDA "
     "ApplyProximalAdagrad ApplyAdadelta ApplyRMSProp ApplyCenteredRMSProp "
     "ApplyFtrl ApplyFtrlV2 ApplyAddSign ApplyPowerSign "
     "ResourceApplyGradientDescent ResourceApplyProximalGradientDescent "
     "ResourceApplyMomentum ResourceApplyKerasMomentum ResourceApplyAdam "
     "ResourceApplyAdaMax ResourceApplyAdamWithAmsgrad ResourceApplyAdagrad "
     "ResourceApplyAdagradV2 ResourceApplyAdagradDA "
     "ResourceApplyProximalAdagrad ResourceApplyAdadelta ResourceApplyRMSProp "
     "ResourceApplyCenteredRMSProp ResourceApplyFtrl ResourceApplyFtrlV2 "
     "ResourceApplyAddSign ResourceApplyPowerSign SparseApplyAdagrad "
     "SparseApplyAdagradV2 SparseApplyMomentum SparseApplyRMSProp "
     "SparseApplyCenteredRMSProp SparseApplyAdadelta "
     "SparseApplyProximalGradientDescent SparseApplyProximalAdagrad "
     "SparseApplyAdagradDA SparseApplyFtrl SparseApplyFtrlV2 "
     "ResourceSparseApplyAdagrad ResourceSparseApplyAdagradV2 "
     "ResourceSparseApplyMomentum ResourceSparseApplyKerasMomentum "
     "ResourceSparseApplyRMSProp ResourceSparseApplyCenteredRMSProp "
     "ResourceSparseApplyAdadelta ResourceSparseApplyProximalGradientDescent "
     "ResourceSparseApplyProximalAdagrad ResourceSparseApplyAdagradDA "
     "ResourceSparseApplyFtrl ResourceSparseApplyFtrlV2",
     step, false},
};

} // namespace

std::span<const Recipe> stateRecipes() { return recipes; }

} // namespace kiln::fuzz
