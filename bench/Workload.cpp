// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading workloads.json. The JSON library reports misfits by exceptions; they
// end here, as statuses.
#include "bench/Workload.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <random>

namespace kiln::bench {
namespace {

// Ordered: workloads run in the order of the file.
using Json = nlohmann::ordered_json;

std::optional<double> readNumber(const Json &value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<double>());
}

FeedSpec readFeed(const std::string &tensor, const Json &value) {
  FeedSpec feed;
  feed.tensor = tensor;
  feed.dtype = dtypeFromName(value.at("dtype").get<std::string>())
                   .value_or(DType::Invalid);
  feed.shape = Shape(
      std::span<const int64_t>(value.at("shape").get<std::vector<int64_t>>()));
  feed.below = value.value("below", int64_t(1));
  return feed;
}

Workload readWorkload(const std::string &name, const Json &value) {
  Workload workload;
  workload.name = name;
  workload.init = value.at("init").get<std::string>();
  workload.fetches = value.at("fetches").get<std::vector<std::string>>();
  workload.targets = value.at("targets").get<std::vector<std::string>>();
  for (const auto &[tensor, feed] : value.at("feeds").items())
    workload.feeds.push_back(readFeed(tensor, feed));
  workload.bytes = readNumber(value.at("bytes"));
  workload.flops = readNumber(value.at("flops"));
  return workload;
}

template <class T> void fillNormal(Tensor &tensor, std::mt19937_64 &random) {
  std::normal_distribution<T> normal;
  for (T &value : tensor.mutableData<T>())
    value = normal(random);
}

template <class T>
void fillBelow(Tensor &tensor, int64_t below, std::mt19937_64 &random) {
  std::uniform_int_distribution<int64_t> uniform(
      0, std::max<int64_t>(below, 1) - 1);
  for (T &value : tensor.mutableData<T>())
    value = static_cast<T>(uniform(random));
}

} // namespace

StatusOr<std::vector<Workload>> readWorkloads(const std::string &folder) {
  const std::string path = folder + "/workloads.json";
  std::ifstream file(path);
  if (!file)
    return notFoundError("cannot read " + path);
  try {
    std::vector<Workload> workloads;
    const Json all = Json::parse(file);
    for (const auto &[name, value] : all.items())
      workloads.push_back(readWorkload(name, value));
    return workloads;
  } catch (const Json::exception &error) {
    return invalidArgumentError(path + ": " + error.what());
  }
}

StatusOr<std::vector<Feed>> makeFeeds(const Workload &workload, uint64_t seed,
                                      int64_t rows) {
  std::mt19937_64 random(seed);
  std::vector<Feed> feeds;
  for (const FeedSpec &spec : workload.feeds) {
    Shape shape = spec.shape;
    if (rows >= 0 && shape.rank() > 0)
      shape.setDim(0, rows);
    StatusOr<Tensor> tensor = Tensor::create(spec.dtype, shape);
    if (!tensor.ok())
      return tensor.status();
    switch (spec.dtype) {
    case DType::Float32:
      fillNormal<float>(*tensor, random);
      break;
    case DType::Float64:
      fillNormal<double>(*tensor, random);
      break;
    case DType::Int32:
      fillBelow<int32_t>(*tensor, spec.below, random);
      break;
    case DType::Int64:
      fillBelow<int64_t>(*tensor, spec.below, random);
      break;
    default:
      return unimplementedError("no random feeds of " +
                                std::string(dtypeName(spec.dtype)) + ", for " +
                                spec.tensor);
    }
    feeds.push_back({spec.tensor, *std::move(tensor)});
  }
  return feeds;
}

} // namespace kiln::bench
