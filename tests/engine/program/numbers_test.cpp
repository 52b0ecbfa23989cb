// Numbers, texts and names have the values of Python, to the last bit.
#include <cmath>

#include "tests/engine/support/programs.h"

TEST_CASE("// and % of floats are exact, with the sign of the divisor") {
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
}

TEST_CASE("powers with an infinite exponent end") {
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

TEST_CASE("a float in a text is written as Python writes it") {
  CHECK(text_in("f'{2.0} {0.1} {1e16} {1e-5} {123456789.25} {-0.0} {1/3} {inf}'") ==
        "2.0 0.1 1e+16 1e-05 123456789.25 -0.0 0.3333333333333333 inf");
}

TEST_CASE("the length of a text, and the place of an error in one, count characters") {
  CHECK(number_in("len('αβγ')") == 3);
  CHECK(number_in("len('é')") == 1);
  CHECK(refused("def f():\n  return f'αβ{y}'\n") == "line 2, column 15: nothing here has the name y.");
  CHECK(refused("def f():\n  return f'''α\nβ{y}'''\n") == "line 3, column 3: nothing here has the name y.");
}

TEST_CASE("forms of one Greek letter are one name, and a line break in a text is one character") {
  CHECK(number_in("sum([ϕ for φ in [1, 2]])") == 3);
  CHECK(program::number_of(value_of("def f():\n  ϑ = 2\n  ϵ = 3\n  return θ * ε\n")) == 6);
  CHECK(refused("def f():\n  return ἀ\n").find("names have Latin or Greek letters") != std::string::npos);
  CHECK(number_in("len('''a\r\nb''')") == 3);
}

TEST_CASE("numbers that Python does not read are refused, and the infinities are read from a text") {
  CHECK(refused("def f():\n  return 007\n") == "line 2, column 10: a whole number does not begin with 0: write 7.");
  CHECK(number_in("00 + 0.5 + 1_0") == 10.5);
  CHECK(number_in("float('-inf')") == -HUGE_VAL);
  CHECK(number_in("float('inf')") == HUGE_VAL);
  CHECK(refused("def f():\n  return float('1,5')\n") ==
        "line 2, column 10: float takes a number, \"inf\" or \"-inf\" as x, and this is the text \"1,5\".");
  CHECK(refused("def f():\n  return zeros(-9223372036854775807 - 1)\n").find("zeros takes") != std::string::npos);
}

TEST_CASE("sum(items, start) begins with start") {
  CHECK(number_in("sum([1, 2], 10)") == 13);
  CHECK(refused("def f():\n  return sum(['a'], '')\n").find("takes no text as dim") != std::string::npos);
}

TEST_CASE("a list is changed in place by += and *=, and grows while for walks it") {
  CHECK(program::number_of(value_of("def f():\n  a = [1]\n  b = a\n  a += [2]\n  a *= 2\n  return len(b)\n")) == 4);
  CHECK(program::number_of(value_of("def f():\n  a = [1]\n  a += a\n  a += range(3)\n  return len(a)\n")) == 5);
  CHECK(program::number_of(value_of("def f():\n  a = [1]\n  for v in a:\n    if v < 5:\n      a.append(v + 1)\n"
                                    "  return len(a)\n")) == 5);
}

TEST_CASE("a range is no list, and what zip and enumerate give can be used once") {
  CHECK(number_in("range(3) == [0, 1, 2]") == 0);
  CHECK(number_in("range(3) == range(0, 3)") == 1);
  CHECK(number_in("list(range(3)) == [0, 1, 2]") == 1);
  CHECK(number_in("sum(range(4)) + len(range(4)) + range(4)[-1]") == 13);
  CHECK(refused("def f():\n  return range(2) + [1]\n").find("has no meaning") != std::string::npos);
  CHECK(program::number_of(value_of("def f():\n  z = zip([1, 2], [3, 4])\n  a = list(z)\n  return len(a) + "
                                    "len(list(z))\n")) == 2);
  CHECK(program::number_of(value_of("def f():\n  z = enumerate([5, 6, 7])\n  for i, v in z:\n    if v == 6:\n"
                                    "      break\n  return list(z)[0][1]\n")) == 7);
  CHECK(refused("def f():\n  return len(zip([1]))\n").find("whose items are taken once") != std::string::npos);
}

TEST_CASE("None is no index of a list") {
  CHECK(refused("a = [1]\na[None] = 2\n").find("a list has one index, a whole number.") != std::string::npos);
  CHECK(refused("a = [1][None]\n").find("a list has one index, a whole number.") != std::string::npos);
}

TEST_CASE("a list is repeated from either side, and abs(True) is a number") {
  expect(tensor_of("def f():\n  return tensor(2 * [1, 2] + [3] * 2)\n"), {6}, {1, 2, 1, 2, 3, 3});
  CHECK(tensor_of("def f():\n  return tensor(len(3 * (1, 2)) + (abs(True) + abs(True)))\n").item() == 8);
  expect(tensor_of("def f():\n  return 0.5 * tensor([abs(True), 2])\n"), {2}, {0.5, 1});
}
