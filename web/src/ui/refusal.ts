// Takes a refusal out of the problem bar, for an element that shows it beside the field it is about.
import type { Problem } from '../engine/types';
import type { Lab } from '../lab/lab';

const UNANSWERED: Problem = {
  code: 'E_WORKER',
  message: 'The engine did not answer: please try again.',
  detail: '',
};

export function takeRefusal(lab: Lab): Problem {
  const problem = lab.problem ?? UNANSWERED;
  lab.dismiss();
  return problem;
}
