// What holds for the duration of a block.
#pragma once

#include <utility>

namespace unroll {

// Sets a place to another value while an instance is alive, then back to the one before.
template <typename T>
class Setting {
 public:
  Setting(T& place, T value) : place_(place), previous_(std::exchange(place, std::move(value))) {}
  ~Setting() { place_ = std::move(previous_); }
  Setting(const Setting&) = delete;

 private:
  T& place_;
  T previous_;
};

}  // namespace unroll
