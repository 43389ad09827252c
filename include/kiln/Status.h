// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The result of an operation that may fail: a code, a message and the graph
// node concerned.
#ifndef KILN_STATUS_H
#define KILN_STATUS_H

#include "kiln/Export.h"

#include <atomic>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace kiln {

/// Abseil's canonical codes with Abseil's (and TensorFlow's) numbers.
enum class StatusCode : int {
  Ok = 0,
  Cancelled = 1,
  Unknown = 2,
  InvalidArgument = 3,
  DeadlineExceeded = 4,
  NotFound = 5,
  AlreadyExists = 6,
  PermissionDenied = 7,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Aborted = 10,
  OutOfRange = 11,
  Unimplemented = 12,
  Internal = 13,
  Unavailable = 14,
  DataLoss = 15,
  Unauthenticated = 16,
};

/// Returns the code's canonical name, for example "INVALID_ARGUMENT"; "UNKNOWN"
/// for a number that is no code.
KILN_EXPORT std::string_view statusCodeName(StatusCode code) noexcept;

/// Success, or an error code with a message and the name of the node concerned.
///
/// Invariants: (1) success is a null pointer and costs nothing to copy; (2) an
/// error never has code Ok. Ownership: copies share one immutable
/// representation. Thread safety: distinct objects may be used from distinct
/// threads even where they share a representation.
class [[nodiscard]] KILN_EXPORT Status {
public:
  Status() noexcept = default;
  /// Makes an error. **Edges**: code Ok gives success and drops the message.
  Status(StatusCode code, std::string message, std::string node = {});
  Status(const Status &other) noexcept : rep(other.rep) { retain(); }
  Status(Status &&other) noexcept : rep(std::exchange(other.rep, nullptr)) {}
  Status &operator=(Status other) noexcept {
    std::swap(rep, other.rep);
    return *this;
  }
  ~Status() { release(); }

  bool ok() const noexcept { return rep == nullptr; }
  StatusCode code() const noexcept { return rep ? rep->code : StatusCode::Ok; }
  /// The message without code and node; empty for success. Valid while this or
  /// a copy lives.
  std::string_view message() const noexcept {
    return rep ? std::string_view(rep->message) : std::string_view();
  }
  /// The name of the graph node concerned; empty when none is known.
  std::string_view node() const noexcept {
    return rep ? std::string_view(rep->node) : std::string_view();
  }

  /// Returns the same error with the node's name set; a name that is there
  /// already stays, because the first one to know the node is the closest to
  /// the fault. Success stays success.
  Status withNode(std::string_view name) const;
  /// Renders "OK" or "CODE: message [[{{node name}}]]"; the node part only
  /// where a node is known.
  std::string toString() const;

  friend bool operator==(const Status &a, const Status &b) noexcept {
    return a.code() == b.code() && a.message() == b.message() &&
           a.node() == b.node();
  }

private:
  struct Rep {
    std::atomic<int> references{1};
    StatusCode code;
    std::string message;
    std::string node;
  };
  void retain() const noexcept {
    if (rep)
      rep->references.fetch_add(1, std::memory_order_relaxed);
  }
  void release() noexcept {
    if (rep && rep->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete rep;
  }
  Rep *rep = nullptr;
};

inline Status okStatus() noexcept { return Status(); }
KILN_EXPORT Status cancelledError(std::string message);
KILN_EXPORT Status unknownError(std::string message);
KILN_EXPORT Status invalidArgumentError(std::string message);
KILN_EXPORT Status deadlineExceededError(std::string message);
KILN_EXPORT Status notFoundError(std::string message);
KILN_EXPORT Status alreadyExistsError(std::string message);
KILN_EXPORT Status permissionDeniedError(std::string message);
KILN_EXPORT Status resourceExhaustedError(std::string message);
KILN_EXPORT Status failedPreconditionError(std::string message);
KILN_EXPORT Status abortedError(std::string message);
KILN_EXPORT Status outOfRangeError(std::string message);
KILN_EXPORT Status unimplementedError(std::string message);
KILN_EXPORT Status internalError(std::string message);
KILN_EXPORT Status unavailableError(std::string message);
KILN_EXPORT Status dataLossError(std::string message);
KILN_EXPORT Status unauthenticatedError(std::string message);

namespace detail {
/// Ends the process: value() of a StatusOr that holds an error leaves nothing
/// to return.
[[noreturn]] KILN_EXPORT void badStatusOrAccess(const Status &status) noexcept;
/// The error that replaces an OK status given where an error was due.
KILN_EXPORT Status okIsNoError();
} // namespace detail

/// A value, or the error that says why there is none.
///
/// Invariant: holds a value exactly when ok().
/// **Errors**: value(), * and -> on an error end the process, as Abseil's do
/// without exceptions; ask ok() first.
template <class T> class [[nodiscard]] StatusOr {
public:
  using value_type = T;

  /// An UNKNOWN error, so that a forgotten assignment is not taken for success.
  StatusOr() : error(unknownError("no value was set")) {}
  StatusOr(const Status &status) : StatusOr(Status(status)) {}
  /// Takes an error. **Edges**: an OK status without a value becomes INTERNAL.
  StatusOr(Status &&status)
      : error(status.ok() ? detail::okIsNoError() : std::move(status)) {}
  template <class U = T>
    requires(std::is_convertible_v<U &&, T> &&
             !std::is_same_v<std::remove_cvref_t<U>, StatusOr> &&
             !std::is_same_v<std::remove_cvref_t<U>, Status>)
  StatusOr(U &&newValue) : stored(std::in_place, std::forward<U>(newValue)) {}

  bool ok() const noexcept { return stored.has_value(); }
  const Status &status() const & noexcept { return error; }
  Status status() && noexcept { return std::move(error); }

  T &value() & { return check(), *stored; }
  const T &value() const & { return check(), *stored; }
  T &&value() && { return check(), std::move(*stored); }
  T &operator*() & { return value(); }
  const T &operator*() const & { return value(); }
  T &&operator*() && { return std::move(*this).value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }
  template <class U> T valueOr(U &&fallback) const & {
    return ok() ? *stored : static_cast<T>(std::forward<U>(fallback));
  }

private:
  void check() const {
    if (!ok())
      detail::badStatusOrAccess(error);
  }
  Status error;
  std::optional<T> stored;
};

} // namespace kiln

#endif // KILN_STATUS_H
