// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers scatters, into tensors and into variables, and gathers of tuples.
//
// The kernel IndexRows checks the indices before anything is written, and makes
// rows of them; kiln.scatter and kiln.gather go by those. Elements keep their
// type, since TensorFlow rounds each step of a scatter to it.
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Indexing/LoweringRows.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

namespace kiln {

using Context = LoweringContext;

Rows::Rows(Context &ctx, const Dims &dims, size_t tuple)
    : extents(dims.begin(), dims.begin() + static_cast<ptrdiff_t>(tuple)),
      count(ctx.dims().product(extents)),
      inner(dims.begin() + static_cast<ptrdiff_t>(tuple), dims.end()) {}

RankedTensorType Rows::type(Context &ctx, Dim rows, mlir::Type element) const {
  Dims dims = {rows};
  dims.insert(dims.end(), inner.begin(), inner.end());
  return ctx.ir().tensorType(dims, element);
}

Value Rows::of(Context &ctx, Value value, Dim rows) const {
  return ctx.ir().reshape(value, type(ctx, rows, IrBuilder::elementOf(value)));
}

Dims dimsOf(Value value) {
  Dims dims;
  for (const ir::Extent &extent : ir::extentsOf(value))
    dims.push_back(extent.isKnown()
                       ? Dim::known(extent.value)
                       : Dim::ofSymbol(static_cast<int32_t>(extent.symbol)));
  return dims;
}

RowIndices rowIndices(Context &ctx, Value indices, const Dims &indexDims,
                      const Dims &dims, IndexCheck check, int64_t tuple,
                      const Dims &inner) {
  IrBuilder &ir = ctx.ir();
  Dims outer = indexDims;
  if (tuple >= 0)
    outer.pop_back();
  Dim count = ctx.dims().product(outer);
  Dims rank = {Dim::known(static_cast<int64_t>(dims.size()))};
  Value extents = ir.contents(ir.tensorType(rank, DType::Int64), dims);
  llvm::SmallVector<Value> inputs = {indices, extents};
  if (Dim elements = ctx.dims().product(inner);
      !elements.isKnown() || elements.value == 0)
    inputs.push_back(ir.dimScalar(elements, ir.elementType(DType::Int64)));
  Value rows =
      ir.kernelCall("IndexRows", inputs, ir.tensorType({count}, DType::Int64),
                    {static_cast<int64_t>(check), tuple});
  return {rows, count};
}

namespace {

/// Whether a tuple outside of the tensor is an error, or its slice dropped.
StatusOr<IndexCheck> checkOf(Context &ctx, IndexCheck check) {
  std::string policy = ctx.stringAttr("bad_indices_policy");
  if (policy.empty() || policy == "DEFAULT" || policy == "ERROR")
    return check;
  if (policy == "IGNORE")
    return IndexCheck::None;
  return ctx.invalid(strCat("Bad indices policy must be one of \"\", "
                            "\"DEFAULT\", \"ERROR\" or \"IGNORE\", got ",
                            policy));
}

/// How an element type combines: adding bools is or, and true less true false.
StatusOr<ir::ScatterKind> kindFor(Context &ctx, ir::ScatterKind kind,
                                  mlir::Type element) {
  DType dtype = ir::dtypeOf(element);
  if (kind == ir::ScatterKind::update ||
      (dtype == DType::Bool && kind == ir::ScatterKind::sub))
    return kind;
  if (dtype == DType::Bool && kind == ir::ScatterKind::add)
    return ir::ScatterKind::max;
  if (dtype == DType::Bool || dtype == DType::String)
    return ctx.unimplemented(
        strCat("expected numbers to compute with, got ", dtypeTfName(dtype)));
  return kind;
}

/// Updates (input `input` + 1) combined into slices of `base`, of the
/// dimensions `dims`, that the indices (input `input`) name; a scalar base
/// stands for a tensor of it.
StatusOr<Value> scatterNd(Context &ctx, ir::ScatterKind kind, Value base,
                          const Dims &dims, int input) {
  IrBuilder &ir = ctx.ir();
  mlir::Type element = IrBuilder::elementOf(base);
  KILN_ASSIGN_OR_RETURN(kind, kindFor(ctx, kind, element));
  KILN_ASSIGN_OR_RETURN(IndexCheck check, checkOf(ctx, IndexCheck::ScatterNd));
  size_t outer = ctx.inputDims(input).size() - 1,
         tuple = dims.size() - (ctx.inputDims(input + 1).size() - outer);
  Rows rows(ctx, dims, tuple);
  RowIndices indices = rowIndices(ctx, ctx.input(input), ctx.inputDims(input),
                                  dims, check, static_cast<int64_t>(tuple));
  Value updates = rows.of(ctx, ctx.input(input + 1), indices.count);
  if (IrBuilder::typeOf(base).getRank() != 0)
    base = rows.of(ctx, base, rows.count);
  Value result =
      ir.scatter(kind, base, indices.value, updates, rows.type(ctx, element));
  return ir.reshape(result, ir.tensorType(dims, element));
}

Status lowerScatterNd(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.outputDType()));
  KILN_ASSIGN_OR_RETURN(Value result, scatterNd(ctx, ir::ScatterKind::add, zero,
                                                ctx.outputDims(), 0));
  ctx.setOutput(0, result);
  return okStatus();
}

