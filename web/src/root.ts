// Where the site begins: the same for a page of any depth, under any sub-path, in development and when built.
export const root = new URL(/* @vite-ignore */ '..', import.meta.url);

export const workbenchAddress = new URL('workbench/', root).href;
