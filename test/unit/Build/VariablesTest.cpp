// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What assignments leave, and containers, with the nodes that TensorFlow 2.21
// makes of the same programs.
#include "kiln/Assignments.h"
#include "kiln/BuildOps.h"
#include "kiln/Containers.h"
#include "kiln/DefaultSession.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::isOk;

class VariablesTest : public ::testing::Test {
protected:
  std::string containerOf(const Node *node) {
    return node ? node->attrOr<std::string>("container", "none") : "no node";
  }

  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(VariablesTest, AnAssignmentLeavesAVariableThatIsReadBehindIt) {
  useResourceVariables();
  Variable v(1.0, {.name = "v"});
  Assignment up = v.assignAdd(2.0, {.name = "up"});
  Variable left = variableBehind(up);
  ASSERT_TRUE(left.isValid());
  EXPECT_EQ(assignmentOf(left), up.operation());
  EXPECT_EQ(left.handle(), v.handle());
  EXPECT_EQ(assignmentOf(v), nullptr);
  // Fetching it fetches the read that came with it; others are new.
  EXPECT_EQ(left.graphElement().name(), "ReadVariableOp:0");
  Output read = left.readValue();
  EXPECT_EQ(read.name(), "ReadVariableOp_1:0");
  EXPECT_THAT(read.node->controlInputs(), ElementsAre(up.operation()));
  auto session = makeSession();
  ASSERT_THAT(run(**session, globalVariablesInitializer()), isOk());
  auto value = fetch(**session, left);
  ASSERT_THAT(value, isOk());
  EXPECT_EQ(value->data<float>()[0], 3.0f);
}

TEST_F(VariablesTest, AssignmentsToWhatOneLeftStandBehindIt) {
  useResourceVariables();
  Variable v(1.0, {.name = "v"});
  Variable first = variableBehind(v.assign(5.0));
  Assignment second = first.assignSub(2.0);
  // The value is added there, and the assignment takes it.
  EXPECT_THAT(second.operation()->input(1).node->controlInputs(),
              ElementsAre(assignmentOf(first)));
  Variable rows({1.0, 2.0}, {.name = "rows"});
  Variable cleared = variableBehind(rows.assign({0.0, 0.0}));
  Output at = ops::constant({0}), more = ops::constant({4.0f});
  Assignment third = ops::scatter(ops::Scatter::Add, cleared, at, more);
  EXPECT_THAT(third.operation()->controlInputs(),
              ElementsAre(assignmentOf(cleared)));
  auto session = makeSession();
  ASSERT_THAT(run(**session, globalVariablesInitializer()), isOk());
  EXPECT_EQ(fetch(**session, second)->data<float>()[0], 3.0f);
}

TEST_F(VariablesTest, AnAssignmentAloneAddsNoRead) {
  useResourceVariables();
  Variable v(1.0, {.name = "v"});
  const int before = graph.graph()->numNodes();
  const Node *up = assignOnly(AssignKind::Add, v, 2.0, {.name = "up"});
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(graph.graph()->numNodes() - before, 2); // the value, the op
  EXPECT_EQ(up->op(), "AssignAddVariableOp");
  Variable w(1.0, {.name = "w", .useResource = false});
  EXPECT_EQ(assignOnly(AssignKind::Subtract, w, 2.0)->op(), "AssignSub");
}

TEST_F(VariablesTest, WaitingForAResourceReadsNothing) {
  useResourceVariables();
  Variable v(1.0, {.name = "v"});
  Variable left = variableBehind(v.assign(2.0));
  ControlScope after({v, left});
  Output made = ops::constant(1.0);
  EXPECT_THAT(made.node->controlInputs(),
              ElementsAre(v.op(), assignmentOf(left)));
}

TEST_F(VariablesTest, ContainersAreWrittenIntoWhatKeepsAState) {
  ContainerScope outer("one");
  EXPECT_EQ(currentContainer(), "one");
  Variable v(1.0, {.name = "v"});
  Variable r(1.0, {.name = "r", .useResource = true});
  const Node *queue;
  {
    ContainerScope inner("two");
    queue = graph.addOp(
        {.op = "FIFOQueueV2",
         .attrs = {{"component_types", std::vector<DType>{DType::Float32}}}});
  }
  EXPECT_EQ(containerOf(v.op()), "one");
  EXPECT_EQ(containerOf(r.op()), "one");
  EXPECT_EQ(containerOf(queue), "two");
  EXPECT_EQ(ops::identity(v).node->findAttr("container"), nullptr);
  ContainerScope none("");
  EXPECT_EQ(containerOf(Variable(1.0).op()), "");
}

} // namespace
} // namespace kiln
