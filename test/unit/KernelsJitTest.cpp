// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The special kernels, compiled and run, against the evaluator, bit for bit.
#include "lib/Eval/Evaluator.h"
#include "lib/JIT/Compiler.h"
#include "runtime/RunState.h"
#include "runtime/Symbols.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace kiln {
namespace {

/// A dimension of a test's types: a number, or a symbol whose value stands in Case::symbols.
struct Side {
  int64_t extent;
  int symbol = -1;
};

/// tensor<?x9xf32, #kiln.sym<0>>
std::string typeOf(const std::vector<Side> &sides, const std::string &element) {
  std::string text = "tensor<", ids;
  for (const Side &side : sides) {
    text += (side.symbol < 0 ? std::to_string(side.extent) : "?") + "x";
    if (side.symbol >= 0)
      ids += (ids.empty() ? "" : ", ") + std::to_string(side.symbol);
  }
  return text + element + (ids.empty() ? ">" : ", #kiln.sym<" + ids + ">>");
}

DType dtypeNamed(const std::string &element) {
  return element == "f32"   ? DType::Float32
         : element == "f64" ? DType::Float64
         : element == "i32" ? DType::Int32
         : element == "i64" ? DType::Int64
                            : DType::Bool;
}

/// Numbers of both signs; integers of all sizes, so that products wrap.
Tensor randomTensor(const std::string &element, const std::vector<Side> &sides, unsigned seed) {
  std::vector<int64_t> dims;
  for (const Side &side : sides)
    dims.push_back(side.extent);
  Tensor tensor = *Tensor::create(dtypeNamed(element), Shape(dims));
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> real(-1, 1);
  for (int64_t i = 0; i < tensor.numElements(); ++i) {
    if (element == "f32")
      static_cast<float *>(tensor.mutableRawData())[i] = static_cast<float>(real(random));
    else if (element == "f64")
      static_cast<double *>(tensor.mutableRawData())[i] = real(random);
    else if (element == "i32")
      static_cast<int32_t *>(tensor.mutableRawData())[i] = static_cast<int32_t>(random());
    else if (element == "i64")
      static_cast<int64_t *>(tensor.mutableRawData())[i] =
          static_cast<int64_t>(random() * uint64_t(0x9e3779b97f4a7c15));
    else
      static_cast<uint8_t *>(tensor.mutableRawData())[i] = random() & 1;
  }
  return tensor;
}

/// A copy of a tensor right before memory that must not be touched: reading behind the end ends the test.
class FencedCopy {
public:
  explicit FencedCopy(const Tensor &tensor) {
    size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), size = static_cast<size_t>(tensor.byteSize());
    bytes = (size + page - 1) / page * page + page;
    base = static_cast<char *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base + bytes - page, page, PROT_NONE);
    data = base + bytes - page - size;
    if (size != 0)
      std::memcpy(data, tensor.rawData(), size);
  }
  FencedCopy(FencedCopy &&other) noexcept
      : data(other.data), base(std::exchange(other.base, nullptr)), bytes(other.bytes) {}
  ~FencedCopy() {
    if (base)
      munmap(base, bytes);
  }
  char *data;

private:
  char *base;
  size_t bytes;
};

