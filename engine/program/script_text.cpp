#include "engine/program/script_text.h"

#include <algorithm>
#include <optional>

#include "engine/program/lexer.h"
#include "engine/program/packages.h"
#include "engine/program/script_rules.h"

namespace unroll::program {
namespace {

// Where in a text a place is. A column counts characters, of which UTF-8 has up to four bytes.
class Lines {
 public:
  explicit Lines(const std::string& text) : text_(text) {
    for (std::size_t at = 0; at != std::string::npos; at = text.find('\n', at)) starts_.push_back(at > 0 ? ++at : at);
  }

  std::size_t offset_of(const Place& place) const {
    std::size_t at = start_of(place.line);
    for (int column = 1; column < place.column && at < text_.size(); ++column) do
        ++at;
      while (at < text_.size() && (text_[at] & 0xc0) == 0x80);
    return at;
  }
  std::size_t start_of(int line) const {
    const auto i = static_cast<std::size_t>(line - 1);
    return i < starts_.size() ? starts_[i] : text_.size();
  }

 private:
  const std::string& text_;
  std::vector<std::size_t> starts_;
};

struct Edit {
  std::size_t begin, end;
  std::string instead;
};

// Texts between two tokens of a program are replaced.
class Editor {
 public:
  explicit Editor(const std::string& text) : text_(text), lines_(text), tokens_(tokens_of(text)) {}

  // One of a line, or of one of its parts between semicolons; what it was follows as a comment.
  void replace_simple(const Statement& statement, const std::string& instead) {
    std::size_t end = index_of(statement.place);
    while (!is_end(tokens_[end])) ++end;
    const std::size_t from = lines_.offset_of(statement.place), to = lines_.offset_of(tokens_[end].place);
    const bool is_last = tokens_[end].kind == TokenKind::newline;
    add(from, to, is_last ? instead + "  " + as_comment(text_.substr(from, to - from)) : instead);
  }

  // One with blocks, with its decorators and all its branches. The lines keep their numbers.
  void replace_compound(const Statement& statement, const std::string& instead) {
    const std::size_t begin = with_decorators(index_of(statement.place));
    const std::size_t end = end_of_compound(begin);
    const std::size_t last = lines_.start_of(tokens_[end].place.line + 1);
    const std::size_t from = lines_.offset_of(tokens_[begin].place);
    add(from, last, instead + "  " + as_comment(text_.substr(from, last - from)));
  }

  // What is at the place, if it is this text.
  bool replace_at(const Place& place, const std::string& written, const std::string& instead) {
    const std::size_t at = lines_.offset_of(place);
    if (text_.compare(at, written.size(), written) != 0) return false;
    add(at, at + written.size(), instead);
    return true;
  }

  std::string edited() {
    std::ranges::sort(edits_, {}, &Edit::begin);
    std::string result;
    std::size_t at = 0;
    for (const Edit& each : edits_) {
      if (each.begin < at) continue;  // within one that is replaced already
      result += text_.substr(at, each.begin - at) + each.instead;
      at = each.end;
    }
    return result + text_.substr(at);
  }

 private:
  void add(std::size_t begin, std::size_t end, std::string instead) {
    edits_.push_back({begin, end, std::move(instead)});
  }

  std::size_t index_of(const Place& place) const {
    const auto is_it = [&](const Token& each) {
      return is_visible(each) && each.place.line == place.line && each.place.column == place.column;
    };
    return static_cast<std::size_t>(std::ranges::find_if(tokens_, is_it) - tokens_.begin());
  }
  static bool is_visible(const Token& token) {
    return token.kind != TokenKind::indent && token.kind != TokenKind::dedent && token.kind != TokenKind::newline;
  }
  static bool is_end(const Token& token) {
    return token.kind == TokenKind::newline || token.kind == TokenKind::end ||
           (token.kind == TokenKind::symbol && token.text == ";");
  }

  // The token of the first @ above a def or class.
  std::size_t with_decorators(std::size_t begin) const {
    while (begin > 0 && tokens_[begin - 1].kind == TokenKind::newline) {
      std::size_t line = begin - 1;
      while (line > 0 && is_visible(tokens_[line - 1])) --line;
      if (tokens_[line].text != "@" || tokens_[line].kind != TokenKind::symbol) break;
      begin = line;
    }
    return begin;
  }

