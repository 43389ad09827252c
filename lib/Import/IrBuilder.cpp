// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds kiln ops from values, numbers and dimensions.
#include "lib/Import/IrBuilder.h"

#include "lib/Support/DTypeDispatch.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace kiln {

Type IrBuilder::elementType(DType dtype) {
  dtype = storedAs(dtype);
  switch (dtype) {
  case DType::Float32:
    return builder.getF32Type();
  case DType::Float64:
    return builder.getF64Type();
  case DType::Float16:
    return builder.getF16Type();
  case DType::BFloat16:
    return builder.getBF16Type();
  case DType::Bool:
    return builder.getI1Type();
  case DType::String:
    return ir::StringType::get(builder.getContext());
  case DType::Complex128:
    return builder.getIntegerType(128);
  default:
    break;
  }
  if (!isInteger(dtype))
    return Type();
  return dispatchInteger(dtype, [&]<class T>(T) -> Type {
    unsigned bits = 8 * sizeof(T);
    // Signless integers are signed.
    return std::is_signed_v<T> ? builder.getIntegerType(bits)
                               : builder.getIntegerType(bits, false);
  });
}

static ir::Extents toExtents(const Dims &dims) {
  ir::Extents extents;
  for (Dim dim : dims)
    extents.push_back(dim.isSymbol() ? ir::Extent::ofSymbol(dim.symbol)
                                     : ir::Extent::known(dim.value));
  return extents;
}

RankedTensorType IrBuilder::tensorType(const Dims &dims, Type element) {
  return ir::tensorTypeOf(toExtents(dims), element);
}

/// A splat attribute: of the type itself where it is static and has elements,
/// else of one element.
static DenseElementsAttr splatAttr(RankedTensorType type, Attribute number) {
  auto shape = type.hasStaticShape() && type.getNumElements() > 0
                   ? type
                   : RankedTensorType::get({}, type.getElementType());
  return DenseElementsAttr::get(shape, number);
}

Value IrBuilder::splat(RankedTensorType type, double number) {
  Type element = type.getElementType();
  if (!isa<FloatType>(element))
    return splatInt(type, static_cast<int64_t>(number));
  if (rounding && element.isF32())
    number = rounding.isF16() ? float(Half(static_cast<float>(number)))
                              : float(BFloat16(static_cast<float>(number)));
  return ir::ConstantOp::create(
      builder, loc, type, splatAttr(type, FloatAttr::get(element, number)));
}

Value IrBuilder::splatInt(RankedTensorType type, int64_t number) {
  Type element = type.getElementType();
  if (isa<FloatType>(element))
    return splat(type, static_cast<double>(number));
  return ir::ConstantOp::create(
      builder, loc, type, splatAttr(type, ir::integerAttr(element, number)));
}

Value IrBuilder::contents(RankedTensorType type, const Dims &elements) {
  bool allKnown = std::all_of(elements.begin(), elements.end(),
                              [](Dim dim) { return dim.isKnown(); });
  Type element = type.getElementType();
  // There are as many as the type says, whose extents may be symbols: the
  // elements of a constant that was reshaped to them.
  auto count = static_cast<int64_t>(elements.size());
  auto flat = type.hasStaticShape() && (allKnown || type.getRank() <= 1)
                  ? type
                  : RankedTensorType::get({count}, element);
  if (allKnown) {
    SmallVector<Attribute> numbers;
    for (Dim dim : elements)
      numbers.push_back(ir::integerAttr(element, dim.value));
    Value constant = ir::ConstantOp::create(
        builder, loc, flat, DenseElementsAttr::get(flat, numbers));
    return reshape(constant, type);
  }
  SmallVector<int64_t> symbols, values;
  for (Dim dim : elements) {
    symbols.push_back(dim.isSymbol() ? dim.symbol : -1);
    values.push_back(dim.isSymbol() ? 0 : dim.value);
  }
  Value dims = ir::DimsOp::create(builder, loc, flat, symbols, values);
  return reshape(dims, type);
}

Value IrBuilder::dimScalar(Dim dim, Type element) {
  if (dim.isKnown())
    return scalarInt(element, dim.value);
  Type integer = isa<FloatType>(element) ? builder.getI64Type() : element;
  return cast(contents(RankedTensorType::get({}, integer), {dim}), element);
}

