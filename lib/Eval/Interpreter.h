// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a program being interpreted, and the services that the
// evaluators of single ops share.
#ifndef KILN_LIB_EVAL_INTERPRETER_H
#define KILN_LIB_EVAL_INTERPRETER_H

#include "lib/Eval/Evaluator.h"
#include "lib/Eval/Program.h"
#include "runtime/abi/Abi.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace kiln::eval {

/// A value of the program.
struct EvalValue {
  /// The elements, row-major; one element (rank 0) for a splat. Strings are
  /// int64 handles: their ownership is not the interpreter's affair.
  Tensor tensor;
  /// Every element of the value is the tensor's one: constants and what is
  /// computed from them alone stay small.
  bool isSplat = false;
  /// The buffer was allocated by the interpreter and counts as its memory.
  bool isOwned = false;
  /// The variable whose buffer the tensor shows, or -1.
  int64_t variable = -1;
};

using EvalValues = std::vector<EvalValue>;

/// Interprets the blocks of a program.
///
/// Invariants: (1) a value is bound from its definition to the end of the last
/// op of its block that uses it, itself or inside of its blocks: what a loop
/// uses of outside lives until the loop ends; (2) `liveBytes` is what owned
/// values and the scratch of the op at work hold; (3) a view of a variable is
/// replaced by a copy before the variable is written. Thread safety: one
/// thread.
class Interpreter {
public:
  Interpreter(const Program &program, const EvalEnvironment &environment)
      : program(program), env(environment), places(program.values.size(), -1) {
    bound.reserve(std::min<size_t>(places.size(), 16));
  }

  /// Runs the ops of a block; what it gives is bound then.
  Status runBlock(const Block &block);
  /// As runBlock(), with values for the block's arguments, which it takes;
  /// puts what the block gives into `given` and forgets what it made.
  Status runRegion(uint32_t block, std::span<EvalValue> arguments,
                   EvalValues &given);
  /// Runs one op whose operands are bound; errors carry its node's name.
  Status runOp(const Op &op);
  /// Calls body(begin, end) for parts of [0, n) that cover it, on the run's
  /// threads, at least `grain` at a time; parts not yet begun are left out of a
  /// cancelled run where `isLeftOut` allows it.
  template <class Body>
  void parallelFor(int64_t n, int64_t grain, bool isLeftOut, Body body) const {
    runParallel(
        [](void *context, int64_t begin, int64_t end) {
          (*static_cast<Body *>(context))(begin, end);
        },
        &body, n, grain, isLeftOut);
  }

  void bind(ValueId value, EvalValue contents);
  /// Binds a tensor that allocate() made.
  void bindOwned(ValueId value, Tensor tensor, bool isSplat = false) {
    bind(value, EvalValue{std::move(tensor), isSplat, /*isOwned=*/true});
  }
  /// Forgets a value that is not used again.
  void drop(ValueId value);
  /// Those of a bound value, until the next one is bound.
  const EvalValue &contents(ValueId value) const {
    return bound[static_cast<size_t>(places[value])].contents;
  }
  /// The value with one stored element for each of its elements; a splat is
  /// written out on first demand.
  StatusOr<Tensor> dense(ValueId value);
  /// A one-element integer or float operand.
  template <class T> T scalar(ValueId value) const {
    return *static_cast<const T *>(contents(value).tensor.rawData());
  }

  ValueId operandOf(const Op &op, uint32_t i = 0) const {
    return program.ids[op.operands.begin + i];
  }
  std::span<const ValueId> operandsOf(const Op &op) const {
    return program.idsOf(op.operands);
  }
  ValueId resultOf(const Op &op, uint32_t i = 0) const {
    return program.ids[op.results.begin + i];
  }
  std::span<const ValueId> resultsOf(const Op &op) const {
    return program.idsOf(op.results);
  }

