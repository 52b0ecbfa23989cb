// Made by the lesson plugin at build time.
declare module 'virtual:lessons' {
  export const data: Record<string, () => Promise<{ default: import('./lesson-data').LessonData }>>;
}

declare module 'virtual:build' {
  /** Of the engine's sources; the engine's own sourceHash() must agree. */
  export const hash: string;
}
