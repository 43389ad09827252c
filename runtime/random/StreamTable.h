// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random streams of a session by node.
#ifndef KILN_RUNTIME_RANDOM_STREAMTABLE_H
#define KILN_RUNTIME_RANDOM_STREAMTABLE_H

#include "kiln/Status.h"
#include "runtime/random/RandomStream.h"
#include "runtime/threads/ForkMutex.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

namespace kiln {

/// Streams are only added: pointers are valid as long as the table. Thread
/// safety: all functions; `mutex` guards the list, a stream is atomic.
class StreamTable {
public:
  /// Returns the stream of a random node, seeded on first use. **Edges**: seed
  /// = seed2 = 0 draws a seed from the system. **Errors**: INVALID_ARGUMENT
  /// when the node is there with other seeds.
  StatusOr<RandomStream *> findOrCreate(std::string_view node, int64_t seed,
                                        int64_t seed2);

  /// The files that kernels of streams may read; null for any. Set before the
  /// first stream is made.
  const FileAccess *files = nullptr;

private:
  struct Stream {
    int64_t seed = 0, seed2 = 0; // as the graph gives them
    std::unique_ptr<RandomStream> state;
  };

  ForkMutex mutex;
  std::unordered_map<std::string, Stream> streams;
};

} // namespace kiln

#endif // KILN_RUNTIME_RANDOM_STREAMTABLE_H
