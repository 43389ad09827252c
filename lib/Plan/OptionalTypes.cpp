// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unifies the types of what the blocks pass on.
#include "lib/Plan/OptionalTypes.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <set>

namespace kiln {
namespace {

/// One tree. Recursion is as deep as the blocks.
class TypeFinder {
public:
  explicit TypeFinder(OptionalForms &forms) : forms(forms) {}

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

  StatusOr<OptionalElements> take() {
    findTaken();
    OptionalElements elements;
    for (const auto &[place, list] : lists) {
      auto element = optionalOf(types[root(list)].element, 0);
      if (!element.ok())
        return element.status().withNode(place.second->name());
      if (*element)
        elements[place] = *std::move(element);
    }
    return elements;
  }

private:
  enum class Kind : uint8_t { Open, Tensor, Optional, List };
  struct Type {
    Kind kind = Kind::Open;
    std::map<int, std::vector<size_t>> forms = {}; ///< of an optional
    size_t element = 0;                            ///< of a list
    size_t same = 0; ///< as another type, or itself
  };
  /// An OptionalGetValue.
  struct Taken {
    size_t optional;
    std::vector<OutputInfo> wanted;
    std::vector<size_t> parts;
    std::set<int> seen = {};
  };

  size_t add(Kind kind, size_t element = 0) {
    size_t number = types.size();
    types.push_back({kind, {}, element, number});
    return number;
  }
  size_t typeOfDtype(DType dtype) {
    return add(dtype == DType::Variant ? Kind::Open : Kind::Tensor);
  }
  size_t root(size_t type) {
    while (types[type].same != type)
      type = types[type].same = types[types[type].same].same;
    return type;
  }
  /// Types that do not fit stay apart: whoever takes what they are of says so.
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

  /// What is taken out is what any form that fits may hold.
  void findTaken() {
    for (bool changed = true; changed;) {
      changed = false;
      for (Taken &one : taken) {
        const auto known = types[root(one.optional)].forms;
        for (const auto &[number, parts] : known)
          if (forms.fits(number, one.wanted).ok() &&
              one.seen.insert(number).second) {
            changed = true;
            for (size_t i = 0; i < parts.size(); ++i)
              unify(one.parts[i], parts[i]);
          }
      }
    }
  }

  size_t typeOf(const Output &output) {
    auto [found, isNew] = known.try_emplace({output.node, output.index}, 0);
    if (isNew)
      found->second = add(Kind::Open);
    return found->second;
  }
  void set(const Output &output, size_t type) {
    known[{output.node, output.index}] = type;
  }
  size_t elementOf(const Node &node, const Output *given = nullptr) {
    DType dtype = node.attrOr<DType>("element_dtype", DType::Variant);
    return dtype == DType::Variant && given ? typeOf(*given)
                                            : typeOfDtype(dtype);
  }
  void walkNode(const Node &node, const Block &block) {
    const OpDef &def = *lookupOp(node.op());
    const std::string &name = def.canonicalName;
    for (int i = 0; i < std::max(node.numOutputs(), 1); ++i)
      set({&node, i}, add(Kind::Open));
    if (name == "OptionalFromValue" || name == "OptionalNone") {
      size_t type = add(Kind::Optional);
      set({&node, 0}, type);
      std::vector<OutputInfo> held = heldTypes(node);
      if (held.empty())
        return;
      std::vector<size_t> parts;
      for (size_t i = 0; i < held.size(); ++i)
        parts.push_back(held[i].dtype == DType::Variant
                            ? typeOf(node.input(static_cast<int>(i)))
                            : add(Kind::Tensor));
      types[type].forms[forms.numberOf(std::move(held))] = std::move(parts);
    } else if (name == "OptionalGetValue") {
      Taken one{add(Kind::Optional), wantedTypes(node), {}};
      for (size_t i = 0; i < one.wanted.size(); ++i) {
        one.parts.push_back(typeOfDtype(one.wanted[i].dtype));
        set({&node, static_cast<int>(i)}, one.parts[i]);
      }
      unify(typeOf(node.input(0)), one.optional);
      taken.push_back(std::move(one));
    } else if (name == "EmptyTensorList") {
      size_t list = add(Kind::List, elementOf(node));
      set({&node, 0}, list);
      lists[{&block, &node}] = list;
    } else if (name == "TensorListPushBack") {
      set({&node, 0}, typeOf(node.input(0)));
      size_t element = elementOf(node, &node.input(1));
      unify(typeOf(node.input(0)), add(Kind::List, element));
    } else if (name == "TensorListPopBack") {
      size_t element = elementOf(node);
      set({&node, 0}, typeOf(node.input(0)));
      set({&node, 1}, element);
      unify(typeOf(node.input(0)), add(Kind::List, element));
    } else if (name == "Identity" || name == "ZerosLike" || name == "AddN" ||
               name == "IdentityN") {
      for (int i = 0; i < node.numInputs(); ++i)
        unify(typeOf({&node, name == "IdentityN" ? i : 0}),
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
        if (inner->results[i].node)
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
        const OutputInfo &type = forms.of(number)[i];
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

  OptionalForms &forms;
  std::vector<Taken> taken;
  std::vector<Type> types;
  std::map<std::pair<const Node *, int>, size_t> known;
  std::map<std::pair<const Block *, const Node *>, size_t> lists;
};

} // namespace

StatusOr<OptionalElements> findOptionalElements(const Block &root,
                                                OptionalForms &forms) {
  TypeFinder finder(forms);
  finder.walk(root);
  return finder.take();
}

} // namespace kiln
