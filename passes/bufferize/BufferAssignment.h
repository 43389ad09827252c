// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each value of a fused function lies.
#ifndef KILN_PASSES_BUFFERIZE_BUFFERASSIGNMENT_H
#define KILN_PASSES_BUFFERIZE_BUFFERASSIGNMENT_H

#include "passes/analysis/RunSymbols.h"
#include "passes/bufferize/Lifetimes.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <memory>

namespace kiln::passes {

/// How the memory of a place comes to be: it is there, each value takes some of
/// the arena's tail when it is made (a variable whose shape changes: new memory
/// of its own), or the place keeps what it takes to the end of the run, because
/// iterations hand it on. What is `optional` is there unless the arena
/// would be too large; then it takes and keeps some when it is first written,
/// so that a branch that is not taken needs none.
enum class Memory { given, late, kept, optional };

/// An entry of the buffer table, or a slot of the function's own stack.
struct Place {
  enum class Home { table, stack };
  Home home = Home::table;
  ir::BufferKind kind = ir::BufferKind::temporary;
  int64_t index = -1;
  bool isValid() const { return index >= 0; }
  bool isVariable() const {
    return home == Home::table && kind == ir::BufferKind::variable;
  }
  auto operator<=>(const Place &) const = default;
};

/// A stretch of the arena and the op numbers between which it is in use.
struct Tenant {
  mlir::RankedTensorType type;
  int64_t first, last;
  mlir::StringAttr node; ///< that makes the value; may be null
  bool isOptional = false;
};

/// Where a value is written, and where it is read from afterwards.
struct Storage {
  llvm::SmallVector<Place, 2> destinations;
  Place home;
};

/// Where the rows of a part lie in a whole's: behind `offset` elements of each,
/// of which there are `width`.
struct Part {
  int64_t offset, width;
};

/// The places of a function's values, decided before any op is rewritten.
///
/// Feeds, constants and variables lie where they lie; a result is written where
/// it is returned; an update of a variable is written into the variable by the
/// fusion that computes it, unless the old value is still read.
/// What a loop carries between iterations, forwards and gives, and what the
/// branches of an `if` yield, lies in one place as far as no two of them are
/// needed at once: then an iteration writes the new value over the old one and
/// nothing is copied. Numbers of a loop lie on the stack, of which LLVM makes
/// registers. Products that are only concatenated lie where the whole does.
/// What is left are temporaries of the arena. Values whose sizes the
/// run finds out lie in its tail; those of one place have one size.
class BufferAssignment {
public:
  BufferAssignment(mlir::ModuleOp module, mlir::func::FuncOp function);

  /// Where any value but a reshape is written and read.
  const Storage &of(mlir::Value root) const {
    return storage.find(root)->second;
  }
  /// True for a write that the fusion of its value does.
  bool isWrittenInPlace(ir::VarWriteOp write) const {
    return inPlace.contains(write);
  }
  Memory memory(Place place) const {
    auto found = memories.find(place);
    return found == memories.end() ? Memory::given : found->second;
  }
  /// Where the value lies in that of its home; null where it is all of it.
  const Part *partOf(mlir::Value root) const {
    auto found = parts.find(root);
    return found == parts.end() ? nullptr : &found->second;
  }
  /// Whether the size of a value is known in the middle of the run only.
  bool isLate(mlir::Value value) const {
    return isBoundInRun(value.getType(), runSymbols);
  }
  int64_t variable(mlir::StringRef name) const {
    return variables.lookup(name);
  }
  /// A place for what is like \p value and in use at one op only.
  Place addScratch(mlir::Operation *op, mlir::Value value);

  llvm::ArrayRef<Tenant> temporaries() const { return tenants; }
  int64_t numVariables() const {
    return static_cast<int64_t>(variables.size());
  }
  /// One more than the largest index of a constant in use.
  int64_t numConstants() const { return constants; }

private:
  void placeUpdates();
  bool canUpdateInPlace(ir::FusionOp fusion, mlir::Value value,
                        ir::VarWriteOp write, int64_t variable);
  bool isOverwritten(int64_t variable, mlir::Value value);
  void setMemory(Place place, Memory memory);

  void joinFlows();
  bool isFree(mlir::Value root) const;
  bool tryJoin(mlir::Value a, mlir::Value b);
  bool mayShare(mlir::Value a, mlir::Value b);
  void placeClass(mlir::Value leader);

  void placeParts();
  void placeParts(ir::FusionOp fusion, ir::ConcatOp concat);
  void placeValues();
  void placeRead(ir::VarReadOp read);
  void placeResult(mlir::Operation *op, mlir::Value result);
  Place addTemporary(mlir::Value value, int64_t first, int64_t last,
                     bool inLoop);
  bool isOptional(mlir::Value value);
  const Lifetime &lifetimeOf(mlir::Value root);
  /// Has one element.
  static bool isNumber(mlir::Value value);
  static bool isInLoop(mlir::Value value);

  mlir::func::FuncOp function;
  RunSymbols runSymbols;
  Lifetimes numbers;
  llvm::StringMap<int64_t> variables;
  llvm::DenseMap<int64_t, llvm::SmallVector<ir::VarReadOp>> reads;
  /// By variable, the numbers of the ops at which it really changes.
  llvm::DenseMap<int64_t, llvm::SmallVector<int64_t>> writes;
  /// The numbers of the ops that may end the run, in order.
  llvm::SmallVector<int64_t> ends;
  llvm::DenseSet<mlir::Operation *> inPlace;
  llvm::DenseMap<mlir::Value, Storage> storage;
  llvm::DenseMap<mlir::Value, Part> parts;
  llvm::DenseMap<mlir::Value, std::unique_ptr<Lifetime>> lifetimes;
  llvm::EquivalenceClasses<mlir::Value> classes; ///< of one place each
  llvm::SmallVector<Tenant> tenants;
  std::map<Place, Memory> memories; ///< of places that are not given
  /// The largest factor of the function's own block, by the symbols beside it.
  std::map<llvm::SmallVector<int64_t, 4>, uint64_t> sureFactors;
  int64_t constants = 0, slots = 0;
};

} // namespace kiln::passes

#endif // KILN_PASSES_BUFFERIZE_BUFFERASSIGNMENT_H
