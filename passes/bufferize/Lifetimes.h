// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When the values of a function are needed, in one numbering of all its ops.
#ifndef KILN_PASSES_BUFFERIZE_LIFETIMES_H
#define KILN_PASSES_BUFFERIZE_LIFETIMES_H

#include "dialect/Kiln.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace kiln::passes {

/// The value that \p value shows through views.
mlir::Value rootOf(mlir::Value value);

/// Ticks: an op with number n reads at 2 n and writes at 2 n + 1.
inline int64_t readTick(int64_t number) { return 2 * number; }
inline int64_t writeTick(int64_t number) { return 2 * number + 1; }

/// Ticks at which a value is in use, both ends included.
struct Stretch {
  int64_t from, to;
};

/// The stretches of one value, in order and apart from one another.
class Lifetime {
public:
  void add(Stretch stretch) { stretches.push_back(stretch); }
  int64_t first() const { return stretches.front().from; }
  int64_t last() const { return stretches.back().to; }
  bool overlaps(const Lifetime &other) const;
  /// Whether \p tick lies behind the beginning of a stretch and not behind its
  /// end: what is written then is written over the value.
  bool isCutAt(int64_t tick) const;

private:
  llvm::SmallVector<Stretch, 1> stretches;
};

/// Numbers the ops of a function, each before those inside of it and those
/// before the ones behind it, and finds where values live.
///
/// A value lives from the op that gives it to the last one that uses it. What
/// comes from outside of a loop and is used in it lives until the loop ends;
/// what comes from outside of a branch and is used in it lives in this branch,
/// not in the other one. The arguments of a loop's first region begin with the
/// loop, those of the second one with the condition.
///
/// A use by the function's return is none: results are stored where they are
/// made.
class Lifetimes {
public:
  explicit Lifetimes(mlir::func::FuncOp function);

  int64_t begin(mlir::Operation *op) const { return begins.lookup(op); }
  /// That of the op itself where it has no regions.
  int64_t end(mlir::Operation *op) const;
  /// When a value comes to be: at the reads of an op that may not write over
  /// what it reads.
  int64_t definition(mlir::Value root) const;
  /// The lifetime of a value that is no reshape. Uses by the ops of \p ignored
  /// are none.
  Lifetime of(mlir::Value root,
              const llvm::DenseSet<mlir::Operation *> &ignored) const;

private:
  /// By block, the last op in it that uses a value, itself or inside of it.
  using LastUsers = llvm::SmallDenseMap<mlir::Block *, mlir::Operation *, 2>;

  void number(mlir::Block &block);
  void extend(mlir::Block *block, int64_t from, const LastUsers &last,
              Lifetime &lifetime) const;

  llvm::DenseMap<mlir::Operation *, int64_t> begins, ends;
  int64_t next = 0;
};

} // namespace kiln::passes

#endif // KILN_PASSES_BUFFERIZE_LIFETIMES_H
