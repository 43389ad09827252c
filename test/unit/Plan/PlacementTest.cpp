// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices that are not there.
#include "lib/Plan/Placement.h"

#include "test/unit/Requests.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <gmock/gmock.h>

namespace kiln {
namespace {

using ::testing::AllOf;
using testing::fails;
using testing::failsAt;
using ::testing::HasSubstr;
using testing::isOk;

class PlacementTest : public ::testing::Test {
protected:
  void addNode(std::string name, std::string device) {
    ASSERT_THAT(writer.graph
                    ->addNode({.name = std::move(name),
                               .op = "Const",
                               .attrs = {{"dtype", DType::Float32},
                                         {"value", Tensor::scalar(1.0f)}},
                               .device = std::move(device)})
                    .status(),
                isOk());
  }
  Status check(std::vector<std::string> fetches, bool isSoft = false,
               int cpuDevices = 1) {
    auto pruned = testing::pruneNames(*writer.graph, {}, fetches);
    return pruned.ok() ? checkPlacement(*pruned, isSoft, cpuDevices)
                       : pruned.status();
  }
  Status checkDevice(std::string device, bool isSoft = false,
                     int cpuDevices = 1) {
    std::string name = "n" + std::to_string(writer.graph->numNodes());
    addNode(name, std::move(device));
    return check({name + ":0"}, isSoft, cpuDevices);
  }

  testing::GraphWriter writer;
};

TEST_F(PlacementTest, DevicesOfThisProcessAreThere) {
  for (const char *device :
       {"", "/cpu:0", "/device:CPU:0", "/device:cpu:0", "/device:CPU:*",
        "/device:*:0", "/job:localhost", "/job:*", "/replica:0/task:0",
        "/job:localhost/replica:0/task:0/device:CPU:0"})
    EXPECT_THAT(checkDevice(device), isOk()) << device;
}

TEST_F(PlacementTest, OthersAreTensorFlowsError) {
  addNode("far", "/gpu:7");
  EXPECT_THAT(
      check({"far:0"}),
      AllOf(fails(StatusCode::InvalidArgument,
                  "Cannot assign a device for operation far: {{node far}} was "
                  "explicitly assigned to /device:GPU:7 but available devices "
                  "are [ /job:localhost/replica:0/task:0/device:CPU:0 ]. Make "
                  "sure the device specification refers to a valid device. The "
                  "requested device appears to be a GPU, but CUDA is not "
                  "enabled."),
            failsAt("far")));
  EXPECT_THAT(check({"far:0"}, /*isSoft=*/false, /*cpuDevices=*/12).message(),
              HasSubstr("CPU:1, /job:localhost/replica:0/task:0/device:CPU:10, "
                        "/job:localhost/replica:0/task:0/device:CPU:11, "
                        "/job:localhost/replica:0/task:0/device:CPU:2, "));
  for (const char *device : {"/cpu:1", "/job:worker/cpu:0", "/task:1",
                             "/replica:1", "/device:TPU:0", "/cpu:99999999999"})
    EXPECT_THAT(checkDevice(device),
                fails(StatusCode::InvalidArgument,
                      HasSubstr("was explicitly assigned to")))
        << device;
}

TEST_F(PlacementTest, ASoftOneStaysInItsProcess) {
  for (const char *device :
       {"/gpu:7", "/cpu:1", "/device:TPU:0", "/job:localhost/task:0/gpu:1"})
    EXPECT_THAT(checkDevice(device, /*isSoft=*/true), isOk()) << device;
  for (const char *device : {"/job:worker", "/task:1", "/job:worker/gpu:0"})
    EXPECT_THAT(
        checkDevice(device, /*isSoft=*/true),
        fails(StatusCode::InvalidArgument, HasSubstr("Cannot assign a device")))
        << device;
}

TEST_F(PlacementTest, ThereMayBeSeveralCpus) {
  EXPECT_THAT(checkDevice("/cpu:1", false, 2), isOk());
  EXPECT_THAT(checkDevice("/cpu:2", false, 2),
              fails(StatusCode::InvalidArgument,
                    HasSubstr("[ /job:localhost/replica:0/task:0/device:CPU:0, "
                              "/job:localhost/replica:0/task:0/device:CPU:1 "
                              "]")));
}

TEST_F(PlacementTest, TheFirstNodeIsNamedOfThoseThatRun) {
  addNode("unneeded", "/gpu:0");
  addNode("first", "/cpu:3");
  addNode("here", "");
  addNode("second", "/gpu:1");
  EXPECT_THAT(check({"here:0"}), isOk());
  EXPECT_THAT(check({"second:0", "here:0", "first:0"}), failsAt("first"));
}

TEST_F(PlacementTest, AFormThatIsNoneIsAnError) {
  EXPECT_THAT(checkDevice("garbage", /*isSoft=*/true),
              fails(StatusCode::InvalidArgument,
                    "Malformed device specification 'garbage' in node: {{node "
                    "n0}}"));
}

} // namespace
} // namespace kiln
