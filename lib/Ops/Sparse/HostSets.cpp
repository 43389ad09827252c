// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets in the last dimension of tensors: their sizes, unions, intersections and
// differences.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace kiln::host {
namespace {

/// Ordered, no two alike.
template <class T> using Set = std::vector<T>;

template <class T> void makeSet(Set<T> &list) {
  std::ranges::sort(list);
  list.erase(std::ranges::unique(list).begin(), list.end());
}

/// The elements of a tensor, strings by their bytes.
template <class T> T elementAt(const Tensor &tensor, int64_t i) {
  const auto place = static_cast<size_t>(i);
  if constexpr (std::is_same_v<T, std::string_view>)
    return tensor.data<String>()[place].view();
  else
    return tensor.data<T>()[place];
}

template <class T>
void setOf(const Tensor &values, int64_t begin, int64_t end, Set<T> &set) {
  set.clear();
  for (int64_t i = begin; i < end; ++i)
    set.push_back(elementAt<T>(values, i));
  makeSet(set);
}

template <class T> StatusOr<Tensor> vectorOf(const std::vector<T> &values) {
  return Tensor::fromValues<T>({static_cast<int64_t>(values.size())},
                               std::span<const T>(values));
}
StatusOr<Tensor> vectorOf(const std::vector<std::string_view> &values) {
  return Tensor::fromStrings({static_cast<int64_t>(values.size())},
                             std::span<const std::string_view>(values));
}

/// The sparse tensor from input `first` on, of rank 2 or more.
StatusOr<SparseView> setsOf(const HostCall &call, size_t first) {
  const Tensor &shape = call.inputs[first + 2];
  if (!isVector(shape))
    return invalidArgumentError("Shape must be a 1D tensor.");
  KILN_RETURN_IF_ERROR(checkExtents(shape.data<int64_t>()).status());
  if (shape.dim(0) < 2)
    return invalidArgumentError(strCat("Invalid rank ", shape.dim(0), "."));
  KILN_ASSIGN_OR_RETURN(
      SparseView view,
      createView(call.inputs[first], call.inputs[first + 1], shape));
  if (call.node.attrOr<bool>("validate_indices", true))
    KILN_RETURN_IF_ERROR(checkOrdered(view));
  return view;
}

/// The extents that the sets lie in.
StatusOr<std::span<const int64_t>>
groupExtents(std::span<const int64_t> extents) {
  if (extents.size() < 2)
    return invalidArgumentError(strCat("Shape ", listText(extents),
                                       " has rank ", extents.size(), " < 2"));
  return extents.first(extents.size() - 1);
}

StatusOr<std::span<const int64_t>>
sameGroupExtents(std::span<const int64_t> first,
                 std::span<const int64_t> second) {
  KILN_ASSIGN_OR_RETURN(std::span<const int64_t> a, groupExtents(first));
  KILN_ASSIGN_OR_RETURN(std::span<const int64_t> b, groupExtents(second));
  if (!std::ranges::equal(a, b))
    return invalidArgumentError(
        strCat("Mismatched shapes ", listText(a), " vs ", listText(b)));
  return a;
}

/// Where indices were not validated, a group may lie anywhere.
Status checkGroup(const SparseView &view, const Groups &group) {
  for (int64_t i = group.first(); i < group.last(); ++i)
    for (int d = 0; d < view.rank; ++d) {
      const auto place = static_cast<size_t>(d);
      const int64_t index = view.index(i)[place], extent = view.shape[place];
      if (extent <= 0)
        return internalError(
            strCat("Invalid dim_size[", d, "] = ", extent, "."));
      if (index < 0 || index >= extent)
        return internalError(strCat("indices[", i - group.first(), ", ", d,
                                    "] expected < ", extent, ", got ", index,
                                    "."));
    }
  return okStatus();
}

enum class Operation : uint8_t { AMinusB, BMinusA, Intersection, Union };

StatusOr<Operation> operationOf(const Node &node) {
  auto name = node.attrOr<std::string>("set_operation", "");
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (name == "a-b")
    return Operation::AMinusB;
  if (name == "b-a")
    return Operation::BMinusA;
  if (name == "intersection")
    return Operation::Intersection;
  if (name == "union")
    return Operation::Union;
  return invalidArgumentError(strCat("Invalid set_operation ", name, "."));
}

/// Collects the sets of groups as a sparse tensor.
template <class T> class Result {
public:
  explicit Result(Operation operation) : operation(operation) {}

  void add(std::span<const int64_t> group, const Set<T> &a, const Set<T> &b) {
    const size_t before = values.size();
    auto to = std::back_inserter(values);
    switch (operation) {
    case Operation::AMinusB:
      std::ranges::set_difference(a, b, to);
      break;
    case Operation::BMinusA:
      std::ranges::set_difference(b, a, to);
      break;
    case Operation::Intersection:
      std::ranges::set_intersection(a, b, to);
      break;
    case Operation::Union:
      std::ranges::set_union(a, b, to);
      break;
    }
    for (size_t i = before; i < values.size(); ++i) {
      indices.insert(indices.end(), group.begin(), group.end());
      indices.push_back(static_cast<int64_t>(i - before));
    }
    largest = std::max(largest, static_cast<int64_t>(values.size() - before));
  }

  Status give(const HostCall &call, std::span<const int64_t> extents) const {
    std::vector<int64_t> shape(extents.begin(), extents.end());
    shape.push_back(largest);
    KILN_RETURN_IF_ERROR(checkExtents(shape).status());
    KILN_ASSIGN_OR_RETURN(
        call.outputs[0],
        Tensor::fromValues<int64_t>({static_cast<int64_t>(values.size()),
                                     static_cast<int64_t>(shape.size())},
                                    std::span<const int64_t>(indices)));
    KILN_ASSIGN_OR_RETURN(call.outputs[1], vectorOf(values));
    KILN_ASSIGN_OR_RETURN(call.outputs[2], vectorOf(shape));
    return okStatus();
  }

private:
  Operation operation;
  std::vector<int64_t> indices;
  std::vector<T> values;
  int64_t largest = 0;
};

/// Counts through the groups of extents, the last number fastest.
void countUp(std::vector<int64_t> &group, std::span<const int64_t> extents) {
  for (size_t d = group.size(); d-- > 0;) {
    if (++group[d] < extents[d])
      return;
    group[d] = 0;
  }
}

template <class T>
Status denseToDense(const HostCall &call, Operation operation) {
  const Tensor &a = call.inputs[0], &b = call.inputs[1];
  KILN_ASSIGN_OR_RETURN(std::span<const int64_t> extents,
                        sameGroupExtents(a.shape().dims(), b.shape().dims()));
  KILN_ASSIGN_OR_RETURN(int64_t groups, checkExtents(extents));
  const int64_t widthA = a.dim(a.rank() - 1), widthB = b.dim(b.rank() - 1);
  Result<T> result(operation);
  std::vector<int64_t> group(extents.size());
  Set<T> setA, setB;
  for (int64_t g = 0; g < groups; ++g, countUp(group, extents)) {
    setOf(a, g * widthA, (g + 1) * widthA, setA);
    setOf(b, g * widthB, (g + 1) * widthB, setB);
    result.add(group, setA, setB);
  }
  return result.give(call, extents);
}

template <class T>
Status denseToSparse(const HostCall &call, Operation operation) {
  const Tensor &a = call.inputs[0];
  KILN_ASSIGN_OR_RETURN(SparseView b, setsOf(call, 1));
  KILN_ASSIGN_OR_RETURN(std::span<const int64_t> extents,
                        sameGroupExtents(a.shape().dims(), b.shape));
  KILN_ASSIGN_OR_RETURN(int64_t groups, checkExtents(extents));
  const int64_t width = a.dim(a.rank() - 1);
  Result<T> result(operation);
  std::vector<int64_t> group(extents.size());
  Set<T> setA, setB;
  Groups walk(b, b.rank - 1);
  for (int64_t g = 0; g < groups; ++g, countUp(group, extents)) {
    setOf(a, g * width, (g + 1) * width, setA);
    setB.clear();
    if (!walk.done() && std::ranges::equal(walk.key(), group)) {
      KILN_RETURN_IF_ERROR(checkGroup(b, walk));
      setOf(*b.values, walk.first(), walk.last(), setB);
      walk.next();
    }
    result.add(group, setA, setB);
  }
  return result.give(call, extents);
}

template <class T>
Status sparseToSparse(const HostCall &call, Operation operation) {
  KILN_ASSIGN_OR_RETURN(SparseView a, setsOf(call, 0));
  KILN_ASSIGN_OR_RETURN(SparseView b, setsOf(call, 3));
  KILN_ASSIGN_OR_RETURN(std::span<const int64_t> extents,
                        sameGroupExtents(a.shape, b.shape));
  Result<T> result(operation);
  Set<T> setA, setB;
  Groups walkA(a, a.rank - 1), walkB(b, b.rank - 1);
  while (!walkA.done() || !walkB.done()) {
    auto order = walkA.done()   ? std::strong_ordering::greater
                 : walkB.done() ? std::strong_ordering::less
                                : std::lexicographical_compare_three_way(
                                      walkA.key().begin(), walkA.key().end(),
                                      walkB.key().begin(), walkB.key().end());
    const std::span<const int64_t> group =
        order <= 0 ? walkA.key() : walkB.key();
    setA.clear();
    setB.clear();
    if (order <= 0) {
      KILN_RETURN_IF_ERROR(checkGroup(a, walkA));
      setOf(*a.values, walkA.first(), walkA.last(), setA);
      walkA.next();
    }
    if (order >= 0) {
      KILN_RETURN_IF_ERROR(checkGroup(b, walkB));
      setOf(*b.values, walkB.first(), walkB.last(), setB);
      walkB.next();
    }
    result.add(group, setA, setB);
  }
  return result.give(call, extents);
}

template <class T> Status sizes(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(SparseView sets, setsOf(call, 0));
  KILN_ASSIGN_OR_RETURN(std::span<const int64_t> extents,
                        groupExtents(sets.shape));
  KILN_RETURN_IF_ERROR(checkExtents(extents).status());
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::zeros(DType::Int32, Shape(extents)));
  const std::vector<int64_t> strides = stridesOf(extents);
  std::span<int32_t> out = call.outputs[0].mutableData<int32_t>();
  Set<T> set;
  for (Groups walk(sets, sets.rank - 1); !walk.done(); walk.next()) {
    KILN_RETURN_IF_ERROR(checkGroup(sets, walk));
    setOf(*sets.values, walk.first(), walk.last(), set);
    const int64_t at = std::inner_product(strides.begin(), strides.end(),
                                          walk.key().begin(), int64_t(0));
    out[static_cast<size_t>(at)] = static_cast<int32_t>(set.size());
  }
  return okStatus();
}

