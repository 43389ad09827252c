// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cases of the ops of neural networks.
#include "test/unit/Autodiff/GradientCases.h"

namespace kiln::testing {
namespace {

Input ints(std::vector<int32_t> values) { return Input(values); }
Varied varied(Shape shape) { return {shape, Range::Any}; }
using List = std::vector<int64_t>;

void addConvolutions(std::vector<GradientCase> &cases) {
  for (const char *padding : {"SAME", "VALID"}) {
    AttrMap flat = {{"strides", List{1, 2, 1, 1}}, {"padding", padding}};
    AttrMap deep = {{"strides", List{1, 1, 1, 1}}, {"padding", padding}};
    AttrMap cube = {{"strides", List{1, 1, 1, 1, 1}}, {"padding", padding}};
    bool isSame = std::string(padding) == "SAME";
    Shape out = isSame ? Shape{1, 2, 3, 2} : Shape{1, 2, 2, 2};
    Shape outDeep = isSame ? Shape{1, 3, 3, 4} : Shape{1, 2, 2, 4};
    Shape outCube = isSame ? Shape{1, 2, 3, 3, 2} : Shape{1, 1, 2, 2, 2};
    cases.insert(
        cases.end(),
        {{"Conv2D", {varied({1, 4, 3, 2}), varied({2, 2, 2, 2})}, flat},
         {"Conv2DBackpropInput",
          {ints({1, 4, 3, 2}), varied({2, 2, 2, 2}), varied(out)},
          flat},
         {"Conv2DBackpropFilter",
          {varied({1, 4, 3, 2}), ints({2, 2, 2, 2}), varied(out)},
          flat},
         {"DepthwiseConv2dNative",
          {varied({1, 3, 3, 2}), varied({2, 2, 2, 2})},
          deep},
         {"DepthwiseConv2dNativeBackpropInput",
          {ints({1, 3, 3, 2}), varied({2, 2, 2, 2}), varied(outDeep)},
          deep},
         {"DepthwiseConv2dNativeBackpropFilter",
          {varied({1, 3, 3, 2}), ints({2, 2, 2, 2}), varied(outDeep)},
          deep},
         {"Conv3D", {varied({1, 2, 3, 3, 2}), varied({2, 2, 2, 2, 2})}, cube},
         {"Conv3DBackpropInputV2",
          {ints({1, 2, 3, 3, 2}), varied({2, 2, 2, 2, 2}), varied(outCube)},
          cube},
         {"Conv3DBackpropFilterV2",
          {varied({1, 2, 3, 3, 2}), ints({2, 2, 2, 2, 2}), varied(outCube)},
          cube}});
  }
}

void addPools(std::vector<GradientCase> &cases) {
  AttrMap flat = {{"ksize", List{1, 2, 2, 1}},
                  {"strides", List{1, 1, 2, 1}},
                  {"padding", "SAME"}};
  AttrMap cube = {{"ksize", List{1, 2, 2, 2, 1}},
                  {"strides", List{1, 1, 2, 2, 1}},
                  {"padding", "VALID"}};
  AttrMap whole = flat;
  whole.set("include_batch_in_index", true);
  AttrMap onlyPadding = {{"padding", "SAME"}};
  cases.insert(
      cases.end(),
      {{"MaxPool", {varied({2, 3, 4, 2})}, flat},
       {"AvgPool", {varied({2, 3, 4, 2})}, flat},
       {"MaxPoolV2",
        {varied({2, 3, 4, 2}), ints({1, 2, 2, 1}), ints({1, 1, 2, 1})},
        onlyPadding},
       {"MaxPoolWithArgmax", {varied({2, 3, 4, 2})}, flat},
       {"MaxPoolWithArgmax", {varied({2, 3, 4, 2})}, whole},
       {"AvgPoolGrad", {ints({2, 3, 4, 2}), varied({2, 3, 2, 2})}, flat},
       {"AvgPool3D", {varied({1, 2, 4, 4, 2})}, cube},
       {"AvgPool3DGrad",
        {ints({1, 2, 4, 4, 2}), varied({1, 1, 2, 2, 2})},
        cube},
       {"MaxPool3D", {varied({1, 2, 4, 4, 2})}, cube, DType::Float32}});
}

void addNormalizations(std::vector<GradientCase> &cases) {
  Varied image{{2, 3, 2, 2}}, channels{{2}, Range::Positive};
  for (const char *op :
       {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"}) {
    cases.push_back({op,
                     {image, channels, channels, Input(List{}), Input(List{})},
                     {{"is_training", true}, {"epsilon", 0.01f}},
                     DType::Float32,
                     {0}});
    cases.back().inputs[3] =
        Input(Tensor::zeros(DType::Float32, {0}).valueOr(Tensor()));
    cases.back().inputs[4] = cases.back().inputs[3];
    for (const char *format : {"NHWC", "NCHW"})
      cases.push_back(
          {op,
           {image,
            Varied{{std::string(format) == "NHWC" ? 2 : 3}, Range::Positive},
            Varied{{std::string(format) == "NHWC" ? 2 : 3}},
            Input(std::string(format) == "NHWC" ? Input({0.5, 1.0})
                                                : Input({0.5, 1.0, 0.1})),
            Input(std::string(format) == "NHWC" ? Input({1.5, 1.0})
                                                : Input({1.5, 1.0, 2.0}))},
           {{"is_training", false},
            {"epsilon", 0.01f},
            {"data_format", format}},
           DType::Float32,
           {0}});
  }
  for (bool scales : {false, true})
    cases.push_back(
        {"BatchNormWithGlobalNormalization",
         {image, Varied{{2}}, channels, Varied{{2}}, Varied{{2}}},
         {{"variance_epsilon", 0.01f}, {"scale_after_normalization", scales}}});
  cases.push_back({"LRN",
                   {Varied{{1, 2, 2, 5}}},
                   {{"depth_radius", int64_t{1}}, {"alpha", 0.5f}},
                   DType::Float32});
}

} // namespace

std::vector<GradientCase> networkCases() {
  std::vector<GradientCase> cases;
  addConvolutions(cases);
  addPools(cases);
  addNormalizations(cases);
  cases.insert(
      cases.end(),
      {{"BiasAdd", {varied({2, 3, 2}), varied({2})}},
       {"BiasAddV1", {varied({2, 3, 2}), varied({2})}},
       {"BiasAdd",
        {varied({2, 3, 2, 2}), varied({3})},
        {{"data_format", "NCHW"}}},
       {"BiasAddGrad", {varied({2, 3, 2})}},
       {"BiasAddGrad", {varied({2, 3, 2, 2})}, {{"data_format", "NCHW"}}},
       // Its second output is a gradient that has one of its own.
       {"SoftmaxCrossEntropyWithLogits",
        {varied({2, 3}), Input({{0.2, 0.3, 0.5}, {0.0, 0.0, 1.0}})}},
       // The gradient of the loss alone: TensorFlow leaves out what the second
       // output owes to the labels.
       {"SoftmaxCrossEntropyWithLogits",
        {Input(Tensor::fromValues<double>({2, 3}, {0.5, -1, 2, 0, 1.5, 0.25})
                   .valueOr(Tensor())),
         Varied{{2, 3}, Range::Portion}},
        {},
        DType::Float64,
        {0}},
       {"SparseSoftmaxCrossEntropyWithLogits", {varied({2, 3}), ints({2, 0})}},
       {"ResizeBilinear",
        {varied({1, 2, 3, 2}), ints({4, 5})},
        {},
        DType::Float32},
       {"ResizeBicubic",
        {varied({1, 2, 3, 2}), ints({4, 5})},
        {},
        DType::Float32},
       {"ResizeBicubic",
        {varied({1, 3, 4, 2}), ints({5, 2})},
        {{"half_pixel_centers", true}},
        DType::Float32},
       {"ResizeNearestNeighbor", {varied({1, 2, 3, 2}), ints({4, 5})}},
       {"CropAndResize",
        {varied({2, 3, 4, 2}),
         Input({{0.1f, 0.2f, 0.9f, 0.7f}, {-0.2f, 0.9f, 0.6f, 0.1f}}),
         ints({1, 0}), ints({2, 3})},
        {},
        DType::Float32},
       {"RGBToHSV", {Varied{{2, 3, 3}, Range::Portion}}},
       {"ScaleAndTranslate",
        {varied({2, 3, 4, 2}), ints({5, 3}), Input({1.5f, 0.75f}),
         Input({-0.5f, 0.25f})},
        {},
        DType::Float32},
       {"ImageProjectiveTransformV2",
        {varied({2, 3, 4, 2}),
         Input({{1.f, 0.f, 1.f, 0.f, 1.f, -1.f, 0.f, 0.f}}), ints({3, 5})},
        {{"interpolation", "NEAREST"}}},
       {"ImageProjectiveTransformV3",
        {varied({2, 3, 4, 2}),
         Input({{1.f, 0.f, 1.f, 0.f, 1.f, -1.f, 0.f, 0.f}}), ints({3, 5}),
         Input(0.5f)},
        {{"interpolation", "NEAREST"}, {"fill_mode", "CONSTANT"}}},
       {"Dilation2D",
        {varied({2, 4, 4, 2}), varied({2, 2, 2})},
        {{"strides", List{1, 1, 2, 1}},
         {"rates", List{1, 2, 1, 1}},
         {"padding", "SAME"}},
        DType::Float64,
        {},
        // Windows of known extents alone run.
        /*mayBeUnknown=*/false},
       {"CheckNumerics", {varied({2})}, {{"message", "bad"}}},
       {"CheckNumericsV2", {varied({2})}, {{"message", "bad"}}}});
  return cases;
}

} // namespace kiln::testing
