// The sentence at the foot of the text that the browser does not keep the answers: said once, with what can be done at once.
import { DISMISS } from '#messages/bench/bench';
import { EXPORT_PROGRESS } from '#messages/progress';
import { notSaved } from '#messages/unsaved';
import { html, render } from 'lit';
import './unkept.css';
import { icon } from '../../ui/icons';
import type { Outcome } from '../../lab/store/storage';
import { exportProgress } from './export-progress';

let said = false;

export function sayUnkept(outcome: Exclude<Outcome, 'kept'>): void {
  if (said) return;
  said = true;
  const foot = document.createElement('div');
  foot.className = 'unkept';
  foot.setAttribute('role', 'status');
  document.querySelector('article.text')!.append(foot);
  // a region that was there before its sentence is read aloud
  setTimeout(() => {
    const words = notSaved('answered', outcome);
    render(
      sentence(words, () => foot.remove()),
      foot,
    );
    document.activeElement?.scrollIntoView({ block: 'nearest' }); // not under the sentence
  });
}

const sentence = (words: string, dismiss: () => void) =>
  html`<p>${words}</p>
    <button type="button" class="btn small" @click=${exportProgress}>${EXPORT_PROGRESS}</button>
    <button type="button" class="tbn" aria-label=${DISMISS} @click=${dismiss}>${icon('close')}</button>`;