/// A compiled function beside its source.
class Program {
public:
  explicit Program(std::string text) : source(std::move(text)) {
    auto context = ContextLease::lease();
    EXPECT_TRUE(context.ok());
    DiagnosticCollector diagnostics((*context)->mlirContext());
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &(*context)->mlirContext());
    EXPECT_TRUE(module) << diagnostics.status("parsing failed").toString() << source;
    if (!module)
      return;
    CompileOptions options;
    options.startAt = passes::Stage::Fuse;
    auto compiled = compile(**context, *module, options);
    EXPECT_TRUE(compiled.ok()) << compiled.status().toString() << "\n" << source;
    if (compiled.ok())
      executable = *std::move(compiled);
  }

  /// Runs both and compares all results; false with a failure reported.
  bool agrees(const std::vector<Tensor> &feeds, const std::vector<int64_t> &symbols) {
    if (!executable)
      return false;
    auto context = ContextLease::lease();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &(*context)->mlirContext());
    EvalEnvironment environment;
    environment.feeds = feeds;
    environment.symbols = symbols;
    auto expected = evaluate(module->lookupSymbol<mlir::func::FuncOp>("run"), environment);
    std::vector<std::vector<char>> memory;
    std::vector<void *> buffers;
    auto allocate = [&](int64_t bytes) {
      memory.emplace_back(static_cast<size_t>(bytes) + guardBytes, guard);
      return memory.back().data();
    };
    std::vector<FencedCopy> fenced;
    for (const Tensor &feed : feeds) {
      fenced.emplace_back(feed);
      buffers.push_back(fenced.back().data);
    }
    size_t results = feeds.size();
    if (expected.ok())
      for (const Tensor &each : *expected)
        buffers.push_back(allocate(each.byteSize()));
    else
      for (unsigned i = 0; i < module->lookupSymbol<mlir::func::FuncOp>("run").getNumResults(); ++i)
        buffers.push_back(allocate(1 << 16));
    for (const Temporary &temporary : executable->temporaries()) {
      int64_t bytes = temporary.elementBytes;
      for (const auto &extent : temporary.extents)
        bytes *= extent.symbol < 0 ? extent.value : symbols[static_cast<size_t>(extent.symbol)];
      buffers.push_back(allocate(bytes));
    }
    RunContext runContext = {};
    KilnRunState state = {0, 0, -1, 0, {}, &runContext};
    std::vector<void *> runtime = {runtimeSymbolTable(), runtimeSymbolTable() + numRuntimeSymbols};
    executable->run({buffers.data(), symbols.data(), &state, runtime.data()});
    if (!expected.ok()) {
      EXPECT_EQ(state.errorCode, static_cast<int>(expected.status().code())) << source;
      return state.errorCode == static_cast<int>(expected.status().code());
    }
    EXPECT_EQ(state.errorCode, 0) << source;
    for (size_t i = 0; i < expected->size(); ++i) {
      const Tensor &want = (*expected)[i];
      const char *got = static_cast<const char *>(buffers[results + i]);
      bool same = std::memcmp(got, want.rawData(), static_cast<size_t>(want.byteSize())) == 0;
      bool guarded = std::all_of(got + want.byteSize(), got + want.byteSize() + guardBytes,
                                 [](char byte) { return byte == guard; });
      EXPECT_TRUE(same) << "result " << i << " differs\n" << describe(symbols);
      EXPECT_TRUE(guarded) << "wrote behind result " << i << "\n" << describe(symbols);
      if (!same || !guarded)
        return false;
    }
    return true;
  }

private:
  static constexpr size_t guardBytes = 256;
  static constexpr char guard = 0x5a;

  std::string describe(const std::vector<int64_t> &symbols) const {
    std::string text = source + "symbols:";
    for (int64_t value : symbols)
      text += " " + std::to_string(value);
    return text;
  }

  std::string source;
  std::unique_ptr<Executable> executable;
};

/// func @run(%0, %1 ...) -> results { body return }
std::string function(const std::vector<std::string> &inputs, const std::string &body, const std::string &returned,
                     const std::string &types) {
  std::string text = "func.func @run(";
  for (size_t i = 0; i < inputs.size(); ++i)
    text += (i ? ", %x" : "%x") + std::to_string(i) + ": " + inputs[i];
  return text + ") -> (" + types + ") {\n" + body + "\n  return " + returned + " : " + types + "\n}\n";
}

//===--- Matmul ---===//

struct Product {
  std::string element;
  bool transposeLhs, transposeRhs, isBatched = false;
  int64_t batch = 1, rows, depth, columns;
  bool isDynamic = false;

  Side side(int64_t extent, int symbol) const { return {extent, isDynamic ? symbol : -1}; }
  std::vector<Side> shape(Side a, Side b) const {
    std::vector<Side> sides = {a, b};
    if (isBatched)
      sides.insert(sides.begin(), side(batch, 3));
    return sides;
  }
  std::vector<Side> lhs() const {
    Side m = side(rows, 0), k = side(depth, 1);
    return transposeLhs ? shape(k, m) : shape(m, k);
  }
  std::vector<Side> rhs() const {
    Side k = side(depth, 1), n = side(columns, 2);
    return transposeRhs ? shape(n, k) : shape(k, n);
  }
  std::string source() const {
    std::string left = typeOf(lhs(), element), right = typeOf(rhs(), element);
    std::string result = typeOf(shape(side(rows, 0), side(columns, 2)), element);
    return function({left, right},
                    std::string("  %r = kiln.matmul %x0") + (transposeLhs ? " transposed" : "") + ", %x1" +
                        (transposeRhs ? " transposed" : "") + " : " + left + ", " + right + " -> " + result,
                    "%r", result);
  }
  bool agrees(Program &program) const {
    return program.agrees({randomTensor(element, lhs(), 1), randomTensor(element, rhs(), 2)},
                          {rows, depth, columns, batch});
  }
};

