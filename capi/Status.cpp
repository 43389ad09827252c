// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TF_Status, and the names that newer headers have for its functions.
#include "capi/Handles.h"

#include <cerrno>
#include <cstring>

using namespace kiln::capi;

namespace kiln::capi {

void setStatus(TF_Status *to, const Status &from) {
  to->code = static_cast<TF_Code>(from.code());
  to->message.assign(from.message());
  to->payloads.clear();
  if (!from.node().empty())
    to->message.append("\n\t [[{{node ").append(from.node()).append("}}]]");
}

void clearStatus(TF_Status *status) {
  status->code = TF_OK;
  status->message.clear();
  status->payloads.clear();
}

} // namespace kiln::capi

namespace {

struct CodeOfErrno {
  int number;
  TF_Code code;
};

// Abseil's table, which TensorFlow uses; what is missing is UNKNOWN.
constexpr CodeOfErrno codesOfErrno[] = {
    {0, TF_OK},
    {ECANCELED, TF_CANCELLED},
    {EINVAL, TF_INVALID_ARGUMENT},
    {E2BIG, TF_INVALID_ARGUMENT},
    {EDESTADDRREQ, TF_INVALID_ARGUMENT},
    {EDOM, TF_INVALID_ARGUMENT},
    {EFAULT, TF_INVALID_ARGUMENT},
    {EILSEQ, TF_INVALID_ARGUMENT},
    {ENAMETOOLONG, TF_INVALID_ARGUMENT},
    {ENOPROTOOPT, TF_INVALID_ARGUMENT},
    {ENOSTR, TF_INVALID_ARGUMENT},
    {ENOTSOCK, TF_INVALID_ARGUMENT},
    {ENOTTY, TF_INVALID_ARGUMENT},
    {EPROTOTYPE, TF_INVALID_ARGUMENT},
    {ESPIPE, TF_INVALID_ARGUMENT},
    {ETIMEDOUT, TF_DEADLINE_EXCEEDED},
    {ETIME, TF_DEADLINE_EXCEEDED},
    {ENODEV, TF_NOT_FOUND},
    {ENOENT, TF_NOT_FOUND},
    {ENXIO, TF_NOT_FOUND},
    {ESRCH, TF_NOT_FOUND},
    {EEXIST, TF_ALREADY_EXISTS},
    {EADDRNOTAVAIL, TF_ALREADY_EXISTS},
    {EALREADY, TF_ALREADY_EXISTS},
    {EPERM, TF_PERMISSION_DENIED},
    {EACCES, TF_PERMISSION_DENIED},
    {EROFS, TF_PERMISSION_DENIED},
    {ENOTEMPTY, TF_FAILED_PRECONDITION},
    {EISDIR, TF_FAILED_PRECONDITION},
    {ENOTDIR, TF_FAILED_PRECONDITION},
    {EADDRINUSE, TF_FAILED_PRECONDITION},
    {EBADF, TF_FAILED_PRECONDITION},
    {EBUSY, TF_FAILED_PRECONDITION},
    {ECHILD, TF_FAILED_PRECONDITION},
    {EISCONN, TF_FAILED_PRECONDITION},
    {ENOTBLK, TF_FAILED_PRECONDITION},
    {ENOTCONN, TF_FAILED_PRECONDITION},
    {EPIPE, TF_FAILED_PRECONDITION},
    {ESHUTDOWN, TF_FAILED_PRECONDITION},
    {ETXTBSY, TF_FAILED_PRECONDITION},
    {ENOSPC, TF_RESOURCE_EXHAUSTED},
    {EDQUOT, TF_RESOURCE_EXHAUSTED},
    {EMFILE, TF_RESOURCE_EXHAUSTED},
    {EMLINK, TF_RESOURCE_EXHAUSTED},
    {ENFILE, TF_RESOURCE_EXHAUSTED},
    {ENOBUFS, TF_RESOURCE_EXHAUSTED},
    {ENODATA, TF_RESOURCE_EXHAUSTED},
    {ENOMEM, TF_RESOURCE_EXHAUSTED},
    {ENOSR, TF_RESOURCE_EXHAUSTED},
    {EUSERS, TF_RESOURCE_EXHAUSTED},
    {EFBIG, TF_OUT_OF_RANGE},
    {EOVERFLOW, TF_OUT_OF_RANGE},
    {ERANGE, TF_OUT_OF_RANGE},
    {ENOSYS, TF_UNIMPLEMENTED},
    {ENOTSUP, TF_UNIMPLEMENTED},
    {EAFNOSUPPORT, TF_UNIMPLEMENTED},
    {EPFNOSUPPORT, TF_UNIMPLEMENTED},
    {EPROTONOSUPPORT, TF_UNIMPLEMENTED},
    {ESOCKTNOSUPPORT, TF_UNIMPLEMENTED},
    {EXDEV, TF_UNIMPLEMENTED},
    {EAGAIN, TF_UNAVAILABLE},
    {ECONNREFUSED, TF_UNAVAILABLE},
    {ECONNABORTED, TF_UNAVAILABLE},
    {ECONNRESET, TF_UNAVAILABLE},
    {EINTR, TF_UNAVAILABLE},
    {EHOSTDOWN, TF_UNAVAILABLE},
    {EHOSTUNREACH, TF_UNAVAILABLE},
    {ENETDOWN, TF_UNAVAILABLE},
    {ENETRESET, TF_UNAVAILABLE},
    {ENETUNREACH, TF_UNAVAILABLE},
    {ENOLCK, TF_UNAVAILABLE},
    {ENOLINK, TF_UNAVAILABLE},
    {ENONET, TF_UNAVAILABLE},
    {EDEADLK, TF_ABORTED},
    {ESTALE, TF_ABORTED},
};

TF_Code codeOfErrno(int number) {
  for (const CodeOfErrno &known : codesOfErrno)
    if (known.number == number)
      return known.code;
  return TF_UNKNOWN;
}

} // namespace

