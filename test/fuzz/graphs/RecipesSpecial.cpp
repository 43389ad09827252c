// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special functions, quantization, random numbers of seeds and keys, searches
// and colors.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

bool ofNumbers(Call &call) {
  call.fresh(call.maker.randomDims(), between(-20, 20));
  return call.done();
}

bool positivePair(Call &call) {
  Extents dims = call.maker.randomDims();
  call.fresh(dims, between(0.25, 6));
  call.fresh(dims, between(0.25, 9));
  return call.done();
}

bool betainc(Call &call) {
  Extents dims = call.maker.randomDims();
  call.fresh(dims, between(0.25, 6));
  call.fresh(dims, between(0.25, 6));
  call.fresh(dims, between(0, 1));
  return call.done();
}

bool nextAfter(Call &call) {
  Value x = call.any();
  call.in(call.maker.broadcastable(call.next(), x.dims));
  return call.done();
}

/// One range, and whether it is given.
bool quantize(Call &call) {
  call.setIf("num_bits", call.random.between(2, 16));
  call.setIf("axis", int64_t(-1));
  call.setIf("input_min", -1.5f);
  call.setIf("input_max", 2.0f);
  Extents dims = call.maker.randomDims();
  for (Extent &dim : dims)
    if (dim.least() == 0)
      dim = 2;
  call.fresh(dims, between(-9, 9));
  if (call.next() != DType::Invalid)
    call.fresh({}, between(-6, -1));
  if (call.next() != DType::Invalid)
    call.fresh({}, between(1, 6));
  if (call.next() != DType::Invalid)
    call.scalar(call.random.between(2, 16));
  return call.done();
}

bool quantizeGrad(Call &call) {
  call.set("axis", int64_t(-1));
  Value x = call.any();
  call.like(x.dims);
  call.fresh({}, between(-6, -1));
  call.fresh({}, between(1, 6));
  return call.done();
}

/// Floats to integers of one range, or back.
bool ofRange(Call &call) {
  call.set("T", call.random.among({DType::QInt8, DType::QUInt8, DType::QInt32,
                                   DType::QInt16, DType::QUInt16}));
  if (call.text("mode") != "SCALED") {
    call.set("narrow_range", false);
    call.setIf("round_mode", "HALF_AWAY_FROM_ZERO");
  }
  if (call.def.name == "Dequantize")
    call.any();
  else
    call.fresh(call.maker.randomDims(), between(-9, 9));
  call.fresh({}, between(-6, -1));
  call.fresh({}, between(1, 6));
  return call.done();
}

/// With the gradient in front, where the op has one.
bool fakeQuant(Call &call) {
  call.set("num_bits", call.random.between(2, 16));
  call.setIf("min", -1.5f);
  call.setIf("max", 2.0f);
  Extents dims = call.maker.randomDims(1, 4);
  const bool isPerChannel =
      call.def.name.find("PerChannel") != std::string::npos;
  Extents range = isPerChannel ? Extents{dims.back()} : Extents();
  if (call.def.inputs[0].name == "gradients")
    call.fresh(dims, between(-3, 3));
  call.fresh(dims, between(-9, 9));
  if (call.next() != DType::Invalid) {
    call.fresh(range, between(-6, -1));
    call.fresh(range, between(1, 6));
  }
  return call.done();
}

bool bySeed(Call &call) {
  call.in(call.maker.shapeValue(call.next(), call.maker.randomDims()));
  call.integers({call.random.between(0, 99), call.random.between(0, 99)});
  if (call.next() == DType::Invalid)
    return call.done();
  const int64_t low = call.random.between(-9, 5);
  call.scalar(low);
  call.scalar(low + call.random.between(1, 1000));
  return call.done();
}

bool byKey(Call &call) {
  if (call.def.name == "StatelessShuffle")
    call.any(1);
  else
    call.in(call.maker.shapeValue(call.next(), call.maker.randomDims()));
  call.integers({call.random.between(0, 1000)});
  call.integers({call.random.between(0, 99), call.random.between(0, 99)});
  call.scalar(1);
  if (call.next() == DType::Invalid)
    return call.done();
  const int64_t low = call.random.between(0, 5);
  call.scalar(low);
  call.scalar(low + call.random.between(1, 1000));
  return call.done();
}

bool multinomialBySeed(Call &call) {
  Extents dims = call.maker.randomDims(2, 2);
  for (Extent &dim : dims)
    if (dim.least() == 0)
      dim = 2;
  call.fresh(dims, between(-3, 3));
  call.scalar(call.random.between(0, 5));
  call.integers({call.random.between(0, 99), call.random.between(0, 99)});
  return call.done();
}

/// Distributions whose parameters go with the shape's last dimension.
bool samplesBySeed(Call &call) {
  const std::string &op = call.def.name;
  const bool isByKey = op == "StatelessRandomGammaV3";
  Extent last = call.random.between(1, 4);
  Extents dims = call.maker.randomDims(0, 3);
  dims.push_back(last);
  call.in(call.maker.shapeValue(call.next(), dims));
  if (isByKey) {
    call.integers({call.random.between(0, 1000)});
    call.integers({call.random.between(0, 99), call.random.between(0, 99)});
    call.scalar(1);
  } else {
    call.integers({call.random.between(0, 99), call.random.between(0, 99)});
  }
  const Extents of = call.random.chance(40) ? Extents() : Extents{last};
  if (op == "StatelessRandomBinomial") {
    call.fresh(of, between(1, 30));
    call.fresh(of, between(0, 1));
  } else if (op == "StatelessParameterizedTruncatedNormal") {
    call.fresh(of, between(-2, 2));
    call.fresh(of, between(0.25, 2));
    call.fresh(of, between(-5, -0.5));
    call.fresh(of, between(0.5, 5));
  } else {
    call.fresh(of, between(0.25, 6));
  }
  return call.done();
}

