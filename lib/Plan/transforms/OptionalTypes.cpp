// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unifies the types of what the blocks pass on.
#include "lib/Plan/transforms/OptionalTypes.h"

#include "lib/Plan/cut/CutKind.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <set>

namespace kiln {
namespace {

/// One tree. Recursion is as deep as the blocks.
class TypeFinder {
public:
  void walk(const Block &block) {
    for (const Item &item : block.items) {
      if (item.kind == Item::Kind::Node)
        walkNode(*item.node, block);
      else if (item.kind == Item::Kind::While)
        walkLoop(item);
      else if (item.kind != Item::Kind::Fail)
        walkBranches(item);
    }
  }

  StatusOr<OptionalTypes> take() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Taken &one : taken)
        changed |= follow(one);
    }
    for (const Taken &one : taken)
      found.taken[one.place] = wanted(one);
    for (const auto &[place, list] : lists) {
      auto element = optionalOf(types[root(list)].element, 0);
      if (!element.ok())
        return element.status().withNode(place.second->name());
      if (*element)
        found.elements[place] = *std::move(element);
    }
    return std::move(found);
  }

private:
  enum class Kind : uint8_t { Open, Tensor, Optional, List };
  struct Type {
    Kind kind = Kind::Open;
    DType dtype = DType::Variant;                  ///< of a tensor
    std::map<int, std::vector<size_t>> forms = {}; ///< of an optional
    size_t element = 0;                            ///< of a list
    size_t same = 0; ///< as another type, or itself
  };
  /// An OptionalGetValue.
  struct Taken {
    OptionalNode place;
    size_t optional;
    std::vector<OptionalType> wanted;
    std::vector<size_t> parts;
    std::set<int> seen = {};
  };

  size_t add(Kind kind, size_t element = 0) {
    size_t number = types.size();
    types.push_back({kind, DType::Variant, {}, element, number});
    return number;
  }
  size_t typeOfDtype(DType dtype) {
    size_t type = add(dtype == DType::Variant ? Kind::Open : Kind::Tensor);
    types[type].dtype = dtype;
    return type;
  }
  size_t root(size_t type) {
    while (types[type].same != type)
      type = types[type].same = types[types[type].same].same;
    return type;
  }
  /// Types that do not fit stay apart: what takes them apart says so.
  void unify(size_t first, size_t second) {
    std::vector<std::pair<size_t, size_t>> pending = {{first, second}};
    while (!pending.empty()) {
      size_t a = root(pending.back().first), b = root(pending.back().second);
      pending.pop_back();
      if (a == b)
        continue;
      if (types[a].kind == Kind::Open)
        std::swap(a, b);
      Type &kept = types[a], &other = types[b];
      if (other.kind != Kind::Open && other.kind != kept.kind)
        continue;
      other.same = a;
      if (other.kind == Kind::List)
        pending.emplace_back(kept.element, other.element);
      for (auto &[number, parts] : other.forms) {
        auto [known, isNew] = kept.forms.try_emplace(number, parts);
        for (size_t i = 0; !isNew && i < parts.size(); ++i)
          pending.emplace_back(known->second[i], parts[i]);
      }
    }
  }

  /// OptionalType::kind. Lists in lists beyond the first few are as open.
  std::string kindOf(size_t type, int depth = 0) {
    const Type &of = types[root(type)];
    if (of.kind == Kind::List)
      return depth > 4 ? "?" : "l" + kindOf(of.element, depth + 1);
    return of.kind == Kind::Optional ? "o"
           : of.kind == Kind::Tensor ? strCat("t", dtypeName(of.dtype))
                                     : "?";
  }

  std::vector<OptionalType> wanted(const Taken &one) {
    std::vector<OptionalType> types = one.wanted;
    for (size_t i = 0; i < types.size(); ++i)
      if (types[i].dtype == DType::Variant)
        types[i].kind = kindOf(one.parts[i]);
    return types;
  }

  /// What is taken out is what any form that fits may hold; where several do
  /// and are not alike, its use decides. True where something is new.
  bool follow(Taken &one) {
    std::vector<OptionalType> types = wanted(one);
    const auto known = this->types[root(one.optional)].forms;
    std::vector<int> fitting;
    for (const auto &[number, parts] : known)
      if (found.forms.fits(number, types).ok())
        fitting.push_back(number);
    for (int number : fitting)
      if (!found.forms.fits(number, found.forms.of(fitting.front())).ok() &&
          std::any_of(types.begin(), types.end(), [](const OptionalType &type) {
            return type.kind.ends_with('?');
          }))
        return false;
    bool isNew = false;
    for (int number : fitting)
      if (one.seen.insert(number).second) {
        isNew = true;
        for (size_t i = 0; i < one.parts.size(); ++i)
          unify(one.parts[i], known.at(number)[i]);
      }
    return isNew;
  }

  size_t typeOf(const Output &output) {
    auto [found, isNew] = known.try_emplace(output, 0);
    if (isNew)
      found->second = add(Kind::Open);
    return found->second;
  }
  size_t typeOf(const PlanValue &value) {
    return value.isTensor() ? typeOf(value.output()) : add(Kind::Open);
  }
  void set(const Output &output, size_t type) { known[output] = type; }
  size_t elementOf(const Node &node, const Output *given = nullptr) {
    DType dtype = node.attrOr<DType>("element_dtype", DType::Variant);
    return dtype == DType::Variant && given ? typeOf(*given)
                                            : typeOfDtype(dtype);
  }
  void walkNode(const Node &node, const Block &block) {
    const OpDef &def = *lookupOp(node.op());
    const OpRole role = def.role;
    for (int i = 0; i < std::max(node.numOutputs(), 1); ++i)
      set({&node, i}, add(Kind::Open));
    if (role == OpRole::OptionalOfValues || role == OpRole::OptionalNone) {
      size_t type = add(Kind::Optional);
      set({&node, 0}, type);
      auto dtypes = node.attrOr<std::vector<DType>>("Toutput_types", {});
      std::vector<OptionalType> held;
      std::vector<size_t> parts;
      for (size_t i = 0; i < dtypes.size(); ++i) {
        const Output &input = node.input(static_cast<int>(i));
        bool isVariant = dtypes[i] == DType::Variant;
        parts.push_back(isVariant ? typeOf(input) : typeOfDtype(dtypes[i]));
        held.push_back(
            {dtypes[i], input.shape(), isVariant ? kindOf(parts[i]) : ""});
      }
      if (held.empty())
        return;
      int number = found.forms.numberOf(std::move(held));
      found.made[{&block, &node}] = number;
      types[type].forms[number] = std::move(parts);
    } else if (role == OpRole::OptionalGet && !takesRuntimeOptional(node)) {
      auto dtypes = node.attrOr<std::vector<DType>>("output_types", {});
      auto shapes = node.attrOr<std::vector<Shape>>("output_shapes", {});
      Taken one{{&block, &node}, add(Kind::Optional), {}, {}};
      for (size_t i = 0; i < dtypes.size(); ++i) {
        one.parts.push_back(typeOfDtype(dtypes[i]));
        one.wanted.push_back(
            {dtypes[i], i < shapes.size() ? shapes[i] : Shape::unknownRank()});
        set({&node, static_cast<int>(i)}, one.parts[i]);
      }
      unify(typeOf(node.input(0)), one.optional);
      follow(one);
      taken.push_back(std::move(one));
    } else if (role == OpRole::ListEmpty) {
      size_t list = add(Kind::List, elementOf(node));
      set({&node, 0}, list);
      lists[{&block, &node}] = list;
    } else if (role == OpRole::ListPush) {
      set({&node, 0}, typeOf(node.input(0)));
      size_t element = elementOf(node, &node.input(1));
      unify(typeOf(node.input(0)), add(Kind::List, element));
    } else if (role == OpRole::ListPop) {
      size_t element = elementOf(node);
      set({&node, 0}, typeOf(node.input(0)));
      set({&node, 1}, element);
      unify(typeOf(node.input(0)), add(Kind::List, element));
    } else if (role == OpRole::Identity || role == OpRole::Zeros ||
               role == OpRole::Sum || role == OpRole::IdentityN) {
      for (int i = 0; i < node.numInputs(); ++i)
        unify(typeOf({&node, role == OpRole::IdentityN ? i : 0}),
              typeOf(node.input(i)));
    }
  }

  void walkBranches(const Item &item) {
    std::vector<size_t> given;
    for (size_t i = 0; i < item.results.size(); ++i)
      given.push_back(add(Kind::Open));
    for (const auto *inner : {item.first.get(), item.second.get()}) {
      if (!inner)
        continue;
      for (size_t i = 0; i < inner->args.size(); ++i)
        set(inner->args[i], typeOf(item.operands[i]));
      walk(*inner);
      for (size_t i = 0; i < given.size(); ++i)
        if (inner->results[i].isTensor())
          unify(given[i], typeOf(inner->results[i]));
    }
    for (size_t i = 0; i < given.size(); ++i)
      set(item.results[i], given[i]);
  }

  void walkLoop(const Item &item) {
    const Block &before = *item.first, &body = *item.second;
    std::vector<size_t> carried, forwarded;
    for (size_t i = 0; i < before.args.size(); ++i) {
      carried.push_back(typeOf(item.operands[i]));
      set(before.args[i], carried[i]);
    }
    walk(before);
    for (size_t i = 0; i < before.results.size(); ++i) {
      forwarded.push_back(typeOf(before.results[i]));
      set(body.args[i], forwarded[i]);
    }
    walk(body);
    for (size_t i = 0; i < carried.size(); ++i)
      unify(carried[i], typeOf(body.results[i]));
    for (size_t i = 0; i < forwarded.size(); ++i)
      set(item.results[i], forwarded[i]);
  }

  /// The optional of a type; null where there is none in it. Types may go round
  /// in circles.
  StatusOr<KnownOptional> optionalOf(size_t type, int lists, int depth = 0) {
    const Type of = types[root(type)];
    if (depth > maxOptionalDepth)
      return resourceExhaustedError(
          strCat("expected optionals and lists at most ", maxOptionalDepth,
                 " deep in one another, got more"));
    if (of.kind == Kind::List)
      return optionalOf(of.element, lists + 1, depth + 1);
    if (of.kind != Kind::Optional)
      return KnownOptional();
    auto made = std::make_shared<Optional>();
    made->lists = lists;
    for (const auto &[number, parts] : of.forms) {
      OptionalForm &form = made->forms.emplace_back();
      form.number = number;
      for (size_t i = 0; i < parts.size(); ++i) {
        const OptionalType &type = found.forms.of(number)[i];
        OptionalPart &to = form.parts.emplace_back();
        to.dtype = type.dtype;
        to.shape = type.shape;
        KILN_ASSIGN_OR_RETURN(to.optional,
                              optionalOf(parts[i], lists, depth + 1));
      }
    }
    KILN_RETURN_IF_ERROR(made->measure());
    return KnownOptional(std::move(made));
  }

  OptionalTypes found;
  std::vector<Taken> taken;
  std::vector<Type> types;
  std::map<OutputKey, size_t> known;
  std::map<OptionalNode, size_t> lists;
};

} // namespace

StatusOr<OptionalTypes> findOptionalTypes(const Block &root) {
  TypeFinder finder;
  finder.walk(root);
  return finder.take();
}

} // namespace kiln
