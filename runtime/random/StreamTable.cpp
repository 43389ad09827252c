// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeds streams on first use.
#include "runtime/random/StreamTable.h"

#include "lib/Support/Strings.h"

namespace kiln {

StatusOr<RandomStream *>
StreamTable::findOrCreate(std::string_view node, int64_t seed, int64_t seed2) {
  std::lock_guard guard(mutex);
  auto [it, isNew] = streams.try_emplace(std::string(node));
  Stream &stream = it->second;
  if (!isNew) {
    if (stream.seed != seed || stream.seed2 != seed2)
      return Status(StatusCode::InvalidArgument,
                    strCat("expected seeds ", stream.seed, " and ",
                           stream.seed2, ", got ", seed, " and ", seed2),
                    std::string(node));
    return stream.state.get();
  }
  stream.seed = seed;
  stream.seed2 = seed2;
  stream.state = RandomStream::create(seed, seed2);
  stream.state->files = files;
  return stream.state.get();
}

} // namespace kiln
