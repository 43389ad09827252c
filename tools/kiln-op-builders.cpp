// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the functions that add one op each to a graph, from the schema tables:
// a header and a source for each family.
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace kiln {
namespace {

const std::set<std::string_view> &wrappedOps() {
  static const std::set<std::string_view> ops = {
#define KILN_WRAPPED_OP(op) #op,
#include "lib/Build/WrappedOps.def"
  };
  return ops;
}

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }
char toLower(char c) { return isUpper(c) ? static_cast<char>(c + 32) : c; }
char toUpper(char c) { return isLower(c) ? static_cast<char>(c - 32) : c; }

/// Words of C++, and macros of its headers.
std::string escaped(std::string name) {
  static const std::set<std::string_view> words = {
      "and",       "assert",   "auto",   "bool",     "break",   "case",
      "char",      "class",    "const",  "default",  "delete",  "do",
      "double",    "else",     "enum",   "explicit", "export",  "extern",
      "float",     "for",      "if",     "inline",   "int",     "long",
      "namespace", "new",      "not",    "operator", "or",      "private",
      "public",    "register", "return", "short",    "signed",  "sizeof",
      "static",    "struct",   "switch", "template", "this",    "throw",
      "try",       "typedef",  "union",  "unsigned", "using",   "virtual",
      "void",      "volatile", "while",  "xor",      "options", "name"};
  return words.contains(name) ? name + "_" : name;
}

/// "MatMul" to "matMul", "LRN" to "lrn", "RGBToHSV" to "rgbToHSV".
std::string functionName(std::string_view op) {
  std::string name(op);
  for (size_t i = 0; i < name.size() && isUpper(name[i]); ++i)
    if (i == 0 || i + 1 == name.size() || !isLower(name[i + 1]))
      name[i] = toLower(name[i]);
    else
      break;
  return escaped(name);
}

/// "transpose_a" to "transposeA"; "T" stays.
std::string memberName(std::string_view snake) {
  std::string name;
  bool up = false;
  for (char c : snake) {
    if (c == '_') {
      up = !name.empty();
      continue;
    }
    name += up ? toUpper(c) : c;
    up = false;
  }
  if (name.size() > 1 && isUpper(name[0]))
    name[0] = toLower(name[0]);
  return escaped(name);
}

std::string baseType(AttrKind kind) {
  constexpr std::string_view names[] = {
      "int64_t", "float", "bool",           "std::string",
      "DType",   "Shape", "TensorConstant", "NameAttrList"};
  return std::string(names[static_cast<size_t>(kind)]);
}

std::string attrType(const AttrDef &attr) {
  return attr.isList ? "std::vector<" + baseType(attr.kind) + ">"
                     : baseType(attr.kind);
}

std::string quotedText(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\')
      out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string floatText(float value) {
  if (std::isinf(value))
    return value < 0 ? "-std::numeric_limits<float>::infinity()"
                     : "std::numeric_limits<float>::infinity()";
  std::string text = strCat(value);
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return text + "f";
}

std::string dtypeText(DType dtype) {
  constexpr std::pair<DType, std::string_view> names[] = {
      {DType::Float32, "Float32"}, {DType::Float64, "Float64"},
      {DType::Int32, "Int32"},     {DType::UInt8, "UInt8"},
      {DType::Int16, "Int16"},     {DType::Int8, "Int8"},
      {DType::String, "String"},   {DType::Complex64, "Complex64"},
      {DType::Int64, "Int64"},     {DType::Bool, "Bool"},
      {DType::QInt32, "QInt32"},   {DType::QInt8, "QInt8"},
      {DType::QUInt8, "QUInt8"},   {DType::BFloat16, "BFloat16"},
      {DType::UInt16, "UInt16"},   {DType::Complex128, "Complex128"},
      {DType::Float16, "Float16"}, {DType::Resource, "Resource"},
      {DType::Variant, "Variant"}, {DType::UInt32, "UInt32"},
      {DType::UInt64, "UInt64"},   {DType::QInt16, "QInt16"},
      {DType::QUInt16, "QUInt16"}};
  for (auto [type, name] : names)
    if (type == dtype)
      return "DType::" + std::string(name);
  return "DType::Invalid";
}

/// The default as a member initializer.
std::string defaultText(const AttrDef &attr) {
  const AttrValue &value = *attr.defaultValue;
  if (const auto *number = value.getIf<int64_t>())
    return strCat(*number);
  if (const auto *number = value.getIf<float>())
    return floatText(*number);
  if (const auto *truth = value.getIf<bool>())
    return *truth ? "true" : "false";
  if (const auto *text = value.getIf<std::string>())
    return quotedText(*text);
  if (const auto *dtype = value.getIf<DType>())
    return dtypeText(*dtype);
  if (const auto *shape = value.getIf<Shape>())
    return shape->hasRank() ? "Shape" + [&] {
      std::vector<std::string> dims;
      for (int64_t dim : shape->dims())
        dims.push_back(strCat(dim));
      return "{" + strJoin(dims, ", ") + "}";
    }()
                            : "Shape::unknownRank()";
  if (const auto *numbers = value.getIf<std::vector<int64_t>>())
    return "{" + strJoin(*numbers, ", ") + "}";
  if (const auto *numbers = value.getIf<std::vector<float>>()) {
    std::vector<std::string> texts;
    for (float number : *numbers)
      texts.push_back(floatText(number));
    return "{" + strJoin(texts, ", ") + "}";
  }
  if (const auto *types = value.getIf<std::vector<DType>>()) {
    std::vector<std::string> texts;
    for (DType type : *types)
      texts.push_back(dtypeText(type));
    return "{" + strJoin(texts, ", ") + "}";
  }
  return "{}";
}

/// What the functions say of one op.
struct Builder {
  const OpDef &def;
  std::string name = functionName(def.name);
  std::vector<const AttrDef *> required, optional;

  explicit Builder(const OpDef &def) : def(def) {
    for (const AttrDef &attr : def.attrs)
      if (!isInferred(attr.name))
        (attr.defaultValue ? optional : required).push_back(&attr);
  }

  bool isInferred(std::string_view attr) const {
    return std::ranges::any_of(def.inputs, [&](const ArgDef &arg) {
      return arg.typeAttr == attr || arg.typeListAttr == attr ||
             arg.numberAttr == attr;
    });
  }
  static bool isList(const ArgDef &arg) {
    return !arg.numberAttr.empty() || !arg.typeListAttr.empty();
  }

  std::string optionsType() const {
    return optional.empty() ? "OpOptions" : def.name + "Options";
  }
  std::string resultType() const {
    if (def.outputs.empty())
      return "const Node *";
    if (def.outputs.size() > 1)
      return def.name + "Result";
    return isList(def.outputs[0]) ? "std::vector<Output>" : "Output";
  }

  std::string signature(bool withDefaults) const {
    std::string type = resultType();
    std::string text = type + (type.ends_with('*') ? "" : " ") + name + "(";
    for (const ArgDef &arg : def.inputs)
      text += strCat(isList(arg) ? "const InputList &" : "const Input &",
                     memberName(arg.name), ", ");
    for (const AttrDef *attr : required) {
      bool isSmall = !attr->isList && attr->kind != AttrKind::String &&
                     attr->kind != AttrKind::Shape &&
                     attr->kind != AttrKind::Tensor &&
                     attr->kind != AttrKind::Func;
      text += isSmall ? strCat(attrType(*attr), " ", memberName(attr->name))
                      : strCat("const ", attrType(*attr), " &",
                               memberName(attr->name));
      text += ", ";
    }
    return strCat(text, "const ", optionsType(), " &options",
                  withDefaults ? " = {}" : "", ")");
  }

  /// What the schema says of an attribute's values.
  static std::string attrDoc(const AttrDef &attr) {
    std::string text = strCat("Attribute \"", attr.name, "\"");
    if (!attr.allowedStrings.empty()) {
      std::vector<std::string> values;
      for (const std::string &value : attr.allowedStrings)
        values.push_back(quotedText(value));
      text += strCat(": ", strJoin(values, ", "));
    } else if (attr.minimum) {
      text += strCat(", ", *attr.minimum, " or more");
    } else if (attr.kind == AttrKind::Type && !attr.allowedTypes.empty()) {
      std::vector<std::string_view> types;
      for (DType type : attr.allowedTypes)
        types.push_back(dtypeName(type));
      text += strCat(": ", strJoin(types, ", "));
    }
    return text + ".";
  }

  /// The types of an output, as the schema has them.
  static std::string outputDoc(const ArgDef &arg) {
    if (!arg.typeListAttr.empty())
      return strCat("Tensors of the types of \"", arg.typeListAttr, "\".");
    std::string type = arg.typeAttr.empty()
                           ? std::string(dtypeName(arg.dtype))
                           : strCat("the type \"", arg.typeAttr, "\"");
    std::string subject =
        arg.numberAttr.empty()
            ? std::string(arg.isRef ? "A reference to a variable" : "A tensor")
            : strCat("As many tensors as \"", arg.numberAttr, "\" says,");
    return strCat(subject, " of ", type, ".");
  }

  void writeDeclarations(std::ostream &out) const {
    if (!optional.empty()) {
      out << "/// Attributes of " << def.name << " that have defaults.\n";
      out << "struct " << optionsType() << " {\n";
      for (const AttrDef *attr : optional)
        out << "  /// " << attrDoc(*attr) << "\n  " << attrType(*attr) << " "
            << memberName(attr->name) << " = " << defaultText(*attr) << ";\n";
      out << "  /// \"" << def.name << "\" where it is empty.\n";
      out << "  std::string name = {};\n};\n";
    }
    if (def.outputs.size() > 1) {
      out << "/// The outputs of " << def.name << ".\n";
      out << "struct " << resultType() << " {\n";
      for (const ArgDef &arg : def.outputs)
        out << "  /// " << outputDoc(arg) << "\n"
            << (isList(arg) ? "  std::vector<Output> " : "  Output ")
            << memberName(arg.name) << ";\n";
      out << "  /// The node; null after an error.\n"
             "  const Node *operation = nullptr;\n};\n";
    }
    out << "/// " << def.doc << " **Source**: " << def.name << ".\n";
    for (const AttrDef *attr : required)
      if (std::string text = attrDoc(*attr); text.find(": ") != text.npos)
        out << "/// " << text << "\n";
    out << "KILN_EXPORT " << signature(true) << ";\n\n";
  }

  void writeDefinition(std::ostream &out) const {
    out << signature(false) << " {\n  AttrMap attrs;\n";
    for (const AttrDef *attr : required)
      out << "  attrs.set(" << quotedText(attr->name) << ", "
          << memberName(attr->name) << ");\n";
    for (const AttrDef *attr : optional) {
      // A tensor that is not given: the op's own default.
      if (attr->kind == AttrKind::Tensor)
        out << "  if (options." << memberName(attr->name)
            << ".value.isValid())\n  ";
      out << "  attrs.set(" << quotedText(attr->name) << ", options."
          << memberName(attr->name) << ");\n";
    }
    out << "  const Node *added = addRawOp({" << quotedText(def.name)
        << ", options.name, {";
    for (const ArgDef &arg : def.inputs)
      out << memberName(arg.name) << ", ";
    out << "}, std::move(attrs)});\n";
    if (def.outputs.empty())
      out << "  return added;\n}\n\n";
    else if (def.outputs.size() == 1 && !isList(def.outputs[0]))
      out << "  return {added, 0};\n}\n\n";
    else if (def.outputs.size() == 1)
      out << "  return outputsOf(added);\n}\n\n";
    else
      writeResult(out);
  }

  void writeResult(std::ostream &out) const {
    out << "  " << resultType() << " result;\n  result.operation = added;\n";
    out << "  OutputReader outputs(added);\n";
    for (const ArgDef &arg : def.outputs) {
      std::string member = "result." + memberName(arg.name);
      if (!arg.typeListAttr.empty())
        out << "  " << member << " = outputs.types("
            << quotedText(arg.typeListAttr) << ");\n";
      else if (!arg.numberAttr.empty())
        out << "  " << member << " = outputs.several("
            << quotedText(arg.numberAttr) << ");\n";
      else
        out << "  " << member << " = outputs.next();\n";
    }
    out << "  return result;\n}\n\n";
  }
};

constexpr std::string_view license =
    "// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. "
    "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n";

std::string guardName(std::string_view family) {
  std::string guard = "KILN_OPS_";
  for (char c : family)
    guard += toUpper(c);
  return guard + "_H";
}

std::string headerText(const OpFamily &family,
                       const std::vector<Builder> &ops) {
  std::ostringstream out;
  std::string guard = guardName(family.name);
  out << license << "// Functions that add one node: " << family.purpose
      << ". Generated by kiln-op-builders.\n#ifndef " << guard << "\n#define "
      << guard
      << "\n\n#include \"kiln/OpOptions.h\"\n\n#include <limits>\n\n"
         "namespace kiln {\nnamespace rawOps {\n\n";
  for (const Builder &op : ops)
    op.writeDeclarations(out);
  out << "} // namespace rawOps\n\nnamespace ops {\n";
  for (const Builder &op : ops)
    if (!wrappedOps().contains(op.def.name)) {
      out << "using rawOps::" << op.name << ";\n";
      if (!op.optional.empty())
        out << "using rawOps::" << op.optionsType() << ";\n";
      if (op.def.outputs.size() > 1)
        out << "using rawOps::" << op.resultType() << ";\n";
    }
  out << "} // namespace ops\n} // namespace kiln\n\n#endif // " << guard
      << "\n";
  return out.str();
}

std::string sourceText(const OpFamily &family,
                       const std::vector<Builder> &ops) {
  std::ostringstream out;
  out << license << "// Generated by kiln-op-builders.\n#include \"kiln/ops/"
      << family.name
      << ".h\"\n\n#include \"lib/Build/RawOps.h\"\n\n"
         "namespace kiln::rawOps {\n\n";
  for (const Builder &op : ops)
    op.writeDefinition(out);
  out << "} // namespace kiln::rawOps\n";
  return out.str();
}

/// Leaves a file alone that has the text already, so that nothing is compiled
/// again for it.
bool writeFile(const std::filesystem::path &path, const std::string &text) {
  std::ifstream old(path);
  if (old && std::string(std::istreambuf_iterator<char>(old), {}) == text)
    return true;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  std::ofstream file(path);
  file << text;
  if (file.flush())
    return true;
  std::cerr << "kiln-op-builders: cannot write " << path << "\n";
  return false;
}

bool writeFamily(const OpFamily &family, const std::filesystem::path &headers,
                 const std::filesystem::path &sources) {
  std::vector<Builder> ops;
  for (const OpRecord &record : family.records)
    if (const OpDef *def = lookupOp(record.name); def && isUpper(def->name[0]))
      ops.emplace_back(*def);
  std::string file(family.name);
  return writeFile(headers / (file + ".h"), headerText(family, ops)) &&
         writeFile(sources / (file + ".cpp"), sourceText(family, ops));
}

/// The header that includes all others of graph construction.
std::string umbrellaText(const std::vector<std::string> &families) {
  std::ostringstream out;
  out << license
      << "// All that graphs are built with. Generated by kiln-op-builders.\n"
         "#ifndef KILN_BUILDOPS_H\n#define KILN_BUILDOPS_H\n\n";
  constexpr std::string_view headers[] = {
#define KILN_BUILD_HEADER(name) name,
#include "lib/Build/BuildHeaders.def"
  };
  for (std::string_view header : headers)
    out << "#include \"kiln/" << header << ".h\"\n";
  for (const std::string &family : families)
    out << "#include \"kiln/ops/" << family << ".h\"\n";
  out << "\n#endif // KILN_BUILDOPS_H\n";
  return out.str();
}

} // namespace
} // namespace kiln

int main(int argc, char **argv) {
  CLI::App app("Writes the functions that add ops to graphs.");
  std::string headers, sources;
  app.add_option("--headers", headers, "Folder for the headers")->required();
  app.add_option("--sources", sources, "Folder for the sources")->required();
  CLI11_PARSE(app, argc, argv);
  std::vector<std::string> families;
  for (const kiln::OpFamily &family : kiln::opFamilies())
    if (kiln::writeFamily(family, headers, sources))
      families.emplace_back(family.name);
    else
      return 1;
  return kiln::writeFile(headers + "/../BuildOps.h",
                         kiln::umbrellaText(families))
             ? 0
             : 1;
}
