// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A unit a line, with what is in it below.
#include "lib/Plan/cut/PrintCut.h"

#include "lib/Plan/ir/Print.h"
#include "lib/Support/Strings.h"

namespace kiln {
namespace {

class CutPrinter {
public:
  std::string text;

  void print(const CutGraph &cut, int indent, std::string_view name) {
    plans.setSynthesized(cut.synthesized);
    line(indent, strCat(name, " (", plans.names(cut.feeds), ") {"));
    for (const CutValue &value : cut.values)
      if (value.isConstant)
        line(indent + 2, strCat(numbers(cut, {indexOf(cut, value)}),
                                " = constant ", plans.name(value.tensor)));
    for (const CutUnit &unit : cut.units)
      printUnit(cut, unit, indent + 2);
    line(indent + 2, strCat("return ", numbers(cut, cut.fetches)));
    line(indent, "}");
  }

private:
  void line(int indent, const std::string &words) {
    text.append(static_cast<size_t>(indent), ' ');
    text += words;
    while (text.back() == ' ')
      text.pop_back();
    text += '\n';
  }

  static int indexOf(const CutGraph &cut, const CutValue &value) {
    return static_cast<int>(&value - cut.values.data());
  }

  /// "$0, $feed, -": values by number, feeds of the run by name, handles and
  /// what is not used.
  std::string numbers(const CutGraph &cut, const std::vector<int> &values) {
    std::string list;
    for (int number : values) {
      list += list.empty() ? "" : ", ";
      if (number < 0) {
        list += "-";
        continue;
      }
      const CutValue &value = cut.values[static_cast<size_t>(number)];
      list += value.feed >= 0 ? plans.name(value.tensor) : strCat("$", number);
      list += value.isSlot ? " slot" : "";
    }
    return list;
  }

  void printUnit(const CutGraph &cut, const CutUnit &unit, int indent) {
    const std::string gives =
        unit.outputs.empty() ? "" : strCat(numbers(cut, unit.outputs), " = ");
    const std::string takes = strCat("(", numbers(cut, unit.inputs), ")");
    if (unit.feed >= 0) {
      line(indent, strCat(gives, "arrival"));
    } else if (unit.part) {
      line(indent, strCat(gives, "part ", takes));
      text += plans.print(*unit.part, indent + 2);
    } else if (unit.region) {
      const char *kind = unit.region->kind == Item::Kind::While ? "while"
                         : unit.region->kind == Item::Kind::If  ? "if"
                                                                : "call";
      line(indent, strCat(gives, kind, " ", quote(unit.name), " ", takes));
      print(unit.region->first, indent + 2, "first");
      if (unit.region->kind != Item::Kind::Call)
        print(unit.region->second, indent + 2, "second");
    } else {
      line(indent,
           strCat(gives, unit.node->op(), " ", quote(unit.name), " ", takes,
                  unit.handles.empty()
                      ? ""
                      : strCat(" of ", plans.names(unit.handles))));
    }
  }

  PlanPrinter plans;
};

} // namespace

std::string print(const CutGraph &cut) {
  CutPrinter printer;
  printer.print(cut, 0, "cut");
  return std::move(printer.text);
}

} // namespace kiln
