// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the process's foreign library, and asks it for the shapes of what it
// computes.
#include "lib/OpDefs/Foreign.h"

#include "lib/OpDefs/DeclaredShapes.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <atomic>
#include <optional>

namespace kiln {

static std::atomic<ForeignLibrary *> theLibrary = nullptr;

bool keepForeignLibrary(ForeignLibrary &library) {
  ForeignLibrary *none = nullptr;
  return theLibrary.compare_exchange_strong(none, &library);
}

ForeignLibrary *foreignLibrary() {
  return theLibrary.load(std::memory_order_acquire);
}

bool isForeign(const OpDef &def) {
  return def.kernel == foreignKernel || def.kernel == foreignEffectKernel;
}

bool mayBeForeign(const Node &node, const OpDef &def) {
  auto isValue = [](DType dtype) {
    return dtype != DType::Resource && dtype != DType::Variant;
  };
  bool takesValues = std::none_of(def.inputs.begin(), def.inputs.end(),
                                  [](const ArgDef &arg) { return arg.isRef; });
  for (const Output &input : node.inputs())
    takesValues &= isValue(input.dtype());
  for (int i = 0; i < node.numOutputs(); ++i)
    takesValues &= isValue(node.outputDType(i));
  return takesValues && def.kernel.empty() && !def.outputs.empty() &&
         !def.has(stateful) && !def.has(placeholder) && !def.has(constant) &&
         !def.has(variable) && !def.has(callsFunctions) && !def.hasEffect();
}

bool cutsAtForeign(const Node &node, const OpDef &def) {
  if (!isForeign(def))
    return false;
  bool ranksKnown = true;
  for (int i = 0; i < node.numOutputs(); ++i)
    ranksKnown &= node.outputShape(i).hasRank();
  return !ranksKnown || def.has(callsBack);
}

StatusOr<int64_t> prepareForeign(const Node &node) {
  ForeignLibrary *library = foreignLibrary();
  auto call = library ? library->prepare(node)
                      : StatusOr<int64_t>(unimplementedError(strCat(
                            "op ", quote(node.op()), " is not implemented")));
  if (!call.ok())
    return call.status().withNode(node.name());
  return call;
}

namespace {

/// Asks the library for shapes by numbers that stand for the symbols of the
/// inputs: an output's extent that is a symbol's number is that symbol.
class SymbolicShapes {
public:
  SymbolicShapes(InferenceContext &context, ForeignLibrary &library)
      : context(context), library(library) {}

  /// Nothing where the library cannot tell. Extents that are neither known nor
  /// one of the inputs' are unknown.
  std::optional<std::vector<SymShape>> infer() {
    // Two numbers each: what is equal to both is no accident.
    auto first = ask(10007), second = ask(20011);
    if (!first || !second || first->size() != second->size())
      return std::nullopt;
    std::vector<SymShape> shapes;
    for (size_t i = 0; i < first->size(); ++i) {
      const Shape &a = (*first)[i], &b = (*second)[i];
      if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank())
        return std::nullopt;
      SymShape &shape = shapes.emplace_back(SymShape::scalar());
      for (int d = 0; d < a.rank(); ++d)
        shape.dims.push_back(dimOf(a.dim(d), b.dim(d)));
    }
    return shapes;
  }

private:
  std::optional<std::vector<Shape>> ask(int64_t base) {
    std::vector<Shape> inputs;
    std::vector<Tensor> values;
    for (int i = 0; i < context.numInputs(); ++i) {
      const SymShape &known = context.inputShape(i);
      if (!known.rankKnown)
        return std::nullopt;
      Shape shape;
      for (Dim dim : known.dims) {
        if (dim.isUnknown())
          return std::nullopt;
        shape.appendDim(dim.isKnown() ? dim.value : numberOf(dim, base));
      }
      values.push_back(valueOf(i, shape));
      inputs.push_back(std::move(shape));
    }
    auto shapes = library.infer(context.node(), inputs, values);
    return shapes.ok() ? std::optional(*std::move(shapes)) : std::nullopt;
  }

  int64_t numberOf(Dim dim, int64_t base) {
    auto found = std::find_if(symbols.begin(), symbols.end(), [&](Dim known) {
      return context.dims().equal(known, dim);
    });
    if (found == symbols.end())
      found = symbols.insert(symbols.end(), dim);
    // Odd and far apart.
    return base + 34 * (found - symbols.begin());
  }

  Dim dimOf(int64_t a, int64_t b) const {
    if (a < 0 || b < 0)
      return Dim::unknown();
    if (a == b)
      return Dim::known(a);
    for (size_t k = 0; k < symbols.size(); ++k)
      if (auto step = 34 * static_cast<int64_t>(k);
          a == 10007 + step && b == 20011 + step)
        return symbols[k];
    return Dim::unknown();
  }

  /// The value of a small integer tensor, where each element is known.
  Tensor valueOf(int i, const Shape &shape) const {
    const Dims *contents = context.knownContents(i);
    DType dtype = context.inputDType(i);
    if (!contents || (dtype != DType::Int32 && dtype != DType::Int64))
      return {};
    std::vector<int64_t> numbers;
    for (Dim dim : *contents) {
      if (!dim.isKnown())
        return {};
      numbers.push_back(dim.value);
    }
    StatusOr<Tensor> value =
        dtype == DType::Int64
            ? Tensor::fromValues<int64_t>(shape, numbers)
            : Tensor::fromValues<int32_t>(
                  shape, std::vector<int32_t>(numbers.begin(), numbers.end()));
    return value.ok() ? *std::move(value) : Tensor();
  }

  InferenceContext &context;
  ForeignLibrary &library;
  std::vector<Dim> symbols;
};

/// What is known of both.
SymShape merged(const SymShape &a, const SymShape &b) {
  if (!a.rankKnown || !b.rankKnown || a.rank() != b.rank())
    return a.rankKnown ? a : b;
  SymShape shape = a;
  for (size_t d = 0; d < shape.dims.size(); ++d)
    if (!shape.dims[d].isKnown() && !b.dims[d].isUnknown())
      shape.dims[d] = b.dims[d];
  return shape;
}

} // namespace

Status inferForeign(InferenceContext &context) {
  std::optional<std::vector<SymShape>> inferred;
  if (ForeignLibrary *library = foreignLibrary();
      library && !context.dims().isBuilding())
    inferred = SymbolicShapes(context, *library).infer();
  int found = 0;
  for (int i = 0; i < context.numOutputs(); ++i) {
    auto place = static_cast<size_t>(i);
    SymShape shape = toSymShape(declaredShape(context.node(), i));
    if (inferred && place < inferred->size())
      shape = merged(shape, (*inferred)[place]);
    // A run that could be cut here has been.
    if (!shape.rankKnown && !context.dims().isBuilding())
      return unimplementedError(
                 strCat("expected the rank of output ", i, " of op ",
                        quote(context.node().op()),
                        ", which another library computes, to be known "
                        "inside of a branch, a loop or a function, got "
                        "<unknown>"))
          .withNode(context.node().name());
    for (Dim &dim : shape.dims)
      if (dim.isUnknown())
        dim = context.dims().runDim(found++, /*isSize=*/true);
    context.setOutputShape(i, std::move(shape));
  }
  return okStatus();
}

} // namespace kiln
