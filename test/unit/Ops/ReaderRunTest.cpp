// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading from many threads and sessions: each record once, waiting, giving up,
// files that a session may not read, and long records.
#include "test/unit/QueueFixture.h"
#include "test/unit/TemporaryFolder.h"
#include "test/unit/Together.h"

#include <atomic>
#include <set>
#include <thread>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;
using testing::together;
using testing::valuesOf;

constexpr DType text = DType::String;

/// `names`: a queue of files, filled by `put` from p. `read`, `several`,
/// `count` and `files`: of a reader of their lines. `contents`: of file p.
std::shared_ptr<Graph> linesGraph() {
  testing::QueueWriter writer;
  writer.placeholder("p", text, {});
  writer.placeholder("n", DType::Int64, {});
  writer.queue("names", 100, {text}, {Shape()}, "names");
  writer.enqueue("put", "names", {"p"}, {text});
  writer.close("close", "names");
  writer.size("size", "names");
  writer.add("lines", "TextLineReaderV2", {},
             {{"shared_name", std::string("lines")}});
  writer.add("read", "ReaderReadV2", {"lines", "names"});
  writer.add("several", "ReaderReadUpToV2", {"lines", "names", "n"});
  writer.add("count", "ReaderNumRecordsProducedV2", {"lines"});
  writer.add("files", "ReaderNumWorkUnitsCompletedV2", {"lines"});
  writer.add("contents", "ReadFile", {"p"});
  return writer.graph;
}

class ReaderRun : public testing::SessionTest {
protected:
  static Feed p(const std::string &path) {
    return {"p:0", Tensor::scalar(path)};
  }
  std::string file(const std::string &name, std::string_view contents) {
    testing::writeFileOf(folder / name, contents);
    return folder / name;
  }
  static int64_t number(Session &session, const char *tensor) {
    auto got = session.run({}, {tensor});
    EXPECT_THAT(got, isOk());
    return got.ok() ? valuesOf<int64_t>((*got)[0])[0] : -1;
  }

  testing::TemporaryFolder folder;
};

TEST_P(ReaderRun, ManyThreadsReadEachRecordOnce) {
  auto session = open(linesGraph());
  constexpr int numFiles = 5, numLines = 40, numThreads = 4;
  for (int i = 0; i < numFiles; ++i) {
    std::string lines;
    for (int k = 0; k < numLines; ++k)
      lines += std::to_string(i * numLines + k) + "\n";
    ASSERT_THAT(session->run({p(file(std::to_string(i), lines))}, {}, {"put"}),
                isOk());
  }
  ASSERT_THAT(session->run({}, {}, {"close"}), isOk());
  std::vector<std::set<std::string>> found(numThreads);
  together(numThreads, [&](int thread) {
    for (;;) {
      auto got = session->run({}, {"read:1"});
      if (!got.ok()) {
        EXPECT_THAT(got, fails(StatusCode::OutOfRange, HasSubstr("closed")));
        return;
      }
      EXPECT_TRUE(found[static_cast<size_t>(thread)]
                      .emplace((*got)[0].data<String>()[0].view())
                      .second);
    }
  });
  std::set<std::string> all;
  size_t numFound = 0;
  for (const std::set<std::string> &some : found) {
    numFound += some.size();
    all.insert(some.begin(), some.end());
  }
  EXPECT_EQ(numFound, size_t(numFiles * numLines));
  EXPECT_EQ(all.size(), size_t(numFiles * numLines));
  EXPECT_EQ(number(*session, "count:0"), numFiles * numLines);
  EXPECT_EQ(number(*session, "files:0"), numFiles);
}

TEST_P(ReaderRun, ReadsThatWaitGetARecordEach) {
  auto session = open(linesGraph());
  std::thread first([&] { EXPECT_THAT(session->run({}, {"read:1"}), isOk()); });
  std::thread second(
      [&] { EXPECT_THAT(session->run({}, {"read:1"}), isOk()); });
  // One line a file: the second read begins another one.
  ASSERT_THAT(session->run({p(file("a", "1\n"))}, {}, {"put"}), isOk());
  ASSERT_THAT(session->run({p(file("b", "2\n"))}, {}, {"put"}), isOk());
  first.join();
  second.join();
  EXPECT_EQ(number(*session, "count:0"), 2);
}

