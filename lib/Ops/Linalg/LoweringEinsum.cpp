// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lowers Einsum to sums, transposes and one product of matrices.
#include "lib/Ops/Linalg/LoweringEinsum.h"
#include "lib/Import/LoweringRegistry.h"
#include "lib/Ops/Linalg/Einsum.h"
#include "lib/Support/StatusMacros.h"

namespace kiln {
namespace {

using Context = LoweringContext;

bool has(const EinsumLabels &labels, int label) {
  return llvm::is_contained(labels, label);
}

/// A tensor with a label for each dimension.
struct Labelled {
  Value value;
  EinsumLabels labels;
  Dims dims;
};

Labelled permuted(Context &ctx, const Labelled &x, const EinsumLabels &order) {
  Labelled result{{}, order, {}};
  llvm::SmallVector<int64_t> permutation;
  for (int label : order) {
    permutation.push_back(llvm::find(x.labels, label) - x.labels.begin());
    result.dims.push_back(x.dims[static_cast<size_t>(permutation.back())]);
  }
  result.value = ctx.ir().transpose(x.value, permutation);
  return result;
}

/// x [..., n, n] as the elements whose last two indices are equal, [..., n]: of
/// [..., n * n] with n elements behind, which are [..., n, n + 1], the first
/// column.
Labelled diagonal(Context &ctx, const Labelled &x) {
  IrBuilder &ir = ctx.ir();
  const mlir::Type element = IrBuilder::elementOf(x.value);
  auto type = [&](const Dims &dims) { return ir.tensorType(dims, element); };
  Labelled result{
      {}, EinsumLabels(x.labels.begin(), x.labels.end() - 1), x.dims};
  result.dims.pop_back();
  const Dim n = result.dims.back(), one = Dim::known(1),
            more = ctx.dims().add(n, one);
  Dims dims(x.dims.begin(), x.dims.end() - 2);
  dims.push_back(ctx.dims().mul(n, n));
  Value value = ir.reshape(x.value, type(dims));
  dims.back() = ctx.dims().mul(n, more);
  value = ir.pad(value, ir.scalar(element, 0),
                 llvm::SmallVector<int64_t>(dims.size(), 0), type(dims));
  dims.back() = n;
  dims.push_back(more);
  value = ir.reshape(value, type(dims));
  dims.back() = one;
  value = ir.slice(value, llvm::SmallVector<int64_t>(dims.size(), 0),
                   llvm::SmallVector<int64_t>(dims.size(), 1), type(dims));
  result.value = ir.reshape(value, type(result.dims));
  return result;
}

/// The way back: x [..., n] as [..., n, n] with zeros beside the diagonal,
/// whose last dimension gets a label of its own.
Labelled spread(Context &ctx, const Labelled &x, int label) {
  IrBuilder &ir = ctx.ir();
  const mlir::Type element = IrBuilder::elementOf(x.value);
  auto type = [&](const Dims &dims) { return ir.tensorType(dims, element); };
  const Dim n = x.dims.back(), more = ctx.dims().add(n, Dim::known(1));
  Labelled result = x;
  result.labels.push_back(label);
  result.dims.push_back(n);
  Dims dims = x.dims;
  dims.push_back(Dim::known(1));
  Value value = ir.reshape(x.value, type(dims));
  dims.back() = more;
  value = ir.pad(value, ir.scalar(element, 0),
                 llvm::SmallVector<int64_t>(dims.size(), 0), type(dims));
  dims.pop_back();
  dims.back() = ctx.dims().mul(n, more);
  value = ir.reshape(value, type(dims));
  dims.back() = ctx.dims().mul(n, n);
  value = ir.slice(value, llvm::SmallVector<int64_t>(dims.size(), 0),
                   llvm::SmallVector<int64_t>(dims.size(), 1), type(dims));
  result.value = ir.reshape(value, type(result.dims));
  return result;
}

/// With each label once.
Labelled withoutTwins(Context &ctx, Labelled x) {
  for (size_t i = 0; i < x.labels.size();) {
    auto twin = std::find(x.labels.begin() + static_cast<ptrdiff_t>(i) + 1,
                          x.labels.end(), x.labels[i]);
    if (twin == x.labels.end()) {
      ++i;
      continue;
    }
    const auto other = twin - x.labels.begin(),
               rank = static_cast<ptrdiff_t>(x.labels.size());
    llvm::SmallVector<int64_t> order;
    for (ptrdiff_t k = 0; k < rank; ++k)
      if (k != static_cast<ptrdiff_t>(i) && k != other)
        order.push_back(k);
    order.append({static_cast<int64_t>(i), other});
    Labelled moved;
    for (int64_t k : order) {
      moved.labels.push_back(x.labels[static_cast<size_t>(k)]);
      moved.dims.push_back(x.dims[static_cast<size_t>(k)]);
    }
    moved.value = ctx.ir().transpose(x.value, order);
    x = diagonal(ctx, moved);
  }
  return x;
}

/// Without the labels that no other operand has.
Labelled summed(Context &ctx, const Labelled &x, const EinsumLabels &others) {
  Labelled result{x.value, {}, {}};
  llvm::SmallVector<int64_t> axes;
  for (size_t i = 0; i < x.labels.size(); ++i) {
    if (!has(others, x.labels[i])) {
      axes.push_back(static_cast<int64_t>(i));
      continue;
    }
    result.labels.push_back(x.labels[i]);
    result.dims.push_back(x.dims[i]);
  }
  if (!axes.empty())
    result.value = ctx.ir().reduce(ir::ReduceKind::sum, x.value, axes);
  return result;
}

/// Input i, each dimension as large as its label's.
StatusOr<Labelled> inputOf(Context &ctx, const EinsumEquation &equation, int i,
                           const EinsumLabels &output) {
  const std::string &text = equation.inputs[static_cast<size_t>(i)];
  KILN_ASSIGN_OR_RETURN(int dims,
                        einsumEllipsisDims(text, i, ctx.inputRank(i)));
  Labelled x{ctx.input(i), einsumLabels(text, dims), ctx.inputDims(i)};
  for (size_t k = 0; k < x.labels.size(); ++k) {
    auto at = llvm::find(output, x.labels[k]);
    if (x.labels[k] >= ellipsisLabel && at != output.end())
      x.dims[k] = ctx.outputDims()[static_cast<size_t>(at - output.begin())];
  }
  IrBuilder &ir = ctx.ir();
  x.value = ir.broadcast(x.value,
                         ir.tensorType(x.dims, IrBuilder::elementOf(x.value)));
  return withoutTwins(ctx, std::move(x));
}

Dims dimsOf(const Labelled &x, const EinsumLabels &labels) {
  Dims dims;
  for (int label : labels)
    dims.push_back(x.dims[static_cast<size_t>(llvm::find(x.labels, label) -
                                              x.labels.begin())]);
  return dims;
}

EinsumLabels joined(EinsumLabels a, const EinsumLabels &b,
                    const EinsumLabels &c = {}) {
  a.insert(a.end(), b.begin(), b.end());
  a.insert(a.end(), c.begin(), c.end());
  return a;
}

/// [batch, free of x, common] times [batch, common, free of y].
Labelled product(Context &ctx, const Labelled &x, const Labelled &y,
                 const EinsumLabels &output) {
  EinsumLabels batch, common, freeX, freeY;
  for (int label : x.labels)
    (!has(y.labels, label) ? freeX
     : has(output, label)  ? batch
                           : common)
        .push_back(label);
  for (int label : y.labels)
    if (!has(x.labels, label))
      freeY.push_back(label);
  IrBuilder &ir = ctx.ir();
  const mlir::Type element = IrBuilder::elementOf(x.value);
  const Dims outer = dimsOf(x, batch);
  const Dim rows = ctx.dims().product(dimsOf(x, freeX)),
            depth = ctx.dims().product(dimsOf(x, common)),
            columns = ctx.dims().product(dimsOf(y, freeY));
  auto matrices = [&](Dim a, Dim b) {
    Dims dims = outer;
    dims.push_back(a);
    dims.push_back(b);
    return ir.tensorType(dims, element);
  };
  Value lhs = ir.reshape(permuted(ctx, x, joined(batch, freeX, common)).value,
                         matrices(rows, depth));
  Value rhs = ir.reshape(permuted(ctx, y, joined(batch, common, freeY)).value,
                         matrices(depth, columns));
  Value both = ir.matmul(lhs, rhs, /*transposeLhs=*/false,
                         /*transposeRhs=*/false, matrices(rows, columns));
  Labelled result{{}, joined(batch, freeX, freeY), outer};
  for (Dim dim : dimsOf(x, freeX))
    result.dims.push_back(dim);
  for (Dim dim : dimsOf(y, freeY))
    result.dims.push_back(dim);
  result.value = ir.reshape(both, ir.tensorType(result.dims, element));
  return result;
}

Status lowerEinsum(Context &ctx) {
  KILN_ASSIGN_OR_RETURN(
      EinsumEquation equation,
      parseEinsum(ctx.stringAttr("equation"), ctx.numInputs()));
  int ellipsisDims = 0;
  for (int i = 0; i < ctx.numInputs(); ++i) {
    KILN_ASSIGN_OR_RETURN(
        int dims, einsumEllipsisDims(equation.inputs[static_cast<size_t>(i)], i,
                                     ctx.inputRank(i)));
    ellipsisDims = std::max(ellipsisDims, dims);
  }
  const EinsumLabels output = einsumLabels(equation.output, ellipsisDims);
  KILN_ASSIGN_OR_RETURN(Labelled x, inputOf(ctx, equation, 0, output));
  if (ctx.numInputs() == 1) {
    x = summed(ctx, x, output);
  } else {
    KILN_ASSIGN_OR_RETURN(Labelled y, inputOf(ctx, equation, 1, output));
    x = summed(ctx, x, joined(output, y.labels));
    y = summed(ctx, y, joined(output, x.labels));
    x = product(ctx, x, y, output);
  }
  // Labels that stand twice in the output: the second time by another name.
  EinsumLabels distinct;
  for (int label : output) {
    if (!has(distinct, label)) {
      distinct.push_back(label);
      continue;
    }
    EinsumLabels order;
    for (int other : x.labels)
      if (other != label)
        order.push_back(other);
    order.push_back(label);
    const int twin = -1 - static_cast<int>(distinct.size());
    x = spread(ctx, permuted(ctx, x, order), twin);
    distinct.push_back(twin);
  }
  ctx.setOutput(0, permuted(ctx, x, distinct).value);
  return okStatus();
}

} // namespace

void registerEinsumLowering(LoweringRegistry &registry) {
  registry.add({{"Einsum", lowerEinsum}});
}

} // namespace kiln
