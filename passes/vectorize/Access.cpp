// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of a nest: from the axes of a value to addresses in flat
// buffers.
#include "passes/vectorize/NestEmitter.h"

#include "passes/vectorize/Conversions.h"
#include "passes/vectorize/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace kiln::ir;

namespace kiln::passes {

/// The address of a value where its own loops walk it, or of what `use` needs.
NestEmitter::Address NestEmitter::addressOf(Value tensor, const AxisList &list,
                                            OpOperand *use) {
  Extents extents = extentsOf(tensor), loops;
  Access access = sameAccess(extents.size());
  if (use) {
    auto op = cast<TensorOp>(use->getOwner());
    access = op.getAccess(*use);
    loops = op.getLoops();
  }
  Address address;
  address.offset = index(0);
  Value stride = index(1);
  for (size_t dim = extents.size(); dim-- > 0;) {
    Value step = stride;
    const DimAccess &how = access[dim];
    if (how.kind == DimAccess::Kind::Strided) {
      address.offset = add(address.offset, multiply(stride, index(how.offset)));
      step = multiply(stride, index(how.stride));
    }
    if (how.isRepeatedInRun(extents[dim], loops)) {
      Value one = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        extentValue(extents[dim]), index(1));
      step = arith::SelectOp::create(builder, loc, one, index(0), step);
    }
    int axis = list[dim];
    if (how.mayBeOutside)
      limit(address, how, extents[dim], axis);
    if (axis >= 0) {
      Value at = axis == nest.inner ? columns.base : position[axis];
      address.offset = add(address.offset, multiply(step, at));
      if (axis == nest.inner) {
        address.innerStride = step;
        if (auto known = getConstantIntValue(step)) {
          address.knownStride = *known;
          address.isStrideKnown = true;
        }
      }
    }
    stride = multiply(stride, extentValue(extents[dim]));
  }
  return address;
}

void NestEmitter::limit(Address &address, const DimAccess &how,
                        const Extent &extent, int axis) {
  Value at = index(how.offset), end = extentValue(extent);
  if (axis >= 0)
    at = add(at, multiply(index(how.stride),
                          axis == nest.inner ? columns.base : position[axis]));
  if (axis >= 0 && axis == nest.inner) {
    address.lanesInside = {at, index(how.stride), end};
    return;
  }
  // What is negative is more than any extent.
  Value inside =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, end);
  address.inside =
      address.inside
          ? arith::AndIOp::create(builder, loc, address.inside, inside)
          : inside;
}

Value NestEmitter::lanesFrom(Value start, Value stride, Type element) {
  auto type = VectorType::get({lanes}, element);
  auto splatOf = [&](Value value) -> Value {
    if (value.getType() != element)
      value = arith::IndexCastOp::create(builder, loc, element, value);
    return vector::BroadcastOp::create(builder, loc, type, value);
  };
  SmallVector<Attribute> numbers;
  for (int64_t lane = 0; lane < lanes; ++lane)
    numbers.push_back(builder.getIntegerAttr(element, lane));
  Value steps = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, numbers));
  if (getConstantIntValue(stride) != 1)
    steps = arith::MulIOp::create(builder, loc, steps, splatOf(stride));
  return arith::AddIOp::create(builder, loc, splatOf(start), steps);
}

Emitted NestEmitter::loadAt(Value buffer, Type element,
                            const Address &address) {
  Type stored = storageType(element);
  if (!address.innerStride ||
      (address.isStrideKnown && address.knownStride == 0)) {
    Value value = memref::LoadOp::create(builder, loc, buffer, address.offset);
    return {{fromStorage(builder, loc, value, element)}, false};
  }
  auto type = VectorType::get({lanes}, stored);
  bool contiguous = address.isStrideKnown && address.knownStride == 1;
  return perRegister(true, [&](int64_t i) -> Value {
    Value offset =
        add(address.offset, multiply(address.innerStride, index(i * lanes)));
    bool masked = !columns.masks.empty() && columns.masks[i];
    Value value;
    if (contiguous && !masked) {
      value = vector::LoadOp::create(builder, loc, type, buffer, offset);
    } else {
      Value zero =
          emitConstant(builder, loc, type, builder.getZeroAttr(stored));
      Value mask =
          masked
              ? columns.masks[i]
              : emitInteger(builder, loc,
                            VectorType::get({lanes}, builder.getI1Type()), 1);
      if (contiguous) {
        value = vector::MaskedLoadOp::create(builder, loc, type, buffer, offset,
                                             mask, zero);
      } else {
        Value steps =
            lanesFrom(index(0), address.innerStride, builder.getI64Type());
        value = vector::GatherOp::create(builder, loc, type, buffer,
                                         ValueRange(offset), steps, mask, zero);
      }
    }
    return fromStorage(builder, loc, value, element);
  });
}

Emitted NestEmitter::loadLeaf(OpOperand &use) {
  llvm::SaveAndRestore<Location> atNode(loc, use.getOwner()->getLoc());
  auto argument = cast<BlockArgument>(use.get());
  Address address = addressOf(argument, nest.leaves.lookup(&use), &use);
  return loadAt(fusion.getIns()[argument.getArgNumber()],
                cast<RankedTensorType>(argument.getType()).getElementType(),
                address);
}

