// The engine's own files as highlighted text, made at build time by the lesson plugin. Keys are paths from the root.
declare module 'virtual:sources' {
  export const sources: Record<string, () => Promise<{ lines: string[] }>>;
}
