// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses an op, its attributes, then its inputs by dtype.
#include "test/fuzz/GraphGrower.h"

#include "lib/OpDefs/OpDef.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace kiln::fuzz {
namespace {

class Grower {
public:
  Grower(Graph &graph, std::mt19937 &random, Extents extents)
      : graph(graph), random(random), extents(extents) {}

  bool tryOnce() {
    static const std::vector<const OpDef *> ops = allOps();
    const OpDef &def = *ops[below(ops.size())];
    NodeSpec spec{.name = freshName(), .op = def.name};
    for (const AttrDef &attr : def.attrs)
      if (auto value = chooseAttr(attr))
        spec.attrs.set(attr.name, *std::move(value));
    for (const ArgDef &arg : def.inputs)
      if (!addInputs(arg, spec))
        return false;
    if (below(8) == 0 && graph.numNodes() > 0)
      spec.inputs.push_back(
          "^" + graph.node(int(below(size_t(graph.numNodes()))))->name());
    return graph.addNode(std::move(spec)).ok();
  }

private:
  size_t below(size_t end) { return random() % end; }

  std::string freshName() {
    for (int i = graph.numNodes();; ++i)
      if (std::string name = "n" + std::to_string(i); !graph.lookup(name))
        return name;
  }

  DType chooseType(const std::vector<DType> &allowed) {
    if (allowed.empty() || below(2)) {
      constexpr DType usual[] = {DType::Float32, DType::Int32, DType::Float64,
                                 DType::Int64, DType::Bool};
      DType dtype = usual[below(2) ? 0 : below(5)];
      if (allowed.empty() || std::ranges::count(allowed, dtype))
        return dtype;
    }
    return allowed[below(allowed.size())];
  }

  Shape chooseShape() {
    if (below(8) == 0)
      return Shape::unknownRank();
    constexpr int64_t small[] = {1, 2, 3, 4, 5, 17, 0, -1, -1, 2};
    constexpr int64_t extreme[] = {-1,
                                   0,
                                   1,
                                   1,
                                   2,
                                   int64_t{1} << 31,
                                   int64_t{1} << 32,
                                   int64_t{1} << 62,
                                   std::numeric_limits<int64_t>::max()};
    std::vector<int64_t> dims(below(4));
    for (int64_t &dim : dims)
      dim = extents == Extents::Small ? small[below(std::size(small))]
                                      : extreme[below(std::size(extreme))];
    // A shape of more elements than there are numbers is no shape.
    auto shape = Shape::fromDims(dims);
    return shape.ok() ? *shape : Shape::unknownRank();
  }

  int64_t chooseInt(std::optional<int64_t> minimum) {
    constexpr int64_t hard[] = {0, 1, 2, 3, -1, -2, 5, 31, 16};
    return std::max(hard[below(std::size(hard))],
                    minimum.value_or(std::numeric_limits<int64_t>::min()));
  }

  /// Nothing for "leave the default".
  std::optional<AttrValue> chooseAttr(const AttrDef &attr) {
    if (attr.defaultValue && below(3))
      return std::nullopt;
    if (attr.isList) {
      size_t length =
          std::max<int64_t>(attr.minimum.value_or(0), int64_t(below(4)));
      switch (attr.kind) {
      case AttrKind::Int: {
        std::vector<int64_t> list(length);
        for (int64_t &value : list)
          value = chooseInt(std::nullopt);
        return AttrValue(std::move(list));
      }
      case AttrKind::Type: {
        std::vector<DType> list(length);
        for (DType &value : list)
          value = chooseType(attr.allowedTypes);
        return AttrValue(std::move(list));
      }
      case AttrKind::Shape:
        return AttrValue(std::vector<Shape>(length, chooseShape()));
      default:
        return AttrValue(EmptyList());
      }
    }
    switch (attr.kind) {
    case AttrKind::Int:
      return AttrValue(std::clamp<int64_t>(chooseInt(attr.minimum), -64, 64));
    case AttrKind::Float:
      return AttrValue(static_cast<float>(chooseInt(std::nullopt)) / 2);
    case AttrKind::Bool:
      return AttrValue(below(2) == 1);
    case AttrKind::String:
      if (!attr.allowedStrings.empty())
        return AttrValue(
            attr.allowedStrings[below(attr.allowedStrings.size())]);
      return AttrValue("s" + std::to_string(below(3)));
    case AttrKind::Type:
      return AttrValue(chooseType(attr.allowedTypes));
    case AttrKind::Shape:
      return AttrValue(chooseShape());
    case AttrKind::Tensor:
      return AttrValue(smallConstant(lastType));
    case AttrKind::Func:
      return std::nullopt;
    }
    return std::nullopt;
  }

