// Builds the site: lesson pages, the workbench and the front page; relocatable to any path, from a single origin.
import { UNSTARTED } from '#messages/pages';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { checkSaved } from './plugin/check-saved';
import { engineFile, moduleFile } from './plugin/engine-module';
import { sources, sameSources } from './plugin/engine-sources';
import { fonts } from './plugin/fonts';
import { lessons } from './plugin/lessons';
import { notices } from './plugin/notices';
import { sourceHash } from './plugin/source-hash.mjs';
import { staticPages } from './plugin/static-pages';
import { MEDIA } from './src/ui/media';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  // lit-html: Lit's own policy, which lets any text pass; what `unsafeHTML` gets is made at build time, or escaped.
  // unroll and default: see engine/addresses.ts.
  'trusted-types lit-html unroll default',
].join('; ');

/**
 * What every built page has besides. First its Content-Security-Policy, which the development server's own scripts would
 * violate. Then what it says in a frame whose sandbox gives it no origin, where its module and its workers do not start:
 * the style hides it unless theme.js shows it, so it can be read where neither of them loads. A style sheet loads there
 * if it is requested without `crossorigin`.
 */
function additions(): Plugin {
  return {
    name: 'unroll:additions',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => ({
        html: html.replaceAll('<link rel="stylesheet" crossorigin', '<link rel="stylesheet"'),
        tags: [
          {
            tag: 'meta',
            attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
            injectTo: 'head-prepend',
          },
          { tag: 'p', attrs: { class: 'unstarted' }, children: UNSTARTED, injectTo: 'body-prepend' },
        ],
      }),
    },
  };
}

/** The icon of every page; the build makes its address relative. */
function mark(): Plugin {
  return {
    name: 'unroll:mark',
    transformIndexHtml: {
      order: 'pre',
      handler: () => [{ tag: 'link', attrs: { rel: 'icon', href: '/icon.svg' }, injectTo: 'head' }],
    },
  };
}

/** With these headers a page is isolated from other origins, and its workers may share memory. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** What was opened once opens offline: see sw.ts. No manifest: the policy has no source for one. */
const offline = VitePWA({
  strategies: 'injectManifest',
  srcDir: '.',
  filename: 'sw.ts',
  injectRegister: false,
  manifest: false,
  injectManifest: { rollupFormat: 'iife', globPatterns: ['offline.html'] },
});

/** Writes out the media queries that have a name, such as `@media (--narrow)`. */
const namedMedia = {
  postcssPlugin: 'unroll:media',
  AtRule: {
    media: (rule: { params: string }): void => {
      const params = rule.params.replace(/\(--\w+\)/g, (name) => MEDIA[name] ?? name);
      if (params !== rule.params) rule.params = params;
    },
  },
};

const licences = notices();

/** What every lab and most figures need, below src/. */
const TOGETHER = [
  'app/elements',
  'ui/(?!built-html)[\\w-]+',
  'figures/shared/(?!cells|geometry|word-names)[\\w-]+',
  'figures/host/(?:table|view|export-menu)',
  'bench/code/lines',
];

export default defineConfig({
  root: at('.'),
  base: './',
  appType: 'mpa',
  define: { 'import.meta.env.UNROLL_ENGINE': JSON.stringify(sourceHash().slice(0, 6)) },
  resolve: {
    alias: [
      { find: /^virtual:(?:threaded-)?engine-(\w+)$/, replacement: moduleFile('$1', 'mjs') },
      { find: /^virtual:wasm-(\w+)$/, replacement: `${moduleFile('$1', 'wasm')}?url` },
    ],
  },
  css: { postcss: { plugins: [namedMedia] } },
  worker: { format: 'es', plugins: licences.worker },
  build: {
    outDir: at('../build/site'),
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: at('index.html'), workbench: at('workbench/index.html') },
      // What starts every page is one file, so is what every lab and most figures need, and so are the numbers: many small
      // files are compressed separately, and worse.
      output: {
        codeSplitting: {
          groups: [
            { name: 'initial', tags: ['$initial'], test: /web\/src\/.*\.ts$/ },
            { name: 'elements', test: new RegExp(`web/src/(?:${TOGETHER.join('|')})\\.ts$`) },
            { name: 'numbers', test: /web\/src\/bench\/board\/[\w-]+\.ts$/ },
          ],
        },
        // A page names hundreds of files, and hashes cannot be compressed: these are short.
        chunkFileNames: 'assets/[name]-[hash:7].js',
      },
      // Texts are constants of messages/: each stands where it is used.
      optimization: { inlineConst: true },
      checks: { pluginTimings: false },
    },
  },
  preview: { headers: ISOLATION },
  server: { headers: ISOLATION, fs: { allow: [at('..'), dirname(engineFile)] } },
  plugins: [
    sameSources((name) => moduleFile(name, 'wasm')),
    lessons(),
    sources(),
    staticPages(),
    fonts(),
    licences.page,
    checkSaved(),
    mark(),
    additions(),
    offline,
  ],
});
