// The models of the first lessons, with their known results.
#pragma once

#include <vector>

#include "tests/engine/support/settings.h"

namespace unroll {

// Scores (1, 5, 2, 1, 1).
inline Config softmax_lesson() {
  return {{"kind", "softmax"}, {"scores", std::vector<double>{1, 5, 2, 1, 1}}, {"target", 1.0}};
}

// Four words by hand: (1,0,0), (0,1,0), (1,1,0), (0,0,1).
inline Config four_words() {
  return {{"kind", "attention"},
          {"X", std::vector<double>{1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1}},
          {"W_Q", std::vector<double>{2, 0, 2, 2, 0, 0, 2, 1, 2}},
          {"W_K", std::vector<double>{2, 2, 2, 0, 2, 1, 0, 1, 1}},
          {"W_V", std::vector<double>{1, 1, 0, 0, 1, 1, 0, 0, 0}}};
}

inline const std::vector<double> four_words_output = {0.98522025, 1.74174051, 0.75652026, 0.90965265,
                                                      1.40965265, 0.5,        0.99851226, 1.75849334,
                                                      0.75998108, 0.99560386, 1.90407309, 0.90846923};

}  // namespace unroll
