// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a session demands of the values that it is fed.
#ifndef KILN_LIB_SESSION_FEDVALUES_H
#define KILN_LIB_SESSION_FEDVALUES_H

#include "kiln/SessionOptions.h"
#include "lib/Plan/Request.h"

namespace kiln {

/// As checkFeed(); without the shape where the session takes any.
inline Status checkFed(const Output &feed, const Tensor &value,
                       const SessionOptions &options) {
  return options.checksFeedShapes || !value.isValid()
             ? checkFeed(feed, value)
             : checkFeed(feed, value.dtype(), staticShape(feed));
}

} // namespace kiln

#endif // KILN_LIB_SESSION_FEDVALUES_H
