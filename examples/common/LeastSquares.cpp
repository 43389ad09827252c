// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solves the regression with Eigen.
#include "examples/common/LeastSquares.h"

#include <Eigen/Dense>

namespace kiln::examples {

double leastSquaresLoss(const RegressionData &data) {
  using RowMajor =
      Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::MatrixXd x = Eigen::Map<const RowMajor>(data.x.data<float>().data(),
                                                 data.rows(), data.features())
                          .cast<double>();
  Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXf>(
                          data.y.data<float>().data(), data.rows())
                          .cast<double>();
  Eigen::VectorXd theta = (x.transpose() * x).ldlt().solve(x.transpose() * y);
  return (x * theta - y).squaredNorm() / static_cast<double>(data.rows());
}

} // namespace kiln::examples
