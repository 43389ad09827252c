// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds what several consumers of a tensor give back to it.
#include "lib/Autodiff/AggregateGradients.h"

#include "lib/Autodiff/GradientCall.h"

#include <algorithm>
#include <map>

namespace kiln {
namespace {

/// Adds the tensors of each device where they are, then the sums.
Output addByDevice(const std::vector<Output> &tensors) {
  std::map<std::string, std::vector<Output>> byDevice;
  for (const Output &tensor : tensors)
    byDevice[tensor.node->device()].push_back(tensor);
  std::vector<Output> sums;
  for (const auto &[device, group] : byDevice) {
    ColocationScope there(group[0].node, /*ignoreExisting=*/true);
    sums.push_back(ops::addN(group));
  }
  return ops::addN(sums);
}

/// **Source**: backprop_util.AggregateIndexedSlicesGradients.
Gradient joinSlices(const std::vector<Gradient> &contributions) {
  bool mixed = std::ranges::any_of(contributions, [&](const Gradient &each) {
    return each.slices().indices.dtype() !=
           contributions[0].slices().indices.dtype();
  });
  std::vector<Output> values, indices;
  for (const Gradient &each : contributions) {
    values.push_back(each.slices().values);
    indices.push_back(mixed ? ops::cast(each.slices().indices, DType::Int64)
                            : each.slices().indices);
  }
  return IndexedSlices{ops::concat(values, 0), ops::concat(indices, 0),
                       contributions[0].slices().denseShape};
}

} // namespace

Gradient aggregateGradients(const std::vector<Gradient> &contributions,
                            const Node &node, AggregationMethod method) {
  if (contributions.size() == 1)
    return contributions[0];
  if (std::ranges::all_of(contributions, &Gradient::isSparse))
    return joinSlices(contributions);
  bool isDense = std::ranges::none_of(contributions, &Gradient::isSparse);
  std::vector<Output> tensors;
  for (const Gradient &each : contributions) {
    tensors.push_back(each.toTensor());
    if (!tensors.back().node)
      return {};
  }
  if (!isDense)
    return ops::addN(tensors);
  if (method == AggregationMethod::AddN)
    return addByDevice(tensors);
  NameScope names(node.name() + "_gradient_sum");
  Output sum = tensors[0];
  for (size_t i = 1; i < tensors.size(); ++i)
    sum = ops::addN({sum, tensors[i]});
  return sum;
}

} // namespace kiln
