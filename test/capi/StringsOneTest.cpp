// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// String tensors as programs on TensorFlow 1's library have them. A program of
// its own, since it links the other codec.
#include "test/capi/CFixture.h"

#include "tensorflow/c/tf_string_encoding.h"

#include <cstring>

namespace kiln {
namespace {

using ::testing::ElementsAre;

class CStringsOne : public CFixture {
protected:
  CStringsOne() : graph(TF_NewGraph()) {
    import(graph, R"(
      node { name: "t" op: "Placeholder" attr { key: "dtype" value { type: DT_STRING } }
             attr { key: "shape" value { shape { unknown_rank: true } } } }
      node { name: "u" op: "StringJoin" input: "t" input: "t" attr { key: "N" value { i: 2 } } })");
    TF_SessionOptions *options = TF_NewSessionOptions();
    session = TF_NewSession(graph, options, status);
    TF_DeleteSessionOptions(options);
  }
  ~CStringsOne() override {
    TF_DeleteSession(session, status);
    TF_DeleteGraph(graph);
  }
  /// A vector of strings, as a program writes it.
  static std::string encode(const std::vector<std::string> &texts) {
    std::string offsets, data;
    TF_Status *own = TF_NewStatus();
    for (const std::string &text : texts) {
      const uint64_t offset = data.size();
      offsets.append(reinterpret_cast<const char *>(&offset), 8);
      std::string encoded(TF_StringEncodedSize(text.size()), '?');
      TF_StringEncode(text.data(), text.size(), encoded.data(), encoded.size(),
                      own);
      data += encoded;
    }
    TF_DeleteStatus(own);
    return offsets + data;
  }
  std::vector<std::string> decode(const TF_Tensor *tensor) {
    std::vector<std::string> texts;
    const auto *bytes = static_cast<const char *>(TF_TensorData(tensor));
    const size_t table = static_cast<size_t>(TF_TensorElementCount(tensor)) * 8;
    for (size_t at = 0; at < table; at += 8) {
      uint64_t offset = 0;
      std::memcpy(&offset, bytes + at, 8);
      const char *text = nullptr;
      size_t length = 0;
      TF_StringDecode(bytes + table + offset,
                      TF_TensorByteSize(tensor) - table - offset, &text,
                      &length, status);
      texts.emplace_back(text, length);
    }
    return texts;
  }
  /// Feeds memory that says it holds so many strings.
  TF_Tensor *run(std::string bytes, int64_t count) {
    TF_Tensor *value = TF_NewTensor(
        TF_STRING, &count, 1, bytes.data(), bytes.size(),
        [](void *, size_t, void *) {}, nullptr);
    const TF_Output input = {TF_GraphOperationByName(graph, "t"), 0};
    const TF_Output output = {TF_GraphOperationByName(graph, "u"), 0};
    TF_Tensor *result = nullptr;
    TF_SessionRun(session, nullptr, &input, &value, 1, &output, &result, 1,
                  nullptr, 0, nullptr, status);
    TF_DeleteTensor(value);
    return result;
  }

  TF_Graph *graph;
  TF_Session *session;
};

TEST_F(CStringsOne, TensorsHoldOffsetsAndTexts) {
  EXPECT_STREQ(TF_Version(), "1.15.0");
  TF_Tensor *result = run(encode({"a", "", std::string(200, 'x')}), 3);
  ASSERT_EQ(failure(), "");
  EXPECT_THAT(decode(result), ElementsAre("aa", "", std::string(400, 'x')));
  TF_DeleteTensor(result);
}

TEST_F(CStringsOne, MalformedMemoryIsAnError) {
  EXPECT_EQ(run("1234567", 1), nullptr);
  EXPECT_EQ(failure(), "3: Malformed TF_STRING tensor; too short to hold "
                       "number of elements");
  std::string bytes = encode({"abc"});
  for (size_t cut = 9; cut < bytes.size(); ++cut) {
    run(bytes.substr(0, cut), 1);
    EXPECT_EQ(failure(), "3: invalid string encoding or truncated src buffer");
  }
  bytes[1] = 1; // the offset 256
  run(bytes, 1);
  EXPECT_EQ(failure(), "3: Malformed TF_STRING tensor; element 0 out of range");
}

} // namespace
} // namespace kiln
