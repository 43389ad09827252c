// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of elements, and the datasets that call them.
#include "lib/Build/Ops/DatasetFunctions.h"

#include "kiln/Data.h"
#include "kiln/ops/Pipeline.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Support/Strings.h"

namespace kiln::data {

PipelineFunction pipelineFunction(std::string_view name,
                                  const std::vector<DType> &dtypes,
                                  const std::vector<Shape> &shapes,
                                  const FunctionBodyFn &body) {
  std::vector<FunctionArgument> arguments;
  for (size_t i = 0; i < dtypes.size(); ++i)
    arguments.push_back({.dtype = dtypes[i], .shape = shapes[i]});
  PipelineFunction made;
  const DefinedFunction defined = kiln::function(
      strCat("Dataset_", name), arguments, [&](const Outputs &element) {
        Outputs results = body(element);
        for (const Output &result : results) {
          made.dtypes.push_back(result.node ? result.dtype() : DType::Invalid);
          made.shapes.push_back(result.node ? result.shape()
                                            : Shape::unknownRank());
        }
        return results;
      });
  made.function.name = defined.name();
  made.captures = defined.captures();
  return made;
}

Shape commonShape(const Shape &a, const Shape &b) {
  if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank())
    return Shape::unknownRank();
  Shape common = a;
  for (int i = 0; i < a.rank(); ++i)
    if (a.dim(i) != b.dim(i))
      common.setDim(i, Shape::unknownDim);
  return common;
}

namespace {

/// A function that gives a dataset, and a dataset of such elements, of which
/// only their types and shapes may be used outside of it.
std::pair<PipelineFunction, std::optional<Dataset>>
functionToDataset(std::string_view name, const Dataset &input,
                  const Dataset::DatasetFn &function) {
  std::optional<Dataset> given;
  PipelineFunction made =
      pipelineFunction(name, input.dtypes(), input.shapes(),
                       [&](const Outputs &element) -> Outputs {
                         given = function(element);
                         return given->variant();
                       });
  return {std::move(made), std::move(given)};
}

} // namespace

Dataset Dataset::map(const ElementFn &function,
                     const MapOptions &options) const {
  PipelineFunction made = pipelineFunction("map", types, partShapes, function);
  const Output mapped =
      options.numParallelCalls
          ? rawOps::parallelMapDatasetV2(
                handle, made.captures,
                ops::convert(*options.numParallelCalls, "num_parallel_calls",
                             DType::Int64),
                made.function, made.dtypes, made.shapes)
          : rawOps::mapDataset(handle, made.captures, made.function,
                               made.dtypes, made.shapes);
  return Dataset(mapped, std::move(made.dtypes), std::move(made.shapes));
}

Dataset Dataset::filter(const PredicateFn &predicate) const {
  PipelineFunction made = pipelineFunction(
      "filter", types, partShapes,
      [&](const Outputs &element) -> Outputs { return predicate(element); });
  if (made.dtypes != std::vector<DType>{DType::Bool})
    return same(ops::failed(
        invalidArgumentError("`predicate` return type must be convertible to a "
                             "scalar boolean tensor."),
        ""));
  return same(rawOps::filterDataset(handle, made.captures, made.function, types,
                                    partShapes));
}

Dataset Dataset::flatMap(const DatasetFn &function) const {
  auto [made, given] = functionToDataset("flat_map", *this, function);
  if (!given)
    return *this;
  return given->same(rawOps::flatMapDataset(
      handle, made.captures, made.function, given->types, given->partShapes));
}

Dataset Dataset::interleave(const DatasetFn &function,
                            const InterleaveOptions &options) const {
  auto [made, given] = functionToDataset("interleave", *this, function);
  if (!given)
    return *this;
  const Output cycle =
      ops::convert(options.cycleLength, "cycle_length", DType::Int64);
  const Output block =
      ops::convert(options.blockLength, "block_length", DType::Int64);
  return given->same(rawOps::interleaveDataset(
      handle, made.captures, cycle, block, made.function, given->types,
      given->partShapes));
}

Outputs
Dataset::reduce(const InputList &initialState,
                const std::function<Outputs(const Outputs &, const Outputs &)>
                    &function) const {
  std::vector<Output> state;
  std::vector<DType> dtypes;
  std::vector<Shape> shapes;
  for (const Input &part : initialState.list()) {
    state.push_back(ops::convert(part, ""));
    if (!state.back().node)
      return {};
    dtypes.push_back(state.back().dtype());
    shapes.push_back(state.back().shape());
  }
  const size_t count = dtypes.size();
  std::vector<DType> given = dtypes;
  std::vector<Shape> givenShapes = shapes;
  given.insert(given.end(), types.begin(), types.end());
  givenShapes.insert(givenShapes.end(), partShapes.begin(), partShapes.end());
  PipelineFunction made =
      pipelineFunction("reduce", given, givenShapes, [&](const Outputs &parts) {
        const auto behind = parts.begin() + static_cast<ptrdiff_t>(count);
        return function(Outputs(parts.begin(), behind),
                        Outputs(behind, parts.end()));
      });
  if (made.dtypes != dtypes) {
    ops::failed(invalidArgumentError("The element types for the new state must "
                                     "match the initial state."),
                "");
    return {};
  }
  for (size_t i = 0; i < count; ++i)
    shapes[i] = commonShape(shapes[i], made.shapes[i]);
  return rawOps::reduceDataset(handle, state, made.captures, made.function,
                               dtypes, shapes);
}

} // namespace kiln::data
