// The engine's sources as highlighted HTML, generated at build time by the lesson plugin. Keys are paths from the root.
declare module 'virtual:sources' {
  export const sources: Record<string, () => Promise<{ lines: string[] }>>;
}