  /// The number that a dimension is in this run. **Errors**: INTERNAL for a
  /// symbol without a value.
  StatusOr<int64_t> numberOf(const Dim &dim) const {
    if (!hasNumber(dim))
      return symbolError(dim.symbol);
    return knownNumberOf(dim);
  }
  /// The shape that a value's type has in this run, or in the slice of it that
  /// is at work. **Errors**: as numberOf().
  StatusOr<Shape> shapeOf(ValueId value) const;
  /// Gives a symbol its value. **Errors**: as numberOf().
  Status setSymbol(int64_t symbol, int64_t number) const {
    if (symbol < 0 || static_cast<size_t>(symbol) >= env.symbols.size())
      return symbolError(symbol);
    env.symbols[static_cast<size_t>(symbol)] = number;
    return okStatus();
  }
  /// Memory within the limit of the environment, for handles where dtype is
  /// String; bind it or give it back with release().
  StatusOr<Tensor> allocate(DType dtype, const Shape &shape);
  /// Memory for the result of an op, of the shape of its type; the place of
  /// placeResult().
  StatusOr<Tensor> allocateFor(ValueId value);
  /// Where the next result of that number is to lie.
  void placeResult(ValueId value, Tensor place) {
    resultPlaces[value] = std::move(place);
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
  Status beforeEffect(const Op &op, int64_t variable) const;
  const EvalEnvironment &environment() const { return env; }
  /// Copies the views of a variable that is about to be written, but those that
  /// may see it.
  Status detachViews(int64_t variable, std::span<const ValueId> maySee = {});

  /// Forgets all values.
  void clear();
  /// From now on every shape is that of a slice: its first `prefix` dimensions
  /// are together `rows` rows.
  void setSlice(int prefix, int64_t rows) {
    slicePrefix = prefix;
    sliceRows = rows;
  }

  const Program &program;

private:
  struct Bound {
    EvalValue contents;
    ValueId value = 0;
  };
  bool hasNumber(const Dim &dim) const {
    return !dim.isSymbol() ||
           static_cast<size_t>(dim.symbol) < env.symbols.size();
  }
  int64_t knownNumberOf(const Dim &dim) const {
    return dim.isSymbol() ? env.symbols[static_cast<size_t>(dim.symbol)]
                          : dim.value;
  }
  static Status symbolError(int64_t symbol);
  /// Gives a bound value away, with the memory that it counts for.
  EvalValue take(ValueId value);
  /// The value of a place leaves it.
  EvalValue leave(int32_t place);
  void runParallel(KilnParallelBody body, void *context, int64_t n,
                   int64_t grain, bool isLeftOut) const;

  const EvalEnvironment &env;
  /// By value: where in `bound` it is, -1 for a value that is not bound. The
  /// values that live are few, and stay in the cache.
  std::vector<int32_t> places;
  std::vector<Bound> bound;
  std::vector<int32_t> idle; ///< of `bound`
  /// The bound values that show a variable's buffer: a write of one of many
  /// variables looks at those of its own.
  std::set<std::pair<int64_t, ValueId>> views;
  std::unordered_map<ValueId, Tensor> resultPlaces;
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

// One evaluator an op; each binds the op's results.
Status evaluateOp(const Op &, const ElementwiseOp &, Interpreter &);
Status evaluateOp(const Op &, const ConstantOp &, Interpreter &);
Status evaluateOp(const Op &, const ConstantRefOp &, Interpreter &);
Status evaluateOp(const Op &, const DimsOp &, Interpreter &);
Status evaluateOp(const Op &, const IotaOp &, Interpreter &);
Status evaluateOp(const Op &, const BroadcastOp &, Interpreter &);
Status evaluateOp(const Op &, const ReshapeOp &, Interpreter &);
Status evaluateOp(const Op &, const TransposeOp &, Interpreter &);
Status evaluateOp(const Op &, const SliceOp &, Interpreter &);
Status evaluateOp(const Op &, const ConcatOp &, Interpreter &);
Status evaluateOp(const Op &, const PadOp &, Interpreter &);
Status evaluateOp(const Op &, const WindowOp &, Interpreter &);
Status evaluateOp(const Op &, const GatherOp &, Interpreter &);
Status evaluateOp(const Op &, const ReduceOp &, Interpreter &);
Status evaluateOp(const Op &, const ArgReduceOp &, Interpreter &);
Status evaluateOp(const Op &, const ScatterOp &, Interpreter &);
Status evaluateOp(const Op &, const MatmulOp &, Interpreter &);
Status evaluateOp(const Op &, const ConvolveOp &, Interpreter &);
Status evaluateOp(const Op &, const RandomReserveOp &, Interpreter &);
Status evaluateOp(const Op &, const RandomOp &, Interpreter &);
Status evaluateOp(const Op &, const RandomIntOp &, Interpreter &);
Status evaluateOp(const Op &, const VarReadOp &, Interpreter &);
Status evaluateOp(const Op &, const VarWriteOp &, Interpreter &);
Status evaluateOp(const Op &, const VarIsInitializedOp &, Interpreter &);
Status evaluateOp(const Op &, const RuntimeCallOp &, Interpreter &);
Status evaluateOp(const Op &, const FusionOp &, Interpreter &);
Status evaluateOp(const Op &, const IfOp &, Interpreter &);
Status evaluateOp(const Op &, const WhileOp &, Interpreter &);
Status evaluateOp(const Op &, const BindOp &, Interpreter &);
Status evaluateOp(const Op &, const DefineOp &, Interpreter &);
Status evaluateOp(const Op &, const GuardOp &, Interpreter &);

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_INTERPRETER_H