extern "C" {

TF_Status *TF_NewStatus(void) { return new TF_Status; }

void TF_DeleteStatus(TF_Status *s) { delete s; }

void TF_SetStatus(TF_Status *s, TF_Code code, const char *msg) {
  const int number = static_cast<int>(code);
  const bool isKnown = number >= TF_OK && number <= TF_UNAUTHENTICATED;
  // Read first: it may be the status's own.
  std::string message = code == TF_OK || !msg ? "" : msg;
  s->code = isKnown ? code : TF_UNKNOWN;
  s->message = std::move(message);
  s->payloads.clear();
}

void TF_SetPayload(TF_Status *s, const char *key, const char *value) {
  if (s->code == TF_OK)
    return;
  for (auto &[name, text] : s->payloads) {
    if (name == key) {
      text = value;
      return;
    }
  }
  s->payloads.emplace_back(key, value);
}

void TF_ForEachPayload(const TF_Status *s, TF_PayloadVisitor visitor,
                       void *capture) {
  for (const auto &[key, value] : s->payloads)
    visitor(key.c_str(), value.c_str(), capture);
}

void TF_SetStatusFromIOError(TF_Status *s, int error_code,
                             const char *context) {
  const TF_Code code = codeOfErrno(error_code);
  std::string message;
  if (code != TF_OK)
    message = std::string(context) + "; " + std::strerror(error_code);
  TF_SetStatus(s, code, message.c_str());
}

TF_Code TF_GetCode(const TF_Status *s) { return s->code; }

const char *TF_Message(const TF_Status *s) { return s->message.c_str(); }

// TensorFlow 2.21 has these in a library below its own.
#define KILN_CAPI_ALIAS(name)                                                  \
  TF_CAPI_EXPORT decltype(TF_##name) TSL_##name                                \
      __attribute__((alias("TF_" #name)));
KILN_CAPI_ALIAS(NewStatus)
KILN_CAPI_ALIAS(DeleteStatus)
KILN_CAPI_ALIAS(SetStatus)
KILN_CAPI_ALIAS(SetPayload)
KILN_CAPI_ALIAS(ForEachPayload)
KILN_CAPI_ALIAS(SetStatusFromIOError)
KILN_CAPI_ALIAS(GetCode)
KILN_CAPI_ALIAS(Message)

} // extern "C"
