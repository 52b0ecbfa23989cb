"""The differences that the guide names (lessons/write/guide.md, "What differs from Python and PyTorch"), in one place."""

import re

# By the guide's words, as they stand there but for the marks of code: in what words the engine refuses a program.
REFUSED_HERE = {
    "A NaN is refused where it was made": r" made NaN|the result is undefined for",
    "x.T of three axes": r"\.T is for matrices",
    "x[::-1] of a tensor": r"the step of a slice is at least 1",
    "x[i] = 0.5 of an int tensor": r"value would be cut to fit into a tensor of type|masked_fill keeps the type",
    "Any number of axes": r"[Aa]t most (6|six) (axes|sizes)",
    "x.softmax(0) or x.sum(0) of one value, topk or amax of no values, softmax of an int or bool tensor without values, argmax of one bool":
        r"has no axis -?\d+ to go along: the tensor has 0 axes|has 0 axes, and \.mT|is empty: there is no largest value"
        r"|topk finds 1 to \d+ values here|flip takes axes of the tensor|tri[lu] takes a matrix|one value has no index"
        r"|topk needs a float or int tensor|softmax needs a float tensor, and this is of type (int|bool)"
        r"|argmax needs a float or int tensor|cat joins tensors along axis \d, so .* 0 values",
    "x.expand(-3, 0)": r"A size is 0 or more, not -\d",
    "mse_loss of int tensors": r"mse_loss needs a float tensor",
    "embedding, one_hot and cross_entropy with float ids": r"takes a tensor of whole numbers as (ids|target)",
    "2 ** -1 of int tensors, 7 % 0 of int tensors": r"have no negative powers|whole numbers are not divided by 0",
    "Whole numbers in tensors": r"an int tensor holds whole numbers up to|beyond 2\^63, where whole numbers end here",
    "clamp between a number and a tensor": r"clamp takes two numbers or two tensors",
    "label_smoothing=-0.1": r"label_smoothing is",
    "'abc'[0], (1, 2) < (2, 1)":
        r"the text .* has no items|(a list|a tuple|a text|the text) .* have no order|the text .* has no meaning"
        r"|(min|max) compares numbers, and this is the text",
    "x ** mask": r"is a bool tensor, and no exponent",
    "A name that nothing has": r"nothing here has (the name|a method)",
    "2 in x, x in [x, y] with tensors, or a list with tensors == another":
        r"lists with tensors are not compared|a tensor of .* has no items to look in",
    "cross_entropy of three axes, without an import": r"cross_entropy takes logits \(N, V\)",
    "zeros(2, True)": r"takes whole numbers of at most 2\^28 as",
    "arange(x) or full(2, x) of a float tensor":
        r"(arange|full|layer_norm|rms_norm|cross_entropy) takes a number as .*: write \.item",
    "A parameter with the name of an input": r"has the name of an input",
    "x += 1 of an input or a parameter": r"an input or parameter cannot be changed",
    "x += 1 after a use of x whose gradient needs it": r"has used these values before, and its gradient",
    "x[..., ...]": r"an index has at most one",
    "(-2) ** 0.5": r"a negative number has no power with a fraction",
    "max(2, x) of a number and a tensor": r"compares numbers, and this is a",
    "[1] * n where n is a tensor": r"(a tensor of [^:]* \* a (list|tuple) of|a (list|tuple) of [^:]* \* a tensor of) ",
    "a.append(a)": r"this list would contain itself",
    "tensor([[], [1, 2]])": r"only some of these lists are empty",
    "cross_entropy whose targets are all ignored": r"cross_entropy: every target is",
    "x[places] where places is a tuple or a list": r"an index is a whole number, and this is a (tuple|list) of",
    "x.shape.numel()": r"a tuple of \d+ has no attribute numel\b",
    "torch.tensor of tensors": r"tensor takes plain numbers",
}
# And how another difference begins.
OTHERS = {
    "The gradient through x // y": r"^refused there: .*derivative for aten::(floor_divide|remainder)_? is not implemented",
    "2.0 ** 10000": r"^refused there: OverflowError: \(34, 'Numerical result out of range'\)",
    "range(3, None)": r"^refused there: TypeError: 'NoneType' object cannot be interpreted as an integer",
    "x.masked_fill(mask, y) with a tensor of values": r"^refused there: .*masked_fill_ only supports a 0-dimensional value",
    "one_hot(ids, 0) of no ids": r"^refused there: .*Can not infer total number of classes from empty tensor",
    "x ** False, x ** 1e-50": r"^exponents as they are here: ",
    "1 / x where x is 0.0 or -0.0": r"^the sign of 0: ",
    "zip and enumerate": r"^lists as they were: ",
    "Equal values in topk": r"^the order of equal values: ",
    "A gradient after one that is infinite or NaN":
        r"^after a gradient that is infinite or NaN: gradient of \w+: (nan here|-?inf here and nan there)",
    "A gradient of 0 on its way to log(0) or 1 / 0": r"^0 times infinity there: gradient of ",
}
NAMED = {guide: f"^refused here: .*(?:{words})" for guide, words in REFUSED_HERE.items()} | OTHERS


def entry_for(difference):
    """The guide's words about this difference; None if it has none."""
    return next((guide for guide, pattern in NAMED.items() if re.search(pattern, difference, re.DOTALL)), None)
