#include "engine/program/paste.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <span>
#include <utility>

#include "engine/program/bindings.h"
#include "engine/program/file_names.h"
#include "engine/program/lexer.h"
#include "engine/program/package_members.h"
#include "engine/program/packages.h"
#include "engine/program/walk.h"

namespace unroll::program {
namespace {

// Why a statement that uses one of these is left out; a word at the beginning of a path stands for all within it. What
// comes first counts. Of packages that can only be imported (os, tqdm), the reason is that they are not here.
struct Rule {
  const char* reason;
  std::vector<std::string_view> paths;
};
std::span<const Rule> rules() {
  static const std::array<Rule, 6> all = {{
      {"paste_trains", {".backward", ".zero_grad"}},
      {"paste_optimiser", {"torch.optim", "transformers.optimization"}},
      {"paste_reads_files",
       {"open", "input", "torch.load", "torch.save", "torch.utils.data", "torch.hub", "torchtext", "torchvision", "os",
        "pathlib", "urllib", "requests", "json", "csv", "pickle", "glob", "io", "datasets", "pandas"}},
      {"paste_reads_arguments", {"argparse", "sys", "click", "fire", "absl"}},
      {"paste_sets_seed",
       {"torch.manual_seed", "torch.cuda.manual_seed", "torch.cuda.manual_seed_all", "random.seed", "numpy.random.seed",
        "torch.backends"}},
      {"paste_shows", {"print", "logging", "tqdm", "wandb", "matplotlib", "time", "datetime"}},
  }};
  return all;
}

// A file in which the lab's own work is done, too. A seed, a print or a line that no model needs does no harm.
bool is_of_whole_file(const Message& reason) {
  static const std::array<std::string_view, 6> ids = {"paste_trains",      "paste_optimiser",
                                                      "paste_reads_files", "paste_reads_arguments",
                                                      "paste_is_main",     "paste_lacks_package"};
  return std::ranges::find(ids, reason.id) != ids.end();
}

// One or several statements (a = 1; b = 2) that begin on the same line, with the decorators above.
struct Chunk {
  enum class Kind { import, function, type, module, other };
  Kind kind = Kind::other;
  int first = 0, last = 0;  // lines
  Uses uses;
  std::set<Symbol> binds;  // or changes, as config.n_head = 2 does
  std::optional<Message> reason;
  bool is_root = false;  // kept whatever it uses
  bool is_kept = false;
};

bool is_definition(const Chunk& chunk) { return chunk.kind != Chunk::Kind::import && chunk.kind != Chunk::Kind::other; }

int first_line_of(const Statement& statement) {
  int line = statement.place.line;
  const auto reach = [&](const std::vector<ExpressionPtr>& decorators) {
    for (const ExpressionPtr& each : decorators) line = std::min(line, each->place.line);
  };
  if (const auto* define = std::get_if<Define>(&statement.node)) reach(define->decorators);
  if (const auto* define = std::get_if<DefineClass>(&statement.node)) reach(define->decorators);
  return line;
}

class Paste {
 public:
  Paste(std::string_view text, const Program& program) : names_(program) {
    for (const Statement& each : program.body) add(each);
    find_ends(text);
    for_each_bound(program.body, [&](Symbol symbol, const Place& place) { at(place.line).binds.insert(symbol); });
    for (const Statement& each : program.body) find_changes(each, at(each.place.line));
    find_reasons(program);
    is_whole_file_ =
        std::ranges::any_of(chunks_, [](const Chunk& each) { return each.reason && is_of_whole_file(*each.reason); });
    spread_reasons();
    keep();
  }

  const std::vector<Chunk>& chunks() const { return chunks_; }
  bool is_whole_file() const { return is_whole_file_; }
  // What is kept (if the rest is left out) makes a model, or there are no modules.
  bool makes_model(bool leaves_out) const {
    const auto is_module = [](const Chunk& each) { return each.kind == Chunk::Kind::module; };
    const auto makes_one = [&](const Chunk& each) {
      return !is_definition(each) && (each.is_kept || !leaves_out) && makes_model(each);
    };
    return std::ranges::none_of(chunks_, is_module) || std::ranges::any_of(chunks_, makes_one);
  }

