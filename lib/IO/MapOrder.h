// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Protobuf's maps in an order that does not change.
#ifndef KILN_LIB_IO_MAPORDER_H
#define KILN_LIB_IO_MAPORDER_H

#include <algorithm>
#include <vector>

namespace kiln::io {

/// The entries by key. The map's own order is another in every run, and with it
/// which of two errors is met first.
template <class Map>
std::vector<const typename Map::value_type *> byKey(const Map &map) {
  std::vector<const typename Map::value_type *> entries;
  entries.reserve(map.size());
  for (const auto &entry : map)
    entries.push_back(&entry);
  std::ranges::sort(entries, {},
                    [](auto *entry) -> auto & { return entry->first; });
  return entries;
}

} // namespace kiln::io

#endif // KILN_LIB_IO_MAPORDER_H
