// Writes the smallest ONNX models there are: one operation on constants. Field numbers are those of onnx.proto3.

const bytes = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

function varint(value) {
  const out = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) | 128);
  return [...out, value];
}

const number = (field, value) => [...varint(field * 8), ...varint(value)];
const block = (field, content) => bytes(varint(field * 8 + 2), varint(content.length), content);
const text = (field, value) => block(field, new TextEncoder().encode(value));
const message = (field, ...parts) => block(field, bytes(...parts));
const float = 1; // TensorProto.DataType

// A constant: its values are followed in the file by nothing else of this message, so they are appended unflattened.
function constant(name, shape, values) {
  const head = bytes(...shape.map((size) => number(1, size)), number(2, float), text(8, name));
  const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return concatenated(head, Uint8Array.from([...varint(9 * 8 + 2), ...varint(raw.length)]), raw);
}

function concatenated(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}

const wrapped = (field, content) =>
  concatenated(Uint8Array.from([...varint(field * 8 + 2), ...varint(content.length)]), content);

// c = a · b, or a · bᵀ; inputs: { a: { shape, values }, b: { shape, values } }, both constants of the model.
export function matmulModel({ a, b, c, transposed_b }) {
  const attribute = transposed_b ? [message(5, text(1, 'transB'), number(3, 1), number(20, 2))] : [];
  const domain = transposed_b ? [text(7, 'com.microsoft')] : [];
  const node = message(1, text(1, 'a'), text(1, 'b'), text(2, 'c'), text(4, transposed_b ? 'FusedMatMul' : 'MatMul'), ...attribute, ...domain);
  const shape = message(2, ...c.shape.map((size) => message(1, number(1, size))));
  const output = message(12, text(1, 'c'), message(2, message(1, number(1, float), shape)));
  const graph = concatenated(node, text(2, 'g'), wrapped(5, constant('a', a.shape, a.values)), wrapped(5, constant('b', b.shape, b.values)), output);
  const opsets = concatenated(message(8, text(1, ''), number(2, 17)), message(8, text(1, 'com.microsoft'), number(2, 1)));
  return concatenated(Uint8Array.from(number(1, 8)), wrapped(7, graph), opsets);
}
