// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry of ops, and what a schema says of a node.
#include "lib/OpDefs/OpDef.h"

#include "kiln/Describe.h"
#include "lib/OpDefs/MissingKernels.h"
#include "lib/OpDefs/OpParser.h"
#include "lib/OpDefs/QuantizedTypes.h"
#include "lib/OpDefs/UserOps.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace kiln {
namespace {

/// A table line and its parsed form, made on first use.
struct Entry {
  const OpRecord *record = nullptr;
  std::string_view family;
  std::once_flag once;
  std::unique_ptr<OpDef> def;
};

struct Registry {
  std::unordered_map<std::string_view, std::unique_ptr<Entry>> entries;
  std::vector<Entry *> order;

  Registry() {
    for (const OpFamily &family : opFamilies())
      for (const OpRecord &record : family.records) {
        auto entry = std::make_unique<Entry>();
        entry->record = &record;
        entry->family = family.name;
        order.push_back(entry.get());
        entries.emplace(record.name, std::move(entry));
      }
  }
};

// Never destroyed: OpDefs outlive everything that points to them, threads at
// exit included.
Registry &registry() {
  static Registry *theRegistry = new Registry();
  return *theRegistry;
}

/// The ops that users add. Invariant: an op in the list never changes or goes,
/// so that lookups need no lock, also in a fork's child.
class UserOps {
public:
  const OpDef *find(std::string_view name) const {
    for (const Link *link = first.load(std::memory_order_acquire); link;
         link = link->next)
      if (link->def.name == name)
        return &link->def;
    return nullptr;
  }

  std::vector<const OpDef *> all() const {
    std::vector<const OpDef *> ops;
    for (const Link *link = first.load(std::memory_order_acquire); link;
         link = link->next)
      ops.push_back(&link->def);
    return ops;
  }

  Status add(OpDef def) {
    auto link = std::make_unique<Link>(std::move(def));
    link->next = first.load(std::memory_order_acquire);
    do {
      if (find(link->def.name) || registry().entries.contains(link->def.name))
        return alreadyExistsError(strCat("op ", link->def.name, " exists"));
    } while (!first.compare_exchange_weak(link->next, link.get(),
                                          std::memory_order_acq_rel));
    link.release();
    return okStatus();
  }

private:
  struct Link {
    explicit Link(OpDef def) : def(std::move(def)) {}
    OpDef def;
    Link *next = nullptr;
  };
  std::atomic<Link *> first = nullptr;
};

UserOps &userOps() {
  static UserOps ops;
  return ops;
}

const OpDef *parsed(Entry &entry) {
  std::call_once(entry.once, [&] {
    auto def = parseOpRecord(*entry.record, entry.family);
    if (!def.ok())
      return;
    if (auto found = registry().entries.find(entry.record->sameAs);
        found != registry().entries.end())
      def->role = found->second->record->role;
    entry.def = std::make_unique<OpDef>(*std::move(def));
  });
  return entry.def.get();
}

/// Outputs beyond this are refused: the number stands in a file.
constexpr int64_t maxTensorsOfNode = 1 << 20;

Status nodeError(std::string_view node, std::string message) {
  return invalidArgumentError(std::move(message)).withNode(node);
}
Status nodeError(const Node &node, std::string message) {
  return nodeError(node.name(), std::move(message));
}

const AttrValue *attrOrDefault(const AttrMap &attrs, const AttrDef &attr) {
  const AttrValue *value = attrs.find(attr.name);
  return value ? value : attr.defaultValue ? &*attr.defaultValue : nullptr;
}

Status checkType(const Node &node, const AttrDef &attr, DType dtype) {
  if (attr.allowedTypes.empty() ||
      std::count(attr.allowedTypes.begin(), attr.allowedTypes.end(), dtype))
    return okStatus();
  std::string allowed;
  for (DType type : attr.allowedTypes)
    allowed += (allowed.empty() ? "" : ", ") + std::string(dtypeTfName(type));
  return nodeError(
      node, strCat("Value for attr '", attr.name, "' of ", dtypeTfName(dtype),
                   " is not in the list of allowed values: ", allowed));
}

/// Elements of a list; 0 of what is none.
int64_t lengthOf(const AttrValue &value) {
  return std::visit(
      [](const auto &stored) -> int64_t {
        if constexpr (detail::IsVector<
                          std::remove_cvref_t<decltype(stored)>>::value)
          return static_cast<int64_t>(stored.size());
        return 0;
      },
      value.variant());
}

Status checkAttr(const Node &node, const AttrDef &attr) {
  const AttrValue *value = node.findAttr(attr.name);
  if (!value)
    return attr.defaultValue ? okStatus()
                             : nodeError(node, strCat("NodeDef missing attr '",
                                                      attr.name, "'"));
  // Whoever makes a function of the node says what it is; a run refuses it. A
  // type has to be known.
  if (value->getIf<AttrPlaceholder>() && attr.kind != AttrKind::Type)
    return okStatus();
  if (value->kindName() != typeName(attr) &&
      !(attr.isList && value->isEmptyList()))
    return nodeError(node, strCat("AttrValue had value with type '",
                                  value->kindName(), "' when '", typeName(attr),
                                  "' expected for attr '", attr.name, "'"));
  if (const DType *dtype = value->getIf<DType>())
    return checkType(node, attr, *dtype);
  if (const auto *dtypes = value->getIf<std::vector<DType>>())
    for (DType dtype : *dtypes)
      KILN_RETURN_IF_ERROR(checkType(node, attr, dtype));
  if (const int64_t *number = value->getIf<int64_t>();
      number && attr.minimum && *number < *attr.minimum)
    return nodeError(node,
                     strCat("Value for attr '", attr.name, "' of ", *number,
                            " must be at least minimum ", *attr.minimum));
  if (int64_t length = lengthOf(*value);
      attr.isList && attr.minimum && length < *attr.minimum)
    return nodeError(node,
                     strCat("Length for attr '", attr.name, "' of ", length,
                            " must be at least minimum ", *attr.minimum));
  const std::string *text = value->getIf<std::string>();
  if (text && !attr.allowedStrings.empty() &&
      !std::count(attr.allowedStrings.begin(), attr.allowedStrings.end(),
                  *text))
    return nodeError(node,
                     strCat("Value for attr '", attr.name, "' of \"", *text,
                            "\" is not in the list of allowed values: \"",
                            strJoin(attr.allowedStrings, "\", \""), "\""));
  return okStatus();
}

std::string typeText(ArgType type) {
  return std::string(dtypeTfName(type.dtype)) + (type.isRef ? "_ref" : "");
}

} // namespace

