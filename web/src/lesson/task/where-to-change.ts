// Says where on the page the settings and tensors of an exercise can be changed.
import { html, nothing, type TemplateResult } from 'lit';
import { anyOf } from '../../messages/intl';
import { code } from './said';
import type { LabHost } from '../../lab/lab';

/** Labels for what is neither a setting nor a tensor. */
const LABELS: Record<string, string> = { pair: 'what the model reads', steps: 'its training' };

const listed = (names: readonly string[]): (TemplateResult | string)[] =>
  anyOf(names, (name) => LABELS[name] ?? code(name));

/** A setting with controls in the text is changed there, all else on the workbench. */
export function whereToChange(names: readonly string[], host: LabHost): TemplateResult {
  const isTensor = (name: string): boolean => !!host.lab.trace?.nodes.some((node) => node.name === name);
  const hasTry = (name: string): boolean => !!host.querySelector(`u-try[data-set="${CSS.escape(name)}"]`);
  const inText = names.filter((name) => !isTensor(name) && hasTry(name));
  const onBench = names.filter((name) => !inText.includes(name));
  return html`<p class="hint">
    Change
    ${inText.length ? html`${listed(inText)} in the text above` : nothing}${
      inText.length && onBench.length ? ', or ' : nothing
    }${onBench.length ? html`${listed(onBench)} on the workbench` : nothing},
    then check.
  </p>`;
}
