// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What importers and sessions know of ops that another library computes.
#ifndef KILN_LIB_OPDEFS_FOREIGN_H
#define KILN_LIB_OPDEFS_FOREIGN_H

#include "kiln/ForeignOps.h"
#include "lib/OpDefs/OpDef.h"

namespace kiln {

class InferenceContext;

/// The kernels that call the library; the second one's calls have effects.
inline constexpr std::string_view foreignKernel = "user:foreign",
                                  foreignEffectKernel = "user:foreign_effect";

/// False where the process has one.
bool keepForeignLibrary(ForeignLibrary &library);
/// Null where the process has none.
ForeignLibrary *foreignLibrary();

/// Whether it is an op of the library, not one of Kiln's.
bool isForeign(const OpDef &def);

/// Whether the library may compute a node of an op of Kiln's in Kiln's place:
/// it gives values of its inputs alone.
bool mayBeForeign(const Node &node, const OpDef &def);

/// Whether a run is cut at the node, if it can be: it may call back, or native
/// code cannot hold what it gives.
bool cutsAtForeign(const Node &node, const OpDef &def);

/// Asks the library for the number of the node's calls. **Errors**: the
/// library's, with the node; UNIMPLEMENTED where there is none.
StatusOr<int64_t> prepareForeign(const Node &node);

/// The shape function of the library's ops.
Status inferForeign(InferenceContext &context);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_FOREIGN_H
