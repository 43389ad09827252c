// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complex numbers as TensorFlow's Python functions make them and take them
// apart.
#ifndef KILN_OPS_COMPLEXOPS_H
#define KILN_OPS_COMPLEXOPS_H

#include "kiln/OpOptions.h"

namespace kiln::ops {

/// Complex numbers of real and imaginary parts. **Types**: both float32 or both
/// float64. **Errors**: INVALID_ARGUMENT for others. **Source**: tf.complex.
KILN_EXPORT Output complex(const Input &real, const Input &imag,
                           const OpOptions &options = {});
/// The real parts; numbers that are real as they are. **Source**: tf.real.
KILN_EXPORT Output real(const Input &input, const OpOptions &options = {});
/// The imaginary parts; zeros of real numbers. **Source**: tf.imag.
KILN_EXPORT Output imag(const Input &input, const OpOptions &options = {});
/// The arguments, between -pi and pi. **Source**: tf.angle.
KILN_EXPORT Output angle(const Input &input, const OpOptions &options = {});
/// The conjugates; numbers that are real as they are. **Source**: tf.conj.
KILN_EXPORT Output conj(const Input &x, const OpOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_COMPLEXOPS_H