template <ir::ScatterKind kind> Status lowerTensorScatter(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(
      Value result, scatterNd(ctx, kind, ctx.input(0), ctx.outputDims(), 1));
  ctx.setOutput(0, result);
  return okStatus();
}

/// Rows of a tensor, of which the indices are taken modulo their number.
template <ir::ScatterKind kind> Status lowerInplace(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const DType dtype = ctx.outputDType();
  if (kind != ir::ScatterKind::update &&
      (dtype == DType::Bool || dtype == DType::String))
    return ctx.invalid(strCat("Unsupported data type: ", dtypeName(dtype)));
  const mlir::Type index = ir.elementType(DType::Int64);
  Value places = ir.cast(ctx.input(1), index);
  Value rows = ir.binary<ir::MaxOp>(
      ir.dimScalar(ctx.outputDims().front(), index), ir.scalarInt(index, 1));
  Value rest = ir.binary<ir::RemOp>(places, rows);
  places = ir.select(ir.compare(ir::Predicate::lt, rest, ir.like(rest, 0)),
                     ir.add(rest, rows), rest);
  ctx.setOutput(0, ir.scatter(kind, ctx.input(0), places, ctx.input(2),
                              ctx.outputType()));
  return okStatus();
}

Status lowerSparseToDense(Context &ctx) {
  IrBuilder &ir = ctx.ir();
  const Dims &dims = ctx.outputDims(), &indexDims = ctx.inputDims(0);
  Rows rows(ctx, dims, dims.size());
  RowIndices indices = rowIndices(
      ctx, ctx.input(0), indexDims, dims,
      ctx.boolAttr("validate_indices") ? IndexCheck::SortedDense
                                       : IndexCheck::Dense,
      indexDims.size() == 2 ? static_cast<int64_t>(dims.size()) : -1);
  mlir::Type element = ctx.outputType().getElementType();
  RankedTensorType type = rows.type(ctx, indices.count, element);
  Value values = ctx.input(2);
  values = IrBuilder::typeOf(values).getRank() == 0 ? ir.broadcast(values, type)
                                                    : ir.reshape(values, type);
  Value dense = ir.scatter(ir::ScatterKind::update, ctx.input(3), indices.value,
                           values, rows.type(ctx, element));
  ctx.setOutput(0, ir.reshape(dense, ctx.outputType()));
  return okStatus();
}

//===--- Variables --------------------------------------------------------===//

/// Writes, and gives the view that a reference op has as output.
Status finishUpdate(Context &ctx, int variable, Value value) {
  KILN_RETURN_IF_ERROR(ctx.writeVariable(variable, value));
  if (ctx.numOutputs() > 0)
    ctx.setOutputView(0, variable);
  return okStatus();
}

template <ir::ScatterKind kind> Status lowerScatterNdVariable(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  Value old = ctx.readVariable(variable);
  KILN_ASSIGN_OR_RETURN(Value value, scatterNd(ctx, kind, old, dimsOf(old), 1));
  return finishUpdate(ctx, variable, value);
}

/// TensorFlow's op for resources divides by no zero, of floats neither.
void demandNonzero(IrBuilder &ir, Value updates) {
  mlir::Type element = IrBuilder::elementOf(updates);
  if (element.isF16() || element.isBF16())
    updates = ir.cast(updates, ir.opBuilder().getF32Type());
  ir.kernelCall("CheckNonzero", {updates}, mlir::TypeRange(), {});
}

