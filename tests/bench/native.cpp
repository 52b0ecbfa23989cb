// Reads one case per line from standard input and answers with its contenders and their seconds per run:
//   gemm batch m k n transposed_a transposed_b   →   ours 1.2e-05 eigen 9.1e-06
//   train workload   →   ours 0.027 floor 0.019 2_threads 0.015 floor_2_threads 0.01 …, and the bytes that it took
//   write one_token   →   the same, and for one token the bandwidth instead of the floors
#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/bench.h"

// Like bench_gemm, but by Eigen with every instruction of this machine: see eigen_peer.cpp.
void eigen_gemm(int batch, int m, int k, int n, int transposed_a, int transposed_b, const float* a, const float* b,
                float* c);

namespace {

struct Contender {
  std::string name;
  std::function<void()> run;
  double scale = 1;  // of the time that is reported
  int repetitions = 1;
  std::vector<double> seconds = {};
};

double timed(const Contender& c) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < c.repetitions; ++i) c.run();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Contenders take turns, so that a slow moment of the machine affects all; the result is the median.
void measure(std::vector<Contender> contenders) {
  for (Contender& c : contenders)
    while (timed(c) < 0.01) c.repetitions *= 2;
  for (int round = 0; round < 15; ++round)
    for (Contender& c : contenders) c.seconds.push_back(timed(c) / c.repetitions);
  for (Contender& c : contenders) {
    std::nth_element(c.seconds.begin(), c.seconds.begin() + 7, c.seconds.end());
    std::cout << c.name << ' ' << c.scale * c.seconds[7] << ' ';
  }
  std::cout << std::endl;
}

volatile float sink;  // so that the compiler keeps a result that is not read

std::vector<float> numbers(int n) {
  std::vector<float> x(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i * 7919 % 2003) / 1001 - 1;
  return x;
}

void measure_gemm(std::istream& in) {
  int batch, m, k, n, transposed_a, transposed_b;
  in >> batch >> m >> k >> n >> transposed_a >> transposed_b;
  const std::vector<float> a = numbers(batch * m * k), b = numbers(batch * k * n);
  std::vector<float> c(batch * m * n);
  measure({{"ours", [&] { bench_gemm(batch, m, k, n, transposed_a, transposed_b, a.data(), b.data(), c.data()); }},
           {"eigen", [&] { eigen_gemm(batch, m, k, n, transposed_a, transposed_b, a.data(), b.data(), c.data()); }}});
}

void measure_exp(std::istream& in) {
  int n;
  in >> n;
  const std::vector<float> x = numbers(n);
  std::vector<float> y(n);
  measure(
      {{"ours", [&] { bench_exp(n, x.data(), y.data()); }}, {"libm", [&] { bench_exp_libm(n, x.data(), y.data()); }}});
}

// 2, 4, 8 … threads and all cores.
std::vector<int> thread_counts() {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  std::vector<int> counts;
  for (int count = 2; count < cores; count *= 2) counts.push_back(count);
  if (cores > 1) counts.push_back(cores);
  return counts;
}

std::string on_threads(int count) { return std::to_string(count) + "_threads"; }

// The time of its products if they ran as fast as multiplying and adding in registers.
Contender floor_of(void* work, int threads) {
  constexpr int rounds = 10'000;
  const double in_registers = double{rounds} * bench_multiply_adds_in_round();
  const auto run = [=] {
    bench_set_threads(threads);
    sink = bench_registers(rounds);
  };
  return {threads == 1 ? "floor" : "floor_" + on_threads(threads), run, bench_multiply_adds(work) / in_registers};
}

// The time to read its values from memory once.
Contender bandwidth_of(void* work) {
  return {"bandwidth", [=] { sink = bench_read_values(work); }};
}

Contender work_on(void* work, int threads) {
  const auto run = [=] {
    bench_set_threads(threads);
    sink = bench_run(work);
  };
  return {threads == 1 ? "ours" : on_threads(threads), run};
}

// `which`: the workload, or whether it is the token after the others.
void measure_work(bool is_written, std::istream& in) {
  int which;
  in >> which;
  void* work = is_written ? bench_write_new(which) : bench_train_new(which);
  const bool reads = is_written && which;
  std::vector<Contender> contenders = {work_on(work, 1), reads ? bandwidth_of(work) : floor_of(work, 1)};
  for (const int threads : thread_counts()) {
    contenders.push_back(work_on(work, threads));
    if (!reads) contenders.push_back(floor_of(work, threads));
  }
  measure(std::move(contenders));
  std::cout << "bytes " << bench_bytes() << std::endl;
  bench_delete(work);
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    std::string kind;
    in >> kind;
    if (kind == "gemm") measure_gemm(in);
    if (kind == "exp") measure_exp(in);
    if (kind == "train" || kind == "write") measure_work(kind == "write", in);
  }
}
