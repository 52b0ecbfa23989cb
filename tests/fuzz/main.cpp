// unroll_fuzz NAME [--seed N] [--from INDEX] [--count N] [--seconds S]: tries inputs from INDEX on, N of them or for S
// seconds, by default a minute, and stops at the first finding.
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string_view>

#include "engine/tensor/pool.h"
#include "tests/fuzz/fuzzer.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>

// Memory outside the pool: no input may allocate one large block, or fill the memory.
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=400:hard_rss_limit_mb=2000:quarantine_size_mb=8:malloc_context_size=5";
}
#endif

namespace {

using namespace unroll;

constexpr int max_seconds = 4;  // of processor time, for one input

struct Options {
  std::uint64_t seed = 1, from = 0, count = ~0ull;
  double seconds = 0;
};

const Fuzzer* fuzzer;
Options options;
volatile std::uint64_t now = 0;  // the index of the current input

void say_where(const char* what) {
  std::fprintf(stderr, "%s: %s\nrerun: ./lab fuzz %s --seed %llu --from %llu --count 1\n", fuzzer->name, what,
               fuzzer->name, static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(now));
}

// Called once a second of processor time.
void watch(int) {
  static std::uint64_t seen = ~0ull;
  static int seconds = 0;
  seconds = seen == now ? seconds + 1 : 0;
  seen = now;
  if (seconds <= max_seconds) return;
  say_where("the input takes too long");
  _exit(1);
}

void say_crash() { say_where("the input crashes its reader"); }

void die(int signal) {
  say_crash();
  _exit(128 + signal);
}

// If the program crashes, it still reports the input.
void watch_over_inputs() {
#ifdef __SANITIZE_ADDRESS__
  __sanitizer_set_death_callback(say_crash);
#else
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) std::signal(signal, die);
#endif
  std::signal(SIGABRT, die);
  std::signal(SIGVTALRM, watch);
  const itimerval second{{1, 0}, {1, 0}};
  setitimer(ITIMER_VIRTUAL, &second, nullptr);
}

bool try_one(std::uint64_t index) {
  now = index;
  Random random(options.seed, index);
  const std::size_t in_use = pool_stats().in_use;
  const bool accepted = fuzzer->try_input(random);
  const PoolStats after = pool_stats();
  require(after.in_use == in_use, "the input leaves memory in use");
  require(static_cast<double>(after.peak - in_use) <= fuzzer->max_bytes, "the input takes too much memory");
  return accepted;
}

bool run() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::uint64_t tried = 0, accepted = 0;
  try {
    for (; tried < options.count && (tried % 16 || seconds() < options.seconds); ++tried)
      accepted += try_one(options.from + tried);
  } catch (const std::exception& finding) {
    say_where(finding.what());
    return false;
  }
  std::printf("%s: %llu inputs in %.0f s, of which %llu were accepted, and no finding\n", fuzzer->name,
              static_cast<unsigned long long>(tried), seconds(), static_cast<unsigned long long>(accepted));
  if (tried < 1000 || (accepted > tried / 100 && accepted < tried)) return true;
  std::fprintf(stderr, "%s: nearly all inputs are refused, or all accepted: they test too little\n", fuzzer->name);
  return false;
}

const std::map<std::string_view, const Fuzzer*> fuzzers = {
    {"safetensors", &fuzz_safetensors}, {"pairs", &fuzz_pairs},     {"text", &fuzz_text},      {"config", &fuzz_config},
    {"syntax", &fuzz_syntax},           {"program", &fuzz_program}, {"session", &fuzz_session}};

bool read_options(int count, char** words) {
  for (int i = 0; i + 1 < count; i += 2) {
    const std::string_view name = words[i];
    char* end = nullptr;
    const double number = std::strtod(words[i + 1], &end);
    if (*end || !(number >= 0 && number < 1e18)) return false;
    const auto whole = static_cast<std::uint64_t>(number);
    if (name == "--seed")
      options.seed = whole;
    else if (name == "--from")
      options.from = whole;
    else if (name == "--count")
      options.count = whole;
    else if (name == "--seconds")
      options.seconds = number;
    else
      return false;
  }
  if (!options.seconds) options.seconds = ~options.count ? 1e9 : 60;
  return count % 2 == 0;
}

}  // namespace

int main(int count, char** words) {
  const auto found = count > 1 ? fuzzers.find(words[1]) : fuzzers.end();
  if (found == fuzzers.end() || !read_options(count - 2, words + 2)) {
    std::fprintf(stderr,
                 "use unroll_fuzz safetensors, pairs, text, config, syntax, program or session, and after it --seed N, "
                 "--from INDEX, --count N or --seconds S\n");
    return 2;
  }
  fuzzer = found->second;
  watch_over_inputs();
  return run() ? 0 : 1;
}
