// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers ops on strings to the kernels of the runtime, on operands of one
// shape.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

using Context = LoweringContext;

Value broadcastInput(Context &ctx, int i) {
  Value value = ctx.input(i);
  return ctx.ir().broadcast(
      value,
      ir::withElementType(ctx.outputType(), IrBuilder::elementOf(value)));
}

void callKernel(Context &ctx, llvm::StringRef kernel, mlir::ValueRange inputs,
                llvm::ArrayRef<int64_t> numbers) {
  ctx.setOutput(0,
                ctx.ir().kernelCall(kernel, inputs, ctx.outputType(), numbers));
}

int64_t unitOf(Context &ctx) { return ctx.stringAttr("unit") == "UTF8_CHAR"; }

/// No program wants wider text, and a few bytes of a graph must not cost
/// gigabytes.
constexpr int64_t maxWidth = 1 << 20;

Status lowerAsString(Context &ctx) {
  DType dtype = ctx.inputDType(0);
  int64_t precision = ctx.intAttr("precision"), width = ctx.intAttr("width");
  bool scientific = ctx.boolAttr("scientific"),
       shortest = ctx.boolAttr("shortest");
  std::string fill = ctx.stringAttr("fill");
  if (!isFloating(dtype) && dtype != DType::String) {
    if (scientific || shortest)
      return ctx.invalid(strCat("scientific and shortest format not supported "
                                "for datatype ",
                                dtypeTfName(dtype)));
    if (precision >= 0)
      return ctx.invalid(
          strCat("precision not supported for datatype ", dtypeTfName(dtype)));
  }
  if (fill.size() > 1)
    return ctx.invalid("Fill string must be one or fewer characters");
  if (scientific && shortest)
    return ctx.invalid("Cannot select both scientific and shortest notation");
  if (fill.find_first_not_of(" +-0#") != fill.npos)
    return ctx.invalid(strCat("Fill argument not supported: ", quote(fill)));
  if (width > maxWidth || precision > maxWidth)
    return ctx.invalid(strCat("expected width and precision of at most ",
                              maxWidth, ", got ", std::max(width, precision)));
  Value input = ctx.input(0);
  if (isFloating(dtype) && dtype != DType::Float64) { // prints 16 bits as well
    dtype = DType::Float32;
    input = ctx.ir().cast(input, ctx.ir().elementType(dtype));
  }
  callKernel(
      ctx, "AsString", input,
      {precision, scientific, shortest, width, fill.empty() ? 0 : fill[0]});
  return okStatus();
}

Status lowerStringToNumber(Context &ctx) {
  callKernel(ctx, "StringToNumber", ctx.input(0), {});
  return okStatus();
}

Status lowerStringLength(Context &ctx) {
  callKernel(ctx, "StringLength", ctx.input(0), {unitOf(ctx)});
  return okStatus();
}

Status lowerDecodeRaw(Context &ctx) {
  const int64_t parts = isComplex(ctx.outputDType()) ? 2 : 1;
  ctx.callKernel("DecodeRaw", ctx.input(0),
                 {int64_t(ctx.boolAttr("little_endian")), parts});
  return okStatus();
}

Status lowerFingerprint(Context &ctx) {
  ctx.callKernel("Fingerprint", ctx.allInputs());
  return okStatus();
}

Status lowerUnicodeScript(Context &ctx) {
  ctx.callKernel("UnicodeScript", ctx.input(0));
  return okStatus();
}

Status lowerStringStrip(Context &ctx) {
  callKernel(ctx, "StringStrip", ctx.input(0), {});
  return okStatus();
}

template <bool upper> Status lowerCase(Context &ctx) {
  std::string encoding = ctx.stringAttr("encoding");
  const bool isUtf8 = encoding == "utf-8";
  if (!isUtf8 && !encoding.empty())
    return ctx.invalid(strCat("only utf-8 or '' (no encoding) is supported, "
                              "received ",
                              encoding));
  callKernel(ctx, "StringCase", ctx.input(0), {upper, isUtf8});
  return okStatus();
}

enum class Hash : int64_t { Murmur, Fingerprint, Sip };

template <Hash hash> Status lowerHashBucket(Context &ctx) {
  std::vector<int64_t> key{0, 0};
  if (hash == Hash::Sip) {
    key = ctx.node().attrOr<std::vector<int64_t>>("key", {});
    if (key.size() != 2)
      return ctx.invalid("Key must have 2 elements");
  }
  callKernel(
      ctx, "StringToBucket", ctx.input(0),
      {static_cast<int64_t>(hash), ctx.intAttr("num_buckets"), key[0], key[1]});
  return okStatus();
}

