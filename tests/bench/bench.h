// The engine's kernels as plain C functions, called by the native program and, as WebAssembly, by the page.
#pragma once

#include <vector>

#include "engine/autograd/tensor.h"

// What runs again and again: a training step, or a pass forward.
struct Work {
  virtual ~Work() = default;
  virtual float run() = 0;             // → the loss before a step; of a pass, one of the logits
  virtual double multiply_adds() = 0;  // of its matrix products

  std::vector<unroll::Tensor> values;  // inputs, then the model's parameters in order
};

extern "C" {
// c (batch, m, n) = a (batch, m, k) · b (batch, k, n), all row-major; a transposed operand is stored with its last two
// axes exchanged.
void bench_gemm(int batch, int m, int k, int n, int transposed_a, int transposed_b, const float* a, const float* b,
                float* c);
void bench_exp(int n, const float* x, float* y);
void bench_exp_libm(int n, const float* x, float* y);

// A model in training on a fixed batch; `workload` is the number after W.
void* bench_train_new(int workload);

// W4: the pass over 128 positions, or over one token after them with the keys and values of these in a cache; and the
// logits of the last pass.
void* bench_write_new(int one_token);
const float* bench_write_logits(void* work);
int bench_write_logits_size();

// Of either. `values`: the model's inputs, ids (B, positions), then its parameters in order.
float bench_run(void* work);
const float* bench_values(void* work, int i);
int bench_count(void* work);
int bench_size(void* work, int i);
double bench_multiply_adds(void* work);  // of the matrix products of a run
void bench_delete(void* work);

double bench_bytes();  // peak memory of tensors

// Loops are shared by so many threads from now on.
void bench_set_threads(int count);

// Multiplies and adds in registers alone, `rounds` times, which the threads share; returns a number that depends on all
// of it.
float bench_registers(int rounds);
int bench_multiply_adds_in_round();

// Reads numbers from memory alone: these, or the values of a piece of work; returns a sum that depends on all of them
// (but for a remainder of a few).
float bench_read(const float* x, int n);
float bench_read_values(void* work);
}
