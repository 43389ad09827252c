// RUN: kiln-opt %s -split-input-file -kiln-lower-to-llvm | FileCheck %s --enable-var-scope

// Buffers are read from the table once, outside the loop: feeds, constants, variables, flags, results, temporaries.
// CHECK-LABEL: llvm.func @kiln_entry(
// CHECK-SAME:    %[[ARGS:.*]]: !llvm.ptr)
// CHECK:         %[[BUFFERS:.*]] = llvm.load %[[ARGS]] invariant
// CHECK:         %[[SYMBOLS:.*]] = llvm.load %{{.*}} invariant
// CHECK:         %[[N:.*]] = llvm.load %[[SYMBOLS]] invariant {{.*}} -> i64
// CHECK:         %[[PLACE:.*]] = llvm.getelementptr inbounds %[[BUFFERS]][48]
// CHECK:         %[[R:.*]] = llvm.load %[[PLACE]] invariant
// CHECK:       ^bb1
// CHECK:         llvm.getelementptr %[[R]]
// CHECK-NOT:     vector.
module attributes {kiln.buffer_counts = array<i64: 1, 1, 2, 1>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %n = kiln.symbol 0
    scf.for %i = %c0 to %n step %c16 {
      %r = kiln.buffer result 0 : memref<?xf32>
      %x = vector.load %r[%i] : memref<?xf32>, vector<16xf32>
      %y = arith.addf %x, %x : vector<16xf32>
      vector.store %y, %r[%i] : memref<?xf32>, vector<16xf32>
    }
    return
  }
}

// -----

// A tail's mask is a comparison of lane numbers; its accesses are masked intrinsics.
// CHECK-LABEL: llvm.func @kiln_entry(
// CHECK:         %[[MASK:.*]] = llvm.icmp "sgt" {{.*}} : vector<16xi32>
// CHECK:         llvm.intr.masked.load %{{.*}}, %[[MASK]]
// CHECK:         llvm.intr.masked.store %{{.*}}, %{{.*}}, %[[MASK]]
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 1>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %zero = arith.constant dense<0> : vector<16xi64>
    %n = kiln.symbol 2
    %x = kiln.buffer feed 0 : memref<?xi64>
    %r = kiln.buffer result 0 : memref<?xi64>
    %mask = vector.create_mask %n : vector<16xi1>
    %v = vector.maskedload %x[%c0], %mask, %zero : memref<?xi64>, vector<16xi1>, vector<16xi64> into vector<16xi64>
    vector.maskedstore %r[%c0], %mask, %v : memref<?xi64>, vector<16xi1>, vector<16xi64>
    return
  }
}

// -----

// The user's integers wrap: nothing carries nsw or nuw.
// CHECK-LABEL: llvm.func @kiln_entry(
// CHECK:         llvm.add %{{[^ ]*}}, %{{[^ ]*}} : i32
// CHECK:         llvm.mul %{{[^ ]*}}, %{{[^ ]*}} : i32
module attributes {kiln.buffer_counts = array<i64: 1, 0, 0, 0>} {
  func.func @run() {
    %c0 = arith.constant 0 : index
    %x = kiln.buffer feed 0 : memref<?xi32>
    %v = memref.load %x[%c0] : memref<?xi32>
    %sum = arith.addi %v, %v : i32
    %product = arith.muli %sum, %v : i32
    memref.store %product, %x[%c0] : memref<?xi32>
    return
  }
}

// -----

// Errors carry the index of their node's name; a run that must stop leaves the function.
// CHECK-LABEL: module attributes
// CHECK-SAME:    kiln.nodes = ["scope/other", "scope/div"]
// CHECK:       llvm.func @kiln_entry(
// CHECK:         %[[STOP:.*]] = llvm.load %{{.*}} atomic monotonic {alignment = 8 : i64}
// CHECK:         llvm.icmp "ne" %[[STOP]]
// CHECK:         llvm.cond_br %{{.*}}, ^[[DONE:.*]], ^[[REPORT:.*]]
// CHECK:       ^[[REPORT]]
// CHECK:         %[[NODE:.*]] = llvm.mlir.constant(0 : i32)
// CHECK:         llvm.call %{{.*}}(%{{.*}}, %{{.*}}, %[[NODE]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:         llvm.return
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 0>} {
  func.func @run() {
    kiln.report_error 3 loc("scope/div")
    kiln.poll
    kiln.report_error 3 loc("scope/other")
    return
  }
}

