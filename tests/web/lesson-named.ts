// A lesson as its author wrote it, by the name in its address.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readLesson, type BenchLesson } from '../../web/plugin/lesson';
import { lessonsFolder, readContext } from '../../web/plugin/library';
import { folderOf } from '../../web/plugin/links';
import { benched } from '../lessons/read';

const context = readContext();

export async function lessonNamed(slug: string): Promise<BenchLesson & { text: string }> {
  const folder = folderOf(slug, context.folders)!;
  const text = readFileSync(join(lessonsFolder, folder, 'lesson.md'), 'utf8');
  return { ...benched(await readLesson(folder, text, context)), text };
}
