// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Standardizing the data, and views of some rows.
#include "examples/common/Regression.h"

#include <algorithm>
#include <cmath>

namespace kiln::examples {

StatusOr<RegressionData> standardize(const Table &table) {
  const size_t columns = table.columns.size(), rows = table.numRows();
  const auto numRows = static_cast<int64_t>(rows);
  StatusOr<Tensor> x =
      Tensor::create(DType::Float32, {numRows, static_cast<int64_t>(columns)});
  if (!x.ok())
    return x.status();
  StatusOr<Tensor> y = Tensor::create(DType::Float32, {numRows, 1});
  if (!y.ok())
    return y.status();
  std::span<float> features = x->mutableData<float>();
  std::ranges::fill(features, 1.0f);
  auto value = [&](size_t row, size_t column) {
    return table.values[row * columns + column];
  };
  for (size_t column = 0; column + 1 < columns; ++column) {
    double mean = 0, variance = 0;
    for (size_t row = 0; row < rows; ++row)
      mean += value(row, column) / static_cast<double>(rows);
    for (size_t row = 0; row < rows; ++row)
      variance += (value(row, column) - mean) * (value(row, column) - mean) /
                  static_cast<double>(rows);
    double scale = variance > 0 ? 1 / std::sqrt(variance) : 0;
    for (size_t row = 0; row < rows; ++row)
      features[row * columns + column + 1] =
          static_cast<float>((value(row, column) - mean) * scale);
  }
  for (size_t row = 0; row < rows; ++row)
    y->mutableData<float>()[row] = static_cast<float>(value(row, columns - 1));
  return RegressionData{*std::move(x), *std::move(y)};
}

StatusOr<RegressionData> batch(const RegressionData &data, int64_t begin,
                               int64_t size) {
  size = std::min(size, data.rows() - begin);
  StatusOr<Tensor> x =
      Tensor::borrow(DType::Float32, {size, data.features()},
                     data.x.data<float>().data() + begin * data.features());
  if (!x.ok())
    return x.status();
  StatusOr<Tensor> y = Tensor::borrow(DType::Float32, {size, 1},
                                      data.y.data<float>().data() + begin);
  if (!y.ok())
    return y.status();
  return RegressionData{*std::move(x), *std::move(y)};
}

} // namespace kiln::examples
