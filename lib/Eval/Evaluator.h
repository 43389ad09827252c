// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The evaluator: runs a program of plain records op by op.
#ifndef KILN_LIB_EVAL_EVALUATOR_H
#define KILN_LIB_EVAL_EVALUATOR_H

#include "kiln/CodeOptions.h"
#include "kiln/Tensor.h"
#include "lib/Eval/Program.h"
#include "lib/Shape/SymbolTable.h"
#include "runtime/abi/Abi.h"
#include "runtime/memory/BufferPool.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

namespace kiln {

/// How the evaluator reaches the variables that a function declares. The index
/// is that of `kiln.variable`.
///
/// The caller holds the locks that the accesses need; the evaluator writes only
/// through write().
class VariableAccess {
public:
  virtual ~VariableAccess() = default;
  /// Returns the variable's value as a view that is valid until the next write
  /// of the same variable (the evaluator copies it before that write where it
  /// is still needed). **Errors**: FAILED_PRECONDITION without a value.
  virtual StatusOr<Tensor> read(int64_t index) = 0;
  /// Copies the value into the variable and marks it as initialized. `value`
  /// never shares the variable's buffer; for a variable of strings it is an
  /// int64 tensor of handles (runtime/memory/RunStrings.h).
  virtual Status write(int64_t index, const Tensor &value) = 0;
  /// Returns the variable's buffer, with room for the shape, to be written
  /// whole; not of strings. **Errors**: as write().
  virtual StatusOr<Tensor> beginWrite(int64_t index, DType dtype,
                                      const Shape &shape) = 0;
  /// All of it has been written.
  virtual void endWrite(int64_t index) = 0;
  virtual bool isInitialized(int64_t index) = 0;
};

/// Watches a run that may begin again elsewhere, as native code.
class EvalBudget {
public:
  virtual ~EvalBudget() = default;
  /// Asked between ops, and now and then inside of long ones: true ends the
  /// run.
  virtual bool isSpent() = 0;
  /// Asked before an op does what outlasts the run: it writes the variable, or,
  /// where that is -1, calls a kernel that has such effects; `isLast` is its
  /// eval::Op::isLastEffect. False ends the run.
  virtual bool mayAct(bool isLast, int64_t variable) = 0;
};

/// What a program runs on. **Ownership**: everything is borrowed for the
/// duration of evaluate().
struct EvalEnvironment {
  /// The function's arguments, with its types and the shapes that its types and
  /// `symbols` say.
  std::span<const Tensor> feeds;
  /// The value of each symbol of the executable's symbol table; what the run
  /// finds out is put there.
  std::span<int64_t> symbols;
  /// Those of the symbol table, by the numbers of `kiln.guard`.
  std::span<const Guard> guards = {};
  /// What `kiln.constant_ref` refers to.
  std::span<const Tensor> constants;
  /// Null for a program without variables.
  VariableAccess *variables = nullptr;
  /// Takes `count` samples of 128 bits from the run's stream number `stream`;
  /// state = the counter (4 words) of the first, then the key (2 words). As
  /// kilnReserveRandom of runtime/abi/Symbols.def.
  std::function<Status(int64_t stream, int64_t count, uint32_t state[6])>
      reserveRandom;
  /// Its cancel word is polled between ops and inside long ones, kernels run
  /// with it; may be null where nothing is cancelled and no string made. Errors
  /// are returned, not left there.
  KilnRunState *state = nullptr;
  /// Null for a run that goes on to its end.
  EvalBudget *budget = nullptr;
  /// Where its values come from; null for memory of their own.
  BufferPool *buffers = nullptr;
  /// About how large a value of a slice is, where ops are run slice by slice
  /// (lib/Eval/Slices.h): a few of them fit into a core's own cache.
  int64_t sliceBytes = int64_t(1) << 15;
  /// CodeOptions::minStreamedBytes, for what a group of slices makes: it is out
  /// of every cache before it is read.
  int64_t minStreamedBytes = CodeOptions().minStreamedBytes;
  /// How many bytes the values that the evaluator makes may hold at one time.
  int64_t maxBytes = std::numeric_limits<int64_t>::max();
};

/// Runs the program and returns the function's results.
///
/// Values and the order of every sum are those of the generated code, bit for
/// bit, on a machine with FMA. The calling thread's floating-point state is set
/// as in every run (denormals are zeros) and restored.
/// **Edges**: results never share memory with feeds or variables. Writes of a
/// run that fails stay, as TensorFlow's do.
/// **Errors**: those of the run (runtime/abi/ErrorKinds.def) with the op's
/// node; CANCELLED and DEADLINE_EXCEEDED by the cancel word; ABORTED by the
/// budget; RESOURCE_EXHAUSTED, naming the node, beyond maxBytes; INTERNAL for
/// feeds that do not fit the function.
/// **Thread safety**: any number of calls at once, also of one program.
StatusOr<std::vector<Tensor>> evaluate(const eval::Program &program,
                                       const EvalEnvironment &environment);

} // namespace kiln

#endif // KILN_LIB_EVAL_EVALUATOR_H
