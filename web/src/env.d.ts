/// <reference types="vite/client" />

declare module 'virtual:engine-*' {
  const createEngine: import('./engine/serve').CreateEngine;
  export default createEngine;
}
