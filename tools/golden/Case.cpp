// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading case.json. The JSON library reports misfits by exceptions; they end
// here.
#include "tools/golden/Case.h"

#include "lib/Support/StatusMacros.h"
#include "lib/Support/Strings.h"
#include "tools/common/Npy.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace kiln::golden {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t maxJsonBytes = size_t{64} << 20;
constexpr size_t maxArrayBytes = size_t{1} << 30;

Shape readShape(const json &dims) {
  return Shape(dims.get<std::vector<int64_t>>());
}

ExpectArray readArrayName(const json &value) {
  if (value.is_string())
    return {value.get<std::string>()};
  return {value.at("bfloat16_bits").get<std::string>(), true};
}

Expectation readExpectation(const json &value) {
  if (value.is_null())
    return ExpectNothing();
  if (value.is_string() || value.contains("bfloat16_bits"))
    return readArrayName(value);
  if (value.contains("strings"))
    return ExpectStrings{value.at("strings").get<std::vector<std::string>>(),
                         readShape(value.at("shape"))};
  return ExpectType{value.at("dtype").get<std::string>(),
                    readShape(value.at("shape"))};
}

Step readStep(const json &value, double rtol, double atol) {
  Step step;
  step.session = value.at("session").get<std::string>();
  for (const auto &[tensor, given] : value.at("feeds").items())
    step.feeds.emplace_back(tensor, readExpectation(given));
  step.fetches = value.at("fetches").get<std::vector<std::string>>();
  if (auto repeat = value.find("repeat"); repeat != value.end())
    step.repeat = repeat->is_number_integer() ? repeat->get<int64_t>() : 0;
  step.rtol = value.value("rtol", rtol);
  step.atol = value.value("atol", atol);
  if (auto error = value.find("error"); error != value.end()) {
    step.error =
        ExpectedError{error->at("type").get<std::string>(),
                      error->at("message").get<std::string>(),
                      error->at("nodes").get<std::vector<std::string>>()};
    return step;
  }
  for (const json &expectation : value.at("expect"))
    step.expect.push_back(readExpectation(expectation));
  return step;
}

/// The bytes that pairs of hexadecimal digits stand for; nothing for other
/// text.
std::optional<std::string> fromHex(std::string_view digits) {
  std::string bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    uint8_t byte = 0;
    auto [end, error] =
        std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    if (error != std::errc() || end != digits.data() + i + 2)
      return std::nullopt;
    bytes += static_cast<char>(byte);
  }
  return digits.size() % 2 == 0 ? std::optional(bytes) : std::nullopt;
}

StatusOr<Tensor> readStrings(const ExpectStrings &value) {
  std::vector<std::string> texts;
  for (const std::string &hex : value.hex) {
    std::optional<std::string> bytes = fromHex(hex);
    if (!bytes)
      return invalidArgumentError(
          strCat("expected pairs of hexadecimal digits, got ", quote(hex)));
    texts.push_back(*std::move(bytes));
  }
  return Tensor::fromStrings(value.shape, std::span<const std::string>(texts));
}

} // namespace

StatusOr<Case> readCase(const fs::path &path) {
  Case result;
  result.name = caseName(path);
  KILN_ASSIGN_OR_RETURN(result.contents, Contents::open(path));
  KILN_ASSIGN_OR_RETURN(std::string text,
                        result.contents->read("case.json", maxJsonBytes));
  const std::string file = (path / "case.json").string();
  result.files = std::make_shared<CaseFiles>();
  KILN_RETURN_IF_ERROR(result.files->rename(text));
  try {
    json value = json::parse(text);
    for (const json &step : value.at("steps"))
      result.steps.push_back(readStep(step, value.at("rtol").get<double>(),
                                      value.at("atol").get<double>()));
    if (result.steps.empty())
      return invalidArgumentError(strCat(file, ": expected steps, got none"));
    for (const Step &step : result.steps)
      if (step.repeat < 1 ||
          (!step.error && step.expect.size() != step.fetches.size()))
        return invalidArgumentError(
            strCat(file, ": expected one expectation a fetch and a repeat of "
                         "at least 1"));
    return result;
  } catch (const json::exception &error) {
    return invalidArgumentError(strCat(file, ": ", error.what()));
  }
}

StatusOr<Tensor> readValue(const Contents &contents, const Expectation &value) {
  if (const auto *strings = std::get_if<ExpectStrings>(&value))
    return readStrings(*strings);
  const auto *array = std::get_if<ExpectArray>(&value);
  if (!array)
    return invalidArgumentError("expected an array or strings");
  KILN_ASSIGN_OR_RETURN(std::string bytes,
                        contents.read(array->file, maxArrayBytes));
  StatusOr<Tensor> tensor = parseNpy(bytes);
  if (!tensor.ok())
    return Status(tensor.status().code(),
                  strCat(array->file, ": ", tensor.status().message()));
  return array->isBFloat16
             ? Tensor::fromBuffer(DType::BFloat16, tensor->shape(),
                                  tensor->bufferRef())
             : tensor;
}

StatusOr<std::vector<fs::path>>
findCases(const std::vector<std::string> &paths) {
  const auto isCase = [](const fs::path &path) {
    std::error_code error;
    return isArchive(path) || fs::exists(path / "case.json", error);
  };
  std::vector<fs::path> cases;
  for (const std::string &path : paths) {
    if (isCase(path)) {
      cases.emplace_back(path);
      continue;
    }
    size_t before = cases.size();
    std::error_code error;
    for (const auto &entry : fs::directory_iterator(path, error))
      if (isCase(entry.path()))
        cases.push_back(entry.path());
    if (cases.size() == before)
      return notFoundError(strCat("expected a folder with a case.json, an "
                                  "archive of one, or a folder of such, got ",
                                  quote(path)));
    std::sort(cases.begin() + static_cast<std::ptrdiff_t>(before), cases.end());
  }
  return cases;
}

} // namespace kiln::golden
