// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compilation takes with it to another thread.
#ifndef KILN_LIB_COMPILE_COMPILETASK_H
#define KILN_LIB_COMPILE_COMPILETASK_H

#include "lib/Exec/Program.h"
#include "lib/Exec/ProgramFinder.h"
#include "lib/JIT/CompileControl.h"

#include <functional>

namespace kiln {

/// A compilation with all that it needs, since its callers may have gone.
///
/// Feeds whose elements may become part of the signature are copied, since the
/// caller may write them again; of others shapes are enough. Thread safety: one
/// thread at a time.
class CompileTask {
public:
  /// Owns what it uses, but for what the cache's owner holds.
  using Compile = std::function<StatusOr<ProgramPtr>(
      std::span<const FeedView> feeds, const CompileControl &control)>;

  /// `names` are the tensors that the feeds are for. **Errors**:
  /// RESOURCE_EXHAUSTED with the feed's node.
  static StatusOr<std::unique_ptr<CompileTask>>
  make(std::span<const FeedView> feeds, std::span<const Output> names,
       Compile compile);

  StatusOr<ProgramPtr> run(const CompileControl &control) const {
    return compile(views, control);
  }
  /// True for feeds of the same shapes and contents: compiling for them ends
  /// the same way.
  bool isFor(std::span<const FeedView> feeds) const;
  /// The feeds that the program is to match.
  std::span<const FeedView> feeds() const { return views; }

private:
  CompileTask() = default;
  Compile compile;
  std::vector<Tensor> values;
  std::vector<Shape> shapes;
  std::vector<FeedView> views;
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_COMPILETASK_H
