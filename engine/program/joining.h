// The lines that join a model of a file to the lab: they make it small, and call it as the lab's tasks do.
#pragma once

#include <string>
#include <vector>

#include "engine/program/syntax.h"

namespace unroll::program {

struct Joining {
  std::string model;  // the class, or two: "EncoderRNN and AttnDecoderRNN"
  bool takes_pairs;   // def forward(source, target_in), else def forward(ids)
  std::string text;
};

// Whether it has a function forward outside of its classes.
bool makes_forward(const Program& program);

// One for each class that is a model by itself, the likeliest first; none for a file that has a function forward of its
// own. They are proposals: nothing is run to find them.
std::vector<Joining> joinings_of(const Program& program);

}  // namespace unroll::program
