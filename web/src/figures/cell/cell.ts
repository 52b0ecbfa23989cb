// <u-cell>: one recurrent cell as pipes with valves. The learner drags a gate, or a weight of the plain cell; the engine
// computes what follows, and the gates and the state stand below for all positions.
import { type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/figures/cell';
import './cell.css';
import '../shared/word-names';
import type { TraceNode } from '../../engine/types';
import { select, toggles } from '../../ui/choices';
import { significant } from '../../ui/numbers';
import { type Description, type Drawing, type Navigation, type Room, states } from '../host/contract';
import { LabFigure, numberChoice } from '../host/lab-figure';
import { ChangeDetector } from '../shared/follow';
import type { Box } from '../shared/geometry';
import { drawn } from './cell-drawing';
import {
  type CellLayout,
  type Counts,
  type Spot,
  layOutCell,
  nearest,
  partUp,
  roundest,
  spotAfter,
  spotAt,
} from './cell-layout';
import { CellScene, type Valve } from './cell-scene';
import { readCells } from './cell-trace';

/** Keys that change a value, by how many of its steps. */
const STEPS: Readonly<Record<string, number>> = {
  ...{ '+': 1, '=': 1, '-': -1, '−': -1, PageUp: 5, PageDown: -5 },
};
/** By one press, and by a page: each leads to a multiple of itself, so that whole numbers are reached. */
const STEP: Readonly<Record<Valve['kind'], number>> = { gate: 0.05, weight: 0.1, input: 0.1 };
/** Pixels around the drawing. */
const MARGIN = 1;

export class RecurrentCell extends LabFigure<CellScene, Spot, CellLayout> {
  static override properties = states('look', 'front', 'at', 'everywhere', 'gradients');

  /** Name of the layer and direction; null: the first. */
  look: string | null = null;
  /** The unit on show. */
  front = 0;
  /** Index of the position on show. */
  at = 0;
  /** A drag sets the bias of a gate, so that it holds at every position. */
  everywhere = false;
  gradients = false;

  protected override readonly kind = 'cell';
  /** A finger may begin to drag. */
  protected override readonly pressesAtOnce = true;

  readonly #cursor = new ChangeDetector<string>();
  readonly #selected = new ChangeDetector<string>();
  /** The valve that is dragged; of z, which of its two. */
  #dragged: CellLayout['valves'][number] | null = null;
  /** The value to set next, while the engine computes. */
  #next: { valve: Valve; value: number } | null = null;
  /** The last that was asked for, as long as the engine has not caught up: the next press goes on from it. */
  #asked: { valve: Valve; value: number } | null = null;
  #setting = false;

  protected read(): CellScene | null {
    const { trace } = this.lab;
    const networks = trace ? readCells(trace) : [];
    this.#followBench();
    const network = networks.find(({ name }) => name === this.look) ?? networks[0];
    if (!trace || !network) return null;
    const unit = Math.min(this.front, network.hidden - 1);
    const position = Math.min(this.at, network.cells.length - 1);
    const gradientOf = this.#showsGradients ? (state: TraceNode) => trace.nodes[state.gradient] : null;
    return new CellScene(network, unit, position, (node) => this.valuesOf(node), this.lab.state.edits, gradientOf);
  }

  /** Until the backward pass is reached, or gradients are asked for, they are not shown. */
  get #showsGradients(): boolean {
    const { trace, cursor } = this.lab;
    return this.gradients || /backward|update/.test(trace?.nodes[cursor.node]?.phase ?? '');
  }

  /** To the position of the operation at the cursor, and to the cell that was chosen anywhere on the page. */
  #followBench(): void {
    const { cursor, selection, trace } = this.lab;
    const moved = this.#cursor.next(trace?.nodes[cursor.node]?.name);
    const chosen = this.#selected.next(selection && `${selection.node} ${selection.index}`);
    const name = chosen ?? moved;
    const place = /^∂?(.+\.\d+(?:_reverse)?)\.t(\d+)\//.exec(name ?? '');
    const network = place && trace && readCells(trace).find((each) => each.name === place[1]);
    if (!network) return this.follow({});
    const at = network.cells.findIndex(({ position }) => position === Number(place[2]));
    const unit = chosen && selection ? { front: selection.index % network.hidden } : {};
    this.follow({ look: network.name, at: Math.max(0, at), ...unit });
  }

  protected describe(scene: CellScene): Description<Spot> {
    return {
      heading: scene.heading,
      summary: () => scene.summary(),
      cell: (spot) => this.#tell(scene, spot),
      readout: (here) => (here ? this.#tell(scene, here) : scene.formula()),
      tables: () => [scene.table()],
    };
  }

  #tell(scene: CellScene, spot: Spot): string {
    const track = scene.tracks[spot.row - 1];
    if (track) return scene.tell(track, spot.column);
    const valve = scene.valves[spot.column];
    const value = valve?.value === undefined ? undefined : significant(valve.value, 4);
    return valve ? texts.dragged(valve.letter, valve.kind === 'weight' ? null : scene.at.position, value) : '';
  }

  protected layOut(scene: CellScene, room: Room): CellLayout & Drawing<Spot> {
    const counts = { valves: scene.valves.length, tracks: scene.tracks.length, positions: scene.last + 1 };
    const letters = scene.valves.map(({ letter }) => letter);
    const [width, maxHeight] = [room.width - 2 * MARGIN, room.maxHeight - 2 * MARGIN];
    const layout = layOutCell(scene.network.kind, letters, counts, { width, maxHeight });
    return {
      ...layout,
      margin: [MARGIN, MARGIN],
      draw: (here) => drawn(scene, layout, here),
      hit: (x, y) => spotAt(layout, letters, x, y),
      navigation: this.#navigation(scene, counts),
    };
  }

  #navigation(scene: CellScene, counts: Counts): Navigation<Spot> {
    const { valves, tracks, positions } = counts;
    return {
      ...{ role: 'grid', label: scene.hasGates ? texts.PARTS : texts.PARTS_PLAIN },
      extent: { rows: tracks + 1, columns: Math.max(valves, positions) },
      first: { row: 0, column: 0 },
      has: ({ row, column }) => row <= tracks && column < (row ? positions : valves),
      move: (from, key, ctrl) => (ctrl ? null : spotAfter(from, key, counts, scene.position)),
      place: ({ row, column }) => ({ row, column }),
    };
  }

  protected override go(spot: Spot): void {
    super.go(spot);
    if (spot.row) this.choose({ at: spot.column });
  }

  protected override press(spot: Spot | null, event: PointerEvent): void {
    if (!spot) return;
    this.go(spot);
    const [, y] = this.pointOf(event) ?? [];
    const letter = spot.row === 0 && this.scene?.valves[spot.column]?.letter;
    if (!letter || y === undefined) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    const boxes = this.plan!.valves.filter((box) => box.letter === letter);
    const away = (box: Box): number => Math.abs(box.y + box.height / 2 - y);
    this.#dragged = boxes.toSorted((a, b) => away(a) - away(b))[0]!;
    this.#drag(y);
  }

  protected override point(spot: Spot | null, event: PointerEvent): void {
    const [, y] = (this.#dragged && this.pointOf(event)) ?? [];
    if (y === undefined) super.point(spot, event);
    else this.#drag(y);
  }

  protected override lift(): void {
    this.#dragged = null;
  }

  #drag(y: number): void {
    const box = this.#dragged!;
    const valve = this.scene?.valves.find(({ letter }) => letter === box.letter);
    if (!valve) return;
    const [part, range] = [partUp(box, y), valve.most - valve.least];
    this.#set(valve, roundest(valve.least + (box.rest ? 1 - part : part) * range, range / box.height / this.scale));
  }

  protected override ownKey({ key }: KeyboardEvent): boolean {
    const [step, spot, scene] = [STEPS[key], this.spot ?? { row: 0, column: 0 }, this.scene];
    const track = scene?.tracks[spot.row - 1];
    const valve = track ? track.gate && scene?.gateAt(track.letter, spot.column) : scene?.valves[spot.column];
    if (step === undefined || !valve || valve.value === undefined) return false;
    const by = STEP[valve.kind] * step;
    const asked = this.#asked?.valve;
    const isAsked =
      asked?.letter === valve.letter && asked.index === valve.index && asked.node.name === valve.node.name;
    const next = nearest((isAsked ? this.#asked!.value : valve.value) + by, Math.abs(by));
    this.#set(valve, Math.max(valve.least, Math.min(valve.most, next)));
    return true;
  }

  protected override enter(spot: Spot): boolean {
    const { node, index } = this.scene!.tracks[spot.row - 1]?.cells[spot.column] ?? this.scene!.valves[spot.column]!;
    if (node) this.lab.select(node.name, index);
    return true;
  }

  /** The latest of a drag, one at a time. */
  #set(valve: Valve, value: number): void {
    this.#next = this.#asked = { valve, value };
    if (!this.#setting) void this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    this.#setting = true;
    for (let next = this.#next; next; next = this.#next) {
      this.#next = null;
      await this.#apply(next.valve, next.value);
    }
    this.#setting = false;
    this.#asked = null;
  }

  /** The gate at this position, or its bias in place of what was set here. */
  async #apply(valve: Valve, value: number): Promise<void> {
    const { scene, lab } = this;
    if (scene && valve.kind === 'gate' && this.everywhere) {
      const bias = scene.biasFor(valve, value, ({ inputs }) => lab.trace?.nodes[inputs[0] ?? -1]);
      if (!bias) return;
      if (valve.set) await lab.undoEdit(valve.node.name, valve.index);
      await lab.edit(bias.name, bias.index, bias.value);
    } else await lab.edit(valve.node.name, valve.index, value);
    this.#showStates();
  }

  /** A drag is about all positions: moves the cursor to the last state if it has not reached it. */
  #showStates(): void {
    const last = this.scene?.network.cells.at(-1)?.results['h'];
    if (!last || this.lab.reached(last)) return;
    this.lab.moveTo({ node: last.id, scope: -1 });
    this.#cursor.next(last.name); // the position on show stays
  }

  get #ownEdits(): readonly string[] {
    const { network, at } = this.scene ?? {};
    const isOwn = (name: string): boolean => name === at?.input?.name || name.startsWith(`${network?.name}.`);
    return this.lab.state.edits.flatMap(({ name }) => (isOwn(name) ? name : []));
  }

  protected override head(scene: CellScene): TemplateResult {
    const networks = this.lab.trace ? readCells(this.lab.trace) : [];
    const names = networks.map(({ name }) => name);
    const nameOf = (name: string): string =>
      texts.layerName(/\.(\d+)/.exec(name)?.[1] ?? '', name.endsWith('_reverse'));
    const layers = select(names, scene.network.name, (look) => this.choose({ look }), nameOf, texts.LAYER);
    return html`${super.head(scene)}
    ${names.length < 2 ? nothing : html`<span class="choice">${texts.LAYER} ${layers}</span>`}
    ${numberChoice(texts.UNIT, scene.network.hidden, scene.unit, (front) => this.choose({ front }))}
    ${scene.hasGates ? this.#dragSets() : nothing}`;
  }

  #dragSets(): TemplateResult {
    const nameOf = (everywhere: boolean): string => (everywhere ? texts.EVERYWHERE : texts.HERE);
    const choose = (everywhere: boolean): void => this.choose({ everywhere });
    return html`<span class="choice"
      >${texts.DRAG} ${toggles(texts.DRAG_SETS, [false, true], this.everywhere, choose, nameOf)}</span
    >`;
  }

  protected override tools(): TemplateResult {
    const edits = this.#ownEdits;
    const undo = async (): Promise<void> => {
      for (const name of edits) await this.lab.undoEdit(name);
    };
    return html`<button class="link" ?disabled=${!edits.length} @click=${undo}>${texts.UNDO}</button
      ><button class="link" @click=${() => (this.gradients = !this.gradients)}>
        ${this.gradients ? texts.HIDE_GRADIENTS : texts.GRADIENTS}
      </button>`;
  }

  /** The formula with its numbers is always in sight. */
  protected override rests(): boolean {
    return false;
  }
}

customElements.define('u-cell', RecurrentCell);
