// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preparing the data, and solving the regression exactly with Eigen.
#include "examples/common/Regression.h"

#include <Eigen/Dense>

#include <cmath>

namespace kiln::examples {

RegressionData standardize(const Table &table) {
  size_t columns = table.columns.size(), rows = table.numRows();
  RegressionData data;
  data.rows = static_cast<int64_t>(rows);
  data.features = static_cast<int64_t>(columns);
  data.x.assign(rows * columns, 1.0f);
  data.y.resize(rows);
  for (size_t column = 0; column + 1 < columns; ++column) {
    auto value = [&](size_t row) {
      return table.values[row * columns + column];
    };
    double mean = 0, variance = 0;
    for (size_t row = 0; row < rows; ++row)
      mean += value(row) / static_cast<double>(rows);
    for (size_t row = 0; row < rows; ++row)
      variance +=
          (value(row) - mean) * (value(row) - mean) / static_cast<double>(rows);
    double scale = variance > 0 ? 1 / std::sqrt(variance) : 0;
    for (size_t row = 0; row < rows; ++row)
      data.x[row * columns + column + 1] =
          static_cast<float>((value(row) - mean) * scale);
  }
  for (size_t row = 0; row < rows; ++row)
    data.y[row] = static_cast<float>(table.values[row * columns + columns - 1]);
  return data;
}

double leastSquaresLoss(const RegressionData &data) {
  using RowMajor =
      Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::MatrixXd x =
      Eigen::Map<const RowMajor>(data.x.data(), data.rows, data.features)
          .cast<double>();
  Eigen::VectorXd y =
      Eigen::Map<const Eigen::VectorXf>(data.y.data(), data.rows)
          .cast<double>();
  Eigen::VectorXd theta = (x.transpose() * x).ldlt().solve(x.transpose() * y);
  return (x * theta - y).squaredNorm() / static_cast<double>(data.rows);
}

} // namespace kiln::examples
