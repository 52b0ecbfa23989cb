// The learner's language, in which lessons have their expressions: the engine reads them when a lesson is built.
import { complaintOf } from '../src/lesson/expression';
import { language } from '../src/lesson/format/fields';
import { programModule } from './engine-module';
import { english } from './english';

/** To be awaited before a lesson is read. */
export async function loadLanguage(): Promise<void> {
  const session = new (await programModule()).Session();
  language.complaint = (text) => complaintOf(text, (program) => session.calculate(program, []), english);
}
