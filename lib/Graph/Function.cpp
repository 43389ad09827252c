// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has to fit before the nodes of one graph are added to another: functions
// and versions.
#include "lib/Graph/Function.h"

#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln {

Status takeFunctions(const Graph &from, Graph &to) {
  SharedFunctions library = from.functionLibrary();
  if (!library)
    return okStatus();
  SharedFunctions old = to.functionLibrary();
  if (old && (old->serialized() != library->serialized() ||
              old->built() != library->built()))
    return unimplementedError("a graph with functions cannot be imported into "
                              "a graph that has other ones");
  if (!old)
    to.setFunctionLibrary(std::move(library));
  return okStatus();
}

Status checkVersions(const GraphVersions &versions) {
  constexpr int newest = GraphVersions::newest;
  if (versions.minConsumer > newest)
    return invalidArgumentError(strCat(
        "GraphDef min consumer version ", versions.minConsumer,
        " above current version ", newest, " for Kiln.  Please upgrade Kiln."));
  if (std::ranges::find(versions.badConsumers, newest) !=
      versions.badConsumers.end())
    return invalidArgumentError(
        strCat("GraphDef disallows consumer version ", newest,
               ".  Please upgrade Kiln: this version is likely buggy."));
  return okStatus();
}

} // namespace kiln