bool OpDef::writesVariable() const {
  if (inputs.empty() || has(cutsRun) || has(hostBody) || has(usesSlot))
    return false;
  if (inputs[0].isRef)
    return !has(forwardsRef) && !has(keepsRef);
  // An op on a resource variable that gives nothing back is there for its
  // effect.
  return inputs[0].dtype == DType::Resource &&
         (outputs.empty() || has(updatesVariable));
}

const AttrDef *OpDef::findAttr(std::string_view attrName) const {
  auto found =
      std::find_if(attrs.begin(), attrs.end(),
                   [&](const AttrDef &attr) { return attr.name == attrName; });
  return found == attrs.end() ? nullptr : &*found;
}

const OpDef *lookupOp(std::string_view name) {
  auto &entries = registry().entries;
  auto found = entries.find(name);
  return found == entries.end() ? userOps().find(name) : parsed(*found->second);
}

OpRole roleOf(const Node &node) {
  const OpDef *def = lookupOp(node.op());
  return def ? def->role : OpRole::None;
}

Status addUserOp(OpDef def) { return userOps().add(std::move(def)); }

std::vector<const OpDef *> allUserOps() { return userOps().all(); }

std::vector<const OpDef *> allOps() {
  std::vector<const OpDef *> ops;
  for (Entry *entry : registry().order)
    if (const OpDef *def = parsed(*entry))
      ops.push_back(def);
  return ops;
}

StatusOr<std::vector<ArgType>> expandArgs(std::span<const ArgDef> args,
                                          const Node &node, const OpDef &def) {
  return expandArgs(args, node.attrs(), node.name(), def);
}

StatusOr<std::vector<ArgType>> expandArgs(std::span<const ArgDef> args,
                                          const AttrMap &attrs,
                                          std::string_view node,
                                          const OpDef &def) {
  std::vector<ArgType> types;
  for (const ArgDef &arg : args) {
    auto value = [&](const std::string &attrName) -> const AttrValue * {
      const AttrDef *attr = def.findAttr(attrName);
      return attr ? attrOrDefault(attrs, *attr) : nullptr;
    };
    if (!arg.typeListAttr.empty()) {
      const AttrValue *list = value(arg.typeListAttr);
      const auto *dtypes = list ? list->getIf<std::vector<DType>>() : nullptr;
      if (!dtypes && !(list && list->isEmptyList()))
        return nodeError(
            node, strCat("NodeDef missing attr '", arg.typeListAttr, "'"));
      if (dtypes)
        for (DType dtype : *dtypes)
          types.push_back({dtype, arg.isRef});
      continue;
    }
    ArgType type{arg.dtype, arg.isRef};
    if (!arg.typeAttr.empty()) {
      const AttrValue *given = value(arg.typeAttr);
      const DType *dtype = given ? given->getIf<DType>() : nullptr;
      if (!dtype)
        return nodeError(node,
                         strCat("NodeDef missing attr '", arg.typeAttr, "'"));
      type.dtype = *dtype;
    }
    int64_t count = 1;
    if (!arg.numberAttr.empty()) {
      const AttrValue *given = value(arg.numberAttr);
      const int64_t *number = given ? given->getIf<int64_t>() : nullptr;
      if (!number || *number < 0 || *number > maxTensorsOfNode)
        return nodeError(node,
                         strCat("expected attr '", arg.numberAttr,
                                "' between 0 and ", maxTensorsOfNode, ", got ",
                                number ? strCat(*number) : "none"));
      count = *number;
    }
    types.insert(types.end(), static_cast<size_t>(count), type);
  }
  return types;
}

