// What the texts of lessons count.
import { counted } from '../../intl';

export const steps = (count: number): string => counted(count, { one: 'step', other: 'steps' });
