// RUN: kiln-opt %s --split-input-file --kiln-parallelize | FileCheck %s

// The body of a marked loop becomes a task; the code decides by the work of this run who calls it.
// CHECK-LABEL: func.func private @task_of_a_loop_task0(%{{.*}}: index, %{{.*}}: index)
// CHECK: kiln.buffer feed 0
// CHECK: scf.for
// CHECK-LABEL: func.func @task_of_a_loop()
// CHECK: %[[N:.*]] = kiln.symbol 0
// CHECK: arith.cmpi uge
// CHECK: scf.if
// CHECK: kiln.parallel_for @task_of_a_loop_task0
// CHECK: else
// CHECK: call @task_of_a_loop_task0
func.func @task_of_a_loop() {
  %x = kiln.buffer feed 0 : memref<?xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  %n = kiln.symbol 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %r[%i] : memref<?xf32>
  } {kiln.parallel}
  return
}

// -----

// A few turns of known work are never worth a thread.
// CHECK-LABEL: func.func @little_known_work()
// CHECK-NOT: kiln.parallel_for
// CHECK: scf.for
func.func @little_known_work() {
  %x = kiln.buffer feed 0 : memref<?xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %r[%i] : memref<?xf32>
  } {kiln.parallel}
  return
}

// -----

// Stack memory that only the loop uses belongs to the task: threads share none.
// CHECK-LABEL: func.func private @stack_memory_of_a_task_task0
// CHECK: memref.alloca
// CHECK-LABEL: func.func @stack_memory_of_a_task()
// CHECK-NOT: memref.alloca
func.func @stack_memory_of_a_task() {
  %stack = memref.alloca() : memref<48xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  %n = kiln.symbol 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %stack[%c1] : memref<48xf32>
    memref.store %v, %r[%i] : memref<?xf32>
  } {kiln.parallel}
  return
}

// -----

// Few turns of known work are, where each takes long.
// CHECK-LABEL: func.func @few_long_iterations()
// CHECK: kiln.parallel_for
func.func @few_long_iterations() {
  %x = kiln.buffer feed 0 : memref<?xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c20000 = arith.constant 20000 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c20000 step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      memref.store %v, %r[%i] : memref<?xf32>
    }
  } {kiln.parallel}
  return
}

// -----

// A task that streams passes a fence before it is done.
// CHECK-LABEL: func.func private @task_that_streams_task0
// CHECK: scf.for
// CHECK: nontemporal
// CHECK: llvm.fence seq_cst
// CHECK-NEXT: return
func.func @task_that_streams() {
  %r = kiln.buffer result 0 : memref<?xf32>
  %n = kiln.symbol 0
  %v = arith.constant dense<1.0> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %n step %c16 {
    vector.store %v, %r[%i] {alignment = 64 : i64, nontemporal = true} : memref<?xf32>, vector<16xf32>
  } {kiln.parallel}
  return
}

// -----

// Scratch memory that two loops share: each task has its own, and the function keeps none.
// CHECK-LABEL: func.func private @shared_scratch_task0
// CHECK: memref.alloca() {kiln.scratch = "left"}
// CHECK-LABEL: func.func private @shared_scratch_task1
// CHECK: memref.alloca() {kiln.scratch = "left"}
// CHECK-LABEL: func.func @shared_scratch()
// CHECK-NOT: memref.alloca()
// CHECK: return
func.func @shared_scratch() {
  %scratch = memref.alloca() {kiln.scratch = "left"} : memref<8xf32>
  %x = kiln.buffer feed 0 : memref<?xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  %n = kiln.symbol 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %scratch[%c0] : memref<8xf32>
    %w = memref.load %scratch[%c0] : memref<8xf32>
    memref.store %w, %r[%i] : memref<?xf32>
  } {kiln.parallel}
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %r[%i] : memref<?xf32>
    memref.store %v, %scratch[%c1] : memref<8xf32>
    %w = memref.load %scratch[%c1] : memref<8xf32>
    memref.store %w, %r[%i] : memref<?xf32>
  } {kiln.parallel}
  return
}
