#include "engine/kernels/parallel.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <system_error>
#include <thread>

namespace unroll {

#if defined(__wasm__) && !defined(_REENTRANT)

int threads() { return 1; }
void set_threads(int, SplitLoops) {}

#else

namespace {

using Word = std::atomic<std::uint32_t>;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// Spin count: how often an idle thread looks for work before it sleeps. In a browser it does so for some 300 µs, which
// is longer than most of a step's stretches on one thread: waking it costs tens of microseconds there. Natively, a look
// with its pause takes about a hundred cycles.
constexpr int spin_count =
#ifdef __wasm__
    300'000;
#else
    2'000;
#endif

#ifdef __wasm__  // the library's wait would poll
std::int32_t* address_of(Word& word) { return reinterpret_cast<std::int32_t*>(&word); }
void sleep_while(Word& word, std::uint32_t value) {
  __builtin_wasm_memory_atomic_wait32(address_of(word), static_cast<std::int32_t>(value), -1);
}
void wake_all(Word& word) { __builtin_wasm_memory_atomic_notify(address_of(word), max_threads); }
#else
void sleep_while(Word& word, std::uint32_t value) { word.wait(value); }
void wake_all(Word& word) { word.notify_all(); }
#endif

// A word that threads wait to see changed: first awake, since the next loop mostly follows soon.
class Signal {
 public:
  std::uint32_t value() const { return word_.load(); }

  void set(std::uint32_t value) {
    word_.store(value);
    wake();
  }
  void add_one() {
    word_.fetch_add(1);
    wake();
  }
  // Adds one if the value is still `value`; otherwise says what it is now.
  bool add_one_to(std::uint32_t& value) { return word_.compare_exchange_weak(value, value + 1); }

  void wait_while(std::uint32_t value) {
    for (int i = 0; i < spin_count; ++i) {
      if (word_.load(std::memory_order_acquire) != value) return;
      pause();
    }
    sleepers_.fetch_add(1);
    sleep_while(word_, value);
    sleepers_.fetch_sub(1);
  }

 private:
  void wake() {
    if (sleepers_.load() > 0) wake_all(word_);
  }

  Word word_{0};
  std::atomic<int> sleepers_{0};
};

// One loop at a time. The calling thread takes the first range, so that what it wrote in one loop is still in its cache
// in the next. The others claim the rest one after another: one that starts or wakes late leaves them to the others.
class Team {
 public:
  ~Team() {
    ending_ = true;
    ticket_.set(next_number());
    for (std::thread& worker : workers_) worker.join();
  }

  int size() const { return size_; }
  SplitLoops split() const { return split_; }

  void resize(int count, SplitLoops split) {
    split_ = split;
    try {
      while (static_cast<int>(workers_.size()) < count - 1) workers_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {  // the system has no more
    }
    size_ = std::min(count, static_cast<int>(workers_.size()) + 1);
  }

  void run(int ranges, std::size_t n, parallel::Body body, const void* loop) {
    if (taken_.test_and_set()) return body(loop, 0, n);  // another session's thread is in a loop
    body_ = body, loop_ = loop, n_ = n;
    finished_.set(0);
    ticket_.set(next_number() | static_cast<std::uint32_t>(ranges) << 8 | 1);
    run_range(0, static_cast<std::size_t>(ranges));
    while (run_next_range()) {
    }
    for (std::uint32_t done; (done = finished_.value()) < static_cast<std::uint32_t>(ranges);)
      finished_.wait_while(done);
    taken_.clear();
  }

  // Whether this thread is in the body of a loop.
  static inline thread_local bool busy = false;

 private:
  // The ticket holds the number of the loop in 16 bits, so that it differs from the one before, its number of ranges in
  // eight, and how many of them have been claimed in eight.
  static std::uint32_t ranges_in(std::uint32_t ticket) { return ticket >> 8 & 0xff; }
  static std::uint32_t claimed_in(std::uint32_t ticket) { return ticket & 0xff; }
  std::uint32_t next_number() { return static_cast<std::uint32_t>(++number_) << 16; }

  // Runs the next range of the loop that no thread has claimed; false if there is none.
  bool run_next_range() {
    std::uint32_t ticket = ticket_.value();
    do
      if (claimed_in(ticket) >= ranges_in(ticket)) return false;
    while (!ticket_.add_one_to(ticket));
    // The loop stays until all its ranges, and so this one, have finished.
    run_range(claimed_in(ticket), ranges_in(ticket));
    return true;
  }

  void run_range(std::size_t range, std::size_t ranges) {
    busy = true;
    body_(loop_, n_ * range / ranges, n_ * (range + 1) / ranges);
    busy = false;
    finished_.add_one();
  }

  void work() {
    while (!ending_) {
      const std::uint32_t seen = ticket_.value();
      if (!run_next_range() && !ending_) ticket_.wait_while(seen);
    }
  }

  std::deque<std::thread> workers_;
  std::atomic<bool> ending_ = false;
  std::atomic_flag taken_;
  int size_ = 1;
  SplitLoops split_ = SplitLoops::worthwhile;
  Signal ticket_, finished_;
  std::uint16_t number_ = 0;
  parallel::Body body_ = nullptr;
  const void* loop_ = nullptr;
  std::size_t n_ = 0;
};

Team team;

}  // namespace

int threads() { return team.size(); }
void set_threads(int count, SplitLoops split) { team.resize(std::clamp(count, 1, max_threads), split); }

int parallel::ranges_of(std::size_t n, std::size_t grain) {
  if (team.size() == 1 || Team::busy) return 1;
  const std::size_t least = team.split() == SplitLoops::all ? 1 : std::max<std::size_t>(grain, 1);
  return static_cast<int>(std::min(n / least, static_cast<std::size_t>(team.size())));
}

void parallel::run(int ranges, std::size_t n, Body body, const void* loop) { team.run(ranges, n, body, loop); }

#endif

}  // namespace unroll
