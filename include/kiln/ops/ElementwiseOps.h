// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of single elements that TensorFlow's Python makes of several ops,
// or around one.
#ifndef KILN_OPS_ELEMENTWISEOPS_H
#define KILN_OPS_ELEMENTWISEOPS_H

#include "kiln/OpOptions.h"

namespace kiln::ops {

/// **Errors** of the graph: INVALID_ARGUMENT for a factor that is no scalar.
/// **Source**: tf.scalar_mul, "Mul".
KILN_EXPORT Output scalarMul(const Input &scalar, const Output &x,
                             const OpOptions &options = {});
/// **Source**: tf.logical_xor, "LogicalXor".
KILN_EXPORT Output logicalXor(const Input &x, const Input &y,
                              const OpOptions &options = {});
/// The nearest integer, the even one of two. **Edges**: integers as they are.
/// **Source**: tf.round, "Round".
KILN_EXPORT Output round(const Input &x, const OpOptions &options = {});
/// **Source**: tf.sign, "Sign".
KILN_EXPORT Output sign(const Input &x, const OpOptions &options = {});
/// log(sigmoid(x)). **Source**: tf.log_sigmoid, "LogSigmoid".
KILN_EXPORT Output logSigmoid(const Input &x, const OpOptions &options = {});

/// x / y, and 0 where y is 0. Integers are divided as float64. **Source**:
/// tf.math.divide_no_nan, "div_no_nan".
KILN_EXPORT Output divNoNan(const Input &x, const Input &y,
                            const OpOptions &options = {});
/// x * y, and 0 where y is 0, whatever x is. **Source**:
/// tf.math.multiply_no_nan, "multiply_no_nan".
KILN_EXPORT Output multiplyNoNan(const Input &x, const Input &y,
                                 const OpOptions &options = {});
/// 1 / x, and 0 where x is 0. **Source**: tf.math.reciprocal_no_nan,
/// "reciprocal_no_nan".
KILN_EXPORT Output reciprocalNoNan(const Input &x,
                                   const OpOptions &options = {});
/// x / y, and 0 where x is 0. **Source**: tf.math.xdivy, "xdivy/Xdivy".
KILN_EXPORT Output xdivy(const Input &x, const Input &y,
                         const OpOptions &options = {});
/// **Source**: tf.math.xlog1py, "xlog1py/Xlog1py".
KILN_EXPORT Output xlog1py(const Input &x, const Input &y,
                           const OpOptions &options = {});
/// **Source**: tf.math.erfinv, "erfinv/Erfinv".
KILN_EXPORT Output erfinv(const Input &x, const OpOptions &options = {});
/// **Source**: tf.math.ndtri, "ndtri/Ndtri".
KILN_EXPORT Output ndtri(const Input &x, const OpOptions &options = {});

/// The conversion of what lies within the dtype's range; the rest becomes the
/// range's ends. **Source**: tf.saturate_cast, "saturate_cast".
KILN_EXPORT Output saturateCast(const Input &value, DType dtype,
                                const OpOptions &options = {});

struct AccumulateOptions {
  Shape shape = Shape::unknownRank();
  DType tensorDType = DType::Invalid;
  std::string name = {};
};
/// The sum. **Edges**: of one tensor without a name, that tensor. **Errors** of
/// the graph: INVALID_ARGUMENT for tensors of other dtypes and shapes.
/// **Source**: tf.accumulate_n, "AddN".
KILN_EXPORT Output accumulateN(const InputList &inputs,
                               const AccumulateOptions &options = {});
/// The value of the polynomial, whose coefficients begin with that of the
/// highest power. **Source**: tf.math.polyval, "polyval".
KILN_EXPORT Output polyval(const InputList &coefficients, const Input &x,
                           const OpOptions &options = {});

} // namespace kiln::ops

#endif // KILN_OPS_ELEMENTWISEOPS_H
