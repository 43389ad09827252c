// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions on values, ranks and types, as TensorFlow's Python adds them.
#include "kiln/ops/CheckOps.h"

#include "kiln/ControlFlow.h"
#include "kiln/GraphScopes.h"
#include "kiln/Operators.h"
#include "kiln/ops/Array.h"
#include "kiln/ops/ArrayOps.h"
#include "kiln/ops/ControlFlow.h"
#include "kiln/ops/ControlOps.h"
#include "kiln/ops/Math.h"
#include "kiln/ops/MathOps.h"
#include "lib/Build/Ops/Helpers.h"
#include "lib/Build/Ops/ValueText.h"
#include "lib/Graph/TensorText.h"
#include "lib/Support/DTypeDispatch.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <limits>

namespace kiln::ops {
namespace {

using Comparison = Output (*)(const Input &, const Input &);

/// A comparison of two tensors: how Python writes it, what adds it.
struct Relation {
  std::string_view sign, function;
  Comparison add;
};

Output equalTo(const Input &x, const Input &y) { return rawOps::equal(x, y); }
Output unequalTo(const Input &x, const Input &y) {
  return rawOps::notEqual(x, y);
}
Output lessThan(const Input &x, const Input &y) { return rawOps::less(x, y); }
Output atMost(const Input &x, const Input &y) {
  return rawOps::lessEqual(x, y);
}
Output moreThan(const Input &x, const Input &y) {
  return rawOps::greater(x, y);
}
Output atLeast(const Input &x, const Input &y) {
  return rawOps::greaterEqual(x, y);
}

constexpr Relation equality{"==", "assert_equal", equalTo},
    inequality{"!=", "assert_none_equal", unequalTo},
    isLess{"<", "assert_less", lessThan},
    lessOrEqual{"<=", "assert_less_equal", atMost},
    isGreater{">", "assert_greater", moreThan},
    greaterOrEqual{">=", "assert_greater_equal", atLeast};

template <class T> bool holds(std::string_view sign, T x, T y) {
  if (sign == "==")
    return x == y;
  if (sign == "!=")
    return x != y;
  if (sign == "<")
    return x < y;
  if (sign == "<=")
    return x <= y;
  return sign == ">" ? x > y : x >= y;
}

/// Whether a comparison holds for all elements; true where it cannot be told.
bool holdsStatically(std::string_view sign, const Tensor &x, const Tensor &y) {
  bool isSame = x.shape() == y.shape();
  if (x.dtype() != y.dtype() ||
      (!isSame && x.numElements() != 1 && y.numElements() != 1))
    return true;
  auto holdsForAll = [&](auto left, auto right) {
    size_t count = std::max(left.size(), right.size());
    if (left.empty() || right.empty())
      return true;
    for (size_t i = 0; i < count; ++i)
      if (!holds(sign, left[left.size() == 1 ? 0 : i],
                 right[right.size() == 1 ? 0 : i]))
        return false;
    return true;
  };
  if (x.dtype() == DType::String) {
    auto a = x.data<String>(), b = y.data<String>();
    return holdsForAll(std::vector<std::string_view>(a.begin(), a.end()),
                       std::vector<std::string_view>(b.begin(), b.end()));
  }
  if (!isSupported(x.dtype()))
    return true;
  if (x.dtype() == DType::Float16 || x.dtype() == DType::BFloat16)
    return true;
  return dispatchOrdered(x.dtype(), [&](auto sample) {
    using T = decltype(sample);
    return holdsForAll(x.data<T>(), y.data<T>());
  });
}

/// The data as the message of an error that needs no run.
Status staticError(const std::vector<Input> &data) {
  std::vector<std::string> lines;
  for (const Input &each : data)
    lines.push_back(valueText(each));
  return invalidArgumentError(strJoin(lines, "\n"));
}

AssertThatOptions summarizing(const CheckOptions &options) {
  AssertThatOptions all;
  all.summarize = options.summarize.value_or(3);
  return all;
}

/// **Source**: check_ops._binary_assert.
const Node *assertRelation(const Relation &relation, const Input &x,
                           const Input &y, const CheckOptions &options) {
  FunctionScope scope(options.name, relation.function, {&x, &y});
  Output a = convert(x, "x"), b = convert(y, "y");
  if (!a.node || !b.node)
    return nullptr;
  std::vector<Input> data;
  if (options.message)
    data.emplace_back(*options.message);
  if (options.data) {
    const auto &given = options.data->list();
    data.insert(data.end(), given.begin(), given.end());
  } else {
    data.emplace_back(
        strCat("Condition x ", relation.sign, " y did not hold element-wise:"));
    for (auto [name, tensor] : {std::pair("x", a), std::pair("y", b)}) {
      data.emplace_back(strCat(name, " (", tensor.name(), ") = "));
      data.emplace_back(tensor);
    }
  }
  Output condition = reduceAll(relation.add(a, b));
  auto knownX = constantValue(a), knownY = constantValue(b);
  if (knownX && knownY && !holdsStatically(relation.sign, *knownX, *knownY)) {
    failed(staticError(data), scope);
    return nullptr;
  }
  return assertThat(condition, data, summarizing(options));
}

std::string prefix(const CheckOptions &options) {
  return options.message && !options.message->empty()
             ? strCat(*options.message, ".  ")
             : std::string();
}

/// x against 0, which stands on the left where it is `isReflected`.
const Node *assertSign(std::string_view function, std::string_view condition,
                       const Relation &relation, bool isReflected,
                       const Input &x, const CheckOptions &options) {
  FunctionScope scope(options.name, function, {&x});
  Output tensor = convert(x, "x");
  if (!tensor.node)
    return nullptr;
  CheckOptions inner{.data = options.data, .summarize = options.summarize};
  if (!inner.data) {
    std::string name = strCat("x (", tensor.name(), ") = ");
    // TensorFlow joins two of these texts by mistake.
    if (function == "assert_non_positive")
      inner.data =
          InputList({prefix(options), strCat(condition, name), tensor});
    else
      inner.data =
          InputList({prefix(options), std::string(condition), name, tensor});
  }
  Output zero = convert(0, "", tensor.dtype());
  return isReflected ? assertRelation(relation, zero, tensor, inner)
                     : assertRelation(relation, tensor, zero, inner);
}

const Node *allOk() {
  return rawOps::noOp({.name = "static_checks_determined_all_ok"});
}

/// A check of ranks: how its words go on, and what it demands.
struct RankCheck {
  std::string_view function, words;
  bool (*holds)(int64_t rank, int64_t given);
  Comparison add;
};

constexpr RankCheck exactly{"assert_rank", "must have rank",
                            [](int64_t a, int64_t b) { return a == b; },
                            equalTo},
    atLeastRank{"assert_rank_at_least", "must have rank at least",
                [](int64_t a, int64_t b) { return a >= b; }, atLeast};

const Node *checkRank(const RankCheck &check, const Input &x, const Input &rank,
                      const CheckOptions &options);

/// The condition, once the rank is known to be a scalar.
Output withScalarRank(const Output &condition, const Output &rank) {
  CheckOptions options;
  options.data =
      InputList({"Rank must be a scalar. Received rank: ", Input(rank)});
  return withDependencies({checkRank(exactly, rank, 0, options)}, condition);
}

/// **Source**: check_ops._assert_rank_condition.
const Node *checkRank(const RankCheck &check, const Input &x, const Input &rank,
                      const CheckOptions &options) {
  FunctionScope scope(options.name, check.function, {&x, &rank});
  Output tensor = convert(x, "x"), wanted = convert(rank, "rank");
  if (!tensor.node || !wanted.node)
    return nullptr;
  InputList data = options.data.value_or(InputList(std::vector<Input>()));
  if (!options.data)
    data = InputList({prefix(options),
                      strCat("Tensor ", tensor.name(), " ", check.words),
                      wanted, "Received shape: ", shape(tensor)});
  assertType(wanted, DType::Int32);
  std::optional<Tensor> known = constantValue(wanted);
  if (known) {
    if (known->rank() != 0) {
      failed(invalidArgumentError("Rank must be a scalar."), scope);
      return nullptr;
    }
    auto number = knownIntegers(*known);
    if (!number)
      return nullptr;
    if (int64_t actual = tensor.shape().rank(); tensor.shape().hasRank()) {
      if (check.holds(actual, (*number)[0]))
        return allOk();
      failed(invalidArgumentError(
                 strCat(prefix(options), "Tensor ", tensor.name(), " ",
                        check.words, " ", (*number)[0], ".  Received rank ",
                        actual, ", shape ", tensor.shape().toTupleString())),
             scope);
      return nullptr;
    }
  }
  Output condition = check.add(ops::rank(tensor), wanted);
  if (!known)
    condition = withScalarRank(condition, wanted);
  return assertThat(condition, data, summarizing(options));
}

/// Whether the tensor's rank is one of these, which the graph must not know.
Output isRankIn(const Output &tensor, const std::vector<Output> &ranks) {
  Output actual = ops::rank(tensor);
  if (ranks.empty())
    return convert(false, "");
  Output result = rawOps::equal(ranks[0], actual);
  for (size_t i = 1; i < ranks.size(); ++i)
    result = rawOps::logicalOr(result, rawOps::equal(ranks[i], actual));
  return result;
}

/// Whether Python has one object for both: a tensor, a small number.
bool isSame(const Input &x, const Input &y) {
  if (x.output() && y.output())
    return *x.output() == *y.output();
  const auto *a = std::get_if<int64_t>(&x.value()),
             *b = std::get_if<int64_t>(&y.value());
  return a && b && *a == *b && *a >= -5 && *a <= 256;
}

} // namespace

const Node *assertEqual(const Input &x, const Input &y,
                        const CheckOptions &options) {
  {
    FunctionScope scope(options.name, "assert_equal", {&x, &y});
    if (isSame(x, y))
      return rawOps::noOp();
  }
  return assertRelation(equality, x, y, options);
}
const Node *assertNoneEqual(const Input &x, const Input &y,
                            const CheckOptions &options) {
  return assertRelation(inequality, x, y, options);
}
const Node *assertLess(const Input &x, const Input &y,
                       const CheckOptions &options) {
  return assertRelation(isLess, x, y, options);
}
const Node *assertLessEqual(const Input &x, const Input &y,
                            const CheckOptions &options) {
  return assertRelation(lessOrEqual, x, y, options);
}
const Node *assertGreater(const Input &x, const Input &y,
                          const CheckOptions &options) {
  return assertRelation(isGreater, x, y, options);
}
const Node *assertGreaterEqual(const Input &x, const Input &y,
                               const CheckOptions &options) {
  return assertRelation(greaterOrEqual, x, y, options);
}

const Node *assertNegative(const Input &x, const CheckOptions &options) {
  return assertSign("assert_negative",
                    "Condition x < 0 did not hold element-wise:", isLess, false,
                    x, options);
}
const Node *assertPositive(const Input &x, const CheckOptions &options) {
  return assertSign("assert_positive",
                    "Condition x > 0 did not hold element-wise:", isLess, true,
                    x, options);
}
const Node *assertNonNegative(const Input &x, const CheckOptions &options) {
  return assertSign("assert_non_negative",
                    "Condition x >= 0 did not hold element-wise:", lessOrEqual,
                    true, x, options);
}
const Node *assertNonPositive(const Input &x, const CheckOptions &options) {
  return assertSign("assert_non_positive",
                    "Condition x <= 0 did not hold element-wise:", lessOrEqual,
                    false, x, options);
}

const Node *assertNear(const Input &x, const Input &y,
                       const AssertNearOptions &options) {
  FunctionScope scope(options.name, "assert_near", {&x, &y});
  Output a = convert(x, "x");
  if (!a.node)
    return nullptr;
  DType dtype = a.dtype();
  Output b = convert(y, "y", dtype);
  double epsilon = dtype == DType::Float64    ? 0x1p-52
                   : dtype == DType::Float16  ? 0x1p-10
                   : dtype == DType::BFloat16 ? 0x1p-7
                                              : 0x1p-23;
  Output relative =
      convert(options.rtol.value_or(Input(10 * epsilon)), "rtol", dtype);
  Output absolute =
      convert(options.atol.value_or(Input(10 * epsilon)), "atol", dtype);
  if (!b.node || !relative.node || !absolute.node)
    return nullptr;
  CheckOptions words{.message = options.message};
  InputList data = options.data.value_or(InputList(std::vector<Input>()));
  if (!options.data)
    data = InputList(
        {prefix(words),
         strCat("x and y not equal to tolerance rtol = ", tensorText(relative),
                ", atol = ", tensorText(absolute)),
         strCat("x (", a.name(), ") = "), a, strCat("y (", b.name(), ") = "),
         b});
  Output tolerance = absolute + relative * abs(b);
  Output distance = abs(a - b);
  Output condition = reduceAll(rawOps::less(distance, tolerance));
  return assertThat(condition, data,
                    {.summarize = options.summarize.value_or(3)});
}

const Node *assertRank(const Input &x, const Input &rank,
                       const CheckOptions &options) {
  return checkRank(exactly, x, rank, options);
}
const Node *assertRankAtLeast(const Input &x, const Input &rank,
                              const CheckOptions &options) {
  return checkRank(atLeastRank, x, rank, options);
}

const Node *assertRankIn(const Input &x, const InputList &ranks,
                         const CheckOptions &options) {
  FunctionScope scope(options.name, "assert_rank_in", {&x});
  Output tensor = convert(x, "x");
  std::vector<Output> wanted;
  for (const Input &each : ranks.list())
    wanted.push_back(convert(each, "rank"));
  if (!GraphBuilder::current().status().ok())
    return nullptr;
  std::vector<Input> data;
  if (options.data) {
    data = options.data->list();
  } else {
    data = {prefix(options),
            strCat("Tensor ", tensor.name(), " must have rank in")};
    data.insert(data.end(), wanted.begin(), wanted.end());
    data.emplace_back("Received shape: ");
    data.emplace_back(shape(tensor));
  }
  std::vector<int64_t> known;
  for (const Output &each : wanted) {
    assertType(each, DType::Int32);
    if (auto numbers = knownIntegers(each); numbers && numbers->size() == 1)
      known.push_back((*numbers)[0]);
  }
  bool isKnown = known.size() == wanted.size();
  if (isKnown && tensor.shape().hasRank()) {
    int64_t actual = tensor.shape().rank();
    if (std::ranges::count(known, actual) > 0)
      return allOk();
    failed(invalidArgumentError(
               strCat(prefix(options), "Tensor ", tensor.name(),
                      " must have rank in (", strJoin(known, ", "),
                      known.size() == 1 ? "," : "", ").  Received rank ",
                      actual, ", shape ", tensor.shape().toTupleString())),
           scope);
    return nullptr;
  }
  Output condition = isRankIn(tensor, wanted);
  for (const Output &each : wanted)
    if (!constantValue(each))
      condition = withScalarRank(condition, each);
  return assertThat(condition, data, summarizing(options));
}

const Node *assertInteger(const Input &x, const StaticCheckOptions &options) {
  FunctionScope scope(options.name, "assert_integer", {&x});
  Output tensor = convert(x, "x");
  if (!tensor.node)
    return nullptr;
  if (!isInteger(tensor.dtype())) {
    failed(invalidArgumentError(strCat(
               prefix({.message = options.message}),
               "Expected \"x\" to be integer type.  Found: ", tensor.name(),
               " of dtype <dtype: '", dtypeName(tensor.dtype()), "'>")),
           scope);
    return nullptr;
  }
  return rawOps::noOp({.name = "statically_determined_was_integer"});
}

const Node *assertType(const Input &tensor, DType dtype,
                       const StaticCheckOptions &options) {
  FunctionScope scope(options.name, "assert_type", {&tensor});
  Output converted = convert(tensor, "tensor");
  if (!converted.node)
    return nullptr;
  if (converted.dtype() != dtype) {
    failed(invalidArgumentError(strCat(prefix({.message = options.message}),
                                       converted.name(), " must be of type tf.",
                                       dtypeName(dtype), "; got tf.",
                                       dtypeName(converted.dtype()))),
           scope);
    return nullptr;
  }
  return rawOps::noOp({.name = "statically_determined_correct_type"});
}

Output assertScalar(const Input &tensor, const AssertScalarOptions &options) {
  FunctionScope scope(options.name, "assert_scalar", {&tensor});
  Output converted = convert(tensor, scope.name());
  if (!converted.node)
    return {};
  if (converted.shape().rank() != 0)
    return failed(invalidArgumentError(strCat(
                      prefix({.message = options.message}),
                      "Expected scalar shape for ", converted.name(),
                      ", saw shape: ", converted.shape().toTupleString(), ".")),
                  scope);
  return converted;
}

namespace {

/// A comparison of each element with the one before it.
Output isMonotonic(std::string_view function, const Input &x,
                   Comparison comparison, const OpOptions &options) {
  FunctionScope scope(options.name, function, {&x});
  Output flat = rawOps::reshape(x, {-1});
  if (!flat.node)
    return {};
  Output isShort = rawOps::less(size(flat), 2);
  Output last = shape(flat) - 1;
  Output steps = cond(
      isShort,
      [] {
        return BranchResult(convert(std::vector<bool>(), "", DType::Bool));
      },
      [&] {
        Output ends = binary("add", {1}, last);
        Output behind = stridedSlice(flat, {1}, ends, onesLike({1}));
        return BranchResult(
            comparison(behind, stridedSlice(flat, {0}, last, onesLike({0}))));
      });
  return reduceAll(steps);
}

} // namespace

Output isNonDecreasing(const Input &x, const OpOptions &options) {
  return isMonotonic("is_non_decreasing", x, atLeast, options);
}
Output isStrictlyIncreasing(const Input &x, const OpOptions &options) {
  return isMonotonic("is_strictly_increasing", x, moreThan, options);
}

} // namespace kiln::ops
