// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of images without channels: no group of filters is left. What
// TensorFlow 2.21's own kernel gives is zeros (oneDNN's refuses them), and so
// are the gradients.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using testing::GraphWriter;
using testing::tensorOf;

constexpr DType f32 = DType::Float32;

AttrMap windows() {
  std::vector<int64_t> ones = {1, 1, 1, 1};
  return {{"T", f32}, {"strides", ones}, {"padding", "SAME"}};
}

class ConvolutionChannels : public ::testing::TestWithParam<ExecutionMode> {
protected:
  ConvolutionChannels() {
    for (const char *name : {"image", "filter", "gradient"})
      writer.add(name, "Placeholder", {},
                 {{"dtype", f32}, {"shape", Shape{-1, -1, -1, -1}}});
    for (const char *name : {"sizes", "filter_sizes"})
      writer.add(name, "Placeholder", {},
                 {{"dtype", DType::Int32}, {"shape", Shape{4}}});
    writer.add("y", "Conv2D", {"image", "filter"}, windows());
    writer.add("dimage", "Conv2DBackpropInput", {"sizes", "filter", "gradient"},
               windows());
    writer.add("dfilter", "Conv2DBackpropFilter",
               {"image", "filter_sizes", "gradient"}, windows());
  }

  StatusOr<std::vector<Tensor>> run(const char *fetch) {
    auto session = testing::openSession(writer.graph, GetParam());
    return session->run(
        {{"image:0", *Tensor::zeros(f32, {1, 2, 2, 0})},
         {"filter:0", tensorOf<float>({1, 1, 1, 1}, {3})},
         {"gradient:0", tensorOf<float>({1, 2, 2, 1}, {1, 2, 3, 4})},
         {"sizes:0", tensorOf<int32_t>({4}, {1, 2, 2, 0})},
         {"filter_sizes:0", tensorOf<int32_t>({4}, {1, 1, 1, 1})}},
        {fetch});
  }

  GraphWriter writer;
};

TEST_P(ConvolutionChannels, NoneGiveZeros) {
  auto results = run("y:0");
  ASSERT_THAT(results, testing::isOk());
  EXPECT_EQ(results->at(0).shape(), (Shape{1, 2, 2, 1}));
  EXPECT_THAT(testing::valuesOf<float>(results->at(0)), ::testing::Each(0.0f));
}

TEST_P(ConvolutionChannels, NoneHaveAnEmptyGradient) {
  auto results = run("dimage:0");
  ASSERT_THAT(results, testing::isOk());
  EXPECT_EQ(results->at(0).shape(), (Shape{1, 2, 2, 0}));
}

TEST_P(ConvolutionChannels, NoneLeaveTheFilterAGradientOfZeros) {
  auto results = run("dfilter:0");
  ASSERT_THAT(results, testing::isOk());
  EXPECT_EQ(results->at(0).shape(), (Shape{1, 1, 1, 1}));
  EXPECT_EQ(results->at(0).data<float>()[0], 0.0f);
}

TEST_P(ConvolutionChannels, AnEmptyDilatedFilterIsNoWindow) {
  writer.add("narrow", "Placeholder", {},
             {{"dtype", f32}, {"shape", Shape{1, -1, 1, 1}}});
  writer.add("dapart", "Conv2DBackpropInput", {"sizes", "narrow", "gradient"},
             {{"T", f32},
              {"strides", std::vector<int64_t>{1, 2, 1, 1}},
              {"dilations", std::vector<int64_t>{1, 1, 2, 1}},
              {"padding", "VALID"}});
  auto session = testing::openSession(writer.graph, GetParam());
  auto results =
      session->run({{"sizes:0", tensorOf<int32_t>({4}, {0, 4, 7, 1})},
                    {"narrow:0", *Tensor::zeros(f32, {1, 0, 1, 1})},
                    {"gradient:0", *Tensor::zeros(f32, {0, 1, 1, 1})}},
                   {"dapart:0"});
  EXPECT_THAT(results,
              testing::fails(StatusCode::InvalidArgument,
                             ::testing::HasSubstr("actual = 1, computed = 2")));
}

INSTANTIATE_TEST_SUITE_P(Modes, ConvolutionChannels,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

} // namespace
} // namespace kiln
