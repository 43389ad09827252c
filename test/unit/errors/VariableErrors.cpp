// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables, their scopes, assignments, and variables in parts.
#include "test/unit/errors/ErrorTable.h"

namespace kiln::testing {
namespace {

/// Finds a variable of another kind than the first one, of shape [3].
void share(const GetVariableOptions &other) {
  VariableScope foo("foo", {.reuse = autoReuse});
  getVariable("a", {.shape = {3}});
  getVariable("a", other);
}

Partitioner cutting(const std::vector<int64_t> &cuts) {
  return [cuts](const Shape &, DType) { return cuts; };
}

/// Makes s/p in parts, and then asks for a variable in parts again.
void partition(Shape shape, const std::vector<int64_t> &cuts) {
  VariableScope s("s");
  getPartitionedVariable("p", cutting(cuts),
                         {.shape = shape, .dtype = DType::Float32});
}
void partitionAgain(const std::string &name, Shape shape, Reuse reuse) {
  partition({4, 4}, {2, 1});
  VariableScope s("s", {.reuse = reuse});
  getPartitionedVariable(name, cutting({2, 1}), {.shape = shape});
}

Variable vector(bool isResource = false) {
  return Variable({1.0, 2.0},
                  {.name = isResource ? "vr" : "v", .useResource = isResource});
}

} // namespace

std::vector<ErrorCase> variableErrors() {
  return {
      {"variables/exists",
       [] {
         VariableScope foo("foo");
         getVariable("a", {.shape = {3}});
         getVariable("a", {.shape = {3}});
       }},
      {"variables/missing",
       [] {
         VariableScope foo("foo", {.reuse = true});
         getVariable("zzz", {.shape = {3}});
       }},
      {"variables/missing_beside_one_without_a_scope",
       [] {
         Variable other(1.0, {.name = "foo/zzz"});
         VariableScope foo("foo", {.reuse = true});
         getVariable("zzz", {.shape = {}});
       }},
      {"variables/other_shape", [] { share({.shape = {4}}); }},
      {"variables/other_dtype",
       [] { share({.shape = {3}, .dtype = DType::Int32}); }},
      {"variables/no_shape", [] { getVariable("ns"); }},
      {"variables/constant_and_shape",
       [] {
         getVariable("v",
                     {.shape = {2},
                      .initializer = Initializer(ops::constant({1.0, 2.0}))});
       }},
      {"variables/constant_of_another_dtype",
       [] {
         getVariable("v", {.dtype = DType::Int32,
                           .initializer = Initializer(ops::constant(1.0))});
       }},
      {"variables/partial_shape", [] { getVariable("v", {.shape = {2, -1}}); }},
      {"variables/complex",
       [] { getVariable("cv", {.shape = {2}, .dtype = DType::Complex64}); }},
      {"variables/scope_without_a_name",
       [] { VariableScope scope(std::nullopt); }},
      {"variables/reuse_without_a_name",
       [] {
         VariableScope scope(std::nullopt, {.defaultName = "d", .reuse = true});
       }},
      {"variables/scopes_out_of_order",
       [] {
         auto first = std::make_unique<VariableScope>("first");
         auto second = std::make_unique<VariableScope>("second");
         first.reset();
         second.reset();
       }},
      {"variables/value_of_unknown_shape",
       [] { Variable v(ops::placeholder(DType::Float32), {.name = "v"}); }},
      {"variables/initial_value_of_another_dtype",
       [] {
         Variable v(ops::constant(1.0), {.dtype = DType::Int32, .name = "v"});
       }},
      {"variables/value_from_inside_of_a_loop",
       [] {
         ops::whileLoop([](const Outputs &i) { return i[0] < 3; },
                        [](const Outputs &i) {
                          Variable v(i[0] + 1, {.name = "v"});
                          return Outputs{i[0] + 1};
                        },
                        {0});
       }},
      {"variables/assign_another_shape",
       [] { ops::assign(vector(), {1.0, 2.0, 3.0}); }},
      {"variables/assign_another_shape_to_a_resource",
       [] { vector(true).assign({1.0, 2.0, 3.0}); }},
      {"variables/assign_another_dtype",
       [] { vector().assign(ops::constant({1, 2})); }},
      {"variables/add_another_dtype",
       [] { vector().assignAdd(ops::constant({1, 2})); }},
      {"variables/assign_another_dtype_to_a_resource",
       [] { vector(true).assign(ops::constant({1, 2})); }},
      {"variables/cut_along_two_axes", [] { partition({4, 4}, {2, 2}); }},
      {"variables/cut_into_nothing", [] { partition({4, 4}, {0, 1}); }},
      {"variables/cuts_of_another_rank", [] { partition({4, 4}, {2}); }},
      {"variables/cut_of_a_partial_shape", [] { partition({4, -1}, {2, 1}); }},
      {"variables/cut_twice", [] { partitionAgain("p", {4, 4}, false); }},
      {"variables/cut_of_another_shape",
       [] { partitionAgain("p", {5, 4}, true); }},
      {"variables/cut_that_is_not_there",
       [] { partitionAgain("q", {4, 4}, true); }},
      {"variables/cut_of_a_whole_one",
       [] {
         {
           VariableScope s("s");
           getVariable("p", {.shape = {4, 4}});
         }
         VariableScope s("s", {.reuse = true});
         getPartitionedVariable("p", cutting({2, 1}), {.shape = {4, 4}});
       }},
  };
}

} // namespace kiln::testing
