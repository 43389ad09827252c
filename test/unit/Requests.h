// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolves and prunes what a test asks for by names.
#ifndef KILN_TEST_UNIT_REQUESTS_H
#define KILN_TEST_UNIT_REQUESTS_H

#include "lib/Plan/Prune.h"

#include <string>
#include <vector>

namespace kiln::testing {

inline StatusOr<RunRequest>
resolveNames(const Graph &graph, const std::vector<std::string> &feeds,
             const std::vector<std::string> &fetches,
             const std::vector<std::string> &targets = {}) {
  std::vector<TensorId> ids(feeds.begin(), feeds.end());
  auto resolved = resolveFeeds(graph, ids.size(),
                               [&](size_t i) -> auto & { return ids[i]; });
  if (!resolved.ok())
    return resolved.status();
  Status status = resolveFetches(graph, {fetches.begin(), fetches.end()},
                                 {targets.begin(), targets.end()}, *resolved);
  return status.ok() ? std::move(resolved->request)
                     : StatusOr<RunRequest>(status);
}

inline StatusOr<PrunedGraph>
pruneNames(const Graph &graph, const std::vector<std::string> &feeds,
           const std::vector<std::string> &fetches,
           const std::vector<std::string> &targets = {}) {
  auto request = resolveNames(graph, feeds, fetches, targets);
  return request.ok() ? prune(graph, *std::move(request))
                      : StatusOr<PrunedGraph>(request.status());
}

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_REQUESTS_H
