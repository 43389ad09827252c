// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a function being interpreted, and the services that the
// evaluators of single ops share.
#ifndef KILN_LIB_EVAL_INTERPRETER_H
#define KILN_LIB_EVAL_INTERPRETER_H

#include "dialect/Kiln.h"
#include "dialect/Types.h"
#include "lib/Eval/Evaluator.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <string>
#include <vector>

namespace kiln::eval {

/// A value of the function.
struct EvalValue {
  /// The elements, row-major; one element (rank 0) for a splat. Strings are
  /// int64 handles: who owns them is not the interpreter's affair.
  Tensor tensor;
  /// Every element of the value is the tensor's one: constants and what is
  /// computed from them alone stay small.
  bool isSplat = false;
  /// The buffer was allocated by the interpreter and counts as its memory.
  bool isOwned = false;
  /// The variable whose buffer the tensor shows, or -1.
  int64_t variable = -1;
};

using EvalValues = llvm::SmallVector<EvalValue, 2>;

/// Interprets blocks of kiln ops.
///
/// Invariants: (1) a value is in the table from its definition to the end of
/// the last op of its block that uses it, itself or inside of its regions: what
/// a loop uses of outside lives until the loop ends; (2) `liveBytes` is what
/// owned values and the scratch of the op at work hold; (3) a view of a
/// variable is replaced by a copy before the variable is written. Thread
/// safety: one thread.
class Interpreter {
public:
  explicit Interpreter(const EvalEnvironment &environment) : env(environment) {}

  /// Runs the ops of a block, but not its terminator, whose operands are kept.
  Status runBlock(mlir::Block &block);
  /// As runBlock(), with values for the block's arguments; gives the operands
  /// of its terminator and forgets what the block made.
  StatusOr<EvalValues> runRegion(mlir::Block &block, EvalValues arguments);
  /// Runs one op whose operands are bound; errors carry its node's name.
  Status runOp(mlir::Operation *op);
  /// Calls body for parts of [0, n) that cover it, on the run's threads, at
  /// least `grain` at a time; parts not yet begun are left out of a cancelled
  /// run where `isLeftOut` allows it.
  void parallelFor(int64_t n, int64_t grain, bool isLeftOut,
                   llvm::function_ref<void(int64_t, int64_t)> body) const;

  void bind(mlir::Value value, EvalValue contents) {
    values[value] = std::move(contents);
  }
  /// Binds a tensor that allocate() made.
  void bindOwned(mlir::Value value, Tensor tensor, bool isSplat = false) {
    bind(value, EvalValue{std::move(tensor), isSplat, /*isOwned=*/true});
  }
  /// Forgets a value that is not used again.
  void drop(mlir::Value value);
  const EvalValue &contents(mlir::Value value) const {
    return values.find(value)->second;
  }
  bool isBound(mlir::Value value) const { return values.contains(value); }
  /// The value with one stored element for each of its elements; a splat is
  /// written out on first demand.
  StatusOr<Tensor> dense(mlir::Value value);
  /// A one-element integer or float operand.
  template <class T> T scalar(mlir::Value value) const {
    return *static_cast<const T *>(contents(value).tensor.rawData());
  }

  /// The shape that a tensor type has in this run, or in the slice of it that
  /// is at work. **Errors**: INTERNAL for a symbol without a value.
  StatusOr<Shape> shapeOf(mlir::Type type) const;
  /// Memory within the limit of the environment, for handles where dtype is
  /// String; bind it or give it back with release().
  StatusOr<Tensor> allocate(DType dtype, const Shape &shape);
  /// Memory for the result of an op, of the shape of its type; the place of
  /// placeResult().
  StatusOr<Tensor> allocateFor(mlir::Value value);
  /// Where the next result of that name is to lie.
  void placeResult(mlir::Value value, Tensor place) {
    places[value] = std::move(place);
  }
  void release(const Tensor &scratch) {
    liveBytes -= static_cast<int64_t>(scratch.byteSize());
  }

  /// CANCELLED or DEADLINE_EXCEEDED once the cancel word is set. Thread safety:
  /// any thread of the run.
  Status pollCancel() const;
  /// The same, and ABORTED once the budget is spent, which is the interpreter's
  /// own thread's affair.
  Status poll() const;
  /// To be asked before the op writes the variable, or does something else that
  /// outlasts the run (-1). ABORTED where the budget says so.
  Status beforeEffect(mlir::Operation *op, int64_t variable) const;
  const EvalEnvironment &environment() const { return env; }
  /// The number of the variable that `user` names so, or -1 without access.
  /// Asks nothing of the context: other threads may run the function, too.
  int64_t variableOf(mlir::Operation *user, mlir::FlatSymbolRefAttr name) const;
  int64_t variableOf(ir::VarWriteOp op) const {
    return variableOf(op, op.getVariableAttr());
  }
  /// Copies the views of a variable that is about to be written, but those that
  /// may see it.
  Status detachViews(
      int64_t variable, llvm::function_ref<bool(mlir::Value)> maySee =
                            [](mlir::Value) { return false; });

