// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a process holds stays the same over many signatures and many sessions.
// KILN_RESOURCE_ROUNDS sets how many (10000 for the figures of a release); the
// default is small, for every day.
#include "lib/JIT/CompileThreads.h"
#include "lib/Loader/Linker.h"
#include "test/unit/Sanitizers.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <fstream>
#include <malloc.h>
#include <string>

namespace kiln {
namespace {

using testing::GraphWriter;
using testing::isOk;
using testing::scaleGraph;

/// Sanitizers keep freed memory.
constexpr bool tellsMemory = !KILN_SANITIZED;

int rounds(int usual) {
  const char *given = std::getenv("KILN_RESOURCE_ROUNDS");
  return given ? std::atoi(given) : usual;
}

int64_t linesOf(const char *path) {
  std::ifstream file(path);
  int64_t lines = 0;
  for (std::string line; std::getline(file, line);)
    ++lines;
  return lines;
}

int64_t entriesOf(const char *path) {
  int64_t entries = 0;
  if (DIR *directory = opendir(path)) {
    while (readdir(directory))
      ++entries;
    closedir(directory);
  }
  return entries;
}

/// What the process holds now.
struct Holdings {
  int64_t residentBytes = 0, maps = 0, files = 0, codeBytes = 0;
  /// Without those for compilations, which start when a job finds none idle and
  /// stay: a busy machine has all of them late.
  int64_t threads = 0;

  static Holdings now() {
    malloc_trim(0);
    Holdings holdings;
    int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    holdings.residentBytes = pages * 4096;
    holdings.maps = linesOf("/proc/self/maps");
    holdings.threads =
        entriesOf("/proc/self/task") - CompileThreads::process().numThreads();
    holdings.files = entriesOf("/proc/self/fd");
    holdings.codeBytes = static_cast<int64_t>(linkedBytes());
    return holdings;
  }
  void print(const char *what, int round, double microseconds) const {
    std::fprintf(stderr,
                 "%s %d: %.1f MiB resident, %lld maps, %lld threads, %lld "
                 "files, %lld KiB of code, median %.0f us\n",
                 what, round, double(residentBytes) / (1 << 20),
                 (long long)maps, (long long)threads, (long long)files,
                 (long long)codeBytes / 1024, microseconds);
  }
};

/// Runs `round` and looks at what is held after a tenth of the rounds, when all
/// that is made once is made, and at the end.
struct Course {
  Holdings early, late;
  double earlyMedian = 0, lateMedian = 0; ///< of a tenth of the rounds
  int measuredRounds = 0;

