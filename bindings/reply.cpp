#include "bindings/reply.h"

#include <exception>
#include <new>

#include "engine/tensor/error.h"

namespace unroll {
namespace {

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::shape:
      return "E_SHAPE";
    case ErrorCode::config:
      return "E_CONFIG";
    case ErrorCode::input:
      return "E_INPUT";
    case ErrorCode::format:
      return "E_FORMAT";
    case ErrorCode::program:
      return "E_PROGRAM";
    case ErrorCode::out_of_memory:
      return "E_OOM";
    case ErrorCode::diverged:
      return "E_DIVERGED";
    default:
      return "E_INTERNAL";
  }
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
