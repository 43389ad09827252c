// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kiln half of kiln-lower-to-llvm: buffers, symbols, errors and runtime
// calls become accesses of KilnRunArgs.
#ifndef KILN_PASSES_TO_LLVM_LOWERKILNTOLLVM_H
#define KILN_PASSES_TO_LLVM_LOWERKILNTOLLVM_H

#include "lib/Compiled/CodeLayout.h"

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/BuiltinOps.h"

namespace kiln::passes {

/// Gives each function a KilnRunArgs pointer as first argument and rewrites the
/// kiln ops of its body, which must be a plain control flow graph by now.
/// Leaves unrealized casts between LLVM types and the buffers and indices of
/// the rest. Sets the names that the error slot's node indices
/// stand for.
mlir::LogicalResult lowerKilnOps(mlir::ModuleOp module,
                                 const mlir::LLVMTypeConverter &converter);

/// Rewrites plain arithmetic whose types are LLVM's already.
void lowerPlainOps(mlir::ModuleOp module);

/// The name of the native entry.
inline constexpr llvm::StringRef entryName(codeEntryName.data(),
                                           codeEntryName.size());
/// What the names of kiln-share-kernels' functions begin with, and those of
/// their tasks; no variable's name has a '$'. The buffers that such a function
/// is given never overlap.
inline constexpr llvm::StringLiteral sharedKernelPrefix = "kernel$";
/// The length of the digest that follows, in hexadecimal digits.
inline constexpr size_t sharedKernelDigits = 32;
/// Not the name of a task.
inline bool isSharedKernel(llvm::StringRef name) {
  return name.starts_with(sharedKernelPrefix) &&
         name.size() == sharedKernelPrefix.size() + sharedKernelDigits;
}

} // namespace kiln::passes

#endif // KILN_PASSES_TO_LLVM_LOWERKILNTOLLVM_H
