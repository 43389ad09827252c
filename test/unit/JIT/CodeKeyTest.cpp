// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every option of the code counts: in keys, in checks, and for whoever runs.
#include "lib/JIT/CodeKey.h"

#include "lib/Eval/StreamingCopy.h"
#include "lib/Loader/CodeLoader.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <set>

namespace kiln {
namespace {

using testing::fails;
using testing::GraphWriter;
using ::testing::HasSubstr;
using testing::isOk;
using testing::tensorOf;

void change(std::string &option) { option += "x"; }
void change(bool &option) { option = !option; }
void change(int64_t &option) { ++option; }

TEST(CodeKey, EveryFieldCounts) {
  std::set<Digest> digests;
  CodeKey key;
  digests.insert(key.digest());
  size_t count = 1;
  auto changed = [&](auto set) {
    CodeKey other = key;
    set(other);
    digests.insert(other.digest());
    ++count;
  };
  changed([](CodeKey &other) { other.backend = "abacus"; });
  changed([](CodeKey &other) { other.target[0] = 1; });
  changed([](CodeKey &other) { other.isInspected = true; });
  changed([](CodeKey &other) { other.unroll = 1; });
#define KILN_CODE_OPTION(type, name, ...)                                      \
  changed([](CodeKey &other) { change(other.code.name); });
#include "kiln/CodeOptions.def"
  EXPECT_EQ(digests.size(), count);
  EXPECT_GE(count, 10u);
}

TEST(CodeKey, IsThatOfTheBackendThatWouldCompile) {
  auto key = codeKey({});
  ASSERT_THAT(key, isOk());
  EXPECT_EQ(key->backend, "cpu");
  EXPECT_NE(key->target, Digest());
  auto lesser = codeKey({.cpu = "x86-64-v2"});
  ASSERT_THAT(lesser, isOk());
  EXPECT_NE(lesser->target, key->target);
}

TEST(CodeLoader, TakesWhatItsBackendMade) {
  auto key = codeKey({});
  ASSERT_THAT(key, isOk());
  EXPECT_NE(findCodeLoader(key->backend), nullptr);
  EXPECT_EQ(findCodeLoader("abacus"), nullptr);
  CompiledCode code;
  code.backend = "abacus";
  EXPECT_THAT(loadCode(code),
              fails(StatusCode::FailedPrecondition, HasSubstr("abacus")));
}

TEST(CodeOptions, NumbersHaveALeastValue) {
  EXPECT_THAT(checkCodeOptions({}), isOk());
#define KILN_CODE_NUMBER(name, value, least, python, what)                     \
  {                                                                            \
    CodeOptions code;                                                          \
    code.name = (least);                                                       \
    EXPECT_THAT(checkCodeOptions(code), isOk());                               \
    --code.name;                                                               \
    EXPECT_THAT(checkCodeOptions(code),                                        \
                fails(StatusCode::InvalidArgument, HasSubstr(what)));          \
  }
#include "kiln/CodeOptions.def"
}

// What the evaluator makes, 512 KiB, passes the caches by where the option says
// so, and only there.
TEST(CodeOptions, TheEvaluatorStreamsWhatTheyAsk) {
  constexpr int64_t rows = 256, columns = 512;
  for (int64_t minStreamedBytes :
       {rows * columns * 4, rows * columns * 4 + 1}) {
    GraphWriter writer;
    writer.placeholder("x", DType::Float32, {rows, columns});
    writer.binary("y", "Mul", "x", "x", DType::Float32);
    writer.binary("z", "AddV2", "y", "x", DType::Float32);
    SessionOptions options;
    options.mode = ExecutionMode::EvaluatorOnly;
    options.code.minStreamedBytes = minStreamedBytes;
    auto session = Session::create(writer.graph, options);
    ASSERT_THAT(session, isOk());
    Tensor x =
        tensorOf<float>({rows, columns}, std::vector<float>(rows * columns, 3));
    const int64_t before = eval::numFinishedStreams();
    auto z = (*session)->run({{"x:0", x}}, {"z:0"});
    ASSERT_THAT(z, isOk());
    EXPECT_EQ((*z)[0].data<float>()[17], 12);
    EXPECT_EQ(eval::numFinishedStreams() > before,
              minStreamedBytes == rows * columns * 4);
  }
}

} // namespace
} // namespace kiln
