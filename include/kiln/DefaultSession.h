// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of what was built: feeds from plain values, fetches in the structure
// that they are asked for, and a default session.
#ifndef KILN_DEFAULTSESSION_H
#define KILN_DEFAULTSESSION_H

#include "kiln/Fetching.h"
#include "kiln/GraphScopes.h"
#include "kiln/Session.h"
#include "kiln/Variable.h"

#include <memory>
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

namespace detail {
KILN_EXPORT StatusOr<std::vector<Tensor>>
runFetches(Session *session, const std::vector<Fetch> &fetches,
           const FeedValues &feeds, const RunOptions &options);

} // namespace detail

/// Runs what the structure names and gives the values in the same structure:
/// tensors and variables give Tensors, operations NoValue, gradients, slices
/// and sparse tensors what Fetching.h says; vectors, arrays, tuples, pairs and
/// maps of them, nested as they like. **Edges**: a structure without anything
/// in it runs nothing. **Errors**: as Session::run(); INVALID_ARGUMENT with
/// TensorFlow's texts for a feed whose value does not fit. **Source**:
/// tf.Session.run.
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
