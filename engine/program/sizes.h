// What a name such as n_embd or src_vocab_size stands for in a model's configuration, and the value that fits the lab.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace unroll::program {

struct Size {
  std::string value;  // as a program writes it
  bool replaces;      // also where the author gave another
};

// Whose size it is: of a language model, or of an encoder, a decoder or all of a model that takes pairs.
enum class Side { text, source, target };

// Nothing for a name that no model uses for a size.
std::optional<Size> size_for(std::string_view name, Side side);

// Without underscores, in small letters: n_embd and nEmbd are nembd.
std::string folded(std::string_view name);

}  // namespace unroll::program
