// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greedy placement of temporaries by size.
#include "lib/Exec/ArenaLayout.h"

#include "runtime/abi/Abi.h"

#include <algorithm>
#include <numeric>

namespace kiln {

static Status tooLarge() {
  return resourceExhaustedError(
      "the temporary values of this run have more than 2^60 bytes");
}

Status ArenaLayout::place(std::span<const ArenaTenant> tenants) {
  constexpr int64_t unit = static_cast<int64_t>(abiBufferAlignment);
  places.assign(tenants.size(), 0);
  order.resize(tenants.size());
  std::iota(order.begin(), order.end(), size_t(0));
  // Ties by number, so that the layout is the same everywhere.
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return tenants[a].bytes != tenants[b].bytes
               ? tenants[a].bytes > tenants[b].bytes
               : a < b;
  });
  placed.clear();
  total = 0;
  constexpr int64_t tooMuch = int64_t(1) << 60; // sums of two of them fit
  for (size_t tenant : order) {
    const ArenaTenant &own = tenants[tenant];
    int64_t offset = 0;
    if (own.bytes < 0 || own.bytes > tooMuch)
      return tooLarge();
    for (size_t other : placed) {
      const ArenaTenant &there = tenants[other];
      if (there.last < own.first || own.last < there.first)
        continue;
      int64_t begin = static_cast<int64_t>(places[other]);
      if (begin >= offset + own.bytes)
        break;
      offset = std::max(offset, (begin + there.bytes + unit - 1) / unit * unit);
    }
    int64_t end = (offset + own.bytes + unit - 1) / unit * unit;
    if (end > tooMuch)
      return tooLarge();
    places[tenant] = static_cast<size_t>(offset);
    total = std::max(total, static_cast<size_t>(end));
    auto at = std::upper_bound(
        placed.begin(), placed.end(), tenant,
        [&](size_t a, size_t b) { return places[a] < places[b]; });
    placed.insert(at, tenant);
  }
  return okStatus();
}

} // namespace kiln
