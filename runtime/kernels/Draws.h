// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of a Philox stream in blocks of 128 bits, as TensorFlow's kernels
// draw them that need another number of them for each output.
#ifndef KILN_RUNTIME_KERNELS_DRAWS_H
#define KILN_RUNTIME_KERNELS_DRAWS_H

#include "runtime/random/RandomScalar.h"

#include <Eigen/Core>
#include <bit>
#include <cmath>

namespace kiln::random {

/// How many numbers of a type one block gives.
template <class T> constexpr size_t drawsOfBlock = sizeof(T) == 8 ? 2 : 4;

/// The numbers of one block, uniform in [0, 1) or normal. The functions are the
/// C library's, as TensorFlow's are: rejection follows the last digit.
template <class T> class Draws {
public:
  using Block = std::array<T, drawsOfBlock<T>>;

  explicit Draws(const PhiloxState &state) noexcept : state(state) {}
  /// From the block so many behind the state's on.
  Draws(const PhiloxState &begin, uint64_t blocks) noexcept : state(begin) {
    skip(state, blocks);
  }

  Block uniform() noexcept {
    const auto words = next();
    Block block;
    for (size_t i = 0; i < block.size(); ++i)
      block[i] = unit(words, i);
    return block;
  }

  Block normal() noexcept {
    using Wide = std::conditional_t<sizeof(T) == 8, double, float>;
    const auto numbers = wideUniforms<Wide>(next());
    Block block;
    for (size_t i = 0; i < block.size(); i += 2) {
      const auto angle =
          static_cast<Wide>(2 * M_PI * static_cast<double>(numbers[i + 1]));
      const Wide radius = std::sqrt(
          Wide(-2) * std::log(std::max(numbers[i], static_cast<Wide>(1e-7))));
      block[i] = static_cast<T>(std::sin(angle) * radius);
      block[i + 1] = static_cast<T>(std::cos(angle) * radius);
    }
    return block;
  }

private:
  using Words = std::array<uint32_t, 4>;

  Words next() noexcept {
    const Words words = philoxWords(state);
    skip(state, 1);
    return words;
  }
  static T unit(const Words &words, size_t i) noexcept {
    if constexpr (sizeof(T) == 8) {
      const uint64_t upper = words[2 * i] & 0xfffff;
      return std::bit_cast<T>(upper << 32 | words[2 * i + 1] |
                              0x3ff0000000000000) -
             1;
    } else if constexpr (sizeof(T) == 4) {
      return std::bit_cast<T>((words[i] & 0x7fffff) | 0x3f800000) - 1;
    } else {
      const auto bits = static_cast<uint16_t>((words[i] & 0x3ff) | 0x3c00);
      return Eigen::numext::bit_cast<T>(bits) - T(1);
    }
  }
  template <class Wide>
  static std::array<Wide, drawsOfBlock<Wide>>
  wideUniforms(const Words &words) noexcept {
    std::array<Wide, drawsOfBlock<Wide>> numbers;
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = Draws<Wide>::unit(words, i);
    return numbers;
  }
  template <class> friend class Draws;

  PhiloxState state;
};

/// One number after the other of one stream, uniform and normal: each block is
/// used from its last number to its first.
class DoubleDraws {
public:
  DoubleDraws(const PhiloxState &begin, uint64_t blocks) noexcept
      : draws(begin, blocks) {}

  double uniform() noexcept {
    if (uniformsLeft == 0) {
      uniforms = draws.uniform();
      uniformsLeft = uniforms.size();
    }
    return uniforms[--uniformsLeft];
  }
  double normal() noexcept {
    if (normalsLeft == 0) {
      normals = draws.normal();
      normalsLeft = normals.size();
    }
    return normals[--normalsLeft];
  }

private:
  Draws<double> draws;
  Draws<double>::Block uniforms, normals;
  size_t uniformsLeft = 0, normalsLeft = 0;
};

} // namespace kiln::random

#endif // KILN_RUNTIME_KERNELS_DRAWS_H
