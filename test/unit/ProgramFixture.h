// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tests of whole programs share: the recorded graph beside the built one,
// and the values of both.
#ifndef KILN_TEST_UNIT_PROGRAMFIXTURE_H
#define KILN_TEST_UNIT_PROGRAMFIXTURE_H

#include "kiln/GraphBuilder.h"
#include "kiln/GraphDef.h"
#include "kiln/GraphScopes.h"
#include "test/unit/CompareGraphs.h"
#include "test/unit/RecordedCases.h"
#include "test/unit/StatusMatchers.h"
#include "tools/golden/Runner.h"

#include <gmock/gmock.h>

namespace kiln {

/// A graph that is built as a program in Python built the recorded one.
class ProgramFixture : public ::testing::Test {
protected:
  /// Compares the current graph, as it is written, with a recorded one, and
  /// what it gives with what TensorFlow's gave.
  void expectGraph(const std::string &program) {
    ASSERT_EQ(graph.status(), okStatus());
    auto written = toGraphDef(*graph.graph());
    ASSERT_EQ(written.status(), okStatus());
    auto read = loadGraphDef(*written);
    ASSERT_EQ(read.status(), okStatus());
    EXPECT_THAT(graphDifferences(**read, *load(program), comparison),
                ::testing::IsEmpty());

    auto recorded = golden::readCase(folder(program));
    ASSERT_EQ(recorded.status(), okStatus());
    golden::CaseResult result = golden::runCase(*recorded, {}, graph.graph());
    EXPECT_EQ(result.failure, "");
    EXPECT_FALSE(result.steps.empty());
    for (const golden::StepResult &step : result.steps)
      EXPECT_EQ(step.failure, "");
  }

  static std::string folder(const std::string &program) {
    return testing::recordedFolder(program);
  }

  static std::shared_ptr<Graph> load(const std::string &program) {
    auto golden = loadGraphDefFile(folder(program) + "/graph.pb");
    EXPECT_EQ(golden.status(), okStatus());
    return golden.valueOr(nullptr);
  }

  /// A constant of the recorded graph.
  static Tensor constantOf(const std::string &program,
                           const std::string &node) {
    return *load(program)->lookup(node)->attr<Tensor>("value");
  }

  /// Nodes inside of gradients may be others; what uses them is not.
  static bool isOfGradients(const Node &node) {
    return node.name().starts_with("gradients");
  }

  GraphComparison comparison;
  GraphBuilder graph;
  GraphScope scope{graph};
};

} // namespace kiln

#endif // KILN_TEST_UNIT_PROGRAMFIXTURE_H
