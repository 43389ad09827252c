// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// attr: NAME ":" TYPE [">=" INT] ["=" VALUE in protobuf's text form]
// arg:  NAME ":" [INT_ATTR "*"] (TYPE | TYPE_ATTR) or Ref(...) of these
#include "capi/OpSpec.h"

#include "kiln/GraphDef.h"

#include <cctype>
#include <charconv>

namespace kiln::capi {
namespace {

using enum DType;

struct TypeSet {
  std::string_view name;
  std::vector<DType> types;
};

const std::vector<TypeSet> &typeSets() {
  static const std::vector<TypeSet> sets = {
      {"numbertype",
       {Float32, Float64, Int32, UInt8, Int16, Int8, Complex64, Int64, QInt8,
        QUInt8, QInt32, BFloat16, QInt16, QUInt16, UInt16, Complex128, Float16,
        UInt32, UInt64}},
      {"realnumbertype",
       {Float32, Float64, Int32, UInt8, Int16, Int8, Int64, BFloat16, UInt16,
        Float16, UInt32, UInt64}},
      {"quantizedtype", {QInt8, QUInt8, QInt32, QInt16, QUInt16}}};
  return sets;
}

/// Of a name as specs have it: "float" or "float32", "int32". Invalid for none.
DType dtypeNamed(std::string_view name) {
  for (int number = 1; number < refTypeOffset; ++number)
    if (auto dtype = dtypeFromNumber(number);
        dtype && (dtypeTfName(*dtype) == name || dtypeName(*dtype) == name))
      return *dtype;
  return Invalid;
}

/// Reads a text from the left.
class Reader {
public:
  explicit Reader(std::string_view text) : rest(text) { skipSpaces(); }

  bool take(std::string_view token) {
    if (!rest.starts_with(token))
      return false;
    rest.remove_prefix(token.size());
    skipSpaces();
    return true;
  }
  /// A letter, then letters, digits and underscores; empty for none.
  std::string takeName() {
    size_t length = 0;
    auto isPart = [](unsigned char letter) {
      return std::isalnum(letter) || letter == '_';
    };
    while (length < rest.size() &&
           isPart(static_cast<unsigned char>(rest[length])))
      ++length;
    if (length > 0 && std::isdigit(static_cast<unsigned char>(rest[0])))
      return {};
    std::string name(rest.substr(0, length));
    rest.remove_prefix(length);
    skipSpaces();
    return name;
  }
  std::optional<int64_t> takeInt() {
    int64_t number = 0;
    auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc())
      return {};
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    skipSpaces();
    return number;
  }
  /// A text in quotes, without them.
  std::optional<std::string> takeQuoted() {
    const char quote = rest.empty() ? '\0' : rest[0];
    const size_t end = rest.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos)
      return {};
    std::string text(rest.substr(1, end - 1));
    rest.remove_prefix(end + 1);
    skipSpaces();
    return text;
  }
  std::string_view remainder() const { return rest; }

private:
  void skipSpaces() {
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest[0])))
      rest.remove_prefix(1);
  }
  std::string_view rest;
};

/// "{'a', 'b'}" or "{int32, float}", behind its brace.
bool parseAllowed(Reader &reader, OpAttribute &attr) {
  do {
    if (auto text = reader.takeQuoted()) {
      attr.allowedStrings.push_back(std::move(*text));
    } else {
      const std::string name = reader.takeName();
      const DType dtype = dtypeNamed(name);
      if (dtype != Invalid)
        attr.allowedTypes.push_back(dtype);
      else
        return false;
    }
    if (reader.take("}"))
      break;
  } while (reader.take(","));
  attr.type = attr.allowedTypes.empty() ? "string" : "type";
  return attr.allowedTypes.empty() != attr.allowedStrings.empty();
}

