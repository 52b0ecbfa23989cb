// How a model's forward wants to be called, found by the names of its parameters and by what it returns.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "engine/program/file_names.h"

namespace unroll::program {

struct ForwardForm {
  bool takes_pairs;
  std::string text;  // def forward(ids): …, which calls `model`
};

// `paths`: what the model and its parts use of other files. Nothing for a
// forward with a parameter that is not known.
std::optional<ForwardForm> form_of(const FileNames& names, const ClassDefinition& model,
                                   const std::set<std::string>& paths);

// Of `encoder` and `decoder`: the decoder takes what the encoder returns, and reads its targets itself. `longest` is
// the name of the file's number of steps, if it has one.
std::optional<std::string> form_of_two(const FileNames& names, const ClassDefinition& encoder,
                                       const ClassDefinition& decoder, const std::string& longest);

}  // namespace unroll::program
