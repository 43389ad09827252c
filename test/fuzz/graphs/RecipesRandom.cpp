// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random streams and samplers, each with a seed.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

bool ofShape(Call &call) {
  call.in(call.maker.shapeValue(call.next(), call.maker.randomDims()));
  return call.done();
}

bool uniformInt(Call &call) {
  call.in(call.maker.shapeValue(call.next(), call.maker.randomDims()));
  int64_t low = call.random.between(-9, 5);
  call.scalar(low);
  call.scalar(low + call.random.between(1, 1000));
  return call.done();
}

bool shuffle(Call &call) {
  call.any();
  return call.done();
}

bool multinomial(Call &call) {
  Extents dims = call.maker.randomDims(2, 2);
  for (Extent &dim : dims)
    if (dim.least() == 0)
      dim = 2;
  call.fresh(dims, between(-3, 3));
  call.scalar(call.random.between(0, 5));
  return call.done();
}

/// [batch, num_true] classes below range_max.
bool candidates(Call &call) {
  int64_t numTrue = call.random.between(1, 3),
          range = call.random.between(6, 20),
          sampled = call.random.between(1, 5);
  call.set("num_true", numTrue);
  call.set("num_sampled", sampled);
  call.setIf("range_max", range);
  if (call.def.name == "AllCandidateSampler")
    range = sampled;
  if (call.has("unigrams")) {
    std::vector<float> weights;
    for (int64_t i = 0; i < range; ++i)
      weights.push_back(static_cast<float>(call.random.between(1, 9)));
    call.set("unigrams", weights);
  }
  call.indices({call.maker.randomExtent(), numTrue}, range);
  return call.done();
}

bool accidentalHits(Call &call) {
  int64_t numTrue = call.random.between(1, 3);
  call.set("num_true", numTrue);
  call.indices({call.random.between(1, 4), numTrue}, 7);
  call.fresh({call.random.between(1, 5)}, indicesBelow(7));
  return call.done();
}

bool parameterized(Call &call) {
  call.in(call.maker.shapeValue(call.next(), call.maker.randomDims(0, 2)));
  while (call.next() != DType::Invalid)
    call.fresh(call.random.chance(40) ? Extents() : Extents{3},
               between(0.25, 6));
  return call.done();
}

/// A mean, a deviation and bounds.
bool boundedNormal(Call &call) {
  call.in(call.maker.shapeValue(
      call.next(), {call.random.between(1, 4), call.maker.randomExtent()}));
  for (auto [low, high] :
       {std::pair{-2.0, 2.0}, {0.25, 2.0}, {-5.0, -0.5}, {0.5, 5.0}})
    call.scalarBetween(low, high);
  return call.done();
}

/// As a generator's: a variable of counter and key, behind an algorithm that is
/// an input, or in front of them.
bool generator(Call &call) {
  Maker &maker = call.maker;
  const std::string &op = call.def.name;
  const bool isTagged = op == "StatefulStandardNormal";
  int id =
      maker.variable(DType::Int64, {isTagged ? 4 : 3}, true,
                     isTagged ? exactly({1, 3, 0, 7}) : exactly({3, 0, 7}));
  call.in(maker.variableValue(id));
  if (!isTagged)
    call.scalar(call.random.chance(80) ? 1 : 2);
  if (op == "RngSkip" || op == "RngReadAndSkip") {
    call.scalar(call.random.between(0, 300));
    return call.done();
  }
  Extents dims = maker.randomDims();
  if (op == "StatefulRandomBinomial")
    dims.emplace_back(3);
  call.in(maker.shapeValue(call.next(), dims));
  if (op == "StatefulRandomBinomial") {
    call.fresh({3}, between(1, 30));
    call.fresh({}, between(0, 1));
  } else if (op == "StatefulUniformInt") {
    const int64_t low = call.random.between(-9, 5);
    call.scalar(low);
    call.scalar(low + call.random.between(1, 1000));
  }
  return call.done();
}

constexpr Recipe recipes[] = {
    {"RandomUniform RandomStandardNormal TruncatedNormal", ofShape, true},
    {"RandomUniformInt", uniformInt, true},
    {"RandomShuffle", shuffle, true},
    {"Multinomial", multinomial, true},
    {"UniformCandidateSampler LogUniformCandidateSampler "
     "FixedUnigramCandidateSampler AllCandidateSampler "
     "LearnedUnigramCandidateSampler ThreadUnsafeUnigramCandidateSampler",
     candidates, true},
    {"ComputeAccidentalHits", accidentalHits},
    {"RandomGamma RandomPoisson RandomPoissonV2", parameterized},
    {"ParameterizedTruncatedNormal", boundedNormal},
    {"StatefulUniform StatefulStandardNormalV2 StatefulTruncatedNormal "
     "StatefulStandardNormal StatefulUniformFullInt StatefulUniformInt "
     "StatefulRandomBinomial RngSkip RngReadAndSkip",
     generator, false},
};

} // namespace

std::span<const Recipe> randomRecipes() { return recipes; }

} // namespace kiln::fuzz
