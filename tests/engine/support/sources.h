// Reads the source tree, for tests of the code itself.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace unroll {

// Files below a folder whose names end in one of `endings`, as paths from the root, sorted, without installed packages
// and build results.
std::vector<std::string> source_files(const std::string& folder, const std::vector<std::string>& endings);

std::string source_text(const std::string& path);

// The line of a source with this number, from 1 on.
std::string source_line(const std::string& path, int number);

// All matches of a regular expression's first group in the text.
std::vector<std::string> matches(const std::string& text, const std::string& pattern);

// C++ without comments; strings are kept.
std::string without_comments(const std::string& text);

// Tensor, and every struct of these headers with a member of such a type, or of a list of it.
std::set<std::string> tensor_types(const std::string& headers);

// The functions in a header that return one of these types, or a container of it, as "add(a, b)"; a member as
// "Cell::step(x, before)", and the call operator of a struct as "Linear(x)".
std::set<std::string> tensor_functions(const std::string& header, const std::set<std::string>& types);

}  // namespace unroll
