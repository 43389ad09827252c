// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Print and PrintV2: how often, and where to.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdlib.h>

namespace kiln {
namespace {

using namespace kiln::testing;
using ::testing::HasSubstr;

class PrintRun : public SessionTest {
protected:
  void SetUp() override {
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    writer.placeholder("x", DType::Float32, {-1});
    text("text", "some\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  void text(std::string name, std::string value) {
    writer.constant(std::move(name), Tensor::scalar(std::move(value)));
  }
  void print(std::string name, int64_t limit) {
    writer.add(name, "Print", {"x", "x"},
               {{"T", DType::Float32},
                {"U", std::vector<DType>{DType::Float32}},
                {"message", name + " "},
                {"first_n", limit}});
  }
  void printText(std::string name, std::string stream) {
    writer.add(std::move(name), "PrintV2", {"text"},
               {{"output_stream", std::move(stream)}, {"end", "end"}});
  }
  Status run(Session &session, std::vector<OperationId> targets) {
    return session.run({{"x:0", tensorOf<float>({2}, {1, 2})}}, {}, targets)
        .status();
  }
  /// What runs write to the standard error.
  std::string printed(Session &session, std::vector<OperationId> targets,
                      int times) {
    ::testing::internal::CaptureStderr();
    for (int i = 0; i < times; ++i)
      EXPECT_THAT(run(session, targets), isOk());
    return ::testing::internal::GetCapturedStderr();
  }
  static std::string contents(const std::string &path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  GraphWriter writer;
  std::string folder = ::testing::TempDir() + "kiln-print-XXXXXX";
};

INSTANTIATE_TEST_SUITE_P(Modes, PrintRun,
                         ::testing::Values(ExecutionMode::Auto,
                                           ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

TEST_P(PrintRun, PrintsTheFirstTimesOfASession) {
  print("always", -1);
  print("twice", 2);
  print("never", 0);
  auto session = open(writer.graph);
  EXPECT_EQ(printed(*session, {"always"}, 3),
            "always [1 2]\nalways [1 2]\nalways [1 2]\n");
  EXPECT_EQ(printed(*session, {"twice", "never"}, 1), "twice [1 2]\n");
  EXPECT_EQ(printed(*session, {"twice"}, 3), "twice [1 2]\n");
  EXPECT_EQ(printed(*open(writer.graph), {"twice"}, 3),
            "twice [1 2]\ntwice [1 2]\n");
}

TEST_P(PrintRun, AddsToFiles) {
  const std::string path = folder + "/log";
  printText("log", "file://" + path);
  printText("nowhere", "file://" + folder + "/no/log");
  printText("folder", "file://" + folder);
  printText("other", "printer");
  auto session = open(writer.graph);
  EXPECT_EQ(printed(*session, {"log"}, 2), "");
  EXPECT_EQ(contents(path), "some\nendsome\nend");
  EXPECT_THAT(run(*session, {"nowhere"}),
              AllOf(fails(StatusCode::NotFound, HasSubstr("/no/log")),
                    failsAt("nowhere")));
  EXPECT_FALSE(run(*session, {"folder"}).ok());
  EXPECT_THAT(run(*session, {"other"}),
              AllOf(fails(StatusCode::InvalidArgument, HasSubstr("printer")),
                    failsAt("other")));
}

TEST_P(PrintRun, FilesOutsideOfTheFoldersAreRefused) {
  const std::string inside = folder + "/in", outside = folder + "/out";
  std::filesystem::create_directory(inside);
  printText("in", "file://" + inside + "/log");
  printText("out", "file://" + outside);
  std::filesystem::create_symlink(outside, inside + "/link");
  printText("link", "file://" + inside + "/link");
  SessionOptions options;
  options.mode = GetParam();
  options.fileFolders = {inside};
  auto session = Session::create(writer.graph, options);
  ASSERT_THAT(session, isOk());
  EXPECT_THAT(run(**session, {"in"}), isOk());
  for (const char *name : {"out", "link"})
    EXPECT_THAT(
        run(**session, {name}),
        AllOf(fails(StatusCode::PermissionDenied, HasSubstr("do not allow")),
              failsAt(name)));
  EXPECT_FALSE(std::filesystem::exists(outside));
}

TEST_P(PrintRun, WritesToStandardStreams) {
  printText("out", "stdout");
  printText("err", "stderr");
  printText("warning", "log(warning)");
  auto session = open(writer.graph);
  EXPECT_EQ(printed(*session, {"err"}, 1), "some\nend");
  EXPECT_EQ(printed(*session, {"warning"}, 1), "some\nend");
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(printed(*session, {"out"}, 1), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "some\nend");
}

} // namespace
} // namespace kiln
