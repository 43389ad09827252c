// RUN: kiln-opt %s --split-input-file --kiln-insert-polls | FileCheck %s --enable-var-scope

// A poll ends its function only: who calls that polls behind the call, so does who calls the caller.
// CHECK-LABEL: func.func @call_of_a_polling_function()
// CHECK:      call @region
// CHECK-NEXT: kiln.poll
// CHECK:      call @short
// CHECK-NOT:  kiln.poll
// CHECK-LABEL: func.func private @region
// CHECK:      call @task
// CHECK-NEXT: kiln.poll
// CHECK-LABEL: func.func private @task
func.func @call_of_a_polling_function() {
  call @region() : () -> ()
  call @short() : () -> ()
  return
}
func.func private @region() {
  call @task() : () -> ()
  return
}
func.func private @task() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = kiln.symbol 0
  %r = kiln.buffer result 0 : memref<?xf32>
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %n step %c1 {
    memref.store %one, %r[%i] : memref<?xf32>
  }
  return
}
func.func private @short() {
  return
}