 private:
  void add(const Statement& statement) {
    const int line = first_line_of(statement);
    if (chunks_.empty() || line > chunks_.back().last) chunks_.emplace_back().first = line;
    Chunk& chunk = chunks_.back();
    chunk.last = statement.place.line;
    Uses uses = names_.uses_of(statement);
    chunk.uses.names.merge(uses.names), chunk.uses.paths.merge(uses.paths);
    if (const auto* define = std::get_if<DefineClass>(&statement.node))
      chunk.kind = names_.is_module(*define->definition) ? Chunk::Kind::module : Chunk::Kind::type;
    if (std::holds_alternative<Define>(statement.node)) chunk.kind = Chunk::Kind::function;
    if (std::holds_alternative<Import>(statement.node)) chunk.kind = Chunk::Kind::import;
  }

  // A statement ends with the last end of a line before the next statement: blank lines and comments have none.
  void find_ends(std::string_view text) {
    std::size_t i = 0;
    for (const Token& each : tokens_of(text)) {
      if (each.kind != TokenKind::newline) continue;
      while (i + 1 < chunks_.size() && chunks_[i + 1].first <= each.place.line) ++i;
      if (!chunks_.empty()) chunks_[i].last = std::max(chunks_[i].last, each.place.line);
    }
  }

  Chunk& at(int line) {
    const auto after = std::ranges::upper_bound(chunks_, line, {}, &Chunk::first);
    return *(after - 1);
  }

  // x.y = …, x[i] = …, x.append(…), and a loop over x.parameters(), change what x holds.
  void find_changes(const Statement& statement, Chunk& chunk) {
    const auto change = [&](const Expression& target) {
      const std::optional<Symbol> root = root_of(target);
      if (root && !names_.is_import(*root) && names_.is_bound(*root)) chunk.binds.insert(*root);
    };
    if (const auto* assign = std::get_if<Assign>(&statement.node))
      for (const ExpressionPtr& each : assign->targets) change(*each);
    if (const auto* update = std::get_if<Update>(&statement.node)) change(*update->target);
    if (const auto* loop = std::get_if<For>(&statement.node)) change(*loop->iterable);
    if (const auto* evaluate = std::get_if<Evaluate>(&statement.node))
      if (const auto* call = std::get_if<Call>(&evaluate->value->node))
        if (std::holds_alternative<Attribute>(call->callee->node)) change(*call->callee);
    for_each_child(
        statement, [](const Expression&) {},
        [&](const Block& block) {
          for (const Statement& each : block) find_changes(each, chunk);
        });
  }

  void find_reasons(const Program& program) {
    for (const Statement& each : program.body) {
      Chunk& chunk = at(each.place.line);
      // A method of a model may do anything: it is refused when it runs, if ever.
      const auto* define = std::get_if<DefineClass>(&each.node);
      chunk.is_root = chunk.kind == Chunk::Kind::module || (define && names_.is_dataclass(*define));
      if (!chunk.is_root) chunk.reason = reason_of(each, chunk);
    }
  }

  std::optional<Message> reason_of(const Statement& statement, const Chunk& chunk) const {
    if (const auto* branch = std::get_if<If>(&statement.node))
      if (chunk.uses.paths.contains("__name__") && !branch->branches.empty()) return message_of("paste_is_main", {});
    if (const auto* import = std::get_if<Import>(&statement.node)) {
      for (const Import::Bound& each : import->names)
        if (!find_package(each.package)) return phrase("paste_lacks_package", each.package);
      return std::nullopt;
    }
    return reason_of(chunk.uses);
  }

  static std::optional<Message> reason_of(const Uses& uses) {
    for (const Rule& rule : rules())
      for (const std::string& path : uses.paths | std::views::reverse)  // torch.optim.Adam before torch.optim
        if (std::ranges::any_of(rule.paths, [&](std::string_view each) { return path_begins(path, each); }))
          return phrase(rule.reason, std::string_view(path).substr(path.starts_with('.') ? 1 : 0));
    for (const std::string& path : uses.paths)
      if (const PackageContents* package = contents_of(path.substr(0, path.find('.'))); package && package->refusal)
        return phrase("paste_lacks_package", path);
    return std::nullopt;
  }

  // What uses a name that only statements with a reason bind has a reason itself.
  void spread_reasons() {
    std::map<Symbol, int> kept;  // how many bind it, without a reason
    std::map<Symbol, std::vector<Chunk*>> users;
    std::vector<Chunk*> left_out;
    for (Chunk& each : chunks_) {
      for (const Symbol symbol : each.binds) kept[symbol] += !each.reason;
      for (const Symbol symbol : each.uses.names) users[symbol].push_back(&each);
      if (each.reason) left_out.push_back(&each);
    }
    const auto leave_users_out = [&](Symbol symbol) {
      for (Chunk* each : users[symbol]) {
        if (each->reason || each->is_root) continue;
        each->reason = phrase("paste_uses_left_out", names_.program().names[symbol]);
        for (const Symbol bound : each->binds) --kept[bound];
        left_out.push_back(each);
      }
    };
    for (std::size_t i = 0; i < left_out.size(); ++i)
      for (const Symbol symbol : left_out[i]->binds)
        if (kept[symbol] == 0) leave_users_out(symbol);
  }

