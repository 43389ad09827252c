// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over the rows of tensors, as TensorFlow's Python functions add them.
#include "kiln/ops/FunctionalOps.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/TensorArray.h"
#include "kiln/ops/ArrayOps.h"
#include "lib/Build/BuildState.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/VariableStore.h"

namespace kiln::ops {
namespace {

/// Variables that a function makes are read where the loop stands, as long as
/// this lives. **Source**: VariableScope.set_caching_device.
class CachedReads {
public:
  CachedReads() : scope(currentVariableScope().internals()) {
    before = scope->cachesReads;
    scope->cachesReads = true;
  }
  ~CachedReads() { scope->cachesReads = before; }

private:
  std::shared_ptr<VariableScopeData> scope;
  bool before;
};

bool hasFailed() { return GraphBuilder::current().internals().failed(); }

/// Tensors, and how many rows they have: a number where it is known.
struct Rows {
  Rows(const InputList &given, bool takesZero) {
    GraphBuilder graph = GraphBuilder::current();
    for (const Input &each : given.list())
      tensors.push_back(graph.convert(each, {.name = "elem"}));
    if (tensors.empty()) {
      graph.fail(invalidArgumentError(
          "elems must be a Tensor or (possibly nested) sequence of Tensors. "
          "Got (), which does not contain any Tensors."));
      return;
    }
    if (hasFailed())
      return;
    const Shape &shape = tensors[0].shape();
    if (shape.rank() == 0) {
      graph.fail(invalidArgumentError(
          "Elements in elems must be 1+ dimensional Tensors, not scalars"));
      return;
    }
    int64_t extent = shape.hasRank() ? shape.dim(0) : Shape::unknownDim;
    if (extent > 0 || (extent == 0 && takesZero))
      known = extent;
    else
      tensor = ops::shape(tensors[0])[0];
  }
  Input count() const { return known ? Input(*known) : Input(tensor); }
  /// The last but so many.
  Input last(int64_t back) const {
    return known ? Input(*known - back) : Input(tensor - back);
  }
  Output isBefore(const Output &i) const {
    return known ? i < *known : i < tensor;
  }

