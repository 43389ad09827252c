// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of tf.nn that are compositions of ops, by TensorFlow's names.
#include "kiln/ops/NnOps.h"
#include "kiln/SampledLosses.h"
#include "kiln/ops/ActivationOps.h"
#include "kiln/ops/ConvolutionOps.h"
#include "kiln/ops/EmbeddingOps.h"
#include "kiln/ops/PoolingOps.h"
#include "kiln/ops/SetOps.h"
#include "python/bind/front/Call.h"
#include "python/bind/front/Callbacks.h"
#include "python/bind/front/Modules.h"
#include "python/bind/front/NnValues.h"

namespace kiln::python::front {

/// The name, or the numbers.
template <> struct To<ops::Padding> {
  static nanobind::object convert(const ops::Padding &padding) {
    return padding.name.empty() ? toPython(padding.numbers)
                                : toPython(padding.name);
  }
};

namespace {

using namespace ops;

PyMethodDef activations[] = {
    function_<&biasAdd>("bias_add"),
    function_<&softmax>("softmax"),
    function_<&logSoftmax>("log_softmax"),
    function_<&crelu>("crelu"),
    function_<&leakyRelu>("leaky_relu"),
    function_<[](const Input &features) { return swish(features); }>("swish"),
    function_<&xwPlusB>("xw_plus_b"),
    function_<&reluLayer>("relu_layer"),
    function_<&ops::dropout>("dropout"),
    function_<&dropoutKeeping>("dropout_keeping"),
    function_<&inTopK>("in_top_k"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef losses[] = {function_<&softmaxCrossEntropyWithLogits>(
                            "softmax_cross_entropy_with_logits"),
                        function_<&softmaxCrossEntropyWithLogitsV2>(
                            "softmax_cross_entropy_with_logits_v2"),
                        function_<&sparseSoftmaxCrossEntropyWithLogits>(
                            "sparse_softmax_cross_entropy_with_logits"),
                        function_<&sigmoidCrossEntropyWithLogits>(
                            "sigmoid_cross_entropy_with_logits"),
                        function_<&weightedCrossEntropyWithLogits>(
                            "weighted_cross_entropy_with_logits"),
                        function_<&logPoissonLoss>("log_poisson_loss"),
                        function_<&nceLoss>("nce_loss"),
                        function_<&sampledSoftmaxLoss>("sampled_softmax_loss"),
                        {nullptr, nullptr, 0, nullptr}};

PyMethodDef convolutions[] = {
    function_<&conv2D>("conv2d"),
    function_<&conv1D>("conv1d"),
    function_<&convolution>("convolution"),
    function_<&atrousConv2D>("atrous_conv2d"),
    function_<&depthwiseConv2D>("depthwise_conv2d"),
    function_<&separableConv2D>("separable_conv2d"),
    function_<&conv1DTranspose>("conv1d_transpose"),
    function_<&conv2DTranspose>("conv2d_transpose"),
    function_<&conv3DTranspose>("conv3d_transpose"),
    function_<&convTranspose>("conv_transpose"),
    function_<&atrousConv2DTranspose>("atrous_conv2d_transpose"),
    function_<&erosion2D>("erosion2d"),
    function_<&withSpaceToBatch>("with_space_to_batch"),
    function_<&requiredSpaceToBatchPaddings>(
        "required_space_to_batch_paddings"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef pools[] = {function_<&maxPool>("max_pool"),
                       function_<&maxPool1D>("max_pool1d"),
                       function_<&maxPool2D>("max_pool2d"),
                       function_<&maxPool3D>("max_pool3d"),
                       function_<&maxPoolV2>("max_pool_v2"),
                       function_<&avgPool>("avg_pool"),
                       function_<&avgPool1D>("avg_pool1d"),
                       function_<&avgPool3D>("avg_pool3d"),
                       function_<&avgPoolV2>("avg_pool_v2"),
                       function_<&ops::pool>("pool"),
                       function_<&maxPoolWithArgmax>("max_pool_with_argmax"),
                       {nullptr, nullptr, 0, nullptr}};

PyMethodDef normalizations[] = {
    function_<&moments>("moments"),
    function_<&weightedMoments>("weighted_moments"),
    function_<&sufficientStatistics>("sufficient_statistics"),
    function_<&normalizeMoments>("normalize_moments"),
    function_<&batchNormalization>("batch_normalization"),
    function_<&batchNormWithGlobalNormalization>(
        "batch_norm_with_global_normalization"),
    function_<&fusedBatchNorm>("fused_batch_norm"),
    function_<&l2Normalize>("l2_normalize"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef embeddings[] = {
    function_<&embeddingLookup>("embedding_lookup"),
    function_<&embeddingLookupSparse>("embedding_lookup_sparse"),
    function_<&safeEmbeddingLookupSparse>("safe_embedding_lookup_sparse"),
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef sequences[] = {
    function_<&ctcLoss>("ctc_loss"),
    function_<&ctcGreedyDecoder>("ctc_greedy_decoder"),
    function_<&ctcBeamSearchDecoder>("ctc_beam_search_decoder"),
    function_<&collapseRepeated>("collapse_repeated"),
    {nullptr, nullptr, 0, nullptr}};

} // namespace

void bindNnOps(nanobind::module_ &module) {
  for (PyMethodDef *table : {activations, losses, convolutions, pools,
                             normalizations, embeddings, sequences})
    addFunctions(module, table);
}

} // namespace kiln::python::front
