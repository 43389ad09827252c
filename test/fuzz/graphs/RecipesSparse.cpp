// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sparse tensors, and rows of several lengths.
#include "test/fuzz/graphs/Recipes.h"

#include <algorithm>

namespace kiln::fuzz {
namespace {

/// Places in a matrix, ordered, each once.
Extents places(Call &call, int64_t rows, int64_t columns) {
  Extents list;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      if (call.random.chance(35))
        list.insert(list.end(), {i, j});
  return list;
}

/// Indices of a matrix; where errors are wanted, one lies outside.
void indices(Call &call, const Extents &list, int64_t rows) {
  const auto count = static_cast<int64_t>(list.size() / 2);
  const bool isHostile =
      count > 0 && std::exchange(call.maker.isHostile, false);
  call.fresh({count, 2}, isHostile ? hostileIndices(rows) : exactly(list));
}

struct Matrix {
  int64_t rows, columns, count;
};

/// Appends indices, values and a shape. \p values: what fills them.
Matrix sparse(Call &call, int64_t rows, int64_t columns,
              const Fill *values = nullptr) {
  const Extents list = places(call, rows, columns);
  const auto count = static_cast<int64_t>(list.size() / 2);
  indices(call, list, rows);
  if (values)
    call.fresh({count}, *values);
  else
    call.like({count});
  call.integers({rows, columns});
  return {rows, columns, count};
}
Matrix sparse(Call &call, const Fill *values = nullptr) {
  const int64_t rows = call.random.between(1, 5);
  return sparse(call, rows, call.random.between(1, 4), values);
}

/// Few different elements, so that sets meet.
Fill members(Call &call) {
  return call.type("T") == DType::String ? texts({"", "a", "b", "\xff"})
                                         : between(0, 5);
}

bool sets(Call &call) {
  call.set("set_operation",
           call.random.among({"a-b", "b-a", "intersection", "union"}));
  call.set("validate_indices", true);
  const int64_t rows = call.random.between(1, 4);
  const Fill elements = members(call);
  const bool isSparse = call.def.name.starts_with("Sparse");
  if (isSparse)
    sparse(call, rows, 4, &elements);
  else
    call.fresh({rows, call.random.between(0, 4)}, elements);
  if (isSparse || call.def.name == "DenseToSparseSetOperation")
    sparse(call, rows, 3, &elements);
  else
    call.fresh({rows, call.random.between(0, 4)}, elements);
  return call.done();
}

bool setSize(Call &call) {
  call.set("validate_indices", true);
  const Fill elements = members(call);
  sparse(call, &elements);
  return call.done();
}

bool reorder(Call &call) {
  const int64_t count = call.random.between(0, 6);
  call.fresh({count, 2}, between(0, 3));
  call.like({count});
  call.integers({4, 4});
  return call.done();
}

bool reshape(Call &call) {
  const int64_t rows = call.random.between(1, 4);
  const Extents list = places(call, rows, 6);
  call.fresh({static_cast<int64_t>(list.size() / 2), 2}, exactly(list));
  call.integers({rows, 6});
  if (std::exchange(call.maker.isHostile, false))
    call.integers({rows, 7});
  else if (call.random.chance(50))
    call.integers({2, -1, 3});
  else
    call.integers({rows * 6});
  return call.done();
}

bool concat(Call &call) {
  const int64_t count = call.random.between(2, 3),
                axis = call.random.between(-2, 1), rows = 4;
  const bool isAlongRows = axis == 0 || axis == -2;
  call.set("N", count);
  call.set("concat_dim", axis);
  std::vector<Extents> parts, shapes;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t extent = call.random.between(1, 4);
    shapes.push_back(isAlongRows ? Extents{extent, rows}
                                 : Extents{rows, extent});
    parts.push_back(
        places(call, shapes.back()[0].of[0], shapes.back()[1].of[0]));
  }
  for (const Extents &part : parts)
    call.fresh({static_cast<int64_t>(part.size() / 2), 2}, exactly(part));
  for (const Extents &part : parts)
    call.like({static_cast<int64_t>(part.size() / 2)});
  if (std::exchange(call.maker.isHostile, false))
    shapes.back()[isAlongRows ? 1 : 0] = 9;
  for (const Extents &shape : shapes)
    call.integers(shape);
  return call.done();
}

bool split(Call &call) {
  const int64_t axis = call.random.between(-2, 1), rows = 5, columns = 3;
  call.set("num_split", call.random.between(1, 3));
  call.scalar(axis);
  sparse(call, rows, columns);
  return call.done();
}

/// Every second place of a matrix, beyond where the block begins.
bool sliceGradient(Call &call) {
  const int64_t rows = call.random.between(1, 4);
  Extents all, kept;
  for (int64_t i = 0; i < rows; ++i) {
    all.insert(all.end(), {i, i + 1});
    if (i > 0)
      kept.insert(kept.end(), {i - 1, i + 1});
  }
  call.like({rows - 1});
  call.fresh({rows, 2}, exactly(all));
  call.integers({1, 0});
  call.maker.isHostile = false; // as in reduce()
  call.fresh({rows - 1, 2}, exactly(kept));
  return call.done();
}

bool fillRows(Call &call) {
  const int64_t rows = call.random.between(1, 5);
  const bool isRagged = call.def.name.starts_with("Ragged");
  if (!isRagged) {
    sparse(call, rows, 3);
  } else {
    const int64_t count = call.random.between(0, 5);
    call.indices({count}, rows);
    call.like({count});
    call.scalar(rows);
  }
  call.like({});
  return call.done();
}

bool fillRowsGradient(Call &call) {
  const int64_t count = call.random.between(1, 6);
  call.indices({call.random.between(0, 6)}, count);
  call.like({count});
  return call.done();
}

/// TensorFlow calls an index that lies outside an internal error here.
bool reduce(Call &call) {
  call.maker.isHostile = false;
  sparse(call);
  Extents axes;
  for (int64_t axis : {0, 1})
    if (call.random.chance(60))
      axes.push_back(call.random.chance(50) ? axis : axis - 2);
  call.integers(axes);
  return call.done();
}

bool softmax(Call &call) {
  const Fill numbers = between(-5, 5);
  sparse(call, &numbers);
  return call.done();
}

/// The dense side is broadcast.
bool withDense(Call &call) {
  const Fill numbers = between(-9, 9), divisors = between(1, 9);
  Matrix matrix = sparse(call, &numbers);
  Extents dims = {matrix.rows, matrix.columns};
  if (call.random.chance(30))
    dims[0] = 1;
  if (call.random.chance(30))
    dims.erase(dims.begin());
  call.fresh(dims, divisors);
  return call.done();
}

bool extremes(Call &call) {
  const int64_t rows = call.random.between(1, 5);
  sparse(call, rows, 3);
  sparse(call, rows, 3);
  return call.done();
}

bool add(Call &call) {
  call.set("Treal", call.type("T"));
  const int64_t rows = call.random.between(1, 5);
  const Fill numbers = between(0, 9);
  sparse(call, rows, 3, &numbers);
  sparse(call, rows, call.maker.isHostile ? 4 : 3, &numbers);
  call.maker.isHostile = false;
  call.scalarBetween(0, 4);
  return call.done();
}

bool addGradient(Call &call) {
  const int64_t rows = call.random.between(1, 4);
  const Extents a = places(call, rows, 3), b = places(call, rows, 3);
  std::vector<std::pair<int64_t, int64_t>> all;
  for (const Extents *list : {&a, &b})
    for (size_t i = 0; i < list->size(); i += 2)
      all.emplace_back((*list)[i].of[0], (*list)[i + 1].of[0]);
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  Extents sum;
  for (auto [row, column] : all)
    sum.insert(sum.end(), {row, column});
  auto rowsOf = [](const Extents &list) {
    return Extents{static_cast<int64_t>(list.size() / 2), 2};
  };
  const int64_t more = std::exchange(call.maker.isHostile, false) ? 1 : 0;
  call.like({rowsOf(sum)[0] + more});
  const Extents *operands[] = {&a, &b, &sum};
  for (const Extents *list : operands)
    call.fresh(rowsOf(*list), exactly(*list));
  return call.done();
}

bool ontoDense(Call &call) {
  Matrix matrix = sparse(call);
  call.like({matrix.rows, matrix.columns});
  return call.done();
}

/// Counts of small numbers: of sparse and ragged tensors, and dense ones.
void splits(Call &call, const Extent &elements) {
  Extents list = {0, each([](int64_t n) { return n / 2; }, elements), elements};
  if (std::exchange(call.maker.isHostile, false))
    list.back() = elements + 1;
  call.integers(list);
}

bool binCounts(Call &call) {
  const Fill numbers = between(0, 6);
  int64_t count = 6;
  if (call.def.name == "RaggedBincount") {
    splits(call, count);
    call.fresh({count}, numbers);
  } else {
    count = sparse(call, &numbers).count;
  }
  call.scalar(call.random.between(0, 7));
  call.like({call.random.chance(50) ? 0 : count});
  return call.done();
}

bool sparseCounts(Call &call) {
  const Fill numbers = between(0, 6);
  call.set("minlength", call.random.between(-1, 9));
  call.set("maxlength", call.random.between(-1, 9));
  Extents dims = {call.random.between(1, 4), 3};
  if (call.def.name.starts_with("Dense")) {
    call.fresh(dims, std::exchange(call.maker.isHostile, false)
                         ? between(-3, -1)
                         : numbers);
  } else if (call.def.name.starts_with("Ragged")) {
    dims = {6};
    splits(call, 6);
    call.fresh(dims, numbers);
  } else {
    dims = {sparse(call, &numbers).count};
  }
  call.like(call.random.chance(50) ? Extents{0} : dims);
  return call.done();
}

/// As reduce().
bool distances(Call &call) {
  call.maker.isHostile = false;
  const int64_t rows = call.random.between(1, 4);
  const Fill elements =
      call.type("T") == DType::String ? texts({"a", "b"}) : between(0, 1);
  sparse(call, rows, 4, &elements);
  sparse(call, rows, 3, &elements);
  return call.done();
}

/// Activations of steps, of which sequences have some.
struct Steps {
  int64_t time, batch;
};
Steps activations(Call &call) {
  const Steps steps = {call.random.between(3, 5), call.random.between(1, 3)};
  call.fresh({steps.time, steps.batch, call.random.between(2, 4)},
             between(-3, 3));
  return steps;
}

bool ctcLoss(Call &call) {
  const Steps steps = activations(call);
  Extents list;
  for (int64_t b = 0; b < steps.batch; ++b)
    list.insert(list.end(), {b, 0});
  call.fresh({steps.batch, 2}, std::exchange(call.maker.isHostile, false)
                                   ? hostileIndices(steps.batch)
                                   : exactly(list));
  call.fresh({steps.batch}, between(0, 3));
  call.fresh({steps.batch}, between(1, double(steps.time)));
  return call.done();
}

bool gatherTree(Call &call) {
  const bool isHostile = call.maker.isHostile;
  call.maker.isHostile = false;
  const int64_t time = call.random.between(1, 4),
                batch = call.random.between(1, 2),
                width = call.random.between(1, 3);
  call.fresh({time, batch, width}, between(0, 3));
  call.fresh({time, batch, width},
             between(0, static_cast<double>(width - 1 + (isHostile ? 1 : 0))));
  call.fresh({batch}, between(0, static_cast<double>(time + 1)));
  call.fresh({}, between(0, 3));
  return call.done();
}
bool ctcDecoder(Call &call) {
  if (call.has("top_paths")) {
    call.set("beam_width", call.random.between(2, 5));
    call.set("top_paths", call.random.between(1, 2));
  }
  const Steps steps = activations(call);
  const double longest =
      static_cast<double>(steps.time) + (call.maker.isHostile ? 3 : 0);
  call.maker.isHostile = false;
  call.fresh({steps.batch}, between(1, longest));
  return call.done();
}

/// Row splits of so many elements: the numbers, and how many rows.
int64_t rowSplits(Call &call, int64_t elements) {
  Extents list = {0};
  while (call.random.chance(60))
    list.push_back(call.random.between(list.back().of[0], elements));
  list.push_back(elements);
  if (std::exchange(call.maker.isHostile, false))
    list.push_back(elements + call.random.among<int64_t>({-9, 1, 1 << 30}));
  call.integers(list);
  return static_cast<int64_t>(list.size()) - 1;
}

bool raggedToSparse(Call &call) {
  call.set("RAGGED_RANK", int64_t(1));
  const int64_t count = call.random.between(0, 6);
  rowSplits(call, count);
  call.like(call.random.chance(50) ? Extents{count} : Extents{count, 2});
  return call.done();
}

bool raggedRange(Call &call) {
  const Extents dims = {call.maker.randomExtent()};
  auto side = [&](double low, double high) {
    call.fresh(call.random.chance(30) ? Extents() : dims, between(low, high));
  };
  side(0, 4);
  side(2, 8);
  if (std::exchange(call.maker.isHostile, false))
    side(0, 0);
  else
    side(1, 3);
  return call.done();
}

bool raggedToTensor(Call &call) {
  const int64_t count = call.random.between(0, 6);
  const bool hasIds = call.random.chance(40);
  call.set("num_row_partition_tensors", int64_t(hasIds ? 2 : 1));
  call.set("row_partition_types",
           hasIds ? std::vector<std::string>{"FIRST_DIM_SIZE", "VALUE_ROWIDS"}
                  : std::vector<std::string>{"ROW_SPLITS"});
  if (call.random.chance(50))
    call.scalar(-1);
  else
    call.integers({call.random.between(-1, 4), call.random.between(-1, 4)});
  call.like({count});
  call.like({});
  if (!hasIds) {
    rowSplits(call, count);
    return call.done();
  }
  const int64_t rows = call.random.between(1, 4);
  call.scalar(rows);
  call.fresh({count}, std::exchange(call.maker.isHostile, false)
                          ? hostileIndices(rows)
                          : sortedBelow(rows));
  return call.done();
}

bool raggedGather(Call &call) {
  const int64_t count = call.random.between(0, 6),
                outer = call.random.between(0, 2);
  call.set("PARAMS_RAGGED_RANK", int64_t(1));
  call.set("OUTPUT_RAGGED_RANK", outer);
  const bool isHostile = std::exchange(call.maker.isHostile, false);
  const int64_t rows = rowSplits(call, count);
  call.like(call.random.chance(50) ? Extents{count} : Extents{count, 2});
  call.maker.isHostile = isHostile;
  call.indices(call.maker.dimsOfRank(static_cast<int>(outer)), rows);
  return call.done();
}

/// Keeps a sparse matrix, or its rows; takes the rows again.
bool keepSparse(Call &call) {
  if (call.def.name != "TakeManySparseFromTensorsMap") {
    sparse(call);
    return call.done();
  }
  const DType dtype = call.type("dtype");
  Call kept(call.maker, *lookupOp("AddManySparseToTensorsMap"));
  kept.set("T", dtype);
  const std::string name = call.maker.freshName("kept");
  kept.set("shared_name", name);
  call.set("shared_name", name);
  sparse(kept);
  auto made = kept.results();
  if (!made)
    return false;
  call.in(made->front());
  return call.done();
}

bool serialize(Call &call) {
  call.set("out_type", DType::String);
  sparse(call);
  return call.done();
}

bool deserialize(Call &call) {
  call.setIf("Tserialized", DType::String);
  Call made(call.maker, *lookupOp(call.def.name == "DeserializeSparse"
                                      ? "SerializeSparse"
                                      : "SerializeManySparse"));
  made.set("T", call.type("dtype"));
  made.set("out_type", DType::String);
  sparse(made);
  auto messages = made.results();
  if (!messages)
    return false;
  call.in(messages->front());
  return call.done();
}

/// Two sparse columns, and a dense one.
bool cross(Call &call) {
  const auto type = [&] {
    return call.random.chance(50) ? DType::Int64 : DType::String;
  };
  using Types = std::vector<DType>;
  const bool isFirst = call.def.name == "SparseCross";
  const bool isText = isFirst && call.random.chance(50);
  const auto own = [&] { return isText ? DType::String : type(); };
  call.set("N", int64_t(2));
  call.set("sparse_types", Types{own(), own()});
  call.set("dense_types", Types{own()});
  if (isFirst) {
    call.set("hashed_output", !isText);
    call.set("out_type", isText ? DType::String : DType::Int64);
    call.set("internal_type", isText ? DType::String : DType::Int64);
    call.set("num_buckets", call.random.between(0, 1000));
    call.set("hash_key", call.random.between(0, 1000));
  }
  const int64_t rows = call.random.between(1, 4);
  const Extents first = places(call, rows, 3), second = places(call, rows, 2);
  const Extents *columns[] = {&first, &second};
  const auto count = [](const Extents &list) {
    return Extent(static_cast<int64_t>(list.size() / 2));
  };
  for (const Extents *list : columns)
    call.fresh({count(*list), 2}, exactly(*list));
  for (const Extents *list : columns)
    call.like({count(*list)});
  const int64_t more = std::exchange(call.maker.isHostile, false) ? 1 : 0;
  call.integers({rows, 3});
  call.integers({rows + more, 2});
  call.like({rows, call.random.between(0, 2)});
  if (call.def.name == "SparseCrossV2")
    call.fresh({}, texts({"_X_", ""}));
  if (call.def.name == "SparseCrossHashed") {
    call.scalar(call.random.between(0, 100));
    call.in(call.maker.fresh(DType::Bool, {},
                             exactly({call.random.between(0, 1)})));
    call.integers({7, 9});
  }
  return call.done();
}

constexpr Recipe recipes[] = {
    {"DenseToDenseSetOperation DenseToSparseSetOperation "
     "SparseToSparseSetOperation",
     sets},
    {"SetSize", setSize},
    {"SparseReorder", reorder},
    {"SparseReshape", reshape},
    {"SparseConcat", concat},
    {"SparseSplit", split},
    {"SparseSliceGrad", sliceGradient},
    {"SparseFillEmptyRows RaggedFillEmptyRows", fillRows},
    {"SparseFillEmptyRowsGrad RaggedFillEmptyRowsGrad", fillRowsGradient},
    {"SparseReduceSum SparseReduceMax SparseReduceSumSparse "
     "SparseReduceMaxSparse",
     reduce},
    {"SparseSoftmax", softmax},
    {"SparseDenseCwiseAdd SparseDenseCwiseMul SparseDenseCwiseDiv", withDense},
    {"SparseSparseMinimum SparseSparseMaximum", extremes},
    {"SparseAdd", add},
    {"SparseAddGrad", addGradient},
    {"SparseTensorDenseAdd", ontoDense},
    {"SparseBincount RaggedBincount", binCounts},
    {"DenseCountSparseOutput SparseCountSparseOutput RaggedCountSparseOutput",
     sparseCounts},
    {"EditDistance", distances},
    {"SparseCross SparseCrossV2 SparseCrossHashed", cross},
    {"CTCLoss", ctcLoss},
    {"CTCGreedyDecoder CTCBeamSearchDecoder", ctcDecoder},
    {"GatherTree", gatherTree},
    {"RaggedTensorToSparse", raggedToSparse},
    {"RaggedRange", raggedRange},
    {"RaggedTensorToTensor", raggedToTensor},
    {"RaggedGather", raggedGather},
    {"AddSparseToTensorsMap AddManySparseToTensorsMap "
     "TakeManySparseFromTensorsMap",
     keepSparse},
    {"SerializeSparse SerializeManySparse", serialize},
    {"DeserializeSparse DeserializeManySparse", deserialize},
};

} // namespace

std::span<const Recipe> sparseRecipes() { return recipes; }

} // namespace kiln::fuzz
