// Part of Kiln, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All ops of the dialect; each family has a file of its own.

include "dialect/Array.td"
include "dialect/Compute.td"
include "dialect/Elementwise.td"
include "dialect/Fusion.td"
include "dialect/Regions.td"
include "dialect/Shapes.td"
include "dialect/State.td"
