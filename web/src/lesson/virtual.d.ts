// Made by the lesson plugin at build time.
declare module 'virtual:lessons' {
  export const data: Record<string, () => Promise<{ default: import('./lesson-data').LessonData }>>;
}
