// Writes minimal ONNX models of one matrix product. Field numbers are those of onnx.proto3.

const float = 1; // TensorProto.DataType

function joined(parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}

function varint(value) {
  const out = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
}

const number = (field, value) => [...varint(field * 8), ...varint(value)];
const bytes = (field, content) => joined([varint(field * 8 + 2), varint(content.length), content]);
const text = (field, value) => bytes(field, new TextEncoder().encode(value));
const message = (field, ...parts) => bytes(field, joined(parts));

// ValueInfoProto and TensorProto.
function described(field, name, shape) {
  const sizes = shape.map((size) => message(1, number(1, size)));
  return message(field, text(1, name), message(2, message(1, number(1, float), message(2, ...sizes))));
}
const constant = (field, name, shape, values) =>
  message(
    field,
    ...shape.map((size) => number(1, size)),
    number(2, float),
    text(8, name),
    bytes(9, new Uint8Array(values.buffer)),
  );

const flag = (name, value) => message(5, text(1, name), number(3, Number(value)), number(20, 2));

// c = a · b, either transposed; operands with values in `constants` belong to the model, the others are its inputs.
export function matmulModel(shapes, { transposed_a, transposed_b }, constants) {
  const operation =
    transposed_a || transposed_b
      ? [text(4, 'FusedMatMul'), flag('transA', transposed_a), flag('transB', transposed_b), text(7, 'com.microsoft')]
      : [text(4, 'MatMul')];
  const node = message(1, text(1, 'a'), text(1, 'b'), text(2, 'c'), ...operation);
  const operands = ['a', 'b'].map((name) =>
    constants[name] ? constant(5, name, shapes[name], constants[name]) : described(11, name, shapes[name]),
  );
  const graph = message(7, node, text(2, 'product'), ...operands, described(12, 'c', shapes.c));
  const versions = [message(8, text(1, ''), number(2, 17)), message(8, text(1, 'com.microsoft'), number(2, 1))];
  return joined([number(1, 8), graph, ...versions]);
}