class MatmulKernel : public testing::TestWithParam<std::tuple<const char *, bool, bool>> {};

TEST_P(MatmulKernel, DynamicSizesGiveTheBitsOfTheEvaluator) {
  auto [element, transposeLhs, transposeRhs] = GetParam();
  Product product{element, transposeLhs, transposeRhs, true, 1, 1, 1, 1, true};
  Program program(product.source());
  const int64_t sizes[][4] = {{1, 1, 1, 1},     {2, 7, 3, 5},     {1, 6, 256, 64}, {3, 13, 257, 65},
                              {1, 12, 0, 9},    {2, 0, 4, 4},     {2, 4, 4, 0},    {0, 4, 4, 4},
                              {1, 250, 40, 17}, {1, 5, 600, 130}, {2, 193, 31, 70}};
  for (auto [batch, rows, depth, columns] : sizes) {
    product.batch = batch, product.rows = rows, product.depth = depth, product.columns = columns;
    ASSERT_TRUE(product.agrees(program));
  }
}

TEST_P(MatmulKernel, StaticSizesGiveTheBitsOfTheEvaluator) {
  auto [element, transposeLhs, transposeRhs] = GetParam();
  const int64_t sizes[][3] = {{3, 5, 2},    {12, 64, 64}, {50, 300, 10},  {7, 513, 40},
                              {49, 20, 16}, {8, 9, 150},  {60, 256, 128}, {4, 0, 70}};
  for (auto [rows, depth, columns] : sizes) {
    Product product{element, transposeLhs, transposeRhs, false, 1, rows, depth, columns};
    Program program(product.source());
    ASSERT_TRUE(product.agrees(program));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MatmulKernel,
                         testing::Combine(testing::Values("f32", "f64", "i32", "i64"), testing::Bool(),
                                          testing::Bool()));

TEST(MatmulKernelResults, AreStoredInEveryDestination) {
  std::string type = "tensor<5x5xf32>";
  Program program(function({type, type}, "  %r = kiln.matmul %x0, %x1 : " + type + ", " + type + " -> " + type,
                           "%r, %r", type + ", " + type));
  std::vector<Side> sides = {{5}, {5}};
  EXPECT_TRUE(program.agrees({randomTensor("f32", sides, 1), randomTensor("f32", sides, 2)}, {}));
}

//===--- Moves ---===//

class MoveKernel : public testing::TestWithParam<const char *> {};

TEST_P(MoveKernel, CopiesAFeedThatIsReturned) {
  std::string element = GetParam(), type = typeOf({{0, 0}, {3}}, element);
  Program program(function({type}, "", "%x0, %x0", type + ", " + type));
  for (int64_t n : {0, 1, 5, 7, 100, 20000})
    ASSERT_TRUE(program.agrees({randomTensor(element, {{n}, {3}}, 3)}, {n}));
}

TEST_P(MoveKernel, ConcatenatesAlongEachAxis) {
  std::string element = GetParam();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Side> a = {{2}, {0, 0}, {5}}, b = a, joined = a;
    a[axis] = {0, 1}, b[axis] = {4}, joined[axis] = {0, 2};
    std::string left = typeOf(a, element), right = typeOf(b, element), result = typeOf(joined, element);
    Program program(function({left, right},
                             "  %r = kiln.concat %x0, %x1, %x0 axis " + std::to_string(axis) + " : " + left + ", " +
                                 right + ", " + left + " -> " + result,
                             "%r", result));
    for (int64_t n : {0, 1, 3, 21}) {
      for (auto *sides : {&a, &b})
        for (int i = 0; i < 3; ++i)
          if ((*sides)[i].symbol == 0)
            (*sides)[i].extent = 6;
          else if ((*sides)[i].symbol == 1)
            (*sides)[i].extent = n;
      ASSERT_TRUE(program.agrees({randomTensor(element, a, 4), randomTensor(element, b, 5)}, {6, n, 2 * n + 4}));
    }
  }
}

