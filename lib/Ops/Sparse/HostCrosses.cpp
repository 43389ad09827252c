// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Crosses of features: every choice of one feature a column, as a text or a
// hash.
#include "lib/Ops/Sparse/Host.h"
#include "lib/Ops/Sparse/HostSparseView.h"

#include "lib/Support/CheckedMath.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/kernels/Fingerprints.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>

namespace kiln::host {
namespace {

/// Indices, values and shapes of sparse columns, then dense columns.
struct Inputs {
  std::span<const Tensor> indices, values, shapes, dense;
  /// What is behind them.
  std::span<const Tensor> rest;

  explicit Inputs(const HostCall &call) {
    std::span<const Tensor> all = call.inputs;
    const auto take = [&](size_t count) {
      std::span<const Tensor> part = all.first(count);
      all = all.subspan(count);
      return part;
    };
    const auto sparse = static_cast<size_t>(call.node.attrOr<int64_t>("N", 0));
    const size_t plain =
        call.node.attrOr<std::vector<DType>>("dense_types", {}).size();
    const size_t numValues =
        call.node.attrOr<std::vector<DType>>("sparse_types", {}).size();
    indices = take(sparse);
    values = take(numValues);
    shapes = take(sparse);
    dense = take(plain);
    rest = all;
  }

  int64_t batch() const {
    if (!shapes.empty())
      return shapes[0].data<int64_t>()[0];
    return dense.empty() ? 0 : dense[0].dim(0);
  }
};

Status wrongShape(std::string_view what, std::string_view kind,
                  const Tensor &tensor, size_t i) {
  return invalidArgumentError(
      strCat(what, " should be a ", kind, " but received shape ",
             tensor.shape().toString(), " at position ", i));
}

/// \p isText: texts are made, and numbers are none.
Status checkColumns(const Inputs &inputs, bool isText) {
  const size_t count = inputs.indices.size();
  for (size_t i = 0; i < count; ++i) {
    if (!isMatrix(inputs.indices[i]))
      return wrongShape("Input indices", "matrix", inputs.indices[i], i);
    if (inputs.indices[i].dim(1) != 2)
      return invalidArgumentError(strCat("Expected D2 of index to be 2 got ",
                                         inputs.indices[i].dim(1),
                                         " at position ", i));
  }
  if (inputs.values.size() != count)
    return invalidArgumentError(strCat(
        "Expected ", count, " input values, got ", inputs.values.size()));
  for (size_t i = 0; i < count; ++i) {
    const Tensor &values = inputs.values[i];
    if (isText && values.dtype() == DType::Int64)
      return invalidArgumentError("Input values should be of internal type "
                                  "7 (string) but received 9 (int64)");
    if (!isVector(values))
      return wrongShape("Input values", "vector", values, i);
    if (values.dim(0) != inputs.indices[i].dim(0))
      return invalidArgumentError(strCat("Expected size of values to be ",
                                         inputs.indices[i].dim(0), " got ",
                                         values.dim(0), " at position ", i));
  }
  for (size_t i = 0; i < count; ++i) {
    if (!isVector(inputs.shapes[i]))
      return wrongShape("Input shapes", "vector", inputs.shapes[i], i);
    if (inputs.shapes[i].dim(0) != 2)
      return invalidArgumentError(
          strCat("shape should imply a 2D tensor, but got ",
                 inputs.shapes[i].shape().toString(), " at position ", i));
  }
  for (size_t i = 0; i < inputs.dense.size(); ++i) {
    if (isText && inputs.dense[i].dtype() == DType::Int64)
      return invalidArgumentError("Dense inputs should be of internal type "
                                  "7 (string) but received 9 (int64)");
    if (!isMatrix(inputs.dense[i]))
      return wrongShape("Dense inputs", "matrix", inputs.dense[i], i);
  }
  const int64_t batch = inputs.batch();
  for (size_t i = 0; i < count; ++i)
    if (const int64_t own = inputs.shapes[i].data<int64_t>()[0]; own != batch)
      return invalidArgumentError(strCat("Expected batch size ", batch, " got ",
                                         own, " at position ", i));
  for (size_t i = 0; i < inputs.dense.size(); ++i)
    if (const int64_t own = inputs.dense[i].dim(0); own != batch)
      return invalidArgumentError(strCat("Expected batch size ", batch, " got ",
                                         own, " at dense tensor ", i));
  return batch < 0 ? checkExtents({&batch, 1}).status() : okStatus();
}

/// The features of one column, row after row.
class Column {
public:
  explicit Column(const Tensor &dense) : values(dense) {}
  Column(const Tensor &values, const Tensor &indices)
      : values(values), indices(&indices) {}

