// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs kiln functions, and single ops, by the evaluator on variables in plain
// tensors.
#ifndef KILN_TEST_UNIT_EVAL_EVALUATORFIXTURE_H
#define KILN_TEST_UNIT_EVAL_EVALUATORFIXTURE_H

#include "dialect/Kiln.h"
#include "lib/Eval/Evaluator.h"
#include "lib/Translate/Translation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cstring>
#include <map>
#include <string>

namespace kiln {

template <class T> Tensor tensor(const Shape &shape, std::vector<T> values) {
  if constexpr (std::is_same_v<T, bool>) {
    Tensor made = *Tensor::create(DType::Bool, shape);
    std::copy(values.begin(), values.end(), made.mutableData<bool>().begin());
    return made;
  } else {
    return *Tensor::fromValues<T>(shape, std::span<const T>(values));
  }
}
template <class T> Tensor vector(std::vector<T> values) {
  return tensor<T>(Shape{static_cast<int64_t>(values.size())}, values);
}
template <class T> std::vector<T> elements(const Tensor &t) {
  return {t.data<T>().begin(), t.data<T>().end()};
}

/// Variables in plain tensors.
struct Variables : VariableAccess {
  std::map<int64_t, Tensor> values;
  StatusOr<Tensor> read(int64_t index) override {
    if (!values.contains(index))
      return failedPreconditionError("Attempting to use uninitialized value");
    return values[index];
  }
  Status write(int64_t index, const Tensor &value) override {
    if (!values.contains(index))
      values[index] = *value.clone();
    // In place, as a session does: stale views would show it.
    std::memcpy(values[index].mutableRawData(), value.rawData(),
                value.byteSize());
    return okStatus();
  }
  StatusOr<Tensor> beginWrite(int64_t index, DType dtype,
                              const Shape &shape) override {
    if (!values.contains(index))
      values[index] = *Tensor::create(dtype, shape);
    return values[index];
  }
  void endWrite(int64_t) override {}
  bool isInitialized(int64_t index) override { return values.contains(index); }
};

class Evaluator : public ::testing::Test {
protected:
  Evaluator() {
    context.loadDialect<ir::KilnDialect, mlir::func::FuncDialect>();
  }

  StatusOr<std::vector<Tensor>> run(const std::string &text,
                                    std::vector<Tensor> feeds = {}) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return invalidArgumentError("the test's text does not parse");
    auto program = translate(*module->getOps<mlir::func::FuncOp>().begin());
    if (!program.ok())
      return program.status();
    environment.feeds = feeds;
    environment.symbols = symbols;
    environment.variables = &variables;
    return evaluate(*program, environment);
  }
  /// Runs `op` (which names %a, %b, %c) on operands of the given types.
  StatusOr<Tensor> runOp(const std::string &op,
                         const std::vector<std::string> &types,
                         const std::string &result, std::vector<Tensor> feeds) {
    std::string arguments;
    for (size_t i = 0; i < types.size(); ++i)
      arguments += std::string(i ? ", %" : "%") + static_cast<char>('a' + i) +
                   ": " + types[i];
    auto results =
        run("func.func @f(" + arguments + ") -> " + result + " { %r = " + op +
                " loc(\"my_node\")\n return %r : " + result + " }",
            std::move(feeds));
    if (!results.ok())
      return results.status();
    return (*results)[0];
  }
  /// A binary op on two vectors of one type.
  template <class T>
  StatusOr<Tensor> binary(const std::string &name, const std::string &element,
                          std::vector<T> x, std::vector<T> y) {
    std::string type =
        "tensor<" + std::to_string(x.size()) + "x" + element + ">";
    return runOp("kiln." + name + " %a, %b : " + type, {type, type}, type,
                 {vector(x), vector(y)});
  }

  mlir::MLIRContext context;
  Variables variables;
  EvalEnvironment environment;
  std::vector<int64_t> symbols;
};

} // namespace kiln
#endif // KILN_TEST_UNIT_EVAL_EVALUATORFIXTURE_H
