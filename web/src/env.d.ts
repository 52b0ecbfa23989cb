/// <reference types="vite/client" />

declare module 'virtual:engine' {
  const createEngine: (options?: object) => Promise<{ Session: new () => object }>;
  export default createEngine;
}

declare module 'virtual:lessons' {
  const lessons: import('./types').LessonEntry[];
  export default lessons;
}