/// A type without "list(".
bool parseType(Reader &reader, OpAttribute &attr) {
  if (reader.take("{"))
    return parseAllowed(reader, attr);
  const std::string name = reader.takeName();
  for (const TypeSet &set : typeSets())
    if (name == set.name) {
      attr.type = "type";
      attr.allowedTypes = set.types;
      return true;
    }
  for (std::string_view known :
       {"int", "float", "bool", "string", "type", "shape", "tensor", "func"})
    if (name == known) {
      attr.type = name;
      return true;
    }
  return false;
}

/// Reads a value by way of a graph's text, which has all of its forms.
StatusOr<AttrValue> parseValue(std::string_view type, std::string_view text) {
  const bool isList = type.starts_with("list(");
  std::string_view kind = isList ? type.substr(5, type.size() - 6) : type;
  const std::string field =
      kind == "string" || kind == "int" || kind == "float" || kind == "bool"
          ? std::string(kind.substr(0, 1))
          : std::string(kind);
  std::string value = field + ": " + std::string(text);
  if (isList)
    value = "list { " + value + " }";
  GraphLoadOptions options;
  options.checker = [](Node &) { return okStatus(); };
  auto graph = loadGraphDef(
      "node { name: 'n' op: 'n' attr { key: 'v' value { " + value + " } } }",
      options);
  const AttrValue *found = graph.ok() && (*graph)->numNodes() == 1
                               ? (*graph)->node(0)->findAttr("v")
                               : nullptr;
  if (found && (found->kindName() == type || (isList && found->isEmptyList())))
    return *found;
  return invalidArgumentError("Could not parse default value '" +
                              std::string(text) + "'");
}

Status malformed(std::string_view what, std::string_view spec) {
  return invalidArgumentError("Trouble parsing " + std::string(what) + " \"" +
                              std::string(spec) + "\"");
}

/// "T" or "float", as far as it is an attribute or a type.
bool parseArgType(Reader &reader, const OpSchema &op, OpArgument &arg) {
  std::string name = reader.takeName();
  if (const OpAttribute *attr = op.findAttr(name);
      attr && attr->type == "int" && arg.numberAttr.empty() &&
      reader.take("*")) {
    arg.numberAttr = std::move(name);
    name = reader.takeName();
  }
  if (const OpAttribute *attr = op.findAttr(name)) {
    (attr->type == "list(type)" ? arg.typeListAttr : arg.typeAttr) = name;
    return attr->type == "type" ||
           (attr->type == "list(type)" && arg.numberAttr.empty());
  }
  arg.dtype = dtypeNamed(name);
  return arg.dtype != Invalid;
}

} // namespace

StatusOr<OpAttribute> parseAttrSpec(std::string_view spec) {
  Reader reader(spec);
  OpAttribute attr{.name = reader.takeName(), .type = {}};
  if (attr.name.empty() || !reader.take(":"))
    return malformed("attribute", spec);
  const bool isList = reader.take("list") && reader.take("(");
  if (!parseType(reader, attr) || (isList && !reader.take(")")))
    return malformed("attribute", spec);
  if (isList)
    attr.type = "list(" + attr.type + ")";
  if ((isList || attr.type == "int") && reader.take(">=")) {
    attr.minimum = reader.takeInt();
    if (!attr.minimum)
      return malformed("attribute", spec);
  }
  if (reader.take("=")) {
    StatusOr<AttrValue> value = parseValue(attr.type, reader.remainder());
    if (!value.ok())
      return value.status();
    attr.defaultValue = *std::move(value);
  } else if (!reader.remainder().empty()) {
    return malformed("attribute", spec);
  }
  return attr;
}

StatusOr<OpArgument> parseArgSpec(std::string_view spec, const OpSchema &op) {
  Reader reader(spec);
  OpArgument arg{.name = reader.takeName()};
  if (arg.name.empty() || !reader.take(":"))
    return malformed("argument", spec);
  arg.isRef = reader.take("Ref") && reader.take("(");
  if (!parseArgType(reader, op, arg) || (arg.isRef && !reader.take(")")) ||
      !reader.remainder().empty())
    return malformed("argument", spec);
  return arg;
}

} // namespace kiln::capi
