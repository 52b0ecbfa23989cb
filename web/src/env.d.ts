/// <reference types="vite/client" />

declare module 'virtual:threaded-engine-*' {
  const createEngine: import('./engine/threads').CreateThreadedEngine;
  export default createEngine;
}

/** Its URL. */
declare module 'virtual:wasm-*' {
  const url: string;
  export default url;
}

declare module 'virtual:engine-*' {
  const createEngine: import('./engine/serve').CreateEngine;
  export default createEngine;
}

declare module 'virtual:lessons' {
  export const data: Record<string, () => Promise<{ default: import('./lesson/lesson-data').LessonData }>>;
}

declare module 'virtual:menu' {
  /** The lessons of the menu, as HTML. */
  export const rows: string;
}

declare module 'virtual:looks' {
  /** What each lesson without a model asks. */
  export const foretold: Record<string, Record<string, import('./lesson/format/tasks').Foretold>>;
}

declare module 'virtual:exercises' {
  /** The exercise ids of each lesson. */
  export const exercises: [lesson: string, ids: string[]][];
}

declare module 'virtual:questions' {
  export const answers: import('./app/questions/answers').Answers;
}

declare module 'virtual:search' {
  const rows: import('./app/search/entry').Row[];
  export default rows;
}

declare module 'virtual:code' {
  /** The functions that readers write, by lesson and exercise: "softmax/by-hand". */
  export const exercises: Record<string, () => Promise<{ default: import('./lesson/format/tasks').Code }>>;
}

/** The engine's sources as highlighted HTML: files that the build writes to this folder of assets/, under their paths. */
declare module 'virtual:sources' {
  export const folder: string;
}
