// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The histogram of a summary.
#ifndef KILN_LIB_OPS_SUMMARY_HOSTHISTOGRAM_H
#define KILN_LIB_OPS_SUMMARY_HOSTHISTOGRAM_H

#include "lib/IO/proto/Summary.pb.h"

#include <vector>

namespace kiln::host {

/// Counts numbers in buckets whose limits grow by a tenth, from 1e-12 to 1e20
/// on both sides of zero. **Source**: TensorFlow's histogram.cc.
class Histogram {
public:
  Histogram();
  /// A finite number.
  void add(double value);
  /// Buckets in a row that are empty become one.
  void encode(proto::HistogramProto &message) const;

private:
  std::vector<double> counts;
  double min, max, num = 0, sum = 0, sumOfSquares = 0;
};

} // namespace kiln::host

#endif // KILN_LIB_OPS_SUMMARY_HOSTHISTOGRAM_H
