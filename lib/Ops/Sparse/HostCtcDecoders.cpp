// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The likeliest labels of connectionist temporal classification: of the best
// path, or of the best of a beam.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostLogSum.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <deque>
#include <map>

namespace kiln::host {
namespace {

using Labels = std::vector<int64_t>;

Status checkInputs(const HostCall &call) {
  const Tensor &inputs = call.inputs[0], &lengths = call.inputs[1];
  if (inputs.rank() != 3)
    return invalidArgumentError("inputs is not a 3-Tensor");
  if (inputs.numElements() == 0)
    return invalidArgumentError("inputs must not be empty");
  if (!isVector(lengths))
    return invalidArgumentError("sequence_length is not a vector");
  if (inputs.dim(1) != lengths.dim(0))
    return failedPreconditionError(
        strCat("len(sequence_length) != batch_size.  len(sequence_length):  ",
               lengths.dim(0), " batch_size: ", inputs.dim(1)));
  for (int64_t b = 0; b < lengths.dim(0); ++b)
    if (lengths.data<int32_t>()[static_cast<size_t>(b)] > inputs.dim(0))
      return failedPreconditionError(
          strCat("sequence_length(", b, ") <= ", inputs.dim(0)));
  return okStatus();
}

/// Paths p of each sequence: as sparse tensors, one a path.
Status givePaths(const HostCall &call,
                 const std::vector<std::vector<Labels>> &paths) {
  const size_t count = paths[0].size();
  for (size_t p = 0; p < count; ++p) {
    std::vector<int64_t> indices;
    Labels values;
    int64_t longest = 0;
    for (size_t b = 0; b < paths.size(); ++b) {
      const Labels &labels = paths[b][p];
      for (size_t i = 0; i < labels.size(); ++i)
        indices.insert(indices.end(),
                       {static_cast<int64_t>(b), static_cast<int64_t>(i)});
      values.insert(values.end(), labels.begin(), labels.end());
      longest = std::max(longest, static_cast<int64_t>(labels.size()));
    }
    KILN_ASSIGN_OR_RETURN(
        call.outputs[p],
        Tensor::fromValues<int64_t>({static_cast<int64_t>(values.size()), 2},
                                    std::span<const int64_t>(indices)));
    KILN_ASSIGN_OR_RETURN(call.outputs[count + p],
                          integers(DType::Int64, values));
    const int64_t shape[] = {static_cast<int64_t>(paths.size()), longest};
    KILN_ASSIGN_OR_RETURN(call.outputs[2 * count + p],
                          integers(DType::Int64, shape));
  }
  return okStatus();
}

/// The activations of a sequence at a step.
template <class T>
std::span<const T> stepOf(const Tensor &inputs, int64_t t, int64_t b) {
  const int64_t classes = inputs.dim(2);
  return inputs.data<T>().subspan(
      static_cast<size_t>((t * inputs.dim(1) + b) * classes),
      static_cast<size_t>(classes));
}

template <class T> Status greedy(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkInputs(call));
  const Tensor &inputs = call.inputs[0];
  const int64_t classes = inputs.dim(2), batch = inputs.dim(1);
  const auto asked = call.node.attrOr<int64_t>("blank_index", -1);
  const int64_t blank = asked < 0 ? classes + asked : asked;
  if (blank < 0 || blank >= classes)
    return invalidArgumentError(strCat("blank_index expected to be between ",
                                       -classes, " and ", classes - 1,
                                       " but was ", asked));
  const bool merges = call.node.attrOr<bool>("merge_repeated", false);
  KILN_ASSIGN_OR_RETURN(call.outputs[3], Tensor::zeros(dtypeOf<T>, {batch, 1}));
  std::vector<std::vector<Labels>> paths(static_cast<size_t>(batch),
                                         std::vector<Labels>(1));
  for (int64_t b = 0; b < batch; ++b) {
    const auto place = static_cast<size_t>(b);
    T &score = call.outputs[3].mutableData<T>()[place];
    int64_t before = -1;
    for (int64_t t = 0; t < call.inputs[1].data<int32_t>()[place]; ++t) {
      std::span<const T> step = stepOf<T>(inputs, t, b);
      int64_t best = 0;
      for (int64_t k = 1; k < classes; ++k)
        if (step[static_cast<size_t>(k)] > step[static_cast<size_t>(best)])
          best = k;
      score -= step[static_cast<size_t>(best)];
      if (best != blank && !(merges && best == before))
        paths[place][0].push_back(best);
      before = best;
    }
  }
  return givePaths(call, paths);
}

/// Logarithms of probabilities: of paths that end in the label, in a blank, and
/// of both.
template <class T> struct Chance {
  T total = impossible<T>, blank = impossible<T>, label = impossible<T>;
};

/// A sequence of labels: that of the parent and one more.
template <class T> struct Entry {
  Entry *parent;
  int64_t label;
  std::map<int64_t, Entry *> children = {};
  Chance<T> before = {}, now = {};

  bool isActive() const { return now.total != impossible<T>; }
};

template <class T> class Beam {
public:
  Beam(int64_t width, int64_t classes) : width(width), classes(classes) {
    Entry<T> &root = entries.emplace_back(Entry<T>{nullptr, -1});
    root.now.total = root.now.blank = 0;
    leaves.push_back(&root);
  }

  void step(std::span<const T> inputs) {
    const T largest = *std::ranges::max_element(inputs);
    T sum = 0;
    for (T input : inputs)
      sum += std::exp(input - largest);
    const T offset = largest + std::log(sum);
    auto logChance = [&](int64_t label) {
      return inputs[static_cast<size_t>(label)] - offset;
    };
    const std::vector<Entry<T> *> branches = sorted();
    leaves.clear();
    for (Entry<T> *entry : branches)
      entry->before = entry->now;
    for (Entry<T> *entry : branches) {
      if (entry->parent) {
        if (entry->parent->isActive())
          entry->now.label = logSum(entry->now.label, reach(*entry));
        entry->now.label += logChance(entry->label);
      }
      entry->now.blank = entry->before.total + logChance(classes - 1);
      entry->now.total = logSum(entry->now.blank, entry->now.label);
      push(entry);
    }
    for (Entry<T> *entry : branches) {
      if (!isCandidate(entry->before))
        continue;
      for (int64_t label = 0; label + 1 < classes; ++label) {
        Entry<T> &child = childOf(*entry, label);
        if (child.isActive())
          continue;
        child.now.blank = impossible<T>;
        child.now.label = child.now.total = logChance(label) + reach(child);
        if (isCandidate(child.now)) {
          push(&child);
        } else {
          child.now = child.before = {};
        }
      }
    }
  }

  /// The best of the beam.
  Status paths(size_t count, bool merges, std::vector<Labels> &labels,
               std::span<T> scores) const {
    if (static_cast<int64_t>(count) > width)
      return invalidArgumentError("requested more paths than the beam width.");
    if (count > leaves.size())
      return invalidArgumentError(
          "Less leaves in the beam search than requested.");
    const std::vector<Entry<T> *> best = sorted();
    for (size_t p = 0; p < count; ++p) {
      labels.push_back(labelsOf(*best[p], merges));
      scores[p] = best[p]->now.total;
    }
    return okStatus();
  }

private:
  /// The share of the parent's paths that an entry's label may follow: after
  /// the same label those that end in a blank.
  T reach(const Entry<T> &entry) const {
    const Entry<T> &parent = *entry.parent;
    return entry.label == parent.label ? parent.before.blank
                                       : parent.before.total;
  }
  static bool isLikelier(const Entry<T> *a, const Entry<T> *b) {
    return a->now.total > b->now.total;
  }
  std::vector<Entry<T> *> sorted() const {
    std::vector<Entry<T> *> list = leaves;
    std::ranges::stable_sort(list, isLikelier);
    return list;
  }
  bool isFull() const { return static_cast<int64_t>(leaves.size()) == width; }
  bool isCandidate(const Chance<T> &chance) const {
    return chance.total > impossible<T> &&
           (!isFull() || chance.total > leaves.front()->now.total);
  }
  /// In place of the least likely one where the beam is full.
  void push(Entry<T> *entry) {
    if (isFull()) {
      std::ranges::pop_heap(leaves, isLikelier);
      leaves.back()->now = {};
      leaves.pop_back();
    }
    leaves.push_back(entry);
    std::ranges::push_heap(leaves, isLikelier);
  }
  Entry<T> &childOf(Entry<T> &parent, int64_t label) {
    Entry<T> *&child = parent.children[label];
    if (!child)
      child = &entries.emplace_back(Entry<T>{&parent, label});
    return *child;
  }
  static Labels labelsOf(const Entry<T> &entry, bool merges) {
    Labels labels;
    int64_t before = -1;
    for (const Entry<T> *at = &entry; at->parent; at = at->parent) {
      if (!merges || at->label != before)
        labels.push_back(at->label);
      before = at->label;
    }
    std::ranges::reverse(labels);
    return labels;
  }

  const int64_t width, classes;
  std::deque<Entry<T>> entries;
  std::vector<Entry<T> *> leaves; ///< a heap, the least likely first
};

template <class T> Status beamSearch(const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkInputs(call));
  const Tensor &inputs = call.inputs[0];
  const int64_t batch = inputs.dim(1);
  const auto count =
      static_cast<size_t>(call.node.attrOr<int64_t>("top_paths", 1));
  const auto width = call.node.attrOr<int64_t>("beam_width", 1);
  KILN_ASSIGN_OR_RETURN(
      Tensor scores,
      Tensor::zeros(dtypeOf<T>, {batch, static_cast<int64_t>(count)}));
  std::vector<std::vector<Labels>> paths(static_cast<size_t>(batch));
  for (int64_t b = 0; b < batch; ++b) {
    const auto place = static_cast<size_t>(b);
    Beam<T> beam(width, inputs.dim(2));
    for (int64_t t = 0; t < call.inputs[1].data<int32_t>()[place]; ++t)
      beam.step(stepOf<T>(inputs, t, b));
    KILN_RETURN_IF_ERROR(beam.paths(
        count, call.node.attrOr<bool>("merge_repeated", true), paths[place],
        scores.mutableData<T>().subspan(place * count, count)));
  }
  call.outputs.back() = std::move(scores);
  return givePaths(call, paths);
}

} // namespace

Status ctcGreedyDecoder(const HostCall &call) {
  return call.inputs[0].dtype() == DType::Float64 ? greedy<double>(call)
                                                  : greedy<float>(call);
}

Status ctcBeamSearchDecoder(const HostCall &call) {
  return call.inputs[0].dtype() == DType::Float64 ? beamSearch<double>(call)
                                                  : beamSearch<float>(call);
}

} // namespace kiln::host
