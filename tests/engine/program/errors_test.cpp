// Errors name the line and column, what is there, what is wrong, and what may have been meant.
#include "tests/engine/support/programs.h"

namespace {

using program::TypedTensor;

std::string refused_expression(const std::string& expression) {
  return refused("def f():\n    return " + expression + "\n");
}

}  // namespace

TEST_CASE("errors of shape give both shapes, and a transpose that would fit") {
  const std::string text = "def attend(Q, K):\n    S = 1\n    return Q @ K\n";
  const Tensor Q({4, 3}, std::vector<Scalar>(12)), heads({2, 4, 3}, std::vector<Scalar>(24));
  CHECK(refused(text, {TypedTensor{Q}, TypedTensor{Q}}) ==
        "line 3, column 14: Q is 4 × 3 and K is 4 × 3: @ needs 3 = 4. Did you mean K.T?");
  CHECK(refused(text, {TypedTensor{heads}, TypedTensor{heads}}) ==
        "line 3, column 14: Q is 2 × 4 × 3 and K is 2 × 4 × 3: @ needs 3 = 4. Did you mean K.mT?");
  CHECK(refused("def f(K):\n    return K.T\n", {TypedTensor{heads}}) ==
        "line 2, column 13: the tensor has 3 axes, and .T is for matrices: write .mT to swap the last two.");
  CHECK(refused("def f(a):\n    return a + a[0, :2]\n", {TypedTensor{Q}}) ==
        "line 2, column 14: a is 4 × 3 and a[…] is 2 values: + needs sizes that are equal or 1, from the last to the "
        "first, and 3 and 2 are neither.");
}

TEST_CASE("an unknown name gets the nearest known one") {
  CHECK(refused_expression("sofmax(1)") ==
        "line 2, column 12: nothing here has the name sofmax. Did you mean softmax?");
  CHECK(refused("import torch\ndef f():\n    return torch.sofmax(1)\n") ==
        "line 3, column 17: the package torch has no attribute sofmax. Did you mean softmax?");
  CHECK(refused_expression("cat([zeros(4, 8), zeros(4, 8, 6)], 1)") ==
        "line 2, column 12: cat joins tensors along axis 1, so all their other axes are of equal sizes, and these are "
        "4 × 8 and 4 × 8 × 6.");
  CHECK(refused_expression("xyzzy") == "line 2, column 12: nothing here has the name xyzzy.");
  CHECK(refused_expression("softmax(zeros(2), dimm=0)") ==
        "line 2, column 35: softmax has no parameter dimm. Did you mean dim?");
  CHECK(
      refused_expression("zeros(2).sum().backward()").ends_with("gradients are always computed: leave out backward."));
  CHECK(refused_expression("zeros(2).men()") ==
        "line 2, column 20: a tensor of 2 values has no attribute men. Did you mean mean?");
  CHECK(refused("def f(x=1):\n    if x == 2:\n        y = 1\n    return y\n") ==
        "line 4, column 12: y has no value yet: it is assigned later in this function.");
}

