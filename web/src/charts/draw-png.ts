// A chart as a picture for slides and mails: title, scope, range and address are part of it, so that it
// still says what it shows when it has left the page.

export interface PictureText {
  readonly title: string;
  readonly subtitle: string;
  readonly address: string;
}

const COPIED = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
] as const;
const PADDING = 24;
const HEAD = 56;
const FOOT = 28;
const SCALE = 2;
const SWATCH = 16;
const GAP = 6;

/** A row of the legend that the page shows. */
export interface PictureLegend {
  readonly title: string;
  /** As the page shows it: with the hatches and dashes of the marks. */
  readonly swatch: SVGSVGElement;
}

export async function drawPng(
  chart: SVGSVGElement,
  legend: readonly PictureLegend[],
  text: PictureText,
): Promise<Blob> {
  const width = chart.clientWidth + 2 * PADDING;
  const legendHeight = legend.length > 0 ? 20 * Math.ceil(legend.length / 4) + 8 : 0;
  const height = chart.clientHeight + HEAD + FOOT + legendHeight + PADDING;
  const page = getComputedStyle(chart);
  const ink = page.getPropertyValue('color');
  const style = getComputedStyle(document.body);
  const picture = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  picture.setAttribute('width', String(width));
  picture.setAttribute('height', String(height));
  picture.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const add = (name: string, attributes: Readonly<Record<string, string | number>>, content?: string): void => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    if (content !== undefined) element.textContent = content;
    picture.append(element);
  };
  const font = style.fontFamily;
  add('rect', { width, height, fill: surfaceColor(chart) });
  add('text', { x: PADDING, y: 28, fill: ink, 'font-size': 17, 'font-weight': 600, 'font-family': font }, text.title);
  add('text', { x: PADDING, y: 47, fill: ink, opacity: 0.7, 'font-size': 12, 'font-family': font }, text.subtitle);
  const copy = copyWithStyles(chart);
  copy.setAttribute('x', String(PADDING));
  copy.setAttribute('y', String(HEAD));
  copy.setAttribute('width', String(chart.clientWidth));
  copy.setAttribute('height', String(chart.clientHeight));
  picture.append(copy);
  if (legendHeight > 0) {
    const column = (width - 2 * PADDING) / 4;
    const cut = cutter(`12px ${font}`);
    for (const [index, { title, swatch }] of legend.entries()) {
      const x = PADDING + column * (index % 4);
      // Beside the last there is nothing.
      const columns = index === legend.length - 1 ? 4 - (index % 4) : 1;
      const y = HEAD + chart.clientHeight + 8 + 20 * Math.floor(index / 4);
      const mark = copyWithStyles(swatch);
      mark.setAttribute('x', String(x));
      mark.setAttribute('y', String(y));
      picture.append(mark);
      add(
        'text',
        { x: x + SWATCH + GAP, y: y + 9, fill: ink, 'font-size': 12, 'font-family': font },
        cut(title, column * columns - SWATCH - 2 * GAP),
      );
    }
  }
  add(
    'text',
    { x: PADDING, y: height - 14, fill: ink, opacity: 0.6, 'font-size': 11, 'font-family': font },
    text.address,
  );
  return rasterise(picture, width, height);
}

/** Names of series may be as long as they like. */
function cutter(font: string): (title: string, width: number) => string {
  const context = document.createElement('canvas').getContext('2d');
  if (context !== null) context.font = font;
  const widthOf = (text: string): number => context?.measureText(text).width ?? 0;
  return (title, width) => {
    if (widthOf(title) <= width) return title;
    const letters = [...title];
    while (letters.length > 0 && widthOf(`${letters.join('')}…`) > width) letters.pop();
    return `${letters.join('')}…`;
  };
}

/** The picture stands alone, so what the stylesheet says has to go into its elements. */
function copyWithStyles(chart: SVGSVGElement): SVGSVGElement {
  const copy = chart.cloneNode(true) as SVGSVGElement;
  const originals = [...chart.querySelectorAll('*')];
  for (const [index, element] of [...copy.querySelectorAll('*')].entries()) {
    const computed = getComputedStyle(originals[index]!);
    for (const property of COPIED) {
      const value = computed.getPropertyValue(property);
      if (value !== '' && value !== 'none') element.setAttribute(property, value);
      else if (property === 'fill' && value === 'none') element.setAttribute('fill', 'none');
    }
  }
  return copy;
}

function resolveColor(chart: SVGSVGElement, color: string): string {
  const probe = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  probe.setAttribute('fill', color);
  chart.append(probe);
  const resolved = getComputedStyle(probe).fill;
  probe.remove();
  return resolved;
}

const surfaceColor = (chart: SVGSVGElement): string => resolveColor(chart, 'var(--surface)');

async function rasterise(picture: SVGSVGElement, width: number, height: number): Promise<Blob> {
  const source = new Blob([new XMLSerializer().serializeToString(picture)], { type: 'image/svg+xml' });
  const address = URL.createObjectURL(source);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * SCALE;
    canvas.height = height * SCALE;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('this browser cannot draw pictures');
    context.scale(SCALE, SCALE);
    context.drawImage(image, 0, 0);
    return await new Promise<Blob>((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error('the picture could not be made')) : resolve(blob)),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
