// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow's C interface as its tests call it: what is made is deleted.
#ifndef KILN_TEST_CAPI_CFIXTURE_H
#define KILN_TEST_CAPI_CFIXTURE_H

#include "kiln/GraphDef.h"
#include "tensorflow/c/c_api.h"

#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class CFixture : public ::testing::Test {
protected:
  CFixture() : status(TF_NewStatus()) {}
  ~CFixture() override { TF_DeleteStatus(status); }

  /// "" where the last call was OK, or else "code: message".
  std::string failure() const {
    if (TF_GetCode(status) == TF_OK)
      return "";
    return std::to_string(TF_GetCode(status)) + ": " + TF_Message(status);
  }

  static TF_Tensor *tensorOf(const std::vector<int64_t> &dims,
                             const std::vector<float> &values) {
    TF_Tensor *tensor =
        TF_AllocateTensor(TF_FLOAT, dims.data(), static_cast<int>(dims.size()),
                          values.size() * sizeof(float));
    std::copy(values.begin(), values.end(),
              static_cast<float *>(TF_TensorData(tensor)));
    return tensor;
  }
  static std::vector<float> floatsOf(const TF_Tensor *tensor) {
    const auto *values = static_cast<const float *>(TF_TensorData(tensor));
    return {values, values + TF_TensorElementCount(tensor)};
  }
  static TF_Tensor *tensorOf(const std::vector<std::string> &texts) {
    const int64_t dims[] = {static_cast<int64_t>(texts.size())};
    TF_Tensor *tensor =
        TF_AllocateTensor(TF_STRING, dims, 1, texts.size() * 24);
    auto *strings = static_cast<TF_TString *>(TF_TensorData(tensor));
    for (size_t i = 0; i < texts.size(); ++i)
      TF_StringCopy(&strings[i], texts[i].data(), texts[i].size());
    return tensor;
  }
  static std::vector<std::string> textsOf(const TF_Tensor *tensor) {
    const auto *strings =
        static_cast<const TF_TString *>(TF_TensorData(tensor));
    std::vector<std::string> texts;
    for (int64_t i = 0; i < TF_TensorElementCount(tensor); ++i)
      texts.emplace_back(TF_StringGetDataPointer(&strings[i]),
                         TF_StringGetSize(&strings[i]));
    return texts;
  }

  /// The binary message of a GraphDef in text form.
  static TF_Buffer *graphDef(std::string_view text) {
    GraphLoadOptions options;
    options.checker = [](Node &) { return okStatus(); };
    auto graph = loadGraphDef(text, options);
    EXPECT_TRUE(graph.ok()) << graph.status().toString();
    auto bytes = toGraphDef(**graph);
    return TF_NewBufferFromString(bytes->data(), bytes->size());
  }

  /// Adds the nodes of a GraphDef in text form.
  void import(TF_Graph *graph, std::string_view text) {
    TF_Buffer *buffer = graphDef(text);
    TF_ImportGraphDefOptions *options = TF_NewImportGraphDefOptions();
    TF_GraphImportGraphDef(graph, buffer, options, status);
    TF_DeleteImportGraphDefOptions(options);
    TF_DeleteBuffer(buffer);
    ASSERT_EQ(failure(), "");
  }

  TF_Status *status;
};

} // namespace kiln

#endif // KILN_TEST_CAPI_CFIXTURE_H
