// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of eager/c_api_experimental.h: counters, gauges and samplers, which
// programs keep for themselves.
#ifndef KILN_CAPI_INCLUDE_TENSORFLOW_C_EAGER_PARTS_MONITORING_H
#define KILN_CAPI_INCLUDE_TENSORFLOW_C_EAGER_PARTS_MONITORING_H

#include "tensorflow/c/c_api_macros.h"
#include "tensorflow/c/tf_buffer.h"
#include "tensorflow/c/tf_status.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A metric has a cell for each combination of labels. Cells belong to their
// metric; any thread may use both.
typedef struct TFE_MonitoringCounterCell TFE_MonitoringCounterCell;
TF_CAPI_EXPORT void
TFE_MonitoringCounterCellIncrementBy(TFE_MonitoringCounterCell *cell,
                                     int64_t value);
TF_CAPI_EXPORT int64_t
TFE_MonitoringCounterCellValue(TFE_MonitoringCounterCell *cell);

typedef struct TFE_MonitoringIntGaugeCell TFE_MonitoringIntGaugeCell;
TF_CAPI_EXPORT void
TFE_MonitoringIntGaugeCellSet(TFE_MonitoringIntGaugeCell *cell, int64_t value);
TF_CAPI_EXPORT int64_t
TFE_MonitoringIntGaugeCellValue(TFE_MonitoringIntGaugeCell *cell);

typedef struct TFE_MonitoringStringGaugeCell TFE_MonitoringStringGaugeCell;
TF_CAPI_EXPORT void
TFE_MonitoringStringGaugeCellSet(TFE_MonitoringStringGaugeCell *cell,
                                 const char *value);
TF_CAPI_EXPORT void
TFE_MonitoringStringGaugeCellValue(TFE_MonitoringStringGaugeCell *cell,
                                   TF_Buffer *buf);

typedef struct TFE_MonitoringBoolGaugeCell TFE_MonitoringBoolGaugeCell;
TF_CAPI_EXPORT void
TFE_MonitoringBoolGaugeCellSet(TFE_MonitoringBoolGaugeCell *cell, bool value);
TF_CAPI_EXPORT bool
TFE_MonitoringBoolGaugeCellValue(TFE_MonitoringBoolGaugeCell *cell);

// The value is a HistogramProto.
typedef struct TFE_MonitoringSamplerCell TFE_MonitoringSamplerCell;
TF_CAPI_EXPORT void
TFE_MonitoringSamplerCellAdd(TFE_MonitoringSamplerCell *cell, double value);
TF_CAPI_EXPORT void
TFE_MonitoringSamplerCellValue(TFE_MonitoringSamplerCell *cell, TF_Buffer *buf);

// Where buckets end: at scale, scale * growth_factor and so on, and at the
// greatest number.
typedef struct TFE_MonitoringBuckets TFE_MonitoringBuckets;
TF_CAPI_EXPORT TFE_MonitoringBuckets *
TFE_MonitoringNewExponentialBuckets(double scale, double growth_factor,
                                    int bucket_count);
TF_CAPI_EXPORT void TFE_MonitoringDeleteBuckets(TFE_MonitoringBuckets *buckets);

// What all metrics have: TFE_MonitoringNewCounter2(name, status, description,
// label1, label2), TFE_MonitoringGetCellCounter2(counter, label1, label2),
// TFE_MonitoringDeleteCounter2(counter). Samplers take buckets after the name.
#define KILN_LABELS0
#define KILN_LABELS1 , const char *label1
#define KILN_LABELS2 KILN_LABELS1, const char *label2
#define KILN_LABELS3 KILN_LABELS2, const char *label3
#define KILN_LABELS4 KILN_LABELS3, const char *label4
#define KILN_BUCKETS , TFE_MonitoringBuckets *buckets
#define KILN_METRIC(kind, count, buckets)                                      \
  typedef struct TFE_Monitoring##kind##count TFE_Monitoring##kind##count;      \
  TF_CAPI_EXPORT TFE_Monitoring##kind##count *TFE_MonitoringNew##kind##count(  \
      const char *name buckets, TF_Status *out_status,                         \
      const char *description KILN_LABELS##count);                             \
  TF_CAPI_EXPORT void TFE_MonitoringDelete##kind##count(                       \
      TFE_Monitoring##kind##count *metric);                                    \
  TF_CAPI_EXPORT TFE_Monitoring##kind##Cell *                                  \
  TFE_MonitoringGetCell##kind##count(                                          \
      TFE_Monitoring##kind##count *metric KILN_LABELS##count);
KILN_METRIC(Counter, 0, )
KILN_METRIC(Counter, 1, )
KILN_METRIC(Counter, 2, )
KILN_METRIC(IntGauge, 0, )
KILN_METRIC(IntGauge, 1, )
KILN_METRIC(IntGauge, 2, )
KILN_METRIC(StringGauge, 0, )
KILN_METRIC(StringGauge, 1, )
KILN_METRIC(StringGauge, 2, )
KILN_METRIC(StringGauge, 3, )
KILN_METRIC(StringGauge, 4, )
KILN_METRIC(BoolGauge, 0, )
KILN_METRIC(BoolGauge, 1, )
KILN_METRIC(BoolGauge, 2, )
KILN_METRIC(Sampler, 0, KILN_BUCKETS)
KILN_METRIC(Sampler, 1, KILN_BUCKETS)
KILN_METRIC(Sampler, 2, KILN_BUCKETS)
#undef KILN_METRIC
#undef KILN_BUCKETS
#undef KILN_LABELS0
#undef KILN_LABELS1
#undef KILN_LABELS2
#undef KILN_LABELS3
#undef KILN_LABELS4

#ifdef __cplusplus
}
#endif

#endif // KILN_CAPI_INCLUDE_TENSORFLOW_C_EAGER_PARTS_MONITORING_H
