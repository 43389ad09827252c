// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing and serializing messages with protobuf.
#include "lib/IO/Wire.h"

#include "lib/Support/DataMemory.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <climits>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>
#include <google/protobuf/stubs/strutil.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/wire_format_lite.h>
#include <new>
#include <stdexcept>

namespace kiln::io {

namespace protobuf = google::protobuf;

namespace {

/// Keeps the first error with its place.
class FirstError : public protobuf::io::ErrorCollector {
public:
  void AddError(int line, protobuf::io::ColumnNumber column,
                const std::string &message) override {
    if (text.empty())
      text = strCat("line ", line + 1, ", column ", column + 1, ": ", message);
  }
  std::string text;
};

Status malformed(const protobuf::Message &message, std::string_view form,
                 std::string_view why) {
  return invalidArgumentError(strCat("expected a ",
                                     message.GetDescriptor()->name(), " in ",
                                     form, " form, got ", why));
}

} // namespace

bool looksLikeText(std::string_view bytes) noexcept {
  return std::ranges::none_of(bytes, [](char c) {
    auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && (byte < '\t' || byte > '\r')) || byte == 0x7f;
  });
}

int64_t countTopLevelField(std::string_view bytes, int fieldNumber) {
  protobuf::io::CodedInputStream input(
      reinterpret_cast<const uint8_t *>(bytes.data()),
      static_cast<int>(std::min<size_t>(bytes.size(), INT_MAX)));
  using Wire = protobuf::internal::WireFormatLite;
  int64_t count = 0;
  while (uint32_t tag = input.ReadTag()) {
    count += Wire::GetTagFieldNumber(tag) == fieldNumber;
    if (!Wire::SkipField(&input, tag))
      break;
  }
  return count;
}

namespace {

bool parseBytes(std::string_view bytes, int maxDepth,
                protobuf::Message &message) {
  protobuf::io::CodedInputStream input(
      reinterpret_cast<const uint8_t *>(bytes.data()),
      static_cast<int>(bytes.size()));
  input.SetRecursionLimit(maxDepth);
  return message.ParseFromCodedStream(&input) && input.ConsumedEntireMessage();
}

} // namespace

Status parseBinary(std::string_view bytes, int maxDepth,
                   protobuf::Message &message) {
  if (bytes.size() > INT_MAX)
    return resourceExhaustedError(strCat("a message of ", bytes.size(),
                                         " bytes, the limit is ", INT_MAX));
  protobuf::LogSilencer silencer;
  if (!parseBytes(bytes, maxDepth, message))
    return malformed(
        message, "binary",
        strCat(bytes.size(),
               " bytes that are truncated, malformed or nested deeper than ",
               maxDepth, " messages"));
  return okStatus();
}

Status parseText(std::string_view text, int maxDepth,
                 protobuf::Message &message) {
  if (text.size() > INT_MAX)
    return resourceExhaustedError(
        strCat("a message of ", text.size(), " bytes, the limit is ", INT_MAX));
  protobuf::LogSilencer silencer;
  FirstError errors;
  protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.SetRecursionLimit(maxDepth);
  protobuf::io::ArrayInputStream input(text.data(),
                                       static_cast<int>(text.size()));
  if (!parser.Parse(&input, &message))
    return malformed(message, "text",
                     errors.text.empty() ? "something else" : errors.text);
  // The text parser takes strings that are no UTF-8; what was written in binary
  // form with one could not be read again.
  std::string bytes;
  if (!message.SerializeToString(&bytes) ||
      !parseBytes(bytes, maxDepth, message))
    return malformed(message, "text", "a string that is not UTF-8");
  return okStatus();
}

namespace {

/// May throw std::bad_alloc.
Status writeMessage(const protobuf::Message &message, GraphDefFormat format,
                    std::string &bytes) {
  if (format == GraphDefFormat::Text)
    return protobuf::TextFormat::PrintToString(message, &bytes)
               ? okStatus()
               : internalError("the message could not be printed");
  bytes.reserve(message.ByteSizeLong());
  protobuf::io::StringOutputStream stream(&bytes);
  protobuf::io::CodedOutputStream output(&stream);
  output.SetSerializationDeterministic(true);
  bool done = message.SerializeToCodedStream(&output);
  output.Trim();
  return done ? okStatus()
              : internalError("the message could not be serialized");
}

} // namespace

std::string quoteText(std::string_view text) {
  return strCat("\"", protobuf::CEscape(std::string(text)), "\"");
}

StatusOr<std::string> serialize(const protobuf::Message &message,
                                GraphDefFormat format, size_t maxBytes) {
  protobuf::LogSilencer silencer;
  size_t size = message.ByteSizeLong();
  if (format == GraphDefFormat::Binary && size > maxBytes)
    return resourceExhaustedError(strCat("a message would have ", size,
                                         " bytes, the limit is ", maxBytes));
  std::string bytes;
  try {
    if (mayAllocateData(size)) {
      KILN_RETURN_IF_ERROR(writeMessage(message, format, bytes));
      return bytes;
    }
  } catch (const std::bad_alloc &) {
  } catch (const std::length_error &) {
  }
  return outOfMemory("a serialized GraphDef", size);
}

} // namespace kiln::io
