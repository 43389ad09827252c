// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The gradients that customGradient() has given a graph.
#ifndef KILN_LIB_AUTODIFF_CUSTOMGRADIENT_H
#define KILN_LIB_AUTODIFF_CUSTOMGRADIENT_H

#include "lib/Autodiff/GradientRegistry.h"

namespace kiln {

/// Nothing where the graph has none of this name.
std::optional<GradientRegistry::Function>
findCustomGradient(const GraphBuilder &graph, std::string_view name);

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_CUSTOMGRADIENT_H
