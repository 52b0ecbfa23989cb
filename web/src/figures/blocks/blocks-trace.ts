// A model as nested boxes, read out of a trace: one box per scope, with the operations recorded directly in it.
// Scopes that differ only in their position (t0, t1, …) are one box, shown at one of its positions.
import { cellCount, type Trace, type TraceNode, type TraceScope } from '../../engine/types';

export interface Block {
  /** The same at every position: "decoder.t.attention", "decoder.t/matmul". */
  key: string;
  name: string;
  /** Number of positions, or of repetitions of the operation. */
  count: number;
  /** Index of the one on show. */
  at: number;
  /** Its result at the position on show; undefined if it records nothing. */
  output: TraceNode | undefined;
  /** Its operations at the position on show. */
  operations: TraceNode[];
  /** Ids of its scopes at the position on show; empty for an operation and for an input. */
  scopes: ReadonlySet<number>;
  /** Number of parameter values it reads, over all positions. */
  parameters: number;
  input: boolean;
  /** The number of operations in the middle of a long box that it replaces, as they are not drawn one by one; else 0. */
  folded: number;
}

/** From one block to another inside a box; −1 stands for outside the box. */
export interface Flow {
  from: number;
  to: number;
  /** The results that go this way. */
  nodes: number[];
  /** Skip connection: bypasses the blocks whose result is added to it. */
  residual: boolean;
}

export interface Inside {
  blocks: Block[];
  flows: Flow[];
  /** Indexes of the blocks that read the previous position: their own result, or that of a later block. */
  loops: ReadonlySet<number>;
}

/** A box with more blocks than this shows the first and the last of them, and folds the rest into one. */
const MOST_BLOCKS = 80;

const POSITION = /^t\d+$/;
const lastOf = (scope: TraceScope): string => scope.name.slice(scope.name.lastIndexOf('.') + 1);
const ownName = (node: TraceNode): string => node.name.slice(node.name.lastIndexOf('/') + 1);

export class Blocks {
  private readonly cache = new Map<string, Inside>();
  private readonly children = new Map<number, TraceScope[]>();
  private readonly forward: readonly TraceNode[];
  private readonly readers = new Map<number, number[]>();
  private readonly own = new Map<Block, ReadonlySet<number>>();

  /** @param position The one shown of each box with several positions, at most its last. */
  constructor(
    readonly trace: Trace,
    private readonly position: number,
  ) {
    this.forward = trace.nodes.filter(({ phase }) => phase === 'forward');
    for (const scope of trace.scopes)
      if (scope.phase === 'forward' && scope.parent >= 0) addTo(this.children, scope.parent, scope);
    for (const { id, inputs } of this.forward) for (const input of inputs) addTo(this.readers, input, id);
  }

  /** Contents of a box; without one, of the model. */
  inside(box?: Block): Inside {
    const key = box?.key ?? '';
    const found = this.cache.get(key) ?? this.read(key, box?.scopes ?? new Set([0]));
    this.cache.set(key, found);
    return found;
  }

  /** Keys of the boxes around an operation, outermost first. */
  ancestors(node: number, box?: Block): string[] {
    const next = this.inside(box).blocks.find((block) => block.operations.some(({ id }) => id === node));
    return next?.scopes.size ? [next.key, ...this.ancestors(node, next)] : [];
  }

  /** True if a result of this block is read outside the box, or by nothing. */
  escapes(block: Block, box: Block): boolean {
    const own = this.own.get(box) ?? new Set(box.operations.map(({ id }) => id));
    this.own.set(box, own);
    return block.operations.some(({ id }) => {
      const readers = this.readers.get(id) ?? [];
      return !readers.length || readers.some((reader) => !own.has(reader));
    });
  }

