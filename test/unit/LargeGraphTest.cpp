// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of 100,000 nodes, long or wide, load, compile and run on a stack of
// 512 KiB.
#include "kiln/GraphDef.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <functional>
#include <pthread.h>

namespace kiln {
namespace {

using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

constexpr int numNodes = 100'000;
constexpr DType f32 = DType::Float32;

/// Runs `work` on a thread with a stack of 512 KiB.
void onSmallStack(std::function<void()> work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 512 << 10), 0);
  pthread_t thread;
  auto run = [](void *argument) -> void * {
    (*static_cast<std::function<void()> *>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

/// Writes nodes in a batch: one by one they would take the graph's lock each.
class BatchWriter {
public:
  std::vector<NodeSpec> specs;

  BatchWriter() {
    add("x", "Placeholder", {}, {{"dtype", f32}, {"shape", Shape({-1})}});
  }
  void add(std::string name, std::string op, std::vector<NodeInput> inputs,
           AttrMap attrs = {{"T", f32}}) {
    specs.push_back({.name = std::move(name),
                     .op = std::move(op),
                     .inputs = std::move(inputs),
                     .attrs = std::move(attrs)});
  }
};

std::string numbered(const char *prefix, int number) {
  return prefix + std::to_string(number);
}

/// Through the file's form and back, then one run of y for x = {1, 2}.
std::vector<float> runThroughFile(BatchWriter &writer) {
  Graph graph(makeNodeChecker());
  EXPECT_THAT(graph.addNodes(std::move(writer.specs)), isOk());
  auto bytes = toGraphDef(graph);
  EXPECT_THAT(bytes, isOk());
  std::vector<float> values;
  onSmallStack([&] {
    auto loaded = loadGraphDef(*bytes);
    ASSERT_THAT(loaded, isOk());
    auto session =
        testing::openSession(*std::move(loaded), ExecutionMode::NativeOnly);
    auto result =
        session->run({{"x:0", tensorOf<float>({2}, {1, 2})}}, {"y:0"});
    ASSERT_THAT(result, isOk());
    values = valuesOf<float>((*result)[0]);
  });
  return values;
}

TEST(LargeGraph, ChainOfIdentities) {
  BatchWriter writer;
  for (int i = 0; i < numNodes; ++i)
    writer.add(numbered("n", i), "Identity", {i ? numbered("n", i - 1) : "x"});
  writer.add("y", "Neg", {numbered("n", numNodes - 1)});
  EXPECT_EQ(runThroughFile(writer), (std::vector<float>{-1, -2}));
}

TEST(LargeGraph, ChainOfControlEdges) {
  BatchWriter writer;
  for (int i = 0; i < numNodes; ++i)
    writer.add(numbered("n", i), "NoOp",
               {i ? "^" + numbered("n", i - 1) : "^x"}, {});
  writer.add("y", "Neg", {"x", "^" + numbered("n", numNodes - 1)});
  EXPECT_EQ(runThroughFile(writer), (std::vector<float>{-1, -2}));
}

} // namespace
} // namespace kiln
