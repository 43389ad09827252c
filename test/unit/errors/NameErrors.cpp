// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names, look-ups and devices.
#include "test/unit/errors/ErrorTable.h"

namespace kiln::testing {
namespace {

void addNamed(const std::string &name) { ops::constant(1, {.name = name}); }

/// Looks up in a graph with one constant, "c".
template <auto lookup> Status found(const std::string &name) {
  ops::constant(1.0, {.name = "c"});
  return (GraphBuilder::current().graph().get()->*lookup)(name).status();
}
constexpr auto tensor = found<&Graph::findTensor>;
constexpr auto operation = found<&Graph::findNode>;

/// A graph of its own with one constant, "c2".
struct AnotherGraph {
  AnotherGraph() {
    GraphScope scope(graph);
    tensor = ops::constant(1.0, {.name = "c2"});
  }
  GraphBuilder graph;
  Output tensor;
};

/// TensorFlow prints Python's regular expression.
Differs badName(const std::string &name) {
  return {.words = "'" + name +
                   "' is not a valid node name. Accepted names conform to "
                   "Regex ^[A-Za-z0-9.][A-Za-z0-9_.\\\\/>-]*$"};
}

} // namespace

std::vector<ErrorCase> nameErrors() {
  return {
      {"names/node_space", [] { addNamed("a b"); }, badName("a b")},
      {"names/node_colon", [] { addNamed("a:b"); }, badName("a:b")},
      {"names/node_underscore", [] { addNamed("_x"); }, badName("_x")},
      {"names/root_scope", [] { NameScope scope("_x"); }},
      {"names/inner_scope",
       [] {
         NameScope outer("outer");
         NameScope inner("a:b");
       }},
      {"names/tensor_of_no_operation", [] { return tensor("nope:0"); }},
      {"names/output_that_is_not_there", [] { return tensor("c:1"); }},
      {"names/operation_that_is_not_there", [] { return operation("nope"); }},
      {"names/output_that_is_no_number", [] { return tensor("c:x"); }},
      {"names/two_outputs", [] { return tensor("c:0:1"); }},
      {"names/operation_as_a_tensor", [] { return tensor("c"); }},
      {"names/nothing_as_a_tensor", [] { return tensor("nope"); }},
      {"names/tensor_as_an_operation", [] { return operation("c:0"); }},
      {"names/tensor_of_another_graph",
       [] {
         AnotherGraph other;
         GraphBuilder::current().convert(other.tensor);
       }},
      {"names/input_of_another_graph",
       [] {
         AnotherGraph other;
         ops::add(ops::constant(1.0, {.name = "c"}), other.tensor);
       },
       // Inputs are converted one by one, each to the function's graph.
       {.words = "Tensor Tensor(\"c2:0\", shape=(), dtype=float32) is not an "
                 "element of this graph."}},
      {"names/device", [] { DeviceScope device("/nothing:x:y"); }},
  };
}

} // namespace kiln::testing
