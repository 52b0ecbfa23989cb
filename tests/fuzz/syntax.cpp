// Programs that are read only: `./lab fuzz syntax`.
#include "tests/fuzz/syntax.h"

#include <array>
#include <string_view>
#include <vector>

#include "engine/program/syntax.h"
#include "engine/program/walk.h"
#include "tests/engine/support/damage.h"
#include "tests/fuzz/fuzzer.h"

namespace unroll {
namespace {

using std::string_view_literals::operator""sv;

// Forms of each kind of text, with bars between them ("\x01" stands for the operator |). $ and a letter is filled in:
// e an expression, v a variable, t what is assigned to, n a name after a point, k a constant, o an operator, q a
// comparison, a arguments, p parameters, i an index, c the clauses of a comprehension, f what is in a formatted text, m
// a package, d decorators, x a type of exceptions, B a block, R one in a function, L one in a loop, C one of a class.
constexpr std::array<std::string_view, 128> make_forms() {
  std::array<std::string_view, 128> forms;
  forms['v'] = "a|b|x|y|s|n|d|q|g|C|o|M|w|α|self|_|torch|nn|math|print|len|range|isinstance|super";
  forms['n'] =
      "append|shape|T|x|y|forward|items|sum|update|weight|join|format|pop|__init__|__dict__|size|view|softmax|add_";
  forms['k'] =
      "0|1|2|3|-1|1.5|1e-3|0x1F|1_000|True|False|None|...|'W'|\"a\\n\"|r'\\d'|'''x\ny'''|f'{$f}'|f\"{$f}|{$f}\"|'a' "
      "'b'|"
      "f'{$v!r:>$k}'|[]|()|{}|inf|9223372036854775807|1j|b'x'";
  forms['f'] = "$v|$v!r|$v=|$v:.2f|$v:{$v}|$v.$n|$v[$k]|{$v: $v}|$e";
  forms['o'] = "+|-|*|/|//|%|**|@|&|\x01|^|<<|>>| and | or ";
  forms['q'] = "<|<=|>|>=|==|!=| in | not in | is | is not ";
  forms['e'] =
      "$v|$v|$v|$k|$k|$e$o$e|$e$o$e|$e $q $e|$e $q $e $q $e|-$e|~$e|not "
      "$e|($e)|$v($a)|$v($a)|$v.$n|$v.$n($a)|$v[$i]|$e.$n"
      "|[$e, $e]|($e, $e)|($e,)|{$e, $e}|{$k: $e, $k: $e}|{**$v, $k: $e}|[*$v, $e]|[$e $c]|($e $c)|{$e $c}|{$e: $e $c}"
      "|$e if $e else $e|lambda: $e|(lambda $p: $e)|lambda x, *y: $e|(w := $e)|$v(\n    "
      "$a\n)|torch.$n($a)|nn.Linear(2, 3)($e)"
      "|super().$n($a)|[$v for $v in $v]|(yield $e)|await $v";
  forms['a'] = "|$e|$e|$e, $e|*$v|**$v|x=$e|$e, x=$e|*$v, y=$e, **$v|$e $c|$e, *$v";
  forms['p'] = "|x|x, y|x, y=$e|*x|**y|x, *y, **d|x=1, *, y|*, x=$e|x, /, y|a, b=$k, *s, n=$k, **d";
  forms['i'] = "$e|$e|:|$e:|:$e|$e:$e|::$e|$e:$e:$e|..., $e|None, :|:, $e|$e, $e|...|$e,|*$v|$k:$k, $k";
  forms['c'] =
      "for $t in $v|for $t in $v if $e|for x, y in $v|for x in $v for y in x|for x in $v if $e if $v|for *x, y in $v";
  forms['t'] = "$v|$v|$v|$v, $v|($v, *$v)|[$v, $v]|$v.$n|$v[$i]|$v[$k]|x, (y, s)";
  forms['m'] = "torch|torch.nn|torch.nn.functional|math|random|numpy|os|dataclasses|typing|einops|copy|functools";
  forms['x'] = "ValueError|Exception|KeyError|(TypeError, IndexError)|AttributeError|RuntimeError";
  forms['d'] = "@staticmethod|@classmethod|@property|@torch.no_grad()|@dataclass|@g|@x.setter";
  forms['S'] =  // of one line
      "$t = $e|$t = $e|$t = $e|$t = $t = $e|$v $o= $e|$v += $e|$v.$n = $e|$v[$i] += $e|x: int = $e|y: $e|self.x: $v = "
      "$e|$e|$e"
      "|pass|del $v|del $v[$i], $v.$n|assert $e|assert $e, $e|raise|raise $x|raise ValueError($a) from $v|import "
      "$m|import $m as $v"
      "|from $m import $n|from $m import $n as $v, $n|from $m import ($n,\n    $n)|from $m import *|$S; $S";
  forms['T'] =  // with blocks
      "if $e:$B|if $e:$Belse:$B|if $e:$Belif $e:$Belse:$B|while $e:$L|for $t in $e:$L|for $t in range($k):$L|for x in "
      "$v:$Lelse:$B"
      "|with $e:$B|with $e as $v, $e:$B|with torch.no_grad():$B|try:$Bexcept:$B|try:$Bexcept $x as "
      "y:$Belse:$Bfinally:$B"
      "|try:$Bfinally:$B|def g($p):$R|def f($p) -> $v:$R|$d\n$Idef g(x, *, y=1):$R|class C:$C|class C($v):$C|class "
      "M(nn.Module):$C"
      "|class C(a, metaclass=b):$C|$d\n$Iclass C:$C|async def g($p):$R|match $v:\n$I    case [$v, $v]:\n$I        "
      "pass\n";
  forms['F'] = "return|return $e|return $e, $e|return $v|global w|nonlocal x|yield $e|$S|$S|$S";  // in a function
  forms['G'] = "break|continue|$S|$S|$S";                                                         // in a loop
  forms['H'] =                                                                                    // in a class
      "x = $e|y: int = $k|x: $v|def __init__(self, $p):$R|def forward(self, x):$R|def $n(self):$R|$d\n$Idef "
      "y(self):$R|pass|'''text'''"
      "|def __len__(self):$R|def __getitem__(self, i):$R|def __call__(self, *x, **y):$R|__slots__ = ()";
  return forms;
}

using Forms = std::vector<std::string_view>;

// The forms of each letter, apart.
const std::array<Forms, 128>& all_forms() {
  static const std::array<Forms, 128> all = [] {
    std::array<Forms, 128> apart;
    const std::array<std::string_view, 128> joined = make_forms();
    for (std::size_t letter = 0; letter < joined.size(); ++letter)
      for (std::size_t at = 0, end = 0; at <= joined[letter].size() && !joined[letter].empty(); at = end + 1) {
        end = std::min(joined[letter].find('|', at), joined[letter].size());
        apart[letter].push_back(joined[letter].substr(at, end - at));
      }
    return apart;
  }();
  return all;
}

class Writer {
 public:
  explicit Writer(Random& random) : random_(random) {}