  template <class Round> Course(const char *what, int count, Round round) {
    std::vector<double> times;
    auto median = [&] {
      std::nth_element(times.begin(), times.begin() + times.size() / 2,
                       times.end());
      return times[times.size() / 2];
    };
    for (int i = 0; i < count; ++i) {
      auto begin = std::chrono::steady_clock::now();
      round(i);
      times.push_back(std::chrono::duration<double, std::micro>(
                          std::chrono::steady_clock::now() - begin)
                          .count());
      if ((i + 1) % std::max(count / 10, 1) != 0)
        continue;
      late = Holdings::now();
      lateMedian = median();
      late.print(what, i + 1, lateMedian);
      if (measuredRounds == 0) {
        early = late;
        earlyMedian = lateMedian;
      }
      measuredRounds = i + 1;
      times.clear();
    }
    measuredRounds -= std::max(count / 10, 1);
  }
};

/// n0 .. n15 of [4], sums of x, each of which may be fetched or not.
std::shared_ptr<Graph> manyFetches() {
  GraphWriter writer;
  writer.placeholder("x", DType::Float32, {4});
  for (int i = 0; i < 16; ++i)
    writer.binary("n" + std::to_string(i), "AddV2", "x",
                  i == 0 ? "x" : "n" + std::to_string(i - 1), DType::Float32);
  return writer.graph;
}

TEST(Resources, DistinctFetchSetsLeaveNothingBehind) {
  SessionOptions options;
  options.mode = ExecutionMode::NativeOnly;
  options.cacheBytes = 256 << 10;
  auto session = Session::create(manyFetches(), options);
  ASSERT_THAT(session, isOk());
  Tensor x = testing::tensorOf<float>({4}, {1, 2, 3, 4});
  Course course("fetch sets", rounds(300), [&](int round) {
    // Few bits are set: the sets differ, but are about as large.
    uint64_t mask = static_cast<uint64_t>(round) + 1;
    std::vector<Fetch> fetches;
    for (int i = 0; i < 16; ++i)
      if (mask >> i & 1)
        fetches.push_back("n" + std::to_string(i) + ":0");
    auto results = (*session)->run({{"x:0", x}}, fetches);
    ASSERT_THAT(results, isOk());
    ASSERT_EQ(results->size(), fetches.size());
  });
  SessionStats stats = (*session)->stats();
  EXPECT_EQ(stats.compilations, course.measuredRounds * 10 / 9);
  EXPECT_GT(stats.evictions, stats.compilations / 2);
  EXPECT_LE(stats.cacheBytes, options.cacheBytes);
  EXPECT_LE(course.late.codeBytes, 2 * options.cacheBytes);
  EXPECT_LE(course.late.maps, course.early.maps + 20);
  EXPECT_LE(course.late.threads, course.early.threads + 1);
  EXPECT_EQ(course.late.files, course.early.files);
}

/// s0 .. s`count`, each the sum of a product that is a temporary of n x n, fed
/// x of [n, 2].
std::shared_ptr<Graph> manyTemporaries(int count) {
  GraphWriter writer;
  constexpr DType f32 = DType::Float32;
  writer.placeholder("x", f32, {-1, 2});
  writer.constant("axes", testing::tensorOf<int32_t>({2}, {0, 1}));
  for (int i = 0; i < count; ++i) {
    std::string number = std::to_string(i);
    writer.constant("c" + number, Tensor::scalar<float>(static_cast<float>(i)));
    writer.binary("scaled" + number, "Mul", "x", "c" + number, f32);
    writer.add("m" + number, "MatMul", {"scaled" + number, "x"},
               {{"T", f32}, {"transpose_a", false}, {"transpose_b", true}});
    writer.add("s" + number, "Sum", {"m" + number, "axes"},
               {{"T", f32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
  }
  return writer.graph;
}

TEST(Resources, TemporariesOfIdleProgramsAreBounded) {
  constexpr int64_t n = 1600, temporary = n * n * 4; // 10 MB
  int count = rounds(50);
  SessionOptions options;
  options.mode = ExecutionMode::NativeOnly;
  options.cacheBytes = 16 << 20;
  auto session = Session::create(manyTemporaries(count), options);
  ASSERT_THAT(session, isOk());
  Tensor x = testing::countingMatrix(n, 2);
  RunStats stats;
  Course course("temporaries", count, [&](int round) {
    ASSERT_THAT((*session)->run({{"x:0", x}},
                                {"s" + std::to_string(round) + ":0"}, {}, {},
                                &stats),
                isOk());
    ASSERT_GE(stats.arenaBytes, temporary);
    SessionStats now = (*session)->stats();
    ASSERT_LE(now.cacheBytes + now.arenaBytes, options.cacheBytes);
  });
  EXPECT_EQ((*session)->stats().evictions, 0);
  if (tellsMemory)
    EXPECT_LE(course.late.residentBytes - course.early.residentBytes,
              course.measuredRounds * int64_t(1 << 20));
  (*session)->close();
  EXPECT_EQ((*session)->stats().arenaBytes, 0);
}

TEST(Resources, SessionsLeaveNothingBehind) {
  auto graph = scaleGraph();
  Tensor x = testing::countingMatrix(2, 3);
  Course course("sessions", rounds(200), [&](int) {
    auto session = Session::create(graph);
    ASSERT_THAT(session, isOk());
    ASSERT_THAT((*session)->run({}, {}, {"init"}), isOk());
    ASSERT_THAT((*session)->run({{"x:0", x}}, {"rows:0"}), isOk());
    (*session)->close();
  });
  EXPECT_LE(course.late.maps, course.early.maps + 20);
  EXPECT_LE(course.late.threads, course.early.threads + 2);
  EXPECT_EQ(course.late.files, course.early.files);
  EXPECT_EQ(course.late.codeBytes, course.early.codeBytes);
  // The allocator's own noise is a few hundred KiB.
  if (tellsMemory)
    EXPECT_LE(course.late.residentBytes - course.early.residentBytes,
              course.measuredRounds * int64_t(1024) + (4 << 20));
}

} // namespace
} // namespace kiln
