// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies, where a function has two places.
#include "lib/Collectives/AloneTransport.h"

#include "kiln/DType.h"

#include <cstring>

namespace kiln {
namespace {

int32_t copy(void *to, const void *from, int64_t bytes) {
  if (bytes > 0)
    std::memcpy(to, from, static_cast<size_t>(bytes));
  return kilnTransportOk;
}

} // namespace

KilnTransport *makeAloneTransport() {
  return new KilnTransport{
      .version = kilnTransportVersion,
      .rank = 0,
      .size = 1,
      .localRank = 0,
      .localSize = 1,
      .crossRank = 0,
      .crossSize = 1,
      .self = nullptr,
      .allgather = [](void *, const void *in, void *out, int64_t bytes,
                      KilnTransportWait) { return copy(out, in, bytes); },
      .allgatherv = [](void *, const void *in, void *out, const int64_t *bytes,
                       KilnTransportWait) { return copy(out, in, bytes[0]); },
      .allreduce = [](void *, void *, int64_t, int32_t, int32_t,
                      KilnTransportWait) -> int32_t { return kilnTransportOk; },
      .broadcast = [](void *, void *, int64_t, int32_t,
                      KilnTransportWait) -> int32_t { return kilnTransportOk; },
      .reduceScatter =
          [](void *, const void *in, void *out, const int64_t *counts,
             int32_t dtype, int32_t, KilnTransportWait) {
            return copy(out, in,
                        counts[0] * static_cast<int64_t>(
                                        dtypeSize(static_cast<DType>(dtype))));
          },
      .alltoallv = [](void *, const void *in, const int64_t *sent, void *out,
                      const int64_t *,
                      KilnTransportWait) { return copy(out, in, sent[0]); },
      .whoIsHere = [](void *, uint8_t *isHere) { isHere[0] = 1; },
      .makeGroup = [](void *, const int32_t *, int32_t count,
                      KilnTransport **made, KilnTransportWait) -> int32_t {
        *made = count > 0 ? makeAloneTransport() : nullptr;
        return kilnTransportOk;
      },
      .text = [](void *) { return ""; },
      .close = [](KilnTransport *transport, int32_t) { delete transport; },
  };
}

} // namespace kiln
