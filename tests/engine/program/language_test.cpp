// Numbers, texts, lists, control flow and functions of the learner's language are Python's; numbers to the last bit.
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

TEST_CASE("texts are formatted, joined and compared; floats in them are written as by Python; characters are counted") {
  CHECK(text_in("'a' + \"b\"") == "ab");
  CHECK(text_in("f\"{1 + 1}.W{'x'}{{}}\"") == "2.Wx{}");
  CHECK(text_in("'it\\'s'") == "it's");
  CHECK(number_in("'a' == 'a'") == 1);
  CHECK(text_in("f'{2.0} {0.1} {1e16} {1e-5} {123456789.25} {-0.0} {1/3} {inf}'") ==
        "2.0 0.1 1e+16 1e-05 123456789.25 -0.0 0.3333333333333333 inf");
  CHECK(number_in("len('αβγ')") == 3);
  CHECK(number_in("len('é')") == 1);
  CHECK(refused("def f():\n  return f'αβ{y}'\n") == "line 2, column 15: nothing here has the name y.");
  CHECK(refused("def f():\n  return f'''α\nβ{y}'''\n") == "line 3, column 3: nothing here has the name y.");
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
  CHECK(number_of(text, {std::int64_t{27}}) == 111);
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
  CHECK(number_of("def f():\n  a = [1]\n  b = a\n  b.append(5)\n  b[0] = 7\n  return a[0] + a[-1]\n") == 12);
  CHECK(program::items_of(evaluated("[1, 2, 3, 4][1::2]"))->size() == 2);
  CHECK(program::items_of(evaluated("(1, 2, 3)[:-1]"))->size() == 2);
  CHECK(number_in("len([0] * 3 + [1, 2] * 2) + len((1,) * 0) + ([4] * 2)[1]") == 11);
  CHECK(number_in("[1, 2, 3][::-1][0] + [1, 2, 3, 4][3:0:-2][1] + len([1, 2][-5:-1:2]) + len([][::-1])") == 6);
}

TEST_CASE("functions may be passed on, call themselves, and be called for a list; names may be Greek") {
  CHECK(number_of("def g(x):\n  return 2 * x\ndef f(h=g):\n  return h(4)\n") == 8);
  CHECK(number_of("def f(n=10):\n  return 1 if n == 0 else n * f(n - 1)\n") == 3628800);
  CHECK(number_of("def f():\n  α = 2\n  θ_1 = α ** 2\n  return θ_1\n") == 4);
  const char* text = R"(
def inner(n):
    return sum([i for i in range(n)])

def f():
    return sum([inner(inner(i)) + i for i in [1, 2, 3, 4, 5]])
)";
  CHECK(number_of(text) == 78);
}

TEST_CASE("a line continues within brackets and after a backslash") {
  CHECK(number_in("(1 +\n  2 +  # two\n\n  3)") == 6);
  CHECK(number_in("1 + \\\n  2") == 3);
}

TEST_CASE("// and % of floats are exact, with the sign of the divisor, and powers with an infinite exponent end") {
  CHECK(number_in("5.0 // 0.1") == 49);
  CHECK(number_in("5.0 % 0.1") == 0.09999999999999973);
  CHECK(number_in("1 % 0.1") == 0.09999999999999995);
  CHECK(number_in("1e30 % 7") == 5);
  CHECK(number_in("-5 // inf") == -1);
  CHECK(number_in("-5 % inf") == HUGE_VAL);
  CHECK(number_in("5.0 % -3") == -1);
  CHECK(number_in("(-9223372036854775807 - 1) % 3 * 10 + 7 % -2") == 9);  // the multiple of 3 below is out of range
  CHECK(number_in("-7.5 // 2") == -4);
  CHECK(refused("def f():\n  return inf // 2\n").find("the result is undefined for") != std::string::npos);
  CHECK(number_in("3 ** inf") == HUGE_VAL);
  CHECK(number_in("(-3) ** inf") == HUGE_VAL);
  CHECK(number_in("3 ** -inf") == 0);
  CHECK(number_in("0.5 ** inf") == 0);
  CHECK(number_in("0 ** inf") == 0);
  CHECK(number_in("1 ** inf + (-1) ** inf") == 2);
}