  // The newline that ends it, after all its blocks.
  std::size_t end_of_compound(std::size_t at) const {
    constexpr std::string_view goes_on[] = {"elif", "else", "except", "finally"};
    std::size_t last = at;
    bool is_decorator = tokens_[at].text == "@" && tokens_[at].kind == TokenKind::symbol;
    while (true) {
      while (tokens_[at].kind != TokenKind::newline && tokens_[at].kind != TokenKind::end) ++at;
      last = at;
      if (tokens_[at].kind == TokenKind::end) return last;
      ++at;
      int depth = 0;
      if (tokens_[at].kind == TokenKind::indent) do {
          depth += (tokens_[at].kind == TokenKind::indent) - (tokens_[at].kind == TokenKind::dedent);
          if (tokens_[at].kind == TokenKind::newline) last = at;
          ++at;
        } while (depth > 0 && at < tokens_.size());
      const bool continues =
          tokens_[at].kind == TokenKind::keyword && std::ranges::find(goes_on, tokens_[at].text) != std::end(goes_on);
      if (!continues && !is_decorator) return last;
      is_decorator = tokens_[at].text == "@" && tokens_[at].kind == TokenKind::symbol;
    }
  }

  // Each of its lines behind a #.
  static std::string as_comment(const std::string& text) {
    std::string comment;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      comment += "# " + text.substr(at, end - at) + (end < text.size() ? "\n" : "");
      at = end + 1;
    }
    return comment;
  }

  const std::string& text_;
  const Lines lines_;
  const std::vector<Token> tokens_;
  std::vector<Edit> edits_{};
};

bool has_blocks(const Statement& statement) {
  return std::visit(
      [](const auto& node) {
        using Node = std::decay_t<decltype(node)>;
        return std::is_same_v<Node, If> || std::is_same_v<Node, While> || std::is_same_v<Node, For> ||
               std::is_same_v<Node, Define> || std::is_same_v<Node, DefineClass> || std::is_same_v<Node, Try> ||
               std::is_same_v<Node, With> || std::is_same_v<Node, Unsupported>;
      },
      statement.node);
}

// What a script imports of this, in one line. What the lab itself refuses to import may be waited for by an `except`.
std::string import_of(const Import& import, const Program& program, bool is_optional) {
  std::string all;
  for (const Import::Bound& each : import.names) {
    if (is_optional && !find_package(each.whole)) return "raise ImportError(\"not part of this script\")";
    if (!is_package_of_script(each.whole)) continue;
    const auto is_known = [&](const std::string& member) {
      return is_package_of_script(each.package + "." + member) || is_member_of_script(each.package, member);
    };
    std::string names;
    const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ", ") + name; };
    if (each.member == "*") {
      for (std::size_t i = 0; i < program.names.size(); ++i)
        if (const std::string& name = program.names[static_cast<Symbol>(i)]; is_known(name)) add(name);
    } else if (each.member.empty()) {
      const std::string& name = program.names[each.symbol];
      add(each.whole + (each.package == each.whole && name != each.whole ? " as " + name : ""));
    } else if (is_known(each.member)) {
      const std::string& name = program.names[each.symbol];
      add(each.member + (name == each.member ? "" : " as " + name));
    }
    if (names.empty()) continue;
    all += (all.empty() ? "" : "; ") + (each.member.empty() ? "import " : "from " + each.package + " import ") + names;
  }
  return all.empty() ? "pass" : all;
}

void leave_out(Editor& editor, const Omission& part, const Program& program) {
  constexpr char raise[] = "raise NotImplementedError(\"not part of this script\")";
  const Statement& statement = *part.statement;
  switch (part.how) {
    case Omission::How::refused:
      throw part.why;
    case Omission::How::import:
      return editor.replace_simple(statement, import_of(std::get<Import>(statement.node), program, part.is_optional));
    case Omission::How::function:
      return editor.replace_compound(statement,
                                     "def " + std::get<Define>(statement.node).function->name + "(*_, **__): " + raise);
    case Omission::How::line:
      return has_blocks(statement) ? editor.replace_compound(statement, raise)
                                   : editor.replace_simple(statement, raise);
  }
}

}  // namespace

ScriptText text_for_script(std::string text, const ScriptScope& scope, const std::string& dictionary) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // stands at the start of a file only
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  constexpr int most_rounds = 20;  // what is left out may bind what another line uses
  for (int round = 0;; ++round) {
    const auto program = parse(text);
    ScriptNames names = names_for_script(*program, scope);
    Editor editor(text);
    if (names.left_out.empty()) {
      for (const auto& [place, name] : names.needs.dictionaries)
        if (!editor.replace_at(place, name + ".__dict__", dictionary + "(" + name + ")"))
          fail_at(place, "attribute_not_in_script", std::string_view("__dict__"));
      return {editor.edited(), std::move(names.needs)};
    }
    if (round == most_rounds) throw names.left_out.front().why;
    for (const Omission& each : names.left_out) leave_out(editor, each, *program);
    text = editor.edited();
  }
}

}  // namespace unroll::program
