// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A random function of all tensor ops, as source, and what to run it on.
#ifndef KILN_TEST_UNIT_JIT_RANDOMGRAPH_H
#define KILN_TEST_UNIT_JIT_RANDOMGRAPH_H

#include "test/unit/JIT/NativeHarness.h"

#include <functional>
#include <optional>
#include <random>

namespace kiln {

using Sides = std::vector<Side>;

/// Symbols of every function: two free ones, one that is 1 or s0, and what
/// concat and reshape need. What a run finds out comes behind them.
enum Symbol : int { S0, S1, OneOrS0, S0TimesS1, TwiceS0, numSymbols };

inline Side known(int64_t extent) { return {extent}; }
inline Side symbol(Symbol id) { return {0, id}; }

struct TypedValue {
  std::string name, element;
  Sides sides;
};

class RandomGraph {
public:
  /// \p maxDepth: of branches and loops inside each other; none for 0.
  explicit RandomGraph(unsigned seed, int maxDepth = 0)
      : random(seed), maxDepth(maxDepth) {}

  /// One function in six initializes several variables in one run.
  void generate();

  std::string source() const;

  /// Elements of the largest value or variable.
  int64_t largest(int64_t s0, int64_t s1) const;

  NativeInputs inputs(int64_t s0, int64_t s1, bool isOne, unsigned seed) const;

private:
  // Random choices

  int below(int limit);
  bool chance(int percent);
  template <class T> T pick(const std::vector<T> &list) {
    return list[static_cast<size_t>(below(static_cast<int>(list.size())))];
  }
  std::string newElement();
  /// Mostly one of two that a function keeps to, if it does; likewise shapes.
  std::string randomElement();
  std::string randomNumber();
  Side randomSide();
  Sides newSides();
  Sides randomSides();

  static Tensor contents(const TypedValue &value,
                         const std::vector<int64_t> &symbols, int64_t limit,
                         unsigned seed);

  // Values

  /// \p limit: a feed of indices below it.
  TypedValue addFeed(const std::string &element, const Sides &sides,
                     std::optional<Side> limit = {});

  void addVariable(const std::string &element, const Sides &sides);

  static std::string type(const TypedValue &value);

  /// Appends `%n = kiln.<text> : <types>`.
  TypedValue emit(const std::string &text, const std::string &types,
                  const std::string &element, const Sides &sides);

  /// A value of this type: one that exists, or a new broadcast, feed or
  /// constant.
  TypedValue valueOf(const std::string &element, const Sides &sides);

  TypedValue anyNumber();
  TypedValue anyFloat();
  /// A value that ops other than moves take.
  TypedValue pickComputed();
  static bool isFloat(const std::string &element) {
    return element == "f32" || element == "f64";
  }

  /// A constant: a splat, elements, or one of the table.
  TypedValue constant(const std::string &element, const Sides &sides);
  TypedValue tableConstant(const std::string &element, const Sides &sides);
  /// A number as the element type has it.
  std::string numberText(const std::string &element);
  /// Numbers in row-major order, nested in brackets.
  std::string elementsText(const std::string &element, const Sides &sides,
                           size_t at = 0);
  /// Numbers or symbols: what ops on shapes give.
  TypedValue dims(const std::string &element, const Sides &sides);

  // Broadcasts

  static bool repeatsInto(Side from, Side to);
  /// A random-free greedy map of dimensions; {-1} where the operand is a
  /// scalar, empty where there is none.
  static std::vector<int> mapInto(const Sides &from, const Sides &to);
  TypedValue broadcast(const TypedValue &value, const Sides &to);

  // Ops (RandomGraphOps.cpp)

  void addOp();
  void addUnary();
  void addBinary();
  void addCompare();
  void addSelect();
  void addCast();
  void addBroadcast();
  void addReduce();
  void addTranspose();
  void addReshape();
  void addSlice();
  void addConcat();
  void addPad();
  void addWindow();
  void addGather();
  void addIota();
  void addRandom();
  void addMatmul();
  void addArgReduce();

  // Sources and variables (RandomGraphState.cpp)

  void addRandomInt();
  void addGenerated();
  void addOffsets();
  /// What variables are initialized with.
  TypedValue initialValue(const std::string &element, const Sides &sides);
  void addInitializer(const TypedValue &variable);
  void addRead();
  void addWrite();
  void addFlag();
  /// A list of extents for kiln.random_reserve.
  static std::string extentList(const Sides &sides);
  static std::string extentOf(const Side &side);
  TypedValue randomNumbers(const std::string &element, const Sides &sides);

  // What a run finds out (RandomGraphFound.cpp)

  /// Whether a dimension has a size that the run finds out.
  static bool isFound(const Sides &sides);
  static int64_t elementsOf(const Sides &sides,
                            const std::vector<int64_t> &symbols);
  /// A size for the run to find out: at most the sum of the elements of these.
  Side newFound(const std::vector<Sides> &most);
  /// Appends a call of a kernel; the names of `types` do not matter.
  std::vector<TypedValue> call(const std::string &kernel,
                               const std::vector<TypedValue> &inputs,
                               const std::vector<TypedValue> &types,
                               const std::string &attributes);
  /// A value of one dimension, of this element or, where that is empty, of one
  /// that ops compute with.
  std::optional<TypedValue> anyVector(const std::string &element = {});
  void addWhere();
  void addUnique();
  void addJoined();
  void addStrings();

  // Branches and loops (RandomGraphRegions.cpp)

  /// Some ops of a region, whose end \p finish writes; what they compute is
  /// not seen behind it.
  template <class Finish>
  std::string region(const std::vector<TypedValue> &arguments, Finish finish);
  /// Values to carry, each of a type of its own choice.
  std::vector<TypedValue> someValues(int most);
  static std::string listOf(const std::vector<TypedValue> &list,
                            std::string (*text)(const TypedValue &));
  static std::string nameOf(const TypedValue &value) { return value.name; }
  std::vector<TypedValue> likes(const std::vector<TypedValue> &types);
  /// Names the results of a region op, which become values.
  std::string results(const std::vector<TypedValue> &types);
  /// A vector of this element under this symbol, which it binds.
  TypedValue boundVector(const TypedValue &like);
  void addIf();
  void addWhile();
  TypedValue number(int64_t value);
  /// A size that the run finds to be that scalar, at most 6.
  Side readSize(const TypedValue &size);
  /// A loop of so many iterations that adds to `init` what `iteration` gives,
  /// which is given the number of the iteration.
  using Iteration = std::function<TypedValue(const TypedValue &place)>;
  void addIterations(const TypedValue &iterations, const TypedValue &init,
                     const Iteration &iteration);
  void addArray();
  void addList();

  std::mt19937 random;
  int maxDepth, depth = 0;
  std::vector<TypedValue> feeds, variables, constants, values, returned;
  // What the function keeps to; empty: to none.
  std::vector<Sides> shapes;
  std::vector<std::string> elements;
  std::vector<std::optional<Side>> indexLimits;
  std::vector<std::vector<Sides>> found; ///< by symbol, as newFound() has it
  std::string module, body;
  int numOps = 0;
  int numStreams = 0, numSlots = 0;
  bool canFail = false;
};

} // namespace kiln

#endif // KILN_TEST_UNIT_JIT_RANDOMGRAPH_H
