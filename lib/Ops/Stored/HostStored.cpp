// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps tensors, and sparse tensors, under handles.
#include "kiln/Node.h"
#include "kiln/SessionOptions.h"
#include "lib/HostKernels/HostKernels.h"
#include "lib/HostKernels/ImmediateOp.h"
#include "lib/Support/SparseIndices.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "runtime/abi/Container.h"
#include "runtime/resources/ResourceTable.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

namespace kiln {
namespace {

/// Tensors of one session, by handle. Thread safety: all functions; `mutex`
/// guards all.
class SessionTensors final : public Resource {
public:
  /// Returns the handle, in TensorFlow's form: node;number;device.
  std::string add(const Node &node, Tensor tensor) {
    std::scoped_lock lock(mutex);
    std::string handle = strCat(node.name(), ";", added++, ";", localDevice);
    tensors[handle] = std::move(tensor);
    return handle;
  }
  StatusOr<Tensor> find(const std::string &handle) const {
    std::scoped_lock lock(mutex);
    auto found = tensors.find(handle);
    if (found == tensors.end())
      return invalidArgumentError(strCat("The tensor with handle '", handle,
                                         "' is not in the session store."));
    return found->second;
  }
  Status remove(const std::string &handle) {
    std::map<std::string, Tensor>::node_type removed; // goes after the lock
    std::scoped_lock lock(mutex);
    removed = tensors.extract(handle);
    if (!removed)
      return invalidArgumentError(
          strCat("Failed to delete a tensor with handle '", handle,
                 "' in the session store."));
    return okStatus();
  }

private:
  mutable std::mutex mutex;
  std::map<std::string, Tensor> tensors;
  int64_t added = 0;
};

struct SparseParts {
  Tensor indices, values;
  std::vector<int64_t> shape;
};

/// Sparse tensors by number, each taken once. Thread safety: all functions;
/// `mutex` guards all.
class SparseTensors final : public Resource {
public:
  explicit SparseTensors(std::string name) : name(std::move(name)) {}

  int64_t add(SparseParts parts) {
    std::scoped_lock lock(mutex);
    tensors[added] = std::move(parts);
    return added++;
  }
  /// Takes all before the first that is not there.
  StatusOr<std::vector<SparseParts>> take(std::span<const int64_t> handles) {
    std::vector<SparseParts> taken; // goes after the lock
    std::scoped_lock lock(mutex);
    for (int64_t handle : handles) {
      auto found = tensors.find(handle);
      if (found == tensors.end())
        return invalidArgumentError(
            strCat("Unable to find SparseTensor: ", handle, " in map: ", name));
      taken.push_back(std::move(found->second));
      tensors.erase(found);
    }
    return taken;
  }

private:
  const std::string name;
  std::mutex mutex;
  std::map<int64_t, SparseParts> tensors;
  int64_t added = 0;
};

Status keep(SessionTensors &tensors, const HostCall &call) {
  call.outputs[0] = Tensor::scalar(tensors.add(call.node, call.inputs[0]));
  return okStatus();
}

StatusOr<std::string> handleOf(const HostCall &call, std::string_view name) {
  if (call.inputs[0].rank() != 0)
    return invalidArgumentError(strCat(name, " must be scalar"));
  return std::string(call.inputs[0].data<String>()[0].view());
}

Status give(SessionTensors &tensors, const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(std::string handle, handleOf(call, "handle"));
  KILN_ASSIGN_OR_RETURN(Tensor found, tensors.find(handle));
  if (const auto dtype = call.node.attrOr<DType>("dtype", DType::Invalid);
      found.dtype() != dtype)
    return internalError(strCat("Output 0 of type ", dtypeTfName(found.dtype()),
                                " does not match declared output type ",
                                dtypeTfName(dtype), " for node ",
                                call.node.name()));
  call.outputs[0] = std::move(found);
  return okStatus();
}

Status forget(SessionTensors &tensors, const HostCall &call) {
  KILN_ASSIGN_OR_RETURN(std::string handle, handleOf(call, "`handle`"));
  return tensors.remove(handle);
}

/// Inputs 0 to 2 are indices, values and a shape.
Status checkParts(const HostCall &call) {
  const Tensor &indices = call.inputs[0], &values = call.inputs[1],
               &shape = call.inputs[2];
  KILN_RETURN_IF_ERROR(checkSparseRanks(call.inputs));
  if (values.dim(0) != indices.dim(0))
    return invalidArgumentError(strCat(
        "Number of values must match first dimension of indices. Got ",
        values.dim(0), " values, indices shape: ", indices.shape().toString()));
  if (shape.dim(0) != indices.dim(1))
    return invalidArgumentError(strCat(
        "Number of dimensions must match second dimension of indices. Got ",
        shape.dim(0),
        " dimensions, indices shape: ", indices.shape().toString()));
  for (int64_t extent : shape.data<int64_t>())
    if (extent < 0)
      return invalidArgumentError(
          strCat("Dimension ", extent, " must be >= 0"));
  return Shape::fromDims(shape.data<int64_t>()).status();
}

Status addSparse(SparseTensors &tensors, const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkParts(call));
  std::span<const int64_t> shape = call.inputs[2].data<int64_t>();
  const int64_t handle = tensors.add(
      {call.inputs[0], call.inputs[1], {shape.begin(), shape.end()}});
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::fromValues<int64_t>(Shape(), {handle}));
  return okStatus();
}

