// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables from text files, and of two sessions. What else they do the golden
// cases test/golden_kiln/table_* say.
#include "kiln/ResourceManager.h"
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"
#include "test/unit/TemporaryFolder.h"

namespace kiln::testing {
namespace {

using ::testing::HasSubstr;

class TableTest : public SessionTest {
protected:
  /// Gives a table the lines of a file; returns its size, or the error.
  StatusOr<int64_t> load(std::string_view contents, DType key, DType value,
                         AttrMap attrs) {
    writeFileOf(folder / "v.txt", contents);
    GraphWriter writer;
    writer.add("t", "HashTableV2", {},
               {{"key_dtype", key}, {"value_dtype", value}});
    writer.constant("file", Tensor::scalar(folder / "v.txt"));
    writer.add("load", "InitializeTableFromTextFileV2", {"t", "file"}, attrs);
    writer.add("size", "LookupTableSizeV2", {"t"});
    session = open(writer.graph);
    auto loaded = session->run({}, {}, {"load"});
    if (!loaded.ok())
      return loaded.status();
    auto size = session->run({}, {"size:0"});
    return size.ok() ? StatusOr<int64_t>((*size)[0].data<int64_t>()[0])
                     : size.status();
  }
  static AttrMap columns(int64_t key, int64_t value) {
    return {{"key_index", key}, {"value_index", value}};
  }

  TemporaryFolder folder;
  std::unique_ptr<Session> session;
};
INSTANTIATE_TEST_SUITE_P(Modes, TableTest,
                         ::testing::Values(ExecutionMode::NativeOnly,
                                           ExecutionMode::EvaluatorOnly),
                         modeName);

constexpr DType text = DType::String, number = DType::Int64;

TEST_P(TableTest, LinesOfAFile) {
  EXPECT_EQ(*load("a\nb\r\nc", text, number, columns(-2, -1)), 3);
  EXPECT_EQ(*load("a\nb\nc", number, text, columns(-1, -2)), 3);
  EXPECT_EQ(*load("a\t1\nb\t-2\n", text, number, columns(0, 1)), 2);
  EXPECT_THAT(load("", text, number, columns(-2, -1)),
              fails(StatusCode::OutOfRange, HasSubstr("Read less bytes than")));
  AttrMap two = columns(-2, -1);
  two.set("vocab_size", int64_t(2));
  EXPECT_EQ(*load("a\nb\nc\n", text, number, two), 2);
}

TEST_P(TableTest, LinesThatAreNoEntriesAreErrors) {
  auto errorOf = [&](std::string_view contents, DType value, AttrMap attrs) {
    return load(contents, text, value, std::move(attrs)).status().toString();
  };
  EXPECT_THAT(errorOf("a\t1\n\nb\t2\n", number, columns(0, 1)),
              HasSubstr("empty line found at position 5."));
  EXPECT_THAT(errorOf("a\tb\tc\n", text, columns(0, 3)),
              HasSubstr("line 0 (a\tb\tc) : expected at least 4 got 3"));
  EXPECT_THAT(errorOf("a\t1\nb\tx\n", number, columns(0, 1)),
              HasSubstr("Field x in line 1 is not a valid int64."));
  EXPECT_THAT(errorOf("a\t99999999999999999999\n", number, columns(0, 1)),
              HasSubstr("is not a valid int64."));
  EXPECT_THAT(errorOf("a\n", text, columns(-2, -1)),
              HasSubstr("Value index for line number requires table value "
                        "dtype of int64, got string"));
  AttrMap attrs = columns(-2, -1);
  attrs.set("vocab_size", int64_t(9));
  EXPECT_THAT(errorOf("a\nb\n", number, attrs),
              HasSubstr(": expected 9 but got 2"));
  attrs = columns(0, 1);
  attrs.set("delimiter", std::string("ab"));
  EXPECT_THAT(errorOf("a\n", number, attrs),
              HasSubstr("delimiter should be only 1 char"));
  EXPECT_THAT(errorOf("a\t1\na\t2\n", number, columns(0, 1)),
              HasSubstr("Key a has 1 and trying to add value 2"));
}

TEST_P(TableTest, TwoSessionsShareATableByName) {
  GraphWriter writer;
  writer.add("t", "MutableHashTableV2", {},
             {{"key_dtype", text},
              {"value_dtype", number},
              {"shared_name", std::string("words")}});
  writer.constant("keys", *Tensor::fromStrings({2}, {"a", "b"}));
  writer.constant("values", tensorOf<int64_t>({2}, {1, 2}));
  writer.constant("none", Tensor::scalar<int64_t>(-1));
  AttrMap types = {{"Tin", text}, {"Tout", number}};
  writer.add("insert", "LookupTableInsertV2", {"t", "keys", "values"}, types);
  writer.add("find", "LookupTableFindV2", {"t", "keys", "none"}, types);
  SessionOptions options;
  options.mode = GetParam();
  options.resources = std::make_shared<ResourceManager>();
  auto first = Session::create(writer.graph, options),
       second = Session::create(writer.graph, options);
  ASSERT_THAT((*first)->run({}, {}, {"insert"}), isOk());
  auto found = (*second)->run({}, {"find:0"});
  ASSERT_THAT(found, isOk());
  EXPECT_EQ(valuesOf<int64_t>((*found)[0]), (std::vector<int64_t>{1, 2}));
  auto alone = open(writer.graph)->run({}, {"find:0"});
  ASSERT_THAT(alone, isOk());
  EXPECT_EQ(valuesOf<int64_t>((*alone)[0]), (std::vector<int64_t>{-1, -1}));
}

} // namespace
} // namespace kiln::testing