TEST_P(MoveKernel, PadsAnyDimensions) {
  std::string element = GetParam();
  const int64_t paddings[][6] = {{1, 2, 3, 4, 0, 5}, {0, 1, 0, 0, 0, 0}, {2, 0, 1, 1, 0, 0}, {0, 0, 0, 0, 0, 0}};
  for (const auto &p : paddings) {
    std::vector<Side> from = {{3}, {4}, {19, 0}}, to = {{3 + p[0] + p[1]}, {4 + p[2] + p[3]}, {19 + p[4] + p[5], 1}};
    if (p[4] + p[5] == 0)
      to[2] = from[2];
    std::string operand = typeOf(from, element), scalar = "tensor<" + element + ">", result = typeOf(to, element);
    Program program(function({operand, scalar},
                             "  %r = kiln.pad %x0, %x1 low [" + std::to_string(p[0]) + ", " + std::to_string(p[2]) +
                                 ", " + std::to_string(p[4]) + "] : " + operand + ", " + scalar + " -> " + result,
                             "%r", result));
    ASSERT_TRUE(program.agrees({randomTensor(element, from, 6), randomTensor(element, {}, 7)}, {19, to[2].extent}));
  }
}

INSTANTIATE_TEST_SUITE_P(All, MoveKernel, testing::Values("f32", "f64", "i32", "i64", "i1"));

TEST(SliceKernel, FromComputedStartsChecksItsBounds) {
  std::string operand = "tensor<6x?xf32, #kiln.sym<0>>", starts = "tensor<2xi32>", result = "tensor<2x3xf32>";
  for (const char *strides : {"[1, 1]", "[2, -1]", "[-1, 2]"}) {
    Program program(function({operand, starts},
                             "  %r = kiln.slice %x0 at %x1 starts [1, 0] strides " + std::string(strides) + " : " +
                                 operand + ", " + starts + " -> " + result,
                             "%r", result));
    for (int32_t row = -2; row < 6; ++row)
      for (int32_t column = -1; column < 11; ++column)
        ASSERT_TRUE(program.agrees(
            {randomTensor("f32", {{6}, {10}}, 8), *Tensor::fromValues<int32_t>(Shape{2}, {row, column})}, {10}));
  }
}

TEST(ConstantKernel, WritesSmallConstantsAndDimensions) {
  Program program(function({"tensor<?xf32, #kiln.sym<0>>"},
                           "  %c = kiln.constant dense<[1, 2, 3, -4, 5]> : tensor<5xi64> : tensor<5xi64>\n"
                           "  %b = kiln.constant dense<[[true, false, true]]> : tensor<1x3xi1> : tensor<1x3xi1>\n"
                           "  %d = kiln.dims [s0, 9] : tensor<2xi32>",
                           "%c, %b, %d", "tensor<5xi64>, tensor<1x3xi1>, tensor<2xi32>"));
  EXPECT_TRUE(program.agrees({randomTensor("f32", {{7}}, 9)}, {7}));
}

//===--- Arg reductions ---===//

class ArgReduceKernel : public testing::TestWithParam<std::tuple<const char *, const char *, bool>> {};

TEST_P(ArgReduceKernel, FindsTheFirstBestAlongEachAxis) {
  auto [element, index, smallest] = GetParam();
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<Side> sides = {{3}, {0, 0}, {20}}, kept = sides;
    if (axis == 1)
      sides[2] = kept[2] = {20, 1};
    kept.erase(kept.begin() + axis);
    std::string operand = typeOf(sides, element), result = typeOf(kept, index);
    Program program(function({operand},
                             "  %r = kiln.arg_reduce %x0 axis " + std::to_string(axis) +
                                 " {smallest = " + (smallest ? "true" : "false") + "} : " + operand + " -> " + result,
                             "%r", result));
    for (int64_t n : {1, 2, 33}) {
      sides[1].extent = n;
      Tensor tensor = randomTensor(element, sides, 10);
      if (std::string(element) == "f32") {
        auto *values = static_cast<float *>(tensor.mutableRawData());
        for (int64_t i = 0; i < tensor.numElements(); ++i)
          values[i] = i % 5 == 0 ? std::nanf("") : i < 20 ? -INFINITY : std::floor(values[i] * 4);
      }
      ASSERT_TRUE(program.agrees({tensor}, {n, 20}));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, ArgReduceKernel,
                         testing::Combine(testing::Values("f32", "f64", "i32", "i64", "i1"),
                                          testing::Values("i32", "i64"), testing::Bool()));

} // namespace
} // namespace kiln
