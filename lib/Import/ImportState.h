// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function that import writes, and the values of tensors in it.
#ifndef KILN_LIB_IMPORT_IMPORTSTATE_H
#define KILN_LIB_IMPORT_IMPORTSTATE_H

#include "lib/Import/IrBuilder.h"
#include "lib/Import/SymbolicInference.h"
#include "lib/Import/VariableVersions.h"

namespace kiln {

class SizeWriter;

/// The function while it is written. **Ownership**: borrows the inference, the
/// builder and the writer of sizes. Thread safety: none.
struct ImportState {
  ImportState(SymbolicInference &inference, IrBuilder &builder,
              mlir::ModuleOp module)
      : inference(inference), builder(builder), variables(module) {}

  SymbolicInference &inference;
  IrBuilder &builder;
  VariableVersions variables;
  std::vector<Tensor> constants;
  std::vector<ImportedStream> streams;
  std::vector<ImportedBody> bodies;
  SizeWriter *sizes = nullptr;
  /// The sizes of the item that is written; null where the run finds out
  /// nothing before it.
  const RunSizes *runSizes = nullptr;
  /// Set where the value of a handle was asked for, which has none.
  Status failure = {};
  /// The tensor of the graph of which an import that failed would have had to
  /// know more.
  std::optional<AskedTensor> asked = {};

  /// The block that is being written.
  Scope &scope() { return inference.scope(); }
  const Scope &scope() const { return inference.scope(); }
  /// A constant of the table, of the types that have no other form (and of
  /// strings, which only there have an owner that outlives every handle).
  Value store(Tensor tensor);
  /// The name of a node under the calls around it: what errors of the run know
  /// it by.
  std::string pathOf(const Node &node) const {
    return inference.scope().block.path.name + node.name();
  }
};

/// Reads a tensor of the graph at the current place: the value itself, its
/// contents as a constant, or the variable.
Value readLowered(ImportState &state, const Output &output,
                  std::string_view reader);

/// Whether a tensor counts as true: a number that is not 0, a string that is
/// not empty, anything else that has elements.
Value readTruth(ImportState &state, const Output &output,
                std::string_view reader);

} // namespace kiln

#endif // KILN_LIB_IMPORT_IMPORTSTATE_H