  // Roots, and what they use: functions and classes whatever they do, since they may never be called.
  void keep() {
    const bool has_modules = std::ranges::any_of(chunks_, &Chunk::is_root);
    std::map<Symbol, std::vector<Chunk*>> binders;
    std::vector<Chunk*> kept;
    const auto add = [&](Chunk& chunk) {
      if (!std::exchange(chunk.is_kept, true)) kept.push_back(&chunk);
    };
    for (Chunk& each : chunks_) {
      for (const Symbol symbol : each.binds) binders[symbol].push_back(&each);
      const bool is_import = each.kind == Chunk::Kind::import && !reason_of(each.uses);
      const bool is_harmless = is_definition(each) || is_import || !has_modules;
      if (each.is_root || (!each.reason && is_harmless)) add(each);
    }
    for (std::size_t i = 0; i < kept.size(); ++i)
      for (const Symbol symbol : kept[i]->uses.names)
        for (Chunk* each : binders[symbol])
          if (!each->reason || is_definition(*each)) add(*each);
    for (Chunk& each : chunks_) explain(each);
  }

  void explain(Chunk& chunk) const {
    if (chunk.is_kept) return chunk.reason.reset();
    if (!chunk.reason) chunk.reason = reason_of(chunk.uses);
    if (!chunk.reason) chunk.reason = message_of(makes_model(chunk) ? "paste_makes_model" : "paste_is_not_needed", {});
  }

  bool makes_model(const Chunk& chunk) const {
    return std::ranges::any_of(chunk.uses.names, [&](Symbol symbol) {
      const auto found = names_.classes().find(symbol);
      return found != names_.classes().end() && names_.is_module(*found->second);
    });
  }

  FileNames names_;
  std::vector<Chunk> chunks_;
  bool is_whole_file_ = false;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.push_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Commands of a notebook, such as !pip install and %matplotlib: no Python. The same lines with these empty.
std::string without_commands(const std::vector<std::string_view>& lines, std::vector<bool>& is_command) {
  std::string text;
  for (const std::string_view line : lines) {
    is_command.push_back(line.starts_with('!') || line.starts_with('%'));
    text += is_command.back() ? std::string_view("\n") : line;
  }
  return text;
}

// Comments right above a statement go with it; others, and blank lines, are left out between statements that are.
void widen(std::vector<Chunk>& chunks, const std::vector<std::string_view>& lines) {
  const auto line = [&](int i) { return lines[static_cast<std::size_t>(i - 1)]; };
  int above = 0;
  for (Chunk& each : chunks) {
    while (each.first > above + 1 && line(each.first - 1).starts_with('#')) --each.first;
    above = each.last;
  }
  for (std::size_t i = 1; i < chunks.size(); ++i)
    if (chunks[i].reason && chunks[i - 1].reason) chunks[i - 1].last = chunks[i].first - 1;
}

}  // namespace

Pasted read_paste(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  std::vector<bool> is_command;
  const std::string source = without_commands(lines, is_command);
  const auto program = parse(source);
  const Paste paste(source, *program);
  std::vector<Chunk> chunks = paste.chunks();
  widen(chunks, lines);
  std::vector<const Message*> reason(lines.size());
  const bool is_whole_file = paste.is_whole_file() || std::ranges::any_of(is_command, std::identity());
  for (const Chunk& each : chunks)
    if (is_whole_file)
      for (int line = each.first; each.reason && line <= each.last; ++line)
        reason[static_cast<std::size_t>(line - 1)] = &*each.reason;
  const Message command = message_of("paste_is_notebook", {});
  Pasted pasted;
  pasted.makes_model = paste.makes_model(is_whole_file);
  int kept = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Message* why = is_command[i] ? &command : reason[i];
    const int line = static_cast<int>(i) + 1;
    pasted.new_line.push_back(why ? 0 : ++kept);
    if (!why)
      pasted.text += lines[i];
    else if (!pasted.left_out.empty() && pasted.left_out.back().last == line - 1 &&
             std::string_view(pasted.left_out.back().reason.id) == why->id)
      pasted.left_out.back().last = line;
    else
      pasted.left_out.push_back({line, line, *why});
  }
  return pasted;
}

}  // namespace unroll::program
