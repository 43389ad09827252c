// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The same bits for any number of threads and for every vector width.
//
// KILN_REPRODUCIBLE_GRAPHS is how many random functions to try (60; the promise
// is measured with 200), KILN_RANDOM_SEED the seed of the first. Golden cases
// are run in these ways by kiln-golden-test --bits, benchmark graphs by
// BenchGraphsTest.
#include "test/unit/JIT/RandomGraph.h"

#include "lib/JIT/backends/cpu/Target.h"
#include "runtime/threads/ThreadPool.h"

#include "gtest/gtest.h"

#include <cstdlib>
#include <set>

namespace kiln {
namespace {

int numberFrom(const char *name, int otherwise) {
  const char *text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

constexpr const char *sse = "x86-64-v2";

/// This processor's code, AVX2's where this one has AVX-512, and that of SSE,
/// for which each FMA is a call.
std::vector<std::string> targets() {
  std::vector<std::string> names = {""};
  if (HostTarget::create("x86-64-v4").ok())
    names.push_back("x86-64-v3");
  if (HostTarget::create("x86-64-v3").ok())
    names.push_back(sse);
  return names;
}

TEST(Reproducibility, ThreadsAndVectorWidthDoNotShowInTheBits) {
  auto first = static_cast<unsigned>(numberFrom("KILN_RANDOM_SEED", 77000));
  auto count =
      static_cast<unsigned>(numberFrom("KILN_REPRODUCIBLE_GRAPHS", 60));
  std::printf("seeds %u to %u, %zu targets\n", first, first + count - 1,
              targets().size());
  ThreadPool::process().grow(8);
  int64_t sharedLoops = 0, chunks = 0, splitGraphs = 0;
  for (unsigned seed = first; seed < first + count; ++seed) {
    RandomGraph graph(seed);
    graph.generate();
    // Large ones, so that loops have chunks.
    const int64_t sizes[][2] = {{1100, 90}, {3, 40000}, {260, 300}};
    std::set<uint64_t> hashes[std::size(sizes)];
    int64_t before = sharedLoops;
    for (const std::string &target : targets()) {
      if (target == sse && seed % 4 != 0)
        continue; // slow
      CompileOptions options;
      options.code.cpu = target;
      options.code.minSharedOps = 1; // every loop that can be shared is
      options.code.minChunkOps = 512;
      if (target.empty() == (seed % 2 == 0))
        options.code.minStreamedBytes = 4096;
      NativeProgram program(graph.source(), passes::Stage::Fuse, options);
      ASSERT_TRUE(program.isCompiled());
      for (size_t i = 0; i < std::size(sizes); ++i) {
        auto [s0, s1] = sizes[i];
        if (graph.largest(s0, s1) >= 500'000)
          continue;
        NativeInputs inputs = graph.inputs(s0, s1, seed & 1, seed);
        for (int threads : {1, 2, 3, 8}) {
          Fingerprint print = program.fingerprint(inputs, threads);
          hashes[i].insert(print.hash);
          sharedLoops += threads > 1 ? print.sharedLoops : 0;
          chunks += threads > 1 ? print.chunks : 0;
        }
      }
    }
    for (size_t i = 0; i < std::size(sizes); ++i)
      EXPECT_LE(hashes[i].size(), 1u)
          << "KILN_RANDOM_SEED=" << seed << " with s0 = " << sizes[i][0]
          << ", s1 = " << sizes[i][1] << "\n"
          << graph.source();
    splitGraphs += sharedLoops > before;
  }
  std::printf("%lld loops in %lld chunks; %lld functions have some\n",
              static_cast<long long>(sharedLoops),
              static_cast<long long>(chunks),
              static_cast<long long>(splitGraphs));
  // Many functions were really run by several threads, in many chunks. A loop
  // of one iteration is none of them.
  EXPECT_GE(splitGraphs, count / 4);
  EXPECT_GE(chunks, 2 * sharedLoops);
}

/// What random functions have too seldom: long sums over each kind of axis, a
/// deep contraction, products that are added, and numbers that are flushed.
TEST(Reproducibility, LongSumsAndProductsHaveOneOrder) {
  ThreadPool::process().grow(8);
  const std::string rows = "tensor<37x3001xf32>",
                    columns = "tensor<3001x37xf32>",
                    square = "tensor<37x37xf32>";
  auto reduced = [](const std::string &kind, const std::string &from,
                    const std::string &axis, const std::string &name) {
    return "  %" + name + " = kiln.reduce " + kind + " %x0 axes [" + axis +
           "] : " + from + " -> tensor<" + (axis == "1" ? "37" : "3001") +
           "xf32>\n";
  };
  const std::string types[] = {"tensor<37xf32>", "tensor<3001xf32>"};
  std::string sums =
      reduced("sum", rows, "1", "a") + reduced("sum", rows, "0", "b") +
      reduced("prod", rows, "1", "c") + "  %d = kiln.mul %x0, %x1 : " + rows +
      "\n  %e = kiln.add %d, %x2 : " + rows +
      "\n  %f = kiln.reduce sum %e axes [1] : " + rows + " -> tensor<37xf32>\n";
  const std::string sources[] = {
      function({rows, rows, rows}, sums, "%a, %b, %c, %e, %f",
               types[0] + ", " + types[1] + ", " + types[0] + ", " + rows +
                   ", " + types[0]),
      function({rows, columns},
               "  %m = kiln.matmul %x0, %x1 : " + rows + ", " + columns +
                   " -> " + square + "\n",
               "%m", square)};
  const Side few{37}, many{3001};
  for (const std::string &source : sources) {
    bool isMatmul = &source == &sources[1];
    for (auto make : {&randomTensor, &edgeTensor}) {
      std::vector<Tensor> feeds = {make("f32", {few, many}, 1),
                                   isMatmul ? make("f32", {many, few}, 2)
                                            : make("f32", {few, many}, 2)};
      if (!isMatmul)
        feeds.push_back(make("f32", {few, many}, 3));
      std::set<uint64_t> hashes;
      int64_t sharedLoops = 0;
      for (const std::string &target : targets()) {
        CompileOptions options;
        options.code.cpu = target;
        options.code.minSharedOps = 1;
        options.code.minChunkOps = 512;
        NativeProgram program(source, passes::Stage::Fuse, options);
        ASSERT_TRUE(program.isCompiled());
        for (int threads : {1, 2, 3, 8}) {
          Fingerprint print = program.fingerprint({.feeds = feeds}, threads);
          hashes.insert(print.hash);
          sharedLoops += print.sharedLoops;
        }
      }
      EXPECT_EQ(hashes.size(), 1u) << source;
      EXPECT_GT(sharedLoops, 0) << source;
    }
  }
}

TEST(Reproducibility, AnUnknownProcessorIsAnError) {
  auto made = HostTarget::create("abacus");
  EXPECT_EQ(made.status().code(), StatusCode::InvalidArgument);
}

} // namespace
} // namespace kiln
