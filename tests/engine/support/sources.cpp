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

// From an opening bracket to just after its closing one.
std::size_t after_closing(const std::string& text, std::size_t open, char opening, char closing) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == opening;
    depth -= text[i] == closing;
    if (depth == 0) return i + 1;
  }
  return text.size();
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

// Reads declarations in turn and skips the bodies of functions, and private members: the public ones run them.
class HeaderScan {
 public:
  // A type computes where its name, or the name of what it holds, is one of `computing`; references and pointers are to
  // what was there before.
  HeaderScan(const std::string& text, const std::set<std::string>& computing)
      : text_(text), computed_(R"(\b)" + one_of(computing) + R"(\b[\w:<>,\s]*\s(\w+|operator\s*\S+)\s*$)") {
    declarations(0, text_.size(), "");
  }
  std::vector<std::string> found;

 private:
  void declarations(std::size_t at, std::size_t end, const std::string& owner) {
    std::size_t start = at;
    for (; at < end; ++at) {
      if (text_[at] == '(') {
        at = note_function(start, at, owner) - 1;
      } else if (text_[at] == '{') {
        const std::size_t after = after_closing(text_, at, '{', '}');
        open_block(text_.substr(start, at - start), at + 1, after - 1, owner);
        at = after - 1;
        start = after;
      } else if (text_[at] == ';') {
        start = at + 1;
      }
    }
  }

  void open_block(const std::string& head, std::size_t begin, std::size_t end, const std::string& owner) {
    std::smatch name;
    if (std::regex_search(head, name, std::regex(R"(\b(?:struct|class)\s+(\w+))")))
      declarations(begin, std::min(end, text_.find(" private:", begin)), name.str(1));
    else if (std::regex_search(head, std::regex(R"(\bnamespace\b)")))
      declarations(begin, end, owner);
  }

  // Returns the position after the parameters.
  std::size_t note_function(std::size_t start, std::size_t bracket, const std::string& owner) {
    std::size_t open = bracket;
    if (text_.compare(open, 2, "()") == 0 && text_.substr(start, open - start).ends_with("operator"))
      open = text_.find('(', open + 2);
    const std::string head = text_.substr(start, open - start);
    const std::size_t after = after_closing(text_, open, '(', ')');
    std::smatch name;
    if (head.find("friend ") != std::string::npos || is_pure(after) || !std::regex_search(head, name, computed_))
      return after;
    const bool call = name.str(1) == "operator()";
    const std::string whose = owner.empty() || call ? owner : owner + "::";
    found.push_back(whose + (call ? "" : name.str(1)) + "(" +
                    parameter_names(text_.substr(open + 1, after - open - 2)) + ")");
    return after;
  }

  // A pure virtual function has no computation of its own.
  bool is_pure(std::size_t after) const {
    return std::regex_search(text_.begin() + static_cast<std::ptrdiff_t>(after), text_.end(),
                             std::regex(R"((?:\s*const)?\s*=\s*0\s*;)"), std::regex_constants::match_continuous);
  }

  const std::string text_;
  const std::regex computed_;
};

// The structs of a header by name, with their members.
std::map<std::string, std::string> structs_of(const std::string& header) {
  std::map<std::string, std::string> found;
  const std::regex head(R"(\bstruct\s+(\w+)[^;{}()]*\{)");
  for (std::sregex_iterator each(header.begin(), header.end(), head), end; each != end; ++each) {
    const auto open = static_cast<std::size_t>(each->position() + each->length()) - 1;
    found[each->str(1)] = header.substr(open, after_closing(header, open, '{', '}') - open);
  }
  return found;
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
  const std::map<std::string, std::string> structs = structs_of(without_comments(headers));
  for (std::size_t before = 0; before != types.size();) {
    before = types.size();
    const std::regex member(R"([{};:]\s*(?:std::\w+<)?)" + one_of(types) + R"(>?\s+\w+\s*[;,={])");
    for (const auto& [name, members] : structs)
      if (std::regex_search(members, member)) types.insert(name);
  }
  return types;
}

std::vector<std::string> tensor_functions(const std::string& header, const std::set<std::string>& types) {
  return HeaderScan(without_comments(header), types).found;
}

}  // namespace unroll