Status lowerEncodeBase64(Context &ctx) {
  callKernel(ctx, "EncodeBase64", ctx.input(0), {ctx.boolAttr("pad")});
  return okStatus();
}

Status lowerDecodeBase64(Context &ctx) {
  callKernel(ctx, "DecodeBase64", ctx.input(0), {});
  return okStatus();
}

/// Joins the rows of the last axis, which the output does not have.
StatusOr<Value> joinRows(Context &ctx, Value rows, RankedTensorType type) {
  KILN_ASSIGN_OR_RETURN(Value separator,
                        ctx.movedConstant(TensorConstant(
                            Tensor::scalar(ctx.stringAttr("separator")))));
  return ctx.ir().kernelCall("StringJoinRows", {rows, separator}, type, {});
}

/// [s0] and [s0] -> [s0, 2], whose rows are joined.
Status lowerStringJoin(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  if (ctx.numInputs() == 0) {
    KILN_ASSIGN_OR_RETURN(Value empty, ctx.zero(DType::String));
    ctx.setOutput(0, empty);
    return okStatus();
  }
  Dims column = ctx.outputDims();
  column.push_back(Dim::known(1));
  llvm::SmallVector<Value> columns;
  for (int i = 0; i < ctx.numInputs(); ++i)
    columns.push_back(ir.reshape(broadcastInput(ctx, i),
                                 ir.tensorType(column, DType::String)));
  Dims rows = ctx.outputDims();
  rows.push_back(Dim::known(ctx.numInputs()));
  Value all = columns.size() == 1
                  ? columns[0]
                  : ir.concat(columns, static_cast<int64_t>(rows.size()) - 1,
                              ir.tensorType(rows, DType::String));
  KILN_ASSIGN_OR_RETURN(Value joined, joinRows(ctx, all, ctx.outputType()));
  ctx.setOutput(0, joined);
  return okStatus();
}

/// The axes that stay come first, then the others: the first of the list is
/// joined first, so it stands last.
Status lowerReduceJoin(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(std::vector<int64_t> axes, ctx.ints(1));
  IrBuilder &ir = ctx.ir();
  int64_t rank = ctx.inputRank(0);
  for (int64_t &axis : axes)
    axis = axis < 0 ? axis + rank : axis;
  llvm::SmallVector<int64_t> permutation;
  Dims kept;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(axes, i)) {
      permutation.push_back(i);
      kept.push_back(ctx.inputDims(0)[static_cast<size_t>(i)]);
    }
  llvm::append_range(permutation, llvm::reverse(axes));
  KILN_ASSIGN_OR_RETURN(Value joined,
                        joinRows(ctx, ir.transpose(ctx.input(0), permutation),
                                 ir.tensorType(kept, DType::String)));
  ctx.setOutput(0, ir.reshape(joined, ctx.outputType()));
  return okStatus();
}

Status lowerSubstr(Context &ctx) {
  mlir::Type wide = ctx.ir().elementType(DType::Int64);
  callKernel(ctx, "Substr",
             {broadcastInput(ctx, 0),
              ctx.ir().cast(broadcastInput(ctx, 1), wide),
              ctx.ir().cast(broadcastInput(ctx, 2), wide)},
             {unitOf(ctx)});
  return okStatus();
}

} // namespace

void registerStringsLowerings(LoweringRegistry &registry) {
  registry.addMoves(
      {{"DecodeRaw", lowerDecodeRaw}, {"Fingerprint", lowerFingerprint}});
  registry.add({{"UnicodeScript", lowerUnicodeScript},
                {"AsString", lowerAsString},
                {"StringToNumber", lowerStringToNumber},
                {"StringLength", lowerStringLength},
                {"StringStrip", lowerStringStrip},
                {"StringLower", lowerCase<false>},
                {"StringUpper", lowerCase<true>},
                {"StringJoin", lowerStringJoin},
                {"ReduceJoin", lowerReduceJoin},
                {"Substr", lowerSubstr},
                {"StringToHashBucket", lowerHashBucket<Hash::Murmur>},
                {"StringToHashBucketFast", lowerHashBucket<Hash::Fingerprint>},
                {"StringToHashBucketStrong", lowerHashBucket<Hash::Sip>},
                {"EncodeBase64", lowerEncodeBase64},
                {"DecodeBase64", lowerDecodeBase64}});
}

} // namespace kiln
