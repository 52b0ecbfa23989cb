#include "bindings/reply.h"

#include <exception>
#include <new>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

const char* name_of(ErrorCode code) {
  constexpr const char* names[] = {"E_SHAPE",   "E_CONFIG", "E_INPUT",    "E_FORMAT",
                                   "E_PROGRAM", "E_OOM",    "E_DIVERGED", "E_INTERNAL"};
  return names[static_cast<int>(code)];
}

}  // namespace

Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {name_of(error.code), error.message, error.place};
  } catch (const std::bad_alloc&) {
    return {name_of(ErrorCode::out_of_memory), phrase("out_of_memory"), {}};
  } catch (const std::exception& error) {
    return {name_of(ErrorCode::internal), phrase("engine_mistake", std::string(error.what())), {}};
  } catch (...) {
    return {name_of(ErrorCode::internal), phrase("unknown_failure"), {}};
  }
}

}  // namespace unroll
