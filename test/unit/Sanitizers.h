// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sanitizer a test was compiled for: each macro is 0 or 1.
#ifndef KILN_TEST_UNIT_SANITIZERS_H
#define KILN_TEST_UNIT_SANITIZERS_H

// clang has features, g++ has macros.
#ifndef __has_feature
#define __has_feature(feature) 0
#endif

#if __has_feature(address_sanitizer) || defined(__SANITIZE_ADDRESS__)
#define KILN_ADDRESS_SANITIZER 1
#else
#define KILN_ADDRESS_SANITIZER 0
#endif

#if __has_feature(thread_sanitizer) || defined(__SANITIZE_THREAD__)
#define KILN_THREAD_SANITIZER 1
#else
#define KILN_THREAD_SANITIZER 0
#endif

#define KILN_SANITIZED (KILN_ADDRESS_SANITIZER || KILN_THREAD_SANITIZER)

#endif // KILN_TEST_UNIT_SANITIZERS_H
