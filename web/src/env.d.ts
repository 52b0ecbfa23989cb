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
