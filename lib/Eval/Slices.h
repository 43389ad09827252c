// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that work row by row are run together, a slice of rows after the other,
// on all threads.
#ifndef KILN_LIB_EVAL_SLICES_H
#define KILN_LIB_EVAL_SLICES_H

#include "lib/Eval/Interpreter.h"

#include <unordered_map>

namespace kiln::eval {

/// Ops that wait to be run slice by slice.
///
/// The results of all of them begin with the same extents, which are the rows:
/// `prefix` dimensions taken as one. A row of a result depends on that row of
/// some operands and on the whole of others. A slice is a stretch of rows whose
/// values stay in the cache between the op that writes them and those that read
/// them; only what is used behind the group is stored as a whole, and what is
/// written into a variable goes there.
///
/// Memory: a thread's scratch, some slices' bytes for each value that is alive
/// at one time, does not count for the limit of the run.
///
/// Bits: no op of a group combines along its rows. Errors: where a slice fails
/// the group is run again op by op, which gives the error of the first op that
/// fails; a group that writes a variable holds no op that can fail, and is
/// finished once it has begun, as native code finishes an assignment.
class SliceGroup {
public:
  /// A value from outside that the ops read.
  struct Input {
    ValueId value;
    bool isSliced;
  };
  /// What is stored as a whole: a value used behind the group, or a variable.
  struct Output {
    ValueId value;
    Tensor whole;
    int64_t variable = -1;
  };

  explicit SliceGroup(Interpreter &interpreter)
      : interpreter(interpreter), program(interpreter.program) {}

  bool isEmpty() const { return steps.empty(); }
  /// Takes the op where it belongs to the group, or is large enough to begin
  /// one where none waits. One without rows begins none.
  bool add(const Op &op);
  /// True where the op may not run before the group has.
  bool isNeededBy(const Op &op) const;
  /// Forgets a value that an op outside of the group was the last to use, once
  /// the group does not need it any more.
  void drop(ValueId value);
  /// Runs what waits.
  Status run();

private:
  /// A variable that the group writes.
  struct Write {
    const Op *op;
    int64_t variable;
  };

  bool addWrite(const Op &op, int64_t variable);
  bool isLargeEnough(const Op &op) const;
  /// The op's operands from outside; false where a value is needed in two ways.
  bool findInputs(const Op &op, std::vector<Input> &read) const;
  bool usesResult(const Op &op) const;
  bool isWritten(int64_t variable) const;
  /// Makes room for the outputs.
  StatusOr<std::vector<Output>> makeOutputs();
  /// False where a slice failed.
  StatusOr<bool> runSlices();

  Interpreter &interpreter;
  const Program &program;
  std::vector<const Op *> steps;
  std::unordered_map<ValueId, size_t> made; ///< the ops' results, by step
  std::vector<Input> inputs;
  std::vector<Write> writes;
  std::vector<ValueId> droppedLater;
  std::vector<Dim> rowDims; ///< the first `prefix` dimensions
  int prefix = 0;
  int64_t numRows = 0;
  int64_t largestBytes = 0; ///< of one value of the group
  bool mayFail = false;
};

} // namespace kiln::eval

#endif // KILN_LIB_EVAL_SLICES_H
