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
    };
  };

export const exp = map('_bench_exp');
export const expLibm = map('_bench_exp_libm');

export function gemm(engine, { batch, m, k, n, transposed_a, transposed_b }, a, b) {
  const places = [placed(engine, a), placed(engine, b), engine._malloc(4 * batch * m * n)];
  return {
    run: () => engine._bench_gemm(batch, m, k, n, transposed_a, transposed_b, ...places),
    result: () => read(engine, places[2], batch * m * n),
  };
}

// The first losses are compared.
export const firstLosses = (step) => Float32Array.from({ length: 3 }, step);

const work = (engine, at, result) => ({
  run: () => void engine._bench_run(at),
  result,
  bytes: () => engine._bench_bytes(),
});

export function train(engine, { workload }) {
  const at = engine._bench_train_new(workload);
  const losses = firstLosses(() => engine._bench_run(at));
  return work(engine, at, () => losses);
}

// The logits are compared.
export function write(engine, { one_token }) {
  const at = engine._bench_write_new(one_token);
  return work(engine, at, () => {
    engine._bench_run(at);
    return read(engine, engine._bench_write_logits(at), engine._bench_write_logits_size());
  });
}

const made = {
  train: (engine, { workload }) => engine._bench_train_new(workload),
  write: (engine, { one_token }) => engine._bench_write_new(one_token),
};

// Calls use(work), which is there until then.
function withWork(engine, { kind, sizes }, use) {
  const at = made[kind](engine, sizes);
  const result = use(at);
  engine._bench_delete(at);
  return result;
}

// The model's inputs and initial parameters, in order.
export const values = (engine, one) =>
  withWork(engine, one, (at) =>
    Array.from({ length: engine._bench_count(at) }, (_, i) =>
      read(engine, engine._bench_values(at, i), engine._bench_size(at, i)),
    ),
  );

// The time that a run's products alone would take if they ran as fast as multiplying and adding in registers.
export function floor(engine, one) {
  const rounds = 100_000;
  const inRegisters = rounds * engine._bench_multiply_adds_in_round();
  const scale = withWork(engine, one, (at) => engine._bench_multiply_adds(at)) / inRegisters;
  return { run: () => void engine._bench_registers(rounds), scale };
}

// The time to read the model's parameters from memory once.
export function bandwidth(engine, one) {
  const at = made[one.kind](engine, one.sizes);
  return { run: () => void engine._bench_read_values(at) };
}

// What no run can be faster than: one token reads every parameter for one multiply-add each.
export const bound = (engine, one) =>
  one.sizes.one_token ? { bandwidth: bandwidth(engine, one) } : { floor: floor(engine, one) };

// 2, 4, 8 … threads and all cores.
export function threadCounts(cores) {
  const counts = [];
  for (let count = 2; count < cores; count *= 2) counts.push(count);
  return cores > 1 ? [...counts, cores] : counts;
}

// The same work on each number of threads, in a module that has them. They start when the worker next waits.
export async function onThreads(engine, one, counts) {
  engine._bench_set_threads(Math.max(...counts));
  await new Promise((done) => setTimeout(done, 1000));
  const bounds = one.sizes.one_token ? {} : { floor: floor(engine, one) };
  const shared = { ours: { write, train }[one.kind](engine, one.sizes), ...bounds };
  const on = (count, [name, { run, ...rest }]) => [
    name === 'ours' ? `${count}_threads` : `${name}_${count}_threads`,
    { ...rest, run: () => (engine._bench_set_threads(count), run()) },
  ];
  return Object.fromEntries(counts.flatMap((count) => Object.entries(shared).map((each) => on(count, each))));
}
