// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of what was built: feeds from plain values, fetches in the structure
// that they are asked for, and a default session.
#ifndef KILN_DEFAULTSESSION_H
#define KILN_DEFAULTSESSION_H

#include "kiln/GraphScopes.h"
#include "kiln/Session.h"
#include "kiln/Variable.h"

#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln {

/// Makes a session the thread's default, as long as it lives. **Source**:
/// tf.Session.as_default.
class [[nodiscard]] KILN_EXPORT SessionScope {
public:
  explicit SessionScope(std::shared_ptr<Session> session);
  ~SessionScope();
  SessionScope(const SessionScope &) = delete;
  SessionScope &operator=(const SessionScope &) = delete;

private:
  std::shared_ptr<Session> session;
};

/// The innermost SessionScope's; null where there is none. **Source**:
/// tf.get_default_session.
KILN_EXPORT std::shared_ptr<Session> defaultSession();

/// A session of the current graph.
KILN_EXPORT StatusOr<std::shared_ptr<Session>>
makeSession(SessionOptions options = {});

/// A tensor, or a variable, and the value to feed: a number, a text, a nested
/// list of them, a Tensor. Numbers take the dtype of what is fed.
struct FeedValue {
  template <class T>
    requires std::is_convertible_v<const T &, Output>
  FeedValue(const T &tensor, Input value)
      : tensor(tensor), value(std::move(value)) {}
  FeedValue(const Variable &variable, Input value)
      : tensor(variable.graphElement()), value(std::move(value)) {}
  Output tensor;
  Input value;
};
using FeedValues = std::vector<FeedValue>;

/// What fetching an operation gives.
struct NoValue {
  bool operator==(const NoValue &) const = default;
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

KILN_EXPORT StatusOr<std::vector<Tensor>>
runFetches(Session *session, const std::vector<Fetch> &fetches,
           const FeedValues &feeds, const RunOptions &options);

} // namespace detail

/// Runs what the structure names and gives the values in the same structure:
/// tensors and variables give Tensors, operations NoValue; vectors, arrays,
/// tuples, pairs and maps of them, nested as they like. **Edges**: a structure
/// without anything in it runs nothing. **Errors**: as Session::run();
/// INVALID_ARGUMENT with TensorFlow's texts for a feed whose value does not
/// fit. **Source**: tf.Session.run.
template <class T>
StatusOr<typename detail::Fetching<T>::Result>
fetch(Session &session, const T &structure, const FeedValues &feeds = {},
      const RunOptions &options = {}) {
  std::vector<Fetch> fetches;
  detail::Fetching<T>::list(structure, fetches);
  auto values = detail::runFetches(&session, fetches, feeds, options);
  if (!values.ok())
    return values.status();
  size_t at = 0;
  return detail::Fetching<T>::take(structure, *values, at);
}

/// As fetch(), in the default session. **Errors**: FAILED_PRECONDITION with
/// TensorFlow's text where there is none, or it is another graph's. **Source**:
/// tf.Tensor.eval.
template <class T>
StatusOr<typename detail::Fetching<T>::Result>
eval(const T &structure, const FeedValues &feeds = {}) {
  std::vector<Fetch> fetches;
  detail::Fetching<T>::list(structure, fetches);
  auto values = detail::runFetches(nullptr, fetches, feeds, {});
  if (!values.ok())
    return values.status();
  size_t at = 0;
  return detail::Fetching<T>::take(structure, *values, at);
}

/// Runs an operation. **Source**: tf.Operation.run.
KILN_EXPORT Status run(Session &session, const Node *operation,
                       const FeedValues &feeds = {});
/// The same in the default session.
KILN_EXPORT Status run(const Node *operation, const FeedValues &feeds = {});

} // namespace kiln

#endif // KILN_DEFAULTSESSION_H
