// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients of collectives, as Horovod's Python registers them: what depends on
// the number of ranks is that of the process's communicator, as the graph is
// built.
#include "kiln/Communicator.h"
#include "lib/Autodiff/GradientCall.h"

#include <algorithm>

namespace kiln {
namespace {

constexpr int64_t average = 0, sum = 1; // Horovod's numbers

/// A set's ranks; one where it is not there, which a run will say.
std::vector<int> ranksOf(const GradientCall &call) {
  auto ranks = Communicator::ofProcess()->ranksOf(
      static_cast<int>(call.attr<int64_t>("process_set_id")));
  return ranks.ok() ? *ranks : std::vector<int>{0};
}

int64_t placeOf(const std::vector<int> &ranks) {
  const int rank = Communicator::ofProcess()->rank();
  auto place = std::ranges::find(ranks, rank);
  return place == ranks.end() ? 0 : place - ranks.begin();
}

AttrMap scopeOf(const GradientCall &call) {
  return call.attrs({"ignore_name_scope", "process_set_id"});
}

Output averaged(const GradientCall &call, const Output &tensor) {
  AttrMap attrs = scopeOf(call);
  attrs.set("reduce_op", average);
  attrs.set("prescale_factor", 1.0f);
  attrs.set("postscale_factor", 1.0f);
  return addOp("HorovodAllreduce", {tensor}, std::move(attrs));
}

void allreduceGradient(GradientCall &call) {
  call.set(0,
           addOp("HorovodAllreduce", {call.grad()},
                 call.attrs({"reduce_op", "prescale_factor", "postscale_factor",
                             "ignore_name_scope", "process_set_id"})));
}

void groupedAllreduceGradient(GradientCall &call) {
  std::vector<Input> grads;
  for (int i = 0; i < call.node.numInputs(); ++i)
    grads.push_back(call.grad(i));
  std::vector<Output> sums = addOpOutputs(
      "HorovodGroupedAllreduce", {InputList(grads)}, grads.size(),
      call.attrs({"reduce_op", "prescale_factor", "postscale_factor",
                  "ignore_name_scope", "process_set_id"}));
  for (size_t i = 0; i < sums.size(); ++i)
    call.set(static_cast<int>(i), sums[i]);
}

/// The rows that came of this rank, of the mean of all ranks' gradients.
void allgatherGradient(GradientCall &call) {
  const std::vector<int> ranks = ranksOf(call);
  for (int i = 0; i < call.node.numInputs(); ++i) {
    Output grad = averaged(call, call.grad(i));
    Output rows =
        addOp("Slice", {ops::shape(call.in(i)), vectorOf({0}), vectorOf({1})});
    Output all = addOp("HorovodAllgather", {rows}, scopeOf(call));
    const auto count = static_cast<int32_t>(ranks.size());
    std::vector<Output> parts = addOpOutputs(
        "SplitV", {grad, addOp("Reshape", {all, vectorOf({count})}), 0},
        ranks.size(), {{"num_split", static_cast<int64_t>(ranks.size())}});
    call.set(i, parts[static_cast<size_t>(placeOf(ranks))]);
  }
}

void broadcastGradient(GradientCall &call) {
  Output grad = averaged(call, call.grad());
  const bool isRoot =
      Communicator::ofProcess()->rank() == call.attr<int64_t>("root_rank");
  call.set(0, isRoot ? grad : grad * 0);
}

void alltoallGradient(GradientCall &call) {
  call.set(0,
           addOp("HorovodAlltoall", {call.grad(), call.out(1)}, scopeOf(call)));
}

void reduceScatterGradient(GradientCall &call) {
  const auto size = static_cast<double>(ranksOf(call).size());
  for (int i = 0; i < call.node.numInputs(); ++i) {
    Output grad = call.grad(i);
    if (call.attr<int64_t>("reduce_op") == sum)
      grad = grad * size;
    for (std::string_view factor : {"prescale_factor", "postscale_factor"})
      if (float by = call.attr<float>(factor, 1); by != 1)
        grad = grad * double{by};
    call.set(i, addOp("HorovodAllgather", {grad}, scopeOf(call)));
  }
}

} // namespace

void registerCollectiveGradients(GradientRegistry &registry) {
  registry.add({"HorovodAllgather", "HorovodGroupedAllgather"},
               allgatherGradient);
  registry.add({"HorovodAllreduce"}, allreduceGradient);
  registry.add({"HorovodAlltoall"}, alltoallGradient);
  registry.add({"HorovodBroadcast"}, broadcastGradient);
  registry.add({"HorovodGroupedAllreduce"}, groupedAllreduceGradient);
  registry.add({"HorovodReducescatter", "HorovodGroupedReducescatter"},
               reduceScatterGradient);
}

} // namespace kiln
