// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The texts that describe arguments and attributes of an op when it is
// registered.
#ifndef KILN_CAPI_OPSPEC_H
#define KILN_CAPI_OPSPEC_H

#include "kiln/OpSchema.h"

#include <string_view>

namespace kiln::capi {

/// Parses "T: {float, double} = DT_FLOAT", "N: int >= 1", "s: list(string)".
/// **Errors**: INVALID_ARGUMENT with the text.
StatusOr<OpAttribute> parseAttrSpec(std::string_view spec);

/// Parses "x: T", "values: N * float", "ref: Ref(T)", with the attributes of
/// the op. **Errors**: INVALID_ARGUMENT with the text.
StatusOr<OpArgument> parseArgSpec(std::string_view spec, const OpSchema &op);

} // namespace kiln::capi

#endif // KILN_CAPI_OPSPEC_H
