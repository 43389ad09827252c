// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MPI's names of Kiln's types of elements and of reductions.
#ifndef KILN_LIB_TRANSPORTS_MPITYPES_H
#define KILN_LIB_TRANSPORTS_MPITYPES_H

#include "kiln/CollectiveTransport.h"

#include <mpi.h>

namespace kiln {

struct MpiType {
  MPI_Datatype type;
  int64_t bytes; ///< 0 for a type that is not reduced
};
/// Of a kiln::DType.
MpiType mpiTypeOf(int32_t dtype);

/// Of a kiln::DType and a KilnReduction.
MPI_Op mpiOpOf(int32_t dtype, int32_t reduction);

} // namespace kiln

#endif // KILN_LIB_TRANSPORTS_MPITYPES_H
