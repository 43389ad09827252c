// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a tree of blocks as one function of the kiln dialect.
#ifndef KILN_LIB_IMPORT_IMPORT_H
#define KILN_LIB_IMPORT_IMPORT_H

#include "lib/Compiled/FunctionInterface.h"
#include "lib/Plan/ir/Block.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace kiln {

/// A feed of the run that is being compiled for. Its dtype and rank, and what
/// import asks beyond that, become the feed signature.
struct FeedSpec {
  DType dtype = DType::Invalid;
  Shape shape;
  /// Looked at only where a rank, an axis or the like depends on the elements
  /// (see ImportedFunction::fedValues); may be the default tensor, then such a
  /// graph is not importable.
  Tensor value;
};

/// What a session knows of variables without a static shape.
class VariableShapes {
public:
  virtual ~VariableShapes() = default;
  /// Whether one that is declared with a static shape has none any more.
  virtual bool isOpen(const ImportedVariable &variable) = 0;
  /// The shape that one has now; unknown rank before its first value.
  virtual StatusOr<Shape> shapeOf(const ImportedVariable &variable) = 0;
  /// The error of a node that looks at one without a value.
  virtual Status noValue(const ImportedVariable &variable) = 0;
};

/// The result of import: `func.func @run(feeds...) -> (fetches...)` beside the
/// kiln.variable declarations.
///
/// Every op has its node's name as location (a NameLoc). Ownership: owns all
/// but the MLIRContext.
struct ImportedFunction : FunctionInterface {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// The table that kiln.constant_ref indexes; tensors of the graph, not
  /// copied.
  std::vector<Tensor> constants;
};

/// Imports a tree; `feeds` stand in the order of the root's arguments.
/// **Errors**: INVALID_ARGUMENT, with the node, for feeds of a wrong dtype or
/// shape and for shapes that do not fit; UNIMPLEMENTED, with the node and the
/// input, for what Kiln cannot compile (ops, dtypes, ranks that depend on
/// computed data; then `asked` is the tensor of the graph that would have to
/// be fed, where there is one); FAILED_PRECONDITION where a variable
/// without a static shape is read and has no value. Without `shapes` none has.
/// **Thread safety**: the context must be the caller's own.
/// **Cost**: linear in nodes and inline constants.
StatusOr<ImportedFunction>
importGraph(mlir::MLIRContext &context, const Block &root,
            std::span<const FeedSpec> feeds,
            std::optional<AskedTensor> *asked = nullptr,
            VariableShapes *shapes = nullptr);

} // namespace kiln

#endif // KILN_LIB_IMPORT_IMPORT_H
