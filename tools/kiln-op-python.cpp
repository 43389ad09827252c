// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the Python functions that add one op each to a graph, from the schema
// tables: TensorFlow's generated gen_..._ops modules, in one module.
#include "lib/OpDefs/OpDef.h"
#include "lib/Support/Strings.h"

#include <CLI/CLI.hpp>

#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace kiln {
namespace {

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isLower(char c) { return c >= 'a' && c <= 'z'; }

/// "MatMul" to "mat_mul", "FIFOQueueV2" to "fifo_queue_v2", "Conv2D" to
/// "conv2d". **Source**: TensorFlow's python_op_gen, GenerateLowerCaseOpName.
std::string snakeCase(std::string_view op) {
  std::string name;
  for (size_t i = 0; i < op.size(); ++i) {
    bool begins =
        i > 0 && isUpper(op[i]) &&
        (isLower(op[i - 1]) || (i + 1 < op.size() && isLower(op[i + 1])));
    if (begins)
      name += '_';
    name += isUpper(op[i]) ? static_cast<char>(op[i] + 32) : op[i];
  }
  return name;
}

/// Words of Python get an underscore, as in TensorFlow.
std::string escaped(std::string name) {
  static const std::set<std::string_view> words = {
      "and",   "as",     "assert", "break",  "class", "continue", "def",
      "del",   "elif",   "else",   "except", "exec",  "finally",  "for",
      "from",  "global", "if",     "import", "in",    "is",       "lambda",
      "not",   "or",     "pass",   "print",  "raise", "return",   "try",
      "while", "with",   "yield",  "name"};
  return words.contains(name) ? name + "_" : name;
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

std::string dtypeText(DType dtype) {
  std::string name(dtypeName(dtype));
  return dtype == DType::Invalid ? "None" : "_dtypes." + name;
}

/// A default as Python has it; None where it has no value of its own.
std::string defaultText(const AttrValue &value) {
  if (const auto *number = value.getIf<int64_t>())
    return strCat(*number);
  if (const auto *number = value.getIf<float>()) {
    std::string text = strCat(*number);
    if (text == "inf" || text == "-inf")
      return "float(" + quotedText(text) + ")";
    return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
  }
  if (const auto *truth = value.getIf<bool>())
    return *truth ? "True" : "False";
  if (const auto *text = value.getIf<std::string>())
    return quotedText(*text);
  if (const auto *dtype = value.getIf<DType>())
    return dtypeText(*dtype);
  if (const auto *shape = value.getIf<Shape>(); shape && shape->hasRank()) {
    std::vector<std::string> dims;
    for (int64_t dim : shape->dims())
      dims.push_back(dim < 0 ? "None" : strCat(dim));
    return "[" + strJoin(dims, ", ") + "]";
  }
  if (const auto *numbers = value.getIf<std::vector<int64_t>>())
    return "[" + strJoin(*numbers, ", ") + "]";
  if (const auto *types = value.getIf<std::vector<DType>>()) {
    std::vector<std::string> texts;
    for (DType type : *types)
      texts.push_back(dtypeText(type));
    return "[" + strJoin(texts, ", ") + "]";
  }
  if (value.getIf<EmptyList>() || value.isEmptyList())
    return "[]";
  return "None";
}

std::string kindText(const AttrDef &attr) {
  constexpr std::string_view names[] = {"int",  "float", "bool",   "string",
                                        "type", "shape", "tensor", "func"};
  std::string kind(names[static_cast<size_t>(attr.kind)]);
  return attr.isList ? "list(" + kind + ")" : kind;
}

/// One function.
struct Function {
  const OpDef &def;
  std::string name = escaped(snakeCase(def.name));
  std::vector<const AttrDef *> required, optional;

  explicit Function(const OpDef &def) : def(def) {
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

  std::string parameters() const {
    std::string text;
    for (const ArgDef &arg : def.inputs)
      text += escaped(arg.name) + ", ";
    for (const AttrDef *attr : required)
      text += escaped(attr->name) + ", ";
    for (const AttrDef *attr : optional)
      text += strCat(escaped(attr->name), "=", defaultText(*attr->defaultValue),
                     ", ");
    return text + "name=None";
  }

  /// The call of add_op: (op, name, result, lists, inputs, attributes).
  std::string call(int result) const {
    std::string inputs;
    int64_t lists = 0;
    for (size_t i = 0; i < def.inputs.size(); ++i) {
      inputs += escaped(def.inputs[i].name) + ", ";
      lists |= isList(def.inputs[i]) ? int64_t{1} << i : 0;
    }
    std::string text = strCat(
        "_add_op(", quotedText(def.name), ", name, ", result, ", ", lists,
        ", (", inputs.empty() ? "" : inputs.substr(0, inputs.size() - 1), ")");
    for (const auto *attrs : {&required, &optional})
      for (const AttrDef *attr : *attrs)
        text += strCat(", ", quotedText(attr->name), ", ",
                       quotedText(kindText(*attr)), ", ", escaped(attr->name));
    return text + ")";
  }

  std::string resultClass() const { return "_" + def.name; }
  bool hasResultClass() const { return def.outputs.size() > 1; }

  void write(std::ostream &out) const {
    if (hasResultClass()) {
      std::vector<std::string> names;
      for (const ArgDef &arg : def.outputs)
        names.push_back(quotedText(escaped(arg.name)));
      out << resultClass() << " = _result_class(" << quotedText(def.name)
          << ", " << strJoin(names, ", ") << ")\n\n\n";
    }
    out << "def " << name << "(" << parameters() << "):\n    "
        << "\"\"\"" << def.doc << "\n\n    Source: tf.raw_ops." << def.name
        << ".\n    \"\"\"\n";
    bool hasLists = std::ranges::any_of(def.outputs, isList);
    if (def.outputs.empty())
      out << "    return " << call(2);
    else if (def.outputs.size() == 1)
      out << "    return " << call(hasLists ? 1 : 0);
    else if (!hasLists)
      out << "    return " << resultClass() << "(*" << call(1) << ")";
    else
      writeGroups(out);
    out << "\n\n\n";
  }

  /// Outputs that are lists, by the attributes that tell their lengths.
  void writeGroups(std::ostream &out) const {
    out << "    return " << resultClass() << "(*_grouped(" << call(2) << ", (";
    for (const ArgDef &arg : def.outputs)
      out << (isList(arg) ? quotedText(arg.numberAttr.empty() ? arg.typeListAttr
                                                              : arg.numberAttr)
                          : "None")
          << ", ";
    out << ")))";
  }
};

constexpr std::string_view head =
    R"("""Functions that add one op each to the current graph. Generated by kiln-op-python."""

from kiln._kiln.front import add_op as _add_op
from kiln.compat.v1 import dtypes as _dtypes
from kiln.compat.v1._raw_results import grouped as _grouped, result_class as _result_class

)";

} // namespace
} // namespace kiln

int main(int argc, char **argv) {
  CLI::App app("Writes the Python functions that add ops to graphs.");
  std::string path;
  app.add_option("FILE", path, "The Python module")->required();
  CLI11_PARSE(app, argc, argv);
  std::ostringstream text, names;
  text << kiln::head;
  for (const kiln::OpFamily &family : kiln::opFamilies())
    for (const kiln::OpRecord &record : family.records)
      if (const kiln::OpDef *def = kiln::lookupOp(record.name);
          def && kiln::isUpper(def->name[0])) {
        kiln::Function function(*def);
        text << "\n";
        function.write(text);
        names << "    " << kiln::quotedText(def->name) << ": " << function.name
              << ",\n";
      }
  text << "\nBY_OP = {\n" << names.str() << "}\n";
  std::ofstream file(path);
  file << text.str();
  if (file.flush())
    return 0;
  std::cerr << "kiln-op-python: cannot write " << path << "\n";
  return 1;
}
