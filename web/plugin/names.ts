// Folders and addresses of lessons. A folder has a number and a name: the number says only where the lesson stands, the
// name is its address. Folders sort as text, so that "075-…" lies between "07-…" and "08-…".

export const isLessonFolder = (name: string): boolean => /^\d\d+-[a-z][a-z0-9-]*$/.test(name);

/** Of the folder "01-softmax" it is "softmax". */
export const slugOf = (folder: string): string => folder.replace(/^\d+-/, '');

export const folderOf = (slug: string, folders: readonly string[]): string | undefined =>
  folders.find((folder) => slugOf(folder) === slug);

/** Pages below lessons/ that are not lessons. */
export const TEXTS: readonly string[] = ['ending', 'glossary', 'write', 'about'];
