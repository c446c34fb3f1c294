/** Articles in requests and responses, of readers and of administrators. */
import { ARTICLE_CATEGORIES, ARTICLE_STATUSES } from '../../db/articles/articles.ts';
import { fromKeys } from '../../engine/util/values.ts';
import type { BodyLimits } from '../http/input/body.ts';
import { LINES } from '../http/input/control-characters.ts';
import { instant, text, z } from '../http/input/fields.ts';
import { LOCALES } from '../http/language/locale.ts';

const localeName = z.enum(LOCALES);
export const categoryField = z.enum(ARTICLE_CATEGORIES);

const head = {
  slug: z.string(),
  category: categoryField,
  cover_url: z.string().nullable().meta({ description: 'Of the cover picture; an uploaded one is served here' }),
  tags: z.array(z.string()),
};

const publishedItem = {
  ...head,
  locale: localeName.meta({ description: 'The language actually served' }),
  locales: z.array(localeName).meta({ description: 'Languages in which it is published' }),
  title: z.string(),
  summary: z.string().nullable(),
  published_at: instant,
  updated_at: instant,
};
export const articleItemSchema = z.object(publishedItem).meta({ id: 'ArticleItem' });

const bodyHtml = z.string().meta({
  description:
    'The same as HTML: only tags of formatted text, without scripts, styles, or images of other hosts; the top headings are `h2`',
});
const neighbour = z.object({ slug: z.string(), title: z.string(), locale: localeName }).nullable();
export const articleSchema = z
  .object({
    ...publishedItem,
    body_md: z.string().meta({ description: 'Markdown' }),
    body_html: bodyHtml,
    prev: neighbour.meta({ description: 'The next newer article of the list' }),
    next: neighbour.meta({ description: 'The next older article of the list' }),
  })
  .meta({ id: 'Article' });

const textState = {
  title: z.string().nullable(),
  status: z.enum(ARTICLE_STATUSES),
  published_at: instant
    .nullable()
    .meta({ description: 'The time of the first publication, also after the text has become a draft again' }),
  updated_at: instant,
};
const fullText = z.object({ ...textState, summary: z.string().nullable(), body_md: z.string().nullable() });

const inEachLanguage = <T extends z.ZodType>(schema: T) => z.object(fromKeys(LOCALES, () => schema));

const group = { ...head, created_at: instant, updated_at: instant };
export const articleGroupItemSchema = z
  .object({ ...group, contents: inEachLanguage(z.object(textState)) })
  .meta({ id: 'ArticleGroupItem' });
export const articleGroupSchema = z
  .object({ ...group, contents: inEachLanguage(fullText) })
  .meta({ id: 'ArticleGroup' });

/** Markdown and other longer text, without control characters except line breaks and tabs. */
function longText(max: number) {
  return z.string().max(max).regex(LINES);
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const slugField = z.string().min(1).max(120).regex(SLUG).meta({ example: 'what-is-a-trailing-stop' });
/** The slug in a path. Malformed slugs are not found. */
export const slugPath = z.object({ slug: z.string().min(1).max(120).meta({ example: 'what-is-a-trailing-stop' }) });

const MAX_BODY = 300_000;
const coverField = z.url({ protocol: /^https?$/ }).max(2000);
const tagsField = z.array(text(1, 40)).max(20);
const textFields = {
  title: text(0, 200).nullable().optional(),
  summary: longText(1000).nullable().optional(),
  body_md: longText(MAX_BODY).nullable().optional(),
};
const contentsOf = <T extends z.ZodType>(schema: T) => z.strictObject(fromKeys(LOCALES, () => schema.optional()));

const COVER_BYTES = 1024 * 1024;
export const COVER_LIMITS = { bytes: COVER_BYTES, pixels: 4_096 } as const;
/** A picture in base64, which takes four characters for three bytes. */
export const COVER_BODY: BodyLimits = { maxBytes: Math.ceil(COVER_BYTES / 3) * 4 + 1024, maxValues: 10 };
export const coverBody = z.strictObject({
  image: z.base64().meta({ description: 'A PNG or JPEG file in base64; a new PNG is drawn from it' }),
});

/** Long texts in three languages. */
export const ARTICLE_BODY: BodyLimits = { maxBytes: 1024 * 1024, maxValues: 1_000 };

export const newArticleBody = z.strictObject({
  slug: slugField,
  category: categoryField,
  cover_url: coverField.nullable().default(null),
  tags: tagsField.default([]),
  contents: contentsOf(z.strictObject(textFields)),
});
export type NewArticleBody = z.output<typeof newArticleBody>;

export const articleChangeBody = z.strictObject({
  category: categoryField.optional(),
  cover_url: coverField.nullable().optional(),
  tags: tagsField.nullable().optional(),
  contents: contentsOf(z.strictObject(textFields).nullable())
    .optional()
    .meta({ description: 'The texts to change. Null clears a field, or the whole text of a language' }),
});
export type ArticleChangeBody = z.output<typeof articleChangeBody>;

export const articlePreviewBody = z.strictObject({ body_md: longText(MAX_BODY) });
export const articlePreviewSchema = z.object({ body_html: bodyHtml });

export const localesBody = z.strictObject({
  locales: z.array(localeName).min(1).max(LOCALES.length).optional(),
});
