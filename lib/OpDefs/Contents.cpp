// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index arithmetic on the elements of small tensors.
#include "lib/OpDefs/Contents.h"

#include "lib/OpDefs/DeclaredShapes.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <cmath>
#include <limits>

namespace kiln {

std::optional<std::vector<int64_t>> smallExtents(const SymShape &shape) {
  if (!shape.isStatic())
    return std::nullopt;
  std::vector<int64_t> extents;
  int64_t count = 1;
  bool tooLarge = false, empty = false;
  for (Dim dim : shape.dims) {
    extents.push_back(dim.value);
    empty |= dim.value == 0;
    tooLarge |=
        dim.value < 0 || __builtin_mul_overflow(count, dim.value, &count);
    tooLarge |= count > static_cast<int64_t>(maxContents);
  }
  if (tooLarge && !empty)
    return std::nullopt;
  return extents;
}

size_t flatIndex(std::span<const int64_t> extents,
                 std::span<const int64_t> index, bool broadcast) {
  size_t flat = 0, skipped = index.size() - extents.size();
  for (size_t i = 0; i < extents.size(); ++i) {
    int64_t at = broadcast && extents[i] == 1 ? 0 : index[i + skipped];
    flat = flat * static_cast<size_t>(extents[i]) + static_cast<size_t>(at);
  }
  return flat;
}

const Tensor *singleElement(const Node &node) {
  if (node.op() != "Const")
    return nullptr;
  auto constant = node.attrRef<TensorConstant>("value");
  if (!constant.ok() || !(*constant)->value.isValid())
    return nullptr;
  auto count = (*constant)->shape.numElements();
  return count.ok() && *count == 1 ? &(*constant)->value : nullptr;
}

template <class T> static double flushed(T number) {
  return std::fpclassify(number) == FP_SUBNORMAL ? std::copysign(T(0), number)
                                                 : number;
}

std::optional<double> constantNumber(const Node &node) {
  const Tensor *constant = singleElement(node);
  if (!constant || !constant->isAligned())
    return std::nullopt;
  switch (constant->dtype()) {
  case DType::Float32:
    return flushed(constant->data<float>()[0]);
  case DType::Float64:
    return flushed(constant->data<double>()[0]);
  case DType::Float16:
    return static_cast<float>(constant->data<Half>()[0]);
  case DType::BFloat16:
    return flushed(static_cast<float>(constant->data<BFloat16>()[0]));
  case DType::Int32:
    return constant->data<int32_t>()[0];
  case DType::Int64:
    return static_cast<double>(constant->data<int64_t>()[0]);
  default:
    return std::nullopt;
  }
}

bool isCast(const Node &node) {
  return node.op() == "Cast" && node.numInputs() == 1;
}

double castNumber(const Node &cast, double number) {
  switch (cast.attrOr<DType>("DstT", DType::Invalid)) {
  case DType::Float32:
    return static_cast<float>(number);
  case DType::BFloat16:
    return static_cast<float>(BFloat16(static_cast<float>(number)));
  case DType::Float16:
    return static_cast<float>(Half(static_cast<float>(number)));
  default:
    return number;
  }
}

void setContentsByIndex(
    InferenceContext &context, int output, const SymShape &shape,
    const std::function<Dim(std::span<const int64_t>)> &element) {
  std::optional<std::vector<int64_t>> extents =
      smallExtents(context.dims().resolve(shape));
  if (!extents)
    return;
  size_t count = 1;
  for (int64_t extent : *extents)
    count *= static_cast<size_t>(extent);
  Dims contents;
  std::vector<int64_t> index(extents->size(), 0);
  for (size_t n = 0; n < count; ++n) {
    contents.push_back(element(index));
    for (size_t i = index.size(); i-- > 0;) {
      if (++index[i] < (*extents)[i])
        break;
      index[i] = 0;
    }
  }
  context.setOutputContents(output, std::move(contents));
}

std::optional<std::vector<int64_t>> knownNumbers(const Dims *contents) {
  if (!contents)
    return std::nullopt;
  std::vector<int64_t> numbers;
  for (Dim dim : *contents) {
    if (!dim.isKnown())
      return std::nullopt;
    numbers.push_back(dim.value);
  }
  return numbers;
}

static Dim single(const Dims *contents) {
  return contents && contents->size() == 1 ? contents->front() : Dim::unknown();
}

StatusOr<Dim> scalarArgument(const InferenceContext &context, int i) {
  KILN_RETURN_IF_ERROR(context.withRank(context.inputShape(i), 0).status());
  return scalarContents(context, i);
}

Dim scalarContents(const InferenceContext &context, int i) {
  return single(context.inputContents(i));
}

Dim scalarAmount(const InferenceContext &context, int i) {
  return single(context.inputAmounts(i));
}

Dim scalarSize(const InferenceContext &context, int i) {
  return single(context.inputSizes(i));
}

bool hasContents(DType dtype) {
  return dtype == DType::Bool || dtype == DType::Int8 ||
         dtype == DType::Int16 || dtype == DType::Int32 ||
         dtype == DType::Int64;
}

std::optional<Dims> contentsOf(const Tensor &tensor) {
  if (!tensor.isValid() || !hasContents(tensor.dtype()) ||
      tensor.numElements() > static_cast<int64_t>(maxContents))
    return std::nullopt;
  Dims elements;
  auto take = [&]<class T>(T) {
    for (T element : tensor.data<T>())
      elements.push_back(Dim::known(static_cast<int64_t>(element)));
    return static_cast<int64_t>(elements.size()) == tensor.numElements();
  };
  bool taken = tensor.dtype() == DType::Bool
                   ? take(bool())
                   : dispatchInteger(tensor.dtype(), take);
  return taken ? std::optional<Dims>(std::move(elements)) : std::nullopt;
}

Dim wrapped(DType dtype, Dim dim) {
  if (!hasContents(dtype))
    return Dim::unknown();
  // A size in so few bits is hardly ever itself.
  if (dim.isSymbol() && (dtype == DType::Int8 || dtype == DType::Int16))
    return Dim::unknown();
  if (!dim.isKnown())
    return dim;
  if (dtype == DType::Bool)
    return Dim::known(dim.value != 0);
  return dispatchInteger(dtype, [&]<class T>(T) {
    return Dim::known(static_cast<int64_t>(static_cast<T>(dim.value)));
  });
}

Status takeDeclaredRank(InferenceContext &context, int i) {
  const SymShape &vector = context.inputShape(i);
  if (vector.rank() != 1 || !context.dims().symbols().isInRun(vector.dims[0]))
    return okStatus();
  const Shape declared = declaredShape(context.node(), 0);
  if (!declared.hasRank())
    return okStatus();
  const Dims rank{Dim::known(declared.rank())};
  return context.dims()
      .unify(rank[0], vector.dims[0],
             {.prefix = "Shape must be rank ",
              .joiner = " but is rank ",
              .lhs = &rank,
              .rhs = &vector.dims,
              .asNumbers = true})
      .status();
}

Status checkElementCount(InferenceContext &context, const Dims &sizes) {
  DimSpace &space = context.dims();
  Dim count = Dim::known(1);
  for (Dim size : sizes) {
    Dim next = space.mul(count, size);
    if (count.isKnown() && size.isKnown() && next.isUnknown())
      return context.error(strCat("Shape ", space.format(sizes),
                                  " would have more than 2**63 - 1 elements"));
    count = next;
  }
  if (!space.symbols().isInRun(count))
    return okStatus();
  return space.require(Guard::Kind::LessEqual, count,
                       Dim::known(std::numeric_limits<int64_t>::max()),
                       {.prefix = "Shape would have more than 2**63 - 1 "
                                  "elements"});
}

StatusOr<SymShape> shapeFromContents(InferenceContext &context, int i) {
  const SymShape &vector = context.inputShape(i);
  if (vector.rankKnown && vector.rank() > 1)
    return context.error("dims must be a vector, got shape " +
                         context.dims().format(vector.dims));
  KILN_RETURN_IF_ERROR(takeDeclaredRank(context, i));
  const Dims *contents = context.inputSizes(i);
  if (!contents) {
    if (vector.rank() == 0)
      return SymShape::unknownDims(1);
    if (vector.rankKnown && vector.dims[0].isKnown() &&
        vector.dims[0].value <= Shape::maxRank)
      return SymShape::unknownDims(static_cast<size_t>(vector.dims[0].value));
    return SymShape::unknownRank();
  }
  for (Dim dim : *contents) {
    Dims number = {dim};
    KILN_RETURN_IF_ERROR(context.dims().require(Guard::Kind::NonNegative, dim,
                                                Dim::known(0),
                                                {.prefix = "Dimension ",
                                                 .suffix = " must be >= 0",
                                                 .lhs = &number,
                                                 .asNumbers = true}));
  }
  KILN_RETURN_IF_ERROR(checkElementCount(context, *contents));
  return SymShape::of(*contents);
}

} // namespace kiln
