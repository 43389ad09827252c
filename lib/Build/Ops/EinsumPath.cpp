// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In which order the tensors of an einsum are multiplied.
#include "lib/Build/Ops/EinsumPath.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace kiln::ops {
namespace {

/// A set of labels, a bit each.
using Labels = uint64_t;

Labels bitOf(char label) {
  if (label >= 'a')
    return Labels{1} << (label - 'a');
  if (label >= 'A')
    return Labels{1} << (26 + label - 'A');
  return Labels{1} << 52; // the ellipsis
}
Labels labelsOf(const std::string &text) {
  Labels all = 0;
  for (char label : text)
    all |= bitOf(label);
  return all;
}

/// A pair of tensors that might be next: what it costs, the larger of their
/// numbers, the other one, what they have, and what their product has.
struct Candidate {
  double cost;
  int second, first;
  Labels a, b, product;
  bool operator<(const Candidate &other) const {
    return std::tie(cost, second, first, a, b, product) <
           std::tie(other.cost, other.second, other.first, other.a, other.b,
                    other.product);
  }
};

/// Tensors get numbers as they come: first the operands, then the products.
class Search {
public:
  Search(const std::vector<Labels> &inputs, Labels output,
         std::map<Labels, double> extents)
      : output(output), extents(std::move(extents)),
        next(static_cast<int>(inputs.size())) {
    for (size_t i = 0; i < inputs.size(); ++i)
      add(inputs[i], static_cast<int>(i));
  }

  std::vector<std::pair<int, int>> pairs() {
    // Each label with the tensors that come after the first one that has it.
    for (const auto &[bit, extent] : extents) {
      if (bit & output)
        continue;
      std::vector<Labels> having;
      for (Labels key : order)
        if (key & bit)
          having.push_back(key);
      std::ranges::sort(having, {}, [&](Labels key) { return numbers[key]; });
      for (size_t i = 0; i + 1 < having.size(); ++i)
        push(having[i],
             {having.begin() + static_cast<ptrdiff_t>(i) + 1, having.end()});
    }
    while (!queue.empty())
      contract();
    multiplyRest();
    return path;
  }

private:
  /// Tensors of the same labels are multiplied at once.
  void add(Labels key, int number) {
    auto found = numbers.find(key);
    if (found == numbers.end()) {
      numbers.emplace(key, number);
      order.push_back(key);
      return;
    }
    path.emplace_back(found->second, number);
    found->second = next++;
  }

  double sizeOf(Labels labels) const {
    double size = 1;
    for (const auto &[bit, extent] : extents)
      if (labels & bit)
        size *= extent;
    return size;
  }

  /// How many tensors have the label.
  int usesOf(Labels bit) const {
    return static_cast<int>(
        std::ranges::count_if(order, [&](Labels key) { return key & bit; }));
  }

  Candidate candidate(Labels a, Labels b) const {
    Labels either = a | b, two = a & b, product = either & output;
    for (const auto &[bit, extent] : extents) {
      if (bit & output || !(bit & either))
        continue;
      if (usesOf(bit) >= (bit & two ? 3 : 2))
        product |= bit;
    }
    double cost = sizeOf(product) - sizeOf(a) - sizeOf(b);
    if (numbers.at(a) > numbers.at(b))
      std::swap(a, b);
    return {cost, numbers.at(b), numbers.at(a), a, b, product};
  }

  void push(Labels a, const std::vector<Labels> &others) {
    std::vector<Candidate> all;
    for (Labels b : others)
      all.push_back(candidate(a, b));
    queue.insert(*std::min_element(all.begin(), all.end()));
  }

  void contract() {
    Candidate best = *queue.begin();
    queue.erase(queue.begin());
    if (!numbers.contains(best.a) || !numbers.contains(best.b))
      return;
    path.emplace_back(numbers.at(best.a), numbers.at(best.b));
    for (Labels key : {best.a, best.b}) {
      numbers.erase(key);
      std::erase(order, key);
    }
    int number = next++;
    add(best.product, number);
    std::vector<Labels> others;
    for (Labels key : order)
      if (key != best.product && (key & best.product & ~output))
        others.push_back(key);
    if (!others.empty())
      push(best.product, others);
  }

  /// What has no label in common, the smallest first.
  void multiplyRest() {
    std::set<std::tuple<double, int, Labels>> rest;
    for (Labels key : order)
      rest.emplace(sizeOf(key & output), numbers.at(key), key);
    auto pop = [&] {
      auto first = *rest.begin();
      rest.erase(rest.begin());
      return first;
    };
    auto [size, number, key] = pop();
    while (!rest.empty()) {
      auto [otherSize, otherNumber, otherKey] = pop();
      path.emplace_back(std::min(number, otherNumber),
                        std::max(number, otherNumber));
      Labels product = (key | otherKey) & output;
      rest.emplace(sizeOf(product), next++, product);
      std::tie(size, number, key) = pop();
    }
  }

  Labels output;
  std::map<Labels, double> extents;
  int next;
  std::map<Labels, int> numbers; ///< by the labels of what is left
  std::vector<Labels> order;
  std::set<Candidate> queue;
  std::vector<std::pair<int, int>> path;
};

} // namespace

std::vector<Contraction> einsumPath(const std::vector<std::string> &inputs,
                                    const std::string &output,
                                    const std::map<char, int64_t> &extents) {
  std::vector<Labels> sets;
  Labels common = ~Labels{0};
  for (const std::string &each : inputs) {
    sets.push_back(labelsOf(each));
    common &= sets.back();
  }
  std::map<Labels, double> sizes;
  for (auto [label, extent] : extents)
    sizes[bitOf(label)] = static_cast<double>(extent);
  std::vector<std::pair<int, int>> pairs =
      Search(sets, labelsOf(output) | common, sizes).pairs();

  std::vector<Contraction> path;
  std::vector<std::string> left = inputs;
  std::vector<int> numbers(inputs.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int>(i);
  int next = static_cast<int>(inputs.size());
  for (auto [first, second] : pairs) {
    Contraction step;
    for (int number : {first, second})
      step.operands.push_back(static_cast<size_t>(
          std::ranges::find(numbers, number) - numbers.begin()));
    std::ranges::sort(step.operands, std::greater<>());
    std::string both;
    for (size_t at : step.operands) {
      step.equation += (step.equation.empty() ? "" : ",") + left[at];
      both += left[at];
      left.erase(left.begin() + static_cast<ptrdiff_t>(at));
      numbers.erase(numbers.begin() + static_cast<ptrdiff_t>(at));
    }
    std::string result = output;
    if (!left.empty()) {
      Labels wanted = labelsOf(output);
      for (const std::string &each : left)
        wanted |= labelsOf(each);
      result.clear();
      for (char label : both)
        if (bitOf(label) & wanted && result.find(label) == std::string::npos)
          result += label;
    }
    step.equation += "->" + result;
    left.push_back(result);
    numbers.push_back(next++);
    path.push_back(std::move(step));
  }
  return path;
}

} // namespace kiln::ops
