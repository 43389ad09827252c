// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes signature keys. No MLIR header: it is optimized in every build.
#include "lib/Exec/Signature.h"

#include "lib/Support/Hash.h"

namespace kiln {

static uint64_t wordOf(const Output &output) {
  return static_cast<uint64_t>(output.node->id()) << 32 |
         static_cast<uint32_t>(output.index);
}

void makeSignatureKey(const RunRequest &request,
                      std::span<const FeedView> feeds, SignatureKey &key) {
  key.clear();
  key.reserve(1 + 2 * feeds.size() + request.fetches.size() +
              request.targets.size());
  key.push_back(static_cast<uint64_t>(feeds.size()) << 32 |
                request.fetches.size());
  for (size_t i = 0; i < feeds.size(); ++i) {
    key.push_back(wordOf(request.feeds[i]));
    key.push_back(static_cast<uint64_t>(feeds[i].dtype) << 32 |
                  feeds[i].dims.size());
  }
  for (const Output &fetch : request.fetches)
    key.push_back(wordOf(fetch));
  for (const Node *target : request.targets)
    key.push_back(static_cast<uint64_t>(target->id()));
}

size_t SignatureKeyHash::operator()(const SignatureKey &key) const noexcept {
  return hashBytes(key.data(), key.size() * sizeof(uint64_t));
}

} // namespace kiln