  /// One to four small values: axes, shapes, permutations, operands.
  Tensor smallConstant(DType dtype) {
    if (!isSupported(dtype) || dtypeSize(dtype) == 0)
      dtype = DType::Int32;
    size_t length = below(5);
    auto shape = length == 0 ? Shape() : Shape({int64_t(length)});
    Tensor tensor = *Tensor::zeros(dtype, shape);
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      setElement(tensor, i, dtype);
    return tensor;
  }
  void setElement(Tensor &tensor, int64_t i, DType dtype) {
    int64_t value = int64_t(below(6)) - 1;
    if (extents == Extents::Extreme && below(2)) {
      constexpr int64_t hard[] = {int64_t{1} << 31,
                                  int64_t{1} << 32,
                                  int64_t{1} << 62,
                                  std::numeric_limits<int64_t>::max(),
                                  std::numeric_limits<int64_t>::min(),
                                  -7};
      value = hard[below(std::size(hard))];
    }
    auto set = [&](auto converted) {
      static_cast<decltype(converted) *>(tensor.mutableRawData())[i] =
          converted;
    };
    switch (dtype) {
    case DType::Float32:
      return set(static_cast<float>(value) * 0.75f);
    case DType::Float64:
      return set(static_cast<double>(value) * 0.75);
    case DType::Int32:
      return set(int32_t(value));
    case DType::Int64:
      return set(int64_t(value));
    case DType::Bool:
      return set(uint8_t(value > 1));
    default:
      return;
    }
  }

  bool addInputs(const ArgDef &arg, NodeSpec &spec) {
    auto attrOf = [&]<class T>(const std::string &name, T otherwise) -> T {
      const AttrValue *value = spec.attrs.find(name);
      if (!value)
        if (const AttrDef *def = lookupOp(spec.op)->findAttr(name);
            def && def->defaultValue)
          value = &*def->defaultValue;
      const T *found = value ? value->template getIf<T>() : nullptr;
      return found ? *found : otherwise;
    };
    std::vector<DType> types;
    if (!arg.typeListAttr.empty()) {
      types = attrOf(arg.typeListAttr, std::vector<DType>());
    } else {
      DType dtype = arg.typeAttr.empty() ? arg.dtype
                                         : attrOf(arg.typeAttr, DType::Float32);
      int64_t count =
          arg.numberAttr.empty() ? 1 : attrOf(arg.numberAttr, int64_t{1});
      if (count < 0 || count > 8)
        return false;
      types.assign(size_t(count), dtype);
    }
    for (DType dtype : types)
      if (auto input = chooseInput(dtype, arg.isRef))
        spec.inputs.push_back(*input);
      else
        return false;
    return true;
  }

  std::optional<Output> chooseInput(DType dtype, bool isRef) {
    std::vector<Output> fitting;
    for (int id = 0; id < graph.numNodes(); ++id)
      for (int i = 0; i < graph.node(id)->numOutputs(); ++i)
        if (const OutputInfo &info = graph.node(id)->output(i);
            info.dtype == dtype && (info.isRef || !isRef))
          fitting.push_back({graph.node(id), i});
    if (!fitting.empty() && below(4))
      return fitting[below(fitting.size())];
    return addSource(dtype, isRef);
  }

  std::optional<Output> addSource(DType dtype, bool isRef) {
    NodeSpec spec{.name = freshName(), .op = "Placeholder"};
    spec.attrs.set("dtype", dtype);
    if (isRef) {
      spec.op = "VariableV2";
      spec.attrs.set("shape",
                     *Shape::fromDims(std::vector<int64_t>(below(3), 2)));
    } else if (dtype == DType::Resource) {
      spec.op = "VarHandleOp";
      spec.attrs.set("dtype", DType::Float32);
      spec.attrs.set("shape", Shape({2}));
    } else if (isSupported(dtype) && below(2)) {
      spec.op = "Const";
      spec.attrs.set("value", smallConstant(dtype));
    } else {
      spec.attrs.set("shape", chooseShape());
    }
    auto made = graph.addNode(std::move(spec));
    if (!made.ok())
      return std::nullopt;
    return Output{*made, 0};
  }

  Graph &graph;
  std::mt19937 &random;
  Extents extents;
  DType lastType = DType::Float32;
};

} // namespace

void growGraph(Graph &graph, std::mt19937 &random, Extents extents) {
  Grower grower(graph, random, extents);
  for (int trial = 0; trial < 8; ++trial)
    if (grower.tryOnce())
      return;
}

} // namespace kiln::fuzz
