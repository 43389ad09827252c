// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements in the files of a checkpoint.
#include "lib/Ops/Pipeline/HostElementFile.h"

#include "lib/IO/BundleReader.h"
#include "lib/IO/BundleWriter.h"
#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"

#include <algorithm>
#include <utility>

namespace kiln {
namespace {

constexpr int64_t mostElements = 10'000'000; ///< as TensorFlow's

std::string padded(size_t number, size_t width) {
  std::string text = std::to_string(number);
  return std::string(width - std::min(width, text.size()), '0') + text;
}

/// Names sort as the components lie.
std::string nameOf(size_t element, size_t component, size_t numComponents) {
  const size_t width = std::to_string(numComponents - 1).size();
  return strCat(padded(element, 7), "_", padded(component, width));
}

class BundledWriter final : public ElementWriter {
public:
  explicit BundledWriter(io::BundleWriter bundle) : bundle(std::move(bundle)) {}

  Status add(const Element &element) override {
    if (static_cast<int64_t>(number) >= mostElements)
      return invalidArgumentError(
          strCat("Upstream iterator is producing more than ", mostElements,
                 " items, which is more than the cache limit."));
    for (size_t i = 0; i < element.size(); ++i)
      KILN_RETURN_IF_ERROR(
          bundle.add(nameOf(number, i, element.size()), element[i]));
    ++number;
    return okStatus();
  }
  Status finish() override { return bundle.finish(); }

private:
  io::BundleWriter bundle;
  size_t number = 0; ///< of the next element
};

class BundledReader final : public ElementReader {
public:
  BundledReader(io::BundleReader bundle, size_t numComponents, size_t count)
      : bundle(std::move(bundle)), numComponents(numComponents), count(count) {}

  StatusOr<bool> next(Element &element) override {
    element.clear();
    if (number == count)
      return false;
    for (size_t i = 0; i < numComponents; ++i) {
      const std::string name = nameOf(number, i, numComponents);
      KILN_ASSIGN_OR_RETURN(const io::StoredTensor stored, bundle.find(name));
      KILN_ASSIGN_OR_RETURN(element.emplace_back(), bundle.read(name, stored));
    }
    ++number;
    return true;
  }

  Status skip(int64_t given) override {
    if (given < 0 || static_cast<size_t>(given) > count)
      return outOfRangeError(
          strCat("expected at least ", given, " elements, got ", count));
    number = static_cast<size_t>(given);
    return okStatus();
  }

private:
  io::BundleReader bundle;
  const size_t numComponents, count;
  size_t number = 0; ///< of the next element
};

} // namespace

StatusOr<std::unique_ptr<ElementWriter>>
makeElementWriter(const std::string &prefix) {
  KILN_ASSIGN_OR_RETURN(io::BundleWriter bundle,
                        io::BundleWriter::create(prefix));
  return std::unique_ptr<ElementWriter>(
      std::make_unique<BundledWriter>(std::move(bundle)));
}

StatusOr<std::unique_ptr<ElementReader>>
openElementReader(const std::string &prefix, size_t numComponents,
                  const FileAccess &files) {
  KILN_ASSIGN_OR_RETURN(io::BundleReader bundle,
                        io::BundleReader::open(prefix, files));
  KILN_ASSIGN_OR_RETURN(const std::vector<std::string> names, bundle.names());
  if (numComponents == 0 || names.size() % numComponents != 0)
    return dataLossError(strCat("expected whole elements of ", numComponents,
                                " components in ", quote(prefix), ", got ",
                                names.size(), " tensors"));
  const size_t count = names.size() / numComponents;
  return std::unique_ptr<ElementReader>(
      std::make_unique<BundledReader>(std::move(bundle), numComponents, count));
}

} // namespace kiln
