// The root URL of the site: right for a page at any depth, under any sub-path, in development and when built.
export const root = new URL(/* @vite-ignore */ '..', import.meta.url);

export const workbenchAddress = new URL('workbench/', root).href;
