// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every allocation of strings, queues, kernels and of saving fails once: each
// time an error with the node (or the path) and the size, nothing is lost, and
// everything is usable afterwards.
#include "kiln/GraphDef.h"
#include "runtime/memory/RunStrings.h"
#include "runtime/resources/Queue.h"
#include "test/unit/FailingAllocation.h"
#include "test/unit/QueueFixture.h"
#include "tools/common/Npy.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace kiln {
namespace {

using namespace kiln::testing;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr DType f32 = DType::Float32, str = DType::String;
constexpr auto tooMuch = StatusCode::ResourceExhausted;

std::vector<std::string> textsOf(const Tensor &tensor) {
  std::vector<std::string> texts;
  for (std::string_view text : tensor.data<String>())
    texts.emplace_back(text);
  return texts;
}

class AllocationFailureOf : public SessionTest {};

INSTANTIATE_TEST_SUITE_P(Modes, AllocationFailureOf,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

/// x: [?] strings; v: variable [2] of strings; joined = x + x; set: v = joined.
std::shared_ptr<Graph> stringGraph() {
  GraphWriter writer;
  writer.placeholder("x", str, {2});
  writer.placeholder("number", f32, {2});
  writer.variable("v", *Tensor::fromStrings({2}, {"left", "right"}));
  writer.binary("joined", "Add", "x", "x", str);
  writer.add("set", "Assign", {"v", "joined"}, {{"T", str}});
  writer.add("upper", "StringUpper", {"x"});
  writer.add("stripped", "StringStrip", {"x"});
  writer.add("printed", "AsString", {"number"},
             {{"T", f32}, {"width", int64_t{200}}});
  writer.add("read", "StringToNumber", {"x"}, {{"out_type", f32}});
  return writer.graph;
}

TEST_P(AllocationFailureOf, StringsNamesTheNode) {
  auto graph = stringGraph();
  Tensor x = *Tensor::fromStrings({2}, {" a ", "bb"});
  Tensor number = tensorOf<float>({2}, {1, 2});
  for (const char *fetch : {"joined:0", "upper:0", "stripped:0", "printed:0"}) {
    auto scenario = [&]() -> Status {
      auto session = open(graph); // memory for handles is new
      return session->run({{"x:0", x}, {"number:0", number}}, {fetch}).status();
    };
    // The results, their handles, the list of the run's strings, two strings.
    EXPECT_GE(failEach(scenario, isNamed), 4) << fetch;
  }
}

TEST_P(AllocationFailureOf, AStringInAMessageNamesTheNode) {
  auto session = open(stringGraph());
  Tensor x = *Tensor::fromStrings({2}, {"1", "no number"});
  ASSERT_THAT(session->run({{"x:0", x}}, {"read:0"}),
              fails(StatusCode::InvalidArgument, HasSubstr("no number")));
  int failures = 0;
  for (bool hasFailed = true; hasFailed; ++failures) {
    auto fresh = open(stringGraph());
    FailingAllocation failure(failures + 1);
    auto result = fresh->run({{"x:0", x}}, {"read:0"});
    hasFailed = failure.hasFailed();
    EXPECT_THAT(result, fails(hasFailed ? tooMuch : StatusCode::InvalidArgument,
                              HasSubstr(hasFailed ? "bytes" : "no number")));
    ASSERT_LT(failures, 100);
  }
  EXPECT_GE(failures, 2);
}

TEST_P(AllocationFailureOf, AStringVariableLeavesItsValue) {
  Tensor x = *Tensor::fromStrings({2}, {"c", "d"});
  int failing = 1;
  for (bool hasFailed = true; hasFailed; ++failing) {
    ASSERT_LT(failing, 100);
    auto session = open(stringGraph());
    ASSERT_THAT(session->run({}, {}, {"v/Assign"}), isOk());
    Status status;
    {
      FailingAllocation failure(failing);
      status = session->run({{"x:0", x}}, {}, {"set"}).status();
      hasFailed = failure.hasFailed();
    }
    if (hasFailed) {
      EXPECT_THAT(status, fails(tooMuch, HasSubstr("OOM when allocating")));
      EXPECT_TRUE(isNamed(status)) << status.toString();
    } else {
      EXPECT_THAT(status, isOk());
    }
    auto value = session->run({}, {"v/read:0"});
    ASSERT_THAT(value, isOk());
    EXPECT_THAT(textsOf(value->front()), hasFailed
                                             ? ElementsAre("left", "right")
                                             : ElementsAre("cc", "dd"))
        << failing;
  }
  EXPECT_GE(failing, 4);
}

/// q: pairs of a float32 [2] and a string.
std::shared_ptr<Graph> queueGraph() {
  QueueWriter writer;
  writer.placeholder("x", f32, Shape::unknownRank());
  writer.placeholder("s", str, Shape::unknownRank());
  writer.constant("two", Tensor::scalar(2));
  writer.queue("q", -1, {f32, str}, {Shape({2}), Shape()});
  writer.enqueue("put", "q", {"x", "s"}, {f32, str});
  writer.enqueueMany("putMany", "q", {"x", "s"}, {f32, str});
  writer.dequeue("take", "q", {f32, str});
  writer.dequeueMany("takeMany", "q", "two", {f32, str});
  writer.size("size", "q");
  return writer.graph;
}

class AllocationFailureOfQueues : public AllocationFailureOf {
protected:
  int32_t size(Session &session) {
    return session.run({}, {"size:0"})->front().data<int32_t>()[0];
  }
  std::vector<Feed> pairs = {{"x:0", tensorOf<float>({2, 2}, {1, 2, 3, 4})},
                             {"s:0", *Tensor::fromStrings({2}, {"a", "b"})}};
  std::vector<Feed> pair = {{"x:0", tensorOf<float>({2}, {5, 6})},
                            {"s:0", Tensor::scalar("c")}};
};

INSTANTIATE_TEST_SUITE_P(Modes, AllocationFailureOfQueues,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

TEST_P(AllocationFailureOfQueues, EnqueueNamesTheNode) {
  auto graph = queueGraph();
  for (auto *op : {"put", "putMany"}) {
    const auto &feeds = op == std::string_view("put") ? pair : pairs;
    auto scenario = [&]() -> Status {
      return open(graph)->run(feeds, {}, {op}).status();
    };
    EXPECT_GE(failEach(scenario,
                       [&](const Status &status) {
                         return status.node() == op || status.node() == "x" ||
                                status.node() == "s";
                       }),
              3)
        << op;
  }
}

TEST_P(AllocationFailureOfQueues, DequeueLosesNothing) {
  auto session = open(queueGraph());
  for (auto &[fetch, node] :
       {std::pair{"take:1", "take"}, std::pair{"takeMany:1", "takeMany"}}) {
    int failing = 1;
    for (bool hasFailed = true; hasFailed; ++failing) {
      ASSERT_LT(failing, 100);
      while (size(*session) < 2)
        ASSERT_THAT(session->run(pair, {}, {"put"}), isOk());
      int32_t before = size(*session);
      StatusOr<std::vector<Tensor>> result = std::vector<Tensor>();
      {
        FailingAllocation failure(failing);
        result = session->run({}, {fetch});
        hasFailed = failure.hasFailed();
      }
      if (!hasFailed)
        EXPECT_THAT(result, isOk());
      else if (result.ok())
        continue; // what the part behind it could do without
      else {
        EXPECT_THAT(result, fails(tooMuch, HasSubstr("OOM when allocating")));
        // A copy of the constant that says how many is allocated as well.
        EXPECT_THAT(result.status().node(), AnyOf(node, "two"));
        EXPECT_EQ(size(*session), before) << fetch << " " << failing;
      }
    }
    EXPECT_GE(failing, 3);
  }
}

TEST_P(AllocationFailureOfQueues, SizeNamesTheNode) {
  auto graph = queueGraph();
  EXPECT_GE(
      failEach([&] { return open(graph)->run({}, {"size:0"}).status(); },
               [](const Status &status) { return status.node() == "size"; }),
      1);
}

class QueueAllocationFailure : public ::testing::TestWithParam<QueueKind> {};

INSTANTIATE_TEST_SUITE_P(Kinds, QueueAllocationFailure,
                         ::testing::Values(QueueKind::Fifo,
                                           QueueKind::RandomShuffle,
                                           QueueKind::Priority),
                         [](const auto &info) {
                           return std::string(queueTypeName(info.param));
                         });

/// The lists of a queue grow element by element, and one that cannot puts all
/// back.
TEST_P(QueueAllocationFailure, OfTheListsEndsTheAttemptAlone) {
  Queue queue{{"q", -1, {DType::Int64}, {Shape()}, GetParam()}};
  RunContext run;
  std::vector<Tensor> items;
  for (int64_t i = 0; i < 100; ++i)
    items.push_back(Tensor::scalar(i));
  {
    auto attempt = QueueAttempt::enqueue(items);
    FailingAllocation failure(1);
    ASSERT_TRUE(queue.begin(attempt, run));
    EXPECT_THAT(queue.finish(attempt),
                fails(tooMuch, HasSubstr("the elements of queue 'q' (")));
    EXPECT_EQ(queue.size(), 0);
  }
  auto put = QueueAttempt::enqueue(items);
  ASSERT_TRUE(queue.begin(put, run));
  ASSERT_THAT(queue.finish(put), isOk());
  for (int failing = 1; failing < 7; ++failing) {
    auto attempt = QueueAttempt::dequeue(100);
    FailingAllocation failure(failing);
    ASSERT_TRUE(queue.begin(attempt, run));
    EXPECT_THAT(queue.finish(attempt), fails(tooMuch, HasSubstr("bytes")));
    EXPECT_EQ(queue.size(), 100);
  }
  auto take = QueueAttempt::dequeue(100);
  ASSERT_TRUE(queue.begin(take, run));
  ASSERT_THAT(queue.finish(take), isOk());
  std::vector<int64_t> values;
  for (const Tensor &item : take.items)
    values.push_back(item.data<int64_t>()[0]);
  if (GetParam() == QueueKind::RandomShuffle)
    std::sort(values.begin(), values.end());
  for (size_t i = 0; i < 100; ++i)
    EXPECT_EQ(values[i], static_cast<int64_t>(i));
}

TEST_P(AllocationFailureOf, AMatrixInversesWorkspaceNamesTheNode) {
  GraphWriter writer;
  writer.placeholder("x", f32, {2, 2});
  writer.add("inverse", "MatrixInverse", {"x"}, {{"T", f32}});
  Tensor x = tensorOf<float>({2, 2}, {1, 2, 3, 4});
  int workspaces = 0;
  auto scenario = [&] {
    return open(writer.graph)->run({{"x:0", x}}, {"inverse:0"}).status();
  };
  // Two by two floats and two numbers of rows.
  failEach(scenario, [&](const Status &status) {
    workspaces += status.node() == "inverse" &&
                  status.message() == "OOM when allocating the workspace of a "
                                      "kernel (32 bytes)";
    return isNamed(status);
  });
  EXPECT_EQ(workspaces, 1);
}

TEST(RunStringsAllocationFailure, LeavesTheStringsThatAreThere) {
  RunStrings strings;
  std::vector<StringHandle> handles;
  int failures = 0;
  for (int i = 0; i < 100; ++i) {
    std::string text = std::to_string(i);
    {
      FailingAllocation failure(1);
      auto made = strings.make(text);
      ASSERT_TRUE(failure.hasFailed());
      EXPECT_THAT(made, fails(tooMuch, HasSubstr("OOM when allocating str")));
      ++failures;
    }
    handles.push_back(*strings.make(text));
  }
  EXPECT_EQ(failures, 100);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(stringOf(handles[static_cast<size_t>(i)]), std::to_string(i));
}

class SavingAllocationFailure : public ::testing::Test {
protected:
  void SetUp() override {
    path = std::filesystem::path(::testing::TempDir()) /
           ("kiln-save-" + std::to_string(::getpid()));
    std::ofstream(path) << "before";
  }
  void TearDown() override { std::filesystem::remove(path); }
  std::string contents() const {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string path;
};

TEST_F(SavingAllocationFailure, OfAGraphDefKeepsTheOldFile) {
  GraphWriter writer;
  writer.constant("c", countingMatrix(4, 4));
  writer.constant("s", *Tensor::fromStrings({2}, {"ab", "cd"}));
  for (GraphDefFormat format : {GraphDefFormat::Binary, GraphDefFormat::Text})
    for (int failing = 1; failing <= 3; ++failing) {
      FailingAllocation failure(failing);
      Status status = saveGraphDefFile(*writer.graph, path, format);
      EXPECT_THAT(status, fails(tooMuch,
                                AllOf(HasSubstr(path), HasSubstr("OOM when"))));
      EXPECT_EQ(status.node(), failing == 1 ? "c" : failing == 2 ? "s" : "");
      EXPECT_THAT(std::string(status.message()),
                  HasSubstr(failing == 1   ? "(64 bytes)"
                            : failing == 2 ? "(4 bytes)"
                                           : "bytes"));
      EXPECT_EQ(contents(), "before");
    }
  FailingAllocation failure(4);
  EXPECT_THAT(saveGraphDefFile(*writer.graph, path), isOk());
  EXPECT_FALSE(failure.hasFailed());
}

TEST_F(SavingAllocationFailure, OfAnArrayKeepsTheOldFile) {
  Tensor texts = *Tensor::fromStrings({2}, {"abc", "d"});
  {
    FailingAllocation failure(1);
    EXPECT_THAT(writeNpy(path, texts),
                fails(tooMuch, AllOf(HasSubstr(path), HasSubstr("(6 bytes)"))));
    EXPECT_EQ(contents(), "before");
  }
  Tensor numbers = countingMatrix(2, 2);
  FailingAllocation failure(2);
  EXPECT_THAT(writeNpy(path, texts), isOk());
  EXPECT_FALSE(failure.hasFailed());
  EXPECT_THAT(writeNpy(path, numbers), isOk());
  EXPECT_FALSE(failure.hasFailed()) << "numbers need no second memory";
}

TEST_F(SavingAllocationFailure, OfReadingStringsNamesThePath) {
  ASSERT_THAT(writeNpy(path, *Tensor::fromStrings({2}, {"abc", "d"})), isOk());
  auto scenario = [&]() -> Status {
    auto read = readNpy(path);
    EXPECT_TRUE(read.ok() ||
                read.status().message().find(path) != std::string::npos);
    return read.status();
  };
  EXPECT_EQ(failEach(scenario, isUnnamed), 4); // file, tensor, two strings
}

} // namespace
} // namespace kiln
