// Numbers, texts, lists, control flow and functions of the learner's language are Python's.
#include "tests/engine/support/programs.h"

TEST_CASE("numbers behave as in Python") {
  CHECK(number_in("2 + 3 * 4") == 14);
  CHECK(number_in("(2 + 3) * 4") == 20);
  CHECK(number_in("-2 ** 2") == -4);
  CHECK(number_in("2 ** -1") == 0.5);
  CHECK(number_in("2 ** 3 ** 2") == 512);
  CHECK(number_in("7 / 2") == 3.5);
  CHECK(number_in("7 // 2") == 3);
  CHECK(number_in("-7 // 2") == -4);
  CHECK(number_in("-7 % 3") == 2);
  CHECK(number_in("7.5 % -2") == -0.5);
  CHECK(number_in("1_000 + 1e-3") == 1000.001);
  CHECK(number_in("True + True") == 2);
  CHECK(number_in("10000 ** 0.5") == 100);
  CHECK(number_in("2 ** 0.25") == doctest::Approx(1.189207115002721).epsilon(1e-15));
  CHECK(number_in("int(-2.7)") == -2);
  CHECK(number_in("max(3, 1, 2) + min([5, 4])") == 7);
  CHECK(number_in("1 if 2 < 3 <= 3 else 0") == 1);
  CHECK(number_in("1 < 2 > 1") == 1);
  CHECK(number_in("not 0 and 3 or 4") == 3);
  CHECK(number_in("len([1, 2, 3]) + len('ab')") == 5);
  CHECK(number_in("sum([i * i for i in range(4) if i != 2])") == 10);
  CHECK(number_in("3 in [1, 2, 3]") == 1);
  CHECK(number_in("None is None") == 1);
}

TEST_CASE("texts are names: formatted, joined and compared") {
  CHECK(text_in("'a' + \"b\"") == "ab");
  CHECK(text_in("f\"{1 + 1}.W{'x'}{{}}\"") == "2.Wx{}");
  CHECK(text_in("'it\\'s'") == "it's");
  CHECK(number_in("'a' == 'a'") == 1);
}

TEST_CASE("statements run one after another, in loops and in branches") {
  const char* text = R"(
def collatz(n):
    """How many steps to 1."""
    steps = 0
    while n != 1:  # until done
        if n % 2 == 0:
            n //= 2
        elif n > 1000000:
            break
        else:
            n = 3 * n + 1
        steps += 1
    return steps
)";
  CHECK(program::number_of(value_of(text, {std::int64_t{27}})) == 111);
}

TEST_CASE("functions have defaults, take arguments by name and return several values") {
  const char* text = R"(
scale = 10

def part(a, b=2, c=scale):
    return a, b * c

def f():
    x, y = part(1)
    z, (w) = part(c=3, a=4)
    pairs = [i * j for i, j in zip([1, 2], (3, 4))]
    total = 0
    for i, (j, k) in enumerate(zip([1, 2], [3, 4])):
        if j == 9: continue
        total += i * j * k
    return [x, y, z, w] + pairs + [total]
)";
  const program::Value value = value_of(text);
  std::vector<double> numbers;
  for (const program::Value& each : *program::items_of(value)) numbers.push_back(program::number_of(each));
  CHECK(numbers == std::vector<double>{1, 20, 4, 6, 3, 8, 8});
}

TEST_CASE("lists are shared and tuples are not changed") {
  CHECK(program::number_of(
            value_of("def f():\n  a = [1]\n  b = a\n  b.append(5)\n  b[0] = 7\n  return a[0] + a[-1]\n")) == 12);
  CHECK(program::items_of(evaluated("[1, 2, 3, 4][1::2]"))->size() == 2);
  CHECK(program::items_of(evaluated("(1, 2, 3)[:-1]"))->size() == 2);
  CHECK(number_in("len([0] * 3 + [1, 2] * 2) + len((1,) * 0) + ([4] * 2)[1]") == 11);
  CHECK(number_in("[1, 2, 3][::-1][0] + [1, 2, 3, 4][3:0:-2][1] + len([1, 2][-5:-1:2]) + len([][::-1])") == 6);
}

TEST_CASE("functions may be passed on and may call themselves") {
  CHECK(program::number_of(value_of("def g(x):\n  return 2 * x\ndef f(h=g):\n  return h(4)\n")) == 8);
  CHECK(program::number_of(value_of("def f(n=10):\n  return 1 if n == 0 else n * f(n - 1)\n")) == 3628800);
}

TEST_CASE("names may be Greek") {
  CHECK(program::number_of(value_of("def f():\n  α = 2\n  θ_1 = α ** 2\n  return θ_1\n")) == 4);
}

TEST_CASE("a line continues within brackets and after a backslash") {
  CHECK(number_in("(1 +\n  2 +  # two\n\n  3)") == 6);
  CHECK(number_in("1 + \\\n  2") == 3);
}

TEST_CASE("a list may call functions that make lists") {
  const char* text = R"(
def inner(n):
    return sum([i for i in range(n)])

def f():
    return sum([inner(inner(i)) + i for i in [1, 2, 3, 4, 5]])
)";
  CHECK(program::number_of(value_of(text)) == 78);
}
