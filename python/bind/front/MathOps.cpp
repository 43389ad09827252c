// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of kiln::ops for mathematics: single elements, reductions,
// sequences, matrices, and assertions on them.
#include "kiln/ops/CheckOps.h"
#include "kiln/ops/ElementwiseOps.h"
#include "kiln/ops/LinearAlgebraOps.h"
#include "kiln/ops/ReductionOps.h"
#include "kiln/ops/SequenceOps.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Modules.h"

namespace kiln::python::front {
namespace {

using namespace ops;

PyMethodDef elements[] = {function_<&scalarMul>("scalar_mul"),
                          function_<&logicalXor>("logical_xor"),
                          function_<&ops::round>("round"),
                          function_<&sign>("sign"),
                          function_<&logSigmoid>("log_sigmoid"),
                          function_<&divNoNan>("div_no_nan"),
                          function_<&multiplyNoNan>("multiply_no_nan"),
                          function_<&reciprocalNoNan>("reciprocal_no_nan"),
                          function_<&xdivy>("xdivy"),
                          function_<&xlog1py>("xlog1py"),
                          function_<&erfinv>("erfinv"),
                          function_<&ndtri>("ndtri"),
                          function_<&saturateCast>("saturate_cast"),
                          function_<&accumulateN>("accumulate_n"),
                          function_<&polyval>("polyval"),
                          {nullptr, nullptr, 0, nullptr}};

PyMethodDef reductions[] = {
    function_<&reduceLogSumExp>("reduce_logsumexp"),
    function_<&reduceVariance>("reduce_variance"),
    function_<&reduceStd>("reduce_std"),
    function_<&reduceEuclideanNorm>("reduce_euclidean_norm"),
    function_<&countNonzero>("count_nonzero"),
    function_<&zeroFraction>("zero_fraction"),
    function_<&lbeta>("lbeta"),
    function_<&unsortedSegmentMean>("unsorted_segment_mean"),
    function_<&unsortedSegmentSqrtN>("unsorted_segment_sqrt_n"),
    function_<&removeSqueezableDimensions>("remove_squeezable_dimensions"),
    function_<&confusionMatrix>("confusion_matrix"),
    function_<&histogramFixedWidth>("histogram_fixed_width"),
    function_<&histogramFixedWidthBins>("histogram_fixed_width_bins"),
    function_<&bincount>("bincount"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef sequences[] = {function_<&linspace>("linspace"),
                           function_<&meshgrid>("meshgrid"),
                           function_<&sequenceMask>("sequence_mask"),
                           function_<&repeat>("repeat"),
                           function_<&ops::sort>("sort"),
                           function_<&argsort>("argsort"),
                           function_<&searchsorted>("searchsorted"),
                           {nullptr, nullptr, 0, nullptr}};

PyMethodDef matrices[] = {
    function_<&eye>("eye"),
    function_<&matrixDiag>("matrix_diag"),
    function_<&matrixDiagPart>("matrix_diag_part"),
    function_<&matrixSetDiag>("matrix_set_diag"),
    function_<&matrixTranspose>("matrix_transpose"),
    function_<&adjoint>("adjoint"),
    function_<&trace>("trace"),
    function_<&matVec>("matvec"),
    function_<&norm>("norm"),
    function_<&normalize>("normalize"),
    function_<&svd>("svd"),
    function_<&selfAdjointEig>("self_adjoint_eig"),
    function_<&selfAdjointEigvals>("self_adjoint_eigvals"),
    function_<&logdet>("logdet"),
    function_<&matrixTriangularSolve>("matrix_triangular_solve"),
    function_<&choleskySolve>("cholesky_solve"),
    function_<&matrixSolveLs>("matrix_solve_ls"),
    function_<&einsum>("einsum"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef checks[] = {
    function_<&assertEqual>("assert_equal"),
    function_<&assertNoneEqual>("assert_none_equal"),
    function_<&assertLess>("assert_less"),
    function_<&assertLessEqual>("assert_less_equal"),
    function_<&assertGreater>("assert_greater"),
    function_<&assertGreaterEqual>("assert_greater_equal"),
    function_<&assertNegative>("assert_negative"),
    function_<&assertPositive>("assert_positive"),
    function_<&assertNonNegative>("assert_non_negative"),
    function_<&assertNonPositive>("assert_non_positive"),
    function_<&assertNear>("assert_near"),
    function_<&assertRank>("assert_rank"),
    function_<&assertRankAtLeast>("assert_rank_at_least"),
    function_<&assertRankIn>("assert_rank_in"),
    function_<&assertInteger>("assert_integer"),
    function_<&assertType>("assert_type"),
    function_<&assertScalar>("assert_scalar"),
    function_<&isNonDecreasing>("is_non_decreasing"),
    function_<&isStrictlyIncreasing>("is_strictly_increasing"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindMathOps(nanobind::module_ &module) {
  for (PyMethodDef *table : {elements, reductions, sequences, matrices, checks})
    addFunctions(module, table);
}

} // namespace kiln::python::front