  private read(key: string, scopes: ReadonlySet<number>): Inside {
    const own = this.forward.filter(({ scope }) => scopes.has(scope));
    const inner = [...scopes].flatMap((id) => this.children.get(id) ?? []);
    const folds = inner.some((scope) => this.hasPositions(scope));
    const groups = new Map<string, Group>();
    for (const scope of inner) groupOf(groups, POSITION.test(lastOf(scope)) ? 't' : lastOf(scope)).scopes.push(scope);
    for (const node of own) groupOf(groups, `/${folds ? repetitionKey(node) : ownName(node)}`).nodes.push(node);
    if (!key) for (const node of this.inputs()) groupOf(groups, `/${node.name}`).nodes.push(node);
    const order = this.ordered(this.candidates(key, groups));
    const blocks = order.map(({ block }) => block);
    const blockOf = blocksByNode(order);
    return { blocks, ...this.flows(blocks, blockOf) };
  }

  /** In execution order, the middle of a long list as one block. */
  private candidates(key: string, groups: ReadonlyMap<string, Group>): Candidate[] {
    const parts = [...groups].map(([name, group]) => this.part(name, group)).sort((a, b) => a.first - b.first);
    const block = (part: Part): Candidate => ({ block: this.block(key, part), all: part.all });
    if (parts.length <= MOST_BLOCKS) return parts.map(block);
    const end = parts.length - MOST_BLOCKS / 2 + 1;
    const middle = parts.slice(MOST_BLOCKS / 2, end).flatMap(({ all }) => all);
    return [
      ...parts.slice(0, MOST_BLOCKS / 2).map(block),
      { block: this.foldedBlock(key, middle), all: middle },
      ...parts.slice(end).map(block),
    ];
  }

  private part(name: string, { scopes, nodes }: Group): Part {
    const all = nodes.length ? nodes : this.within(scopes);
    const [first] = all;
    return { name, scopes, nodes, all, first: !first ? Infinity : first.phase === 'leaf' ? -1 : first.id };
  }

  private foldedBlock(key: string, operations: TraceNode[]): Block {
    return {
      ...{ key: `${key}/…`, name: '', count: 1, at: 0, scopes: new Set(), input: false, folded: operations.length },
      ...{ output: this.outputOf(operations), operations, parameters: this.parametersOf(operations) },
    };
  }

  /** Topological order, ties in execution order; a cycle is broken at the block that runs first. */
  private ordered(waiting: readonly Candidate[]): Candidate[] {
    const blockOf = blocksByNode(waiting);
    const sources = waiting.map(({ all }, own) => {
      const read = all.flatMap(({ inputs }) => inputs.map((input) => blockOf.get(input) ?? own));
      return new Set(read.filter((from) => from !== own));
    });
    const done = new Set<number>();
    while (done.size < waiting.length) {
      const left = waiting.map((_, i) => i).filter((i) => !done.has(i));
      done.add(left.find((i) => [...sources[i]!].every((from) => done.has(from))) ?? left[0]!);
    }
    return [...done].map((i) => waiting[i]!);
  }

  private inputs(): TraceNode[] {
    return this.trace.nodes.filter((node) => isInput(node) && this.readers.has(node.id));
  }

  private hasPositions(scope: TraceScope): boolean {
    return (
      POSITION.test(lastOf(scope)) || (this.children.get(scope.id) ?? []).some((inner) => this.hasPositions(inner))
    );
  }

  /** The operations of scopes that follow each other. */
  private within(scopes: readonly TraceScope[]): TraceNode[] {
    return scopes.flatMap(({ first, last }) =>
      this.trace.nodes.slice(first, last + 1).filter(({ phase }) => phase === 'forward'),
    );
  }

  private block(parent: string, { name, scopes, nodes, all }: Part): Block {
    const places = [...new Set(scopes.map((scope) => scope.name))];
    const count = nodes.length || places.length;
    const at = Math.min(this.position, count - 1);
    const shown = scopes.filter((scope) => scope.name === places[at]);
    const operations = nodes.length ? [nodes[at]!] : count > 1 ? this.within(shown) : all;
    return {
      key: name.startsWith('/') || !parent ? `${parent}${name}` : `${parent}.${name}`,
      name: nodes.length ? ownName(nodes[at]!) : labelOf(places[at]!),
      count,
      at,
      output: this.outputOf(operations),
      operations,
      scopes: new Set(shown.map(({ id }) => id)),
      parameters: this.parametersOf(all),
      input: nodes[0]?.phase === 'leaf',
      folded: 0,
    };
  }

