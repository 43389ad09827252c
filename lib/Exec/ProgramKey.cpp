// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes keys.
#include "lib/Exec/ProgramKey.h"

#include "lib/Support/Hash.h"

namespace kiln {

static uint64_t wordOf(const Output &output) {
  return static_cast<uint64_t>(output.node->id()) << 32 |
         static_cast<uint32_t>(output.index);
}

static uint64_t wordOf(const FeedView &feed) {
  return static_cast<uint64_t>(feed.dtype) << 32 | feed.dims.size();
}

void ProgramKey::setRequest(const RunRequest &request,
                            std::span<const FeedView> feeds) {
  words.clear();
  words.reserve(1 + 2 * feeds.size() + request.fetches.size() +
                request.targets.size());
  words.push_back(static_cast<uint64_t>(feeds.size()) << 32 |
                  request.fetches.size());
  for (size_t i = 0; i < feeds.size(); ++i) {
    words.push_back(wordOf(request.feeds[i]));
    words.push_back(wordOf(feeds[i]));
  }
  for (const Output &fetch : request.fetches)
    words.push_back(wordOf(fetch));
  for (const Node *target : request.targets)
    words.push_back(static_cast<uint64_t>(target->id()));
}

void ProgramKey::setPart(uint64_t plan, size_t unit,
                         std::span<const FeedView> feeds) {
  words.assign({plan, unit});
  for (const FeedView &feed : feeds)
    words.push_back(wordOf(feed));
}

size_t ProgramKeyHash::operator()(const ProgramKey &key) const noexcept {
  // Most keys are of requests, and tell no regions.
  size_t kind = static_cast<size_t>(key.source) << 1 | (key.regions ? 1 : 0);
  return hashBytes(key.words.data(), key.words.size() * sizeof(uint64_t)) ^
         kind;
}

} // namespace kiln
