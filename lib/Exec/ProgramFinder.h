// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How runs ask for code, wherever it comes from.
#ifndef KILN_LIB_EXEC_PROGRAMFINDER_H
#define KILN_LIB_EXEC_PROGRAMFINDER_H

#include "kiln/RunStats.h"
#include "lib/Exec/ProgramKey.h"
#include "lib/Plan/ir/Block.h"
#include "runtime/threads/Cancel.h"

#include <memory>
#include <span>

namespace kiln {

class Program;
using ProgramPtr = std::shared_ptr<const Program>;

/// A part of a run that is cut.
struct CutPart {
  std::shared_ptr<const Block> block;
  uint64_t plan = 0; ///< the number of the cut run's plan in the session
  size_t unit = 0;   ///< its place in the plan
  int depth = 0;     ///< of cut runs that are parts of others
};

/// A function of a graph's library as a request of its own: its arguments are
/// the feeds, its results the fetches.
struct FunctionRequest {
  std::shared_ptr<const FunctionLibrary> library;
  std::shared_ptr<const FunctionBody> body; ///< has the request's nodes
  RunRequest request;
  uint64_t number = 0; ///< in the session, among those of plans
};

/// A program that is asked for. **Ownership**: borrows everything.
struct ProgramQuery {
  ProgramSource source = ProgramSource::Request;
  const RunRequest *request = nullptr; ///< of a request, stepped or not
  const CutPart *part = nullptr;       ///< of a part
  /// Of a function.
  const std::shared_ptr<const FunctionRequest> *function = nullptr;
  std::span<const FeedView> feeds;
  /// Whether a program of the evaluator does not count.
  bool needsNative = false;
  /// Whether it is to tell its regions.
  bool regions = false;
};

struct FoundProgram {
  ProgramPtr program;
  bool isHit = false; ///< it was there before
};

/// The programs of a session. Thread safety: all functions.
class ProgramFinder {
public:
  virtual ~ProgramFinder() = default;

  /// The program for a query's feeds, made where there is none. **Errors**: of
  /// making it; DEADLINE_EXCEEDED and CANCELLED when waiting ends.
  virtual StatusOr<FoundProgram> find(const ProgramQuery &query,
                                      const WaitControl &control) = 0;
  /// Begins to make native code in the place of a program with a budget, unless
  /// that has begun. Returns false where it is to be asked again: another
  /// compilation under the same key has to end first.
  [[nodiscard]] virtual bool beginReplacement(const Program &program) = 0;
  /// Waits for native code in the place of a program with a budget; null where
  /// it could not be made (Program::keepBecause). **Errors**:
  /// DEADLINE_EXCEEDED and CANCELLED when waiting ends.
  virtual StatusOr<ProgramPtr> awaitReplacement(const Program &program,
                                                const WaitControl &control) = 0;
  /// Sets the figures that tell of all programs.
  virtual void fillStats(RunStats &stats) const = 0;
};

} // namespace kiln

#endif // KILN_LIB_EXEC_PROGRAMFINDER_H
