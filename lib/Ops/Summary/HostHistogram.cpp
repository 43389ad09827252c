// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts and encodes.
#include "lib/Ops/Summary/HostHistogram.h"

#include <algorithm>
#include <limits>

namespace kiln::host {

constexpr double largest = std::numeric_limits<double>::max();

Histogram::Histogram() : min(largest), max(-largest) {
  std::vector<double> positive;
  for (double limit = 1e-12; limit < 1e20; limit *= 1.1)
    positive.push_back(limit);
  positive.push_back(largest);
  for (auto limit = positive.rbegin(); limit != positive.rend(); ++limit)
    limits.push_back(-*limit);
  limits.push_back(0);
  limits.insert(limits.end(), positive.begin(), positive.end());
  counts.resize(limits.size());
}

void Histogram::add(double value) {
  auto bucket = static_cast<size_t>(
      std::upper_bound(limits.begin(), limits.end(), value) - limits.begin());
  // The largest number is in the last bucket.
  counts[std::min(bucket, counts.size() - 1)] += 1;
  min = std::min(min, value);
  max = std::max(max, value);
  num += 1;
  sum += value;
  sumOfSquares += value * value;
}

void Histogram::encode(proto::HistogramProto &message) const {
  message.set_min(min);
  message.set_max(max);
  message.set_num(num);
  message.set_sum(sum);
  message.set_sum_squares(sumOfSquares);
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0)
      while (i + 1 < counts.size() && counts[i + 1] == 0)
        ++i;
    message.add_bucket_limit(limits[i]);
    message.add_bucket(counts[i]);
  }
}

} // namespace kiln::host
