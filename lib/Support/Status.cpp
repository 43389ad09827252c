// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error codes and the rendering of errors.
#include "kiln/Status.h"

#include <cstdlib>

namespace kiln {

std::string_view statusCodeName(StatusCode code) noexcept {
  switch (code) {
  case StatusCode::Ok:
    return "OK";
  case StatusCode::Cancelled:
    return "CANCELLED";
  case StatusCode::Unknown:
    return "UNKNOWN";
  case StatusCode::InvalidArgument:
    return "INVALID_ARGUMENT";
  case StatusCode::DeadlineExceeded:
    return "DEADLINE_EXCEEDED";
  case StatusCode::NotFound:
    return "NOT_FOUND";
  case StatusCode::AlreadyExists:
    return "ALREADY_EXISTS";
  case StatusCode::PermissionDenied:
    return "PERMISSION_DENIED";
  case StatusCode::ResourceExhausted:
    return "RESOURCE_EXHAUSTED";
  case StatusCode::FailedPrecondition:
    return "FAILED_PRECONDITION";
  case StatusCode::Aborted:
    return "ABORTED";
  case StatusCode::OutOfRange:
    return "OUT_OF_RANGE";
  case StatusCode::Unimplemented:
    return "UNIMPLEMENTED";
  case StatusCode::Internal:
    return "INTERNAL";
  case StatusCode::Unavailable:
    return "UNAVAILABLE";
  case StatusCode::DataLoss:
    return "DATA_LOSS";
  case StatusCode::Unauthenticated:
    return "UNAUTHENTICATED";
  }
  return "UNKNOWN";
}

Status::Status(StatusCode code, std::string message, std::string node) {
  if (code != StatusCode::Ok)
    rep = new Rep{
        .code = code, .message = std::move(message), .node = std::move(node)};
}

Status Status::withNode(std::string_view name) const {
  if (ok() || !rep->node.empty() || name.empty())
    return *this;
  return Status(rep->code, rep->message, std::string(name));
}

std::string Status::toString() const {
  if (ok())
    return "OK";
  std::string text(statusCodeName(rep->code));
  text += ": ";
  text += rep->message;
  if (!rep->node.empty())
    text += " [[{{node " + rep->node + "}}]]";
  return text;
}

Status cancelledError(std::string message) {
  return Status(StatusCode::Cancelled, std::move(message));
}
Status unknownError(std::string message) {
  return Status(StatusCode::Unknown, std::move(message));
}
Status invalidArgumentError(std::string message) {
  return Status(StatusCode::InvalidArgument, std::move(message));
}
Status deadlineExceededError(std::string message) {
  return Status(StatusCode::DeadlineExceeded, std::move(message));
}
Status notFoundError(std::string message) {
  return Status(StatusCode::NotFound, std::move(message));
}
Status alreadyExistsError(std::string message) {
  return Status(StatusCode::AlreadyExists, std::move(message));
}
Status permissionDeniedError(std::string message) {
  return Status(StatusCode::PermissionDenied, std::move(message));
}
Status resourceExhaustedError(std::string message) {
  return Status(StatusCode::ResourceExhausted, std::move(message));
}
Status failedPreconditionError(std::string message) {
  return Status(StatusCode::FailedPrecondition, std::move(message));
}
Status abortedError(std::string message) {
  return Status(StatusCode::Aborted, std::move(message));
}
Status outOfRangeError(std::string message) {
  return Status(StatusCode::OutOfRange, std::move(message));
}
Status unimplementedError(std::string message) {
  return Status(StatusCode::Unimplemented, std::move(message));
}
Status internalError(std::string message) {
  return Status(StatusCode::Internal, std::move(message));
}
Status unavailableError(std::string message) {
  return Status(StatusCode::Unavailable, std::move(message));
}
Status dataLossError(std::string message) {
  return Status(StatusCode::DataLoss, std::move(message));
}
Status unauthenticatedError(std::string message) {
  return Status(StatusCode::Unauthenticated, std::move(message));
}

namespace detail {

void badStatusOrAccess(const Status &) noexcept { std::abort(); }

Status okIsNoError() {
  return internalError("a StatusOr was made from an OK status without a value");
}

} // namespace detail

} // namespace kiln
