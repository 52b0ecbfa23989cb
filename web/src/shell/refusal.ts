// A refusal that is said beside the field it is about does not stand in the bar too.
import type { Lab } from '../lab';

export function takeRefusal(lab: Lab): string {
  const said = lab.problem?.message ?? 'The engine did not answer: try once more.';
  lab.dismiss();
  return said;
}
