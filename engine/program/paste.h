// What of a whole file belongs to its models, and what the lab does itself: reading data, the optimiser, the training
// loop.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/tensor/error.h"

namespace unroll::program {

// Lines of the file that the lab's program does not need.
struct LeftOut {
  int first, last;  // from 1
  Message reason;   // "reads files or the network (open)"
};

struct Pasted {
  std::string text;  // the lines that are kept, unchanged
  std::vector<LeftOut> left_out;
  std::vector<int> new_line;  // of each line of the file, from 1; 0 of one that is left out
  bool makes_model = false;   // what is kept makes one of its modules, or has none
};

// Keeps the classes and functions of a file, and the imports, constants and other statements that these need. A
// function or class that is no module is left out for a reason, such as that it reads files; so is a statement that
// uses what is left out. A file without modules keeps all that has no such reason; one that neither reads files nor
// trains keeps all. Throws Error(program) for a text that is no program.
Pasted read_paste(std::string_view text);

}  // namespace unroll::program
