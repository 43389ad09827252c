// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs that are final for a time only.
#ifndef KILN_FINALIZE_H
#define KILN_FINALIZE_H

#include "kiln/Export.h"

namespace kiln {

class GraphBuilder;

/// Lets additions to a graph succeed again after GraphBuilder::finalize().
/// **Edges**: does nothing to a graph that is not finalized. **Thread safety**:
/// the one thread that builds. **Source**: tf.Graph._unsafe_unfinalize, which
/// monitored sessions call when they end.
KILN_EXPORT void unfinalize(const GraphBuilder &graph);

} // namespace kiln

#endif // KILN_FINALIZE_H
