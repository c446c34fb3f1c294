/** Uploaded covers of articles: what is accepted, how it is drawn, and where it is served. */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ArticleCover } from '../../db/articles/articles.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import type { UploadedImage } from './redraw-cover.ts';
import { COVER_LIMITS } from './schemas.ts';

const CONTENT_TYPES = { png: 'image/png', jpg: 'image/jpeg' } as const;
const isKnown = (type: string): type is keyof typeof CONTENT_TYPES => type in CONTENT_TYPES;

/**
 * Decodes the picture, and writes it as a new PNG. Type and size are those of its header, whatever the sender calls it; they are bounded
 * before it is decoded.
 */
export async function readCover(content: Buffer): Promise<ArticleCover> {
  const { width, height, type = '' } = await measured(content);
  const { bytes, pixels } = COVER_LIMITS;
  if (!isKnown(type) || content.length > bytes || Math.max(width, height) > pixels || Math.min(width, height) < 1) {
    throw refused();
  }
  const redrawn = await redraw({ content, contentType: CONTENT_TYPES[type], width, height, maxBytes: bytes });
  if (redrawn === null) throw refused();
  return { content: Buffer.from(redrawn), content_type: CONTENT_TYPES.png };
}

/** In a thread of its own, since it takes up to a second. */
async function redraw(image: UploadedImage): Promise<Uint8Array | null> {
  const thread = new Worker(new URL('./redraw-cover.ts', import.meta.url), { workerData: image });
  const [redrawn] = await once(thread, 'message');
  return redrawn;
}

const refused = () => new ServiceError('cover_refused', COVER_LIMITS);

async function measured(content: Buffer) {
  const { imageSize } = await import('image-size');
  try {
    return imageSize(content);
  } catch {
    throw refused();
  }
}

/** The path of a cover, which changes with its content, so that browsers show a new one at once. */
export function coverPath(slug: string, { content }: ArticleCover): string {
  return `/api/articles/${slug}/cover?v=${hash('sha256', content, 'hex').slice(0, 12)}`;
}

/** The address of a cover, whether it is uploaded or lies elsewhere. */
export function coverAddress(coverUrl: string | null, publicApiBase: string): string | null {
  return coverUrl?.startsWith('/') ? `${publicApiBase}${coverUrl}` : coverUrl;
}
