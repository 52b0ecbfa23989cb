// The source tree as the tests that watch over it read it.
#pragma once

#include <string>
#include <vector>

namespace unroll {

// Files below a folder whose names end in one of `endings`, as paths from the root, sorted. Installed packages and
// build results are left out.
std::vector<std::string> source_files(const std::string& folder, const std::vector<std::string>& endings);

std::string source_text(const std::string& path);

// What the first group of a regular expression matches, everywhere in the text.
std::vector<std::string> matches(const std::string& text, const std::string& pattern);

// C++ without its comments; strings stay.
std::string without_comments(const std::string& text);

// The functions in a header that give a Tensor, or a struct of tensors, as "add(a, b)"; "Linear(x)" for the call
// operator of a struct.
std::vector<std::string> tensor_functions(const std::string& header);

}  // namespace unroll
