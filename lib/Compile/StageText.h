// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a stage of a compilation.
#ifndef KILN_LIB_COMPILE_STAGETEXT_H
#define KILN_LIB_COMPILE_STAGETEXT_H

#include "kiln/SessionOptions.h"
#include "kiln/Status.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallString.h"

#include <string>

namespace kiln {

/// Prints a module, or reads the dump of a stage that is none of MLIR's, which
/// has no other way to its text. **Ownership**: where the options name no
/// folder for dumps it has one while it lives.
class StageText {
public:
  explicit StageText(const ExplainOptions &options) : options(options) {}
  ~StageText();
  StageText(const StageText &) = delete;
  StageText &operator=(const StageText &) = delete;

  /// Where the compilation is to dump; empty for nowhere. **Errors**: UNKNOWN
  /// where the folder cannot be made.
  StatusOr<std::string> dumpDirectory();
  /// The text of options.stopAfter, where the compilation stopped. **Errors**:
  /// UNKNOWN for a dump that cannot be read.
  StatusOr<std::string> of(mlir::ModuleOp module) const;

private:
  const ExplainOptions &options;
  llvm::SmallString<128> temporary;
};

} // namespace kiln

#endif // KILN_LIB_COMPILE_STAGETEXT_H
