// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-fold-tables: what depends on constants alone becomes a constant of the
// program's table.
//
// Legality: an op without effects whose operands are constants. Profitability:
// its result is read by the run and is no larger than what it is made of, and
// no view, which costs the run nothing: a nest reads through it.
#include "passes/Passes.h"
#include "passes/simplify/Patterns.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace kiln::passes {
#define GEN_PASS_DEF_KILNFOLDTABLES
#include "passes/Passes.h.inc"
} // namespace kiln::passes

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {
namespace {

/// Elements that all foldings of a function may compute, of steps on the way as
/// well: a second of the evaluator's time.
constexpr double maxSteps = 1e9;
/// A result may be so many elements larger than what it is made of.
constexpr double smallConstant = 1024;

class TableFolder {
public:
  explicit TableFolder(ConstantTable &table) : table(table) {}

  void run(func::FuncOp function) {
    SmallVector<Operation *> ops;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isConstant(op)) {
        numbers[op] = ops.size();
        ops.push_back(op);
      }
    });
    SmallVector<Operation *> wanted;
    for (Operation *op : llvm::reverse(ops))
      if (isRead(op)) {
        if (staysView(op))
          views.insert(op);
        else if (!isa<ConstantOp, ConstantRefOp>(op))
          wanted.push_back(op);
      }
    // Operands first: a result that is in the table is a leaf of the next one.
    for (Operation *op : llvm::reverse(wanted))
      fold(op);
    for (Operation *op : llvm::reverse(ops))
      if (isOpTriviallyDead(op))
        op->erase();
  }

private:
  /// Notes the elements that the op's result is made of.
  bool isConstant(Operation *op) {
    double elements = 0;
    if (isa<ConstantOp, ConstantRefOp>(op)) {
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      elements = splatElement(op->getResult(0)) || !type.hasStaticShape()
                     ? 1
                     : static_cast<double>(type.getNumElements());
    } else if (!isComputable(op)) {
      return false;
    }
    for (Value operand : op->getOperands()) {
      auto source = sources.find(operand);
      if (source == sources.end())
        return false;
      elements += source->second;
    }
    sources[op->getResult(0)] = elements;
    return true;
  }

  static bool isComputable(Operation *op) {
    if (!isa<TensorOp>(op) || !isMemoryEffectFree(op) ||
        op->getNumRegions() != 0 || op->getNumResults() != 1 ||
        op->getNumOperands() == 0 || isContraction(op) ||
        isa<RuntimeCallOp>(op))
      return false;
    return llvm::all_of(op->getOperandTypes(), isStaticNumbers) &&
           isStaticNumbers(op->getResult(0).getType());
  }
  static bool isStaticNumbers(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() &&
           tensor.getElementType().isIntOrFloat();
  }
  static double elementsOf(Value value) {
    return static_cast<double>(
        cast<RankedTensorType>(value.getType()).getNumElements());
  }

  /// Whether the run reads the op's result, perhaps through a view. Asked of
  /// users first.
  bool isRead(Operation *op) const {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !numbers.contains(user) || views.contains(user);
    });
  }
  /// Whether a nest reads through it what it is a view of.
  static bool staysView(Operation *op) {
    return isa<BroadcastOp>(op) ||
           (isa<SliceOp>(op) &&
            llvm::all_of(op->getUsers(), [](Operation *user) {
              return placementOf(user) == Placement::Nest ||
                     isa<ReshapeOp>(user);
            }));
  }

  void fold(Operation *root) {
    if (elementsOf(root->getResult(0)) >
        sources.lookup(root->getResult(0)) + smallConstant)
      return;
    // Everything that it is made of, operands first.
    SmallVector<Operation *> order, stack = {root};
    llvm::SmallPtrSet<Operation *, 16> seen;
    double needed = 0;
    while (!stack.empty()) {
      Operation *op = stack.pop_back_val();
      if (isa<ConstantOp, ConstantRefOp>(op) || !seen.insert(op).second)
        continue;
      needed += elementsOf(op->getResult(0));
      order.push_back(op);
      for (Value operand : op->getOperands())
        stack.push_back(operand.getDefiningOp());
    }
    llvm::sort(order, [&](Operation *a, Operation *b) {
      return numbers.lookup(a) < numbers.lookup(b);
    });
    if (steps + needed > maxSteps)
      return;
    steps += needed;
    bool isDone = llvm::all_of(
        order, [&](Operation *op) { return succeeded(table.compute(op)); });
    FailureOr<int64_t> index = failure();
    if (isDone)
      index = table.append(root->getResult(0));
    table.clear();
    if (failed(index))
      return;
    OpBuilder builder(root);
    auto constant = ConstantRefOp::create(builder, root->getLoc(),
                                          root->getResult(0).getType(), *index);
    root->getResult(0).replaceAllUsesWith(constant);
  }

  ConstantTable &table;
  llvm::DenseMap<Value, double> sources;       ///< elements, of constants
  llvm::DenseMap<Operation *, size_t> numbers; ///< of constant ops, in order
  llvm::SmallPtrSet<Operation *, 16> views;    ///< that are read through
  double steps = 0;
};

class KilnFoldTablesPass : public impl::KilnFoldTablesBase<KilnFoldTablesPass> {
public:
  using KilnFoldTablesBase::KilnFoldTablesBase;
  explicit KilnFoldTablesPass(ConstantTable *table) : table(table) {}

  void runOnOperation() override {
    if (!table)
      return;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        TableFolder(*table).run(function);
  }

private:
  ConstantTable *table = nullptr;
};

} // namespace

std::unique_ptr<Pass> createKilnFoldTables(ConstantTable *table) {
  return std::make_unique<KilnFoldTablesPass>(table);
}

} // namespace kiln::passes
