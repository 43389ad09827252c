// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of functions that are made of several ops share.
#ifndef KILN_TEST_UNIT_BUILD_COMPOSITIONFIXTURE_H
#define KILN_TEST_UNIT_BUILD_COMPOSITIONFIXTURE_H

#include "kiln/ops/ArrayOps.h"
#include "test/unit/ProgramFixture.h"

#include <cmath>

namespace kiln {

class CompositionFixture : public ProgramFixture {
protected:
  static constexpr DType int32 = DType::Int32, int64 = DType::Int64,
                         float32 = DType::Float32, float64 = DType::Float64;

  static Output input(DType dtype, const Shape &shape, std::string name) {
    return ops::placeholder(dtype, shape, {.name = std::move(name)});
  }
  /// The values that the recorder calls by the same name.
  static Tensor waves(const Shape &shape) {
    std::vector<double> values(
        static_cast<size_t>(shape.numElements().valueOr(0)));
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = std::sin(static_cast<double>(i) * 1.7);
    return Tensor::fromValues<double>(shape, values).valueOr(Tensor());
  }
  /// What went wrong, after which building goes on.
  std::string error() { return std::string(graph.takeStatus().message()); }
};

} // namespace kiln

#endif // KILN_TEST_UNIT_BUILD_COMPOSITIONFIXTURE_H