  std::vector<Output> tensors;
  std::optional<int64_t> known;
  Output tensor;
};

std::vector<TensorArray> arraysOf(const Rows &rows, bool setsShape) {
  std::vector<TensorArray> arrays;
  for (const Output &each : rows.tensors) {
    TensorArrayOptions options;
    if (setsShape && each.shape().rank() > 0)
      options.elementShape = Shape(each.shape().dims().subspan(1));
    arrays.emplace_back(each.dtype(), rows.count(), options);
  }
  for (size_t i = 0; i < arrays.size() && !hasFailed(); ++i)
    arrays[i] = arrays[i].unstack(rows.tensors[i]);
  return arrays;
}

Outputs read(const std::vector<TensorArray> &arrays, const Input &index) {
  Outputs rows;
  for (const TensorArray &each : arrays)
    rows.push_back(each.read(index));
  return rows;
}

bool isCount(size_t expected, size_t got) {
  if (expected == got)
    return true;
  GraphBuilder::current().fail(invalidArgumentError(
      "The two structures don't have the same nested structure."));
  return false;
}

/// Writes a row of results, and gives the flows.
std::vector<Output> write(const std::vector<TensorArray> &arrays,
                          std::span<const Output> flows, const Output &index,
                          const Outputs &values) {
  std::vector<Output> next;
  for (size_t i = 0; i < arrays.size(); ++i)
    next.push_back(arrays[i].withFlow(flows[i]).write(index, values[i]).flow());
  return next;
}

Outputs stack(const std::vector<TensorArray> &arrays,
              std::span<const Output> flows) {
  Outputs results;
  for (size_t i = 0; i < arrays.size(); ++i)
    results.push_back(arrays[i].withFlow(flows[i]).stack());
  return results;
}

template <class Options>
WhileOptions loopOf(const Rows &rows, const Options &options) {
  return {.parallelIterations = options.parallelIterations,
          .backProp = options.backProp,
          .swapMemory = options.swapMemory,
          .maximumIterations = rows.count()};
}

} // namespace

Outputs mapFn(const std::function<Outputs(const Outputs &rows)> &function,
              const InputList &tensors, const MapOptions &options) {
  Input first = tensors.list().empty() ? Input(0) : tensors.list()[0];
  FunctionScope scope(options.name, "map", {&first});
  CachedReads cached;
  Rows rows(tensors, /*takesZero=*/false);
  if (hasFailed())
    return {};
  std::vector<TensorArray> elements = arraysOf(rows, /*setsShape=*/false);
  Output start = constant(0);
  std::vector<TensorArray> results;
  std::vector<Input> variables{start};
  std::vector<DType> dtypes = options.dtypes;
  if (dtypes.empty())
    for (const Output &each : rows.tensors)
      dtypes.push_back(each.dtype());
  for (DType dtype : dtypes) {
    results.emplace_back(dtype, rows.count(),
                         TensorArrayOptions{.inferShape = options.inferShape});
    variables.emplace_back(results.back().flow());
  }
  if (hasFailed())
    return {};
  Outputs done =
      whileLoop([&](const Outputs &v) { return rows.isBefore(v[0]); },
                [&](const Outputs &v) {
                  Outputs values = function(read(elements, v[0]));
                  if (!isCount(results.size(), values.size()))
                    return Outputs();
                  std::vector<Output> flows =
                      write(results, std::span(v).subspan(1), v[0], values);
                  Outputs next{v[0] + 1};
                  next.insert(next.end(), flows.begin(), flows.end());
                  return next;
                },
                InputList(variables), loopOf(rows, options));
  if (done.size() != variables.size())
    return {};
  return stack(results, std::span(done).subspan(1));
}

namespace {

Outputs fold(const FoldFunction &function, const InputList &tensors,
             const FoldOptions &options, bool fromLast) {
  Input first = tensors.list().empty() ? Input(0) : tensors.list()[0];
  FunctionScope scope(options.name, fromLast ? "foldr" : "foldl", {&first});
  CachedReads cached;
  Rows rows(tensors, /*takesZero=*/false);
  if (hasFailed())
    return {};
  std::vector<TensorArray> elements = arraysOf(rows, /*setsShape=*/false);
  const bool isGiven = !options.initializer.empty();
  std::vector<Input> variables;
  if (fromLast) {
    variables = {isGiven ? rows.count() : rows.last(1)};
  }
  if (isGiven)
    variables.insert(variables.end(), options.initializer.begin(),
                     options.initializer.end());
  else
    for (const Output &each :
         read(elements, fromLast ? variables[0] : Input(0)))
      variables.emplace_back(each);
  if (!fromLast)
    variables.insert(variables.begin(), Input(constant(isGiven ? 0 : 1)));
  if (hasFailed())
    return {};
  Outputs done = whileLoop(
      [&](const Outputs &v) {
        return fromLast ? v[0] > 0 : rows.isBefore(v[0]);
      },
      [&](const Outputs &v) {
        Output at = fromLast ? v[0] - 1 : v[0];
        Outputs values =
            function(Outputs(v.begin() + 1, v.end()), read(elements, at));
        if (!isCount(v.size() - 1, values.size()))
          return Outputs();
        values.insert(values.begin(), fromLast ? at : v[0] + 1);
        return values;
      },
      InputList(variables), loopOf(rows, options));
  if (done.size() != variables.size())
    return {};
  return Outputs(done.begin() + 1, done.end());
}

} // namespace

Outputs foldl(const FoldFunction &function, const InputList &tensors,
              const FoldOptions &options) {
  return fold(function, tensors, options, /*fromLast=*/false);
}

Outputs foldr(const FoldFunction &function, const InputList &tensors,
              const FoldOptions &options) {
  return fold(function, tensors, options, /*fromLast=*/true);
}

Outputs scan(const FoldFunction &function, const InputList &tensors,
             const ScanOptions &options) {
  Input first = tensors.list().empty() ? Input(0) : tensors.list()[0];
  FunctionScope scope(options.name, "scan", {&first});
  CachedReads cached;
  Rows rows(tensors, /*takesZero=*/true);
  if (hasFailed())
    return {};
  std::vector<TensorArray> elements = arraysOf(rows, /*setsShape=*/true);
  const bool isGiven = !options.initializer.empty();
  Outputs values;
  // The index is added anew for each use, as Python does.
  auto firstRow = [&] { return options.reverse ? rows.last(1) : Input(0); };
  if (isGiven)
    for (const Input &each : options.initializer)
      values.push_back(GraphBuilder::current().convert(each));
  else
    for (const TensorArray &each : elements)
      values.push_back(each.read(firstRow()));
  if (hasFailed())
    return {};
  std::vector<TensorArray> results;
  for (const Output &each : values)
    results.emplace_back(
        each.dtype(), rows.count(),
        TensorArrayOptions{.inferShape = options.inferShape,
                           .elementShape = options.inferShape
                                               ? each.shape()
                                               : Shape::unknownRank()});
  if (!isGiven)
    for (size_t i = 0; i < values.size(); ++i)
      results[i] = results[i].write(firstRow(), values[i]);
  const int64_t done = isGiven ? 0 : 1;
  std::vector<Input> variables{done};
  if (options.reverse)
    variables[0] = rows.known ? Input(*rows.known - 1 - done)
                              : Input(rows.tensor - 1 - done);
  variables.insert(variables.end(), values.begin(), values.end());
  for (const TensorArray &each : results)
    variables.emplace_back(each.flow());
  if (hasFailed())
    return {};
  const size_t count = values.size();
  Outputs last = whileLoop(
      [&](const Outputs &v) {
        return options.reverse ? v[0] >= 0 : rows.isBefore(v[0]);
      },
      [&](const Outputs &v) {
        auto middle = v.begin() + 1 + static_cast<ptrdiff_t>(count);
        Outputs given =
            function(Outputs(v.begin() + 1, middle), read(elements, v[0]));
        if (!isCount(count, given.size()))
          return Outputs();
        std::vector<Output> flows =
            write(results, std::span(v).subspan(1 + count), v[0], given);
        Outputs next{options.reverse ? v[0] - 1 : v[0] + 1};
        next.insert(next.end(), given.begin(), given.end());
        next.insert(next.end(), flows.begin(), flows.end());
        return next;
      },
      InputList(variables), loopOf(rows, options));
  if (last.size() != variables.size())
    return {};
  return stack(results, std::span(last).subspan(1 + count));
}

} // namespace kiln::ops
