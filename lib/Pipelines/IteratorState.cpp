// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers are scalars of int64, texts scalars of strings, elements their number
// of components and these.
#include "lib/Pipelines/IteratorState.h"

#include "lib/Pipelines/ElementFunction.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <utility>

namespace kiln {

int64_t SavedIterator::byteSize() const {
  int64_t bytes = 0;
  for (const Tensor &value : values)
    bytes += heldBytesOf(value);
  return bytes;
}

void StateWriter::number(int64_t value) {
  values.push_back(Tensor::scalar(value));
}

void StateWriter::text(std::string_view value) {
  auto made = Tensor::fromStrings(Shape(), {std::string(value)});
  // Without memory the reader finds another value, and says so.
  values.push_back(made.ok() ? *std::move(made) : Tensor());
}

void StateWriter::element(const std::vector<Tensor> &element) {
  number(static_cast<int64_t>(element.size()));
  values.insert(values.end(), element.begin(), element.end());
}

void StateWriter::status(const Status &status) {
  number(static_cast<int64_t>(status.code()));
  text(status.ok() ? "" : status.message());
}

Status StateWriter::allow(const CapturedFunction &function) const {
  if (allowsState || function.isPure())
    return okStatus();
  return failedPreconditionError(
      "expected an iterator of a pipeline whose functions keep no state and "
      "draw no random numbers to be saved, got one with a stateful function");
}

static Status mismatch(std::string_view expected) {
  return invalidArgumentError(
      strCat("expected ", expected,
             " in a saved iterator, got something else: it was saved of "
             "another pipeline"));
}

Status StateReader::number(int64_t &value, int64_t least, int64_t most) {
  if (isAtEnd() || values[place].dtype() != DType::Int64 ||
      values[place].numElements() != 1)
    return mismatch("a number");
  value = values[place++].data<int64_t>()[0];
  return value < least || value > most
             ? mismatch(strCat("a number from ", least, " to ", most))
             : okStatus();
}

Status StateReader::flag(bool &value) {
  int64_t given;
  KILN_RETURN_IF_ERROR(number(given, 0, 1));
  value = given != 0;
  return okStatus();
}

Status StateReader::text(std::string &value) {
  if (isAtEnd() || values[place].dtype() != DType::String ||
      values[place].numElements() != 1)
    return mismatch("a text");
  value = values[place++].data<String>()[0].view();
  return okStatus();
}

Status StateReader::name(std::string_view expected) {
  std::string value;
  if (!text(value).ok() || value != expected)
    return mismatch(quote(expected));
  return okStatus();
}

Status StateReader::element(std::vector<Tensor> &element) {
  int64_t count;
  KILN_RETURN_IF_ERROR(
      number(count, 0, static_cast<int64_t>(values.size() - place) - 1));
  const auto first = values.begin() + static_cast<ptrdiff_t>(place);
  element.assign(first, first + count);
  place += static_cast<size_t>(count);
  for (const Tensor &part : element)
    if (!part.isValid())
      return mismatch("a tensor");
  return okStatus();
}

Status StateReader::status(Status &kept) {
  int64_t code;
  std::string message;
  constexpr auto last = static_cast<int64_t>(StatusCode::Unauthenticated);
  KILN_RETURN_IF_ERROR(number(code, 0, last));
  KILN_RETURN_IF_ERROR(text(message));
  kept = code == 0 ? okStatus()
                   : Status(static_cast<StatusCode>(code), std::move(message));
  return okStatus();
}

} // namespace kiln
