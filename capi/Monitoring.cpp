// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TFE_Monitoring...: counters, gauges and samplers. Nothing reads them but
// the program that made them.
#include "capi/Handles.h"
#include "tensorflow/c/eager/c_api_experimental.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cfloat>
#include <map>

using namespace kiln;
using namespace kiln::capi;

struct TFE_MonitoringCounterCell {
  std::atomic<int64_t> value{0};
};
struct TFE_MonitoringIntGaugeCell {
  std::atomic<int64_t> value{0};
};
struct TFE_MonitoringBoolGaugeCell {
  std::atomic<bool> value{false};
};
struct TFE_MonitoringStringGaugeCell {
  std::mutex mutex; ///< guards value
  std::string value;
};
struct TFE_MonitoringBuckets {
  std::vector<double> limits; ///< ascending; the last one is DBL_MAX
};
/// Invariants: as many counts as limits; `mutex` guards all but the limits.
struct TFE_MonitoringSamplerCell {
  explicit TFE_MonitoringSamplerCell(const TFE_MonitoringBuckets &buckets)
      : limits(buckets.limits), counts(limits.size()) {}
  std::mutex mutex;
  const std::vector<double> limits;
  std::vector<double> counts;
  double min = DBL_MAX, max = -DBL_MAX, count = 0, sum = 0, sumOfSquares = 0;
};

namespace {

/// The cells of a metric by their labels, made by who asks first from `Args`.
template <class Cell, size_t labels, class... Args> class Metric {
public:
  explicit Metric(Args... args) : args(std::move(args)...) {}

  Cell *cell(const std::array<const char *, labels> &texts) {
    std::array<std::string, labels> key;
    for (size_t i = 0; i < labels; ++i)
      key[i] = texts[i] ? texts[i] : "";
    std::lock_guard lock(mutex);
    return std::apply(
        [&](const Args &...values) {
          return &cells.try_emplace(std::move(key), values...).first->second;
        },
        args);
  }

private:
  std::tuple<Args...> args;
  std::mutex mutex; ///< guards cells, not what is in one
  std::map<std::array<std::string, labels>, Cell> cells;
};

/// The bytes of a HistogramProto: doubles of fields 1 to 5 that are not 0,
/// limits and counts packed.
class HistogramMessage {
public:
  void number(int field, double value) {
    if (value == 0)
      return;
    bytes += static_cast<char>(field << 3 | 1);
    append(value);
  }
  void numbers(int field, const std::vector<double> &values) {
    bytes += static_cast<char>(field << 3 | 2);
    size_t length = values.size() * sizeof(double);
    for (; length >= 128; length >>= 7)
      bytes += static_cast<char>(length | 128);
    bytes += static_cast<char>(length);
    for (double value : values)
      append(value);
  }
  std::string bytes;

private:
  void append(double value) {
    const auto bits = std::bit_cast<uint64_t>(value);
    for (int i = 0; i < 64; i += 8)
      bytes += static_cast<char>(bits >> i);
  }
};

} // namespace

void TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringCounterCell *cell,
                                          int64_t value) {
  cell->value += value;
}

int64_t TFE_MonitoringCounterCellValue(TFE_MonitoringCounterCell *cell) {
  return cell->value;
}

void TFE_MonitoringIntGaugeCellSet(TFE_MonitoringIntGaugeCell *cell,
                                   int64_t value) {
  cell->value = value;
}

int64_t TFE_MonitoringIntGaugeCellValue(TFE_MonitoringIntGaugeCell *cell) {
  return cell->value;
}

void TFE_MonitoringBoolGaugeCellSet(TFE_MonitoringBoolGaugeCell *cell,
                                    bool value) {
  cell->value = value;
}

bool TFE_MonitoringBoolGaugeCellValue(TFE_MonitoringBoolGaugeCell *cell) {
  return cell->value;
}

void TFE_MonitoringStringGaugeCellSet(TFE_MonitoringStringGaugeCell *cell,
                                      const char *value) {
  std::lock_guard lock(cell->mutex);
  cell->value = value ? value : "";
}

void TFE_MonitoringStringGaugeCellValue(TFE_MonitoringStringGaugeCell *cell,
                                        TF_Buffer *buf) {
  std::lock_guard lock(cell->mutex);
  setBuffer(buf, cell->value);
}

