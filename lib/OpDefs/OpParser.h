// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the texts of a schema table's line.
#ifndef KILN_LIB_OPDEFS_OPPARSER_H
#define KILN_LIB_OPDEFS_OPPARSER_H

#include "lib/OpDefs/OpDef.h"

namespace kiln {

/// Parses a line (see OpRecord). **Errors**: INTERNAL with the op and the piece
/// of text: tables are ours, so this is a mistake of ours, and a test parses
/// all of them.
StatusOr<OpDef> parseOpRecord(const OpRecord &record, std::string_view family);
/// An attribute's type as texts and messages have it: "int", "list(type)" ...
std::string typeName(const AttrDef &attr);

} // namespace kiln

#endif // KILN_LIB_OPDEFS_OPPARSER_H
