// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints modules and reads dumps.
#include "lib/Compile/StageText.h"

#include "lib/Support/Strings.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

namespace kiln {
namespace {

/// Stages behind MLIR's.
bool isDumpedOnly(std::string_view stage) {
  return stage == "llvm-ir" || stage == "assembly";
}

std::string printed(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  stream << "\n";
  return text;
}

/// Reads NN-stage.* of a dump.
StatusOr<std::string> readDump(const std::string &directory,
                               std::string_view stage) {
  std::error_code error;
  for (llvm::sys::fs::directory_iterator file(directory, error), end;
       file != end && !error; file.increment(error)) {
    llvm::StringRef name = llvm::sys::path::stem(file->path());
    if (name.substr(name.find('-') + 1) !=
        llvm::StringRef(stage.data(), stage.size()))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(file->path());
    if (!buffer)
      return unknownError(
          strCat("reading ", file->path(), ": ", buffer.getError().message()));
    return (*buffer)->getBuffer().str();
  }
  return unknownError(strCat("expected a dump of ", stage, " in ", directory));
}

} // namespace

StageText::~StageText() {
  if (!temporary.empty())
    llvm::sys::fs::remove_directories(temporary);
}

StatusOr<std::string> StageText::dumpDirectory() {
  if (!options.dumpDirectory.empty() || !isDumpedOnly(options.stopAfter))
    return options.dumpDirectory;
  if (std::error_code error =
          llvm::sys::fs::createUniqueDirectory("kiln-explain", temporary))
    return unknownError(
        strCat("creating a temporary directory: ", error.message()));
  return temporary.str().str();
}

StatusOr<std::string> StageText::of(mlir::ModuleOp module) const {
  if (!isDumpedOnly(options.stopAfter))
    return printed(module);
  return readDump(options.dumpDirectory.empty() ? temporary.str().str()
                                                : options.dumpDirectory,
                  options.stopAfter);
}

} // namespace kiln
