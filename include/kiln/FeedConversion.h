// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain values become what is fed.
#ifndef KILN_FEEDCONVERSION_H
#define KILN_FEEDCONVERSION_H

#include "kiln/Input.h"

namespace kiln {

/// The value as a tensor of the dtype of what it is fed to. **Errors**:
/// INVALID_ARGUMENT with TensorFlow's texts for a tensor of a graph, and for a
/// value that does not become one of the dtype. **Source**:
/// tf.Session.run(feed_dict).
KILN_EXPORT StatusOr<Tensor> feedTensor(const Output &tensor,
                                        const Input &value);

} // namespace kiln

#endif // KILN_FEEDCONVERSION_H
