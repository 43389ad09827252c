// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on quantized numbers, whose ranges are inputs.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

/// The ends of some ranges that hold 0.
void ranges(Call &call, int count) {
  for (int i = 0; i < count; ++i) {
    call.fresh({}, between(-6, -1));
    call.fresh({}, between(1, 6));
  }
}

void setTypes(Call &call, DType bytes, DType wide = DType::QInt32) {
  for (const char *attr : {"T", "T1", "T2", "Tfilter"})
    call.setIf(attr, bytes);
  for (const char *attr : {"Toutput", "out_type"})
    call.setIf(attr, wide);
  call.setIf("Tactivation", DType::QUInt8);
}

bool requantize(Call &call) {
  call.setIf("Tinput", DType::QInt32);
  call.setIf("out_type", call.def.name == "Requantize" && call.random.chance(50)
                             ? DType::QInt8
                             : DType::QUInt8);
  call.any();
  ranges(call, call.def.inputs.size() > 3 ? 2 : 1);
  return call.done();
}

bool product(Call &call) {
  setTypes(call, DType::QUInt8);
  Extents dims = call.maker.randomDims(3, 3);
  auto matrix = [&](const char *transposed, Extent rows, Extent columns) {
    call.like(call.flag(transposed) ? Extents{columns, rows}
                                    : Extents{rows, columns});
  };
  matrix("transpose_a", dims[0], dims[1]);
  matrix("transpose_b", dims[1], dims[2]);
  ranges(call, 2);
  return call.done();
}

Extents randomImage(Call &call) {
  Extents dims;
  for (int64_t most : {3, 7, 7, 9})
    dims.emplace_back(call.random.between(1, most));
  return dims;
}

bool convolution(Call &call) {
  setTypes(call, DType::QUInt8);
  call.set("Tinput", DType::QUInt8);
  const int64_t stride = call.random.between(1, 3);
  call.set("strides", std::vector<int64_t>{1, stride, stride, 1});
  call.set("dilations", std::vector<int64_t>{1, 1, 1, 1});
  call.set("padding", "SAME");
  Extents image = randomImage(call);
  call.like(image);
  call.like({call.random.between(1, 4), call.random.between(1, 4), image[3],
             call.random.between(1, 20)});
  ranges(call, 2);
  return call.done();
}

bool pool(Call &call) {
  setTypes(call, call.random.among({DType::QUInt8, DType::QInt8}));
  call.set("ksize", std::vector<int64_t>{1, call.random.between(1, 3),
                                         call.random.between(1, 3), 1});
  call.set("strides", std::vector<int64_t>{1, call.random.between(1, 3),
                                           call.random.between(1, 3), 1});
  call.set("padding", "SAME");
  call.like(randomImage(call));
  ranges(call, 1);
  return call.done();
}

bool bias(Call &call) {
  setTypes(call, call.random.among({DType::QUInt8, DType::QInt8}));
  Extents dims = call.maker.randomDims(2, 4);
  if (dims.back().least() == 0)
    dims.back() = 3;
  call.like(dims);
  call.like({dims.back()});
  ranges(call, 2);
  return call.done();
}

bool binary(Call &call) {
  setTypes(call, DType::QUInt8);
  Extents dims = call.maker.randomDims(1, 4);
  for (Extent &dim : dims)
    if (dim.least() == 0)
      dim = 2;
  call.like(dims);
  call.like(call.random.chance(50) ? dims : Extents{dims.back()});
  ranges(call, 2);
  return call.done();
}

bool activation(Call &call) {
  const DType dtype = call.random.among({DType::QUInt8, DType::QInt32});
  call.set("Tinput", dtype);
  call.set("out_type", dtype);
  call.any();
  if (call.def.inputs.size() > 3)
    call.fresh({}, between(0, 9));
  ranges(call, 1);
  return call.done();
}

bool concat(Call &call) {
  setTypes(call, call.random.among({DType::QUInt8, DType::QInt32}));
  const int64_t count = call.random.between(2, 3);
  call.set("N", count);
  Extents dims = call.maker.randomDims(1, 4);
  const int axis = call.random.below(static_cast<int>(dims.size()));
  call.scalar(axis);
  for (int64_t i = 0; i < count; ++i) {
    dims[static_cast<size_t>(axis)] = call.random.between(1, 4);
    call.like(dims);
  }
  for (int64_t i = 0; i < count; ++i)
    call.fresh({}, between(-6, -1));
  for (int64_t i = 0; i < count; ++i)
    call.fresh({}, between(1, 6));
  return call.done();
}

