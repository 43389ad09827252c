// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records of features, lines of values, pieces and characters of texts.
#include "lib/IO/proto/Example.pb.h"
#include "test/fuzz/graphs/Recipes.h"

namespace kiln::fuzz {
namespace {

proto::Feature numbers(std::initializer_list<int64_t> list) {
  proto::Feature feature;
  feature.mutable_int64_list()->mutable_value()->Add(list.begin(), list.end());
  return feature;
}

proto::Feature floats(std::initializer_list<float> list) {
  proto::Feature feature;
  feature.mutable_float_list()->mutable_value()->Add(list.begin(), list.end());
  return feature;
}

proto::Feature bytes(std::initializer_list<const char *> list) {
  proto::Feature feature;
  for (const char *text : list)
    feature.mutable_bytes_list()->add_value(text);
  return feature;
}

void setFeature(proto::Features &features, const char *name,
                proto::Feature feature) {
  auto &entry = *features.add_feature();
  entry.set_key(name);
  *entry.mutable_value() = std::move(feature);
}

/// Messages with "pair", two floats, and at times "label" and "ids".
std::vector<std::string> examples() {
  std::vector<std::string> list;
  for (int i = 0; i < 4; ++i) {
    proto::Example example;
    auto &features = *example.mutable_features();
    setFeature(features, "pair", floats({0.5f * static_cast<float>(i), -1}));
    if (i != 1)
      setFeature(features, "label", bytes({i == 0 ? "kiln" : ""}));
    if (i == 2)
      setFeature(features, "ids", numbers({7, -9, 22}));
    if (i == 3)
      setFeature(features, "ids", numbers({i}));
    if (i != 0)
      setFeature(features, "more", numbers({i, 2 * i}));
    list.push_back(example.SerializeAsString());
  }
  return list;
}

/// Messages with the context's "pair", and steps of "ids" and "points".
std::vector<std::string> sequences() {
  std::vector<std::string> list;
  for (int i = 0; i < 3; ++i) {
    proto::SequenceExample example;
    setFeature(*example.mutable_context(), "pair", floats({1.5f, 2}));
    if (i != 1)
      setFeature(*example.mutable_context(), "ids", numbers({i, 5}));
    auto &points = *example.mutable_feature_lists()->add_feature_list();
    points.set_key("points");
    points.mutable_value();
    auto &steps = *example.mutable_feature_lists()->add_feature_list();
    steps.set_key("ids");
    steps.mutable_value();
    for (int step = 0; step < i; ++step) {
      *points.mutable_value()->add_feature() =
          floats({static_cast<float>(step), 3});
      *steps.mutable_value()->add_feature() =
          step == 0 ? numbers({4}) : numbers({8, 9});
    }
    if (i == 0)
      *points.mutable_value()->add_feature() = floats({6, 7});
    list.push_back(example.SerializeAsString());
  }
  return list;
}

/// Now and then bytes that are no message, where errors are wanted.
Fill messages(Call &call, std::vector<std::string> list) {
  if (std::exchange(call.maker.isHostile, false))
    list.emplace_back("\x0a\x7f none");
  return texts(std::move(list));
}

Value textList(Call &call, std::initializer_list<std::string_view> list) {
  auto tensor = Tensor::fromStrings(
      shapeOf({static_cast<int64_t>(list.size())}, 0), list);
  return call.maker.constant(*tensor);
}

Value text(Call &call, std::string_view of) {
  return call.maker.constant(Tensor::scalar(of));
}

using Types = std::vector<DType>;
using Shapes = std::vector<Shape>;

const Shape pair = shapeOf({2}, 0);

/// "pair" of float and "label" as dense features, "ids" as a sparse one.
bool parseExamples(Call &call) {
  const std::string &op = call.def.name;
  const bool isSingle = op == "ParseSingleExample", isSecond = op.back() == '2';
  call.set("Tdense", Types{DType::Float32, DType::String});
  call.set("dense_shapes", Shapes{pair, Shape()});
  call.set("sparse_types", Types{DType::Int64});
  for (const char *count : {"num_sparse", "Nsparse"})
    call.setIf(count, int64_t(1));
  call.setIf("Ndense", int64_t(2));
  if (isSingle) {
    call.set("sparse_keys", std::vector<std::string>{"ids"});
    call.set("dense_keys", std::vector<std::string>{"pair", "label"});
  }
  if (isSecond) {
    call.set("ragged_value_types", Types{DType::Int64});
    call.set("ragged_split_types",
             Types{call.random.among({DType::Int32, DType::Int64})});
  }
  Extents batch = {call.maker.randomExtent()};
  if (isSingle || (isSecond && call.random.chance(30)))
    batch.clear();
  call.fresh(batch, messages(call, examples()));
  if (isSecond) {
    call.in(textList(call, {}));
    call.in(textList(call, {"ids"}));
    call.in(textList(call, {"pair", "label"}));
    call.in(textList(call, {"more"}));
  } else if (!isSingle) {
    call.in(textList(call, {}));
    for (const char *key : {"ids", "pair", "label"})
      call.in(text(call, key));
  }
  call.fresh({2}, between(-3, 3));
  call.fresh({}, texts({"none", ""}));
  return call.done();
}

/// "pair" and "ids" of the context, "points" and "ids" of the steps.
bool parseSequences(Call &call) {
  const std::string &op = call.def.name;
  const bool isSingle = op == "ParseSingleSequenceExample",
             isSecond = op.back() == '2';
  for (const char *count : {"Ncontext_sparse", "Ncontext_dense",
                            "Nfeature_list_sparse", "Nfeature_list_dense"})
    call.setIf(count, int64_t(1));
  for (const char *types :
       {"context_sparse_types", "feature_list_sparse_types"})
    call.set(types, Types{DType::Int64});
  for (const char *types : {"Tcontext_dense", "feature_list_dense_types"})
    call.set(types, Types{DType::Float32});
  for (const char *shapes :
       {"context_dense_shapes", "feature_list_dense_shapes"})
    call.set(shapes, Shapes{pair});
  const std::vector<std::string> ids = {"ids"}, points = {"points"};
  if (op == "ParseSequenceExample") {
    call.set("feature_list_dense_missing_assumed_empty",
             std::vector<std::string>());
    call.set("context_sparse_keys", ids);
    call.set("context_dense_keys", std::vector<std::string>{"pair"});
    call.set("feature_list_sparse_keys", ids);
    call.set("feature_list_dense_keys", points);
  }
  Extents batch;
  if (!isSingle && (!isSecond || call.random.chance(70)))
    batch = {call.maker.randomExtent()};
  call.fresh(batch, messages(call, sequences()));
  if (isSingle) {
    call.in(textList(call, {}));
    for (const char *key : {"ids", "pair", "ids", "points"})
      call.in(text(call, key));
    call.fresh({2}, between(-3, 3));
    call.in(text(call, "a record"));
    return call.done();
  }
  call.in(textList(call, {}));
  if (isSecond) {
    call.in(textList(call, {"ids"}));
    call.in(textList(call, {"pair"}));
    call.in(textList(call, {}));
    call.in(textList(call, {"ids"}));
    call.in(textList(call, {"points"}));
    call.in(textList(call, {}));
    call.in(call.maker.constant(makeTensor(DType::Bool, shapeOf({1}, 0),
                                           exactly({0}), 0, call.random)));
  }
  call.fresh({2}, between(-3, 3));
  return call.done();
}

bool decodeLines(Call &call) {
  call.set("OUT_TYPE", Types{DType::Int32, DType::String, DType::Float32});
  call.setIf("select_cols", std::vector<int64_t>());
  call.set("use_quote_delim", true);
  call.set("na_value", call.random.among({"", "NA"}));
  std::vector<std::string> lines = {"1,a,2.5", "-7,\"b,c\",", "22,,1e3", ",x,0",
                                    "5,\"\",-1"};
  if (std::exchange(call.maker.isHostile, false))
    lines.emplace_back("one,a");
  call.fresh(call.maker.randomDims(0, 2), texts(lines));
  call.fresh({1}, between(0, 9));
  call.fresh({1}, texts({"none"}));
  call.fresh({1}, between(0, 9));
  return call.done();
}

bool decompress(Call &call) {
  const char *zlib = "\170\332\313\316\314\311\123\310\206\023\106\106\000\070"
                     "\176\005\317",
             *gzip = "\037\213\010\000\000\000\000\000\002\003\313\316\314\311"
                     "\123\310\206\023\106\106\000\156\357\207\360\021\000\000"
                     "\000";
  const std::string type = call.random.among({"", "ZLIB", "GZIP"});
  call.set("compression_type", type);
  Extents dims = call.maker.randomDims(0, 2);
  if (type.empty())
    call.like(dims);
  else
    call.fresh(dims, messages(call, {type == "ZLIB" ? std::string(zlib, 17)
                                                    : std::string(gzip, 29)}));
  return call.done();
}

bool decodeJson(Call &call) {
  call.fresh(
      call.maker.randomDims(0, 2),
      messages(call,
               {"{}", R"({"features": {"feature": {"pair": {"floatList": )"
                      R"({"value": [1.5, -2]}}}}})"}));
  return call.done();
}

/// The pieces of texts, whose number the run finds out.
bool split(Call &call) {
  call.fresh({call.maker.randomExtent()},
             texts({"a b  c", "", " kiln ", "a,b;;c", ",", "x"}));
  call.fresh({}, texts({call.def.name == "StringSplit"
                            ? call.random.among({"", ",", " ;,"})
                            : call.random.among({"", ",", " ", ";;"})}));
  call.setIf("maxsplit", call.random.between(-1, 2));
  return call.done();
}

/// Row splits of so many elements.
Value splits(Call &call, const Extent &elements) {
  Extents list = {0};
  for (int64_t i = call.random.between(0, 2); i > 0; --i)
    list.push_back(list.back());
  list.push_back(each([](int64_t n) { return n / 2; }, elements));
  list.push_back(elements);
  if (std::exchange(call.maker.isHostile, false))
    list.push_back(elements + call.random.among<int64_t>({-1, 1, 1 << 30}));
  return call.integers(list);
}

bool ngrams(Call &call) {
  Extent words = call.random.between(0, 9);
  call.set("separator", call.random.among({" ", "", "--"}));
  call.set("ngram_widths", std::vector<int64_t>{call.random.between(1, 4), 2});
  call.set("left_pad", call.random.among({"", "<"}));
  call.set("right_pad", call.random.among({"", ">"}));
  call.set("pad_width", call.random.between(-1, 3));
  call.like({words});
  splits(call, words);
  return call.done();
}

/// Texts with bytes that are no characters.
bool decodeCharacters(Call &call) {
  call.set("input_encoding",
           call.random.among({"UTF-8", "UTF-16-BE", "UTF-32-BE"}));
  if (call.text("errors") == "strict" && !call.maker.isHostile)
    call.set("errors", "ignore");
  call.maker.isHostile = false;
  call.fresh(call.def.name == "UnicodeTranscode"
                 ? call.maker.randomDims(0, 2)
                 : Extents{call.maker.randomExtent()},
             texts({"kiln", "\xc3\xa9\xe2\x82\xac", "", "a\xff z", "\xe2\x82",
                    std::string("\0k\0i\x20\xac", 6), "\xf0\x9f\x94\xa5\t"}));
  return call.done();
}

bool encodeCharacters(Call &call) {
  Extent letters = call.random.between(0, 9);
  if (call.text("errors") == "strict")
    call.set("errors", "replace");
  call.fresh({letters},
             call.random.chance(30) ? between(-9, 1200000) : between(32, 1200));
  splits(call, letters);
  return call.done();
}

bool joinSegments(Call &call) {
  Extents dims = call.maker.randomDims(1, 2);
  Extent segments = call.random.between(1, 4);
  call.set("separator", call.random.among({"", ", "}));
  call.like(dims);
  call.indices(call.random.chance(70) ? Extents{dims[0]} : dims, segments);
  call.scalar(segments);
  return call.done();
}

bool decodePadded(Call &call) {
  call.like(call.maker.randomDims(1, 2));
  call.scalar(call.random.between(1, 3) * 8);
  return call.done();
}

constexpr Recipe recipes[] = {
    {"ParseExample ParseExampleV2 ParseSingleExample", parseExamples},
    {"ParseSequenceExample ParseSequenceExampleV2 ParseSingleSequenceExample",
     parseSequences},
    {"DecodeCSV", decodeLines},
    {"DecodeCompressed", decompress},
    {"DecodeJSONExample", decodeJson},
    {"StringSplit StringSplitV2", split},
    {"StringNGrams", ngrams},
    {"UnicodeDecode UnicodeDecodeWithOffsets UnicodeTranscode",
     decodeCharacters},
    {"UnicodeEncode", encodeCharacters},
    {"UnsortedSegmentJoin", joinSegments},
    {"DecodePaddedRaw", decodePadded},
};

} // namespace

std::span<const Recipe> parsingRecipes() { return recipes; }

} // namespace kiln::fuzz