TEST_CASE("whole numbers beyond 2^53 are compared exactly, also with floats") {
  CHECK(number_in("2 ** 53 + 1 == 2.0 ** 53") == 0);
  CHECK(number_in("2 ** 53 == 2.0 ** 53") == 1);
  CHECK(number_in("10 ** 18 + 1 > 10 ** 18") == 1);
  CHECK(number_in("10 ** 18 in [10 ** 18 + 1]") == 0);
  CHECK(number_in("max(10 ** 18, 10 ** 18 + 1) - 10 ** 18") == 1);
  CHECK(number_in("9223372036854775807 < inf") == 1);
  CHECK(number_in("9223372036854775807 < 2.0 ** 63") == 1);
  CHECK(number_in("-1 > -1.5") == 1);
}

TEST_CASE("forms of one Greek letter are one name, and a line break in a text is one character") {
  CHECK(number_in("sum([ϕ for φ in [1, 2]])") == 3);
  CHECK(number_of("def f():\n  ϑ = 2\n  ϵ = 3\n  return θ * ε\n") == 6);
  CHECK(refused("def f():\n  return ἀ\n").find("names have Latin or Greek letters") != std::string::npos);
  CHECK(number_in("len('''a\r\nb''')") == 3);
}

TEST_CASE("numbers that Python does not read are refused, the infinities are read from a text; sum(items, start)") {
  CHECK(refused("def f():\n  return 007\n") == "line 2, column 10: a whole number does not begin with 0: write 7.");
  CHECK(number_in("00 + 0.5 + 1_0") == 10.5);
  CHECK(number_in("float('-inf')") == -HUGE_VAL);
  CHECK(number_in("float('inf')") == HUGE_VAL);
  CHECK(refused("def f():\n  return float('1,5')\n") ==
        "line 2, column 10: ValueError: could not convert string to float: \"1,5\"");
  CHECK(refused("def f():\n  return zeros(-9223372036854775807 - 1)\n").find("zeros takes") != std::string::npos);
  CHECK(number_in("sum([1, 2], 10)") == 13);
  CHECK(refused("def f():\n  return sum(['a'], '')\n").find("takes no text as dim") != std::string::npos);
}

TEST_CASE("a list is changed in place, grows while for walks it, is repeated from either side, and has no index None") {
  CHECK(number_of("def f():\n  a = [1]\n  b = a\n  a += [2]\n  a *= 2\n  return len(b)\n") == 4);
  CHECK(number_of("def f():\n  a = [1]\n  a += a\n  a += range(3)\n  return len(a)\n") == 5);
  CHECK(number_of("def f():\n  a = [1]\n  for v in a:\n    if v < 5:\n      a.append(v + 1)\n"
                  "  return len(a)\n") == 5);
  CHECK(refused("a = [1]\na[None] = 2\n").find("a list has one index, a whole number.") != std::string::npos);
  CHECK(refused("a = [1][None]\n").find("a list has one index, a whole number.") != std::string::npos);
  expect(tensor_of("def f():\n  return tensor(2 * [1, 2] + [3] * 2)\n"), {6}, {1, 2, 1, 2, 3, 3});
  CHECK(tensor_of("def f():\n  return tensor(len(3 * (1, 2)) + (abs(True) + abs(True)))\n").item() == 8);
  expect(tensor_of("def f():\n  return 0.5 * tensor([abs(True), 2])\n"), {2}, {0.5, 1});
}

TEST_CASE("a range is no list, and what zip and enumerate give can be used once") {
  CHECK(number_in("range(3) == [0, 1, 2]") == 0);
  CHECK(number_in("range(3) == range(0, 3)") == 1);
  CHECK(number_in("list(range(3)) == [0, 1, 2]") == 1);
  CHECK(number_in("sum(range(4)) + len(range(4)) + range(4)[-1]") == 13);
  CHECK(refused("def f():\n  return range(2) + [1]\n").find("has no meaning") != std::string::npos);
  CHECK(number_of("def f():\n  z = zip([1, 2], [3, 4])\n  a = list(z)\n  return len(a) + "
                  "len(list(z))\n") == 2);
  CHECK(number_of("def f():\n  z = enumerate([5, 6, 7])\n  for i, v in z:\n    if v == 6:\n"
                  "      break\n  return list(z)[0][1]\n") == 7);
  CHECK(refused("def f():\n  return len(zip([1]))\n").find("whose items are taken once") != std::string::npos);
}
