// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What functions that add several nodes are written with.
#ifndef KILN_LIB_BUILD_OPS_HELPERS_H
#define KILN_LIB_BUILD_OPS_HELPERS_H

#include "kiln/GraphBuilder.h"

#include <string_view>

namespace kiln::ops {

/// Converts a value in the present scope of the current graph.
Output convert(const Input &value, std::string_view name,
               DType dtype = DType::Invalid);
/// The same, to the dtype of a tensor where it can.
Output convertLike(const Input &value, const Output &like,
                   std::string_view name);
/// The tensor, or a Const of the value.
Output valueOf(const Input &value);
/// The graph that the input is in.
GraphBuilder builderOf(const Input &input);
/// Makes the current graph's status an error.
Output failed(Status error, const std::string &scope);
/// Adds an Identity.
const Node *addIdentity(const Output &tensor, std::string_view name);

/// The elements of a Const, or of what is known of a shape; nothing where they
/// are not known. **Source**: tensor_util.constant_value.
std::optional<std::vector<int64_t>> knownIntegers(const Input &value);

/// The bool, or the value of a Const; nothing where a run says it.
std::optional<bool> knownTruth(const Input &value);

} // namespace kiln::ops

#endif // KILN_LIB_BUILD_OPS_HELPERS_H
