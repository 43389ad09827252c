// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Candidate samplers whose weights are in a file; what they draw is in the
// golden cases.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"

using namespace kiln;
using namespace kiln::testing;

namespace {

class Sampler : public ::testing::TestWithParam<ExecutionMode> {
protected:
  StatusOr<std::unique_ptr<Session>>
  sessionOf(const std::string &path, std::vector<float> unigrams,
            std::optional<std::string> allowed = {}) {
    GraphWriter writer;
    writer.constant("classes", tensorOf<int64_t>({2, 1}, {1, 3}));
    writer.add("draw", "FixedUnigramCandidateSampler", {"classes"},
               {{"num_true", int64_t(1)},
                {"num_sampled", int64_t(20)},
                {"unique", false},
                {"range_max", int64_t(4)},
                {"vocab_file", path},
                {"distortion", 0.75f},
                {"num_reserved_ids", int64_t(1)},
                {"unigrams", std::move(unigrams)},
                {"seed", int64_t(3)},
                {"seed2", int64_t(4)}});
    SessionOptions options;
    options.mode = GetParam();
    if (allowed)
      options.fileFolders = {*allowed};
    return Session::create(writer.graph, options);
  }
  StatusOr<std::vector<Tensor>> draw(Session &session) {
    return session.run({}, {"draw:0", "draw:1", "draw:2"});
  }

  TemporaryFolder folder;
};

TEST_P(Sampler, AFileGivesWhatItsWeightsGive) {
  writeFileOf(folder / "words", "the,5\r\n\na,b,1\nof, 2.5 \n");
  auto byFile = sessionOf(folder / "words", {}),
       byList = sessionOf("", {5, 1, 2.5f});
  ASSERT_THAT(byFile, isOk());
  ASSERT_THAT(byList, isOk());
  for (int run = 0; run < 2; ++run) {
    auto drawn = draw(**byFile), wanted = draw(**byList);
    ASSERT_THAT(drawn, isOk());
    ASSERT_THAT(wanted, isOk());
    EXPECT_EQ(valuesOf<int64_t>((*drawn)[0]), valuesOf<int64_t>((*wanted)[0]));
    EXPECT_EQ(valuesOf<float>((*drawn)[1]), valuesOf<float>((*wanted)[1]));
    // A session reads it once.
    std::filesystem::remove(folder / "words");
  }
}

TEST_P(Sampler, OnlyFilesOfTheFoldersAreRead) {
  TemporaryFolder other;
  writeFileOf(other / "words", "a,1\nb,1\nc,1\n");
  auto session = sessionOf(other / "words", {}, folder.name());
  ASSERT_THAT(session, isOk());
  EXPECT_EQ(draw(**session).status().code(), StatusCode::PermissionDenied);
}

TEST_P(Sampler, SaysWhatIsWrongWithAFile) {
  auto codeOf = [&](std::string_view text, std::string_view message) {
    writeFileOf(folder / "words", text);
    auto session = sessionOf(folder / "words", {});
    ASSERT_THAT(session, isOk());
    Status status = draw(**session).status();
    EXPECT_EQ(status.code(), StatusCode::InvalidArgument);
    EXPECT_NE(status.message().find(message), std::string::npos)
        << status.toString();
  };
  codeOf("a,1\nb,x\nc,1\n", "Wrong vocabulary format at line: b,x");
  codeOf("a,1\nb,1\n", "range is 4 must be equal to weights size  3");
  codeOf("", "range is 4 must be equal to weights size  1");
  auto session = sessionOf(folder / "none", {});
  ASSERT_THAT(session, isOk());
  EXPECT_EQ(draw(**session).status().code(), StatusCode::NotFound);
}

INSTANTIATE_TEST_SUITE_P(Modes, Sampler,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

} // namespace
