// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what Linux tells of the caches.
#include "runtime/memory/LastCache.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace kiln {
namespace {

/// "32768K"; 0 for what is no size.
int64_t sizeIn(const std::string &path) {
  std::ifstream file(path);
  int64_t number = 0;
  char unit = 0;
  // More than any cache has would not be one.
  if (!(file >> number >> unit) || number < 0 || number > (1 << 30))
    return 0;
  return unit == 'K' ? number << 10 : unit == 'M' ? number << 20 : 0;
}

} // namespace

int64_t lastCacheBytesIn(const std::string &folder) {
  constexpr int mostCaches = 16;
  int64_t largest = 0;
  for (int i = 0; i < mostCaches; ++i)
    largest = std::max(largest,
                       sizeIn(folder + "/index" + std::to_string(i) + "/size"));
  return largest > 0 ? largest : int64_t(32) << 20;
}

int64_t lastCacheBytes() {
  static const int64_t bytes =
      lastCacheBytesIn("/sys/devices/system/cpu/cpu0/cache");
  return bytes;
}

} // namespace kiln