void IrBuilder::matchScalar(Value &x, Value &y) {
  if (x.getType() == y.getType())
    return;
  if (typeOf(x).getRank() == 0)
    x = broadcast(x, ir::withElementType(typeOf(y), elementOf(x)));
  else if (typeOf(y).getRank() == 0)
    y = broadcast(y, ir::withElementType(typeOf(x), elementOf(y)));
}

Value IrBuilder::compare(ir::Predicate predicate, Value x, Value y) {
  matchScalar(x, y);
  RankedTensorType type = ir::withElementType(typeOf(x), builder.getI1Type());
  if (isa<ir::StringType>(elementOf(x)))
    return kernelCall("StringEqual", {x, y}, type,
                      {predicate == ir::Predicate::ne});
  return ir::CompareOp::create(builder, loc, type, predicate, x, y);
}

Value IrBuilder::select(Value condition, Value onTrue, Value onFalse) {
  matchScalar(onTrue, onFalse);
  matchScalar(condition, onTrue);
  return ir::SelectOp::create(builder, loc, onTrue.getType(), condition, onTrue,
                              onFalse);
}

Value IrBuilder::cast(Value x, Type element) {
  Type from = elementOf(x), single = builder.getF32Type();
  if (from == element)
    return x;
  // As TensorFlow: other types are rounded to f32 first.
  if ((ir::isNarrowFloat(from) && element != single) ||
      (ir::isNarrowFloat(element) && from != single))
    x = cast(x, single);
  return ir::CastOp::create(builder, loc,
                            ir::withElementType(typeOf(x), element), x);
}

Value IrBuilder::part(Value numbers, bool isImaginary) {
  Type element = elementOf(numbers).isInteger(64) ? Type(builder.getF32Type())
                                                  : builder.getF64Type();
  RankedTensorType type = ir::withElementType(typeOf(numbers), element);
  return isImaginary ? builder.createOrFold<ir::ImagOp>(loc, type, numbers)
                     : builder.createOrFold<ir::RealOp>(loc, type, numbers);
}

Value IrBuilder::complex(const Parts &parts) {
  Value real = parts.real, imag = parts.imag;
  matchScalar(real, imag);
  unsigned bits = elementOf(real).getIntOrFloatBitWidth();
  return builder.createOrFold<ir::ComplexOp>(
      loc, ir::withElementType(typeOf(real), builder.getIntegerType(2 * bits)),
      real, imag);
}

/// A splat under another shape is a splat of that shape; null for other values.
Value IrBuilder::reshapedSplat(Value x, RankedTensorType type) {
  auto constant = x.getDefiningOp<ir::ConstantOp>();
  if (!constant || !constant.getValue().isSplat())
    return Value();
  auto number =
      cast<DenseElementsAttr>(constant.getValue()).getSplatValue<Attribute>();
  return ir::ConstantOp::create(builder, loc, type, splatAttr(type, number));
}

Value IrBuilder::reshape(Value x, RankedTensorType type) {
  if (x.getType() == type)
    return x;
  if (Value splat = reshapedSplat(x, type))
    return splat;
  return ir::ReshapeOp::create(builder, loc, type, x);
}

Value IrBuilder::broadcast(Value x, RankedTensorType type) {
  int64_t missing = type.getRank() - typeOf(x).getRank();
  SmallVector<int64_t> map(static_cast<size_t>(typeOf(x).getRank()));
  std::iota(map.begin(), map.end(), missing);
  return broadcast(x, type, map);
}

Value IrBuilder::broadcast(Value x, RankedTensorType type,
                           ArrayRef<int64_t> map) {
  if (x.getType() == type)
    return x;
  if (Value splat = reshapedSplat(x, type))
    return splat;
  return ir::BroadcastOp::create(builder, loc, type, x, map);
}

Value IrBuilder::transpose(Value x, ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return x;
  ir::Extents from = ir::extentsOf(x), to;
  for (int64_t source : permutation)
    to.push_back(from[static_cast<size_t>(source)]);
  return ir::TransposeOp::create(
      builder, loc, ir::tensorTypeOf(to, elementOf(x)), x, permutation);
}