Status addRows(SparseTensors &tensors, const HostCall &call) {
  KILN_RETURN_IF_ERROR(checkParts(call));
  std::span<const int64_t> shape = call.inputs[2].data<int64_t>(),
                           indices = call.inputs[0].data<int64_t>();
  const size_t rank = shape.size();
  if (rank < 2)
    return invalidArgumentError(strCat(
        "Rank of input SparseTensor should be > 1, but saw rank: ", rank));
  KILN_RETURN_IF_ERROR(checkOrderedIndices(indices, shape));
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::create(DType::Int64, {shape[0]}));
  std::span<int64_t> handles = call.outputs[0].mutableData<int64_t>();
  std::ranges::fill(handles, -1);
  const std::vector<int64_t> rest(shape.begin() + 1, shape.end());
  const int64_t count = call.inputs[1].dim(0);
  // Rows without elements come last, as in TensorFlow.
  for (int64_t begin = 0, end = 0; begin < count; begin = end) {
    const int64_t row = indices[static_cast<size_t>(begin) * rank];
    std::vector<int64_t> own;
    for (; end < count && indices[static_cast<size_t>(end) * rank] == row;
         ++end) {
      auto index = indices.subspan(static_cast<size_t>(end) * rank, rank);
      own.insert(own.end(), index.begin() + 1, index.end());
    }
    SparseParts parts;
    KILN_ASSIGN_OR_RETURN(parts.indices,
                          Tensor::fromValues<int64_t>(
                              {end - begin, static_cast<int64_t>(rank) - 1},
                              std::span<const int64_t>(own)));
    KILN_ASSIGN_OR_RETURN(parts.values, elementsOf(call.inputs[1], begin, end));
    parts.shape = rest;
    handles[static_cast<size_t>(row)] = tensors.add(std::move(parts));
  }
  for (int64_t &handle : handles) {
    if (handle >= 0)
      continue;
    SparseParts parts;
    KILN_ASSIGN_OR_RETURN(
        parts.indices,
        Tensor::create(DType::Int64, {0, static_cast<int64_t>(rank) - 1}));
    KILN_ASSIGN_OR_RETURN(parts.values,
                          Tensor::create(call.inputs[1].dtype(), {0}));
    parts.shape = rest;
    handle = tensors.add(std::move(parts));
  }
  return okStatus();
}

