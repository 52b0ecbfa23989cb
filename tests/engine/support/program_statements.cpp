// Statements of random programs: assignments of every kind, loops, branches and lists.
#include <algorithm>

#include "tests/engine/support/program_draft.h"

namespace unroll {
namespace {

void assignment(Draft& draft) { draft.assign(random_expression(draft)); }

// a, b = …, with one of them a result that is not needed.
void several(Draft& draft) {
  const Piece x = draft.variable(1);
  const std::string a = draft.new_name(), b = draft.new_name();
  if (draft.chance(50)) {
    const int k = draft.from(1, x.shape[-1]);
    draft.line(a + ", " + b + " = topk(" + x.text + ", k=" + std::to_string(k) + ")");
    draft.add(a, x.shape.with(-1, k), x.size);
    return;
  }
  const Piece y = elementwise(draft, x);
  draft.line(a + ", (" + b + ") = [" + y.text + ", " + x.text + ".sum() * 0.5]");
  draft.add(a, x.shape, y.size);
  draft.add(b, {}, 2 * x.size);
}

// h = f(h, x) some times, in a for or a while loop.
void recurrence(Draft& draft) {
  const Piece x = draft.limited(draft.variable(), 4), h = draft.copied(x), y = draft.limited(draft.partner(x.shape), 4);
  const std::string times = std::to_string(draft.from(2, 3)), i = "i" + h.text;
  const bool is_for = draft.chance(60);
  if (!is_for) draft.line(i + " = 0");
  draft.open(is_for ? "for " + i + " in range(" + times + "):" : "while " + i + " < " + times + ":");
  if (draft.chance(30)) {
    draft.open("if " + i + " % 2 == 1:");
    draft.line(h.text + " = " + elementwise(draft, {h.text, x.shape, 8}).text);
    if (is_for) draft.line("continue");
    draft.close();
  }
  constexpr const char* steps[] = {"{0} = tanh({0} + 0.5 * {1})",  "{0} = sin({0}) * 0.9 + 0.3 * {1}",
                                   "{0} += 0.2 * (1 + {2}) * {1}", "{0} *= sigmoid({1})",
                                   "{0} -= 0.5 * tanh({0} * {1})", "{0} /= 1.5 + {1} ** 2"};
  draft.line(filled(draft.one_of(steps), {h.text, y.text, i}));
  if (!is_for) draft.line(i + " += 1");
  draft.close();
}

// A list of the parts of x, in a loop that appends or in one line.
void parts(Draft& draft) {
  const Piece x = draft.limited(draft.variable(2), 4);
  const Shape shape = x.shape.without(0);
  const Piece one = elementwise(draft, {"row", shape, x.size});
  const std::string list = draft.new_name(), number = draft.number();
  const int count = x.shape[0], axis = draft.below(shape.rank() + 1);
  if (draft.chance(40)) {
    draft.line(list + " = []");
    draft.open("for i, row in enumerate(" + x.text + "):");
    draft.line(list + ".append(" + one.text + " + i * " + number + ")");
    draft.close();
  } else if (draft.chance(50)) {
    draft.line(list + " = [" + one.text + " for row in " + x.text + "]");
  } else {
    draft.line(list + " = [" + one.text + " * other for row, other in zip(" + x.text + ", " +
               (draft.chance(50) ? "list(" : "tuple(") + x.text + ")[::-1])]");
  }
  if (shape.rank() == 3 || draft.chance(25))
    return void(draft.assign({"(sum(" + list + ") / " + std::to_string(count) + ")", shape, 4 * one.size}));
  draft.assign({"stack(" + list + ", dim=" + draft.axis_text(axis, shape.rank() + 1) + ")",
                shape.inserted(axis).with(axis, count), 4 * one.size});
}

void choice(Draft& draft) {
  const Piece x = draft.variable(1), y = elementwise(draft, x), z = elementwise(draft, x);
  const std::string name = draft.new_name();
  constexpr const char* conditions[] = {"{0}.shape[-1] > 2", "{0}.mean().item() > 0", "len({0}) == 2 or {0}.dim() == 1",
                                        "{0}.numel() >= 6 and {0}.size(0) in [2, 3]", "sum({0}.shape) // 2 % 2 == 0"};
  const std::string condition = filled(draft.one_of(conditions), {x.text});
  draft.add(name, x.shape, std::max(y.size, z.size));
  if (draft.chance(30)) return draft.line(name + " = " + y.text + " if " + condition + " else " + z.text);
  draft.open("if " + condition + ":");
  draft.line(name + " = " + y.text);
  draft.close();
  if (draft.chance(30)) {
    draft.open("elif " + std::to_string(draft.below(3)) + " < 1:");
    draft.line(name + " = " + x.text + " * 0.5");
    draft.close();
  }
  draft.open("else:");
  draft.line(name + " = " + z.text);
  draft.close();
}

// S[i] = v, S[:, 1:] *= v, S[ids] = v
void replacement(Draft& draft) {
  const Piece x = draft.copied(draft.limited(draft.operand(1), 4));
  const int size = x.shape[0], i = draft.below(size);
  const std::string v = draft.chance(50) ? draft.number() : draft.variable().text + ".mean()";
  constexpr const char* patterns[] = {
      "{0}[{1}] = {2}", "{0}[{1}] *= {2}",          "{0}[..., -1] += {2}",         "{0}[{1}:] = {2}",
      "{0}[:] -= {2}",  "{0}[tensor([{1}])] = {2}", "{0}[{1}, ...] = {0}[0] * {2}"};
  draft.line(filled(draft.one_of(patterns), {x.text, std::to_string(i), v}));
}

// What the whole shape is changed by, in place.
void update(Draft& draft) {
  const Piece x = draft.copied(draft.limited(draft.operand(), 3));
  const Piece y = draft.limited(draft.partner(x.shape), 2);
  constexpr const char* patterns[] = {"{0} += {1}", "{0} -= {1}", "{0} *= {1}", "{0} /= 1 + abs({1})"};
  draft.line(filled(draft.one_of(patterns), {x.text, y.text}));
}

// Numbers of Python, which take part as numbers.
void numbers(Draft& draft) {
  const Piece x = draft.limited(draft.variable(1), 4);
  const std::string n = draft.new_name(), s = draft.new_name();
  const std::string root = std::to_string(draft.from(2, 5)), factor = draft.number();
  draft.line(n + ", " + s + " = " + x.text + ".shape[-1], sqrt(" + root + ") * " + factor);
  draft.assign({"(" + x.text + " * " + s + " / (" + n + " + 1) + float(" + n + " ** 2 // 3))", x.shape, 6});
}

}  // namespace

void random_statement(Draft& draft) {
  constexpr void (*forms[])(Draft&) = {assignment, assignment, assignment, assignment,  assignment, several,
                                       recurrence, parts,      choice,     replacement, update,     numbers};
  draft.one_of(forms)(draft);
}

}  // namespace unroll
