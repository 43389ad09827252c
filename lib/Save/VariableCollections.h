// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the export and the import of MetaGraphs share.
#ifndef KILN_LIB_SAVE_VARIABLECOLLECTIONS_H
#define KILN_LIB_SAVE_VARIABLECOLLECTIONS_H

#include <string_view>

namespace kiln {

/// Whether a collection has its variables as messages; others name them.
/// **Source**: ops.register_proto_function.
bool holdsVariables(std::string_view key);

/// The collection of what stands for tensors from outside of an exported scope.
inline constexpr std::string_view unboundInputs = "unbound_inputs";

} // namespace kiln

#endif // KILN_LIB_SAVE_VARIABLECOLLECTIONS_H
