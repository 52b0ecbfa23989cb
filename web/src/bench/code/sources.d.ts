// The engine's sources as highlighted HTML: files that the build writes to this folder of assets/, under their paths.
declare module 'virtual:sources' {
  export const folder: string;
}
