// The source tree as the tests that watch over it read it.
#pragma once

#include <set>
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

// Tensor, and every struct of these headers with a member of such a type, or of a list of it.
std::set<std::string> tensor_types(const std::string& headers);

// The functions in a header that give one of these types, or something that holds it, as "add(a, b)"; a member as
// "Cell::step(x, before)", and the call operator of a struct as "Linear(x)".
std::vector<std::string> tensor_functions(const std::string& header, const std::set<std::string>& types);

}  // namespace unroll
