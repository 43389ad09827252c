// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The grammar of schema tables.
#include "lib/OpDefs/OpParser.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <charconv>

namespace kiln {
namespace {

/// The sets of types that many ops share, in TensorFlow's order, which its
/// error texts show.
struct TypeSet {
  std::string_view name;
  std::string_view types;
};
constexpr TypeSet typeSets[] = {
    {"indexTypes", "int32, int64"},
    {"numbers", "float32, float64, int32, uint8, int16, int8, complex64, "
                "int64, qint8, quint8, qint32, bfloat16, "
                "qint16, quint16, uint16, complex128, float16, uint32, uint64"},
    {"realNumbers", "float32, float64, int32, uint8, int16, int8, int64, "
                    "bfloat16, uint16, float16, uint32, uint64"},
    {"quantizedReals", "float32, float64, int32, uint8, int16, int8, int64, "
                       "bfloat16, uint16, float16, uint32, uint64, "
                       "qint8, quint8, qint32, qint16, quint16"},
    {"quantized", "qint8, quint8, qint32, qint16, quint16"},
    {"orderedNumbers", "bfloat16, float16, float32, float64, int8, uint8, "
                       "int16, uint16, int32, uint32, int64, uint64"},
    {"unaryNumbers", "bfloat16, float16, float32, float64, int8, int16, int32, "
                     "int64, complex64, complex128"},
    {"divNumbers", "bfloat16, float16, float32, float64, uint8, int8, uint16, "
                   "int16, int32, uint32, uint64, int64, "
                   "complex64, complex128"},
    {"bitNumbers", "int8, int16, int32, int64, uint8, uint16, uint32, uint64"},
    {"floats", "bfloat16, float16, float32, float64"},
    {"nnFloats", "float16, bfloat16, float32, float64"},
    {"complexFloats",
     "bfloat16, float16, float32, float64, complex64, complex128"},
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!trimmed(text).empty()) {
    size_t end = text.find(separator);
    parts.push_back(trimmed(text.substr(0, end)));
    text = end == std::string_view::npos ? std::string_view()
                                         : text.substr(end + 1);
  }
  return parts;
}

/// Cuts "name: rest" in two; an empty name where there is no colon.
std::pair<std::string_view, std::string_view> cut(std::string_view text,
                                                  std::string_view at) {
  size_t place = text.find(at);
  if (place == std::string_view::npos)
    return {trimmed(text), {}};
  return {trimmed(text.substr(0, place)),
          trimmed(text.substr(place + at.size()))};
}

class Parser {
public:
  Parser(const OpRecord &record, OpDef &def) : record(record), def(def) {}

  Status parse() {
    for (std::string_view text : split(record.attrs, ';'))
      KILN_RETURN_IF_ERROR(parseAttr(text));
    KILN_RETURN_IF_ERROR(parseArgs(record.inputs, def.inputs));
    return parseArgs(record.outputs, def.outputs);
  }

private:
  Status fail(std::string_view text) const {
    return internalError(
        strCat("schema of ", record.name, ": cannot read '", text, "'"));
  }

  Status parseArgs(std::string_view texts, std::vector<ArgDef> &args) {
    for (std::string_view text : split(texts, ',')) {
      auto [name, type] = cut(text, ":");
      ArgDef arg;
      arg.name = name;
      if (auto [number, element] = cut(type, "*"); !element.empty()) {
        arg.numberAttr = number;
        type = element;
        if (!def.findAttr(number))
          return fail(text);
      }
      if (type.starts_with("Ref(") && type.ends_with(")")) {
        arg.isRef = true;
        type = type.substr(4, type.size() - 5);
      }
      if (const AttrDef *attr = def.findAttr(type))
        (attr->isList ? arg.typeListAttr : arg.typeAttr) = type;
      else if (std::optional<DType> dtype = dtypeFromName(type))
        arg.dtype = *dtype;
      else
        return fail(text);
      args.push_back(std::move(arg));
    }
    return okStatus();
  }

  Status parseTypes(std::string_view list, AttrDef &attr) {
    for (std::string_view name : split(list, ',')) {
      std::optional<DType> dtype = dtypeFromName(name);
      if (!dtype)
        return fail(name);
      attr.allowedTypes.push_back(*dtype);
    }
    return okStatus();
  }

  Status parseKind(std::string_view text, AttrDef &attr) {
    constexpr std::pair<std::string_view, AttrKind> kinds[] = {
        {"int", AttrKind::Int},       {"float", AttrKind::Float},
        {"bool", AttrKind::Bool},     {"string", AttrKind::String},
        {"type", AttrKind::Type},     {"shape", AttrKind::Shape},
        {"tensor", AttrKind::Tensor}, {"func", AttrKind::Func}};
    if (text.starts_with("list(") && text.ends_with(")")) {
      attr.isList = true;
      text = text.substr(5, text.size() - 6);
    }
    if (text.starts_with("{") && text.ends_with("}")) {
      attr.kind = AttrKind::Type;
      return parseTypes(text.substr(1, text.size() - 2), attr);
    }
    if (auto [kind, values] = cut(text, " {");
        kind == "string" && values.ends_with("}")) {
      attr.kind = AttrKind::String;
      for (std::string_view value :
           split(values.substr(0, values.size() - 1), ','))
        attr.allowedStrings.emplace_back(value);
      return okStatus();
    }
    for (const auto &[name, kind] : kinds)
      if (text == name) {
        attr.kind = kind;
        return okStatus();
      }
    for (const TypeSet &set : typeSets)
      if (text == set.name) {
        attr.kind = AttrKind::Type;
        return parseTypes(set.types, attr);
      }
    return fail(text);
  }

