// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices that functions choose, with what TensorFlow 2.21 gave for the same
// programs.
#include "kiln/BuildOps.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

#include <thread>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using testing::fails;
using ::testing::HasSubstr;

class DeviceFunctionsTest : public ::testing::Test {
protected:
  std::string deviceOf(const Output &made) {
    return made.node ? made.node->device() : "none";
  }

  GraphBuilder graph;
  GraphScope scope{graph};
};

TEST_F(DeviceFunctionsTest, AFunctionIsAskedForEachNode) {
  std::vector<std::string> asked;
  DeviceFunctionScope place([&](const Node &node) {
    asked.push_back(node.op());
    return node.op() == "Const" ? "/job:ps/task:1" : "/job:worker";
  });
  Output two = ops::constant(2);
  EXPECT_EQ(deviceOf(two), "/job:ps/task:1");
  EXPECT_EQ(deviceOf(ops::square(two)), "/job:worker");
  EXPECT_THAT(asked, ElementsAre("Const", "Square"));
}

TEST_F(DeviceFunctionsTest, ScopesInsideAreSeenAndThoseOutsideAreMergedIn) {
  DeviceScope outside("/job:a/task:3/device:CPU:1");
  std::string seen;
  DeviceFunctionScope place([&](const Node &node) {
    seen = node.device();
    return "/job:b" + seen;
  });
  DeviceScope inside("/cpu:0");
  Output made = ops::constant(1);
  EXPECT_EQ(seen, "/device:CPU:0");
  EXPECT_EQ(deviceOf(made), "/job:b/task:3/device:CPU:0");
}

TEST_F(DeviceFunctionsTest, AnEmptyNameTakesFunctionsBack) {
  DeviceFunctionScope place([](const Node &) { return "/job:a"; });
  {
    DeviceScope none("");
    EXPECT_EQ(deviceOf(ops::constant(1)), "");
  }
  EXPECT_EQ(deviceOf(ops::constant(1)), "/job:a");
}

TEST_F(DeviceFunctionsTest, WhatANodeStandsBesideHasTheLastWord) {
  Output there;
  {
    DeviceScope device("/job:there");
    there = ops::constant(1);
  }
  ColocationScope beside(there);
  DeviceFunctionScope place([](const Node &) { return "/job:a"; });
  EXPECT_EQ(deviceOf(ops::constant(1)), "/job:there");
}

TEST_F(DeviceFunctionsTest, ATextThatNamesNoDeviceCannotBeMerged) {
  DeviceScope outside("/job:a");
  DeviceFunctionScope place([](const Node &) { return "/what:1"; });
  ops::constant(1);
  EXPECT_THAT(graph.takeStatus(),
              fails(StatusCode::InvalidArgument, HasSubstr("/what:1")));
}

/// The device of what another thread adds to the graph.
std::string deviceOnAnotherThread(const GraphBuilder &graph) {
  std::string device;
  std::thread([&] {
    GraphScope inGraph(graph);
    device = ops::constant(1).node->device();
  }).join();
  return device;
}

TEST_F(DeviceFunctionsTest, ThreadsShareDevicesUntilTheyAreSeparated) {
  DeviceScope outside("/job:a");
  DeviceScope inside("/task:1");
  EXPECT_EQ(deviceOnAnotherThread(graph), "/job:a/task:1");
  graph.separatePlacements();
  DeviceScope own("/task:2");
  EXPECT_EQ(deviceOf(ops::constant(1)), "/job:a/task:2");
  EXPECT_EQ(deviceOnAnotherThread(graph), "/job:a/task:1");
}

} // namespace
} // namespace kiln
