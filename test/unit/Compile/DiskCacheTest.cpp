// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that survives its process: what is found again, what is not, and that
// nothing in the folder gives a wrong answer.
#include "lib/Compile/DiskCache.h"

#include "lib/Compile/DiskKey.h"
#include "lib/Plan/ir/SynthesizedNodes.h"
#include "test/unit/Sanitizers.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace kiln {
namespace {

namespace fs = std::filesystem;
using testing::countingMatrix;
using testing::GraphWriter;
using testing::isOk;
using testing::scaledRows;
using testing::scaleGraph;
using testing::tensorOf;
using testing::valuesOf;

class DiskCacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "kiln_disk_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr); // mode 0700
    folder = pattern;
  }
  void TearDown() override { fs::remove_all(folder); }

  SessionOptions options() const {
    SessionOptions options;
    options.mode = ExecutionMode::NativeOnly;
    options.diskCache.folder = folder;
    return options;
  }
  std::unique_ptr<Session> open(std::shared_ptr<Graph> graph) const {
    auto session = Session::create(std::move(graph), options());
    EXPECT_THAT(session, isOk());
    return session.ok() ? *std::move(session) : nullptr;
  }
  /// Runs scaleGraph() in a session of its own; true if the answer is right.
  bool runsRight(RunStats &stats, int64_t rows = 4) const {
    auto session = open(scaleGraph());
    if (!session || !session->run({}, {}, {"init"}).ok())
      return false;
    Tensor x = countingMatrix(rows, 3);
    auto made = session->run({{"x:0", x}}, {"rows:0"}, {}, {}, &stats);
    return made.ok() && valuesOf<float>((*made)[0]) == scaledRows(x, {1, 2, 3});
  }
  std::vector<fs::path> entries() const {
    std::vector<fs::path> paths;
    for (const auto &entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".kiln")
        paths.push_back(entry.path());
    return paths;
  }
  static std::string contents(const fs::path &path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  static void write(const fs::path &path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  std::string folder;
};

TEST_F(DiskCacheTest, ALaterSessionCompilesNothing) {
  RunStats first, second;
  ASSERT_TRUE(runsRight(first));
  EXPECT_FALSE(first.fromDisk);
  EXPECT_EQ(entries().size(), 2u); // init and rows
  ASSERT_TRUE(runsRight(second, 7));
  EXPECT_TRUE(second.fromDisk);
  EXPECT_EQ(second.importNs + second.passesNs + second.llvmNs, 0);
  EXPECT_EQ(second.compilations, 0);
  EXPECT_EQ(second.opsNative, first.opsNative);
  EXPECT_EQ(entries().size(), 2u);
}

// What is folded of constants is stored: only its parts are in the graph.
TEST_F(DiskCacheTest, FoldedConstantsAreStored) {
  constexpr int64_t depth = 5, columns = 70; // more than a panel
  std::vector<float> results[2];
  for (int round = 0; round < 2; ++round) {
    std::vector<float> weights(depth * columns), scale(columns);
    for (size_t i = 0; i < weights.size(); ++i)
      weights[i] = static_cast<float>(i % 7) - 3;
    for (size_t i = 0; i < scale.size(); ++i)
      scale[i] = static_cast<float>(i % 3);
    GraphWriter writer;
    writer.placeholder("x", DType::Float32, {-1, depth});
    writer.constant("w", tensorOf<float>({depth, columns}, weights));
    writer.constant("scale", tensorOf<float>({columns}, scale));
    writer.add("product", "MatMul", {"x", "w"}, {{"T", DType::Float32}});
    writer.binary("y", "Mul", "product", "scale", DType::Float32);
    auto session = open(writer.graph);
    Tensor x = countingMatrix(3, depth);
    RunStats stats;
    auto made = session->run({{"x:0", x}}, {"y:0"}, {}, {}, &stats);
    ASSERT_THAT(made, isOk());
    EXPECT_EQ(stats.fromDisk, round == 1);
    results[round] = valuesOf<float>((*made)[0]);
    for (size_t i = 0; i < results[round].size(); ++i) {
      const size_t row = i / columns, column = i % columns;
      float expected = 0;
      for (size_t k = 0; k < depth; ++k)
        expected +=
            x.data<float>()[row * depth + k] * weights[k * columns + column];
      EXPECT_EQ(results[round][i], expected * scale[column]);
    }
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(DiskCacheTest, StateAndErrorsAreThoseOfCompiledCode) {
  for (int round = 0; round < 2; ++round) {
    auto session = open(scaleGraph());
    ASSERT_TRUE(session);
    Status missing = session->run({}, {"increment:0"}).status();
    EXPECT_EQ(missing.code(), StatusCode::FailedPrecondition);
    EXPECT_EQ(missing.node(), "increment");
    ASSERT_THAT(session->run({}, {}, {"init"}), isOk());
    for (int64_t step = 1; step < 4; ++step) {
      auto count = session->run({}, {"increment:0"});
      ASSERT_THAT(count, isOk());
      EXPECT_EQ(valuesOf<int64_t>((*count)[0])[0], step);
    }
    EXPECT_EQ(session->stats().diskHits, round == 0 ? 0 : 2);
    EXPECT_EQ(session->stats().diskStores, round == 0 ? 2 : 0);
    EXPECT_EQ(session->stats().diskFailedStores, 0);
  }
}

// Their names are constants that the graph does not have.
TEST_F(DiskCacheTest, ArraysAndStacksKeepTheirNames) {
  for (int round = 0; round < 2; ++round) {
    GraphWriter writer;
    writer.constant("size", Tensor::scalar<int32_t>(2));
    writer.placeholder("x", DType::Float32, {-1});
    writer.placeholder("i", DType::Int32, {});
    for (const char *name : {"", "other"}) {
      std::string node = std::string("array") + name;
      writer.add(node, "TensorArrayV3", {"size"},
                 {{"dtype", DType::Float32}, {"tensor_array_name", name}});
      writer.add(node + "/write", "TensorArrayWriteV3",
                 {node, "i", "x", node + ":1"}, {{"T", DType::Float32}});
      writer.add(node + "/read", "TensorArrayReadV3",
                 {node, "i", node + "/write"}, {{"dtype", DType::Float32}});
    }
    writer.binary("y", "AddV2", "array/read", "arrayother/read",
                  DType::Float32);
    auto session = open(writer.graph);
    Tensor x = tensorOf<float>({2}, {1, 2});
    RunStats stats;
    auto made = session->run({{"x:0", x}, {"i:0", Tensor::scalar<int32_t>(1)}},
                             {"y:0"}, {}, {}, &stats);
    ASSERT_THAT(made, isOk());
    EXPECT_EQ(valuesOf<float>((*made)[0]), (std::vector<float>{2, 4}));
    EXPECT_EQ(stats.fromDisk, round == 1);
    auto failed = session->run(
        {{"x:0", x}, {"i:0", Tensor::scalar<int32_t>(5)}}, {"y:0"});
    EXPECT_THAT(failed, testing::fails(StatusCode::InvalidArgument,
                                       ::testing::HasSubstr(
                                           "TensorArray array_0: Tried")));
  }
}

/// n * k == x broadcasts: a class of n of its own.
std::shared_ptr<Graph> broadcastGraph() {
  GraphWriter writer;
  writer.placeholder("a", DType::Float32, {-1});
  writer.placeholder("b", DType::Float32, {-1});
  writer.binary("sum", "AddV2", "a", "b", DType::Float32);
  return writer.graph;
}

TEST_F(DiskCacheTest, EntriesOfAKeyAreToldApartByClasses) {
  for (int round = 0; round < 2; ++round) {
    auto session = open(broadcastGraph());
    ASSERT_TRUE(session);
    Tensor one = tensorOf<float>({1}, {1}),
           three = tensorOf<float>({3}, {1, 2, 3});
    auto wide = session->run({{"a:0", one}, {"b:0", three}}, {"sum:0"});
    ASSERT_THAT(wide, isOk());
    EXPECT_EQ(valuesOf<float>((*wide)[0]), (std::vector<float>{2, 3, 4}));
    auto equal = session->run({{"a:0", three}, {"b:0", three}}, {"sum:0"});
    ASSERT_THAT(equal, isOk());
    EXPECT_EQ(valuesOf<float>((*equal)[0]), (std::vector<float>{2, 4, 6}));
    EXPECT_EQ(session->stats().compilations, round == 0 ? 2 : 0);
    EXPECT_EQ(session->stats().diskHits, round == 0 ? 0 : 2);
  }
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(DiskCacheTest, EntriesOfAKeyAreToldApartByFedValues) {
  GraphWriter writer;
  writer.placeholder("x", DType::Float32, {2, 3});
  writer.placeholder("axis", DType::Int32, {});
  writer.add(
      "sum", "Sum", {"x", "axis"},
      {{"T", DType::Float32}, {"Tidx", DType::Int32}, {"keep_dims", false}});
  for (int round = 0; round < 2; ++round) {
    auto session = open(writer.graph);
    ASSERT_TRUE(session);
    for (int32_t axis : {0, 1}) {
      auto sum = session->run({{"x:0", countingMatrix(2, 3)},
                               {"axis:0", Tensor::scalar<int32_t>(axis)}},
                              {"sum:0"});
      ASSERT_THAT(sum, isOk());
      EXPECT_EQ(valuesOf<float>((*sum)[0]), axis == 0
                                                ? (std::vector<float>{3, 5, 7})
                                                : (std::vector<float>{3, 12}));
    }
    EXPECT_EQ(session->stats().compilations, round == 0 ? 2 : 0);
  }
}

/// x plus a constant too large to be part of the code, with `last` in it.
std::shared_ptr<Graph> constantGraph(float last, const char *op = "AddV2") {
  std::vector<float> values(100, 1);
  values.back() = last;
  GraphWriter writer;
  writer.placeholder("x", DType::Float32, {100});
  writer.constant("c", tensorOf<float>({100}, values));
  writer.binary("y", op, "x", "c", DType::Float32);
  return writer.graph;
}

TEST_F(DiskCacheTest, OtherGraphsConstantsAndOptionsAreOtherEntries) {
  Tensor x = tensorOf<float>({100}, std::vector<float>(100, 2));
  auto run = [&](std::shared_ptr<Graph> graph, SessionOptions options,
                 float expected) {
    auto session = Session::create(std::move(graph), options);
    EXPECT_THAT(session, isOk());
    RunStats stats;
    auto y = (*session)->run({{"x:0", x}}, {"y:0"}, {}, {}, &stats);
    EXPECT_THAT(y, isOk());
    EXPECT_EQ(valuesOf<float>((*y)[0])[99], expected);
    return stats.fromDisk;
  };
  SessionOptions shared = options();
  shared.code.minSharedOps *= 2;
  for (bool isWarm : {false, true}) {
    EXPECT_EQ(run(constantGraph(3), options(), 5), isWarm);
    EXPECT_EQ(run(constantGraph(4), options(), 6), isWarm);
    EXPECT_EQ(run(constantGraph(3, "Mul"), options(), 6), isWarm);
    EXPECT_EQ(run(constantGraph(3), shared, 5), isWarm);
  }
  EXPECT_EQ(entries().size(), 4u);
}

TEST_F(DiskCacheTest, DamagedEntriesAreMissesAndGetReplaced) {
  RunStats stats;
  ASSERT_TRUE(runsRight(stats));
  std::vector<fs::path> paths = entries();
  ASSERT_EQ(paths.size(), 2u);
  std::string whole[] = {contents(paths[0]), contents(paths[1])};
  auto damage = [&](auto change) {
    for (int i = 0; i < 2; ++i) {
      std::string bytes = whole[i];
      change(bytes);
      write(paths[i], bytes);
    }
    ASSERT_TRUE(runsRight(stats));
    EXPECT_FALSE(stats.fromDisk);
    ASSERT_TRUE(runsRight(stats));
    EXPECT_TRUE(stats.fromDisk);
  };
  damage([](std::string &bytes) { bytes.clear(); });
  damage([](std::string &bytes) { bytes.resize(10); });
  damage([](std::string &bytes) { bytes.resize(bytes.size() - 1); });
  damage([](std::string &bytes) { bytes += 'x'; });
  damage([](std::string &bytes) { bytes.assign(1000, 'x'); });
  for (double part : {0.0, 0.001, 0.1, 0.5, 0.9, 1.0})
    damage([&](std::string &bytes) {
      bytes[static_cast<size_t>(part * double(bytes.size() - 1))] ^= 1;
    });
  // An entry of another key in this one's place.
  write(paths[0], whole[1]);
  write(paths[1], whole[0]);
  ASSERT_TRUE(runsRight(stats));
  EXPECT_FALSE(stats.fromDisk);
}

TEST_F(DiskCacheTest, WhatAWriterLeftUnfinishedIsNoEntryAndGoesInTime) {
  fs::path fresh = folder + "/new-abcdef", old = folder + "/new-ghijkl",
           foreign = folder + "/notes.txt";
  for (const fs::path &path : {fresh, old, foreign})
    write(path, "half of");
  fs::last_write_time(old,
                      fs::file_time_type::clock::now() - std::chrono::hours(1));
  RunStats stats;
  ASSERT_TRUE(runsRight(stats));
  EXPECT_FALSE(stats.fromDisk);
  EXPECT_TRUE(fs::exists(fresh)); // its writer may be at it
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(foreign));
}

TEST_F(DiskCacheTest, TheLeastRecentlyUsedGoFirst) {
  auto open = [&](int64_t maxBytes) {
    auto cache = DiskCache::open({.folder = folder, .maxBytes = maxBytes});
    EXPECT_THAT(cache, isOk());
    return *std::move(cache);
  };
  CompiledFunction function;
  function.code.objects = {std::string(10'000, 'x')};
  Digest keys[] = {digestOf("a"), digestOf("b"), digestOf("c")};
  auto any = [](const CompiledFunction &) { return true; };
  auto cache = open(25'000);
  cache->store(keys[0], function);
  cache->store(keys[1], function);
  // The clock of files may tick slowly.
  for (const fs::path &path : entries())
    fs::last_write_time(path, fs::file_time_type::clock::now() -
                                  std::chrono::hours(1));
  EXPECT_TRUE(cache->find(keys[0], any).has_value());
  cache->store(keys[2], function);
  EXPECT_EQ(entries().size(), 2u);
  EXPECT_TRUE(cache->find(keys[0], any).has_value());
  EXPECT_FALSE(cache->find(keys[1], any).has_value());
  EXPECT_TRUE(cache->find(keys[2], any).has_value());
  auto small = open(5'000);
  small->store(keys[1], function);
  EXPECT_EQ(small->counts().failedStores, 1);
  EXPECT_FALSE(small->find(keys[1], any).has_value());
}

TEST_F(DiskCacheTest, AKeyHasEightEntriesAtMost) {
  auto cache = DiskCache::open({.folder = folder, .maxBytes = 1 << 20});
  ASSERT_THAT(cache, isOk());
  Digest key = digestOf("key");
  for (int64_t i = 0; i < 20; ++i) {
    CompiledFunction function;
    function.ops[0] = i;
    (*cache)->store(key, function);
    EXPECT_TRUE((*cache)
                    ->find(key,
                           [&](const CompiledFunction &found) {
                             return found.ops[0] == i;
                           })
                    .has_value());
  }
  EXPECT_EQ(entries().size(), size_t(DiskCache::slots));
}

TEST_F(DiskCacheTest, FoldersOfOthersAreRefused) {
  auto codeFor = [&](const std::string &path, int64_t maxBytes = 1 << 20) {
    SessionOptions own = options();
    own.diskCache = {.folder = path, .maxBytes = maxBytes};
    return Session::create(scaleGraph(), own).status().code();
  };
  std::string sub = folder + "/sub", file = folder + "/file",
              link = folder + "/link";
  EXPECT_EQ(codeFor(sub), StatusCode::Ok); // made
  struct stat info;
  ASSERT_EQ(stat(sub.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  for (mode_t mode : {0750, 0705, 0777, 0701}) {
    chmod(sub.c_str(), mode);
    EXPECT_EQ(codeFor(sub), StatusCode::PermissionDenied) << mode;
  }
  write(file, "");
  EXPECT_EQ(codeFor(file), StatusCode::InvalidArgument);
  fs::create_directory_symlink(folder, link);
  EXPECT_EQ(codeFor(link), StatusCode::InvalidArgument);
  EXPECT_EQ(codeFor(folder + "/no/such"), StatusCode::NotFound);
  EXPECT_EQ(codeFor(folder, 0), StatusCode::InvalidArgument);
}

TEST_F(DiskCacheTest, AFolderThatTakesNothingIsCountedNotAnError) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may write everywhere";
  auto session = open(scaleGraph());
  chmod(folder.c_str(), 0500);
  EXPECT_THAT(session->run({}, {}, {"init"}), isOk());
  EXPECT_EQ(session->stats().diskFailedStores, 1);
  chmod(folder.c_str(), 0700);
}

TEST_F(DiskCacheTest, ProcessesShareAFolder) {
#if KILN_THREAD_SANITIZER
  GTEST_SKIP() << "ThreadSanitizer has no threads after a fork";
#endif
  std::vector<pid_t> children;
  for (int child = 0; child < 3; ++child) {
    pid_t pid = fork();
    if (pid == 0) {
      alarm(120);
      RunStats stats;
      for (int i = 0; i < 5; ++i) {
        if (!runsRight(stats))
          _exit(1);
        // One damages what the others read and write.
        if (child == 0)
          for (const fs::path &path : entries())
            write(path, "damaged");
      }
      _exit(0);
    }
    children.push_back(pid);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  RunStats stats;
  ASSERT_TRUE(runsRight(stats));
  ASSERT_TRUE(runsRight(stats));
  EXPECT_TRUE(stats.fromDisk);
}

// What a plan synthesizes for one node has the node's name.
TEST(DiskKey, TensorsOfOneNameAreToldApart) {
  GraphWriter writer;
  writer.constant("a", Tensor::scalar(1.0f));
  writer.constant("b", Tensor::scalar(2.0f));
  const Node *a = writer.graph->lookup("a"), *b = writer.graph->lookup("b");
  auto digestOf = [&](bool isSwapped) {
    SynthesizedNodes nodes;
    Output first = *nodes.name(*a, DType::Float32),
           second = *nodes.name(*a, DType::Float32);
    Block root;
    root.items.emplace_back().node = a;
    root.items.emplace_back().node = b;
    Item call = makeItem(Item::Kind::Call, a, {});
    call.results = {first, second};
    call.first->results = {Output{a, 0}, Output{b, 0}};
    root.items.push_back(std::move(call));
    if (isSwapped)
      std::swap(first, second);
    root.results = {PlanValue::result(first), PlanValue::result(second)};
    return diskKey(root, {}, {}).digest;
  };
  EXPECT_EQ(digestOf(false), digestOf(false));
  EXPECT_NE(digestOf(false), digestOf(true));
}

} // namespace
} // namespace kiln
