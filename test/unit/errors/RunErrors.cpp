// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs say: values that do not fit, variables without a value, queues,
// summaries.
#include "test/unit/errors/ErrorTable.h"

#include "kiln/Summary.h"

#include <limits>

namespace kiln::testing {
namespace {

Tensor zeros(const Shape &shape) {
  return *Tensor::zeros(DType::Float32, shape);
}

Status runOfOperation(const Node *operation) {
  return run(**makeSession(), operation);
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

} // namespace

std::vector<ErrorCase> runErrors() {
  return {
      {"runs/uninitialized",
       [] { return runOf(Variable(1.0, {.name = "v"}) + 1.0); }},
      {"runs/uninitialized_resource",
       [] {
         return runOf(Variable(1.0, {.name = "vr", .useResource = true}) + 1.0);
       },
       // Kiln has no containers to tell of.
       {.words = "Could not find variable vr. This could mean that the "
                 "variable has been deleted. In TF1, it can also mean the "
                 "variable is uninitialized."}},
      {"runs/closed_queue",
       [] {
         Output queue = ops::fifoQueueV2(
             {DType::Float32},
             {.shapes = {Shape{}}, .capacity = 3, .name = "fifo_queue"});
         auto session = *makeSession();
         if (Status status = run(*session, ops::queueCloseV2(queue));
             !status.ok())
           return status;
         return fetch(*session, ops::queueDequeueV2(queue, {DType::Float32}))
             .status();
       }},
      {"runs/incompatible_shapes",
       [] { return runOf(unknown(zeros({4, 5})) + unknown(zeros({2, 3}))); }},
      {"runs/matrices",
       [] {
         auto open = [](const Shape &shape) {
           return ops::placeholderWithDefault(zeros(shape), Shape{-1, -1});
         };
         Output a = open({2, 5}), b = open({3, 4});
         return runOf(ops::matMul(a, b));
       }},
      {"runs/division_by_zero",
       [] { return runOf(ops::floorDiv(unknown(1), unknown(0))); }},
      {"runs/index",
       [] { return runOf(ops::gather(unknown({1.0, 2.0}), unknown({5}))); }},
      {"runs/numerics",
       [] { return runOf(ops::checkNumerics(unknown({nan}), "here")); }},
      {"runs/assertion",
       [] {
         return runOfOperation(
             rawOps::assert_(unknown(false), {unknown({1, 2, 3})}));
       }},
      {"runs/tags",
       [] {
         return runOf(rawOps::scalarSummary("q", unknown({1.0, 2.0, 3.0})));
       }},
      {"runs/histogram",
       [] { return runOf(rawOps::histogramSummary("q2", unknown({nan}))); }},
      {"runs/sampler",
       [] {
         return runOf(
             rawOps::uniformCandidateSampler(
                 ops::constant({{1}}, {.dtype = DType::Int64}), 1, 6, true, 5)
                 .sampledCandidates);
       }},
      {"runs/reshape",
       [] { return runOf(ops::reshape(unknown(zeros({2, 3})), {4, 2})); }},
      {"runs/concat",
       [] {
         return runOf(
             ops::concat({unknown(zeros({2, 3})), unknown(zeros({3, 3}))}, 1));
       }},
      {"runs/slice",
       [] {
         return runOf(rawOps::slice(unknown(zeros({2})), unknown({1}), {2}));
       }},
      {"runs/labels",
       [] {
         return runOf(ops::sparseSoftmaxCrossEntropyWithLogits(
             ops::constant({5}), ops::zeros({1, 3})));
       }},
      {"runs/assign_another_shape",
       [] {
         Variable v(zeros({3}), {.name = "v"});
         return runOf(v.assign(unknown(zeros({2}))), v.initializer());
       }},
      {"summaries/text",
       [] { summary::text("t", ops::constant(1.0, {.name = "x"})); }},
      {"summaries/image",
       [] { return runOf(summary::image("im", unknown(zeros({2, 3})))); }},
      {"summaries/channels",
       [] {
         return runOf(summary::image("im", unknown(zeros({1, 2, 3, 2}))));
       }},
      {"summaries/audio",
       [] { return runOf(summary::audio("au", unknown(zeros({2})), 8000)); }},
  };
}

} // namespace kiln::testing
