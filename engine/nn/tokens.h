// The special tokens, first ids of every vocabulary: <pad> <bos> <eos> <unk>.
#pragma once

namespace unroll {

inline constexpr int pad_id = 0;  // fills rows that are shorter than the longest
inline constexpr int bos_id = 1;  // begins a sequence
inline constexpr int eos_id = 2;  // ends it
inline constexpr int unk_id = 3;  // stands for a word that is not in the vocabulary

}  // namespace unroll
