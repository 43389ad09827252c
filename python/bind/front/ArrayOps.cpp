// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of kiln::ops that TensorFlow has as Python functions around
// ops, by TensorFlow's names: arrays, arithmetic, random
// numbers.
#include "kiln/ops/ArrayOps.h"
#include "kiln/Clipping.h"
#include "kiln/ConstantValue.h"
#include "kiln/Ops.h"
#include "kiln/ops/ComplexOps.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/MathOps.h"
#include "kiln/ops/RandomOps.h"
#include "kiln/ops/SparseOps.h"
#include "python/bind/Arrays.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Modules.h"

namespace kiln::python::front {

namespace {

using namespace ops;
using MaybeInput = std::optional<Input>;

/// A NumPy array of a value; None where there is none.
nanobind::object arrayOf(const std::optional<Tensor> &value) {
  return value ? nanobind::steal(arrayFromTensor(Tensor(*value)))
               : nanobind::none();
}

/// Over the axes that are given, or over all of them.
template <auto all, auto some>
Output reduced(const Input &x, const MaybeInput &axis,
               const ReduceOptions &options) {
  return axis ? some(x, *axis, options) : all(x, options);
}
#define KILN_REDUCED(name, function)                                           \
  function_<&reduced<static_cast<Output (*)(                                   \
                         const Input &, const ReduceOptions &)>(&function),    \
                     &function##Over>>(name)

PyMethodDef arrays[] = {
    function_<&constant>("constant"),
    function_<&placeholder>("placeholder"),
    function_<&zeros>("zeros"),
    function_<&ones>("ones"),
    function_<&zerosLike>("zeros_like"),
    function_<&onesLike>("ones_like"),
    function_<&fill>("fill"),
    function_<&ops::shape>("shape"),
    function_<&ops::size>("size"),
    function_<&ops::rank>("rank"),
    function_<&expandDims>("expand_dims"),
    function_<&squeeze>("squeeze"),
    function_<&concat>("concat"),
    function_<&stack>("stack"),
    function_<&unstack>("unstack"),
    function_<&split>("split"),
    function_<&splitBySizes>("split_by_sizes"),
    function_<[](const Input &a, const MaybeInput &perm,
                 const OpOptions &options) {
      return perm ? permute(a, *perm, options) : transpose(a, options);
    }>("transpose"),
    function_<&ops::gather>("gather"),
    function_<&ops::gatherNd>("gather_nd"),
    function_<[](const Input &condition, const MaybeInput &x,
                 const MaybeInput &y, const OpOptions &options) {
      return x && y ? where(condition, *x, *y, options)
                    : where(condition, options);
    }>("where"),
    function_<&oneHot>("one_hot"),
    function_<&pad>("pad"),
    function_<&stridedSlice>("strided_slice"),
    function_<&booleanMask>("boolean_mask"),
    function_<[](const Input &tensor) {
      return arrayOf(constantValue(tensor));
    }>("constant_value"),
    function_<&constantShape>("constant_shape"),
    function_<&group>("group"),
    function_<&ops::tuple>("tuple"),
    function_<&withDependencies>("with_dependencies"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef arithmetic[] = {
    function_<&add>("add"),
    function_<&subtract>("subtract"),
    function_<&multiply>("multiply"),
    function_<&trueDiv>("truediv"),
    function_<&divide>("divide"),
    function_<&ops::div>("div"),
    function_<&floorDiv>("floordiv"),
    function_<&mod>("mod"),
    function_<&ops::pow>("pow"),
    function_<&ops::abs>("abs"),
    function_<&ops::complex>("complex"),
    function_<&ops::real>("real"),
    function_<&ops::imag>("imag"),
    function_<&ops::angle>("angle"),
    function_<&ops::conj>("conj"),
    function_<&negative>("negative"),
    function_<&cast>("cast"),
    function_<&addN>("add_n"),
    function_<&clipByValue>("clip_by_value"),
    KILN_REDUCED("reduce_sum", reduceSum),
    KILN_REDUCED("reduce_mean", reduceMean),
    KILN_REDUCED("reduce_prod", reduceProd),
    KILN_REDUCED("reduce_max", reduceMax),
    KILN_REDUCED("reduce_min", reduceMin),
    KILN_REDUCED("reduce_any", reduceAny),
    KILN_REDUCED("reduce_all", reduceAll),
    function_<&argMax>("argmax"),
    function_<&argMin>("argmin"),
    function_<&cumsum>("cumsum"),
    function_<&cumprod>("cumprod"),
    function_<&matMul>("matmul"),
    function_<static_cast<Output (*)(
        const Input &, const Input &, const std::vector<int64_t> &,
        const std::vector<int64_t> &, const OpOptions &)>(&tensordot)>(
        "tensordot"),
    function_<&tensordotOfLast>("tensordot_of_last"),
    function_<&rangeFrom>("range"),
    function_<&clipByNorm>("clip_by_norm"),
    function_<&clipByAverageNorm>("clip_by_average_norm"),
    function_<&globalNorm>("global_norm"),
    function_<&clipByGlobalNorm>("clip_by_global_norm"),
    {nullptr, nullptr, 0, nullptr}};
#undef KILN_REDUCED

PyMethodDef randomNumbers[] = {
    function_<[](const Input &shape, const Input &minimum,
                 const MaybeInput &maximum, const RandomOptions &options) {
      bool isPlain = std::holds_alternative<int64_t>(minimum.value()) &&
                     std::get<int64_t>(minimum.value()) == 0 && !maximum;
      return isPlain
                 ? randomUniform(shape, options)
                 : randomUniform(shape, minimum, maximum.value_or(1), options);
    }>("random_uniform"),
    function_<&randomNormal>("random_normal"),
    function_<&truncatedNormal>("truncated_normal"),
    function_<&randomShuffle>("random_shuffle"),
    function_<&multinomial>("multinomial"),
    function_<&ops::randomGamma>("random_gamma"),
    function_<&statelessUniform>("stateless_random_uniform"),
    function_<&statelessNormal>("stateless_random_normal"),
    function_<&statelessTruncatedNormal>("stateless_truncated_normal"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef sparseTensors[] = {
    function_<&sparseFromDense>("sparse_from_dense"),
    function_<&sparseEye>("sparse_eye"),
    function_<&sparseToIndicator>("sparse_to_indicator"),
    function_<&ops::sparseReshape>("sparse_reshape"),
    function_<&sparseTranspose>("sparse_transpose"),
    function_<&sparseExpandDims>("sparse_expand_dims"),
    function_<&sparseRetain>("sparse_retain"),
    function_<&sparseResetShape>("sparse_reset_shape"),
    function_<&sparseMerge>("sparse_merge"),
    function_<&multiplyByDense>("sparse_multiply"),
    function_<&divideByDense>("sparse_divide"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindArrayOps(nanobind::module_ &module) {
  for (PyMethodDef *table : {arrays, arithmetic, randomNumbers, sparseTensors})
    addFunctions(module, table);
}

} // namespace kiln::python::front
