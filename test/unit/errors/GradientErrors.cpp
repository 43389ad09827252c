// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gradients, registered ones and those of loops.
#include "test/unit/errors/ErrorTable.h"

#include "kiln/Gradients.h"

namespace kiln::testing {
namespace {

Output scalar() { return ops::constant(1.0, {.name = "x"}); }
Output complexScalar(const std::string &name) {
  return ops::placeholder(DType::Complex64, {}, {.name = name});
}
Output vector() { return ops::constant({1.0, 2.0}, {.name = "x"}); }

/// Differentiates a square whose gradient is another function.
void differentiate(const std::string &name, const GradientFunction &gradient) {
  (void)registerGradient(name, gradient);
  Output x = vector();
  std::optional<GradientOverrideScope> other;
  other.emplace(
      std::vector<std::pair<std::string, std::string>>{{"Square", name}});
  Output y = ops::square(x, {.name = "y"});
  other.reset();
  gradients({y}, {x});
}

} // namespace

std::vector<ErrorCase> gradientErrors() {
  return {
      {"gradients/none_registered",
       [] {
         Output x = ops::constant({1.0}, {.name = "x"});
         gradients({ops::bucketize(x, {0.5f}, {.name = "b"})}, {x});
       }},
      {"gradients/grad_ys",
       [] {
         Output x = scalar();
         gradients({x * 2.0}, {x},
                   {.gradYs = {ops::constant(1.0), ops::constant(2.0)}});
       }},
      {"gradients/complex_y",
       [] {
         Output y = complexScalar("y");
         gradients({y}, {y});
       }},
      {"gradients/grad_y_of_another_dtype",
       [] {
         Output x = scalar();
         gradients({ops::multiply(x, 2.0, {.name = "y"})}, {x},
                   {.gradYs = {complexScalar("g")}});
       }},
      {"gradients/grad_y_of_another_shape",
       [] {
         Output x = vector();
         gradients({ops::multiply(x, 2.0, {.name = "y"})}, {x},
                   {.gradYs = {ops::constant({1.0, 2.0, 3.0})}});
       }},
      {"gradients/text",
       [] {
         Output s = ops::constant("s", {.name = "s"});
         gradients({s}, {s});
       }},
      {"gradients/shape_of_a_gradient",
       [] {
         differentiate("OfAnotherShape",
                       [](const Node &, const std::vector<Gradient> &) {
                         return std::vector<Gradient>{ops::zeros({5})};
                       });
       }},
      // TensorFlow prints the whole node.
      {"gradients/number_of_gradients",
       [] {
         differentiate("OfAnotherNumber",
                       [](const Node &, const std::vector<Gradient> &given) {
                         return std::vector<Gradient>{given[0], given[0]};
                       });
       },
       {.words = "Num gradients 2 generated for op y do not match num inputs "
                 "1"}},
      {"gradients/registered_twice",
       [] {
         auto none = [](const Node &, const std::vector<Gradient> &given) {
           return given;
         };
         (void)registerGradient("RegisteredTwice", none);
         return registerGradient("RegisteredTwice", none);
       },
       {.code = StatusCode::AlreadyExists}},
      {"gradients/second_of_a_loop",
       [] {
         Output x = scalar();
         Outputs y = ops::whileLoop(
             [](const Outputs &v) { return v[0] < 3.0; },
             [&](const Outputs &v) { return Outputs(v[0] * x); }, {x});
         gradients({gradients({y[0]}, {x})[0].tensor()}, {x});
       }},
      {"gradients/loop_inside_of_its_own",
       [] {
         Output x = scalar();
         ops::whileLoop([](const Outputs &v) { return v[0] < 3; },
                        [&](const Outputs &v) {
                          return Outputs{
                              v[0] + 1,
                              v[1] + gradients({v[1] * v[1]}, {x})[0].tensor()};
                        },
                        {0, x * 2.0});
       }},
  };
}

} // namespace kiln::testing