  std::string program(bool is_run) {
    if (is_run) text_ = variables;
    for (int i = 0, count = 1 + random_.below(10); i < count; ++i) statement('S');
    text_ += "def f(x=randn(2, 3), n=3):";
    block('F');
    return std::move(text_);
  }

 private:
  static constexpr std::string_view variables =
      "import torch, math\nfrom torch import nn\na, b, s, n, y, w, _ = [1, 2], [[2], 3], 'abc', 3, (1, 2), 0, None\n"
      "x, d, q, α = torch.ones(2, 3), {'x': 1, 'y': [2]}, {1, 2}, torch.arange(3)\n"
      "def g(a=1, *b, **c):\n    return a\nclass C:\n    x = 1\n    def __init__(self, *x, **y):\n        self.y = x\n"
      "    def __len__(self):\n        return 2\n    def __getitem__(self, i):\n        return [1, 2][i]\n"
      "class M(nn.Module):\n    def __init__(self, *x):\n        super().__init__()\n        self.weight = "
      "nn.Parameter(torch.ones(3))\n"
      "    def forward(self, x):\n        return x * self.weight\no = self = C()\n";
  static constexpr int deepest = 7;

  const std::string_view& form(char letter) { return pick(random_, all_forms()[static_cast<std::size_t>(letter)]); }

