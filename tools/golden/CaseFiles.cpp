// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders for what cases write.
#include "tools/golden/CaseFiles.h"

#include "lib/Support/Strings.h"

#include <cstdlib>
#include <filesystem>

namespace kiln::golden {
namespace {

void replaceAll(std::string &bytes, std::string_view from,
                std::string_view to) {
  for (size_t at = 0; (at = bytes.find(from, at)) != std::string::npos;
       at += to.size())
    bytes.replace(at, from.size(), to);
}

} // namespace

std::string toHex(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    hex += digits[byte >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

CaseFiles::~CaseFiles() {
  std::error_code ignored;
  if (!folder.empty())
    std::filesystem::remove_all(folder, ignored);
}

Status CaseFiles::rename(std::string &bytes) {
  const std::string hex = toHex(recorded);
  if (bytes.find(recorded) == std::string::npos &&
      bytes.find(hex) == std::string::npos)
    return okStatus();
  if (folder.empty()) {
    std::string made = "/tmp/kiln_XXXXXX";
    if (made.size() != recorded.size() || !mkdtemp(made.data()))
      return internalError(strCat("expected to make a folder ", quote(made)));
    folder = std::move(made);
  }
  replaceAll(bytes, recorded, folder);
  replaceAll(bytes, hex, toHex(folder));
  return okStatus();
}

} // namespace kiln::golden
