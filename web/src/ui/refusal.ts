// Takes a refusal out of the problem bar, for an element that shows it beside the field it is about.
import type { Lab } from '../lab/lab';

export function takeRefusal(lab: Lab): string {
  const message = lab.problem?.message ?? 'The engine did not answer: please try again.';
  lab.dismiss();
  return message;
}