/// Puts the tensors behind each other, as the rows of one.
Status takeRows(SparseTensors &tensors, const HostCall &call) {
  const Tensor &handles = call.inputs[0];
  if (handles.rank() != 1)
    return invalidArgumentError(
        strCat("sparse_handles should be a vector but received shape ",
               handles.shape().toString()));
  if (handles.dim(0) == 0)
    return invalidArgumentError("Must have at least 1 serialized SparseTensor, "
                                "but input matrix has 0 rows");
  KILN_ASSIGN_OR_RETURN(std::vector<SparseParts> parts,
                        tensors.take(handles.data<int64_t>()));
  const auto dtype = call.node.attrOr<DType>("dtype", DType::Invalid);
  std::vector<int64_t> shape = parts[0].shape, indices;
  int64_t count = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].values.dtype() != dtype)
      return invalidArgumentError(
          strCat("Requested SparseTensor of type ", dtypeTfName(dtype),
                 " but SparseTensor[", i,
                 "].values.dtype() == ", dtypeTfName(parts[i].values.dtype())));
    if (parts[i].shape.size() != shape.size())
      return invalidArgumentError(
          strCat("Inconsistent rank across SparseTensors: rank prior to "
                 "SparseTensor[",
                 i, "] was: ", shape.size() + 1, " but rank of SparseTensor[",
                 i, "] is: ", parts[i].shape.size() + 1));
    for (size_t d = 0; d < shape.size(); ++d)
      shape[d] = std::max(shape[d], parts[i].shape[d]);
    count += parts[i].values.dim(0);
  }
  KILN_ASSIGN_OR_RETURN(call.outputs[1], Tensor::create(dtype, {count}));
  char *to = static_cast<char *>(call.outputs[1].mutableRawData());
  auto text = call.outputs[1].mutableData<String>().begin();
  for (size_t i = 0; i < parts.size(); ++i) {
    const Tensor &values = parts[i].values;
    std::span<const int64_t> own = parts[i].indices.data<int64_t>();
    for (int64_t k = 0; k < values.dim(0); ++k) {
      indices.push_back(static_cast<int64_t>(i));
      auto index =
          own.subspan(static_cast<size_t>(k) * shape.size(), shape.size());
      indices.insert(indices.end(), index.begin(), index.end());
    }
    if (dtype == DType::String)
      text = std::ranges::copy(values.data<String>(), text).out;
    else if (values.byteSize() > 0)
      to = std::copy_n(static_cast<const char *>(values.rawData()),
                       values.byteSize(), to);
  }
  shape.insert(shape.begin(), static_cast<int64_t>(parts.size()));
  const auto rank = static_cast<int64_t>(shape.size());
  KILN_ASSIGN_OR_RETURN(call.outputs[0],
                        Tensor::fromValues<int64_t>(
                            {count, rank}, std::span<const int64_t>(indices)));
  KILN_ASSIGN_OR_RETURN(
      call.outputs[2],
      Tensor::fromValues<int64_t>({rank}, std::span<const int64_t>(shape)));
  return okStatus();
}

template <class Kept> struct Row {
  std::string_view name;
  Status (*op)(Kept &kept, const HostCall &call);
};

constexpr Row<SessionTensors> sessionRows[] = {{"GetSessionHandle", keep},
                                               {"GetSessionTensor", give},
                                               {"DeleteSessionTensor", forget}};
constexpr Row<SparseTensors> sparseRows[] = {
    {"AddSparseToTensorsMap", addSparse},
    {"AddManySparseToTensorsMap", addRows},
    {"TakeManySparseFromTensorsMap", takeRows}};

template <class Kept>
std::unique_ptr<BlockingOp> bindRow(const Node &node, const BlockingSite &site,
                                    const Row<Kept> &row,
                                    std::shared_ptr<Resource> resource) {
  return makeImmediateOp(
      node, site.files,
      [op = row.op, kept = std::static_pointer_cast<Kept>(std::move(resource))](
          const HostCall &call) { return op(*kept, call); });
}

template <class Kept, size_t n>
const Row<Kept> &rowOf(const Row<Kept> (&rows)[n], std::string_view op) {
  return *std::find_if(std::begin(rows), std::end(rows),
                       [&](const Row<Kept> &row) { return row.name == op; });
}

StatusOr<std::unique_ptr<BlockingOp>>
bindSessionTensors(const Node &node, const BlockingSite &site) {
  // Without a name it is this session's alone.
  KILN_ASSIGN_OR_RETURN(std::shared_ptr<Resource> found,
                        site.resources.findOrCreate(
                            {ResourceKey::Kind::SessionTensors, {}, {}},
                            "session tensors",
                            [] { return std::make_shared<SessionTensors>(); }));
  return bindRow(node, site, rowOf(sessionRows, node.op()), std::move(found));
}

StatusOr<std::unique_ptr<BlockingOp>>
bindSparseTensors(const Node &node, const BlockingSite &site) {
  auto name = node.attrOr<std::string>("shared_name", "");
  if (name.empty())
    name = node.name();
  ResourceKey key{ResourceKey::Kind::SparseTensors,
                  canonicalContainer(node.attrOr<std::string>("container", "")),
                  name};
  KILN_ASSIGN_OR_RETURN(
      std::shared_ptr<Resource> found,
      site.resources.findOrCreate(std::move(key), node.name(), [&] {
        return std::make_shared<SparseTensors>(name);
      }));
  return bindRow(node, site, rowOf(sparseRows, node.op()), std::move(found));
}

} // namespace

void addStoredKernels(HostKernels &kernels) {
  for (const auto &row : sessionRows)
    kernels.addOwn(row.name,
                   {.effect = HostEffect::Apart, .bindOp = bindSessionTensors});
  for (const auto &row : sparseRows)
    kernels.addOwn(row.name,
                   {.effect = HostEffect::Apart, .bindOp = bindSparseTensors});
}

} // namespace kiln
