// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of a graph's library, which nodes call.
#ifndef KILN_FUNCTIONS_H
#define KILN_FUNCTIONS_H

#include "kiln/ControlFlow.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace kiln {

struct FunctionArgument {
  DType dtype = DType::Float32;
  std::string name = {};
  Shape shape = Shape::unknownRank();
};

/// A function in the library of the graph that it was defined in. Tensors and
/// variables of that graph that its body uses are passed at each call. Copies
/// are the same function.
class KILN_EXPORT DefinedFunction {
public:
  /// What the library calls it; empty after an error.
  const std::string &name() const noexcept;
  size_t numArguments() const noexcept;
  size_t numResults() const noexcept;
  /// The tensors of the graph around that each call passes behind the
  /// arguments.
  const std::vector<Output> &captures() const noexcept;
  /// Names in the body and types of its ops that keep state or have effects.
  const std::vector<std::pair<std::string, std::string>> &
  statefulOps() const noexcept;

  /// Adds a node that calls it. **Errors** of the graph: INVALID_ARGUMENT for
  /// another number or other dtypes of arguments.
  Outputs operator()(const InputList &arguments,
                     const OpOptions &options = {}) const;

  /// For Kiln's own layers.
  struct KILN_HIDDEN Data;
  DefinedFunction(std::shared_ptr<const Data> data) : data(std::move(data)) {}

private:
  std::shared_ptr<const Data> data;
};

using FunctionBodyFn = std::function<Outputs(const Outputs &)>;

/// What function.Defun is told beside a body.
struct DefunOptions {
  /// The name is the function's own, without a digest. **Errors** then:
  /// INVALID_ARGUMENT where the graph has defined another one of that name.
  bool isNameWhole = false;
  /// Copies what the body takes from the graph around into it: such a function
  /// has no captures. **Errors** then: INVALID_ARGUMENT for placeholders, and
  /// for nodes that keep state, but for those in `copyable`.
  bool copiesCaptures = false;
  std::vector<const Node *> copyable = {};
  /// Attributes of its definition, as "_noinline".
  AttrMap attrs = {};
};

/// Calls `body` once, with what stands for the arguments; calls are nodes whose
/// op is the function: its name, "_" and a digest of what it does. **Source**:
/// function.Defun.
KILN_EXPORT DefinedFunction
defun(std::string_view name, const std::vector<FunctionArgument> &arguments,
      const FunctionBodyFn &body, const DefunOptions &options = {});

/// The same; calls are PartitionedCall nodes, StatefulPartitionedCall where the
/// body has effects. All of its effects happen, whatever is used of its
/// results; what must happen in an order needs control dependencies.
/// **Source**: tf.function.
KILN_EXPORT DefinedFunction
function(std::string_view name, const std::vector<FunctionArgument> &arguments,
         const FunctionBodyFn &body);

} // namespace kiln

#endif // KILN_FUNCTIONS_H
