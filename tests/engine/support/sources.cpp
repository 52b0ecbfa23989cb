#include "tests/engine/support/sources.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace unroll {
namespace {

namespace fs = std::filesystem;

bool left_out(const fs::path& folder) {
  const std::string name = folder.filename().string();
  return name == "node_modules" || name == "build" || name == "dist" || name.starts_with(".");
}

// "Operand x, int axis = -1" → "x, axis".
std::string parameter_names(const std::string& parameters) {
  std::string names, part;
  int depth = 0;
  for (char c : parameters + ',') {
    depth += c == '(' || c == '{' || c == '<';
    depth -= c == ')' || c == '}' || c == '>';
    if (c != ',' || depth > 0) {
      part += c;
      continue;
    }
    std::smatch name;
    if (std::regex_search(part, name, std::regex(R"((\w+)\s*(=|$))")))
      names += (names.empty() ? "" : ", ") + name.str(1);
    part.clear();
  }
  return names;
}

std::string one_of(const std::set<std::string>& words) {
  std::string choices;
  for (const std::string& word : words) choices += (choices.empty() ? "" : "|") + word;
  return "(?:" + choices + ")";
}

// The text with ";" in place of each block in braces, such as the body of a function or of a struct.
std::string without_blocks(const std::string& text) {
  std::string kept;
  int depth = 0;
  for (const char c : text) {
    const bool closes = c == '}' && depth > 0;
    depth += c == '{';
    if (depth == 0) kept += c;
    if (closes && --depth == 0) kept += ';';
  }
  return kept;
}

// The bodies of the structs, or of the structs and classes, of a header by name.
std::map<std::string, std::string> bodies_of(const std::string& header, const std::string& keyword) {
  std::map<std::string, std::string> found;
  const std::regex head("\\b" + keyword + R"(\s+(\w+)[^;{}()]*\{)");
  for (std::sregex_iterator each(header.begin(), header.end(), head), end; each != end; ++each) {
    std::size_t at = static_cast<std::size_t>(each->position() + each->length());
    const std::size_t first = at;
    for (int depth = 1; depth > 0 && at < header.size(); ++at) depth += (header[at] == '{') - (header[at] == '}');
    found[each->str(1)] = header.substr(first, at - first - 1);
  }
  return found;
}

// Adds the functions declared in the text that compute one of these types, or a container of it. A reference or pointer
// is to what was there before, and a pure virtual function has no computation of its own.
void add_functions(const std::string& text, const std::set<std::string>& types, const std::string& owner,
                   std::set<std::string>& found) {
  const std::regex function(R"((friend\s+)?\b)" + one_of(types) +
                            R"(\b[\w:<>,\s]*\s(operator\s*(?:\(\)|[^\s\w(]+)|(?!operator\b)\w+)\s*)"
                            R"(\(((?:[^()]|\([^()]*\))*)\)(?!\s*(?:const)?\s*=\s*0))");
  for (std::sregex_iterator each(text.begin(), text.end(), function), end; each != end; ++each) {
    if ((*each)[1].matched) continue;
    const bool call = each->str(2) == "operator()";
    const std::string name = call ? owner : owner.empty() ? each->str(2) : owner + "::" + each->str(2);
    found.insert(name + "(" + parameter_names(each->str(3)) + ")");
  }
}

}  // namespace

std::vector<std::string> source_files(const std::string& folder, const std::vector<std::string>& endings) {
  const fs::path root = UNROLL_SOURCE_DIR;
  std::vector<std::string> files;
  if (!fs::exists(root / folder)) return files;
  for (fs::recursive_directory_iterator each(root / folder), end; each != end; ++each) {
    if (each->is_directory() && left_out(each->path())) each.disable_recursion_pending();
    const std::string path = fs::relative(each->path(), root).generic_string();
    const bool wanted = std::ranges::any_of(endings, [&](const std::string& ending) { return path.ends_with(ending); });
    if (each->is_regular_file() && wanted) files.push_back(path);
  }
  std::ranges::sort(files);
  return files;
}

std::string source_text(const std::string& path) {
  std::ifstream file(fs::path(UNROLL_SOURCE_DIR) / path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string source_line(const std::string& path, int number) {
  std::istringstream lines(source_text(path));
  std::string line;
  while (number-- > 0) std::getline(lines, line);
  return line;
}

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator each(text.begin(), text.end(), expression), end; each != end; ++each)
    found.push_back(each->str(1));
  return found;
}

std::string without_comments(const std::string& text) {
  static const std::regex comment(R"(//[^\n]*|/\*[^*]*\*+([^/*][^*]*\*+)*/)");
  return std::regex_replace(text, comment, "");
}

std::set<std::string> tensor_types(const std::string& headers) {
  std::set<std::string> types{"Tensor"};
  const std::map<std::string, std::string> structs = bodies_of(without_comments(headers), "struct");
  for (std::size_t before = 0; before != types.size();) {
    before = types.size();
    const std::regex member(R"((?:^|[{};:])\s*(?:std::\w+<)?)" + one_of(types) + R"(>?\s+\w+\s*[;,={])");
    for (const auto& [name, members] : structs)
      if (std::regex_search(members, member)) types.insert(name);
  }
  return types;
}

std::set<std::string> tensor_functions(const std::string& header, const std::set<std::string>& types) {
  const std::string text = without_comments(header);
  std::set<std::string> found;
  // Those of the namespace, and the members that are not private: the public ones run those.
  add_functions(without_blocks(std::regex_replace(text, std::regex(R"(\bnamespace\b[^;{]*\{)"), "")), types, "", found);
  for (const auto& [owner, body] : bodies_of(text, "(?:struct|class)"))
    add_functions(without_blocks(body.substr(0, body.find(" private:"))), types, owner, found);
  return found;
}

}  // namespace unroll
