// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Datasets of numbers whose functions are C++.
#ifndef KILN_TEST_UNIT_PIPELINES_NUMBERS_H
#define KILN_TEST_UNIT_PIPELINES_NUMBERS_H

#include "lib/Pipelines/Datasets.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace kiln {

using Body = std::function<Status(std::span<const Tensor>, Element &)>;

class Function final : public ElementFunction {
public:
  explicit Function(Body body, bool pure = true)
      : body(std::move(body)), pure(pure) {}
  Status call(std::span<const Tensor> arguments, Element &results,
              const PullContext &) const override {
    return body(arguments, results);
  }

  bool isPure() const override { return pure; }

private:
  const Body body;
  const bool pure;
};

inline CapturedFunction function(Body body, Element captured = {}) {
  return CapturedFunction(std::make_shared<Function>(std::move(body)),
                          std::move(captured));
}

inline int64_t number(const Tensor &tensor) {
  return tensor.data<int64_t>()[0];
}

inline DatasetPtr range(int64_t stop) {
  return *rangeOf(0, stop, 1, DType::Int64);
}

/// The first components of all elements, which are numbers; an error is -code.
inline std::vector<int64_t> numbersIn(DatasetIterator &iterator,
                                      size_t most = 50) {
  std::vector<int64_t> numbers;
  PullContext pull;
  Element element;
  while (numbers.size() < most) {
    auto has = iterator.next(element, pull);
    if (!has.ok())
      numbers.push_back(-static_cast<int64_t>(has.status().code()));
    else if (*has)
      for (int64_t value : element[0].data<int64_t>())
        numbers.push_back(value);
    else
      break;
  }
  EXPECT_FALSE(numbers.size() < most && *iterator.next(element, pull))
      << "an end stays one";
  return numbers;
}

inline std::vector<int64_t> numbersOf(const DatasetPtr &dataset,
                                      size_t most = 50) {
  IterationState state;
  return numbersIn(**dataset->iterate(state), most);
}
/// Of a walk at a place that has been walked before.
inline std::vector<int64_t> numbersOf(const DatasetPtr &dataset,
                                      IterationState &state) {
  return numbersIn(**dataset->iterate(state));
}

inline Status addOne(std::span<const Tensor> arguments, Element &results) {
  results = {Tensor::scalar(number(arguments[0]) + 1)};
  return okStatus();
}

} // namespace kiln

#endif // KILN_TEST_UNIT_PIPELINES_NUMBERS_H