bool reshape(Call &call) {
  setTypes(call, call.random.among({DType::QUInt8, DType::QInt32}));
  Extents dims = call.maker.randomDims(1, 4);
  call.like(dims);
  std::swap(dims.front(), dims.back());
  call.in(call.maker.shapeValue(call.next(), dims));
  ranges(call, 1);
  return call.done();
}

bool byChannel(Call &call) {
  setTypes(call, DType::QInt32, DType::QUInt8);
  Extents image = randomImage(call);
  call.like(image);
  call.fresh({image[3]}, between(-6, -1));
  call.fresh({image[3]}, between(1, 6));
  if (call.def.inputs.size() > 3)
    ranges(call, 1);
  else
    call.set("clip_value_max", 5.0f);
  return call.done();
}

bool depthwise(Call &call) {
  setTypes(call, DType::QInt8);
  call.set("Tinput", DType::QUInt8);
  const int64_t stride = call.random.between(1, 2);
  call.set("strides", std::vector<int64_t>{1, stride, stride, 1});
  call.set("dilations", std::vector<int64_t>{1, 1, 1, 1});
  call.set("padding", "SAME");
  call.setIf("padding_list", std::vector<int64_t>());
  Extents image = randomImage(call);
  const int64_t more = call.random.between(1, 3);
  call.like(image);
  call.like(
      {call.random.between(1, 3), call.random.between(1, 3), image[3], more});
  if (call.def.inputs.size() > 6)
    call.fresh({image[3] * Extent(more)}, between(-1, 1));
  ranges(call, 2);
  return call.done();
}

bool batchNorm(Call &call) {
  call.set("Tinput", DType::QUInt8);
  call.set("out_type", DType::QInt32);
  call.set("variance_epsilon", 0.25f);
  Extents image = randomImage(call);
  call.like(image);
  ranges(call, 1);
  for (int i = 0; i < 4; ++i) {
    call.like({image[3]});
    call.fresh({}, i == 1 ? between(0, 0.5) : between(-6, -1));
    call.fresh({}, between(1, 6));
  }
  return call.done();
}

bool instanceNorm(Call &call) {
  setTypes(call, DType::QUInt8);
  call.set("given_y_min", -2.0f);
  call.set("given_y_max", 3.0f);
  call.set("variance_epsilon", 0.125f);
  call.set("min_separation", 0.5f);
  call.like(randomImage(call));
  ranges(call, 1);
  return call.done();
}

bool resize(Call &call) {
  setTypes(call,
           call.random.among({DType::QUInt8, DType::QInt32, DType::Float32}));
  if (call.flag("align_corners"))
    call.set("half_pixel_centers", false);
  call.like(randomImage(call));
  call.integers({call.random.between(1, 9), call.random.between(1, 9)});
  ranges(call, 1);
  return call.done();
}

constexpr Recipe recipes[] = {
    {"RequantizePerChannel RequantizationRangePerChannel", byChannel},
    {"QuantizedDepthwiseConv2D QuantizedDepthwiseConv2DWithBias "
     "QuantizedDepthwiseConv2DWithBiasAndRelu",
     depthwise},
    {"QuantizedBatchNormWithGlobalNormalization", batchNorm},
    {"QuantizedInstanceNorm", instanceNorm},
    {"QuantizedResizeBilinear", resize},
    {"Requantize RequantizationRange QuantizeDownAndShrinkRange", requantize},
    {"QuantizedMatMul", product},
    {"QuantizedConv2D", convolution},
    {"QuantizedAvgPool QuantizedMaxPool", pool},
    {"QuantizedBiasAdd", bias},
    {"QuantizedAdd QuantizedMul", binary},
    {"QuantizedRelu QuantizedRelu6 QuantizedReluX", activation},
    {"QuantizedConcat", concat},
    {"QuantizedReshape", reshape},
};

} // namespace

std::span<const Recipe> quantizedRecipes() { return recipes; }

} // namespace kiln::fuzz
