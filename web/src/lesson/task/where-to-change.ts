// Says where on the page the settings and tensors of an exercise can be changed.
import * as texts from '#messages/lesson/tasks';
import { html, type TemplateResult } from 'lit';
import { code } from './said';
import type { LabHost } from '../../lab/lab';

/** A setting with controls in the text is changed there, all else on the workbench. */
export function whereToChange(names: readonly string[], host: LabHost): TemplateResult {
  const isTensor = (name: string): boolean => !!host.lab.trace?.nodes.some((node) => node.name === name);
  const hasTry = (name: string): boolean => !!host.querySelector(`u-try[data-set="${CSS.escape(name)}"]`);
  const inText = names.filter((name) => !isTensor(name) && hasTry(name));
  const onBench = names.filter((name) => !inText.includes(name));
  return html`<p class="hint">${texts.whereToChange(inText, onBench, code)}</p>`;
}
