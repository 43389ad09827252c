# That they run at all; the figures of such a run mean nothing.
add_test(NAME check/bench_compare
         COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/compare_test.py")
add_test(NAME check/bench_programs
         COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/programs/report_test.py")
set_tests_properties(check/bench_compare check/bench_programs PROPERTIES LABELS check ENVIRONMENT PYTHONDONTWRITEBYTECODE=1)

# bench_runs(name program arguments...) passes where the program prints figures and no error.
function(bench_runs name)
  add_test(NAME bench/${name} COMMAND ${ARGN})
  set_tests_properties(bench/${name} PROPERTIES LABELS bench TIMEOUT 120
                       FAIL_REGULAR_EXPRESSION "ERROR|\"error\"")
endfunction()
set(short --benchmark_min_time=0.001)
bench_runs(calls kiln_bench_calls ${short})
bench_runs(capi kiln_bench_capi ${short})
bench_runs(compile kiln_bench_compile ${short}
           "--benchmark_filter=Compile/(chain|functions|wide|layers|sum|concat|pack)/f32/10/|recurrent/f32/12/|loops/f32/1$|context|link")
bench_runs(elementwise kiln_bench_elementwise ${short} --benchmark_filter=/f32/2048/1)
bench_runs(evaluator kiln_bench_evaluator ${short} "--benchmark_filter=chain/f32/16|first/f32/10$|kept")
bench_runs(queues kiln_bench_queues ${short} "--benchmark_filter=put|hand")
bench_runs(random kiln_bench_random ${short} --benchmark_filter=/f32/256/)
bench_runs(reductions kiln_bench_reductions ${short} "--benchmark_filter=Sum.*/f32/(256x256|32x64x32)/")
bench_runs(graphs kiln_bench_graphs --seconds 0.01 --rounds 2 "${CMAKE_CURRENT_SOURCE_DIR}/graphs"
           overhead chain50 minibatch bgd gemm64)
bench_runs(graphs_cold kiln_bench_graphs --cold --seconds 0.01 --rounds 2 "${CMAKE_CURRENT_SOURCE_DIR}/graphs" overhead)
bench_runs(loops kiln_bench_graphs --seconds 0.01 --rounds 2 "${CMAKE_CURRENT_SOURCE_DIR}/loops"
           lstm1_grad_v1 lstm1_grad_v2 array_v2 counter_v1)
bench_runs(families kiln_bench_graphs --seconds 0.01 --rounds 2 "${CMAKE_CURRENT_SOURCE_DIR}/families"
           gather_small embedding_adagrad_small top_k_small conv3x3_small max_pool_gradient_small batch_norm_gradient_small)
