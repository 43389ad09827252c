// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies that a node calls, as graphs that gradients look into.
#ifndef KILN_LIB_AUTODIFF_FUNCTIONBODIES_H
#define KILN_LIB_AUTODIFF_FUNCTIONBODIES_H

#include "lib/Build/FunctionCalls.h"

namespace kiln {

/// The bodies that the node was built with; copies of the library's functions
/// where it was read from a file, which `graph` keeps from then on. None after
/// an error of `graph`.
Bodies bodiesOf(BuildState &graph, const Node &node);
/// A copy of the function that the node calls by name; null after an error.
std::shared_ptr<BuildState> copyOfCallee(BuildState &graph, const Node &node,
                                         std::string name);

/// Makes known what a call by the function's name gives, where it was read from
/// a file, which does not say.
void learnOutputs(BuildState &state, const Node &node);

/// The argument that a handle in the body is, by way of ops that pass it on;
/// nothing where it is none.
std::optional<size_t> argumentOfHandle(const BuildState &body, Output handle);
/// Where the output stands in the list.
std::optional<size_t> indexIn(const std::vector<Output> &list,
                              const Output &output);
/// A copy of a Const in another graph.
Output copyOfConst(BuildState &state, const Node &constant);
/// Gives the function that a body is written down as another name, because it
/// is another function now.
void defineRewritten(BuildState &body);

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_FUNCTIONBODIES_H