/// Rows of a variable; updates of rank 0 go to each element of them.
template <ir::ScatterKind kind> Status lowerScatter(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  IrBuilder &ir = ctx.ir();
  Value old = ctx.readVariable(variable);
  mlir::Type element = IrBuilder::elementOf(old);
  KILN_ASSIGN_OR_RETURN(ir::ScatterKind how, kindFor(ctx, kind, element));
  Dims dims = dimsOf(old);
  Rows rows(ctx, dims, 1);
  Value updates = ctx.input(2);
  if (ctx.opDef().name == "ResourceScatterDiv")
    demandNonzero(ir, updates);
  RowIndices indices =
      rowIndices(ctx, ctx.input(1), ctx.inputDims(1), dims, IndexCheck::Rows);
  RankedTensorType type = rows.type(ctx, indices.count, element);
  updates = IrBuilder::typeOf(updates).getRank() == 0
                ? ir.broadcast(updates, type)
                : ir.reshape(updates, type);
  return finishUpdate(
      ctx, variable,
      ir.scatter(how, old, indices.value, updates, IrBuilder::typeOf(old)));
}

//===--- Gathers ----------------------------------------------------------===//

/// Slices that tuples of indices name; those outside are zeros where that is no
/// error: of a row of zeros before the first.
Status gatherNd(Context &ctx, Value params, IndexCheck check) {
  IrBuilder &ir = ctx.ir();
  Dims dims = dimsOf(params);
  int64_t tuple = *ctx.dims().takeAsKnown(ctx.inputDims(1).back());
  Rows rows(ctx, dims, static_cast<size_t>(tuple));
  RowIndices indices =
      rowIndices(ctx, ctx.input(1), ctx.inputDims(1), dims, check, tuple);
  mlir::Type element = IrBuilder::elementOf(params);
  params = rows.of(ctx, params, rows.count);
  if (check == IndexCheck::None) {
    KILN_ASSIGN_OR_RETURN(Value zero, ctx.zero(ctx.outputDType()));
    llvm::SmallVector<int64_t> low(rows.inner.size() + 1, 0);
    low[0] = 1;
    Dim count = ctx.dims().add(rows.count, Dim::known(1));
    params = ir.pad(params, zero, low, rows.type(ctx, count, element));
    indices.value = ir.add(
        indices.value, ir.scalarInt(IrBuilder::elementOf(indices.value), 1));
  }
  Value gathered = ir.gather(params, indices.value, 0,
                             rows.type(ctx, indices.count, element));
  ctx.setOutput(0, ir.reshape(gathered, ctx.outputType()));
  return okStatus();
}

Status lowerGatherNd(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(IndexCheck check, checkOf(ctx, IndexCheck::GatherNd));
  return gatherNd(ctx, ctx.input(0), check);
}

Status lowerResourceGatherNd(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(int variable, ctx.variable(0));
  return gatherNd(ctx, ctx.readVariable(variable), IndexCheck::GatherNd);
}

} // namespace

void registerProductLowerings(LoweringRegistry &registry);
void registerSegmentLowerings(LoweringRegistry &registry);

void registerIndexingLowerings(LoweringRegistry &registry) {
  using enum ir::ScatterKind;
  registry.addMoves({{"ScatterNd", lowerScatterNd},
                     {"ScatterNdNonAliasingAdd", lowerTensorScatter<add>},
                     {"InplaceUpdate", lowerInplace<update>},
                     {"InplaceAdd", lowerInplace<add>},
                     {"InplaceSub", lowerInplace<sub>},
                     {"SparseToDense", lowerSparseToDense},
                     {"GatherNd", lowerGatherNd},
                     {"ResourceGatherNd", lowerResourceGatherNd}});
#define KILN_SCATTER(Name, kind)                                               \
  registry.addMoves({{"Scatter" Name, lowerScatter<kind>},                     \
                     {"ResourceScatter" Name, lowerScatter<kind>}});
#define KILN_SCATTER_ND(Name, kind)                                            \
  KILN_SCATTER(Name, kind)                                                     \
  registry.addMoves(                                                           \
      {{"TensorScatter" Name, lowerTensorScatter<kind>},                       \
       {"ScatterNd" Name, lowerScatterNdVariable<kind>},                       \
       {"ResourceScatterNd" Name, lowerScatterNdVariable<kind>}});
  KILN_SCATTER_ND("Update", update)
  KILN_SCATTER_ND("Add", add)
  KILN_SCATTER_ND("Sub", sub)
  KILN_SCATTER_ND("Min", min)
  KILN_SCATTER_ND("Max", max)
  KILN_SCATTER("Mul", mul)
  KILN_SCATTER("Div", div)
#undef KILN_SCATTER_ND
#undef KILN_SCATTER
  registerProductLowerings(registry);
  registerSegmentLowerings(registry);
}

} // namespace kiln
