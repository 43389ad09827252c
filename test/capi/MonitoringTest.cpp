// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters, gauges and samplers; the bytes are TensorFlow 2.21's.
#include "test/capi/CFixture.h"

#include "tensorflow/c/eager/c_api_experimental.h"

#include <cmath>

namespace kiln {
namespace {

class CMonitoring : public CFixture {
protected:
  template <class Cell>
  std::string bytesOf(void (*value)(Cell *, TF_Buffer *), Cell *cell) {
    TF_Buffer *buffer = TF_NewBuffer();
    value(cell, buffer);
    const std::string bytes(static_cast<const char *>(buffer->data),
                            buffer->length);
    TF_DeleteBuffer(buffer);
    return bytes;
  }
};

TEST_F(CMonitoring, CellsAreFoundByTheirLabels) {
  auto *counter =
      TFE_MonitoringNewCounter2("test/counter", status, "d", "a", "b");
  ASSERT_EQ(failure(), "");
  auto *cell = TFE_MonitoringGetCellCounter2(counter, "x", "y");
  TFE_MonitoringCounterCellIncrementBy(cell, 5);
  TFE_MonitoringCounterCellIncrementBy(cell, 2);
  EXPECT_EQ(TFE_MonitoringGetCellCounter2(counter, "x", "y"), cell);
  auto *other = TFE_MonitoringGetCellCounter2(counter, "xy", "");
  EXPECT_EQ(TFE_MonitoringCounterCellValue(cell), 7);
  EXPECT_EQ(TFE_MonitoringCounterCellValue(other), 0);
  // A name may be taken twice.
  auto *again = TFE_MonitoringNewCounter0("test/counter", status, nullptr);
  EXPECT_EQ(failure(), "");
  TFE_MonitoringDeleteCounter0(again);
  TFE_MonitoringDeleteCounter2(counter);
}

TEST_F(CMonitoring, GaugesHoldTheLastValue) {
  auto *ints = TFE_MonitoringNewIntGauge1("test/int", status, "d", "a");
  auto *number = TFE_MonitoringGetCellIntGauge1(ints, "x");
  TFE_MonitoringIntGaugeCellSet(number, 3);
  TFE_MonitoringIntGaugeCellSet(number, -4);
  EXPECT_EQ(TFE_MonitoringIntGaugeCellValue(number), -4);
  TFE_MonitoringDeleteIntGauge1(ints);

  auto *bools = TFE_MonitoringNewBoolGauge0("test/bool", status, "d");
  auto *flag = TFE_MonitoringGetCellBoolGauge0(bools);
  EXPECT_FALSE(TFE_MonitoringBoolGaugeCellValue(flag));
  TFE_MonitoringBoolGaugeCellSet(flag, true);
  EXPECT_TRUE(TFE_MonitoringBoolGaugeCellValue(flag));
  TFE_MonitoringDeleteBoolGauge0(bools);

  auto *texts = TFE_MonitoringNewStringGauge4("test/text", status, "d", "a",
                                              "b", "c", "d");
  auto *text = TFE_MonitoringGetCellStringGauge4(texts, "1", "2", "3", nullptr);
  EXPECT_EQ(bytesOf(TFE_MonitoringStringGaugeCellValue, text), "");
  TFE_MonitoringStringGaugeCellSet(text, "hello");
  EXPECT_EQ(bytesOf(TFE_MonitoringStringGaugeCellValue, text), "hello");
  TFE_MonitoringDeleteStringGauge4(texts);
}

TEST_F(CMonitoring, SamplersGiveHistograms) {
  TFE_MonitoringBuckets *buckets = TFE_MonitoringNewExponentialBuckets(1, 2, 3);
  auto *sampler =
      TFE_MonitoringNewSampler0("test/sampler", buckets, status, "d");
  TFE_MonitoringDeleteBuckets(buckets);
  auto *cell = TFE_MonitoringGetCellSampler0(sampler);
  const std::string limits("2 "
                           "\0\0\0\0\0\0\xf0?\0\0\0\0\0\0\0@\0\0\0\0\0\0\x10@"
                           "\xff\xff\xff\xff\xff\xff\xef\x7f",
                           34);
  EXPECT_EQ(bytesOf(TFE_MonitoringSamplerCellValue, cell),
            std::string("\t\xff\xff\xff\xff\xff\xff\xef\x7f"
                        "\x11\xff\xff\xff\xff\xff\xff\xef\xff") +
                limits + ": " + std::string(32, '\0'));
  for (double value : {1.0, 1.5, 2.0, -7.0, 100.0})
    TFE_MonitoringSamplerCellAdd(cell, value);
  EXPECT_EQ(bytesOf(TFE_MonitoringSamplerCellValue, cell),
            std::string(
                "\t\0\0\0\0\0\0\x1c\xc0\x11\0\0\0\0\0\0Y@\x19\0\0\0\0\0\0\x14@"
                "!\0\0\0\0\0`X@)\0\0\0\0 \xa4\xc3@",
                45) +
                limits +
                std::string(": \0\0\0\0\0\0\xf0?\0\0\0\0\0\0\0@"
                            "\0\0\0\0\0\0\xf0?\0\0\0\0\0\0\xf0?",
                            34));
  TFE_MonitoringDeleteSampler0(sampler);
}

TEST_F(CMonitoring, BucketsThatDoNotAscendEnd) {
  for (const auto &[scale, growth, count] :
       {std::tuple(0.0, 0.0, -1), std::tuple(1.0, 1.0, 2'000'000'000),
        std::tuple(1e300, 1e300, 4), std::tuple(double(NAN), 2.0, 4)}) {
    TFE_MonitoringBuckets *buckets =
        TFE_MonitoringNewExponentialBuckets(scale, growth, count);
    auto *sampler =
        TFE_MonitoringNewSampler1("test/none", buckets, status, "d", "a");
    TFE_MonitoringDeleteBuckets(buckets);
    auto *cell = TFE_MonitoringGetCellSampler1(sampler, "x");
    TFE_MonitoringSamplerCellAdd(cell, INFINITY);
    TFE_MonitoringSamplerCellAdd(cell, NAN);
    EXPECT_GT(bytesOf(TFE_MonitoringSamplerCellValue, cell).size(), 40u);
    TFE_MonitoringDeleteSampler1(sampler);
  }
}

} // namespace
} // namespace kiln
