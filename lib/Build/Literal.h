// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, texts and nested lists of them, as Python's, become tensors.
#ifndef KILN_LIB_BUILD_LITERAL_H
#define KILN_LIB_BUILD_LITERAL_H

#include "kiln/Input.h"
#include "kiln/Status.h"

#include <string>

namespace kiln {

struct BuildState;

/// The dtype of a variable's values.
DType variableType(const VariableData &variable);
/// What an op takes for a variable: its reference or handle, or its value.
Output variableAsTensor(BuildState &state, const VariableData &variable,
                        bool asRef);

/// The value and its type as Python shows them: {"1.5", "float"}.
std::pair<std::string, std::string> pythonText(const Input &input);

} // namespace kiln

#endif // KILN_LIB_BUILD_LITERAL_H