TEST_P(ReaderRun, AReadThatGivesUpLetsTheNextOneGoOn) {
  auto session = open(linesGraph());
  RunOptions soon;
  soon.timeout = std::chrono::milliseconds(1);
  EXPECT_THAT(session->run({}, {"read:1"}, {}, soon),
              fails(StatusCode::DeadlineExceeded, ::testing::_));
  ASSERT_THAT(session->run({p(file("a", "1\n2\n"))}, {}, {"put"}), isOk());
  auto got = session->run({}, {"read:1"});
  ASSERT_THAT(got, isOk());
  EXPECT_EQ((*got)[0].data<String>()[0].view(), "1");
}

TEST_P(ReaderRun, ClosingASessionEndsAReadThatWaits) {
  auto session = open(linesGraph());
  std::atomic<bool> hasBegun = false;
  std::thread reading([&] {
    hasBegun = true;
    // Before the close or after it.
    EXPECT_FALSE(session->run({}, {"read:1"}).ok());
  });
  while (!hasBegun)
    std::this_thread::yield();
  session->close();
  reading.join();
}

TEST_P(ReaderRun, SessionsOfOneContainerShareAReadersPlace) {
  SessionOptions options;
  options.resources = std::make_shared<ResourceManager>();
  auto graph = linesGraph();
  auto one = Session::create(graph, options),
       two = Session::create(graph, options);
  ASSERT_THAT(one, isOk());
  ASSERT_THAT(two, isOk());
  ASSERT_THAT((*one)->run({p(file("a", "1\n2\n3\n"))}, {}, {"put"}), isOk());
  std::vector<std::string> lines;
  for (Session *session : {one->get(), two->get(), one->get()}) {
    auto got = session->run({}, {"read:1"});
    ASSERT_THAT(got, isOk());
    lines.emplace_back((*got)[0].data<String>()[0].view());
  }
  EXPECT_THAT(lines, ::testing::ElementsAre("1", "2", "3"));
  EXPECT_EQ(number(**two, "count:0"), 3);
  // The reader waits for the other session to name a file.
  std::thread waiting(
      [&] { EXPECT_THAT((*one)->run({}, {"read:1"}), isOk()); });
  ASSERT_THAT((*two)->run({p(file("b", "4\n"))}, {}, {"put"}), isOk());
  waiting.join();
  EXPECT_EQ(number(**two, "count:0"), 4);
}

TEST_P(ReaderRun, FilesOutsideOfTheFoldersAreRefused) {
  testing::TemporaryFolder other;
  SessionOptions options;
  options.fileFolders = {other.name()};
  auto session = Session::create(linesGraph(), options);
  ASSERT_THAT(session, isOk());
  const std::string outside = file("a", "1\n"), inside = other / "b";
  testing::writeFileOf(inside, "2\n");
  for (const std::string &path : {outside, other.name() + "/../" + outside})
    EXPECT_THAT((*session)->run({p(path)}, {"contents:0"}),
                fails(StatusCode::PermissionDenied, HasSubstr(path)));
  EXPECT_THAT((*session)->run({p(inside)}, {"contents:0"}), isOk());
  ASSERT_THAT((*session)->run({p(outside)}, {}, {"put"}), isOk());
  EXPECT_THAT((*session)->run({}, {"read:1"}),
              fails(StatusCode::PermissionDenied, HasSubstr(outside)));
  ASSERT_THAT((*session)->run({p(inside)}, {}, {"put"}), isOk());
  EXPECT_THAT((*session)->run({}, {"read:1"}), isOk());
}

TEST_P(ReaderRun, LinesMayBeLongerThanWhatIsReadAtOnce) {
  auto session = open(linesGraph());
  const std::string longLine(700'000, 'a'), other(300'000, 'b');
  ASSERT_THAT(
      session->run({p(file("a", longLine + "\n" + other))}, {}, {"put"}),
      isOk());
  auto got = session->run({{"n:0", Tensor::scalar<int64_t>(9)}}, {"several:1"});
  ASSERT_THAT(got, isOk());
  auto lines = (*got)[0].data<String>();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_TRUE(lines[0].view() == longLine);
  EXPECT_TRUE(lines[1].view() == other);
}

TEST_P(ReaderRun, BadNumbersOfRecordsAreErrors) {
  auto session = open(linesGraph());
  EXPECT_THAT(
      session->run({{"n:0", Tensor::scalar<int64_t>(-1)}}, {"several:1"}),
      fails(StatusCode::InvalidArgument, HasSubstr("-1")));
}

INSTANTIATE_TEST_SUITE_P(Modes, ReaderRun,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::EvaluatorOnly),
                         testing::modeName);

} // namespace
} // namespace kiln
