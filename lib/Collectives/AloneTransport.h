// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transport of a process that trains alone.
#ifndef KILN_LIB_COLLECTIVES_ALONETRANSPORT_H
#define KILN_LIB_COLLECTIVES_ALONETRANSPORT_H

#include "kiln/CollectiveTransport.h"

namespace kiln {

/// One rank: what it sends it gets. **Ownership**: close() frees it.
KilnTransport *makeAloneTransport();

} // namespace kiln

#endif // KILN_LIB_COLLECTIVES_ALONETRANSPORT_H