  bool isDense() const { return !indices; }
  /// The first row from `row` on that has features; nothing where there is
  /// none. Rows come in order, and what is out of order TensorFlow never
  /// reaches. However many rows there are, this costs the features alone.
  std::optional<int64_t> seek(int64_t row) {
    if (isDense())
      return values.dim(1) > 0 ? std::optional<int64_t>(row) : std::nullopt;
    begin += count;
    count = 0;
    while (begin < values.dim(0)) {
      const int64_t own = rowAt(begin);
      if (own < reached)
        return std::nullopt;
      if (own >= row)
        return own;
      reached = own + 1;
      while (begin < values.dim(0) && rowAt(begin) == own)
        ++begin;
    }
    return std::nullopt;
  }
  /// Goes to a row that seek() found.
  void enter(int64_t row) {
    reached = row + 1;
    if (isDense()) {
      begin = row * values.dim(1);
      count = values.dim(1);
      return;
    }
    while (begin + count < values.dim(0) && rowAt(begin + count) == row)
      ++count;
  }
  int64_t size() const { return count; }
  bool isText() const { return values.dtype() == DType::String; }
  std::string_view text(int64_t i) const {
    return values.data<String>()[static_cast<size_t>(begin + i)].view();
  }
  int64_t number(int64_t i) const {
    return values.data<int64_t>()[static_cast<size_t>(begin + i)];
  }
  /// The lower half of a number, which is what TensorFlow hashes of it.
  std::string_view numberBytes(int64_t i) const {
    return {reinterpret_cast<const char *>(
                &values.data<int64_t>()[static_cast<size_t>(begin + i)]),
            sizeof(int32_t)};
  }

private:
  int64_t rowAt(int64_t i) const {
    return indices->data<int64_t>()[static_cast<size_t>(2 * i)];
  }

  const Tensor &values;
  const Tensor *indices = nullptr;
  int64_t begin = 0, count = 0;
  int64_t reached = 0; ///< rows before it are done
};

/// The first row from `row` on in which all columns have features.
std::optional<int64_t> commonRow(std::vector<Column> &columns, int64_t row) {
  for (size_t agreed = 0; agreed < columns.size();)
    for (Column &column : columns) {
      const std::optional<int64_t> next = column.seek(row);
      if (!next)
        return std::nullopt;
      agreed = *next == row ? agreed + 1 : 1;
      row = *next;
      if (agreed >= columns.size())
        break;
    }
  return row;
}

/// Combines two fingerprints. **Source**: TensorFlow's FingerprintCat64.
uint64_t combine(uint64_t first, uint64_t second) {
  constexpr uint64_t factor = 0xc6a4a7935bd1e995;
  const auto mix = [](uint64_t value) { return value ^ (value >> 47); };
  uint64_t result = first ^ factor;
  result ^= mix(second * factor) * factor;
  result *= factor;
  result = mix(result) * factor;
  return mix(result);
}

int64_t bucketOf(uint64_t hash, int64_t buckets) {
  const auto divisor = static_cast<uint64_t>(
      buckets > 0 ? buckets : std::numeric_limits<int64_t>::max());
  return static_cast<int64_t>(hash % divisor);
}

/// Which feature each column gives.
using Choice = std::vector<int64_t>;

/// Calls use(row, number, columns, choice) for each cross, the last column's
/// features fastest; gives indices and the shape. **Errors**: those of use.
template <class Use>
Status forCrosses(const HostCall &call, const Inputs &inputs, Use use) {
  std::vector<Column> columns;
  for (size_t i = 0; i < inputs.values.size(); ++i)
    columns.emplace_back(inputs.values[i], inputs.indices[i]);
  for (const Tensor &dense : inputs.dense)
    columns.emplace_back(dense);
  std::vector<int64_t> places;
  int64_t most = 0;
  for (int64_t row = 0; row < inputs.batch(); ++row) {
    const std::optional<int64_t> next = commonRow(columns, row);
    if (!next || *next >= inputs.batch())
      break;
    row = *next;
    CheckedInt64 crosses = 1;
    for (Column &column : columns) {
      column.enter(row);
      crosses *= column.size();
    }
    constexpr int64_t maxCrosses = int64_t(1) << 32;
    if (!crosses.value() || *crosses.value() > maxCrosses)
      return resourceExhaustedError(
          strCat("expected at most ", maxCrosses, " crosses in row ", row));
    Choice choice(columns.size());
    for (int64_t k = 0; k < *crosses.value(); ++k) {
      places.insert(places.end(), {row, k});
      use(columns, choice);
      for (size_t c = choice.size(); c-- > 0;) {
        if (++choice[c] < columns[c].size())
          break;
        choice[c] = 0;
      }
    }
    most = std::max(most, *crosses.value());
  }
  KILN_ASSIGN_OR_RETURN(
      call.outputs[0],
      Tensor::fromValues<int64_t>({static_cast<int64_t>(places.size() / 2), 2},
                                  std::span<const int64_t>(places)));
  const int64_t shape[] = {inputs.batch(), most};
  KILN_ASSIGN_OR_RETURN(call.outputs[2], integers(DType::Int64, shape));
  return okStatus();
}

Status crossTexts(const HostCall &call, const Inputs &inputs,
                  std::string_view separator) {
  std::vector<std::string> texts;
  KILN_RETURN_IF_ERROR(
      forCrosses(call, inputs,
                 [&](const std::vector<Column> &columns, const Choice &choice) {
                   std::string &text = texts.emplace_back();
                   for (size_t c = 0; c < columns.size(); ++c) {
                     if (c > 0)
                       text += separator;
                     if (columns[c].isText())
                       text += columns[c].text(choice[c]);
                     else
                       text += std::to_string(columns[c].number(choice[c]));
                   }
                 }));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[1],
      Tensor::fromStrings({static_cast<int64_t>(texts.size())},
                          std::span<const std::string>(texts)));
  return okStatus();
}

/// Calls hash(columns, choice) for each cross.
template <class Hash>
Status crossHashes(const HostCall &call, const Inputs &inputs, Hash hash) {
  std::vector<int64_t> hashes;
  KILN_RETURN_IF_ERROR(
      forCrosses(call, inputs,
                 [&](const std::vector<Column> &columns, const Choice &choice) {
                   hashes.push_back(hash(columns, choice));
                 }));
  KILN_ASSIGN_OR_RETURN(call.outputs[1], integers(DType::Int64, hashes));
  return okStatus();
}

} // namespace

