// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The digest that TensorFlow makes seeds with: MD5 of RFC 1321.
#ifndef KILN_LIB_SUPPORT_MD5_H
#define KILN_LIB_SUPPORT_MD5_H

#include <array>
#include <cstdint>
#include <string_view>

namespace kiln {

std::array<uint8_t, 16> md5(std::string_view text);

/// The first 31 bits of the digest's first eight hexadecimal digits, as
/// TensorFlow makes a seed of a number and a text that is an op's own.
/// **Source**: data_flow_ops.py, rnn_cell_wrapper_impl.py.
int64_t seedOf(std::string_view text);

} // namespace kiln

#endif // KILN_LIB_SUPPORT_MD5_H
