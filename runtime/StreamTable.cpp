// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeds streams on first use.
#include "runtime/StreamTable.h"

#include "lib/Support/Strings.h"

#include <random>

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
  uint64_t key = static_cast<uint64_t>(seed),
           counter = static_cast<uint64_t>(seed2);
  if (key == 0 && counter == 0) {
    std::random_device entropy;
    key = uint64_t(entropy()) << 32 | entropy();
    counter = uint64_t(entropy()) << 32 | entropy();
  }
  stream.state = std::make_unique<RandomStream>(key, counter);
  return stream.state.get();
}

} // namespace kiln
