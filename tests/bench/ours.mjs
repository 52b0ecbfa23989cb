// The engine's contenders: they run in the browser and, with the same module, in Node.

const read = (engine, at, n) => engine.HEAPF32.slice(at / 4, at / 4 + n);

// Copies these values into the module's memory; returns the address.
function placed(engine, values) {
  const at = engine._malloc(values.byteLength);
  engine.HEAPF32.set(values, at / 4);
  return at;
}

// A function of n values, by its exported name.
const map =
  (call) =>
  (engine, { n }, x) => {
    const places = [placed(engine, x), engine._malloc(4 * n)];
    return {
      run: () => engine[call](n, ...places),
      result: () => read(engine, places[1], n),
      dispose: () => places.forEach((at) => engine._free(at)),
    };
  };

export const exp = map('_bench_exp');
export const expLibm = map('_bench_exp_libm');

export function gemm(engine, { batch, m, k, n, transposed_a, transposed_b }, a, b) {
  const places = [placed(engine, a), placed(engine, b), engine._malloc(4 * batch * m * n)];
  return {
    run: () => engine._bench_gemm(batch, m, k, n, transposed_a, transposed_b, ...places),
    result: () => read(engine, places[2], batch * m * n),
    dispose: () => places.forEach((at) => engine._free(at)),
  };
}

// The first losses are compared.
export const firstLosses = (step) => Float32Array.from({ length: 3 }, step);

// The model's inputs and initial parameters, in order.
export function trainValues(engine, workload) {
  const training = engine._bench_train_new(workload);
  const values = Array.from({ length: engine._bench_train_count(training) }, (_, i) =>
    read(engine, engine._bench_train_values(training, i), engine._bench_train_size(training, i)),
  );
  engine._bench_train_delete(training);
  return values;
}

// The time that the step's products alone would take if they ran as fast as multiplying and adding in registers.
export function floor(engine, { workload }) {
  const rounds = 100_000;
  const training = engine._bench_train_new(workload);
  const scale = engine._bench_train_multiply_adds(training) / (rounds * engine._bench_multiply_adds_in_round());
  engine._bench_train_delete(training);
  return { run: () => void engine._bench_registers(rounds), scale };
}

export function train(engine, { workload }) {
  const training = engine._bench_train_new(workload);
  const losses = firstLosses(() => engine._bench_train_step(training));
  return {
    run: () => void engine._bench_train_step(training),
    result: () => losses,
    bytes: () => engine._bench_bytes(),
    dispose: () => engine._bench_train_delete(training),
  };
}
