// Errors of the ops on variables.
// RUN: kiln-opt %s -split-input-file -verify-diagnostics

func.func @variable_c1() {
  // expected-error @+1 {{expected a declared variable, got @w}}
  %0 = kiln.var_read @w : tensor<9xf32>
  return
}

// -----

kiln.variable @w index 0 : tensor<9xf32>
func.func @variable_c2_read() {
  // expected-error @+1 {{expected the variable's type 'tensor<9xf32>', got 'tensor<8xf32>'}}
  %0 = kiln.var_read @w : tensor<8xf32>
  return
}

// -----

kiln.variable @w index 0 : tensor<?xf32, #kiln.sym<0>>
func.func @variable_c2_write(%x: tensor<?xf32, #kiln.sym<1>>) {
  // expected-error @+1 {{expected the variable's type}}
  kiln.var_write @w, %x : tensor<?xf32, #kiln.sym<1>>
  return
}

// -----

func.func @variable_c1_is_initialized() {
  // expected-error @+1 {{expected a declared variable, got @w}}
  %0 = kiln.var_is_initialized @w : tensor<i1>
  return
}

// -----

kiln.variable @w index 0 resized : tensor<?xf32, #kiln.sym<0>>
func.func @variable_c2_resized(%x: tensor<3xi32>) {
  // expected-error @+1 {{expected the variable's type}}
  kiln.var_write @w, %x : tensor<3xi32>
  return
}
