/** A thread that decodes an uploaded picture and draws it as a new PNG, so that nothing of the file is served. */
import { parentPort, workerData } from 'node:worker_threads';
import { Resvg } from '@resvg/resvg-js';
import { required } from '../../engine/util/values.ts';

export interface UploadedImage {
  readonly content: Uint8Array;
  readonly contentType: string;
  /** In pixels, as its header has them. */
  readonly width: number;
  readonly height: number;
  readonly maxBytes: number;
}

/** The longest side that pages show, in pixels. */
const MAX_SIDE = 1_200;

/** Null: it cannot be decoded, or shows nothing. */
function redraw({ content, contentType, width, height, maxBytes }: UploadedImage): Uint8Array | null {
  const href = `data:${contentType};base64,${Buffer.from(content).toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="${href}"/></svg>`;
  const font = { loadSystemFonts: false };
  for (let side = Math.min(MAX_SIDE, Math.max(width, height)); side >= 1; side = Math.floor(side / 2)) {
    const fitTo = width >= height ? { mode: 'width' as const, value: side } : { mode: 'height' as const, value: side };
    const drawn = new Resvg(svg, { font, fitTo }).render();
    // The library draws nothing for a picture that it cannot decode.
    if (!drawn.pixels.some((value, i) => i % 4 === 3 && value > 0)) return null;
    const png = drawn.asPng();
    if (png.length <= maxBytes) return png;
  }
  return null;
}

const given: UploadedImage = workerData;
required(parentPort).postMessage(redraw(given));
