// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loss of connectionist temporal classification: the probability of all
// ways to say a sequence of labels, and its gradient. **Source**: A. Graves,
// Supervised Sequence Labelling with Recurrent Neural Networks, section 7.3.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostLogSum.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>

namespace kiln::host {
namespace {

using Labels = std::vector<int32_t>;

/// Inputs 0 to 3: activations [time, batch, class], indices and values of
/// labels, lengths.
struct Problem {
  const HostCall &call;
  int64_t time, batch, classes;
  std::span<const int32_t> lengths;
  std::vector<Labels> labels;

  int32_t blank() const { return static_cast<int32_t>(classes) - 1; }
  bool flag(std::string_view name, bool otherwise = false) const {
    return call.node.attrOr<bool>(name, otherwise);
  }
};

Status checkShapes(const HostCall &call) {
  const Tensor &inputs = call.inputs[0], &indices = call.inputs[1],
               &values = call.inputs[2], &lengths = call.inputs[3];
  if (inputs.rank() != 3)
    return invalidArgumentError("inputs is not a 3-Tensor");
  if (!isVector(lengths))
    return invalidArgumentError("sequence_length is not a vector");
  if (!isMatrix(indices))
    return invalidArgumentError("labels_indices is not a matrix");
  if (indices.dim(1) < 2)
    return invalidArgumentError(
        strCat("labels_indices second dimension must be >= 1. Received ",
               indices.dim(1)));
  if (!isVector(values))
    return invalidArgumentError("labels_values is not a vector");
  if (inputs.dim(0) == 0)
    return invalidArgumentError(
        "Max time or first dimension of input cannot be 0.");
  if (inputs.dim(2) >= std::numeric_limits<int32_t>::max())
    return invalidArgumentError("num_classes cannot exceed max int");
  if (inputs.dim(1) != lengths.dim(0))
    return invalidArgumentError(
        strCat("len(sequence_length) != batch_size.  len(sequence_length):  ",
               lengths.dim(0), " batch_size: ", inputs.dim(1)));
  if (indices.dim(0) != values.dim(0))
    return invalidArgumentError(
        strCat("labels_indices and labels_values must contain the same number "
               "of rows, but saw shapes: ",
               indices.shape().toString(), " vs. ", values.shape().toString()));
  if (inputs.dim(1) == 0)
    return invalidArgumentError("batch_size must not be 0");
  if (indices.dim(1) != 2)
    return invalidArgumentError("Order length must be SparseTensor rank.");
  if (inputs.dim(2) == 0)
    return invalidArgumentError("expected at least 1 class, got 0");
  return okStatus();
}

StatusOr<Problem> problemOf(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkShapes(call));
  const Tensor &inputs = call.inputs[0], &indices = call.inputs[1],
               &values = call.inputs[2];
  Problem problem{call,
                  inputs.dim(0),
                  inputs.dim(1),
                  inputs.dim(2),
                  call.inputs[3].data<int32_t>(),
                  std::vector<Labels>(static_cast<size_t>(inputs.dim(1)))};
  int64_t longest = 0;
  for (int64_t i = 0; i < indices.dim(0); ++i)
    longest = std::max(longest, integerAt(indices, 2 * i + 1));
  const int64_t shape[] = {problem.batch,
                           checkedAdd(longest, 1).value_or(longest)};
  const SparseView labels{indices.data<int64_t>(), &values, shape,
                          indices.dim(0), 2};
  if (Status ordered = checkOrdered(labels); !ordered.ok())
    return invalidArgumentError(
        strCat("label SparseTensor is not valid: ", ordered.message()));
  for (int64_t i = 0; i < labels.count; ++i)
    problem.labels[static_cast<size_t>(labels.index(i)[0])].push_back(
        values.data<int32_t>()[static_cast<size_t>(i)]);
  for (size_t b = 0; b < problem.lengths.size(); ++b)
    if (problem.lengths[b] > problem.time)
      return invalidArgumentError(
          strCat("sequence_length(", b, ") <= ", problem.time));
  for (size_t b = 0; b < problem.lengths.size(); ++b)
    if (problem.lengths[b] < 0)
      return invalidArgumentError(strCat("seq_len(", b, ") < 0"));
  return problem;
}

std::string labelsText(const Labels &labels) {
  std::string text;
  for (int32_t label : labels)
    text += strCat(text.empty() ? "" : ",", label);
  return text;
}

/// The labels of a sequence with a blank before each and at the end.
StatusOr<Labels> withBlanks(const Problem &problem, size_t b) {
  const Labels &given = problem.labels[b];
  if (given.empty())
    return invalidArgumentError(strCat("Labels length is zero in batch ", b));
  const bool collapses = problem.flag("preprocess_collapse_repeated");
  Labels labels;
  bool hasEnded = false;
  for (size_t i = 0; i < given.size(); ++i) {
    if (i > 0 && collapses && given[i] == given[i - 1])
      continue;
    if (given[i] >= problem.blank()) {
      hasEnded = true;
      continue;
    }
    if (hasEnded)
      return invalidArgumentError(strCat(
          "Saw a non-null label (index >= num_classes - 1) following a "
          "null label, batch: ",
          b, " num_classes: ", problem.classes, " labels: ", labelsText(given),
          " labels seen so far: ", labelsText(labels)));
    labels.push_back(given[i]);
  }
  for (int32_t label : labels)
    if (label < 0)
      return invalidArgumentError(
          strCat("All labels must be nonnegative integers, batch: ", b,
                 " labels: ", labelsText(labels)));
  if (!problem.flag("ignore_longer_outputs_than_inputs") &&
      static_cast<int64_t>(given.size()) > problem.lengths[b])
    return invalidArgumentError(
        strCat("Not enough time for target transition sequence (required: ",
               given.size(), ", available: ", problem.lengths[b], ")", b,
               "You can turn this error into a warning by using the flag "
               "ignore_longer_outputs_than_inputs"));
  Labels all;
  for (int32_t label : labels)
    all.insert(all.end(), {problem.blank(), label});
  all.push_back(problem.blank());
  return all;
}

/// Numbers of a step and a place.
template <class T> class Table {
public:
  Table(int64_t steps, int64_t width, T value)
      : width(width), numbers(static_cast<size_t>(steps * width), value) {}
  T &at(int64_t t, int64_t u) {
    return numbers[static_cast<size_t>(t * width + u)];
  }
  T at(int64_t t, int64_t u) const {
    return numbers[static_cast<size_t>(t * width + u)];
  }

private:
  int64_t width;
  std::vector<T> numbers;
};

/// One sequence of a batch.
template <class T> class Sequence {
public:
  Sequence(const Problem &problem, const Labels &labels, size_t b)
      : problem(problem), labels(labels), b(static_cast<int64_t>(b)),
        steps(problem.lengths[b]), width(static_cast<int64_t>(labels.size())),
        merges(problem.flag("ctc_merge_repeated", true)),
        chances(steps, problem.classes, T(0)),
        forward(steps, width, impossible<T>),
        backward(steps, width, impossible<T>) {}

  /// Returns the loss, and adds the gradient.
  T run(std::span<T> gradient) {
    findChances();
    goForward();
    goBackward();
    T all = impossible<T>;
    for (int64_t u = 0; u < width; ++u)
      all = logSum(all, forward.at(0, u) + backward.at(0, u));
    differentiate(all, gradient);
    return -all;
  }

private:
  int32_t label(int64_t u) const { return labels[static_cast<size_t>(u)]; }
  bool isBlank(int64_t u) const { return label(u) == problem.blank(); }
  T logChance(int64_t t, int64_t u) const {
    return std::log(chances.at(t, label(u)));
  }
  /// Whether a path may go from place u to place v, two on, at once.
  bool skips(int64_t u, int64_t v) const {
    return !isBlank(u) && !(merges && label(u) == label(v));
  }
  /// The places that can be reached at a step and have time to end.
  int64_t firstPlace(int64_t t) const {
    return std::max<int64_t>(0, width - 2 * (steps - t));
  }
  int64_t endPlace(int64_t t) const { return std::min(width, 2 * (t + 1)); }
  size_t place(int64_t t) const {
    return static_cast<size_t>((t * problem.batch + b) * problem.classes);
  }

  /// Softmax of the activations.
  void findChances() {
    std::span<const T> inputs = problem.call.inputs[0].data<T>();
    for (int64_t t = 0; t < steps; ++t) {
      std::span<const T> row =
          inputs.subspan(place(t), static_cast<size_t>(problem.classes));
      const T largest = *std::ranges::max_element(row);
      T sum = 0;
      for (int64_t k = 0; k < problem.classes; ++k)
        sum += chances.at(t, k) =
            std::exp(row[static_cast<size_t>(k)] - largest);
      for (int64_t k = 0; k < problem.classes; ++k)
        chances.at(t, k) /= sum;
    }
  }

  void goForward() {
    for (int64_t u = 0; u < std::min<int64_t>(width, 2); ++u)
      forward.at(0, u) = logChance(0, u);
    for (int64_t t = 1; t < steps; ++t)
      for (int64_t u = firstPlace(t); u < endPlace(t); ++u) {
        T sum = merges || isBlank(u) ? forward.at(t - 1, u) : impossible<T>;
        if (u > 0)
          sum = logSum(sum, forward.at(t - 1, u - 1));
        if (u > 1 && skips(u, u - 2))
          sum = logSum(sum, forward.at(t - 1, u - 2));
        forward.at(t, u) = logChance(t, u) + sum;
      }
  }

  void goBackward() {
    for (int64_t u = std::max<int64_t>(0, width - 2); u < width; ++u)
      backward.at(steps - 1, u) = 0;
    for (int64_t t = steps - 1; t-- > 0;)
      for (int64_t u = firstPlace(t); u < endPlace(t); ++u) {
        T &sum = backward.at(t, u);
        auto add = [&](int64_t v) {
          sum = logSum(sum, backward.at(t + 1, v) + logChance(t + 1, v));
        };
        if (merges || isBlank(u))
          add(u);
        if (u + 1 < width)
          add(u + 1);
        if (u + 2 < width && skips(u, u + 2))
          add(u + 2);
      }
  }

  void differentiate(T all, std::span<T> gradient) const {
    std::vector<T> sums(static_cast<size_t>(problem.classes));
    for (int64_t t = 0; t < steps; ++t) {
      std::ranges::fill(sums, impossible<T>);
      for (int64_t u = 0; u < width; ++u) {
        T &sum = sums[static_cast<size_t>(label(u))];
        sum = logSum(sum, forward.at(t, u) + backward.at(t, u));
      }
      for (int64_t k = 0; k < problem.classes; ++k) {
        const auto at = static_cast<size_t>(k);
        // Without a path the chances alone are left.
        gradient[place(t) + at] =
            chances.at(t, k) -
            (all == impossible<T> ? T(0) : std::exp(sums[at] - all));
      }
    }
  }

  const Problem &problem;
  const Labels &labels;
  const int64_t b, steps, width;
  const bool merges;
  Table<T> chances, forward, backward;
};

template <class T> Status losses(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Problem problem, problemOf(call));
  std::vector<Labels> labels;
  for (size_t b = 0; b < problem.labels.size(); ++b) {
    KILN_ASSIGN_OR_RETURN(labels.emplace_back(), withBlanks(problem, b));
  }
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::zeros(dtypeOf<T>, {problem.batch}));
  KILN_ASSIGN_OR_RETURN(call.outputs[1],
                        Tensor::zeros(dtypeOf<T>, call.inputs[0].shape()));
  const bool skipsLonger = problem.flag("ignore_longer_outputs_than_inputs");
  for (size_t b = 0; b < labels.size(); ++b) {
    const int64_t length = problem.lengths[b];
    if (length == 0 || (skipsLonger && static_cast<int64_t>(
                                           problem.labels[b].size()) > length))
      continue;
    call.outputs[0].mutableData<T>()[b] =
        Sequence<T>(problem, labels[b], b)
            .run(call.outputs[1].mutableData<T>());
  }
  return okStatus();
}

} // namespace

Status ctcLoss(const HostCall &call) {
  return call.inputs[0].dtype() == DType::Float64 ? losses<double>(call)
                                                  : losses<float>(call);
}

} // namespace kiln::host
