// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solves a linear regression at once, by the normal equation:
// normal_equation FILE.csv (examples/data).
#include "examples/common/Check.h"
#include "examples/common/Regression.h"
#include "kiln/BuildOps.h"
#include "kiln/DefaultSession.h"

#include <cstdio>

using namespace kiln;
using examples::check;

int main(int argc, char **argv) {
  auto table = check(examples::readCsv(argc > 1 ? argv[1] : "diabetes.csv"));
  auto data = check(examples::standardize(table));

  Output x = ops::constant(data.x, {.name = "X"});
  Output y = ops::constant(data.y, {.name = "y"});
  Output xt = ops::transpose(x);
  Output theta =
      ops::matMul(ops::matMul(ops::matrixInverse(ops::matMul(xt, x)), xt), y);
  Output mse = ops::reduceMean(ops::square(ops::matMul(x, theta) - y));

  SessionScope session(check(makeSession()));
  auto [solution, loss] = check(eval(std::pair(theta, mse)));
  std::printf("%8.2f  bias\n", solution.data<float>()[0]);
  for (size_t i = 0; i + 1 < table.columns.size(); ++i)
    std::printf("%8.2f  %s\n", solution.data<float>()[i + 1],
                table.columns[i].c_str());
  std::printf("mean squared error %.2f\n", loss.data<float>()[0]);
}
