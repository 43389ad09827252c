// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What adding a node says: shapes and dtypes that do not fit, values that
// become no constant.
#include "test/unit/errors/ErrorTable.h"

namespace kiln::testing {

std::vector<ErrorCase> nodeErrors() {
  return {
      {"nodes/shapes",
       [] { ops::add(ops::zeros({2, 3}), ops::zeros({4, 5})); }},
      {"nodes/matrices",
       [] { ops::matMul(ops::zeros({2, 3}), ops::zeros({4, 5})); }},
      {"nodes/matrices_in_batches",
       [] { ops::matMul(ops::zeros({2, 3, 4}), ops::zeros({2, 5, 6})); }},
      {"nodes/batches_of_matrices",
       [] { ops::matMul(ops::zeros({2, 3, 4}), ops::zeros({3, 4, 6})); }},
      {"nodes/no_elements", [] { ops::add(ops::zeros({0}), ops::zeros({2})); }},
      {"nodes/about_equal",
       [] { ops::approximateEqual(ops::zeros({2, 3}), ops::zeros({2, 4})); }},
      {"nodes/dtypes", [] { ops::add(ops::constant(1), ops::constant(1.0)); }},
      {"nodes/float_beside_integers", [] { (void)(ops::constant(1) + 1.5); }},
      {"nodes/list_of_dtypes",
       [] { ops::addN({ops::constant(1), ops::constant(1.0)}); }},
      {"nodes/dtype_not_allowed", [] { ops::sqrt(ops::constant(4)); }},
      {"nodes/constant_of_a_text",
       [] { ops::constant("a", {.dtype = DType::Int32}); }},
      {"nodes/text_of_a_number",
       [] { ops::constant(1, {.dtype = DType::String}); }},
      {"nodes/too_many_elements",
       [] { ops::constant({1, 2, 3}, {.shape = Shape{2}}); }},
      // The words of these three are the run's, which are TensorFlow's, too.
      {"nodes/reshape",
       [] { ops::reshape(ops::zeros({2, 3}), {4, 2}); },
       {.words =
            "Input to reshape is a tensor with 6 values, but the requested "
            "shape has 8"}},
      {"nodes/concat",
       [] { ops::concat({ops::zeros({2, 3}), ops::zeros({3, 3})}, 1); },
       {.words =
            "ConcatOp : Dimension 0 in both shapes must be equal: shape[0] "
            "= [2,3] vs. shape[1] = [3,3] for '{{node concat}} = "
            "ConcatV2[N=2, T=DT_FLOAT, Tidx=DT_INT32](zeros, zeros_1, "
            "concat/axis)' with input shapes: [2,3], [3,3], []."}},
      {"nodes/random_integers",
       [] { ops::randomUniform({2}, {.dtype = DType::Int32}); }},
      {"nodes/pack",
       [] { ops::stack({ops::zeros({2}), ops::zeros({3})}); },
       {.words = "Shapes of all inputs must match: values[0].shape = [2] != "
                 "values[1].shape = [3] for '{{node stack}} = Pack[N=2, "
                 "T=DT_FLOAT, axis=0](zeros, zeros_1)' with input shapes: [2], "
                 "[3]."}},
      {"nodes/pack_axis",
       [] { ops::stack({ops::zeros({2}), ops::zeros({2})}, {.axis = 3}); }},
      {"nodes/unstack",
       [] {
         ops::unstack(ops::placeholder(DType::Float32, {-1}, {.name = "x"}));
       }},
      {"nodes/mask",
       [] { ops::booleanMask(ops::zeros({2}), ops::constant(true)); }},
  };
}

} // namespace kiln::testing
