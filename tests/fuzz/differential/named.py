"""The differences that the guide names (lessons/write/guide.md, "What differs from Python and PyTorch"), in one place."""

import re
from typing import NamedTuple


class Named(NamedTuple):
    guide: str  # from the guide, as it stands there but for the marks of code
    pattern: str  # of the difference: "refused here: …", "refused there: …" or "value: …"


NAMED = [
    Named("A NaN is refused where it was made", r"^refused here: .*( made NaN|the result is undefined for)"),
    Named("x.T of three axes", r"^refused here: .*\.T is for matrices"),
    Named("x[mask], x[True]", r"^refused here: .*(a bool tensor is no index|an index of a tensor is a whole number, and this is (True|False))"),
    Named("x[::-1] of a tensor", r"^refused here: .*the step of a slice is at least 1"),
    Named("x[i] = value", r"^refused here: .*this would also change what .* hold"),
    Named("x[i] = value", r"^refused here: .*an input or parameter cannot be changed"),
    Named("x[i] = 0.5 of an int tensor", r"^refused here: .*value would be cut to fit into a tensor of type"),
    Named("x[i] = 0.5 of an int tensor", r"^refused here: .*masked_fill keeps the type"),
    Named("x += 1 after exp(x) or softmax(x, …)", r"^refused there: .*modified by an inplace operation"),
    Named("x.view(…) after transpose, or x += 1 on an expanded tensor",
          r"^refused there: .*(view size is not compatible|unsupported operation: (more than one element of the written-to|some elements of the input) tensor)"),
    Named("The gradient through x // y", r"^refused there: .*derivative for aten::(floor_divide|remainder)_? is not implemented"),
    Named("Any number of axes", r"^refused here: .*([Aa]t most (4|four) (axes|sizes))"),
    Named("x.softmax(0) or x.sum(0) of one value, topk or amax of no values, softmax of an int or bool tensor without values, argmax of one bool",
          r"^refused here: .*(has no axis -?\d+ to go along: the tensor has 0 axes|has 0 axes, and \.mT|is empty: there is no largest value"
          r"|topk finds 1 to \d+ values here|flip takes axes of the tensor|tri[lu] takes a matrix|one value has no index|topk needs a float or int tensor)"),
    Named("x.softmax(0) or x.sum(0) of one value, topk or amax of no values, softmax of an int or bool tensor without values, argmax of one bool",
          r"^refused here: .*(softmax needs a float tensor, and this is of type (int|bool)|argmax needs a float or int tensor)"),
    Named("x.expand(-3, 0)", r"^refused here: .*A size is 0 or more, not -\d"),
    Named("mse_loss of int tensors", r"^refused here: .*mse_loss needs a float tensor"),
    Named("embedding, one_hot and cross_entropy with float ids", r"^refused here: .*takes a tensor of whole numbers as (ids|target)"),
    Named("2 ** -1 of int tensors, 7 % 0 of int tensors", r"^refused here: .*(have no negative powers|whole numbers are not divided by 0)"),
    Named("Whole numbers in tensors", r"^refused here: .*an int tensor holds whole numbers up to"),
    Named("x.softmax(0) or x.sum(0) of one value, topk or amax of no values, softmax of an int or bool tensor without values, argmax of one bool", r"^refused here: .*cat joins tensors along axis \d, so .* 0 values"),
    Named("clamp between a number and a tensor", r"^refused here: .*clamp takes two numbers or two tensors"),
    Named("label_smoothing=-0.1", r"^refused here: .*label_smoothing is"),
    Named("'abc'[0], (1, 2) < (2, 1)",
          r"^refused here: .*(the text .* has no items|(a list|a tuple|a text|the text) .* have no order)"),
    Named("mask & other, ~mask", r"^refused here: .*takes a bool tensor as its condition"),
    Named("Whole numbers in tensors", r"^refused here: .*beyond 2\^63, where whole numbers end here"),
    Named("2.0 ** 10000", r"^refused there: OverflowError: \(34, 'Numerical result out of range'\)"),
    Named("range(3, None)", r"^refused there: TypeError: 'NoneType' object cannot be interpreted as an integer"),
    Named("x ** mask", r"^refused here: .*is a bool tensor, and no exponent"),
    Named("A name that nothing has", r"^refused here: .*nothing here has (the name|a method)"),
    Named("2 in x, x in [x, y] with tensors, or a list with tensors == another",
          r"^refused here: .*(lists with tensors are not compared|a tensor of .* has no items to look in)"),
    Named("x.masked_fill(mask, y) with a tensor of values", r"^refused there: .*masked_fill_ only supports a 0-dimensional value"),
    Named("one_hot(ids, 0) of no ids", r"^refused there: .*Can not infer total number of classes from empty tensor"),
    Named("x[0] = 1 of an expanded tensor", r"^expanded tensors as copies: "),
    Named("x ** False, x ** 1e-50", r"^exponents as they are here: "),
    Named("row += 1 in for row in x, x[0] = 1 after a, b = x.chunk(2)",
          r"^refused there: .*is a view and (is being|its base or another view of its base has been) modified inplace"),
    Named("argmax and topk along another axis, cross_entropy of three axes", r"^refused here: .*(argmax|topk) goes along the last axis"),
    Named("argmax and topk along another axis, cross_entropy of three axes", r"^refused here: .*cross_entropy takes logits \(N, V\)"),
    Named("x.flip(0, 1)", r"^refused here: .*is given more arguments than it takes"),
    Named("'abc'[0], (1, 2) < (2, 1)", r"^refused here: .*(the text .* has no meaning|(min|max) compares numbers, and this is the text)"),
    Named("argmax and topk along another axis, cross_entropy of three axes", r"^refused here: .*argmax has no parameter keepdim"),
    Named("zeros(2, True)", r"^refused here: .*takes whole numbers of at most 2\^28 as"),
    Named("arange(x) or full(2, x) of a float tensor", r"^refused here: .*(arange|full|layer_norm|rms_norm|cross_entropy) takes a number as .*: write \.item"),
    Named("x[..., ...]", r"^refused here: .*an index has at most one"),
    Named("f\"{x}\" of a tensor or a list", r"^refused here: .*has no short form as a text"),
    Named("(-2) ** 0.5", r"^refused here: .*a negative number has no power with a fraction"),
    Named("max(2, x) of a number and a tensor", r"^refused here: .*compares numbers, and this is a"),
    Named("[1] * n where n is a tensor", r"^refused here: .*(a tensor of [^:]* \* a (list|tuple) of|a (list|tuple) of [^:]* \* a tensor of) "),
    Named("a.append(a)", r"^refused here: .*this list would contain itself"),
    Named("1 / x where x is 0.0 or -0.0", r"^the sign of 0: "),
    Named("zip and enumerate", r"^lists as they were: "),
    Named("Equal values in topk", r"^the order of equal values: "),
    Named("A gradient after one that is infinite or NaN", r"^after a gradient that is infinite or NaN: gradient of \w+: (nan here|-?inf here and nan there)"),
    Named("A gradient of 0 on its way to log(0) or 1 / 0", r"^0 times infinity there: gradient of "),
    Named("tensor([[], [1, 2]])", r"^refused here: .*only some of these lists are empty"),
    Named("x[i] = value", r"^refused here: .*this would also change the default of a parameter"),
    Named("cross_entropy whose targets are all ignored", r"^refused here: .*cross_entropy: every target is"),
    Named("x[places] where places is a tuple or a list", r"^refused here: .*an index is a whole number, and this is a (tuple|list) of"),
    Named("x.shape.numel()", r"^refused here: .*a tuple of \d+ has no numel\."),
    Named("torch.tensor of tensors", r"^refused here: .*tensor takes plain numbers"),
]


def entry_for(difference):
    """The guide's entry about this difference; None if it has none."""
    return next((each for each in NAMED if re.search(each.pattern, difference, re.DOTALL)), None)
