// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request's code in the session's disk cache.
#ifndef KILN_LIB_COMPILE_STOREDCODE_H
#define KILN_LIB_COMPILE_STOREDCODE_H

#include "lib/Compile/DiskCache.h"
#include "lib/Compile/DiskKey.h"
#include "lib/Compiled/CompiledFunction.h"
#include "lib/Exec/Program.h"

namespace kiln {

/// Opens what the options name. **Errors**: those of DiskCache::open() and
/// buildIdentity() and codeKey().
StatusOr<std::shared_ptr<DiskCache>>
openDiskCache(const SessionOptions &options);

/// Looks up and stores under the key of one request. **Cost**: constructing
/// digests the nodes and constants. Thread safety: one thread.
class StoredCode {
public:
  StoredCode(SessionServices &services, const Block &root,
             std::span<const FeedView> feeds);

  /// Gives the program the code that is there for feeds like these; false when
  /// there is none. **Errors**: bindProgram()'s.
  StatusOr<bool> load(Program &program) const;
  /// Stores the program's code. `interface` is what bindProgram() was given.
  /// Constants that are not in the graph, since they are folded of what is, are
  /// stored as well. **Edges**: code with one of them of strings is left out.
  void store(const Program &program, FunctionInterface interface,
             const CompiledCode &code) const;

private:
  /// Whether the function is one for this request and these feeds.
  bool accepts(const CompiledFunction &function) const;

  SessionServices &services;
  const Block &root;
  const std::span<const FeedView> feeds;
  const DiskKey key;
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_STOREDCODE_H