  /** The last result that is read outside these operations, else the last result. */
  private outputOf(operations: readonly TraceNode[]): TraceNode | undefined {
    const own = new Set(operations.map(({ id }) => id));
    const read = operations.filter(({ id }) => this.readers.get(id)?.some((reader) => !own.has(reader)));
    return read.at(-1) ?? operations.at(-1);
  }

  private parametersOf(nodes: readonly TraceNode[]): number {
    const read = new Set(nodes.flatMap(({ inputs }) => inputs));
    return [...read].reduce((sum, id) => {
      const node = this.trace.nodes[id]!;
      return node.phase === 'leaf' && node.role === 'parameter' ? sum + cellCount(node.shape) : sum;
    }, 0);
  }

  private flows(blocks: readonly Block[], blockOf: ReadonlyMap<number, number>): Pick<Inside, 'flows' | 'loops'> {
    const found = new Map<string, { from: number; to: number; nodes: Set<number> }>();
    const loops = new Set<number>();
    for (const [id, to] of blockOf)
      for (const input of this.trace.nodes[id]!.inputs) {
        const from = blockOf.get(input) ?? -1;
        const source = this.trace.nodes[input]!;
        if (from < 0 && source.phase === 'leaf' && !isInput(source)) continue;
        if (from >= to) {
          if (blocks[to]!.count > 1) loops.add(to);
          continue;
        }
        const flow = found.get(`${from} ${to}`) ?? { from, to, nodes: new Set() };
        flow.nodes.add(input);
        found.set(`${from} ${to}`, flow);
      }
    const flows = Array.from(found.values(), (flow): Flow => ({ ...flow, nodes: [...flow.nodes], residual: false }));
    for (const flow of flows) flow.residual = isResidual(flow, flows, blocks);
    return { flows, loops };
  }
}

interface Candidate {
  block: Block;
  /** Operations at all positions. */
  all: TraceNode[];
}

/** Index of the block that contains a node, by node id. */
const blocksByNode = (candidates: readonly Candidate[]): Map<number, number> =>
  new Map(candidates.flatMap(({ all }, i) => all.map(({ id }): [number, number] => [id, i])));

function addTo<Value>(lists: Map<number, Value[]>, key: number, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** What becomes one block: scopes, or operations of one name. */
interface Group {
  scopes: TraceScope[];
  nodes: TraceNode[];
}

interface Part extends Group {
  name: string;
  /** Operations at all positions. */
  all: TraceNode[];
  /** Id of the first operation; −1 for an input. */
  first: number;
}

function groupOf(groups: Map<string, Group>, name: string): Group {
  const group = groups.get(name) ?? { scopes: [], nodes: [] };
  groups.set(name, group);
  return group;
}

/** Set by the learner or the task, as opposed to a constant of the computation. */
const isInput = ({ op }: TraceNode): boolean => op === 'input';

/** Key of an operation recorded next to positional scopes, where it repeats once per position. */
const repetitionKey = (node: TraceNode): string =>
  `${ownName(node).replace(/#\d+$/, '')} ${node.op} ${node.shape.join()}`;

/** Last part of a path, "attention"; a number keeps the part before it, "encoder.0". */
const labelOf = (path: string): string => /[^.]*\.\d+$/.exec(path)?.[0] ?? path.slice(path.lastIndexOf('.') + 1);

/** x in x + f(x): the sum reads a result that its other summand is computed from. */
function isResidual(flow: Flow, flows: readonly Flow[], blocks: readonly Block[]): boolean {
  const sum = blocks[flow.to]!;
  if (sum.scopes.size || sum.folded || sum.output?.op !== 'add') return false;
  const reached = new Set([flow.to]);
  const carries = (other: Flow): boolean => other.nodes.some((id) => flow.nodes.includes(id));
  for (let to = flow.to; to >= 0; to--)
    if (reached.has(to))
      for (const other of flows.filter((each) => each.to === to && each !== flow)) {
        if (to !== flow.to && other.from === flow.from && carries(other)) return true;
        if (other.from > flow.from) reached.add(other.from);
      }
  return false;
}
