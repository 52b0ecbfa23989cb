// Writes minimal ONNX models. Field numbers are those of onnx.proto3.

// TensorProto.DataType
export const float = 1;
export const int64 = 7;

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

// ValueInfoProto; a size may have a name instead of a value.
function described(field, name, shape, type) {
  const sizes = shape.map((size) => message(1, typeof size === 'string' ? text(2, size) : number(1, size)));
  return message(field, text(1, name), message(2, message(1, number(1, type), message(2, ...sizes))));
}

// TensorProto; values: a Float32Array or BigInt64Array.
const constant = (name, [shape, values]) =>
  message(
    5,
    ...shape.map((size) => number(1, size)),
    number(2, values instanceof Float32Array ? float : int64),
    text(8, name),
    bytes(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)),
  );

// AttributeProto: a whole number or several, or { float }.
function attribute(name, value) {
  if (Array.isArray(value)) return message(5, text(1, name), ...value.map((each) => number(8, each)), number(20, 7));
  if (value.float === undefined) return message(5, text(1, name), number(3, Number(value)), number(20, 2));
  const four = new Uint8Array(Float32Array.of(value.float).buffer);
  return message(5, text(1, name), joined([[2 * 8 + 5], four]), number(20, 1));
}

const contributed = 'com.microsoft';

// The operation from tensors to tensors, all by name.
export const node = (operation, inputs, outputs, attributes = {}, domain = '') =>
  message(
    1,
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, operation),
    ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
    text(7, domain),
  );

// inputs and outputs: { name: [shape, type] }; constants: { name: [shape, values] }.
export function model({ nodes, inputs, outputs, constants }) {
  const all = (values, field) =>
    Object.entries(values).map(([name, [shape, type = float]]) => described(field, name, shape, type));
  const graph = message(
    7,
    ...nodes,
    text(2, 'graph'),
    ...Object.entries(constants).map(([name, value]) => constant(name, value)),
    ...all(inputs, 11),
    ...all(outputs, 12),
  );
  const versions = [message(8, text(1, ''), number(2, 20)), message(8, text(1, contributed), number(2, 1))];
  return joined([number(1, 9), graph, ...versions]);
}

// c = a · b, either transposed; operands with values in `constants` belong to the model, the others are its inputs.
export function matmulModel(shapes, { transposed_a, transposed_b }, values) {
  const names = ['a', 'b'];
  const product =
    transposed_a || transposed_b
      ? node('FusedMatMul', names, ['c'], { transA: transposed_a, transB: transposed_b }, contributed)
      : node('MatMul', names, ['c']);
  const chosen = (known) => names.filter((name) => name in values === known);
  return model({
    nodes: [product],
    inputs: Object.fromEntries(chosen(false).map((name) => [name, [shapes[name]]])),
    outputs: { c: [shapes.c] },
    constants: Object.fromEntries(chosen(true).map((name) => [name, [shapes[name], values[name]]])),
  });
}
