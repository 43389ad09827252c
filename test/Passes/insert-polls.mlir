// RUN: kiln-opt %s --split-input-file --kiln-insert-polls | FileCheck %s --enable-var-scope

// A loop of unknown length polls between stretches of turns, which carry what it carried.
// CHECK-LABEL: func.func @stretches_of_iterations()
// CHECK:      %[[STEP:.*]] = arith.constant 16 : index
// CHECK:      %[[STRETCH:.*]] = arith.muli %[[STEP]]
// CHECK:      scf.for %[[FROM:.*]] = %{{.*}} to %[[N:.*]] step %[[STRETCH]] iter_args(%[[OUTER:.*]] =
// CHECK-NEXT:   kiln.poll
// CHECK-NEXT:   %[[END:.*]] = arith.addi %[[FROM]], %[[STRETCH]]
// CHECK-NEXT:   %[[TO:.*]] = arith.minsi %[[END]], %[[N]]
// CHECK-NEXT:   %[[SUM:.*]] = scf.for %{{.*}} = %[[FROM]] to %[[TO]] step %[[STEP]] iter_args(%{{.*}} = %[[OUTER]])
// CHECK-NOT:    kiln.poll
// CHECK:        scf.yield %[[SUM]]
func.func @stretches_of_iterations() {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  %n = kiln.symbol 0
  %x = kiln.buffer feed 0 : memref<?xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  %sum = scf.for %i = %c0 to %n step %c16 iter_args(%acc = %zero) -> f32 {
    %v = memref.load %x[%i] : memref<?xf32>
    %next = arith.addf %acc, %v : f32
    scf.yield %next : f32
  }
  memref.store %sum, %r[%c0] : memref<?xf32>
  return
}

// -----

// Little work that is known needs none.
// CHECK-LABEL: func.func @little_known_work()
// CHECK-NOT: kiln.poll
func.func @little_known_work() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %x = kiln.buffer feed 0 : memref<?xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  scf.for %i = %c0 to %c1000 step %c1 {
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %r[%i] : memref<?xf32>
  }
  return
}

// -----

// Turns that are long as it is are worth a poll each; what is inside of them is not long.
// CHECK-LABEL: func.func private @task
// CHECK:      scf.for
// CHECK-NEXT:   kiln.poll
// CHECK-NEXT:   scf.for
// CHECK-NOT:    kiln.poll
func.func private @task(%begin: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9000 = arith.constant 9000 : index
  %x = kiln.buffer feed 0 : memref<?xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  scf.for %i = %begin to %end step %c1 {
    scf.for %j = %c0 to %c9000 step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      memref.store %v, %r[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Turns of unknown length: the inner loop and the outer one poll.
// CHECK-LABEL: func.func @iterations_of_unknown_length()
// CHECK:      scf.for
// CHECK-NEXT:   kiln.poll
// CHECK:        scf.for
// CHECK:          scf.for
// CHECK-NEXT:       kiln.poll
// CHECK:            scf.for
func.func @iterations_of_unknown_length() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = kiln.symbol 0
  %n = kiln.symbol 1
  %x = kiln.buffer feed 0 : memref<?xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      memref.store %v, %r[%i] : memref<?xf32>
    }
  }
  return
}

// -----

// Of a loop whose emitter knows that it turns seldom, only the one outside polls.
// CHECK-LABEL: func.func @few_iterations()
// CHECK:      scf.for
// CHECK-NEXT:   kiln.poll
// CHECK:        scf.for
// CHECK:          scf.for
// CHECK-NOT:        kiln.poll
func.func @few_iterations() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = kiln.symbol 0
  %n = kiln.symbol 1
  %x = kiln.buffer feed 0 : memref<?xf32>
  %r = kiln.buffer result 0 : memref<?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %x[%j] : memref<?xf32>
      memref.store %v, %r[%i] : memref<?xf32>
    } {kiln.most_iterations = 100 : index}
  }
  return
}

// -----

// A nest that has a poll is its emitter's.
// CHECK-LABEL: func.func @poll_of_an_emitter()
// CHECK:     scf.for
// CHECK-NEXT:  kiln.poll
// CHECK-NOT: kiln.poll
func.func @poll_of_an_emitter() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = kiln.symbol 0
  %r = kiln.buffer result 0 : memref<?xf32>
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %m step %c1 {
    kiln.poll
    memref.store %one, %r[%i] : memref<?xf32>
  }
  return
}

// -----

// What is begun of a variable is written to its end, by the pool as well.
// CHECK-LABEL: func.func private @task
// CHECK-NOT: kiln.poll
// CHECK-LABEL: func.func @write_of_a_variable()
// CHECK-NOT: kiln.poll
// CHECK: kiln.parallel_for @task({{.*}}) uninterrupted
func.func private @task(%begin: index, %end: index) {
  %c1 = arith.constant 1 : index
  %x = kiln.buffer feed 0 : memref<?xf32>
  %w = kiln.buffer variable 0 : memref<?xf32>
  scf.for %i = %begin to %end step %c1 {
    kiln.poll
    %v = vector.load %x[%i] : memref<?xf32>, vector<16xf32>
    vector.store %v, %w[%i] : memref<?xf32>, vector<16xf32>
  }
  return
}
func.func @write_of_a_variable() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = kiln.symbol 0
  %w = kiln.buffer variable 0 : memref<?xf32>
  %one = arith.constant 1.0 : f32
  kiln.parallel_for @task(%n, %c1)
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %w[%i] : memref<?xf32>
  }
  return
}