void TFE_MonitoringSamplerCellAdd(TFE_MonitoringSamplerCell *cell,
                                  double value) {
  std::lock_guard lock(cell->mutex);
  // A value on a limit is above it; infinity and NaN are in the last bucket.
  const auto limit =
      std::upper_bound(cell->limits.begin(), cell->limits.end() - 1, value);
  ++cell->counts[static_cast<size_t>(limit - cell->limits.begin())];
  cell->min = std::min(cell->min, value);
  cell->max = std::max(cell->max, value);
  ++cell->count;
  cell->sum += value;
  cell->sumOfSquares += value * value;
}

void TFE_MonitoringSamplerCellValue(TFE_MonitoringSamplerCell *cell,
                                    TF_Buffer *buf) {
  HistogramMessage message;
  {
    std::lock_guard lock(cell->mutex);
    message.number(1, cell->min);
    message.number(2, cell->max);
    message.number(3, cell->count);
    message.number(4, cell->sum);
    message.number(5, cell->sumOfSquares);
    message.numbers(6, cell->limits);
    message.numbers(7, cell->counts);
  }
  setBuffer(buf, message.bytes);
}

// TensorFlow ends the process where there is no limit or they do not ascend;
// here values beyond the last limit that does are in one bucket.
TFE_MonitoringBuckets *TFE_MonitoringNewExponentialBuckets(double scale,
                                                           double growth_factor,
                                                           int bucket_count) {
  auto *buckets = new TFE_MonitoringBuckets;
  double limit = scale;
  for (int i = 0; i < bucket_count; ++i, limit *= growth_factor) {
    const double last =
        buckets->limits.empty() ? -DBL_MAX : buckets->limits.back();
    if (!(limit > last && limit < DBL_MAX))
      break;
    buckets->limits.push_back(limit);
  }
  buckets->limits.push_back(DBL_MAX);
  return buckets;
}

void TFE_MonitoringDeleteBuckets(TFE_MonitoringBuckets *buckets) {
  delete buckets;
}

#define KILN_PARAMETERS0
#define KILN_PARAMETERS1 , const char *label1
#define KILN_PARAMETERS2 KILN_PARAMETERS1, const char *label2
#define KILN_PARAMETERS3 KILN_PARAMETERS2, const char *label3
#define KILN_PARAMETERS4 KILN_PARAMETERS3, const char *label4
#define KILN_LABELS0
#define KILN_LABELS1 label1
#define KILN_LABELS2 label1, label2
#define KILN_LABELS3 label1, label2, label3
#define KILN_LABELS4 label1, label2, label3, label4
// What all kinds have in common: metrics that are made of the arguments `args`
// of `type`, if any, with as many labels as `count` says.
#define KILN_METRIC(kind, count, parameter, type, args)                        \
  struct TFE_Monitoring##kind##count                                           \
      : Metric<TFE_Monitoring##kind##Cell, count type> {                       \
    using Metric::Metric;                                                      \
  };                                                                           \
  TFE_Monitoring##kind##count *TFE_MonitoringNew##kind##count(                 \
      const char *parameter, TF_Status *out_status,                            \
      const char *KILN_PARAMETERS##count) {                                    \
    clearStatus(out_status);                                                   \
    return new TFE_Monitoring##kind##count(args);                              \
  }                                                                            \
  void TFE_MonitoringDelete##kind##count(                                      \
      TFE_Monitoring##kind##count *metric) {                                   \
    delete metric;                                                             \
  }                                                                            \
  TFE_Monitoring##kind##Cell *TFE_MonitoringGetCell##kind##count(              \
      TFE_Monitoring##kind##count *metric KILN_PARAMETERS##count) {            \
    return metric->cell({KILN_LABELS##count});                                 \
  }
#define KILN_VALUE(kind, count) KILN_METRIC(kind, count, , , )
#define KILN_COMMA ,
#define KILN_SAMPLER(count)                                                    \
  KILN_METRIC(Sampler, count, KILN_COMMA TFE_MonitoringBuckets *buckets,       \
              KILN_COMMA TFE_MonitoringBuckets, *buckets)
KILN_VALUE(Counter, 0)
KILN_VALUE(Counter, 1)
KILN_VALUE(Counter, 2)
KILN_VALUE(IntGauge, 0)
KILN_VALUE(IntGauge, 1)
KILN_VALUE(IntGauge, 2)
KILN_VALUE(StringGauge, 0)
KILN_VALUE(StringGauge, 1)
KILN_VALUE(StringGauge, 2)
KILN_VALUE(StringGauge, 3)
KILN_VALUE(StringGauge, 4)
KILN_VALUE(BoolGauge, 0)
KILN_VALUE(BoolGauge, 1)
KILN_VALUE(BoolGauge, 2)
KILN_SAMPLER(0)
KILN_SAMPLER(1)
KILN_SAMPLER(2)
