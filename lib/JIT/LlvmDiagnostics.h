// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's own errors as a Status: its default handler prints them and ends the
// process.
#ifndef KILN_LIB_JIT_LLVMDIAGNOSTICS_H
#define KILN_LIB_JIT_LLVMDIAGNOSTICS_H

#include "kiln/Status.h"

#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace kiln {

/// Keeps the first error of a context, which must not outlive it.
struct LlvmDiagnostics {
  Status first;

  explicit LlvmDiagnostics(llvm::LLVMContext &context) {
    context.setDiagnosticHandlerCallBack(handle, this);
  }

private:
  static void handle(const llvm::DiagnosticInfo *info, void *self) {
    auto &first = static_cast<LlvmDiagnostics *>(self)->first;
    if (info->getSeverity() != llvm::DS_Error || !first.ok())
      return;
    std::string message;
    llvm::raw_string_ostream stream(message);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    info->print(printer);
    first = internalError(std::move(message));
  }
};

} // namespace kiln

#endif // KILN_LIB_JIT_LLVMDIAGNOSTICS_H
