// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The row splits that ops on ragged tensors are given.
#ifndef KILN_LIB_OPS_RAGGED_HOSTSPLITS_H
#define KILN_LIB_OPS_RAGGED_HOSTSPLITS_H

#include "lib/HostKernels/HostCall.h"

#include <cstdint>
#include <vector>

namespace kiln::host {

using Splits = std::vector<int64_t>;

/// The numbers of `count` inputs from `first` on. **Errors**: for what is no
/// vector.
StatusOr<std::vector<Splits>> splitsOf(const HostCall &call, size_t first,
                                       size_t count);

} // namespace kiln::host

#endif // KILN_LIB_OPS_RAGGED_HOSTSPLITS_H
