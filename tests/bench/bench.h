// The engine's kernels as plain C functions, called by the native program and, as WebAssembly, by the page.
#pragma once

extern "C" {
// c (batch, m, n) = a (batch, m, k) · b (batch, k, n), all row-major; a transposed operand is stored with its last two
// axes exchanged.
void bench_gemm(int batch, int m, int k, int n, int transposed_a, int transposed_b, const float* a, const float* b,
                float* c);
void bench_exp(int n, const float* x, float* y);
void bench_exp_libm(int n, const float* x, float* y);

// A model in training on a fixed batch; `workload` is the number after W. `values`: the model's inputs, ids (B,
// positions), then its parameters in order.
void* bench_train_new(int workload);
float bench_train_step(void* training);  // → the loss before the step
const float* bench_train_values(void* training, int i);
int bench_train_count(void* training);
int bench_train_size(void* training, int i);
void bench_train_delete(void* training);

double bench_bytes();                              // peak memory of tensors
double bench_train_multiply_adds(void* training);  // of the matrix products of a step

// Loops are shared by so many threads from now on.
void bench_set_threads(int count);

// Multiplies and adds in registers alone, `rounds` times; returns a number that depends on all of it.
float bench_registers(int rounds);
int bench_multiply_adds_in_round();
}
