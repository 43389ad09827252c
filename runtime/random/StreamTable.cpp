// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Seeds streams on first use.
#include "runtime/random/StreamTable.h"

#include "lib/Support/Strings.h"

namespace kiln {

StatusOr<RandomStream *>
StreamTable::findOrCreate(std::string_view node, int64_t seed, int64_t seed2) {
  // Made and destroyed without the lock, since it has a ForkMutex of its own.
  std::unique_ptr<RandomStream> made;
  for (;;) {
    {
      std::lock_guard guard(mutex);
      auto found = streams.find(std::string(node));
      if (found == streams.end() && made)
        found =
            streams.try_emplace(std::string(node), seed, seed2, std::move(made))
                .first;
      if (found != streams.end()) {
        const Stream &stream = found->second;
        if (stream.seed != seed || stream.seed2 != seed2)
          return Status(StatusCode::InvalidArgument,
                        strCat("expected seeds ", stream.seed, " and ",
                               stream.seed2, ", got ", seed, " and ", seed2),
                        std::string(node));
        return stream.state.get();
      }
    }
    made = RandomStream::create(seed, seed2);
    made->files = files;
  }
}

} // namespace kiln
