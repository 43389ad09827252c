// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buckets are chosen when the graph is built, by static shapes alone, so that
// they are the same on all ranks and in all runs.
#include "kiln/DistributedOptimizer.h"

#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Collective.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/MathOps.h"
#include "lib/Support/CheckedMath.h"

#include <algorithm>
#include <map>

namespace kiln {
namespace {

constexpr int64_t average = 0; // Horovod's reduce_op

/// The bytes of a tensor; nothing where its shape is not known.
std::optional<int64_t> bytesOf(const Output &tensor) {
  auto elements = tensor.node->outputShape(tensor.index).numElements();
  return elements.ok()
             ? checkedMul(*elements,
                          static_cast<int64_t>(dtypeSize(tensor.dtype())))
             : std::nullopt;
}

/// Gradients, by their numbers, that go together.
struct Bucket {
  std::vector<size_t> gradients;
  int64_t bytes = 0;
};

/// In the order in which a backward pass makes them: the last variable's first.
std::vector<Bucket> bucketsOf(const std::vector<Gradient> &gradients,
                              int64_t limit) {
  std::vector<Bucket> full;
  std::map<DType, Bucket> open;
  for (size_t i = gradients.size(); i-- > 0;) {
    const Output &tensor = gradients[i].tensor();
    if (!tensor.node)
      continue;
    const std::optional<int64_t> bytes = bytesOf(tensor);
    if (!bytes || *bytes > limit) {
      full.push_back({{i}, 0});
      continue;
    }
    Bucket &bucket = open[tensor.dtype()];
    if (bucket.bytes > limit - *bytes)
      full.push_back(std::exchange(bucket, {}));
    bucket.gradients.push_back(i);
    bucket.bytes += *bytes;
  }
  for (auto &[dtype, bucket] : open)
    if (!bucket.gradients.empty())
      full.push_back(std::move(bucket));
  return full;
}

IndexedSlices averagedRows(const IndexedSlices &rows, int64_t group) {
  Output size =
      ops::cast(ops::horovodSize({.processSetId = group}), rows.values.dtype());
  Output values = ops::horovodAllgather(rows.values, {.processSetId = group});
  Output indices = ops::horovodAllgather(rows.indices, {.processSetId = group});
  return {ops::divide(values, size), indices, rows.denseShape};
}

} // namespace

std::vector<GradientAndVariable>
averageOverRanks(const std::vector<GradientAndVariable> &gradients,
                 const DistributedOptions &options) {
  NameScope scope("DistributedOptimizer");
  std::vector<Gradient> averaged;
  for (const auto &[gradient, variable] : gradients)
    averaged.push_back(gradient.isSparse() && options.sparseAsDense
                           ? Gradient(gradient.toTensor())
                           : gradient);
  for (const Bucket &bucket : bucketsOf(averaged, options.bucketBytes)) {
    std::vector<Output> tensors;
    for (size_t i : bucket.gradients)
      tensors.push_back(averaged[i].tensor());
    std::vector<Output> sums = ops::horovodGroupedAllreduce(
        tensors, average, 1, 1, {.processSetId = options.group});
    for (size_t i = 0; i < sums.size() && i < tensors.size(); ++i)
      averaged[bucket.gradients[i]] = sums[i];
  }
  std::vector<GradientAndVariable> result;
  for (size_t i = 0; i < gradients.size(); ++i)
    result.push_back(
        {averaged[i].isSparse()
             ? Gradient(averagedRows(averaged[i].slices(), options.group))
             : averaged[i],
         gradients[i].variable});
  return result;
}

const Node *broadcastVariables(const std::vector<Variable> &variables,
                               int rootRank) {
  std::vector<ControlInput> assignments;
  for (const Variable &variable : variables)
    if (const Node *assigned =
            variable.assign(ops::horovodBroadcast(variable, rootRank))
                .operation())
      assignments.push_back(assigned);
  return ops::group(assignments);
}

std::vector<GradientAndVariable> DistributedOptimizer::computeGradients(
    const Output &loss, const ComputeGradientsOptions &computeOptions) {
  return averageOverRanks(optimizer.computeGradients(loss, computeOptions),
                          options);
}

const Node *
DistributedOptimizer::minimize(const Output &loss,
                               const MinimizeOptions &minimizeOptions) {
  return optimizer.applyGradients(
      computeGradients(loss, {.variables = minimizeOptions.variables,
                              .gate = minimizeOptions.gate,
                              .aggregation = minimizeOptions.aggregation,
                              .colocate = minimizeOptions.colocate,
                              .gradLoss = minimizeOptions.gradLoss}),
      {.globalStep = minimizeOptions.globalStep, .name = minimizeOptions.name});
}

} // namespace kiln
