// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What stands for an optional: the tensors in it, and whether it has any.
#ifndef KILN_LIB_PLAN_TRANSFORMS_OPTIONALVALUE_H
#define KILN_LIB_PLAN_TRANSFORMS_OPTIONALVALUE_H

#include "lib/Plan/ir/Block.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kiln {

/// Optionals may be in one another this deep, and have so many tensors
/// together.
inline constexpr int maxOptionalDepth = 100;
inline constexpr int maxOptionalTensors = 1000;

struct Optional;
using KnownOptional = std::shared_ptr<const Optional>;

/// What an optional holds at one place: a tensor, or another optional.
struct OptionalPart {
  PlanValue tensor; ///< none where there is no tensor, or an optional
  DType dtype = DType::Invalid;
  Shape shape = {}; ///< as its form says it
  KnownOptional optional = nullptr;
};

/// What an optional may hold, by the number of its types (OptionalForms).
struct OptionalForm {
  int number;
  std::vector<OptionalPart> parts;
};

/// Constant once made. Branches may give optionals of other tensors each: it
/// has room for all of them.
struct Optional {
  std::vector<OptionalForm> forms; ///< sorted
  /// An int32, the number of the form that it has, or 0; a constant where that
  /// is known.
  PlanValue has = PlanValue::constant(0);
  /// How many lists are around it. In one, each tensor, and `has`, stands for a
  /// list of those of all elements; in two, for a list of such lists ...
  int lists = 0;
  /// How deep optionals stand in one another, this one counted.
  int depth = 1;
  int numTensors = 0;

  /// Null where there is none.
  const OptionalForm *find(int number) const;
  /// Sets what follows from the forms. **Errors**: RESOURCE_EXHAUSTED beyond
  /// the limits above.
  Status measure();
};

/// What is known of a tensor in an optional.
struct OptionalType {
  DType dtype = DType::Invalid;
  Shape shape;
  /// What a variant is: "o", an optional; "l" and what its elements are, a
  /// list; "t" and a dtype, a tensor; "?" where that is open.
  std::string kind = {};
};

/// Numbers for the types of what is in optionals, from 1 on, in one tree.
class OptionalForms {
public:
  /// Equal types have one number.
  int numberOf(std::vector<OptionalType> types);
  const std::vector<OptionalType> &of(int number) const {
    return list[static_cast<size_t>(number - 1)];
  }
  /// Why what an op takes out may not be of these types.
  Status fits(int number, std::span<const OptionalType> wanted) const;

private:
  std::map<std::string, int> numbers;
  std::vector<std::vector<OptionalType>> list;
};

/// The dtype of what stands for a tensor in so many lists.
inline DType inLists(DType dtype, int lists) {
  return lists > 0 ? DType::Variant : dtype;
}

/// Where a tensor stands in an optional.
struct OptionalPlace {
  DType dtype;
  Shape shape;
  int lists;
  bool isHas = false;

  /// The dtype of what stands for it in so many lists more.
  DType typeIn(int more) const { return inLists(dtype, lists + more); }
};

/// An optional like `a`, in so many lists more, with what `make` makes of each
/// pair of tensors of `a` and `b` and of each `has` that is not known.
/// Recursion is bounded by maxOptionalDepth. **Errors**: INVALID_ARGUMENT for
/// optionals of different sizes; those of `make`.
using MakeTensor = std::function<StatusOr<PlanValue>(
    const PlanValue &a, const PlanValue &b, const OptionalPlace &place)>;
StatusOr<KnownOptional> mapTensors(const Optional &a, const Optional &b,
                                   int more, const MakeTensor &make);

/// All tensors, and each `has` that is not known, in the order of mapTensors().
void appendTensors(const Optional &from, std::vector<PlanValue> &to);

} // namespace kiln

#endif // KILN_LIB_PLAN_TRANSFORMS_OPTIONALVALUE_H
