// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are functions on tensors.
#ifndef KILN_LIB_HOSTKERNELS_TENSORKERNEL_H
#define KILN_LIB_HOSTKERNELS_TENSORKERNEL_H

#include "kiln/Tensor.h"
#include "runtime/kernels/KernelCall.h"

#include <functional>
#include <span>
#include <vector>

namespace kiln {

/// Gives outputs of the expected dtypes.
using ComputeTensors = std::function<StatusOr<std::vector<Tensor>>(
    std::vector<Tensor> inputs, std::span<const DType> expected)>;

/// Calls `compute` with the call's inputs, which are copies where it owns them,
/// and takes what it gives: the sizes that the run finds out, too. The call's
/// numbers: one of the kernel's own, then the dtypes of inputs and outputs,
/// which the code knows by their sizes alone; negative of an output that
/// nothing reads. Returns what a kernel does. **Errors**, recorded: of
/// `compute`; INTERNAL for a shape that is not what was known of an output.
int32_t computeOnTensors(const KernelCall &call, bool ownsInputs,
                         const ComputeTensors &compute) noexcept;

} // namespace kiln

#endif // KILN_LIB_HOSTKERNELS_TENSORKERNEL_H
