// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an operation to the TF_Graph that it is in, which functions on
// operations alone ask for.
#ifndef KILN_CAPI_USES_H
#define KILN_CAPI_USES_H

#include "capi/Handles.h"

namespace kiln::capi {

/// For the constructor and the destructor of TF_Graph.
void rememberGraph(TF_Graph &graph);
void forgetGraph(TF_Graph &graph);

} // namespace kiln::capi

#endif // KILN_CAPI_USES_H
