// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutations that know what a protobuf message is: fields come and go, whole
// parts are copied, numbers become the ones that hurt.
#ifndef KILN_TEST_FUZZ_MESSAGEMUTATOR_H
#define KILN_TEST_FUZZ_MESSAGEMUTATOR_H

#include <cstddef>
#include <cstdint>
#include <google/protobuf/message.h>
#include <random>
#include <string>
#include <vector>

namespace kiln::fuzz {

/// Changes one to four places of the message. Strings come from `words` and
/// from the message itself, so that names go on meeting names.
void mutateMessage(google::protobuf::Message &message,
                   const std::vector<std::string> &words, std::mt19937 &random);

/// The body of a custom mutator for inputs that are one binary message: mutates
/// it, or now and then the bytes themselves; what does not parse is begun anew.
/// Returns the new size, at most `maxSize`.
size_t mutateBinary(google::protobuf::Message &empty, uint8_t *data,
                    size_t size, size_t maxSize, unsigned seed,
                    const std::vector<std::string> &words);

} // namespace kiln::fuzz

#endif // KILN_TEST_FUZZ_MESSAGEMUTATOR_H
