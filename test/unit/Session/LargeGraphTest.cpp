// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of 100,000 nodes, long or wide, load, compile and run within 10 s and
// a stack of 512 KiB, and a graph of four times the nodes takes little more
// than four times as long. Times are the process's CPU time, since the machine
// may be busy.
#include "kiln/GraphDef.h"
#include "test/unit/Sanitizers.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <limits>
#include <pthread.h>

namespace kiln {
namespace {

using testing::isOk;
using testing::tensorOf;
using testing::valuesOf;

// Sanitizers make all of it some twenty times slower.
constexpr bool isTimed = !KILN_SANITIZED;
constexpr int numNodes = isTimed ? 100'000 : 5'000;

/// CPU seconds on a machine that does nothing else, asked for with
/// KILN_LARGE_GRAPH_SECONDS=10: a shared one may take twice as long any day.
double maxSeconds() {
  const char *asked = std::getenv("KILN_LARGE_GRAPH_SECONDS");
  return asked ? std::atof(asked) : std::numeric_limits<double>::infinity();
}
/// How many times as long as for a quarter of the nodes it may take. Quadratic
/// parts would make it 16.
constexpr double maxGrowth = 8;
constexpr DType f32 = DType::Float32;

double cpuSeconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) +
         static_cast<double>(now.tv_nsec) / 1e9;
}

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
  void constant(std::string name, Tensor value) {
    add(std::move(name), "Const", {},
        {{"dtype", value.dtype()}, {"value", value}});
  }
};

std::string numbered(const char *prefix, int number) {
  return prefix + std::to_string(number);
}

/// What y is for an x, where `nodes` nodes stand between them.
struct Case {
  std::function<void(BatchWriter &, int nodes)> write;
  std::function<float(float x, int nodes)> expected;
};

/// Through the file's form and back, then one run of y for x = {1, 2}. Returns
/// the seconds from bytes to result.
double runThroughFile(const Case &graphOf, int nodes) {
  BatchWriter writer;
  graphOf.write(writer, nodes);
  Graph graph(makeNodeChecker());
  EXPECT_THAT(graph.addNodes(std::move(writer.specs)), isOk());
  auto bytes = toGraphDef(graph);
  EXPECT_THAT(bytes, isOk());
  double begin = cpuSeconds(), end = begin;
  onSmallStack([&] {
    auto loaded = loadGraphDef(*bytes);
    ASSERT_THAT(loaded, isOk());
    auto session =
        testing::openSession(*std::move(loaded), ExecutionMode::NativeOnly);
    RunStats stats;
    auto result = session->run({{"x:0", tensorOf<float>({2}, {1, 2})}}, {"y:0"},
                               {}, {}, &stats);
    end = cpuSeconds();
    ASSERT_THAT(result, isOk());
    if (stats.opsNative > 20'000) {
      EXPECT_EQ(stats.opsQuick, stats.opsNative);
    }
    auto values = valuesOf<float>((*result)[0]);
    ASSERT_EQ(values.size(), 2u);
    // AddN sums in another order than a loop.
    for (size_t i = 0; i < 2; ++i) {
      float expected = graphOf.expected(static_cast<float>(1 + i), nodes);
      EXPECT_NEAR(values[i], expected, 1e-4 * std::fabs(expected));
    }
  });
  return end - begin;
}

void check(const Case &graphOf) {
  double quarter = runThroughFile(graphOf, numNodes / 4),
         whole = runThroughFile(graphOf, numNodes);
  ::testing::Test::RecordProperty("cpu_ms", static_cast<int>(whole * 1e3));
  if (!isTimed)
    return;
  EXPECT_LT(whole, maxSeconds());
  EXPECT_LT(whole, maxGrowth * quarter);
}

/// A chain whose nodes stand behind each other, the last one being y.
Case chainOf(std::function<void(BatchWriter &, std::string name,
                                std::string input, int i)>
                 write,
             std::function<float(float x, int i)> compute) {
  return {[=](BatchWriter &writer, int nodes) {
            for (int i = 0; i < nodes; ++i)
              write(writer, i + 1 < nodes ? numbered("n", i) : "y",
                    i ? numbered("n", i - 1) : "x", i);
          },
          [=](float x, int nodes) {
            for (int i = 0; i < nodes; ++i)
              x = compute(x, i);
            return x;
          }};
}