Value IrBuilder::slice(Value x, ArrayRef<int64_t> starts,
                       ArrayRef<int64_t> strides, RankedTensorType type) {
  bool whole =
      x.getType() == type &&
      llvm::all_of(starts, [](int64_t start) { return start == 0; }) &&
      llvm::all_of(strides, [](int64_t stride) { return stride == 1; });
  return whole ? x
               : ir::SliceOp::create(builder, loc, type, x, Value(), starts,
                                     strides);
}

Value IrBuilder::concat(ValueRange parts, int64_t axis, RankedTensorType type) {
  return ir::ConcatOp::create(builder, loc, type, parts, axis);
}

Value IrBuilder::iota(RankedTensorType type, int64_t axis) {
  Type element = type.getElementType();
  return ir::IotaOp::create(builder, loc, type, scalarInt(element, 0),
                            scalarInt(element, 1), axis);
}

Value IrBuilder::reduce(ir::ReduceKind kind, Value x, ArrayRef<int64_t> axes) {
  if (axes.empty())
    return x;
  ir::Extents from = ir::extentsOf(x), to;
  for (size_t i = 0; i < from.size(); ++i)
    if (!llvm::is_contained(axes, static_cast<int64_t>(i)))
      to.push_back(from[i]);
  return ir::ReduceOp::create(builder, loc, ir::tensorTypeOf(to, elementOf(x)),
                              kind, x, axes);
}

Value IrBuilder::argReduce(Value x, int64_t axis, bool smallest, Type index) {
  ir::Extents to = ir::extentsOf(x);
  to.erase(to.begin() + axis);
  return ir::ArgReduceOp::create(builder, loc, ir::tensorTypeOf(to, index),
                                 smallest, x, axis);
}

Value IrBuilder::matmul(Value lhs, Value rhs, bool transposeLhs,
                        bool transposeRhs, RankedTensorType type) {
  return ir::MatmulOp::create(builder, loc, type, lhs, rhs, transposeLhs,
                              transposeRhs);
}

/// A call before that has found the same out. A lowering that is called for
/// each part of complex numbers writes it for each.
static ir::RuntimeCallOp callBefore(OpBuilder &builder, StringRef kernel,
                                    ValueRange inputs,
                                    ArrayRef<int64_t> numbers,
                                    ArrayRef<int64_t> binds) {
  auto isSame = [](Value a, Value b) {
    Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
    return a == b ||
           (isa_and_nonnull<ir::ConstantOp, ir::DimsOp>(first) && second &&
            OperationEquivalence::isEquivalentTo(
                first, second, OperationEquivalence::IgnoreLocations));
  };
  for (Operation *user : inputs.front().getUsers()) {
    auto call = dyn_cast<ir::RuntimeCallOp>(user);
    if (call && call->getBlock() == builder.getInsertionBlock() &&
        call.getCallee() == kernel && call.getNumbers() == numbers &&
        call.getBinds() == binds && llvm::equal(call.getIns(), inputs, isSame))
      return call;
  }
  return {};
}

ir::RuntimeCallOp IrBuilder::kernelCall(StringRef kernel, ValueRange inputs,
                                        TypeRange results,
                                        ArrayRef<int64_t> numbers,
                                        ArrayRef<int64_t> binds) {
  if (!binds.empty() && !inputs.empty())
    if (auto before = callBefore(builder, kernel, inputs, numbers, binds))
      return before;
  SmallVector<Type> types(inputs.getTypes());
  llvm::append_range(types, results);
  return ir::RuntimeCallOp::create(
      builder, loc, results, kernel, inputs, ValueRange(),
      builder.getTypeArrayAttr(types), numbers, ArrayRef<int64_t>(), binds);
}

void IrBuilder::failUnless(Value condition, llvm::function_ref<void()> body) {
  auto branch = ir::IfOp::create(builder, loc, TypeRange(), condition);
  OpBuilder::InsertionGuard guard(builder);
  for (mlir::Block *block : {&branch.thenBlock(), &branch.elseBlock()}) {
    builder.setInsertionPointToEnd(block);
    if (block == &branch.elseBlock())
      body();
    ir::YieldOp::create(builder, loc, ValueRange());
  }
}

} // namespace kiln