/// Calls body with a value of the type of sets' elements.
template <class Body> Status dispatch(const Node &node, Body &&body) {
  switch (node.attrOr<DType>("T", DType::Invalid)) {
  case DType::Int8:
    return body(int8_t());
  case DType::Int16:
    return body(int16_t());
  case DType::Int32:
    return body(int32_t());
  case DType::Int64:
    return body(int64_t());
  case DType::UInt8:
    return body(uint8_t());
  case DType::UInt16:
    return body(uint16_t());
  default:
    return body(std::string_view());
  }
}

} // namespace

Status denseToDenseSetOperation(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Operation operation, operationOf(call.node));
  return dispatch(call.node,
                  [&]<class T>(T) { return denseToDense<T>(call, operation); });
}

Status denseToSparseSetOperation(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Operation operation, operationOf(call.node));
  return dispatch(
      call.node, [&]<class T>(T) { return denseToSparse<T>(call, operation); });
}

Status sparseToSparseSetOperation(const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(Operation operation, operationOf(call.node));
  return dispatch(call.node, [&]<class T>(T) {
    return sparseToSparse<T>(call, operation);
  });
}

Status setSize(const HostCall &call) {
  return dispatch(call.node, [&]<class T>(T) { return sizes<T>(call); });
}

} // namespace kiln::host