  Status parseAttr(std::string_view text) {
    AttrDef attr;
    auto [name, rest] = cut(text, ":");
    attr.name = name;
    size_t equals = rest.find(" =");
    std::string_view kind = trimmed(rest.substr(0, equals));
    if (equals != std::string_view::npos && rest.substr(equals, 3) != " = " &&
        rest.size() != equals + 2)
      return fail(text);
    if (auto [before, minimum] = cut(kind, " >= "); !minimum.empty()) {
      kind = before;
      int64_t number = 0;
      std::from_chars(minimum.data(), minimum.data() + minimum.size(), number);
      attr.minimum = number;
    }
    KILN_RETURN_IF_ERROR(parseKind(kind, attr));
    if (equals != std::string_view::npos)
      KILN_RETURN_IF_ERROR(
          parseDefault(trimmed(rest.substr(equals + 2)), attr));
    def.attrs.push_back(std::move(attr));
    return okStatus();
  }

  Status parseDefault(std::string_view text, AttrDef &attr) {
    if (attr.isList) {
      attr.defaultValue = AttrValue(EmptyList());
      return text == "[]" ? okStatus() : parseNumbers(text, attr);
    }
    switch (attr.kind) {
    case AttrKind::Int: {
      int64_t number = 0;
      KILN_RETURN_IF_ERROR(parseNumber(text, number));
      attr.defaultValue = AttrValue(number);
      return okStatus();
    }
    case AttrKind::Float: {
      float number = 0;
      KILN_RETURN_IF_ERROR(parseNumber(text, number));
      attr.defaultValue = AttrValue(number);
      return okStatus();
    }
    case AttrKind::Bool:
      attr.defaultValue = AttrValue(text == "true");
      return text == "true" || text == "false" ? okStatus() : fail(text);
    case AttrKind::String:
      attr.defaultValue = AttrValue(text == "\\n"   ? std::string_view("\n")
                                    : text == "\\t" ? std::string_view("\t")
                                                    : text);
      return okStatus();
    case AttrKind::Type:
      if (std::optional<DType> dtype = dtypeFromName(text)) {
        attr.defaultValue = AttrValue(*dtype);
        return okStatus();
      }
      return fail(text);
    case AttrKind::Shape:
      attr.defaultValue =
          AttrValue(text == "[]" ? Shape() : Shape::unknownRank());
      return text == "[]" || text == "<unknown>" ? okStatus() : fail(text);
    case AttrKind::Tensor:
      return parseBytes(text, attr);
    default:
      return fail(text);
    }
  }

  /// uint8 [1, 2]
  Status parseBytes(std::string_view text, AttrDef &attr) {
    auto [type, list] = cut(text, " ");
    if (type != "uint8" || !list.starts_with("[") || !list.ends_with("]"))
      return fail(text);
    std::vector<uint8_t> bytes;
    for (std::string_view part : split(list.substr(1, list.size() - 2), ',')) {
      int64_t number = 0;
      KILN_RETURN_IF_ERROR(parseNumber(part, number));
      bytes.push_back(static_cast<uint8_t>(number));
    }
    KILN_ASSIGN_OR_RETURN(
        Tensor tensor,
        Tensor::fromValues<uint8_t>({static_cast<int64_t>(bytes.size())},
                                    std::span<const uint8_t>(bytes)));
    attr.defaultValue = AttrValue(std::move(tensor));
    return okStatus();
  }

  template <class T> Status parseNumber(std::string_view text, T &number) {
    const char *last = text.data() + text.size();
    return std::from_chars(text.data(), last, number).ptr == last ? okStatus()
                                                                  : fail(text);
  }

  /// [1, 2]
  Status parseNumbers(std::string_view text, AttrDef &attr) {
    if (attr.kind == AttrKind::Int)
      return parseList<int64_t>(text, attr);
    return attr.kind == AttrKind::Float ? parseList<float>(text, attr)
                                        : fail(text);
  }
  template <class T> Status parseList(std::string_view text, AttrDef &attr) {
    if (!text.starts_with("[") || !text.ends_with("]"))
      return fail(text);
    std::vector<T> numbers;
    for (std::string_view part : split(text.substr(1, text.size() - 2), ','))
      KILN_RETURN_IF_ERROR(parseNumber(part, numbers.emplace_back()));
    attr.defaultValue = AttrValue(std::move(numbers));
    return okStatus();
  }

  const OpRecord &record;
  OpDef &def;
};

} // namespace

std::string typeName(const AttrDef &attr) {
  constexpr std::string_view names[] = {"int",  "float", "bool",   "string",
                                        "type", "shape", "tensor", "func"};
  std::string_view name = names[static_cast<size_t>(attr.kind)];
  return attr.isList ? strCat("list(", name, ")") : std::string(name);
}

StatusOr<OpDef> parseOpRecord(const OpRecord &record, std::string_view family) {
  OpDef def;
  def.name = record.name;
  def.family = family;
  def.doc = record.doc;
  def.infer = record.infer;
  def.flags = record.flags;
  def.role = record.role;
  def.canonicalName = record.sameAs.empty() ? record.name : record.sameAs;
  KILN_RETURN_IF_ERROR(Parser(record, def).parse());
  return def;
}

} // namespace kiln
