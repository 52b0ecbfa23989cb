// The model of every lesson as it opens, with its trace and tokens.
import { replay } from '../../web/src/engine/replay';
import type { RemoteSession } from '../../web/src/engine/remote';
import type { PairInfo, TaskInfo } from '../../web/src/engine/types';
import { tokensOf, type Tokens } from '../../web/src/ui/stop-names';
import type { Run } from '../../web/src/ui/tensor-names';
import { workOf } from '../../web/plugin/work';
import { weightsOf } from '../lessons/library';
import { allLessons } from '../lessons/read';
import { openWasm, type Opened } from '../lessons/sessions';

type Lesson = Awaited<ReturnType<typeof allLessons>>[number];

export interface Opening extends Run {
  slug: string;
  lesson: Lesson;
  session: Opened;
}

export const openings = async (): Promise<Opening[]> => Promise.all((await allLessons()).map(opening));

async function opening(lesson: Lesson): Promise<Opening> {
  const session = await openWasm();
  const work = workOf(lesson, weightsOf);
  const reply = await replay(session as RemoteSession, work, { checkpoint: (await work.checkpoint?.(work)) ?? null });
  if (!reply.ok) throw new Error(`${lesson.slug}: ${reply.message}`);
  const { trace, pair, task } = reply.value;
  const { config } = work;
  const tokens = tokensIn(lesson, config, pair, task);
  return { slug: lesson.slug, lesson, session, trace, config, tokens, vocabulary: task?.targetWords ?? [] };
}

const tokensIn = ({ head }: Lesson, config: object, pair: PairInfo | null, task: TaskInfo | null): Tokens =>
  tokensOf({
    pair,
    task,
    config: () => config,
    state: { pair: head.pair ?? null, config: {} },
    page: { pair: null },
  } as never);
