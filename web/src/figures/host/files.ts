// Files of a figure: its drawing as SVG or PNG in the colours of the current theme, its values as CSV.
import { saveFile } from '../../ui/save-file';

/** Properties that a drawing keeps when it leaves the page's style sheets. */
const KEPT = [
  ...['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin'],
  ...['opacity', 'paint-order', 'font-family', 'font-size', 'font-style', 'font-weight'],
  ...['text-anchor', 'text-decoration-line'],
];
const PIXELS = 2;

export type Format = 'PNG' | 'SVG' | 'CSV';

export function save(blob: Blob, name: string, format: Format): void {
  saveFile(`${name.replace(/[/\\?%*:|"<>\s]+/g, '-')}.${format.toLowerCase()}`, blob);
}

/** A self-contained copy of the drawing: computed styles inlined, `paper` as background, without the cursor. */
function standalone(drawing: SVGSVGElement, title: string, paper: string): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll<SVGElement>('*')]);
  from?.forEach((element, i) => settle(element, to?.[i] as SVGElement));
  copy.querySelectorAll('.here').forEach((element) => element.remove());
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of Object.entries({ width: '100%', height: '100%', fill: paper }))
    ground.setAttribute(name, value);
  const named = document.createElementNS('http://www.w3.org/2000/svg', 'title');
  named.textContent = title;
  copy.prepend(named, ground);
  return new XMLSerializer().serializeToString(copy).replace(/<!--.*?-->/g, '');
}

function settle(element: Element, copy: SVGElement): void {
  const style = getComputedStyle(element);
  copy.removeAttribute('class');
  copy.removeAttribute('style');
  for (const name of KEPT) copy.setAttribute(name, style.getPropertyValue(name));
}

/** The drawing as it looks now. */
export async function pictureFile(
  drawing: SVGSVGElement,
  title: string,
  format: Exclude<Format, 'CSV'>,
  paper: string,
): Promise<Blob> {
  const svg = standalone(drawing, title, paper);
  if (format === 'SVG') return new Blob([svg], { type: 'image/svg+xml' });
  const { width, height } = drawing.viewBox.baseVal;
  return toPng(svg, width, height);
}

export const csvFile = (text: string): Blob => new Blob([text], { type: 'text/csv' });

export const blobOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the image could not be created')))),
  );

async function toPng(svg: string, width: number, height: number): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * PIXELS, height * PIXELS];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await blobOf(canvas);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** A text that a spreadsheet would run as a formula. */
const isFormula = (text: string): boolean => /^[=+@\t\r-]/.test(text) && Number.isNaN(Number(text));

/** A field, quoted as in RFC 4180 where it has to be; an apostrophe keeps a spreadsheet from running a text. */
function fieldOf(value: string | number): string {
  const text = isFormula(String(value)) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** CSV text; undefined is an empty field. */
export const csvOf = (lines: readonly (readonly (string | number | undefined)[])[]): string =>
  lines.map((line) => line.map((value = '') => fieldOf(value)).join(',')).join('\n') + '\n';
