// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statuses, buffers, tensors and strings of TensorFlow's C interface.
#include "test/capi/CFixture.h"

#include "tensorflow/c/tf_string_encoding.h"

#include <cerrno>

namespace kiln {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class CValues : public CFixture {};

TEST_F(CValues, StatusesHaveCodesMessagesAndPayloads) {
  EXPECT_EQ(failure(), "");
  TF_SetStatus(status, TF_ABORTED, "stop");
  TF_SetPayload(status, "key", "old");
  TF_SetPayload(status, "key", "new");
  std::string seen;
  TF_ForEachPayload(
      status,
      [](const char *key, const char *value, void *text) {
        *static_cast<std::string *>(text) += std::string(key) + "=" + value;
      },
      &seen);
  EXPECT_EQ(seen, "key=new");
  EXPECT_EQ(failure(), "10: stop");
  TF_SetStatus(status, TF_UNKNOWN, TF_Message(status));
  EXPECT_EQ(failure(), "2: stop");
  TF_SetStatus(status, TF_OK, "dropped");
  EXPECT_STREQ(TF_Message(status), "");
  TF_SetStatus(status, static_cast<TF_Code>(77), "odd");
  EXPECT_EQ(failure(), "2: odd");
  TF_SetStatusFromIOError(status, ENOENT, "file");
  EXPECT_EQ(failure(), "5: file; No such file or directory");
}

TEST_F(CValues, BuffersOwnTheirBytes) {
  TF_Buffer *buffer = TF_NewBufferFromString("abc", 3);
  EXPECT_EQ(std::string_view(static_cast<const char *>(buffer->data),
                             TF_GetBuffer(buffer).length),
            "abc");
  TF_DeleteBuffer(buffer);
  TF_DeleteBuffer(nullptr);
  buffer = TF_NewBufferFromString(nullptr, 0);
  EXPECT_NE(buffer->data, nullptr);
  EXPECT_EQ(buffer->length, 0u);
  TF_DeleteBuffer(buffer);
  // Programs fill in the fields.
  static int freed;
  freed = 0;
  buffer = TF_NewBuffer();
  EXPECT_EQ(buffer->data, nullptr);
  buffer->data = &freed;
  buffer->length = sizeof(freed);
  buffer->data_deallocator = [](void *data, size_t length) {
    *static_cast<int *>(data) += static_cast<int>(length);
  };
  TF_DeleteBuffer(buffer);
  EXPECT_EQ(freed, 4);
}

TEST_F(CValues, MemoryOfTheCallerComesBackOnce) {
  int returned = 0;
  auto deallocate = [](void *, size_t, void *count) {
    ++*static_cast<int *>(count);
  };
  const int64_t dims[] = {2};
  alignas(64) char memory[16] = {};
  for (char *place : {memory, memory + 1}) {
    TF_Tensor *tensor =
        TF_NewTensor(TF_FLOAT, dims, 1, place, 8, deallocate, &returned);
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(TF_TensorData(tensor), place);
    EXPECT_EQ(TF_TensorMaybeMove(tensor), nullptr);
    TF_DeleteTensor(tensor);
  }
  EXPECT_EQ(returned, 2);
  EXPECT_EQ(TF_NewTensor(TF_FLOAT, dims, 1, memory, 7, deallocate, &returned),
            nullptr);
  EXPECT_EQ(TF_NewTensor(TF_STRING, dims, 1, memory, 16, deallocate, &returned),
            nullptr);
  const int64_t huge[] = {int64_t{1} << 62, int64_t{1} << 62};
  EXPECT_EQ(TF_NewTensor(TF_FLOAT, huge, 2, memory, 16, deallocate, &returned),
            nullptr);
  const int64_t negative[] = {-1};
  EXPECT_EQ(TF_AllocateTensor(TF_FLOAT, negative, 1, 4), nullptr);
  EXPECT_EQ(TF_AllocateTensor(TF_FLOAT, dims, -1, 4), nullptr);
  EXPECT_EQ(returned, 2);
}

TEST_F(CValues, TensorsAreViewedAsOtherTypes) {
  TF_Tensor *from = tensorOf({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(TF_TensorMaybeMove(from), from);
  TF_Tensor *to = tensorOf({}, {0});
  const int64_t dims[] = {6};
  TF_TensorBitcastFrom(from, TF_INT32, to, dims, 1, status);
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(TF_TensorType(to), TF_INT32);
  EXPECT_EQ(TF_TensorData(to), TF_TensorData(from));
  EXPECT_EQ(TF_TensorByteSize(to), 24u);
  EXPECT_EQ(TF_TensorMaybeMove(from), nullptr);
  TF_TensorBitcastFrom(from, TF_DOUBLE, to, dims, 1, status);
  EXPECT_EQ(failure(), "3: input and output shapes/data type sizes are not "
                       "compatible");
  TF_TensorBitcastFrom(from, TF_STRING, to, dims, 1, status);
  EXPECT_EQ(failure(), "3: specified output type is zero-sized");
  const int64_t negative[] = {-1};
  TF_TensorBitcastFrom(from, TF_FLOAT, to, negative, 1, status);
  EXPECT_EQ(failure(), "3: Expected a non-negative size, got -1");
  const int64_t flat[] = {3, 2};
  TF_SetShape(from, flat, 2);
  EXPECT_EQ(TF_Dim(from, 0), 3);
  TF_DeleteTensor(from);
  TF_DeleteTensor(to);
  EXPECT_EQ(TF_DataTypeSize(TF_COMPLEX128), 16u);
  EXPECT_EQ(TF_DataTypeSize(TF_STRING), 0u);
  EXPECT_EQ(TF_DataTypeSize(static_cast<TF_DataType>(101)), 0u);
}

TEST_F(CValues, StringsAreShortOrLongOrViews) {
  const std::string longText(1000, 'x');
  TF_Tensor *tensor = tensorOf(std::vector<std::string>{
      "", std::string("a\0b", 3), std::string(22, 'y'), longText});
  auto *strings = static_cast<TF_TString *>(TF_TensorData(tensor));
  EXPECT_EQ(TF_StringGetType(&strings[2]), TF_TSTR_SMALL);
  EXPECT_EQ(TF_StringGetType(&strings[3]), TF_TSTR_LARGE);
  EXPECT_EQ(TF_StringGetCapacity(&strings[3]), 1007u);
  EXPECT_THAT(textsOf(tensor), ElementsAre("", std::string("a\0b", 3),
                                           std::string(22, 'y'), longText));
  // Each kind becomes each other one.
  TF_StringCopy(&strings[3], "short", 5);
  TF_StringAssignView(&strings[0], longText.data(), longText.size());
  TF_TString_Append(&strings[0], &strings[3]);
  TF_TString_Assign(&strings[1], &strings[0]);
  TF_TString_Move(&strings[2], &strings[0]);
  EXPECT_THAT(textsOf(tensor),
              ElementsAre("", longText + "short", longText + "short", "short"));
  TF_TString_Resize(&strings[1], 2, '?');
  TF_TString_Resize(&strings[3], 30, '?');
  EXPECT_EQ(textsOf(tensor)[1], "xx");
  EXPECT_EQ(textsOf(tensor)[3], "short" + std::string(25, '?'));
  TF_DeleteTensor(tensor);
}

TEST_F(CValues, StringsAreEncodedAsTensorFlowOneDid) {
  std::string encoded(TF_StringEncodedSize(300), '?');
  EXPECT_EQ(encoded.size(), 302u);
  const std::string text(300, 'z');
  EXPECT_EQ(TF_StringEncode(text.data(), 300, encoded.data(), 302, status),
            302u);
  const char *found = nullptr;
  size_t length = 0;
  EXPECT_EQ(TF_StringDecode(encoded.data(), 302, &found, &length, status),
            302u);
  EXPECT_EQ(std::string(found, length), text);
  for (size_t cut = 0; cut < 302; ++cut) {
    EXPECT_EQ(TF_StringDecode(encoded.data(), cut, &found, &length, status),
              0u);
    EXPECT_THAT(failure(), HasSubstr("3: invalid string encoding"));
  }
  TF_StringEncode(text.data(), 300, encoded.data(), 301, status);
  EXPECT_EQ(failure(),
            "3: dst_len (301) too small to encode a 300-byte string");
}

} // namespace
} // namespace kiln
