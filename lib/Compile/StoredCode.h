// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request's code in the session's disk cache.
#ifndef KILN_LIB_COMPILE_STOREDCODE_H
#define KILN_LIB_COMPILE_STOREDCODE_H

#include "lib/Compile/DiskCache.h"
#include "lib/Compile/DiskKey.h"
#include "lib/Compile/FunctionStore.h"
#include "lib/Compiled/CompiledFunction.h"
#include "lib/Exec/Program.h"

namespace kiln {

/// Opens what the options name. **Errors**: those of DiskCache::open() and
/// buildIdentity() and codeKey().
StatusOr<std::shared_ptr<DiskCache>>
openDiskCache(const SessionOptions &options);

/// Looks up and stores under the key of one request. **Cost**: constructing
/// digests the nodes and constants. Thread safety: one thread.
class StoredCode final : public FunctionStore {
public:
  StoredCode(DiskCache &cache, const Block &root,
             std::span<const FeedView> feeds);

  /// A program of the code that is there for feeds like these; null when there
  /// is none. **Errors**: those of makeNativeProgram().
  StatusOr<std::shared_ptr<Program>> load(SessionServices &services) const;
  /// Constants that are not in the graph, since they are folded from what is,
  /// are stored as well.
  void store(CompiledFunction &function,
             std::span<const Tensor> constants) const override;

private:
  /// Whether the function is one for this request and these feeds.
  bool accepts(const CompiledFunction &function) const;
  /// Whether it is another one as soon as a user registers other kernels and
  /// shape functions, whatever they are called.
  bool dependsOnUserOps(const CompiledFunction &function) const;

  DiskCache &cache;
  const Block &root;
  const std::span<const FeedView> feeds;
  const DiskKey key;
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_STOREDCODE_H
