// Fuzzers: external input is read, or refused in a sentence. Each input depends only on a seed and an index, so any can
// be reproduced.
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>

#include "engine/kernels/random.h"
#include "engine/tensor/error.h"

namespace unroll {

struct Fuzzer {
  const char* name;
  // Makes an input and passes it to its reader; true if it was accepted. Throws for a finding.
  bool (*try_input)(Random& random);
  double max_bytes;  // the most memory that one input may take from the pool
};

// Throws a finding unless `holds`.
inline void require(bool holds, const std::string& finding) {
  if (!holds) throw std::runtime_error(finding);
}

// True if `read` returns. A refusal must have this code and be a sentence.
template <typename Read>
bool accepts(ErrorCode code, Read read) {
  try {
    read();
    return true;
  } catch (const Error& error) {
    const std::string message = error.what();
    require(error.code == code, "refused with another code than its own: " + message);
    require(message.ends_with('.'), "refused without a sentence: " + message);
    return false;
  }
}

extern const Fuzzer fuzz_safetensors, fuzz_pairs, fuzz_text, fuzz_config, fuzz_syntax, fuzz_program, fuzz_session;

}  // namespace unroll
