// <u-spectrum>: the singular values of a matrix of the trace, and for a square one its eigenvalues: how much longer or
// shorter a vector becomes that is multiplied by it.
import { type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/figures/spectrum';
import './spectrum.css';
import type { Spectrum as Answer, Trace, TraceNode } from '../../engine/types';
import { toggles } from '../../ui/choices';
import { type Description, type Drawing, type Part, type Room, listNavigation } from '../host/contract';
import { numberChoice } from '../host/lab-figure';
import { MatrixFigure } from '../host/matrix-figure';
import { Asked } from '../shared/asked';
import { type Parts, columnsOf, isRecurrence, partsOf } from '../shared/matrices';
import { mark } from '../shared/marks';
import { type SpectrumLayout, SpectrumScene, barAt, drawn, layOutSpectrum } from './spectrum-scene';

export class Spectrum extends MatrixFigure<SpectrumScene, number, SpectrumLayout> {
  protected override readonly kind = 'spectrum';

  readonly #asked = new Asked<Answer>(() => this.requestUpdate());

  /** What the values mean is always in sight. */
  protected override rests(): boolean {
    return false;
  }

  protected preferred(_trace: Trace, matrices: readonly TraceNode[]): TraceNode | undefined {
    return matrices.find(({ name }) => /\.U$/.test(name));
  }

  protected read(): SpectrumScene | null {
    const { trace, run } = this.lab;
    const node = trace && this.matrix(trace);
    if (!node) return null;
    const parts = partsOf(trace, node);
    const part = Math.min(this.front, parts.names.length - 1);
    const values = this.valuesOf(node);
    const ask = () => this.lab.engine.spectrum(node.id, part * parts.rows, parts.rows);
    return new SpectrumScene(
      {
        ...{ tensor: node.name, name: nameOf(node, parts, part), role: node.role },
        ...{ rows: parts.rows, columns: columnsOf(node), isRecurrence: isRecurrence(node) },
      },
      values && this.#asked.of(`${node.name} ${part}`, [run, values], ask),
    );
  }

  protected describe(scene: SpectrumScene): Description<number> {
    return {
      heading: texts.headingOf(scene.shown.name),
      tensor: scene.shown.tensor,
      summary: () => scene.tell(),
      cell: (i) => (scene.count ? scene.tellValue(i) : scene.tell()),
      readout: (here) => (here === null ? scene.tellBriefly() : scene.tellValue(here)),
      tables: () => [scene.table()],
    };
  }

  protected layOut(scene: SpectrumScene, { width, maxHeight, line }: Room): SpectrumLayout & Drawing<number> {
    const layout = layOutSpectrum(scene, { width, maxHeight, line });
    return {
      ...layout,
      draw: (here) => drawn(scene, layout, here),
      hit: (x) => barAt(layout, x),
      navigation: listNavigation(texts.valuesOf(scene.shown.name), scene.count),
    };
  }

  protected override above(scene: SpectrumScene): Part {
    const trace = this.lab.trace!;
    const node = this.lab.node(scene.shown.tensor)!;
    return html`<div class="row">
      ${this.choiceOf(texts.MATRIX, trace, node)} ${this.#parts(partsOf(trace, node))}
    </div>`;
  }

  #parts({ names, areGates }: Parts): Part {
    const choose = (front: number): void => this.choose({ front });
    const now = Math.min(this.front, names.length - 1);
    if (!areGates) return numberChoice(texts.PART, names.length, now, choose);
    const all = [...names.keys()];
    return html`<span class="choice"
      >${texts.GATE} ${toggles(texts.GATE, all, now, choose, (i) => `${names[i]}`)}</span
    >`;
  }

  protected override legend({ shown, eigenvalues }: SpectrumScene): TemplateResult {
    return html`<span class="legend">${mark(shown.role)}${texts.barsAre()}</span>
      ${eigenvalues.length ? html`<span class="legend">○ ${texts.ringsAre()}</span>` : nothing}`;
  }
}

/** "cell.0.U", "cell.0.U, gate f", "attention/α, part 1". */
const nameOf = ({ name }: TraceNode, { names, areGates }: Parts, part: number): string =>
  names.length < 2 ? name : texts.partName(name, names[part]!, areGates);

customElements.define('u-spectrum', Spectrum);