  void statement(char simple) {
    indent();
    const std::size_t length = text_.size();
    if (level_ < 4 && length < 4000 && random_.below(3) == 0)
      fill(form('T'));
    else
      fill(form(simple));
    if (text_.size() == length) text_ += "pass";
    if (text_.back() != '\n') text_ += '\n';
  }

  void block(char simple) {
    if (simple != 'H' && random_.below(6) == 0) {
      text_ += ' ';
      fill(form('S'));
      text_ += '\n';
      return;
    }
    text_ += '\n';
    ++level_;
    for (int i = 0, count = 1 + random_.below(3); i < count; ++i) statement(simple);
    --level_;
  }

  void indent() { text_.append(4 * static_cast<std::size_t>(level_), ' '); }

  void fill(std::string_view form) {
    for (std::size_t at = 0; at < form.size(); ++at) {
      if (form[at] != '$') {
        text_ += form[at] == '\x01' ? '|' : form[at];
        continue;
      }
      const char next = form[++at];
      letter(next);
      const bool is_block = next == 'B' || next == 'R' || next == 'L' || next == 'C';
      if (is_block && at + 1 < form.size()) indent();  // before else
    }
  }

  void letter(char letter) {
    if (letter == 'B') return block('S');
    if (letter == 'R') return block('F');
    if (letter == 'L') return block('G');
    if (letter == 'C') return block('H');
    if (letter == 'I') return indent();
    if (letter == 'e' && depth_ >= deepest) letter = random_.below(2) ? 'v' : 'k';
    if (depth_ >= deepest + 2) return void(text_ += "x");
    ++depth_;
    fill(form(letter));
    --depth_;
  }

  Random& random_;
  std::string text_;
  int level_ = 0, depth_ = 0;
};

const std::vector<std::string> words = pieces_of(
    "def |class |lambda|import |from | as |with |try:|except |finally:|raise |yield |async |await |match |case |global "
    "|nonlocal "
    "|del |assert |if |elif |else:|for | in |while |return |not | and | is "
    "|None|True|...|->|:=|**|//|<<|>>|!=|==|@|~|^|&|=|+=|:|;|,|.|("
    "|)|[|]|{|}|'|\"|'''|\"\"\"|f'|rf\"|\\|#|\n|\n  |\n    |\n\t|\t|\r\n|\f|0x|1e|1_|“|−|\xff|α|x|self|1|*|%"sv);

bool try_syntax(Random& random) {
  std::string text = random_syntax(random, false);
  if (random.below(2) == 0) text = with_damage(std::move(text), random);
  return accepts(ErrorCode::program, [&] {
    const auto program = program::parse(text);
    std::size_t nodes = 0;
    program::for_each_within(
        program->body, [&](const program::Expression& each) { nodes += each.place.line > 0; },
        [&](const program::Statement& each) { nodes += each.place.line > 0; });
    require(nodes > 0 || text.find('#') != std::string::npos, "the tree of a program is empty: " + text);
  });
}

}  // namespace

std::string random_syntax(Random& random, bool is_run) { return Writer(random).program(is_run); }

std::string with_damage(std::string text, Random& random) {
  for (int i = 0, count = 1 + random.below(3); i < count; ++i) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(text.size()) + 1));
    const auto length = static_cast<std::size_t>(random.below(8));
    const int kind = random.below(4);
    if (kind == 0)
      text.insert(at, text.substr(at, 4 * length));
    else if (kind == 1)
      text.replace(at, length, "");
    else
      text.replace(at, kind == 2 ? length : 0, pick(random, words));
  }
  return text;
}

const Fuzzer fuzz_syntax = {"syntax", try_syntax, 1e8};

}  // namespace unroll