bool shuffleIndex(Call &call) {
  const int64_t most = call.random.between(1, 99);
  call.set("rounds", int64_t(4));
  call.fresh(call.random.chance(50) ? Extents()
                                    : Extents{call.maker.randomExtent()},
             indicesBelow(most));
  call.integers({call.random.between(0, 99), call.random.between(0, 99), 7});
  call.scalar(most);
  return call.done();
}

bool keyOfSeed(Call &call) {
  call.integers({call.random.between(0, 99), call.random.between(0, 99)});
  return call.done();
}

bool algorithm(Call &call) { return call.done(); }

/// Rows of one element are sorted whatever it is.
bool search(Call &call) {
  const DType dtype = call.type("T");
  if (!isSupported(dtype) || dtype == DType::Bool || dtype == DType::String)
    call.set("T", DType::Float32);
  Extent batch = call.maker.randomExtent();
  call.fresh({batch, call.random.among({0, 1})}, between(-4, 4));
  call.fresh({batch, call.maker.randomExtent()}, between(-5, 5));
  return call.done();
}

bool unravel(Call &call) {
  Extents dims;
  if (call.random.chance(70))
    dims = {call.random.between(1, 6)};
  call.fresh(dims, indicesBelow(24));
  call.integers({2, 3, 4});
  return call.done();
}

/// More centers may be asked for than there are.
bool nearest(Call &call) {
  const Extent width = call.random.between(1, 4);
  const Extent rows = each([](int64_t n) { return std::max<int64_t>(n, 1); },
                           call.maker.randomExtent());
  call.fresh({rows, width}, between(-4, 4));
  call.fresh({call.random.between(1, 5), width}, between(-4, 4));
  call.scalar(call.random.between(0, 6));
  return call.done();
}

bool cross(Call &call) {
  Extents dims = call.maker.randomDims(0, 3);
  dims.emplace_back(3);
  call.like(dims);
  call.like(dims);
  return call.done();
}

/// Images of three channels, and a number where the op takes one.
bool colors(Call &call) {
  Extents dims = call.maker.randomDims(0, 2);
  dims.insert(dims.end(),
              {call.random.between(1, 4), call.random.between(1, 4), 3});
  call.fresh(dims, between(0, 1));
  if (call.next() != DType::Invalid)
    call.fresh({}, between(0, 1));
  return call.done();
}

bool histogram(Call &call) {
  call.fresh(call.maker.randomDims(), between(-5, 15));
  call.fresh({2}, exactly({0, 10}));
  call.scalar(call.random.between(1, 9));
  return call.done();
}

constexpr Recipe recipes[] = {
    {"Dawsn Expint FresnelCos FresnelSin Spence BesselJ0 BesselJ1 BesselY0 "
     "BesselY1 BesselK0 BesselK0e BesselK1 BesselK1e",
     ofNumbers},
    {"IgammaGradA RandomGammaGrad", positivePair},
    {"Betainc", betainc},
    {"NextAfter", nextAfter},
    {"QuantizeAndDequantize QuantizeAndDequantizeV2 QuantizeAndDequantizeV3 "
     "QuantizeAndDequantizeV4",
     quantize},
    {"QuantizeAndDequantizeV4Grad", quantizeGrad},
    {"QuantizeV2 Dequantize", ofRange},
    {"FakeQuantWithMinMaxArgs FakeQuantWithMinMaxArgsGradient "
     "FakeQuantWithMinMaxVars FakeQuantWithMinMaxVarsGradient "
     "FakeQuantWithMinMaxVarsPerChannel "
     "FakeQuantWithMinMaxVarsPerChannelGradient",
     fakeQuant},
    {"StatelessRandomUniform StatelessRandomNormal StatelessTruncatedNormal "
     "StatelessRandomUniformInt StatelessRandomUniformFullInt",
     bySeed},
    {"StatelessRandomUniformV2 StatelessRandomNormalV2 "
     "StatelessTruncatedNormalV2 StatelessRandomUniformIntV2 "
     "StatelessRandomUniformFullIntV2 StatelessShuffle",
     byKey},
    {"StatelessMultinomial", multinomialBySeed},
    {"StatelessRandomBinomial StatelessRandomGammaV2 StatelessRandomGammaV3 "
     "StatelessRandomPoisson StatelessParameterizedTruncatedNormal",
     samplesBySeed},
    {"RandomIndexShuffle", shuffleIndex},
    {"StatelessRandomGetKeyCounter StatelessRandomGetKeyCounterAlg", keyOfSeed},
    {"StatelessRandomGetAlg", algorithm},
    {"LowerBound UpperBound", search},
    {"UnravelIndex", unravel},
    {"NearestNeighbors", nearest},
    {"Cross", cross},
    {"AdjustContrastv2 AdjustHue AdjustSaturation HSVToRGB RGBToHSV", colors},
    {"HistogramFixedWidth", histogram},
};

} // namespace

std::span<const Recipe> specialRecipes() { return recipes; }

} // namespace kiln::fuzz