TEST_CASE("errors of syntax name their place") {
  CHECK(refused("def f(:\n    return 1\n") == "line 1, column 7: a parameter needs a name here.");
  CHECK(refused("def f()\n    return 1\n") == "line 1, column 8: def needs “:” here.");
  CHECK(refused("def f():\nreturn 1\n") == "line 2, column 1: def needs an indented block below it.");
  CHECK(refused("def f():\n    return (1\n") == "line 3, column 1: an open parenthesis needs “)” here.");
  CHECK(refused("def f():\n    return 'a\n") == "line 2, column 12: this text has no end: close it with '.");
  CHECK(refused("def f():\n\tx = 1\n    return x\n") ==
        "line 3, column 5: tabs and spaces are mixed at the start of lines: use four spaces for each level.");
  CHECK(refused("def f():\n    return “a”\n") == "line 2, column 12: ““” has no meaning here: type \".");
  CHECK(refused("def f（x):\n    return x\n") == "line 1, column 6: “（” has no meaning here: type (.");
  CHECK(refused("def f(x、y):\n    return x\n") == "line 1, column 8: “、” has no meaning here: type ,.");
  CHECK(refused("def f(x):\n    return x\u3000+ 1\n") ==
        "line 2, column 13: “\u3000” has no meaning here: type a space.");
  CHECK(refused("def f(x)：\n    return x\n") == "line 1, column 9: “：” has no meaning here: type :.");
  CHECK(refused("def f(x，y):\n    return x\n") == "line 1, column 8: “，” has no meaning here: type ,.");
  CHECK(
      refused("f(1) = 2\n") ==
      "line 1, column 1: only a name, an attribute, an index, or several of them can be assigned to: for a comparison "
      "write ==.");
  CHECK(refused("x = 3x\n") == "line 1, column 6: a name cannot begin with a digit, and * is never left out.");
}

