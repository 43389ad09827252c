// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers ops that print, or end a run, to the kernels of the runtime.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using Context = LoweringContext;

StatusOr<Value> textAttr(Context &ctx, std::string_view name) {
  return ctx.constant(TensorConstant(Tensor::scalar(ctx.stringAttr(name))));
}

// Where TensorFlow's process ends with status 0 a caller is not to go on as if
// the run had done its work: both are errors.
Status lowerAbort(Context &ctx) {
  const char *what = ctx.boolAttr("exit_without_error")
                         ? "Exiting the process: "
                         : "Abort_op intentional failure; ";
  KILN_ASSIGN_OR_RETURN(Value text,
                        ctx.constant(TensorConstant(Tensor::scalar(
                            strCat(what, ctx.stringAttr("error_msg"))))));
  ctx.ir().kernelCall("Abort", {text}, mlir::TypeRange());
  return okStatus();
}

Status lowerAssert(Context &ctx) {
  Value condition = ctx.input(0);
  llvm::SmallVector<Value> data;
  for (int i = 1; i < ctx.numInputs(); ++i)
    data.push_back(ctx.input(i));
  ctx.ir().failUnless(condition, [&] {
    ctx.ir().kernelCall("Assert", data, mlir::TypeRange(),
                        ctx.intAttr("summarize"));
  });
  return okStatus();
}

template <bool tellsSigns> Status lowerCheckNumerics(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Value message, textAttr(ctx, "message"));
  ctx.ir().kernelCall("CheckNumerics", {ctx.input(0), message},
                      mlir::TypeRange(), int64_t(tellsSigns));
  ctx.setOutput(0, ctx.input(0));
  return okStatus();
}

Status lowerPrint(Context &ctx) {
  const int64_t limit = ctx.intAttr("first_n");
  KILN_ASSIGN_OR_RETURN(Value message, textAttr(ctx, "message"));
  llvm::SmallVector<Value> inputs = {message};
  for (int i = 1; i < ctx.numInputs(); ++i)
    inputs.push_back(ctx.input(i));
  llvm::SmallVector<int64_t> numbers = {ctx.intAttr("summarize")};
  if (limit >= 0) {
    inputs.push_back(ctx.countExecution());
    numbers.push_back(limit);
  }
  ctx.ir().kernelCall("Print", inputs, mlir::TypeRange(), numbers);
  ctx.setOutput(0, ctx.input(0));
  return okStatus();
}

Status lowerPrintText(Context &ctx) {
  std::string stream = ctx.stringAttr("output_stream");
  bool isLog = stream == "log(info)" || stream == "log(warning)" ||
               stream == "log(error)";
  constexpr std::string_view file = "file://";
  bool isFile = stream.starts_with(file);
  if (stream != "stdout" && stream != "stderr" && !isLog && !isFile)
    return ctx.invalid(strCat("Unknown output stream: ", stream,
                              ", stdout, stderr, log(info), log(warning), "
                              "log(error) and file:// with a path are known"));
  KILN_ASSIGN_OR_RETURN(Value end, textAttr(ctx, "end"));
  if (isFile) {
    KILN_ASSIGN_OR_RETURN(Value path,
                          ctx.constant(TensorConstant(
                              Tensor::scalar(stream.substr(file.size())))));
    ctx.ir().kernelCall("PrintToFile", {ctx.input(0), end, path},
                        mlir::TypeRange());
    return okStatus();
  }
  ctx.ir().kernelCall("PrintText", {ctx.input(0), end}, mlir::TypeRange(),
                      stream == "stdout");
  return okStatus();
}

Status lowerStringFormat(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Value form, textAttr(ctx, "template"));
  KILN_ASSIGN_OR_RETURN(Value place, textAttr(ctx, "placeholder"));
  llvm::SmallVector<Value> inputs = {form, place};
  for (int i = 0; i < ctx.numInputs(); ++i)
    inputs.push_back(ctx.input(i));
  ctx.setOutput(0, ctx.ir().kernelCall("StringFormat", inputs, ctx.outputType(),
                                       ctx.intAttr("summarize")));
  return okStatus();
}

Status lowerTimestamp(LoweringContext &ctx) {
  ctx.callKernel("Timestamp", {});
  return okStatus();
}

} // namespace

void registerLoggingLowerings(LoweringRegistry &registry) {
  registry.add({{"Timestamp", lowerTimestamp},
                {"CheckNumerics", lowerCheckNumerics<false>},
                {"CheckNumericsV2", lowerCheckNumerics<true>}});
  registry.addMoves({{"Abort", lowerAbort},
                     {"Assert", lowerAssert},
                     {"Print", lowerPrint},
                     {"PrintV2", lowerPrintText},
                     {"StringFormat", lowerStringFormat}});
}

} // namespace kiln
