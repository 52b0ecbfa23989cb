// Made by the lesson plugin at build time.
declare module 'virtual:lessons' {
  export const data: Record<string, () => Promise<{ default: import('./lesson-data').LessonData }>>;
}

declare module 'virtual:exercises' {
  /** Of each lesson the ids of its exercises. */
  export const exercises: [lesson: string, ids: string[]][];
}
