// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops of random functions: nested, with values of outside,
// carried values that change places, variables and random numbers inside.
#include "test/unit/JIT/RandomGraph.h"

#include <algorithm>

namespace kiln {

template <class Finish>
std::string RandomGraph::region(const std::vector<TypedValue> &arguments,
                                Finish finish) {
  std::string around = std::exchange(body, {});
  std::vector<TypedValue> outside = values;
  bool couldFail = std::exchange(canFail, true); // no op in here may fail
  values.insert(values.end(), arguments.begin(), arguments.end());
  ++depth;
  for (int i = 0, count = 1 + below(5); i < count; ++i)
    addOp();
  finish();
  --depth;
  canFail = couldFail;
  values = std::move(outside);
  return std::exchange(body, std::move(around));
}

std::vector<TypedValue> RandomGraph::someValues(int most) {
  std::vector<TypedValue> some;
  for (int i = 0, count = 1 + below(most); i < count; ++i)
    some.push_back(!some.empty() && chance(40) ? some.back() : pick(values));
  return some;
}

std::string RandomGraph::listOf(const std::vector<TypedValue> &list,
                                std::string (*text)(const TypedValue &)) {
  std::string joined;
  for (const TypedValue &value : list)
    joined += (joined.empty() ? "" : ", ") + text(value);
  return joined;
}

std::vector<TypedValue>
RandomGraph::likes(const std::vector<TypedValue> &types) {
  std::vector<TypedValue> list;
  for (const TypedValue &like : types)
    list.push_back(valueOf(like.element, like.sides));
  return list;
}

std::string RandomGraph::results(const std::vector<TypedValue> &types) {
  std::string base = "%" + std::to_string(numOps++);
  for (size_t i = 0; i < types.size(); ++i)
    values.push_back({types.size() == 1 ? base : base + "#" + std::to_string(i),
                      types[i].element, types[i].sides});
  return types.size() == 1 ? base : base + ":" + std::to_string(types.size());
}

TypedValue RandomGraph::boundVector(const TypedValue &like) {
  std::optional<TypedValue> vector = anyVector(like.element);
  TypedValue from =
      vector ? *vector : constant(like.element, {known(1 + below(40))});
  TypedValue value{"%" + std::to_string(numOps++), like.element, like.sides};
  body += "  " + value.name + " = kiln.bind [" +
          std::to_string(like.sides[0].symbol) + "] (" + from.name + " : " +
          type(from) + ") -> " + type(value) + "\n";
  return value;
}

/// Now and then with one more result, a vector whose size each branch finds.
void RandomGraph::addIf() {
  TypedValue condition = valueOf("i1", {});
  std::vector<TypedValue> types = someValues(3);
  const bool bindsSize = chance(30);
  // Which sizes the vectors have is not known before both branches are made.
  Side size = bindsSize ? newFound({{symbol(S0), known(1000)},
                                    {symbol(S1), known(1000)},
                                    {symbol(S0TimesS1), known(10)}})
                        : Side();
  TypedValue bound = {"", randomNumber(), {size}};
  auto branch = [&] {
    return region({}, [&] {
      std::vector<TypedValue> given = likes(types);
      if (bindsSize)
        given.push_back(boundVector(bound));
      body += "  kiln.yield " + listOf(given, nameOf) + " : " +
              listOf(given, type) + "\n";
    });
  };
  std::string onTrue = branch(), onFalse = branch();
  if (bindsSize)
    types.push_back(bound);
  body += "  " + results(types) + " = kiln.if " + condition.name + " -> (" +
          listOf(types, type) + ") {\n" + onTrue + "  } else {\n" + onFalse +
          "  }\n";
}

/// A counted loop of few iterations; results are the carried values in some
/// order.
void RandomGraph::addWhile() {
  TypedValue zero = emit("constant dense<0> : tensor<i32>", "tensor<i32>",
                         "i32", {}),
             iterations = emit("constant dense<" + std::to_string(below(5)) +
                                   "> : tensor<i32>",
                               "tensor<i32>", "i32", {});
  std::vector<TypedValue> inits = someValues(3);
  inits.insert(inits.begin(), zero);
  auto arguments = [&] {
    std::vector<TypedValue> list = inits;
    for (TypedValue &argument : list)
      argument.name = "%a" + std::to_string(numOps++);
    return list;
  };
  std::vector<TypedValue> before = arguments(), forwarded;
  std::string test = region(before, [&] {
    TypedValue more =
        emit("compare lt " + before[0].name + ", " + iterations.name,
             "tensor<i32> -> tensor<i1>", "i1", {});
    forwarded = {before.begin() + 1, before.end()};
    std::shuffle(forwarded.begin(), forwarded.end(), random);
    forwarded.insert(forwarded.begin(), before[0]);
    body += "  kiln.condition " + more.name + ", " + listOf(forwarded, nameOf) +
            " : " + listOf(forwarded, type) + "\n";
  });
  std::vector<TypedValue> after = forwarded;
  for (TypedValue &argument : after)
    argument.name = "%a" + std::to_string(numOps++);
  std::string iteration = region(after, [&] {
    TypedValue one =
        emit("constant dense<1> : tensor<i32>", "tensor<i32>", "i32", {});
    std::vector<TypedValue> next = likes({inits.begin() + 1, inits.end()});
    next.insert(next.begin(), emit("add " + after[0].name + ", " + one.name,
                                   "tensor<i32>", "i32", {}));
    body += "  kiln.yield " + listOf(next, nameOf) + " : " +
            listOf(next, type) + "\n";
  });
  std::string carried, given;
  for (size_t i = 0; i < inits.size(); ++i) {
    carried += (i ? ", " : "") + before[i].name + ": " + type(inits[i]) +
               " = " + inits[i].name;
    given += (i ? ", " : "") + after[i].name + ": " + type(after[i]);
  }
  body += "  " + results(forwarded) + " = kiln.while (" + carried + ") -> (" +
          listOf(forwarded, type) + ") {\n" + test + "  } do (" + given +
          ") {\n" + iteration + "  }\n";
}

static const std::string scalar = "tensor<i32>";

TypedValue RandomGraph::number(int64_t value) {
  return emit("constant dense<" + std::to_string(value) + "> : " + scalar,
              scalar, "i32", {});
}

Side RandomGraph::readSize(const TypedValue &size) {
  Side side = newFound({{known(6)}});
  body += "  kiln.runtime_call \"ReadNumbers\" ins(" + size.name + " : " +
          scalar + ") types [" + scalar +
          "] {binds = array<i64: " + std::to_string(side.symbol) +
          ">, numbers = array<i64: 0>}\n";
  return side;
}

void RandomGraph::addIterations(const TypedValue &iterations,
                                const TypedValue &init,
                                const Iteration &finish) {
  TypedValue zero = number(0), one = number(1),
             iteration{"%a" + std::to_string(numOps++), "i32", {}},
             sum{"%a" + std::to_string(numOps++), init.element, init.sides};
  std::string test = region({iteration, sum}, [&] {
    TypedValue more =
        emit("compare lt " + iteration.name + ", " + iterations.name,
             scalar + " -> tensor<i1>", "i1", {});
    body += "  kiln.condition " + more.name + ", " + iteration.name + ", " +
            sum.name + " : " + scalar + ", " + type(sum) + "\n";
  });
  TypedValue place{"%a" + std::to_string(numOps++), "i32", {}},
      last{"%a" + std::to_string(numOps++), init.element, init.sides};
  std::string loop = region({place, last}, [&] {
    TypedValue read = finish(place);
    TypedValue next = emit("add " + read.name + ", " + last.name, type(read),
                           init.element, init.sides),
               after = emit("add " + place.name + ", " + one.name, scalar,
                            "i32", {});
    body += "  kiln.yield " + after.name + ", " + next.name + " : " + scalar +
            ", " + type(next) + "\n";
  });
  body += "  " + results({iteration, sum}) + " = kiln.while (" +
          iteration.name + ": " + scalar + " = " + zero.name + ", " + sum.name +
          ": " + type(sum) + " = " + init.name + ") -> (" + scalar + ", " +
          type(sum) + ") {\n" + test + "  } do (" + place.name + ": " + scalar +
          ", " + last.name + ": " + type(last) + ") {\n" + loop + "  }\n";
}

/// What slots hold elements of, with the number of its dtype.
static const std::vector<std::pair<std::string, std::string>> slotElements = {
    {"f32", "1"}, {"f64", "2"}, {"i32", "3"}, {"i64", "9"}};

/// A TensorArray that a loop fills and reads, and all of it behind the loop.
void RandomGraph::addArray() {
  if (depth > 1)
    return;
  const std::string slot = std::to_string(numSlots++);
  auto [element, dtype] = pick(slotElements);
  Sides sides =
      pick<Sides>({{}, {known(3)}, {known(17)}, {symbol(S1)}, randomSides()});
  TypedValue size = number(1 + below(6));
  call("AsString", {size}, {{"", "!kiln.string", {}}},
       "numbers = array<i64: -1, 0, 0, -1, 0>");
  TypedValue name = values.back();
  values.pop_back();
  const std::string flags = pick<std::string>({"0", "1", "4", "5"});
  call("SlotMake", {size, name}, {},
       "numbers = array<i64: " + slot + ", " + flags + ", " + dtype + ", -1>");
  const std::string numbers = "numbers = array<i64: " + slot + ">";
  addIterations(size, valueOf(element, sides), [&](const TypedValue &place) {
    call("SlotWrite", {place, valueOf(element, sides)}, {}, numbers);
    return call("SlotRead", {place}, {{"", element, sides}}, numbers)[0];
  });
  // How many were written is what the size is, which both are known to be.
  Side all = readSize(size);
  TypedValue wanted = {"", element, sides}, zero = number(0), one = number(1);
  wanted.sides.insert(wanted.sides.begin(), all);
  TypedValue places =
      emit("iota " + zero.name + ", " + one.name + " axis 0",
           scalar + " -> " + typeOf({all}, "i32"), "i32", {all});
  call("SlotReadMany", {places}, {wanted},
       "numbers = array<i64: " + slot + ", -1>");
}

/// A list that a loop fills and reads, with sums over as many elements as there
/// were iterations; a copy that loses its last element, and all of the list.
void RandomGraph::addList() {
  if (depth > 1)
    return;
  const std::string slot = std::to_string(numSlots++),
                    copied = std::to_string(numSlots++);
  auto [element, dtype] = pick(slotElements);
  Sides sides =
      pick<Sides>({{}, {known(3)}, {known(17)}, {symbol(S1)}, randomSides()});
  TypedValue size = number(1 + below(6)), any = number(-1);
  call("ListMake", {any, any}, {},
       "numbers = array<i64: " + slot + ", " + dtype + ">");
  const std::string numbers = "numbers = array<i64: " + slot + ">";
  addIterations(size, valueOf(element, sides), [&](const TypedValue &place) {
    TypedValue grown = constant(element, {readSize(place)});
    TypedValue sum =
        emit("reduce sum " + grown.name + " axes [0]",
             type(grown) + " -> tensor<" + element + ">", element, {});
    call("ListPush",
         {chance(50) ? valueOf(element, sides) : broadcast(sum, sides)}, {},
         numbers);
    return call("ListGet", {chance(50) ? place : number(0), any},
                {{"", element, sides}}, numbers)[0];
  });
  call("ListCopy", {}, {},
       "numbers = array<i64: " + copied + ", " + slot + ">");
  call("ListPop", {any}, {{"", element, sides}},
       "numbers = array<i64: " + copied + ">");
  TypedValue wanted = {"", element, sides};
  wanted.sides.insert(wanted.sides.begin(), readSize(size));
  call("ListStack", {any}, {wanted}, "numbers = array<i64: " + slot + ", -1>");
}

} // namespace kiln