/// Elements that lie inside are loaded, and only these: no address is made of
/// an index outside.
Emitted NestEmitter::computeWindow(WindowOp op) {
  llvm::SaveAndRestore<Location> atNode(loc, op.getLoc());
  OpOperand &use = op.getOperandMutable();
  auto argument = cast<BlockArgument>(use.get());
  Value buffer = fusion.getIns()[argument.getArgNumber()];
  Type element = cast<RankedTensorType>(argument.getType()).getElementType(),
       stored = storageType(element);
  // Also a dimension of one element is walked, and left.
  Address address = addressOf(argument, nest.values.lookup(op), &use);
  Emitted padding = operandOf(op.getPaddingMutable());
  Type boolean = builder.getI1Type(), number = builder.getI64Type();
  Value inside =
      address.inside ? address.inside : emitInteger(builder, loc, boolean, 1);
  if (!address.innerStride && !address.lanesInside.first) {
    auto loaded = scf::IfOp::create(
        builder, loc, inside,
        [&](OpBuilder &nested, Location loc) {
          scf::YieldOp::create(nested, loc,
                               ValueRange(memref::LoadOp::create(
                                   nested, loc, buffer, address.offset)));
        },
        [&](OpBuilder &nested, Location loc) {
          Value other = toStorage(nested, loc, padding.registers[0], element);
          scf::YieldOp::create(nested, loc, other);
        });
    return {{fromStorage(builder, loc, loaded.getResult(0), element)}, false};
  }
  auto type = VectorType::get({lanes}, stored);
  bool contiguous = address.isStrideKnown && address.knownStride == 1 &&
                    !address.lanesInside.first;
  padding = splat(padding, columns.registers);
  Value safe =
      arith::SelectOp::create(builder, loc, inside, address.offset, index(0));
  return perRegister(true, [&](int64_t i) -> Value {
    Value mask = vector::BroadcastOp::create(
        builder, loc, VectorType::get({lanes}, boolean), inside);
    if (!columns.masks.empty() && columns.masks[i])
      mask = arith::AndIOp::create(builder, loc, mask, columns.masks[i]);
    Value otherwise = toStorage(builder, loc, padding.registers[i], element),
          begin = multiply(address.innerStride, index(i * lanes));
    if (contiguous)
      return fromStorage(builder, loc,
                         vector::MaskedLoadOp::create(builder, loc, type,
                                                      buffer, add(safe, begin),
                                                      mask, otherwise),
                         element);
    Value steps =
        lanesFrom(add(address.offset, begin), address.innerStride, number);
    if (auto [first, step, extent] = address.lanesInside; first) {
      Value at =
          lanesFrom(add(first, multiply(step, index(i * lanes))), step, number);
      Value end = vector::BroadcastOp::create(
          builder, loc, at.getType(),
          arith::IndexCastOp::create(builder, loc, number, extent));
      mask = arith::AndIOp::create(
          builder, loc, mask,
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at,
                                end));
    }
    Value none = emitConstant(builder, loc, steps.getType(),
                              builder.getZeroAttr(number));
    steps = arith::SelectOp::create(builder, loc, mask, steps, none);
    return fromStorage(builder, loc,
                       vector::GatherOp::create(builder, loc, type, buffer,
                                                ValueRange(index(0)), steps,
                                                mask, otherwise),
                       element);
  });
}

void NestEmitter::store(unsigned result) {
  Value value = yield.getValues()[result];
  llvm::SaveAndRestore<Location> atNode(loc, value.getLoc());
  Value buffer = fusion.getOuts()[result];
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  const AxisList &list = nest.values.lookup(value);
  Address address = addressOf(value, list);
  Emitted what = valueOf(value.getDefiningOp());
  if (!address.innerStride) {
    memref::StoreOp::create(builder, loc,
                            toStorage(builder, loc, what.registers[0], element),
                            buffer, address.offset);
    return;
  }
  what = splat(what, columns.registers);
  for (int64_t i = 0; i < columns.registers; ++i) {
    Value offset =
        add(address.offset, multiply(address.innerStride, index(i * lanes)));
    Value stored = toStorage(builder, loc, what.registers[i], element);
    bool masked = !columns.masks.empty() && columns.masks[i];
    bool contiguous = address.isStrideKnown && address.knownStride == 1;
    if (contiguous && !masked) {
      emitVectorStore(builder, loc, stored, buffer, offset, streaming);
      continue;
    }
    Value mask =
        masked ? columns.masks[i]
               : emitInteger(builder, loc,
                             VectorType::get({lanes}, builder.getI1Type()), 1);
    if (contiguous)
      vector::MaskedStoreOp::create(builder, loc, buffer, offset, mask, stored);
    else
      vector::ScatterOp::create(
          builder, loc, Type(), buffer, ValueRange(offset),
          lanesFrom(index(0), address.innerStride, builder.getI64Type()), mask,
          stored);
  }
}

} // namespace kiln::passes
