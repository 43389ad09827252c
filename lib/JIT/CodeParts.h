// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code generation on two threads: the functions of a module in several objects.
#ifndef KILN_LIB_JIT_CODEPARTS_H
#define KILN_LIB_JIT_CODEPARTS_H

#include "kiln/Status.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace kiln {

class CodeBackend;

/// What LLVM does with a function, in plain instructions: one on vectors takes
/// as long as six others (an LSTM and its gradient, AVX2, November 2026).
int64_t costOf(const llvm::Function &function);
int64_t costOf(const llvm::Module &module);

/// LLVM instructions of a module, those on vectors weighed, from which on it is
/// split: below, LLVM takes less than some ten milliseconds, of which a second
/// context and target machine would be one.
inline constexpr int64_t minSplitCost = 2'000;

/// LLVM's part of a compilation for some functions of a module, in an
/// LLVMContext of its own where another thread may take it.
///
/// What goes into which part depends on the module alone, so that the code is
/// the same whichever thread generates it. Thread safety: generate() and
/// result() from any thread, each with a target of its own for the same
/// processor; the first to ask does the work.
class CodePart {
public:
  /// Takes about half of the functions out of the module, which then only
  /// declares them; null, with the module as it was, where that is not worth
  /// it. `firstTemporary`: CodeBackend's.
  static std::shared_ptr<CodePart> split(llvm::Module &module,
                                         int64_t firstTemporary);
  /// All of a module of kernels, which name no buffer of the run's table. With
  /// `isShared` false the part is the caller's thread's alone, and dies before
  /// the module's context.
  static std::shared_ptr<CodePart> of(std::unique_ptr<llvm::Module> kernels,
                                      bool isShared);

  ~CodePart();

  /// Does the work unless another thread does.
  void generate(CodeBackend &backend);
  /// Does the work or waits for who does, and returns the object; to be called
  /// once. **Errors**: CodeBackend's.
  StatusOr<std::string> result(CodeBackend &backend);
  /// Nothing will ask for the result.
  void abandon() { isAbandoned.store(true, std::memory_order_relaxed); }

private:
  CodePart();
  void write(const llvm::Module &module);
  StatusOr<std::string> compile(CodeBackend &backend);

  std::unique_ptr<llvm::Module> own;  ///< for one thread
  std::string bitcode;                ///< otherwise: of the whole module
  std::vector<std::string> functions; ///< of the part, in order; empty: all
  int64_t firstTemporary = 0;
  std::atomic<bool> isTaken{false}, isAbandoned{false};
  std::mutex mutex; ///< guards the rest
  std::condition_variable changed;
  bool isDone = false;
  StatusOr<std::string> object = std::string();
};

} // namespace kiln

#endif // KILN_LIB_JIT_CODEPARTS_H
