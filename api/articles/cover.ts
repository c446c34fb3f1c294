/** Uploaded covers of articles: what is accepted, and where it is served. */
import { hash } from 'node:crypto';
import type { ArticleCover } from '../../db/articles/articles.ts';
import { ServiceError } from '../../engine/util/errors.ts';
import { COVER_LIMITS } from './schemas.ts';

const CONTENT_TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
const isKnown = (type: string): type is keyof typeof CONTENT_TYPES => type in CONTENT_TYPES;

/** Reads type and size from the content: what the sender calls it does not count. */
export async function readCover(content: Buffer): Promise<ArticleCover> {
  const { width, height, type = '' } = await measured(content);
  const { bytes, pixels } = COVER_LIMITS;
  if (!isKnown(type) || content.length > bytes || Math.max(width, height) > pixels || Math.min(width, height) < 1) {
    throw refused();
  }
  return { content, content_type: CONTENT_TYPES[type] };
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
