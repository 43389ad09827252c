// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What may be fetched at once: structures of tensors, variables, operations and
// gradients, and the values in the same structure.
#ifndef KILN_FETCHING_H
#define KILN_FETCHING_H

#include "kiln/ControlFlow.h"
#include "kiln/Gradients.h"
#include "kiln/Request.h"
#include "kiln/Variable.h"
#include "kiln/ops/EmbeddingOps.h"

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kiln {

/// What fetching an operation gives.
struct NoValue {
  bool operator==(const NoValue &) const = default;
};

/// What fetching rows of a tensor gives. **Source**: tf.IndexedSlicesValue.
struct IndexedSlicesValue {
  Tensor values;
  Tensor indices;
  /// The default tensor where the shape of the whole is not known.
  Tensor denseShape;
};

/// What fetching a gradient gives: a tensor, or rows of one.
struct GradientValue {
  /// The default tensor where the gradient is sparse.
  Tensor tensor;
  /// Where it is sparse.
  IndexedSlicesValue slices;
};

/// **Source**: tf.SparseTensorValue.
struct SparseTensorValue {
  Tensor indices, values, denseShape;
};

namespace detail {

/// Collects what a structure names; the next values belong to it in the same
/// order.
template <class T> struct Fetching;

template <> struct Fetching<Output> {
  using Result = Tensor;
  static void list(const Output &tensor, std::vector<Fetch> &fetches) {
    fetches.emplace_back(tensor);
  }
  static Result take(const Output &, std::vector<Tensor> &values, size_t &at) {
    return std::move(values[at++]);
  }
};
template <> struct Fetching<Variable> {
  using Result = Tensor;
  static void list(const Variable &variable, std::vector<Fetch> &fetches) {
    fetches.emplace_back(variable.graphElement());
  }
  static Result take(const Variable &, std::vector<Tensor> &values,
                     size_t &at) {
    return std::move(values[at++]);
  }
};
template <> struct Fetching<Assignment> {
  using Result = Tensor;
  static void list(const Assignment &assignment, std::vector<Fetch> &fetches) {
    fetches.emplace_back(assignment.graphElement());
  }
  static Result take(const Assignment &, std::vector<Tensor> &values,
                     size_t &at) {
    return std::move(values[at++]);
  }
};
template <> struct Fetching<const Node *> {
  using Result = NoValue;
  static void list(const Node *operation, std::vector<Fetch> &fetches) {
    fetches.emplace_back(operation);
  }
  static Result take(const Node *, std::vector<Tensor> &, size_t &at) {
    ++at;
    return {};
  }
};
/// By name: "op:0" gives a tensor; of "op" it is the default Tensor.
template <> struct Fetching<std::string> {
  using Result = Tensor;
  static void list(const std::string &name, std::vector<Fetch> &fetches) {
    fetches.emplace_back(name);
  }
  static Result take(const std::string &, std::vector<Tensor> &values,
                     size_t &at) {
    return std::move(values[at++]);
  }
};
/// A list of tensors under another name.
template <> struct Fetching<Outputs> {
  using Result = std::vector<Tensor>;
  static void list(const Outputs &all, std::vector<Fetch> &fetches) {
    fetches.insert(fetches.end(), all.begin(), all.end());
  }
  static Result take(const Outputs &all, std::vector<Tensor> &values,
                     size_t &at) {
    Result result;
    for (size_t i = 0; i < all.size(); ++i)
      result.push_back(std::move(values[at++]));
    return result;
  }
};
template <> struct Fetching<IndexedSlices> {
  using Result = IndexedSlicesValue;
  static void list(const IndexedSlices &slices, std::vector<Fetch> &fetches) {
    fetches.insert(fetches.end(), {slices.values, slices.indices});
    if (slices.denseShape.node)
      fetches.emplace_back(slices.denseShape);
  }
  static Result take(const IndexedSlices &slices, std::vector<Tensor> &values,
                     size_t &at) {
    // Braces: one after the other.
    return {std::move(values[at++]), std::move(values[at++]),
            slices.denseShape.node ? std::move(values[at++]) : Tensor()};
  }
};
/// One that is none is an error of the run, as None is in TensorFlow.
template <> struct Fetching<Gradient> {
  using Result = GradientValue;
  static void list(const Gradient &gradient, std::vector<Fetch> &fetches) {
    if (gradient.isSparse())
      Fetching<IndexedSlices>::list(gradient.slices(), fetches);
    else
      fetches.emplace_back(gradient.tensor());
  }
  static Result take(const Gradient &gradient, std::vector<Tensor> &values,
                     size_t &at) {
    if (gradient.isSparse())
      return {{}, Fetching<IndexedSlices>::take(gradient.slices(), values, at)};
    return {std::move(values[at++]), {}};
  }
};
template <> struct Fetching<ops::SparseTensor> {
  using Result = SparseTensorValue;
  static void list(const ops::SparseTensor &sparse,
                   std::vector<Fetch> &fetches) {
    fetches.insert(fetches.end(),
                   {sparse.indices, sparse.values, sparse.denseShape});
  }
  static Result take(const ops::SparseTensor &, std::vector<Tensor> &values,
                     size_t &at) {
    return {std::move(values[at++]), std::move(values[at++]),
            std::move(values[at++])};
  }
};
template <class T> struct Fetching<std::vector<T>> {
  using Result = std::vector<typename Fetching<T>::Result>;
  static void list(const std::vector<T> &all, std::vector<Fetch> &fetches) {
    for (const T &each : all)
      Fetching<T>::list(each, fetches);
  }
  static Result take(const std::vector<T> &all, std::vector<Tensor> &values,
                     size_t &at) {
    Result result;
    for (const T &each : all)
      result.push_back(Fetching<T>::take(each, values, at));
    return result;
  }
};
template <class T, size_t n> struct Fetching<std::array<T, n>> {
  using Result = std::array<typename Fetching<T>::Result, n>;
  static void list(const std::array<T, n> &all, std::vector<Fetch> &fetches) {
    for (const T &each : all)
      Fetching<T>::list(each, fetches);
  }
  static Result take(const std::array<T, n> &all, std::vector<Tensor> &values,
                     size_t &at) {
    Result result;
    for (size_t i = 0; i < n; ++i)
      result[i] = Fetching<T>::take(all[i], values, at);
    return result;
  }
};
template <class K, class T> struct Fetching<std::map<K, T>> {
  using Result = std::map<K, typename Fetching<T>::Result>;
  static void list(const std::map<K, T> &all, std::vector<Fetch> &fetches) {
    for (const auto &[key, each] : all)
      Fetching<T>::list(each, fetches);
  }
  static Result take(const std::map<K, T> &all, std::vector<Tensor> &values,
                     size_t &at) {
    Result result;
    for (const auto &[key, each] : all)
      result.emplace(key, Fetching<T>::take(each, values, at));
    return result;
  }
};
template <class... T> struct Fetching<std::tuple<T...>> {
  using Result = std::tuple<typename Fetching<T>::Result...>;
  static void list(const std::tuple<T...> &all, std::vector<Fetch> &fetches) {
    std::apply(
        [&](const T &...each) { (Fetching<T>::list(each, fetches), ...); },
        all);
  }
  static Result take(const std::tuple<T...> &all, std::vector<Tensor> &values,
                     size_t &at) {
    return std::apply(
        [&](const T &...each) {
          // Braces: one after the other.
          return Result{Fetching<T>::take(each, values, at)...};
        },
        all);
  }
};
template <class A, class B> struct Fetching<std::pair<A, B>> {
  using Result =
      std::pair<typename Fetching<A>::Result, typename Fetching<B>::Result>;
  static void list(const std::pair<A, B> &all, std::vector<Fetch> &fetches) {
    Fetching<A>::list(all.first, fetches);
    Fetching<B>::list(all.second, fetches);
  }
  static Result take(const std::pair<A, B> &all, std::vector<Tensor> &values,
                     size_t &at) {
    auto first = Fetching<A>::take(all.first, values, at);
    return {std::move(first), Fetching<B>::take(all.second, values, at)};
  }
};

} // namespace detail
} // namespace kiln

#endif // KILN_FETCHING_H