Status sparseCross(const HostCall &call) {
  const Inputs inputs(call);
  const bool isHashed = call.node.attrOr<bool>("hashed_output", false);
  KILN_RETURN_IF_ERROR(checkColumns(
      inputs, call.node.attrOr<DType>("internal_type", DType::Invalid) ==
                  DType::String));
  if (!isHashed)
    return crossTexts(call, inputs, "_X_");
  const auto buckets = call.node.attrOr<int64_t>("num_buckets", 0),
             key = call.node.attrOr<int64_t>("hash_key", 0);
  return crossHashes(
      call, inputs,
      [&](const std::vector<Column> &columns, const Choice &choice) {
        auto hash = static_cast<uint64_t>(key);
        for (size_t c = 0; c < columns.size(); ++c)
          hash = combine(
              hash, columns[c].isText()
                        ? fingerprint64(columns[c].text(choice[c]))
                        : static_cast<uint64_t>(columns[c].number(choice[c])));
        return bucketOf(hash, buckets);
      });
}

Status sparseCrossV2(const HostCall &call) {
  const Inputs inputs(call);
  KILN_RETURN_IF_ERROR(checkColumns(inputs, false));
  const Tensor &separator = inputs.rest[0];
  if (separator.rank() != 0)
    return invalidArgumentError(
        strCat("Input separator should be a scalar. Received: shape ",
               separator.shape().toString()));
  return crossTexts(call, inputs, separator.data<String>()[0].view());
}

Status sparseCrossHashed(const HostCall &call) {
  const Inputs inputs(call);
  KILN_RETURN_IF_ERROR(checkColumns(inputs, false));
  const Tensor &bucketTensor = inputs.rest[0], &strong = inputs.rest[1],
               &salt = inputs.rest[2];
  if (bucketTensor.rank() != 0 || strong.rank() != 0)
    return invalidArgumentError(
        "expected num_buckets and strong_hash to be scalars");
  if (salt.numElements() != 2)
    return invalidArgumentError(
        strCat("Input \"salt\" must have length 2 but has length ",
               salt.numElements()));
  const int64_t buckets = bucketTensor.data<int64_t>()[0];
  const bool isStrong = strong.data<bool>()[0];
  const std::array<uint64_t, 2> key = {
      static_cast<uint64_t>(salt.data<int64_t>()[0]),
      static_cast<uint64_t>(salt.data<int64_t>()[1])};
  const auto hashOf = [&](const Column &column, int64_t i) -> uint64_t {
    if (!column.isText() && column.isDense() && !isStrong)
      return static_cast<uint64_t>(column.number(i));
    const std::string_view bytes =
        column.isText() ? column.text(i) : column.numberBytes(i);
    return isStrong ? sipHash(key[0], key[1], bytes) : fingerprint64(bytes);
  };
  return crossHashes(
      call, inputs,
      [&](const std::vector<Column> &columns, const Choice &choice) {
        uint64_t hash = 0;
        for (size_t c = 0; c < columns.size(); ++c) {
          const uint64_t own = hashOf(columns[c], choice[c]);
          hash = c == 0 ? own : combine(hash, own);
        }
        return bucketOf(hash, buckets);
      });
}

} // namespace kiln::host