TEST_CASE("runaway programs end in a sentence") {
  CHECK(refused("while True: pass\n") ==
        "line 1, column 13: the program has run a million statements and has not ended.");
  CHECK(refused("def f():\n    return f()\n") ==
        "line 2, column 12: functions call each other more than 100 deep here: does f end?");
  CHECK(refused("x = zeros(16000, 16000)\n").find("384 MB") != std::string::npos);
  CHECK(refused("x = ones(8)\nwhile True:\n    x = x + 1\n") ==
        "line 3, column 11: the program has made 200,000 operations and has not ended.");
  CHECK(refused("a = ones(4500, 1001)\nb = a @ a.T\n").find("10,000,000,000 multiplications") != std::string::npos);
  CHECK(refused(std::string(500, '(') + "\n").find("nested more than 60") != std::string::npos);
  std::string sum = "x = 1";
  for (int i = 0; i < 3000; ++i) sum += "+1";
  CHECK(refused(sum + "\n") == "line 1, column 408: more than 200 operations in a row: give a part of them a name.");
  std::string brackets = std::string(15, '(') + "1", chain;
  for (int i = 0; i < 100; ++i) chain += "+1";
  for (int i = 0; i < 15; ++i) brackets += chain + ")";
  CHECK(refused("x = " + brackets + "\n")
            .ends_with("more than 1000 operations within one another: give a part of them a name."));
  CHECK(refused(std::string(70'000, '\n')) == "The program has 70000 bytes: at most 65536 are allowed.");
}

TEST_CASE("a list cannot contain itself") {
  constexpr const char* itself = "this list would contain itself: put in a copy, such as list(a).";
  CHECK(refused("a = []\na.append(a)\n") == std::string("line 2, column 2: ") + itself);
  CHECK(refused("a = [1]\na[0] = (2, [a])\n") == std::string("line 2, column 2: ") + itself);
  CHECK(refused("a = []\nb = [a]\na.append([b, 1])\n") == std::string("line 3, column 2: ") + itself);
  CHECK(number_in("len([[x, x] for x in [[]]][0])") == 2);
}

TEST_CASE("lists nested deeply are compared, searched, changed and freed; one that many lists hold is read once") {
  const std::string deep = "def f():\n    a, b, x = [], [], zeros(2)\n    for i in range(100000): a, b = [a], (b,)\n";
  CHECK(number_of(deep + "    return a == b or a in [b] or a != [a]\n") == 1);
  CHECK(tensor_of(deep + "    x[0] = 3\n    return x\n").data()[0] == 3);
  const std::string shared = "def f():\n    a, b, x = [1], [1], zeros(2)\n    for i in range(60): a = [a, a]\n";
  CHECK(number_of(shared + "    return a == a\n") == 1);
  CHECK(tensor_of(shared + "    x[0] = 3\n    return x\n").data()[0] == 3);
}

TEST_CASE("numbers at the ends of their range") {
  CHECK(number_in("len([1, 2, 3][1:3:9223372036854775807])") == 1);
  CHECK(number_in("len([1, 2, 3][::-9223372036854775807 - 1])") == 1);
  CHECK(refused_expression("zeros(-9223372036854775807 - 1)") ==
        "line 2, column 12: zeros takes whole numbers of at most 2^28 as size, and this is a tuple of 1.");
  CHECK(refused_expression("zeros(3)[:, None].sum(-9223372036854775807 - 1)")
            .ends_with("takes a number of at most 2^28 as dim, and this is the number -9223372036854775808."));
  CHECK(refused_expression("007") == "line 2, column 12: a whole number does not begin with 0: write 7.");
  CHECK(number_in("00 + 0") == 0);
  CHECK(refused_expression("zeros(2, 3, 4).flatten(2, 1)") ==
        "line 2, column 26: flatten joins the axes from start_dim to end_dim, and 2 is after 1.");
}

TEST_CASE("what is changed changes for all who hold it; an input or parameter does not change") {
  CHECK(tensor_of("def f():\n    a = zeros(3)\n    b = a\n    a[0] = 1\n    return b\n").data()[0] == 1);
  CHECK(tensor_of("def f():\n    a = zeros(2, 3)\n    b = a[0]\n    b += 1\n    return a\n").data()[2] == 1);
  CHECK(tensor_of("def g(q=zeros(2)):\n    q += 1\n    return q\ndef f():\n    return g() * 1 + g()\n").data()[0] == 3);
  CHECK(refused("def f():\n    W = parameter('W', (3,))\n    W[0] = 1\n    return W\n") ==
        "line 3, column 6: an input or parameter cannot be changed: assign to a copy, such as x = x + 0.");
}

TEST_CASE("types that do not fit are refused with the remedy") {
  CHECK(refused_expression("where(ones(2), 1.0, 0.0)") ==
        "line 2, column 12: where takes a bool tensor as its condition, such as mask > 0.");
  CHECK(refused_expression("softmax(zeros(2))") ==
        "line 2, column 12: softmax(x, dim, dtype=None) needs a value for dim, such as dim=-1.");
  CHECK(refused("def f():\n    mask = ones(2) > 0\n    return 1 - mask\n") ==
        "line 3, column 14: mask is a bool tensor, which cannot be subtracted: write mask.float(), or mask == 0 for "
        "its opposite.");
  CHECK(refused_expression("arange(2) + 16777217 * 2").find("16,777,216") != std::string::npos);
  CHECK(refused_expression("arange(3).mean()") ==
        "line 2, column 21: mean needs a float tensor, and this is of type int: write .float().");
  CHECK(refused_expression("1 if zeros(3) else 2") ==
        "line 2, column 17: a condition is one value, and this is a tensor of 3 values.");
  CHECK(refused_expression("[1] + 'a'") == "line 2, column 16: a list of 1 + the text \"a\" has no meaning.");
  CHECK(refused_expression("zeros(4, 2, 3).masked_fill(zeros(4, 3) == 0, 1)") ==
        "line 2, column 26: masked_fill: x is 4 × 2 × 3 and mask is 4 × 3: sizes are equal or 1, from the last to the "
        "first, and 2 and 4 are neither. Write [:, None] after the mask.");
  CHECK(refused_expression("where(zeros(2) == 0, 1, zeros(3))")
            .ends_with("and 3 and 2 are neither. Write [:, None] after the condition."));
  CHECK(refused_expression("embedding(tensor([0, -1]), zeros(5, 2))")
            .ends_with("embedding: an id is -1, and weight has 5 rows: ids are 0 to 4."));
  CHECK(refused_expression("1 // 0") == "line 2, column 14: this divides by 0.");
  CHECK(refused_expression("2 ** 64") ==
        "line 2, column 14: the result is beyond 2^63, where whole numbers end here: write one of them as a float.");
}
