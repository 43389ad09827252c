// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small graph with a placeholder, variables and updates, for the tests of
// sessions.
#ifndef KILN_TEST_UNIT_SESSIONFIXTURE_H
#define KILN_TEST_UNIT_SESSIONFIXTURE_H

#include "kiln/Session.h"
#include "lib/OpDefs/Inference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace kiln::testing {

template <class T> Tensor tensorOf(Shape shape, std::vector<T> values) {
  auto made = Tensor::fromValues<T>(shape, std::span<const T>(values));
  EXPECT_TRUE(made.ok()) << made.status().toString();
  return made.ok() ? *made : Tensor();
}

/// A tensor of shape [rows, columns] with elements 0, 1, 2 …
inline Tensor countingMatrix(int64_t rows, int64_t columns) {
  std::vector<float> values(static_cast<size_t>(rows * columns));
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i);
  return tensorOf<float>({rows, columns}, values);
}

template <class T> std::vector<T> valuesOf(const Tensor &tensor) {
  auto data = tensor.data<T>();
  return {data.begin(), data.end()};
}

/// Writes nodes as a Python program would have.
class GraphWriter {
public:
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(makeNodeChecker());

  void add(std::string name, std::string op, std::vector<NodeInput> inputs,
           AttrMap attrs = {}) {
    auto made = graph->addNode({.name = std::move(name),
                                .op = std::move(op),
                                .inputs = std::move(inputs),
                                .attrs = std::move(attrs)});
    EXPECT_TRUE(made.ok()) << made.status().toString();
  }
  void placeholder(std::string name, DType dtype, Shape shape) {
    add(std::move(name), "Placeholder", {},
        {{"dtype", dtype}, {"shape", shape}});
  }
  void constant(std::string name, Tensor value) {
    add(std::move(name), "Const", {},
        {{"dtype", value.dtype()}, {"value", value}});
  }
  /// `name`, `name`/initial, `name`/Assign, `name`/read.
  void variable(const std::string &name, Tensor initial) {
    DType dtype = initial.dtype();
    constant(name + "/initial", initial);
    add(name, "VariableV2", {}, {{"dtype", dtype}, {"shape", initial.shape()}});
    add(name + "/Assign", "Assign", {name, name + "/initial"}, {{"T", dtype}});
    add(name + "/read", "Identity", {name}, {{"T", dtype}});
  }
  void binary(std::string name, std::string op, std::string x, std::string y,
              DType dtype) {
    add(std::move(name), std::move(op), {std::move(x), std::move(y)},
        {{"T", dtype}});
  }
};

/// x: [?, 3]; w: [3]; scaled = x * w; rows = sum(scaled, 1); bump: w += 1;
/// count: counts up by one in every run of `increment`.
inline std::shared_ptr<Graph> scaleGraph() {
  GraphWriter writer;
  constexpr DType f32 = DType::Float32;
  writer.placeholder("x", f32, {-1, 3});
  writer.variable("w", tensorOf<float>({3}, {1, 2, 3}));
  writer.binary("scaled", "Mul", "x", "w/read", f32);
  writer.constant("axis", tensorOf<int32_t>({1}, {1}));
  writer.add("rows", "Sum", {"scaled", "axis"},
             {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
  writer.constant("ones", tensorOf<float>({3}, {1, 1, 1}));
  writer.binary("bump", "AssignAdd", "w", "ones", f32);
  writer.variable("count", Tensor::scalar<int64_t>(0));
  writer.constant("one", Tensor::scalar<int64_t>(1));
  writer.binary("increment", "AssignAdd", "count", "one", DType::Int64);
  writer.add("init", "NoOp", {"^w/Assign", "^count/Assign"});
  return writer.graph;
}

/// What rows gives for x and w.
inline std::vector<float> scaledRows(const Tensor &x,
                                     const std::vector<float> &w) {
  std::vector<float> rows(static_cast<size_t>(x.dim(0)));
  auto values = x.data<float>();
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t j = 0; j < w.size(); ++j)
      rows[i] += values[i * w.size() + j] * w[j];
  return rows;
}

inline std::unique_ptr<Session> openSession(std::shared_ptr<Graph> graph,
                                            ExecutionMode mode) {
  SessionOptions options;
  options.mode = mode;
  auto made = Session::create(std::move(graph), options);
  EXPECT_TRUE(made.ok()) << made.status().toString();
  return *std::move(made);
}

/// The last answer of three runs: by then native code has had its turn.
inline StatusOr<Tensor> runThrice(Session &session,
                                  const std::vector<Feed> &feeds,
                                  const std::string &fetch) {
  StatusOr<Tensor> result = Tensor();
  for (int i = 0; i < 3; ++i) {
    auto results = session.run(feeds, {fetch});
    result = results.ok() ? StatusOr<Tensor>(results->at(0))
                          : StatusOr<Tensor>(results.status());
  }
  return result;
}

/// Suites run once a mode.
class SessionTest : public ::testing::TestWithParam<ExecutionMode> {
protected:
  std::unique_ptr<Session> open(std::shared_ptr<Graph> graph) {
    return openSession(std::move(graph), GetParam());
  }
  /// A session on scaleGraph() whose variables have their values.
  std::unique_ptr<Session> openInitialized() {
    auto session = open(scaleGraph());
    auto result = session->run({}, {}, {"init"});
    EXPECT_TRUE(result.ok()) << result.status().toString();
    return session;
  }
};

inline std::string
modeName(const ::testing::TestParamInfo<ExecutionMode> &info) {
  return info.param == ExecutionMode::Auto         ? "Auto"
         : info.param == ExecutionMode::NativeOnly ? "Native"
                                                   : "Evaluator";
}

} // namespace kiln::testing

#endif // KILN_TEST_UNIT_SESSIONFIXTURE_H