Status checkNode(const Node &node, const OpDef &def) {
  for (const AttrDef &attr : def.attrs)
    KILN_RETURN_IF_ERROR(checkAttr(node, attr));
  KILN_ASSIGN_OR_RETURN(std::vector<ArgType> expected,
                        expandArgs(def.inputs, node, def));
  if (static_cast<int>(expected.size()) != node.numInputs()) {
    std::string types;
    for (ArgType type : expected)
      types += (types.empty() ? "" : ", ") + typeText(type);
    return nodeError(node, strCat("NodeDef expected inputs '", types,
                                  "' do not match ", node.numInputs(),
                                  " inputs specified"));
  }
  for (int i = 0; i < node.numInputs(); ++i) {
    const Output &source = node.input(i);
    const OutputInfo &info = source.node->output(source.index);
    ArgType got{info.dtype, info.isRef},
        wanted = expected[static_cast<size_t>(i)];
    if (got.dtype == DType::Invalid || wanted.dtype == DType::Invalid)
      continue;
    if (got.dtype != wanted.dtype || (wanted.isRef && !got.isRef))
      return nodeError(
          node, strCat("Input ", i, " of node ", node.name(), " was passed ",
                       typeText(got), " from ", source.name(),
                       " incompatible with expected ", typeText(wanted), "."));
  }
  return okStatus();
}

void setDefaultAttrs(Node &node, const OpDef &def) {
  for (const AttrDef &attr : def.attrs)
    if (attr.defaultValue && !node.hasAttr(attr.name))
      node.setDefaultAttr(attr.name, *attr.defaultValue);
}

/// Whether the op takes numbers of the type for the integers that they are: a
/// quantized type is one, and only conversions and comparisons look at it.
static bool takesAsInteger(const OpDef &def, DType dtype) {
  const bool isQuantized = integerOf(dtype) != dtype;
  return isQuantized && def.has(takesQuantized);
}

bool hasComplexType(const Node &node, const OpDef &def) {
  return std::ranges::any_of(def.attrs, [&](const AttrDef &attr) {
    const AttrValue *value = attr.kind == AttrKind::Type
                                 ? attrOrDefault(node.attrs(), attr)
                                 : nullptr;
    const DType *dtype = value ? value->getIf<DType>() : nullptr;
    return dtype && isComplex(*dtype);
  });
}

Status checkSupported(const Node &node, const OpDef &def) {
  for (const AttrDef &attr : def.attrs)
    if (const AttrValue *value = node.findAttr(attr.name);
        value && value->getIf<AttrPlaceholder>())
      return nodeError(
          node, "AttrValue had value with unexpected type 'placeholder'");
  auto check = [&](const AttrDef &attr, DType dtype) {
    if (isKernelMissing(node.op(), attr.name, dtype))
      return nodeError(node,
                       strCat("No OpKernel was registered to support Op '",
                              node.op(), "' with these attrs: [", attr.name,
                              "=", dtypeEnumName(dtype), "]"));
    // Handles are no values: passing one on takes no code.
    bool passes = (def.takesHandles() &&
                   (dtype == DType::Resource || dtype == DType::Variant)) ||
                  (def.has(holdsHandles) && dtype == DType::Resource);
    bool isStored = def.has(movesElements) && dtypeSize(dtype) != 0;
    if (!isSupported(dtype) && !passes && !isStored &&
        !takesAsInteger(def, dtype) &&
        !(isComplex(dtype) && def.has(takesComplex)) &&
        !(dtype == DType::Variant && def.has(takesLists)) &&
        !(def.has(takesDatasets) &&
          (dtype == DType::Resource || dtype == DType::Variant)))
      return unimplementedError(
                 strCat("expected attr '", attr.name, "' of ", def.name,
                        " to be a dtype that Kiln computes with, got ",
                        dtypeTfName(dtype)))
          .withNode(node.name());
    return okStatus();
  };
  for (const AttrDef &attr : def.attrs) {
    const AttrValue *value = attrOrDefault(node.attrs(), attr);
    if (!value || attr.kind != AttrKind::Type)
      continue;
    if (const DType *dtype = value->getIf<DType>())
      KILN_RETURN_IF_ERROR(check(attr, *dtype));
    if (const auto *dtypes = value->getIf<std::vector<DType>>())
      for (DType dtype : *dtypes)
        KILN_RETURN_IF_ERROR(check(attr, dtype));
  }
  return okStatus();
}

} // namespace kiln
