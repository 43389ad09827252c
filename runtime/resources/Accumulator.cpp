// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds gradients up and serves those that wait for them. Texts of errors are
// TensorFlow's.
#include "runtime/resources/Accumulator.h"

#include "kiln/Float16.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

namespace kiln {
namespace {

template <class Body> void dispatchGradient(DType dtype, Body &&body) {
  if (dtype == DType::Float16)
    body(Half(0));
  else if (dtype == DType::BFloat16)
    body(BFloat16(0));
  else
    dispatchNumber(dtype, [&]<class T>(T zero) { body(zero); });
}

/// Integers wrap; floats of 16 bits are rounded at each step.
template <class T> T added(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
  else
    return T(x + y);
}

/// The count has the gradient's type, of which it may be 0.
template <class T> T divided(T x, int64_t count) {
  if constexpr (std::is_integral_v<T>) {
    const auto by = static_cast<T>(count);
    return by == 0 ? T(0) : static_cast<T>(x / by);
  } else {
    return T(x / T(static_cast<float>(count)));
  }
}

void addElements(Tensor &to, const Tensor &x) {
  dispatchGradient(x.dtype(), [&]<class T>(T) {
    auto out = to.mutableData<T>();
    auto in = x.data<T>();
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = added(out[i], in[i]);
  });
}

StatusOr<Tensor> copyOf(const Tensor &x) {
  KILN_ASSIGN_OR_RETURN(Tensor copy, Tensor::create(x.dtype(), x.shape()));
  if (x.byteSize() > 0)
    std::memcpy(copy.mutableRawData(), x.rawData(), x.byteSize());
  return copy;
}

Status mismatch(std::string text) {
  return invalidArgumentError(strCat("Shape mismatch: ", text));
}

} // namespace

Status Accumulator::apply(int64_t step, const Tensor &gradient) {
  std::lock_guard guard(mutex);
  if (step < globalStep)
    return okStatus();
  const Shape &wanted = numGradients > 0 ? sum.shape() : theSpec.shape;
  if (!wanted.isCompatibleWith(gradient.shape()))
    return mismatch(strCat("expected ", wanted.toString(), ", got ",
                           gradient.shape().toString()));
  if (numGradients > 0) {
    addElements(sum, gradient);
  } else {
    KILN_ASSIGN_OR_RETURN(sum, copyOf(gradient));
  }
  ++numGradients;
  serve();
  return okStatus();
}

Status Accumulator::checkRows(const Tensor &indices, const Tensor &values,
                              const Tensor &shape) const {
  if (indices.rank() != 1)
    return invalidArgumentError(
        strCat("Input indices should be vector but received shape: ",
               indices.shape().toString()));
  if (values.rank() == 0)
    return invalidArgumentError("Values cannot be 0-dimensional.");
  if (values.dim(0) != indices.dim(0))
    return invalidArgumentError(strCat("Expected ", indices.dim(0),
                                       " non-empty input values, got ",
                                       values.dim(0)));
  const Shape &whole = theSpec.shape;
  const int rank = whole.hasRank() ? whole.rank() : 0;
  if (shape.isValid()) {
    if (rank > shape.numElements())
      return mismatch(strCat("expected shape rank at least ", rank, ", got ",
                             shape.numElements()));
    for (int i = 0; i < rank; ++i)
      if (int64_t got = shape.data<int64_t>()[static_cast<size_t>(i)];
          whole.dim(i) >= 0 && whole.dim(i) != got)
        return mismatch(
            strCat("expected dim ", i, " to be ", whole.dim(i), ", got ", got));
  }
  if (rank > 0 && whole.dim(0) >= 0)
    for (int64_t i = 0; i < indices.dim(0); ++i)
      if (int64_t row = indices.data<int64_t>()[static_cast<size_t>(i)];
          row >= whole.dim(0))
        return mismatch(strCat("index of slice ", i,
                               " exceeded limits of shape; index is ", row,
                               " exceeded ", whole.dim(0)));
  const Shape &known = numGradients > 0 ? sum.shape() : whole;
  const int least = numGradients > 0 ? sum.rank() : rank;
  if (numGradients > 0 ? values.rank() != least : values.rank() < least)
    return mismatch(strCat("expected values rank ",
                           numGradients > 0 ? "" : "at least ", least, ", got ",
                           values.rank()));
  for (int i = 1; i < least; ++i)
    if (known.dim(i) >= 0 && known.dim(i) != values.dim(i))
      return mismatch(strCat("expected values dim ", i, " to be ", known.dim(i),
                             ", got ", values.dim(i)));
  return okStatus();
}

/// Two lists that are taken for sorted become one, a row of both the sum.
Status Accumulator::mergeRows(std::span<const int64_t> more,
                              const Tensor &values) {
  std::vector<int64_t> merged, counts;
  std::vector<std::pair<size_t, size_t>> sources; ///< places, or none
  constexpr size_t none = std::numeric_limits<size_t>::max();
  for (size_t i = 0, j = 0; i < rows.size() || j < more.size();) {
    const bool takesOld =
                   i < rows.size() && (j == more.size() || rows[i] <= more[j]),
               takesNew =
                   j < more.size() && (i == rows.size() || more[j] <= rows[i]);
    merged.push_back(takesOld ? rows[i] : more[j]);
    counts.push_back((takesOld ? rowCounts[i] : 0) + takesNew);
    sources.emplace_back(takesOld ? i++ : none, takesNew ? j++ : none);
  }
  std::vector<int64_t> dims(sum.shape().dims().begin(),
                            sum.shape().dims().end());
  dims[0] = static_cast<int64_t>(merged.size());
  KILN_ASSIGN_OR_RETURN(Tensor both, Tensor::zeros(sum.dtype(), Shape(dims)));
  size_t width = 1;
  for (size_t i = 1; i < dims.size(); ++i)
    width *= static_cast<size_t>(dims[i]);
  dispatchGradient(sum.dtype(), [&]<class T>(T) {
    auto out = both.mutableData<T>();
    auto old = sum.data<T>(), in = values.data<T>();
    for (size_t r = 0; r < sources.size(); ++r) {
      const auto [i, j] = sources[r];
      for (size_t k = 0; k < width; ++k)
        out[r * width + k] = i == none ? in[j * width + k]
                             : j == none
                                 ? old[i * width + k]
                                 : added(old[i * width + k], in[j * width + k]);
    }
  });
  sum = std::move(both);
  rows = std::move(merged);
  rowCounts = std::move(counts);
  return okStatus();
}

Status Accumulator::applyRows(int64_t step, const Tensor &indices,
                              const Tensor &values, const Tensor &shape) {
  std::lock_guard guard(mutex);
  if (step < globalStep)
    return okStatus();
  KILN_RETURN_IF_ERROR(checkRows(indices, values, shape));
  auto added = indices.data<int64_t>();
  if (numGradients > 0) {
    KILN_RETURN_IF_ERROR(mergeRows(added, values));
  } else {
    KILN_ASSIGN_OR_RETURN(sum, copyOf(values));
    rows.assign(added.begin(), added.end());
    rowCounts.assign(added.size(), 1);
  }
  ++numGradients;
  serve();
  return okStatus();
}

Status Accumulator::take(std::vector<Tensor> &items) {
  Tensor result = std::move(sum);
  const int64_t count = std::exchange(numGradients, 0);
  ++globalStep;
  if (theSpec.isMean)
    dispatchGradient(result.dtype(), [&]<class T>(T) {
      auto out = result.mutableData<T>();
      const size_t inRow = rows.empty() ? 1 : out.size() / rows.size();
      for (size_t i = 0; i < out.size(); ++i)
        out[i] =
            divided(out[i], theSpec.isSparse ? rowCounts[i / inRow] : count);
    });
  if (theSpec.isSparse) {
    std::vector<int64_t> extents(result.shape().dims().begin(),
                                 result.shape().dims().end());
    const Shape &whole = theSpec.shape;
    extents[0] = whole.hasRank() && whole.rank() > 0 ? whole.dim(0) : -1;
    KILN_ASSIGN_OR_RETURN(
        Tensor indices,
        Tensor::fromValues<int64_t>({static_cast<int64_t>(rows.size())},
                                    std::span<const int64_t>(rows)));
    KILN_ASSIGN_OR_RETURN(
        Tensor shape,
        Tensor::fromValues<int64_t>({static_cast<int64_t>(extents.size())},
                                    std::span<const int64_t>(extents)));
    items = {std::move(indices), std::move(result), std::move(shape)};
    rows.clear();
    rowCounts.clear();
    return okStatus();
  }
  items = {std::move(result)};
  return okStatus();
}

void Accumulator::serve() {
  while (!pending.empty() && numGradients >= pending.front()->required) {
    TakeAttempt &attempt = *pending.front();
    pending.erase(pending.begin());
    attempt.status = take(attempt.items);
    attempt.isDone = true;
    // Under the mutex: once finish() has had it, the run may be gone.
    wakeRun(*attempt.waiter);
  }
}

bool Accumulator::begin(TakeAttempt &attempt, RunContext &waiter) {
  std::lock_guard guard(mutex);
  attempt.waiter = &waiter;
  pending.push_back(&attempt);
  serve();
  return attempt.isDone;
}

bool Accumulator::hasEnded(const TakeAttempt &attempt) const {
  std::lock_guard guard(mutex);
  return attempt.isDone;
}

Status Accumulator::finish(TakeAttempt &attempt) {
  std::lock_guard guard(mutex);
  return std::move(attempt.status);
}

void Accumulator::abandon(TakeAttempt &attempt) {
  std::lock_guard guard(mutex);
  std::erase(pending, &attempt);
  // What stood behind it may go on.
  serve();
}

int64_t Accumulator::count() const {
  std::lock_guard guard(mutex);
  return numGradients;
}

void Accumulator::setGlobalStep(int64_t step) {
  std::lock_guard guard(mutex);
  globalStep = step;
}

} // namespace kiln
