// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// kiln-opt: runs passes and pipelines on kiln IR, as mlir-opt does on its own.
#include "dialect/Kiln.h"
#include "kiln/Version.h"
#include "passes/Passes.h"
#include "passes/Pipelines.h"
#include "tools/opt/ConstantPasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "kiln-opt " KILN_VERSION_STRING ", LLVM " KILN_LLVM_VERSION "\n";
    out.flush(); // the program is left by exit()
  });
  mlir::DialectRegistry registry;
  registry.insert<kiln::ir::KilnDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect,
                  mlir::vector::VectorDialect>();
  mlir::registerTransformsPasses();
  kiln::passes::registerPasses();
  kiln::passes::registerPipelines();
  kiln::registerConstantPasses();
  int exitCode = mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv, "kiln-opt: the optimizer driver of Kiln\n", registry));
  // LLVM's stream would end the program by a fatal error of its own.
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return exitCode;
  llvm::errs() << "kiln-opt: cannot write the standard output: "
               << llvm::outs().error().message() << "\n";
  llvm::outs().clear_error();
  return 1;
}
