// Exports a figure: its drawing as SVG or PNG in the colours of the current theme, its values as CSV.

const KEPT = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'paint-order',
  'font-family',
  'font-size',
  'font-style',
  'font-weight',
  'text-anchor',
  'text-decoration-line',
] as const;
const PIXELS = 2;

export function save(blob: Blob, name: string, format: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `${name.replace(/[/\\?%*:|"<>\s]+/g, '-')}.${format.toLowerCase()}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A self-contained copy of the drawing: computed styles inlined, `paper` as background, without the cursor. */
export function standalone(drawing: SVGSVGElement, title: string, paper: string): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [drawing, copy].map((root) => [root, ...root.querySelectorAll<SVGElement>('*')]);
  from?.forEach((element, i) => settle(element, to?.[i] as SVGElement));
  copy.querySelectorAll('.here').forEach((element) => element.remove());
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', paper],
  ] as const)
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

export async function toPng(svg: string, width: number, height: number): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * PIXELS, height * PIXELS];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the image could not be created')))),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** CSV text; a cell with a comma, a quote or a line break is quoted as in RFC 4180. */
export function csvOf(lines: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string =>
    /[",\n\r]/.test(String(value)) ? `"${String(value).replace(/"/g, '""')}"` : String(value);
  return lines.map((line) => line.map(cell).join(',')).join('\n') + '\n';
}
