/// <reference types="vite/client" />

declare module 'virtual:engine-*' {
  const createEngine: import('./engine/serve').CreateEngine;
  export default createEngine;
}

declare module 'virtual:lessons' {
  const lessons: import('./types').LessonEntry[];
  export default lessons;
}