TEST(LargeGraph, ChainOfAdditions) {
  check(chainOf(
      [](BatchWriter &writer, std::string name, std::string input, int i) {
        if (i == 0)
          writer.constant("one", Tensor::scalar(1.0f));
        writer.add(name, "AddV2", {input, "one"});
      },
      [](float x, int) { return x + 1; }));
}

/// Eight different ops in turn, none of which folds into its neighbour.
TEST(LargeGraph, ChainOfMixedOps) {
  check(chainOf(
      [](BatchWriter &writer, std::string name, std::string input, int i) {
        constexpr const char *ops[] = {"Tanh", "Neg", "Exp",     "Sqrt",
                                       "Cos",  "Abs", "Sigmoid", "Log1p"};
        writer.add(name, ops[i % 8], {input});
      },
      [](float x, int i) {
        using Function = float (*)(float);
        constexpr Function functions[] = {
            [](float x) { return std::tanh(x); },
            [](float x) { return -x; },
            [](float x) { return std::exp(x); },
            [](float x) { return std::sqrt(x); },
            [](float x) { return std::cos(x); },
            [](float x) { return std::fabs(x); },
            [](float x) { return 1 / (1 + std::exp(-x)); },
            [](float x) { return std::log1p(x); }};
        return functions[i % 8](x);
      }));
}

TEST(LargeGraph, ChainOfIdentities) {
  check(chainOf([](BatchWriter &writer, std::string name, std::string input,
                   int) { writer.add(name, "Identity", {input}); },
                [](float x, int) { return x; }));
}

TEST(LargeGraph, ChainOfControlEdges) {
  check({[](BatchWriter &writer, int nodes) {
           for (int i = 0; i < nodes; ++i)
             writer.add(numbered("n", i), "NoOp",
                        {i ? "^" + numbered("n", i - 1) : "^x"}, {});
           writer.add("y", "Neg", {"x", "^" + numbered("n", nodes - 1)});
         },
         [](float x, int) { return -x; }});
}

float factorOf(int i) { return 1 + static_cast<float>(i) / 1024; }

/// x * c0 + x * c1 + …: as many different products, each with a constant of its
/// own, as make up the number, and one sum of all.
TEST(LargeGraph, WideSumOfProducts) {
  check({[](BatchWriter &writer, int nodes) {
           std::vector<NodeInput> products;
           for (int i = 0; i < nodes / 2; ++i) {
             writer.constant(numbered("c", i), Tensor::scalar(factorOf(i)));
             writer.add(numbered("n", i), "Mul", {"x", numbered("c", i)});
             products.push_back(numbered("n", i));
           }
           auto count = static_cast<int64_t>(products.size());
           writer.add("y", "AddN", std::move(products),
                      {{"T", f32}, {"N", count}});
         },
         [](float x, int nodes) {
           float sum = 0;
           for (int i = 0; i < nodes / 2; ++i)
             sum += x * factorOf(i);
           return sum;
         }});
}

/// A binary tree of additions over different leaves, in breadth-first order:
/// what an op needs stands far before it.
TEST(LargeGraph, Tree) {
  check({[](BatchWriter &writer, int nodes) {
           std::vector<std::string> level;
           for (int i = 0; i < nodes / 3; ++i) {
             writer.constant(numbered("c", i), Tensor::scalar(factorOf(i)));
             writer.add(numbered("n", i), i % 2 ? "Mul" : "Sub",
                        {"x", numbered("c", i)});
             level.push_back(numbered("n", i));
           }
           for (int made = 0; level.size() > 1;) {
             std::vector<std::string> next;
             for (size_t i = 0; i + 1 < level.size(); i += 2) {
               next.push_back(numbered("t", made++));
               writer.add(next.back(), "Maximum", {level[i], level[i + 1]});
             }
             if (level.size() % 2)
               next.push_back(level.back());
             level = std::move(next);
           }
           writer.add("y", "Identity", {level.front()});
         },
         [](float x, int nodes) {
           float most = -INFINITY;
           for (int i = 0; i < nodes / 3; ++i)
             most = std::max(most, i % 2 ? x * factorOf(i) : x - factorOf(i));
           return most;
         }});
}

} // namespace
} // namespace kiln