// -----

// A parallel loop passes a trampoline that unpacks the captures; tasks are internal.
// CHECK-LABEL: llvm.func internal @task(
// CHECK-SAME:    %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: f32)
// CHECK:       llvm.func internal @task.chunk(%[[CONTEXT:.*]]: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64)
// CHECK:         llvm.call @task(%{{.*}}, %[[BEGIN]], %[[END]], %{{.*}})
// CHECK:       llvm.func @kiln_entry(
// CHECK:         llvm.alloca
// CHECK:         %[[TASK:.*]] = llvm.mlir.addressof @task.chunk
// CHECK:         llvm.call %{{.*}}(%[[TASK]],
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 1>} {
  func.func private @task(%begin: index, %end: index, %value: f32) {
    %r = kiln.buffer result 0 : memref<?xf32>
    memref.store %value, %r[%begin] : memref<?xf32>
    return
  }
  func.func @run() {
    %n = kiln.symbol 0
    %value = arith.constant 1.0 : f32
    kiln.parallel_for @task(%n, %n) captures(%value : f32)
    return
  }
}

// -----

// A poll leaves the function, seldom; parallel loops that write variables run to their end.
// CHECK-LABEL: llvm.func internal @task(
// CHECK:         %[[WORD:.*]] = llvm.load %{{.*}} atomic monotonic {{.*}} -> i64
// CHECK:         %[[STOP:.*]] = llvm.icmp "ne" %[[WORD]]
// CHECK:         llvm.cond_br %[[STOP]] weights([1, 1048576]), ^[[EXIT:.*]], ^
// CHECK:       ^[[EXIT]]:
// CHECK-NEXT:    llvm.return
// CHECK-LABEL: llvm.func @kiln_entry(
// CHECK:         llvm.mlir.addressof @task.chunk
// CHECK-NEXT:    llvm.getelementptr inbounds %{{.*}}[{{[1-9][0-9]*}}]
module attributes {kiln.buffer_counts = array<i64: 0, 0, 0, 0>} {
  func.func private @task(%begin: index, %end: index) {
    kiln.poll
    return
  }
  func.func @run() {
    %n = kiln.symbol 0
    %c1 = arith.constant 1 : index
    kiln.parallel_for @task(%n, %c1) uninterrupted
    return
  }
}

// -----

// A kernel is called through the run's table, with its tensors, their extents and its numbers on the stack; strings are
// told apart from the integers that they are stored as.
// CHECK:       module attributes
// CHECK-SAME:  kiln.kernel_nodes = array<i32: 0>, kiln.kernels = ["Substr"], kiln.nodes = ["some/node"]
// CHECK-LABEL: llvm.func @kiln_entry(
// CHECK-SAME:    %[[ARGS:.*]]: !llvm.ptr)
// CHECK-DAG:     llvm.mlir.constant(7 : i32) : i32
// CHECK-DAG:     llvm.mlir.constant(9 : i32) : i32
// CHECK:         %[[TABLE:.*]] = llvm.getelementptr inbounds %[[ARGS]][32]
// CHECK:         %[[KERNELS:.*]] = llvm.load %[[TABLE]] invariant
// CHECK:         %[[KERNEL:.*]] = llvm.load %[[KERNELS]] invariant
// CHECK:         %[[STATUS:.*]] = llvm.call %[[KERNEL]](%{{.*}}) : !llvm.ptr, (!llvm.ptr) -> i32
// CHECK:         %[[STOP:.*]] = llvm.icmp "ne" %[[STATUS]]
// CHECK:         llvm.cond_br %[[STOP]]
module attributes {kiln.buffer_counts = array<i64: 2, 0, 0, 1>} {
  func.func @run() {
    %x = kiln.buffer feed 0 : memref<?xi64>
    %p = kiln.buffer feed 1 : memref<?xi64>
    %r = kiln.buffer result 0 : memref<?xi64>
    kiln.runtime_call "Substr" ins(%x, %p, %p : memref<?xi64>, memref<?xi64>, memref<?xi64>) outs(%r : memref<?xi64>)
      types [tensor<?xi64, #kiln.sym<0>>, tensor<?xi64, #kiln.sym<0>>, tensor<?xi64, #kiln.sym<0>>, tensor<?xi64, #kiln.sym<0>>]
      {numbers = array<i64: 0>, strings = array<i64: 0, 3>} loc("some/node")
    return
  }
}
