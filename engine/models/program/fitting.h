// A program that is too large for a page: which number of its configuration to lower, and to what.
#pragma once

#include <functional>
#include <memory>

#include "engine/models/model.h"
#include "engine/tensor/error.h"

namespace unroll {

// Throws the error. If a limit of size has ended the program of this configuration, the error also names a number of
// the text, and a lower value with which `make` has made the model: a field of a class, a variable of the file, or an
// argument outside of functions.
[[noreturn]] void refuse_size(const Error& error, const Config& config, const std::function<void(const Config&)>& make);

// What `make` makes of the configuration.
auto make_fitting(const Config& config, const auto& make) {
  try {
    return make(config);
  } catch (const Error& error) {
    refuse_size(error, config, make);
  }
}

template <typename M>
std::unique_ptr<Model> new_fitting(const Config& config) {
  return make_fitting(config, new_model<M>);
}

}  // namespace unroll
