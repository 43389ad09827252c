// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, random numbers and variables of random functions.
#include "test/unit/JIT/RandomGraph.h"

#include <algorithm>

namespace kiln {

std::string RandomGraph::numberText(const std::string &element) {
  if (element == "i1")
    return pick<std::string>({"true", "false"});
  // Not 1: before kiln-simplify LLVM drops a product with it, and with that the
  // flushing of a denormal.
  if (!isInteger(element))
    return pick<std::string>({"0.0", "-0.0", "1.5", "0.1", "-2.5", "2.0"});
  return pick<std::string>({"0", "1", "2", "100",
                            element[0] == 'u' ? "7" : "-7",
                            element[0] == 'u' ? "127" : "-1"});
}

std::string RandomGraph::elementsText(const std::string &element,
                                      const Sides &sides, size_t at) {
  if (at == sides.size())
    return numberText(element);
  std::string text;
  for (int64_t i = 0; i < sides[at].extent; ++i)
    text += (i ? ", " : "") + elementsText(element, sides, at + 1);
  return "[" + text + "]";
}

TypedValue RandomGraph::constant(const std::string &element,
                                 const Sides &sides) {
  int64_t elements = 1;
  bool isStatic = true;
  for (const Side &side : sides) {
    isStatic &= side.symbol < 0;
    elements *= side.extent;
  }
  if (!isStatic || chance(50))
    return emit("constant dense<" + numberText(element) + "> : tensor<" +
                    element + ">",
                typeOf(sides, element), element, sides);
  if (elements > 64 || chance(20))
    return tableConstant(element, sides);
  std::string type = typeOf(sides, element);
  return emit("constant dense<" + elementsText(element, sides) + "> : " + type,
              type, element, sides);
}

TypedValue RandomGraph::tableConstant(const std::string &element,
                                      const Sides &sides) {
  constants.push_back({"", element, sides});
  return emit("constant_ref " + std::to_string(constants.size() - 1),
              typeOf(sides, element), element, sides);
}

TypedValue RandomGraph::dims(const std::string &element, const Sides &sides) {
  std::string list;
  for (int64_t i = 0, end = sides.empty() ? 1 : sides[0].extent; i < end; ++i)
    list += (list.empty() ? "" : ", ") +
            pick<std::string>({"s0", "s1", "s3", "9", "1", "0"});
  return emit("dims [" + list + "]", typeOf(sides, element), element, sides);
}

void RandomGraph::addGenerated() {
  if (chance(30))
    dims(pick<std::string>({"i32", "i64"}),
         chance(70) ? Sides{known(1 + below(5))} : Sides{});
  else if (chance(70))
    constant(randomElement(), randomSides());
  else
    tableConstant(randomElement(),
                  {pick<Side>({known(3), known(7), known(17)})});
}

/// What a fetched ConcatOffset gives: some vectors of one shape, each a splat,
/// numbers or symbols.
void RandomGraph::addOffsets() {
  if (depth > 0) // only what is returned is of interest
    return;
  std::string element = pick<std::string>({"i32", "i64"});
  Sides sides = {known(1 + below(4))};
  for (int i = 0, count = 2 + below(3); i < count; ++i)
    returned.push_back(chance(70) ? constant(element, sides)
                                  : dims(element, sides));
}

std::string RandomGraph::extentOf(const Side &side) {
  return side.symbol < 0 ? std::to_string(side.extent)
                         : "s" + std::to_string(side.symbol);
}

std::string RandomGraph::extentList(const Sides &sides) {
  std::string list;
  for (const Side &side : sides)
    list += (list.empty() ? "" : ", ") + extentOf(side);
  return "[" + list + "]";
}

TypedValue RandomGraph::randomNumbers(const std::string &element,
                                      const Sides &sides) {
  TypedValue state = emit("random_reserve " + std::to_string(numStreams++) +
                              " " + extentList(sides),
                          "tensor<6xi32>", "i32", {known(6)});
  return emit("random " + pick<std::string>({"uniform", "normal"}) + " " +
                  state.name,
              "tensor<6xi32> -> " + typeOf(sides, element), element, sides);
}

void RandomGraph::addRandomInt() {
  std::string element = pick<std::string>({"i32", "i64"}),
              scalar = typeOf({}, element);
  Sides sides = randomSides();
  auto bound = [&](const std::string &number) {
    return emit("constant dense<" + number + "> : " + scalar, scalar, element,
                {})
        .name;
  };
  std::string low = bound(pick<std::string>({"-3", "0"})),
              high = bound(pick<std::string>({"1", "10"}));
  TypedValue state = emit("random_reserve " + std::to_string(numStreams++) +
                              " " + extentList(sides),
                          "tensor<6xi32>", "i32", {known(6)});
  emit("random_int " + state.name + ", " + low + ", " + high,
       "tensor<6xi32>, " + scalar + " -> " + typeOf(sides, element), element,
       sides);
}

TypedValue RandomGraph::initialValue(const std::string &element,
                                     const Sides &sides) {
  std::vector<TypedValue> others;
  std::ranges::copy_if(
      variables, std::back_inserter(others), [&](const TypedValue &variable) {
        return variable.element == element && variable.sides == sides;
      });
  if (!others.empty() && chance(20)) {
    TypedValue other = pick(others);
    return emit("var_read " + other.name, type(other), element, sides);
  }
  if (isFloat(element) && chance(40))
    return randomNumbers(element, sides);
  if (element != "i1" && !isNarrowFloat(element) && !sides.empty() &&
      chance(20)) {
    TypedValue start = constant(element, {}), step = constant(element, {});
    return emit("iota " + start.name + ", " + step.name + " axis " +
                    std::to_string(below(static_cast<int>(sides.size()))),
                type(start) + " -> " + typeOf(sides, element), element, sides);
  }
  return constant(element, sides);
}

void RandomGraph::addInitializer(const TypedValue &variable) {
  TypedValue value = initialValue(variable.element, variable.sides);
  body += "  kiln.var_write " + variable.name + ", " + value.name + " : " +
          type(value) + "\n";
}

void RandomGraph::addRead() {
  if (variables.empty())
    return;
  TypedValue variable = pick(variables);
  emit("var_read " + variable.name, type(variable), variable.element,
       variable.sides);
}

void RandomGraph::addWrite() {
  if (variables.empty())
    return;
  TypedValue variable = pick(variables);
  if (chance(25))
    return addInitializer(variable);
  TypedValue value = valueOf(variable.element, variable.sides);
  body += "  kiln.var_write " + variable.name + ", " + value.name + " : " +
          type(value) + "\n";
}

void RandomGraph::addFlag() {
  if (!variables.empty())
    emit("var_is_initialized " + pick(variables).name, "tensor<i1>", "i1", {});
}

} // namespace kiln
