// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the lists of a program from ops of the dialect.
#ifndef KILN_LIB_TRANSLATE_TRANSLATOR_H
#define KILN_LIB_TRANSLATE_TRANSLATOR_H

#include "dialect/Kiln.h"
#include "dialect/NamedSymbols.h"
#include "lib/Eval/Program.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace kiln::eval {

/// Makes one program. Thread safety: one thread, that of the context.
class Translator {
public:
  explicit Translator(llvm::ArrayRef<mlir::Operation *> lastEffects = {})
      : lastEffects(lastEffects.begin(), lastEffects.end()) {
    // One op alone, of few operands, takes memory once a list.
    program.types.reserve(4);
    program.values.reserve(4);
    program.ids.reserve(8);
    program.dims.reserve(8);
  }

  /// The number of the block, with all that is in it.
  StatusOr<uint32_t> addBlock(mlir::Block &block);
  /// The record of an op, but for its node and what only a block needs: last
  /// uses, rows. **Errors**: as translate(), without the node.
  StatusOr<Op> makeOp(mlir::Operation *op);

  // Each gives the place of what it puts into the program.
  ValueId addValue(mlir::Value value);
  Range addValues(mlir::ValueRange values);
  Range addNumbers(llvm::ArrayRef<int64_t> numbers);
  /// Symbols and numbers as kiln.dims has them.
  Range addDims(llvm::ArrayRef<int64_t> symbols,
                llvm::ArrayRef<int64_t> numbers);
  /// The name of the node that the op comes from.
  Range addNode(mlir::Operation *op);
  StatusOr<ConstantOp> addConstant(mlir::Attribute value);

  /// The number of the variable that `user` names so.
  StatusOr<int64_t> variableOf(mlir::Operation *user,
                               mlir::FlatSymbolRefAttr name);

  Program program;

private:
  uint32_t addType(mlir::RankedTensorType type);
  /// Makes splats of sizes that the run finds out again at the begin of a
  /// block which uses them: they may have been written out in other sizes.
  Status addLateSplats(mlir::Block &block, std::vector<Op> &ops);

  const llvm::SmallDenseSet<mlir::Operation *, 4> lastEffects;
  llvm::SmallDenseMap<mlir::Value, ValueId, 8> values;
  llvm::SmallDenseMap<mlir::Type, uint32_t> types;
  llvm::SmallDenseMap<mlir::Attribute, ConstantOp> constants;
  llvm::SmallDenseMap<mlir::StringAttr, Range> nodes;
  llvm::SmallDenseMap<mlir::StringAttr, int64_t> variables;
  std::optional<ir::RunSymbols> runSymbols; ///< once there is an inner block
};

/// What is particular to the op, by its class. **Errors**: as translate().
StatusOr<AnyOp> translateOp(mlir::Operation *op, Translator &translator);

/// Op::rows and slicedOperands of the record.
void addRows(mlir::Operation *op, Op &record);

/// Op::mayGiveView.
bool mayGiveView(mlir::Operation *op);

/// Reads a constant: of a splat the one element. **Errors**: UNIMPLEMENTED
/// where it is not dense.
StatusOr<Tensor> tensorOf(mlir::Attribute value);

} // namespace kiln::eval

#endif // KILN_LIB_TRANSLATE_TRANSLATOR_H
