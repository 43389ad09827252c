// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeds streams.
#include "runtime/random/RandomStream.h"

#include <random>

namespace kiln {

std::unique_ptr<RandomStream> RandomStream::create(int64_t seed,
                                                   int64_t seed2) {
  uint64_t key = static_cast<uint64_t>(seed),
           counter = static_cast<uint64_t>(seed2);
  if (key == 0 && counter == 0) {
    std::random_device entropy;
    key = uint64_t(entropy()) << 32 | entropy();
    counter = uint64_t(entropy()) << 32 | entropy();
  }
  return std::make_unique<RandomStream>(key, counter);
}

} // namespace kiln
