// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every op with index inputs, with indices around and far outside of its
// bounds, constant and fed, natively and by the evaluator: the right error or
// the right value, and no access outside of the tensor, which ends at a page
// that no code may touch.
#include "test/unit/SessionFixture.h"
#include "test/unit/StatusMatchers.h"

#include <cstring>
#include <functional>
#include <sys/mman.h>
#include <unistd.h>

namespace kiln {
namespace {

using testing::fails;
using ::testing::HasSubstr;
using testing::isOk;
using testing::valuesOf;

constexpr int64_t n = 5; ///< the extent that indices go into
constexpr DType f32 = DType::Float32;

/// Elements 1, 2, 3 … whose last one lies before a guard page, and whose first
/// one lies behind another as far as alignment allows.
class GuardedTensor {
public:
  explicit GuardedTensor(Shape shape) {
    auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    size_t bytes = static_cast<size_t>(*shape.numElements()) * sizeof(float);
    mapped = 3 * page;
    base = static_cast<char *>(
        mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    EXPECT_EQ(mprotect(base + page, page, PROT_READ | PROT_WRITE), 0);
    auto *data = reinterpret_cast<float *>(base + 2 * page - bytes);
    for (size_t i = 0; i < bytes / sizeof(float); ++i)
      data[i] = static_cast<float>(i + 1);
    tensor = *Tensor::borrow(f32, shape, static_cast<void *>(data));
  }
  ~GuardedTensor() {
    tensor = Tensor();
    munmap(base, mapped);
  }
  Tensor tensor;

private:
  char *base = nullptr;
  size_t mapped = 0;
};

/// An op y of x: [n, 3] and an index.
struct IndexedOp {
  const char *name;
  const char *op;
  /// The shape of the tensor that holds the index.
  Shape indexShape;
  /// Its elements; one of them is the index.
  std::function<std::vector<int64_t>(int64_t index)> elements;
  /// The inputs in order: "x", "i", or a constant made by `constants`.
  std::vector<NodeInput> inputs;
  AttrMap attrs;
  const char *indexTypeAttr;
  std::function<bool(int64_t index)> isValid;
  /// A part of the error's text; "" where it does not matter.
  const char *error = "";
};

bool isElement(int64_t index) { return index >= 0 && index < n; }
/// x has rank 2.
bool isAxis(int64_t index) { return index >= -2 && index < 2; }
std::vector<int64_t> alone(int64_t index) { return {index}; }

std::vector<IndexedOp> indexedOps() {
  const AttrMap typed = {{"T", f32}};
  auto with = [&](std::initializer_list<NamedAttr> more) {
    AttrMap attrs = typed;
    for (const NamedAttr &attr : more)
      attrs.set(attr.name, attr.value);
    return attrs;
  };
  return {
      {"Gather",
       "Gather",
       {1},
       alone,
       {"x", "i"},
       {{"Tparams", f32}},
       "Tindices",
       isElement,
       "indices[0] = "},
      {"GatherV2",
       "GatherV2",
       {2},
       [](int64_t index) { return std::vector<int64_t>{0, index}; },
       {"x", "i", "zero"},
       {{"Tparams", f32}, {"Taxis", DType::Int32}},
       "Tindices",
       isElement,
       "indices[1] = "},
      {"GatherV2Axis",
       "GatherV2",
       {},
       alone,
       {"x", "indices", "i"},
       {{"Tparams", f32}, {"Tindices", DType::Int32}},
       "Taxis",
       isAxis},
      {"SliceBegin",
       "Slice",
       {2},
       [](int64_t index) { return std::vector<int64_t>{index, 0}; },
       {"x", "i", "ones"},
       typed,
       "Index",
       [](int64_t index) { return index >= 0 && index <= n - 1; }},
      {"SliceSize",
       "Slice",
       {2},
       [](int64_t index) { return std::vector<int64_t>{index, 1}; },
       {"x", "zeros", "i"},
       typed,
       "Index",
       [](int64_t index) { return index >= -1 && index <= n; }},
      {"StridedSliceShrink",
       "StridedSlice",
       {1},
       alone,
       {"x", "i", "end", "one"},
       with({{"shrink_axis_mask", 1}}),
       "Index",
       [](int64_t index) { return index >= -n && index < n; },
       "out of bounds"},
      {"StridedSliceRange",
       "StridedSlice",
       {1},
       alone,
       {"x", "i", "end", "one"},
       with({{"end_mask", 1}}),
       "Index",
       [](int64_t) { return true; }},
      {"StridedSliceStride",
       "StridedSlice",
       {1},
       alone,
       {"x", "begin", "end", "i"},
       with({{"end_mask", 1}, {"begin_mask", 1}}),
       "Index",
       [](int64_t index) { return index != 0; }},
      {"ExpandDims",
       "ExpandDims",
       {},
       alone,
       {"x", "i"},
       typed,
       "Tdim",
       [](int64_t index) { return index >= -3 && index <= 2; }},
      {"Sum", "Sum", {1}, alone, {"x", "i"}, typed, "Tidx", isAxis},
      {"ArgMax",
       "ArgMax",
       {},
       alone,
       {"x", "i"},
       with({{"output_type", DType::Int64}}),
       "Tidx",
       isAxis},
      {"Concat",
       "ConcatV2",
       {},
       alone,
       {"x", "x", "i"},
       with({{"N", 2}}),
       "Tidx",
       isAxis},
      {"Reverse", "ReverseV2", {1}, alone, {"x", "i"}, typed, "Tidx", isAxis},
      {"Transpose",
       "Transpose",
       {2},
       [](int64_t index) { return std::vector<int64_t>{index, 0}; },
       {"x", "i"},
       typed,
       "Tperm",
       [](int64_t index) { return index == 1 || index == -1; }},
      {"OneHot",
       "OneHot",
       {1},
       alone,
       {"i", "depth", "on", "off"},
       typed,
       "TI",
       [](int64_t) { return true; }},
      {"GatherNd",
       "GatherNd",
       {2, 1},
       [](int64_t index) { return std::vector<int64_t>{0, index}; },
       {"x", "i"},
       {{"Tparams", f32}},
       "Tindices",
       isElement,
       "indices[1] = ["},
      {"ScatterNd",
       "ScatterNd",
       {2, 1},
       [](int64_t index) { return std::vector<int64_t>{0, index}; },
       {"i", "rows", "extents"},
       typed,
       "Tindices",
       isElement,
       "does not index into shape [5,3]"},
      {"TensorScatterAdd",
       "TensorScatterAdd",
       {1, 2},
       [](int64_t index) { return std::vector<int64_t>{index, 2}; },
       {"x", "i", "element"},
       typed,
       "Tindices",
       isElement,
       "does not index into shape [5,3]"},
      {"UnsortedSegmentSum",
       "UnsortedSegmentSum",
       {2},
       [](int64_t index) { return std::vector<int64_t>{4, index}; },
       {"rows", "i", "depth"},
       with({{"Tnumsegments", DType::Int32}}),
       "Tindices",
       [](int64_t index) { return index < n; },
       "segment_ids[1] = "},
      {"SparseSegmentSum",
       "SparseSegmentSum",
       {2},
       [](int64_t index) { return std::vector<int64_t>{0, index}; },
       {"x", "i", "sorted"},
       with({{"Tsegmentids", DType::Int32}}),
       "Tidx",
       isElement,
       "out of range [0, 5)"},
      {"SparseToDense",
       "SparseToDense",
       {1, 2},
       [](int64_t index) { return std::vector<int64_t>{index, 2}; },
       {"i", "extents", "element", "off"},
       typed,
       "Tindices",
       isElement,
       "is out of bounds: need 0 <= index < [5,3]"},
      {"ReverseSequence",
       "ReverseSequence",
       {3},
       [](int64_t index) { return std::vector<int64_t>{0, index, n}; },
       {"x", "i"},
       with({{"seq_dim", 0}, {"batch_dim", 1}}),
       "Tlen",
       [](int64_t index) { return index >= 0 && index <= n; },
       "seq_lens(1)"},
      {"Roll",
       "Roll",
       {1},
       alone,
       {"x", "i", "axes"},
       with({{"Taxis", DType::Int32}}),
       "Tshift",
       [](int64_t) { return true; }},
      {"MatrixBandPart",
       "MatrixBandPart",
       {},
       alone,
       {"x", "i", "i"},
       typed,
       "Tindex",
       [](int64_t index) { return index <= 3; }},
      {"SparseSegmentMeanGrad",
       "SparseSegmentMeanGrad",
       {2},
       [](int64_t index) { return std::vector<int64_t>{0, index}; },
       {"x", "i", "sorted", "depth"},
       with({{"Tsegmentids", DType::Int32}}),
       "Tidx",
       isElement,
       "out of range [0, 5)"},
  };
}

constexpr int64_t indices[] = {INT64_MIN,
                               -n - 1,
                               -1,
                               0,
                               1,
                               n - 1,
                               n,
                               int64_t{1} << 31,
                               (int64_t{1} << 32) + 1,
                               INT64_MAX};

/// Nothing for an index that the dtype does not have.
std::optional<Tensor> indexTensor(const IndexedOp &op, int64_t index,
                                  DType dtype) {
  std::vector<int64_t> wide = op.elements(index);
  if (dtype == DType::Int64)
    return *Tensor::fromValues<int64_t>(op.indexShape, wide);
  std::vector<int32_t> narrow(wide.begin(), wide.end());
  if (!std::equal(wide.begin(), wide.end(), narrow.begin()))
    return std::nullopt;
  return *Tensor::fromValues<int32_t>(op.indexShape, narrow);
}

/// Runs the op on x; the index is a constant, or fed under a declared shape.
StatusOr<std::vector<Tensor>> runOp(const IndexedOp &op, const Tensor &x,
                                    const Tensor &index, bool isFed,
                                    ExecutionMode mode) {
  testing::GraphWriter writer;
  DType dtype = index.dtype();
  writer.placeholder("x", f32, {-1, 3});
  if (isFed)
    writer.placeholder("i", dtype, index.shape());
  else
    writer.constant("i", index);
  auto vectorOf = [&](const char *name, std::vector<int64_t> values) {
    auto shape = Shape({static_cast<int64_t>(values.size())});
    std::vector<int32_t> narrow(values.begin(), values.end());
    writer.constant(name, dtype == DType::Int64
                              ? *Tensor::fromValues<int64_t>(shape, values)
                              : *Tensor::fromValues<int32_t>(shape, narrow));
  };
  vectorOf("zeros", {0, 0});
  vectorOf("ones", {1, 1});
  vectorOf("one", {1});
  vectorOf("begin", {0});
  vectorOf("end", {n});
  vectorOf("extents", {n, 3});
  writer.constant("rows", testing::tensorOf<float>({2, 3}, {1, 2, 3, 4, 5, 6}));
  writer.constant("element", testing::tensorOf<float>({1}, {7}));
  writer.constant("axes", testing::tensorOf<int32_t>({1}, {0}));
  writer.constant("sorted", testing::tensorOf<int32_t>({2}, {0, 2}));
  writer.constant("zero", Tensor::scalar<int32_t>(0));
  writer.constant("indices", testing::tensorOf<int32_t>({1}, {0}));
  writer.constant("depth", Tensor::scalar<int32_t>(n));
  writer.constant("on", Tensor::scalar(1.0f));
  writer.constant("off", Tensor::scalar(0.0f));
  AttrMap attrs = op.attrs;
  attrs.set(op.indexTypeAttr, dtype);
  auto made = writer.graph->addNode(
      {.name = "y", .op = op.op, .inputs = op.inputs, .attrs = attrs});
  if (!made.ok())
    return made.status();
  auto session = testing::openSession(writer.graph, mode);
  std::vector<Feed> feeds = {{"x:0", x}};
  if (isFed)
    feeds.push_back({"i:0", index});
  return session->run(feeds, {"y:0"});
}

class IndexBounds : public ::testing::TestWithParam<IndexedOp> {};

INSTANTIATE_TEST_SUITE_P(Ops, IndexBounds, ::testing::ValuesIn(indexedOps()),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST_P(IndexBounds, HoldInBothExecutors) {
  const IndexedOp &op = GetParam();
  GuardedTensor x({n, 3});
  for (DType dtype : {DType::Int32, DType::Int64})
    for (int64_t index : indices) {
      auto tensor = indexTensor(op, index, dtype);
      if (!tensor)
        continue;
      for (bool isFed : {false, true}) {
        SCOPED_TRACE(std::string(dtypeName(dtype)) + " index " +
                     std::to_string(index) + (isFed ? ", fed" : ""));
        auto native =
            runOp(op, x.tensor, *tensor, isFed, ExecutionMode::NativeOnly);
        auto evaluated =
            runOp(op, x.tensor, *tensor, isFed, ExecutionMode::EvaluatorOnly);
        ASSERT_EQ(native.status().toString(), evaluated.status().toString());
        if (!op.isValid(index)) {
          EXPECT_THAT(native,
                      fails(StatusCode::InvalidArgument, HasSubstr(op.error)));
          EXPECT_THAT(native, testing::failsAt("y"));
          continue;
        }
        ASSERT_THAT(native, isOk());
        EXPECT_TRUE((*native)[0].hasSameBits((*evaluated)[0]));
      }
    }
}

} // namespace
} // namespace kiln
