// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A compiled function's variables, random streams, host kernels and constants
// in one session.
#ifndef KILN_LIB_EXEC_BINDING_H
#define KILN_LIB_EXEC_BINDING_H

#include "lib/Compiled/FunctionInterface.h"
#include "lib/Exec/BoundBody.h"
#include "lib/Exec/ProgramKey.h"
#include "lib/Exec/SessionServices.h"
#include "runtime/resources/ResourceTable.h"
#include "runtime/resources/VariableLocks.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace kiln {

/// The key under which a session finds a variable.
ResourceKey keyOf(const ImportedVariable &variable);

/// What the numbers of a FunctionInterface stand for. **Ownership**: shares the
/// slots with the session; streams are the session's.
struct Binding {
  /// By number.
  std::vector<std::shared_ptr<VariableSlot>> variables;
  std::vector<VariableSlot *> slots; ///< of `variables`
  /// One an OpenShape of the interface; null where nothing depends on it.
  std::vector<std::shared_ptr<VariableSlot>> openShapes;
  /// The numbers of the variables without a static shape: their memory is
  /// another from run to run.
  std::vector<size_t> openVariables;
  /// The slots of the others.
  std::vector<VariableSlot *> fixedSlots;
  std::vector<VariableSlot *> mustHaveValue;
  /// Variables of strings that the code writes.
  std::vector<VariableSlot *> writtenStrings;
  std::vector<RandomStream *> streams;
  std::vector<std::unique_ptr<BoundBody>> bodies;
  std::vector<const BoundBody *> bodyPlaces; ///< of `bodies`
  LockPlan locks;
  /// The buffer table's, whose memory is aligned, and perhaps more.
  std::vector<Tensor> constants;

  /// The shapes that `openShapes` have now.
  std::vector<Shape> presentShapes() const;
};

/// Finds or makes the slots of the variables and the random streams, and nodes
/// for host kernels; no constants yet. **Errors**: those of VariableTable, with
/// the node; those of BoundBody::make().
StatusOr<Binding> bindFunction(const FunctionInterface &interface,
                               SessionServices &services);

/// Copies those constants whose memory is not aligned. `nodeOf` names the node
/// of one. **Errors**: RESOURCE_EXHAUSTED with the node.
Status alignConstants(std::vector<Tensor> &constants,
                      const std::function<std::string(uint64_t)> &nodeOf);

/// True when code with this interface was made for feeds like these, which have
/// the dtypes and ranks of its key, and for variables with such open shapes.
bool interfaceMatches(const FunctionInterface &interface,
                      std::span<const FeedView> feeds,
                      std::span<const Shape> openShapes);

/// What symbols are for such feeds and shapes; nothing where a guard refuses
/// them, or where the shapes have other ranks than the code was made for.
std::optional<std::vector<int64_t>>
symbolsOf(const FunctionInterface &interface, std::span<const FeedView> feeds,
          std::span<const Shape> openShapes);

} // namespace kiln

#endif // KILN_LIB_EXEC_BINDING_H
