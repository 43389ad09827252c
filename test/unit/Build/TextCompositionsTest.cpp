// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of texts and of examples, and lookups that are safe add
// TensorFlow's nodes. Graphs and values are recorded by
// test/golden_kiln/make_composed_sparse_cases.py.
#include "kiln/BuildOps.h"
#include "test/unit/Build/CompositionFixture.h"

#include <numeric>

namespace kiln {
namespace {

class TextCompositions : public CompositionFixture {
protected:
  template <class T> static Tensor ramp(int64_t rows, int64_t columns) {
    std::vector<T> values(static_cast<size_t>(rows * columns));
    std::iota(values.begin(), values.end(), T(0));
    return Tensor::fromValues<T>({rows, columns}, values).valueOr(Tensor());
  }

  void addEmbeddings(const SparseTensor &s) {
    using namespace ops;
    Variable w(ramp<float>(4, 3), {.name = "w"});
    Variable r(ramp<double>(4, 2), {.name = "r", .useResource = true});
    Output numbers = cast(s.values, int64);
    SparseTensor ids = makeSparseTensor(s.indices, numbers, s.denseShape);
    SparseTensor fixed =
        sparsePlaceholder(int64, {.shape = Input({2, 1, 2}), .name = "fixed"});
    safeEmbeddingLookupSparse(w, ids);
    safeEmbeddingLookupSparse(
        w, ids,
        {.sparseWeights = s, .combiner = "sum", .defaultId = 1, .name = "own"});
    safeEmbeddingLookupSparse(w, fixed, {.combiner = "sqrtn"});
    safeEmbeddingLookupSparse(r, fixed, {.defaultId = 3});
  }
};

TEST_F(TextCompositions, Texts) {
  using namespace ops;
  Output t = input(DType::String, {-1}, "t");
  Output u = input(DType::String, Shape::unknownRank(), "u");
  Output n = input(int32, {2, 2}, "n");
  SparseTensor s = sparsePlaceholder(float32, {.name = "s"});
  stringSplit(t);
  stringSplit({"a,b", "c"}, {.sep = ",", .skipEmpty = false, .name = "commas"});
  stringSplit(t, {.sep = t[0]});
  stringsSplit(t);
  stringsSplit("a b  c", {.sep = " ", .maxsplit = 1, .name = "split"});
  reduceJoin(t);
  reduceJoin(u);
  reduceJoin({{"a", "b"}, {"c", "d"}},
             {.axis = 0, .separator = "-", .name = "joined"});
  reduceJoin(Input({{"a", "b"}}), {.axis = Input({0, 1}), .keepDims = true});
  regexFullMatch(t, "a.*");
  regexFullMatch(t, t[0], {.name = "match"});
  regexReplace(t, "[ab]", "x");
  regexReplace(t, t[0], "x", {.replaceGlobal = false, .name = "replaced"});
  stringFormat("n: {}", {n});
  stringFormat("% and %", {n, t},
               {.placeholder = "%", .summarize = 1, .name = "format"});
  printV2({t[0]});
  printV2({"n is", n}, {.outputStream = "stdout", .name = "line"});
  printV2({"{}", n, s}, {.sep = ", ", .end = "", .summarize = -1});
  addEmbeddings(s);
  globalVariablesInitializer();
  expectGraph("composed_texts");
}

TEST_F(TextCompositions, Errors) {
  using namespace ops;
  stringFormat("{} and {}", {ops::constant(1)});
  EXPECT_EQ(error(), "The template expects 2 tensors, but the inputs only has "
                     "1. Please ensure the number of placeholders in template "
                     "matches inputs length.");
  Output e = input(DType::String, {-1}, "e");
  parseExample(e, {});
  EXPECT_EQ(error(), "Argument `features` cannot be None or falsy. Got {}");
  parseExample(e, {{"x", FixedLenSequenceFeature{{2}, float32}}});
  EXPECT_EQ(error(), "Unsupported: FixedLenSequenceFeature requires "
                     "allow_missing to be True.");
  parseSequenceExample(e, {{"x", SparseFeature{}}}, {});
  EXPECT_EQ(error(), "Unsupported SparseFeature for key 'x'");
  parseSingleExample(e, {{"x", VarLenFeature{int64}}});
  EXPECT_EQ(error(), "Input serialized must be a scalar");
  decodeCSV(e, {{0}, {0}}, {.selectCols = {1, 0}});
  EXPECT_EQ(error(), "select_cols is not strictly increasing.");
}

TEST_F(TextCompositions, Examples) {
  using namespace ops;
  Output e = input(DType::String, {-1}, "e");
  Output one = input(DType::String, {}, "one");
  Output u = input(DType::String, Shape::unknownRank(), "u");
  Features features{{"v", VarLenFeature{int64}},
                    {"f", FixedLenFeature{{2}, float32}},
                    {"d", FixedLenFeature{{}, DType::String, "none"}},
                    {"l", FixedLenSequenceFeature{{}, int64, true}},
                    {"p p", FixedLenSequenceFeature{{1}, float32, true, -1.0}}};
  Features crossed{
      {"s", SparseFeature{{"i"}, "x", float32, {9}}},
      {"m", SparseFeature{{"i", "j"}, "x", float32, {9, 5}, true}},
      {"n", FixedLenFeature{{1, 2}, int64, Input(Input::List{Input({7, 8})})}}};
  ParsedFeatures parsed = parseExample(e, features);
  EXPECT_EQ(parsed.at("f").output().shape(), (Shape{-1, 2}));
  parseExample(e, crossed,
               {.name = "crossed", .exampleNames = Input({"a", "b"})});
  parseSingleExample(one, features);
  parseSingleExample(u, {{"v", VarLenFeature{int64}}}, {.name = "single"});
  Features context{{"c", FixedLenFeature{{}, int64}},
                   {"w", VarLenFeature{DType::String}}};
  Features steps{{"q", FixedLenSequenceFeature{{2}, float32}},
                 {"r", VarLenFeature{int64}},
                 {"z", FixedLenSequenceFeature{{}, int64, true}}};
  Output many = input(DType::String, {-1}, "many");
  Output sequence = input(DType::String, {}, "sequence");
  EXPECT_EQ(parseSequenceExample(many, context, steps).lengths.size(), 2u);
  parseSingleSequenceExample(sequence, context, steps);
  parseSingleSequenceExample(sequence, {}, {{"r", VarLenFeature{int64}}},
                             {.exampleNames = "x", .name = "steps"});
  Output lines = input(DType::String, {-1}, "lines");
  decodeCSV(lines, {Input(Input::List{0}), Input(Input::List{""}),
                    Input(Input::List{1.5})});
  decodeCSV(lines,
            {ops::constant(Input(Input::List()), {.dtype = int32}),
             Input(Input::List{"x"})},
            {.useQuoteDelim = false,
             .name = "csv",
             .naValue = "?",
             .selectCols = {0, 1}});
  expectGraph("composed_examples");
}

} // namespace
} // namespace kiln
