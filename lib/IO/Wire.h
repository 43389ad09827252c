// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bytes into messages and back: binary or text, within limits, without
// protobuf's own logging.
#ifndef KILN_LIB_IO_WIRE_H
#define KILN_LIB_IO_WIRE_H

#include "kiln/GraphDef.h"

#include <climits>

namespace google::protobuf {
class Message;
} // namespace google::protobuf

namespace kiln::io {

/// True when the bytes are text: no control characters but white space. Every
/// binary message that holds a node with an op has one (the tag of `op`, 0x12).
bool looksLikeText(std::string_view bytes) noexcept;

/// Counts the entries of a repeated message field at the top level without
/// building them. **Edges**: stops at the first malformed byte; parsing reports
/// it.
int64_t countTopLevelField(std::string_view bytes, int fieldNumber);

/// Parses one message. **Errors**: INVALID_ARGUMENT when the bytes are not a
/// message of this type, with line and column for text, or nest deeper than
/// maxDepth.
Status parseBinary(std::string_view bytes, int maxDepth,
                   google::protobuf::Message &message);
Status parseText(std::string_view text, int maxDepth,
                 google::protobuf::Message &message);

/// A text in quotes, as the text form of messages has it.
std::string quoteText(std::string_view text);

/// Serializes with map entries in order of their keys. **Errors**:
/// RESOURCE_EXHAUSTED beyond maxBytes, protobuf's 2 GiB (binary), and
/// with the size where memory cannot be had.
StatusOr<std::string> serialize(const google::protobuf::Message &message,
                                GraphDefFormat format,
                                size_t maxBytes = INT_MAX);

} // namespace kiln::io

#endif // KILN_LIB_IO_WIRE_H