  /// Forgets all values.
  void clear() {
    values.clear();
    liveBytes = 0;
  }
  /// From now on every shape is that of a slice: its first `prefix` dimensions
  /// are together `rows` rows.
  void setSlice(int prefix, int64_t rows) {
    slicePrefix = prefix;
    sliceRows = rows;
  }

  /// An op and what it is the last in its block to use.
  struct Step {
    mlir::Operation *op;
    llvm::SmallVector<mlir::Value, 2> last;
  };

private:
  using Steps = std::vector<Step>;
  /// Found once a block: a loop runs it often.
  const Steps &stepsOf(mlir::Block &block);

  const EvalEnvironment &env;
  llvm::DenseMap<mlir::Value, EvalValue> values;
  llvm::DenseMap<mlir::Block *, std::unique_ptr<Steps>> steps;
  llvm::SmallDenseMap<mlir::Value, Tensor, 4> places;
  mutable llvm::DenseMap<mlir::StringAttr, int64_t> variables; ///< by name
  int64_t liveBytes = 0;
  int slicePrefix = 0;
  int64_t sliceRows = 0;
};

/// A string tensor as the interpreter moves it: its handles, of dtype int64, on
/// the same memory, which they keep.
StatusOr<Tensor> handlesOf(const Tensor &strings);
/// The other way round: a tensor that owns the strings.
StatusOr<Tensor> stringsOf(const Tensor &handles);
/// As handlesOf() for strings; any other tensor is itself.
StatusOr<Tensor> movableForm(const Tensor &tensor);

/// The name of the node that an op comes from.
std::string nodeOf(mlir::Operation *op);

/// Whether the result may lie in the memory of operand 0: that of a splat is
/// one, and a reshape is a view.
bool mayGiveView(mlir::Operation *op);

/// Reads a constant: a splat as one element.
StatusOr<EvalValue> valueOfAttribute(mlir::Attribute attribute,
                                     Interpreter &interpreter);

/// Takes the next stretch of a stream for outputs of these extents (as
/// kiln.dims has them); binds `state` to its start.
Status reserveRandom(mlir::Value state, int64_t stream,
                     llvm::ArrayRef<int64_t> symbols,
                     llvm::ArrayRef<int64_t> values, Interpreter &interpreter);

// One evaluator a group of ops; each binds the op's results.
Status evaluateElementwise(mlir::Operation *op, Interpreter &interpreter);
Status evaluateOp(ir::ConstantOp op, Interpreter &interpreter);
Status evaluateOp(ir::ConstantRefOp op, Interpreter &interpreter);
Status evaluateOp(ir::DimsOp op, Interpreter &interpreter);
Status evaluateOp(ir::IotaOp op, Interpreter &interpreter);
Status evaluateOp(ir::BroadcastOp op, Interpreter &interpreter);
Status evaluateOp(ir::ReshapeOp op, Interpreter &interpreter);
Status evaluateOp(ir::TransposeOp op, Interpreter &interpreter);
Status evaluateOp(ir::SliceOp op, Interpreter &interpreter);
Status evaluateOp(ir::ConcatOp op, Interpreter &interpreter);
Status evaluateOp(ir::PadOp op, Interpreter &interpreter);
Status evaluateOp(ir::GatherOp op, Interpreter &interpreter);
Status evaluateOp(ir::ReduceOp op, Interpreter &interpreter);
Status evaluateOp(ir::ArgReduceOp op, Interpreter &interpreter);
Status evaluateOp(ir::MatmulOp op, Interpreter &interpreter);
Status evaluateOp(ir::RandomReserveOp op, Interpreter &interpreter);
Status evaluateOp(ir::RandomOp op, Interpreter &interpreter);
Status evaluateOp(ir::RandomIntOp op, Interpreter &interpreter);
Status evaluateOp(ir::VarReadOp op, Interpreter &interpreter);
Status evaluateOp(ir::VarWriteOp op, Interpreter &interpreter);
Status evaluateOp(ir::VarIsInitializedOp op, Interpreter &interpreter);
Status evaluateOp(ir::FusionOp op, Interpreter &interpreter);
Status evaluateOp(ir::IfOp op, Interpreter &interpreter);
Status evaluateOp(ir::WhileOp op, Interpreter &interpreter);
Status evaluateOp(ir::RuntimeCallOp op, Interpreter &interpreter);
Status evaluateOp(ir::BindOp op, Interpreter &interpreter);
Status evaluateOp(ir::DefineOp op, Interpreter &interpreter);
Status evaluateOp(ir::GuardOp op, Interpreter &interpreter);

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_INTERPRETER_H
