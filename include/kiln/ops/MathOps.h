// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, reductions and products as TensorFlow's Python functions add
// them.
#ifndef KILN_OPS_MATHOPS_H
#define KILN_OPS_MATHOPS_H

#include "kiln/OpOptions.h"

#include <concepts>
#include <initializer_list>
#include <type_traits>

namespace kiln::ops {

// Arithmetic, with broadcasting. A number takes the dtype of the tensor beside
// it.

/// **Source**: tf.add, "Add".
KILN_EXPORT Output add(const Input &x, const Input &y,
                       const OpOptions &options = {});
/// **Source**: tf.subtract, "Sub".
KILN_EXPORT Output subtract(const Input &x, const Input &y,
                            const OpOptions &options = {});
/// **Source**: tf.multiply, "Mul".
KILN_EXPORT Output multiply(const Input &x, const Input &y,
                            const OpOptions &options = {});
/// Integers are divided as float64. **Source**: tf.truediv, "truediv".
KILN_EXPORT Output trueDiv(const Input &x, const Input &y,
                           const OpOptions &options = {});
/// As the operator /. **Source**: tf.divide.
KILN_EXPORT Output divide(const Input &x, const Input &y,
                          const OpOptions &options = {});
/// Floats are divided, integers rounded down. **Source**: tf.div, "div".
KILN_EXPORT Output div(const Input &x, const Input &y,
                       const OpOptions &options = {});
/// **Source**: tf.floordiv, "floordiv".
KILN_EXPORT Output floorDiv(const Input &x, const Input &y,
                            const OpOptions &options = {});
/// The remainder of floorDiv(). **Source**: tf.mod, "FloorMod".
KILN_EXPORT Output mod(const Input &x, const Input &y,
                       const OpOptions &options = {});
/// **Source**: tf.pow, "Pow".
KILN_EXPORT Output pow(const Input &x, const Input &y,
                       const OpOptions &options = {});
/// **Source**: tf.abs, "Abs".
KILN_EXPORT Output abs(const Input &x, const OpOptions &options = {});
/// **Source**: tf.negative, "Neg".
KILN_EXPORT Output negative(const Input &x, const OpOptions &options = {});
/// **Edges**: x itself where it has the dtype. **Source**: tf.cast, "Cast".
KILN_EXPORT Output cast(const Input &x, DType dtype,
                        const OpOptions &options = {});
/// **Edges**: of one tensor without a name, that tensor. **Source**: tf.add_n.
KILN_EXPORT Output addN(const InputList &inputs, const OpOptions &options = {});
/// **Source**: tf.clip_by_value, "clip_by_value".
KILN_EXPORT Output clipByValue(const Input &t, const Input &minimum,
                               const Input &maximum,
                               const OpOptions &options = {});

// Reductions. Without an axis over all of them, as a Const of the axes where
// the rank is known, and as range(0, rank) where it is not.

struct ReduceOptions {
  bool keepDims = false;
  std::string name = {};
};
/// A reduction of all axes; NAMEOver() of those given, for which there are
/// overloads: an axis or a list of them behind the tensor.
#define KILN_REDUCTION(function)                                               \
  KILN_EXPORT Output function(const Input &x,                                  \
                              const ReduceOptions &options = {});              \
  KILN_EXPORT Output function##Over(const Input &x, const Input &axis,         \
                                    const ReduceOptions &options = {});        \
  template <class Axis>                                                        \
    requires std::is_convertible_v<const Axis &, Input>                        \
  Output function(const Input &x, const Axis &axis,                            \
                  const ReduceOptions &options = {}) {                         \
    return function##Over(x, axis, options);                                   \
  }                                                                            \
  inline Output function(const Input &x, std::initializer_list<int64_t> axes,  \
                         const ReduceOptions &options = {}) {                  \
    return function##Over(x, std::vector<int64_t>(axes), options);             \
  }
/// **Source**: tf.reduce_sum, "Sum".
KILN_REDUCTION(reduceSum)
/// **Source**: tf.reduce_mean, "Mean".
KILN_REDUCTION(reduceMean)
/// **Source**: tf.reduce_prod, "Prod".
KILN_REDUCTION(reduceProd)
/// **Source**: tf.reduce_max, "Max".
KILN_REDUCTION(reduceMax)
/// **Source**: tf.reduce_min, "Min".
KILN_REDUCTION(reduceMin)
/// **Source**: tf.reduce_any, "Any".
KILN_REDUCTION(reduceAny)
/// **Source**: tf.reduce_all, "All".
KILN_REDUCTION(reduceAll)
#undef KILN_REDUCTION

struct ArgOptions {
  DType outputType = DType::Int64;
  std::string name = {};
};
/// **Source**: tf.argmax, "ArgMax".
KILN_EXPORT Output argMax(const Input &x, const Input &axis = 0,
                          const ArgOptions &options = {});
/// **Source**: tf.argmin, "ArgMin".
KILN_EXPORT Output argMin(const Input &x, const Input &axis = 0,
                          const ArgOptions &options = {});

struct CumulativeOptions {
  bool exclusive = false;
  bool reverse = false;
  std::string name = {};
};
/// **Source**: tf.cumsum, "Cumsum".
KILN_EXPORT Output cumsum(const Input &x, const Input &axis = 0,
                          const CumulativeOptions &options = {});
/// **Source**: tf.cumprod, "Cumprod".
KILN_EXPORT Output cumprod(const Input &x, const Input &axis = 0,
                           const CumulativeOptions &options = {});

// Products.

struct MatMulOptions {
  bool transposeA = false;
  bool transposeB = false;
  bool adjointA = false;
  bool adjointB = false;
  /// That many elements are 0: of float32 and bfloat16 an op that leaves them
  /// out.
  bool aIsSparse = false;
  bool bIsSparse = false;
  std::string name = {};
};
/// The product of matrices, or of stacks of them. **Shapes**: a: [..., m, k],
/// b: [..., k, n]. **Source**: tf.matmul, "MatMul".
KILN_EXPORT Output matMul(const Input &a, const Input &b,
                          const MatMulOptions &options = {});

/// The sum of products over these axes of a and of b: the free axes of a, then
/// those of b. **Errors** of the graph: INVALID_ARGUMENT for lists of unequal
/// length and axes that are not there. **Source**: tf.tensordot, "Tensordot".
KILN_EXPORT Output tensordot(const Input &a, const Input &b,
                             const std::vector<int64_t> &axesOfA,
                             const std::vector<int64_t> &axesOfB,
                             const OpOptions &options = {});
/// Over the last axes of a and as many first axes of b.
KILN_EXPORT Output tensordotOfLast(const Input &a, const Input &b, int64_t axes,
                                   const OpOptions &options = {});
template <std::integral Axes>
Output tensordot(const Input &a, const Input &b, Axes axes,
                 const OpOptions &options = {}) {
  return tensordotOfLast(a, b, axes, options);
}

struct RangeOptions {
  /// The type of all three; the widest of theirs where it is Invalid.
  DType dtype = DType::Invalid;
  std::string name = "range";
};
/// **Source**: tf.range.
KILN_EXPORT Output range(const Input &limit, const RangeOptions &options = {});
KILN_EXPORT Output rangeFrom(const Input &start, const Input &limit,
                             const Input &delta = 1,
                             const RangeOptions &options = {});
template <class Limit>
  requires std::is_convertible_v<const Limit &, Input>
Output range(const Input &start, const Limit &limit, const Input &delta = 1,
             const RangeOptions &options = {}) {
  return rangeFrom(start, limit, delta, options);
}
} // namespace kiln::ops

#endif // KILN_OPS_MATHOPS_H
