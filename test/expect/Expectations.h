// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test function taken apart: what it runs on, and what is expected of it.
#ifndef KILN_TEST_EXPECT_EXPECTATIONS_H
#define KILN_TEST_EXPECT_EXPECTATIONS_H

#include "test/unit/JIT/NativeHarness.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace kiln::check {

/// One value that is looked at.
struct Expectation {
  mlir::Location loc;
  /// A result of the function by number, or a variable by index.
  std::optional<size_t> result, variable;
  Tensor expected;
  int64_t ulps = 0;
};

/// What a test function asks for.
struct TestCase {
  std::string name;
  /// The function alone, as @run, with its variables; it returns what is
  /// looked at, and has no check ops any more.
  mlir::OwningOpRef<mlir::ModuleOp> module;
  NativeInputs inputs;
  std::vector<Expectation> expectations;
  std::optional<std::string> error;
};

/// Takes the function out of its module. **Errors**: INVALID_ARGUMENT for a
/// test that lacks a value, or expects nothing.
StatusOr<TestCase> readTest(mlir::func::FuncOp function);

/// What of `got` is not as expected; empty where all is.
std::string mismatch(const Tensor &got, const Expectation &expectation);

} // namespace kiln::check

#endif // KILN_TEST_EXPECT_EXPECTATIONS_H
