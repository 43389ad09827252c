// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs a program, behind one interface.
#ifndef KILN_LIB_EXEC_PROGRAMEXECUTOR_H
#define KILN_LIB_EXEC_PROGRAMEXECUTOR_H

#include <cstdint>
#include <memory>

namespace kiln {

class CutPlan;
class Frame;
class Program;

/// Native code, the evaluator's program, or a cut run, whose parts are programs
/// of their own. What differs between them is here and in their frames.
///
/// Ownership: a program's. Thread safety: constant, but for what the class
/// locks itself.
class ProgramExecutor {
public:
  virtual ~ProgramExecutor() = default;
  /// A frame for one run at a time of the program that owns this.
  virtual std::unique_ptr<Frame> makeFrame(const Program &program) const = 0;
  /// What it takes, of which `codeBytes` are machine code.
  virtual int64_t bytes() const = 0;
  virtual int64_t codeBytes() const { return 0; }
  virtual bool isNative() const { return false; }
  /// How the run is cut; null where it is not.
  virtual const CutPlan *cut() const { return nullptr; }
};

} // namespace kiln

#endif // KILN_LIB_EXEC_PROGRAMEXECUTOR_H
