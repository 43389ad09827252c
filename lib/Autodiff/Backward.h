// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gradients() does once it has tensors: also where they are another
// graph's, a function's body of which the gradient is a body too.
#ifndef KILN_LIB_AUTODIFF_BACKWARD_H
#define KILN_LIB_AUTODIFF_BACKWARD_H

#include "kiln/Gradients.h"
#include "lib/Build/BuildState.h"

namespace kiln {

/// Adds to the graph of `state`, which is the current one; the ys and xs may be
/// of a graph that it captures from. **Source**: _GradientsHelper.
std::vector<Gradient> gradientsOf(BuildState &state,
                                  const std::vector<Output> &ys,
                                  const std::vector<Output> &xs,
                                  const GradientOptions &options);

/// The same in the present scope, without a scope for each op, as TensorFlow's
/// C++ interface does it: given gradients are taken themselves, ones are made
/// like the ys, integers have gradients, and an op that has none ends with the
/// text of that interface.
std::vector<Gradient> flatGradients(BuildState &state,
                                    const std::vector<Output> &ys,
                                    const std::vector<Output> &xs,
                                    const GradientOptions &options);

/// Whether this thread is in flatGradients().
bool isFlatGradient() noexcept;

/// Zeros of the variable that a handle names, of others zeros like the tensor.
/// **Source**: default_gradient.zeros_like.
Output defaultZeros(const Output &tensor);

/// Whether gradients flow through a tensor of this type, in the call of
/// gradients that this thread is in. **Source**: backprop_util.IsTrainable.
bool isTrainable(DType dtype);

} // namespace kiln

#endif // KILN_LIB_AUTODIFF_BACKWARD_H
