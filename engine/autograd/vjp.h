// Vector–Jacobian product: maps the gradient of a result to the gradient of one of its operands.
#pragma once

#include <concepts>
#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "engine/autograd/tensor.h"

namespace unroll {

// A function Tensor → Tensor that stores its captures inline, so that recording does not allocate.
class Vjp {
 public:
  static constexpr std::size_t capacity = 16 * sizeof(Tensor);

  Vjp() = default;  // this operand has no gradient

  template <typename F>
  requires std::invocable<const F&, const Tensor&> &&(!std::same_as<std::remove_cvref_t<F>, Vjp>)Vjp(F function)
      : behaviour_(&behaviour<F>) {
    static_assert(sizeof(F) <= capacity && alignof(F) <= alignof(std::max_align_t));
    new (captured_) F(std::move(function));
  }
  Vjp(const Vjp& other) : behaviour_(other.behaviour_) {
    if (behaviour_) behaviour_->copy(other.captured_, captured_);
  }
  Vjp& operator=(const Vjp&) = delete;
  ~Vjp() { reset(); }

  // Destroys the captures; from now on this operand has no gradient.
  void reset() {
    if (behaviour_) std::exchange(behaviour_, nullptr)->destroy(captured_);
  }

  explicit operator bool() const { return behaviour_ != nullptr; }
  Tensor operator()(const Tensor& dy) const { return behaviour_->call(captured_, dy); }

  // For a function with a member accumulate(dy, sum): accumulates its result into `sum` without materialising it.
  bool can_accumulate() const { return behaviour_->accumulate != nullptr; }
  void accumulate(const Tensor& dy, const Tensor& sum) const { behaviour_->accumulate(captured_, dy, sum); }

 private:
  struct Behaviour {
    Tensor (*call)(const std::byte*, const Tensor&);
    void (*accumulate)(const std::byte*, const Tensor&, const Tensor&);  // or nullptr
    void (*copy)(const std::byte*, std::byte*);
    void (*destroy)(std::byte*);
  };
  template <typename F>
  static const F& as(const std::byte* captured) {
    return *std::launder(reinterpret_cast<const F*>(captured));
  }
  template <typename F>
  static constexpr auto accumulate_function() -> decltype(Behaviour::accumulate) {
    if constexpr (requires(const F& f, const Tensor& t) { f.accumulate(t, t); })
      return
          [](const std::byte* captured, const Tensor& dy, const Tensor& sum) { as<F>(captured).accumulate(dy, sum); };
    else
      return nullptr;
  }
  template <typename F>
  static constexpr Behaviour behaviour = {
      [](const std::byte* captured, const Tensor& dy) -> Tensor { return as<F>(captured)(dy); },
      accumulate_function<F>(), [](const std::byte* from, std::byte* to) { new (to) F(as<F>(from)); },
      [](std::byte* captured) { as<F>(captured).~F(); }};

  const Behaviour* behaviour_ = nullptr;
  alignas(std::max_align_t) std::byte captured_[capacity];
};

}  // namespace unroll
