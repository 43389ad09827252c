// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings, summaries and messages.
#include "test/fuzz/graphs/Recipes.h"

namespace kiln::fuzz {
namespace {

Fill numberTexts() {
  return texts({"1", "-7", "0", "42", "  3 ", "12345678", "+5"});
}

bool unary(Call &call) {
  call.any();
  return call.done();
}

bool changeCase(Call &call) {
  call.set("encoding", call.random.among({"", "utf-8"}));
  return unary(call);
}

bool toNumber(Call &call) {
  Extents dims = call.maker.randomDims();
  if (call.maker.isHostile) {
    call.maker.isHostile = false;
    call.fresh(dims, anything());
  } else if (call.type("out_type") == DType::UInt32 ||
             call.type("out_type") == DType::UInt64) {
    call.fresh(dims, texts({"1", "0", "77"}));
  } else {
    call.fresh(dims, numberTexts());
  }
  return call.done();
}

bool asString(Call &call) {
  bool isFloat = isFloating(call.type("T"));
  if (!isFloat) {
    call.set("scientific", false);
    call.set("shortest", false);
  } else if (call.flag("scientific")) {
    call.set("shortest", false);
  }
  if (isFloat && call.random.chance(30))
    call.set("precision", call.random.between(0, 8));
  if (call.random.chance(30))
    call.set("width", call.random.between(1, 12));
  call.any();
  return call.done();
}

bool decodeRaw(Call &call) {
  Extents dims = call.maker.randomDims(0, 2);
  call.fresh(dims,
             texts({std::string("abcdefghijklmnop"),
                    std::string("\0\x3f\1\2\3\4\5\6\7\xff\xf0x zyx", 16)}));
  return call.done();
}

bool join(Call &call) {
  int64_t number = call.random.between(1, 3);
  call.set("N", number);
  call.set("separator", call.random.among({"", ", ", "-"}));
  Value x = call.any();
  for (int64_t i = 1; i < number; ++i)
    call.like(call.random.chance(25) ? Extents() : x.dims);
  return call.done();
}

bool reduceJoin(Call &call) {
  call.set("separator", call.random.among({"", ", "}));
  Value x = call.any(1, 3);
  call.integers({call.random.between(-x.rank(), x.rank() - 1)});
  return call.done();
}

bool substr(Call &call) {
  call.set("unit", "BYTE");
  Extents dims = call.maker.randomDims(0, 2);
  call.fresh(dims, texts({"abcdefgh", "kilnkiln", "0123456789"}));
  Extents of = call.random.chance(50) ? Extents() : dims;
  call.fresh(of, between(-4, 8));
  call.fresh(of, between(0, 9));
  return call.done();
}

constexpr const char *patterns[] = {"a",    "[a-c]+", "(k)(i)", "^.*$",
                                    "\\d+", "(",      "b*"};

/// With a pattern as an attribute or an input; "(" is none.
bool regex(Call &call) {
  std::string pattern = patterns[call.random.below(7)];
  if (pattern == "(" && !std::exchange(call.maker.isHostile, false))
    pattern = "a";
  call.setIf("pattern", pattern);
  call.setIf("rewrite", call.random.among({"x", "", "<\\0>"}));
  call.any();
  if (call.next() != DType::Invalid)
    call.fresh({}, texts({pattern}));
  if (call.next() != DType::Invalid)
    call.fresh({}, texts({call.random.among({"x", "", "<\\0>"})}));
  return call.done();
}

bool format(Call &call) {
  size_t number = call.attrs.find("T")->getIf<std::vector<DType>>()->size();
  std::string text = "begin";
  for (size_t i = 0; i < number; ++i) {
    text += " %s";
    call.any(0, 2);
  }
  call.set("template", text);
  return call.done();
}

bool shardName(Call &call) {
  call.fresh({}, texts({"model", "/tmp/x"}));
  call.scalar(call.random.between(0, 3));
  if (call.next() != DType::Invalid)
    call.scalar(call.random.between(4, 100000));
  return call.done();
}

bool scalarSummary(Call &call) {
  Extents dims = call.maker.randomDims(0, 1);
  call.like(dims);
  call.like(dims);
  return call.done();
}

bool histogramSummary(Call &call) {
  call.fresh({}, texts({"tag", "a/b"}));
  call.fresh(call.maker.randomDims(), between(0, 9));
  return call.done();
}

bool tensorSummary(Call &call) {
  bool isTagged = call.def.name == "TensorSummaryV2";
  if (isTagged)
    call.fresh({}, texts({"tag"}));
  call.any();
  if (isTagged)
    call.fresh({}, texts({""}));
  return call.done();
}

/// Merges summaries that ops before it made.
bool mergeSummary(Call &call) {
  int64_t number = call.random.between(1, 3);
  call.set("N", number);
  for (int64_t i = 0; i < number; ++i) {
    Call one(call.maker, *lookupOp("ScalarSummary"));
    one.fresh({}, texts({"tag" + std::to_string(i)}));
    one.like({});
    auto made = one.results();
    if (!made)
      return false;
    call.in(made->front());
  }
  return call.done();
}

/// Parses a tensor that was serialized.
bool parseTensor(Call &call) {
  DType dtype = call.type("out_type");
  Value x = call.maker.any(dtype);
  auto made = call.maker.add("SerializeTensor", {x}, {{"T", dtype}});
  if (!made)
    return false;
  call.in(made->front());
  return call.done();
}

/// Texts of a fixed number of values, encoded in base 64 to be decoded.
bool decodeBase64(Call &call) {
  auto made = call.maker.add("EncodeBase64", {call.maker.any(DType::String)});
  if (!made)
    return false;
  call.in(made->front());
  return call.done();
}

bool bucket(Call &call) {
  call.setIf("num_buckets", call.random.between(1, 50));
  call.setIf("key", std::vector<int64_t>{7, 9});
  call.any();
  return call.done();
}

bool fingerprint(Call &call) {
  call.any(1);
  call.fresh({}, texts({"farmhash64"}));
  return call.done();
}

/// Now and then what is no character.
bool unicodeScript(Call &call) {
  call.fresh(call.maker.randomDims(), between(-100, 0x110100));
  return call.done();
}

bool checkNumerics(Call &call) {
  call.set("message", "fuzz");
  Extents dims = call.maker.randomDims();
  if (std::exchange(call.maker.isHostile, false))
    call.fresh(dims, anything());
  else
    call.fresh(dims, between(-3, 3));
  return call.done();
}

/// Holds, but where an error is wanted.
bool assertion(Call &call) {
  bool holds = !std::exchange(call.maker.isHostile, false);
  call.set("T", std::vector<DType>{DType::Float32, DType::Int32});
  call.in(call.maker.fresh(DType::Bool, {}, exactly({holds ? 1 : 0})));
  call.any(0, 1);
  call.any(0, 1);
  return call.done();
}

constexpr Recipe recipes[] = {
    {"StringLength StringStrip SerializeTensor EncodeBase64", unary},
    {"StringLower StringUpper", changeCase},
    {"StringToNumber", toNumber},
    {"AsString", asString},
    {"DecodeRaw", decodeRaw},
    {"StringJoin", join},
    {"ReduceJoin", reduceJoin},
    {"Substr", substr},
    {"RegexFullMatch StaticRegexFullMatch RegexReplace StaticRegexReplace",
     regex},
    {"StringFormat", format},
    {"ShardedFilename ShardedFilespec", shardName},
    {"ScalarSummary", scalarSummary},
    {"HistogramSummary", histogramSummary},
    {"TensorSummary TensorSummaryV2", tensorSummary},
    {"MergeSummary", mergeSummary},
    {"ParseTensor", parseTensor},
    {"DecodeBase64", decodeBase64},
    {"StringToHashBucket StringToHashBucketFast StringToHashBucketStrong",
     bucket},
    {"Fingerprint", fingerprint},
    {"UnicodeScript", unicodeScript},
    {"CheckNumerics CheckNumericsV2", checkNumerics},
    {"Assert", assertion},
};

} // namespace

std::span<const Recipe> stringRecipes() { return recipes; }

} // namespace kiln::fuzz
