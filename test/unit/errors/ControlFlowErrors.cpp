// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditionals, loops, arrays that loops fill, and what is dead.
#include "test/unit/errors/ErrorTable.h"

#include "kiln/TensorArray.h"

namespace kiln::testing {
namespace {

ops::BranchResult one() { return ops::constant(1); }

Output predicate(DType dtype = DType::Bool, const Shape &shape = {}) {
  return ops::placeholder(dtype, shape, {.name = "p"});
}

Outputs more(const Outputs &i) { return Outputs{i[0] + 1}; }

void loop(const std::function<Output(const Outputs &)> &condition,
          const std::function<Outputs(const Outputs &)> &body = more) {
  ops::whileLoop(condition, body, {0});
}

TensorArray array() {
  return TensorArray(DType::Float32, 3, {.inferShape = false, .name = "a"});
}

} // namespace

std::vector<ErrorCase> controlFlowErrors() {
  return {
      {"cond/pred_that_is_known", [] { ops::cond(true, one, one); }},
      {"cond/nothing_given",
       [] { ops::cond(predicate(), [] { return Outputs(); }, one); }},
      {"cond/nothing_given_otherwise",
       [] { ops::cond(predicate(), one, [] { return Outputs(); }); }},
      {"cond/dtypes",
       [] { ops::cond(predicate(), one, [] { return ops::constant(1.0); }); }},
      // TensorFlow prints Python's lists.
      {"cond/numbers_of_results",
       [] {
         ops::cond(
             predicate(),
             [] { return Outputs{ops::constant(1), ops::constant(1)}; },
             [] {
               return Outputs{ops::constant(1), ops::constant(1),
                              ops::constant(1)};
             });
       },
       {.words = "Incompatible return values of 'true_fn' and 'false_fn': The "
                 "two structures don't have the same nested structure: 2 and 3 "
                 "tensors"}},
      {"cond/vector_as_pred",
       [] { ops::cond(predicate(DType::Bool, {2}), one, one); }},
      {"cond/integer_as_pred",
       [] { ops::cond(predicate(DType::Int32), one, one); }},
      {"while/shape_changes",
       [] {
         ops::whileLoop(
             [](const Outputs &x) { return ops::size(x[0]) < 9; },
             [](const Outputs &x) { return ops::concat({x[0], x[0]}, 0); },
             {ops::constant({1.0})});
       }},
      {"while/condition_that_is_no_bool",
       [] { loop([](const Outputs &i) { return i[0] + 1; }); }},
      {"while/condition_that_is_a_vector",
       [] { loop([](const Outputs &i) { return i[0] < Input({3, 4}); }); }},
      {"while/no_variables",
       [] {
         ops::whileLoop([](const Outputs &) { return ops::constant(true); },
                        [](const Outputs &) { return Outputs(); }, {});
       }},
      // TensorFlow prints Python's lists.
      {"while/more_results",
       [] {
         loop([](const Outputs &i) { return i[0] < 3; },
              [](const Outputs &i) { return Outputs{i[0] + 1, i[0]}; });
       },
       {.words = "Number of inputs and outputs of 'body' must match "
                 "'loop_vars'. Got 1 for the number of inputs/outputs, and 2 "
                 "for 'loop_vars'."}},
      {"while/invariant_that_does_not_fit",
       [] {
         ops::whileLoop([](const Outputs &x) { return ops::size(x[0]) < 9; },
                        [](const Outputs &x) { return x; },
                        {ops::constant({1.0, 2.0})},
                        {.shapeInvariants = {Shape{3}}});
       }},
      {"arrays/read_twice",
       [] {
         TensorArray a = array().write(0, 1.0);
         ControlScope after({a.read(0)});
         TensorArray again = a.withFlow(ops::identity(a.flow()));
         return runOf(ops::identity(again.read(0)));
       }},
      {"arrays/write_twice",
       [] { return runOf(array().write(0, 1.0).write(0, 2.0).flow()); }},
      {"arrays/write_beyond",
       [] { return runOf(array().write(5, 1.0).flow()); }},
      {"arrays/read_beyond",
       [] { return runOf(array().write(0, 1.0).read(5)); }},
      {"arrays/write_before",
       [] { return runOf(array().write(-1, 1.0).flow()); }},
      {"arrays/read_of_nothing", [] { return runOf(array().read(1)); }},
      {"arrays/shape",
       [] {
         TensorArray(DType::Float32, 3, {.elementShape = {2}, .name = "a"})
             .write(0, {1.0, 2.0, 3.0});
       }},
      {"control/dead",
       [] {
         Output p = ops::placeholderWithDefault(false, Shape{});
         return runOf(
             ops::identity(rawOps::switch_(1.0, p).outputTrue, {.name = "i"}));
       }},
  };
}

} // namespace kiln::testing
