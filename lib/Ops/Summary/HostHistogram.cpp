// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts and encodes.
#include "lib/Ops/Summary/HostHistogram.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace kiln::host {
namespace {

constexpr double largest = std::numeric_limits<double>::max();

/// The limits, and where to begin looking for a number's bucket.
class Buckets {
public:
  static const Buckets &get() {
    static const Buckets buckets;
    return buckets;
  }
  /// Ascending: those of negative numbers, zero, those of positive ones.
  const std::vector<double> &limits() const { return all; }

  /// The first limit above the number, or the last one.
  size_t bucketOf(double value) const {
    // Of the limits on one side of zero, those below what value is on its side.
    const double size = std::fabs(value);
    size_t below = first[cellOf(size)];
    if (value < 0) {
      while (positive[below] < size)
        ++below;
      return positive.size() - below;
    }
    while (below < positive.size() && positive[below] <= size)
      ++below;
    return std::min(positive.size() + 1 + below, all.size() - 1);
  }

private:
  /// Cells begin at the numbers whose bits below the highest four of the
  /// fraction are zero; the first cell begins at zero and the last has all that
  /// is as large.
  static constexpr int cellBits = 52 - 4;
  static constexpr uint64_t firstCell = (1023 - 40) << 4; ///< 2^-40 < 1e-12
  static constexpr uint64_t numCells = (40 + 67) << 4;    ///< 2^67 > 1e20

  static size_t cellOf(double size) {
    const uint64_t bits = std::bit_cast<uint64_t>(size) >> cellBits;
    return bits < firstCell ? 0 : std::min(bits - firstCell + 1, numCells);
  }

  Buckets() {
    for (double limit = 1e-12; limit < 1e20; limit *= 1.1)
      positive.push_back(limit);
    positive.push_back(largest);
    for (auto limit = positive.rbegin(); limit != positive.rend(); ++limit)
      all.push_back(-*limit);
    all.push_back(0);
    all.insert(all.end(), positive.begin(), positive.end());
    for (uint64_t cell = 1; cell <= numCells; ++cell) {
      const auto begin =
          std::bit_cast<double>((cell - 1 + firstCell) << cellBits);
      first[cell] = static_cast<uint16_t>(
          std::lower_bound(positive.begin(), positive.end(), begin) -
          positive.begin());
    }
  }

  std::vector<double> positive, all;
  /// By cell, how many positive limits lie below it.
  std::array<uint16_t, numCells + 1> first = {};
};

} // namespace

Histogram::Histogram()
    : counts(Buckets::get().limits().size()), min(largest), max(-largest) {}

void Histogram::add(double value) {
  counts[Buckets::get().bucketOf(value)] += 1;
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
    message.add_bucket_limit(Buckets::get().limits()[i]);
    message.add_bucket(counts[i]);
  }
}

} // namespace kiln::host
