/** Checks of files before they are loaded: `/api/admin/data/files/check`. */
import { once } from 'node:events';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { codeOf, ServiceError } from '../../engine/util/errors.ts';
import { MISSING } from '../../jobs/providers/files/check-folder.ts';
import { LAYOUT_IDS } from '../../jobs/providers/files/layouts/layout.ts';
import { audited, auditFailure, auditIntent } from '../call/audited.ts';
import type { Route } from '../call/route.ts';
import { RELATIVE_PATH } from '../http/input/control-characters.ts';
import { z } from '../http/input/fields.ts';
import type { Problem } from '../http/input/problems.ts';
import { day, PRICE_FORMS } from '../market/schemas.ts';
import type { CheckAnswer, CheckedFolder } from './check-files-thread.ts';
import { type AdminCall, defineRoute, type Services } from './services.ts';
import { fileSchema } from './sync-routes.ts';

const MAX_FILES = 100;
const MIB = 1024 * 1024;
/** The limit of the JSON, whose texts are a third longer than the files: reading it holds up other calls. */
const MAX_BYTES = 8 * MIB;
/** Memory of the thread that checks them. */
const THREAD_MB = 1_024;
/** Accounts that an answer lists, those that cannot be loaded first. */
const MAX_SHOWN = 200;

/** The regular expression of the library takes ten times as long. */
const base64Field = z
  .string()
  .superRefine((text, context) => {
    if (Buffer.from(text, 'base64').toString('base64') !== text)
      context.addIssue({ code: 'invalid_format', format: 'base64' });
  })
  .meta({ format: 'base64', contentEncoding: 'base64' });

const checkBody = z
  .strictObject({
    folder: z.string().max(500).regex(RELATIVE_PATH).or(z.literal('')).optional().meta({
      description: 'Below `PROVIDER_DIR`; default: all of it',
    }),
    files: z
      .array(z.strictObject({ name: z.string().max(500).regex(RELATIVE_PATH), content: base64Field }))
      .min(1)
      .max(MAX_FILES)
      .optional()
      .meta({ description: 'Instead of a folder' }),
  })
  .superRefine(({ folder, files }, context) => {
    if (folder === undefined || files === undefined) return;
    const problem: Problem = { code: 'same_as', details: { name: 'files' } };
    context.addIssue({ code: 'custom', path: ['folder'], params: { problem } });
  });

const prices = z.enum([...PRICE_FORMS, 'mixed']).nullable();
const count = z.int().min(0);
const checkSchema = z
  .object({
    ok: z.boolean().meta({ description: 'Whether bars can be loaded' }),
    estimated: z.boolean().meta({ description: 'Whether counts are of a sample' }),
    market: z.object({
      prices,
      consolidated_from: day.nullable(),
      first: day.nullable(),
      last: day.nullable(),
      symbols: count,
    }),
    layouts: z.array(
      z.object({
        layout: z.enum(LAYOUT_IDS),
        files: count,
        symbols: count,
        first: day.nullable(),
        last: day.nullable(),
        prices,
        events: count,
        rejected: z.record(
          z.string(),
          z.object({ count, lines: z.array(z.object({ file: z.string(), line: count, text: z.string() })) }),
        ),
      }),
    ),
    missing: z.array(z.enum(MISSING)),
    suggest: z.object({
      'market.json': z.record(z.string(), z.unknown()).meta({ description: 'What may change a guess' }),
    }),
    files_total: count,
    files: z.array(fileSchema).meta({ description: `At most ${MAX_SHOWN}, refused ones first` }),
  })
  .meta({ id: 'FileCheck' });

/** The folder on disk. Throws if it is not there, or a link leads to it. */
async function folderBelow(root: string | null, folder: string): Promise<string> {
  if (root === null) throw new ServiceError('not_found');
  const real = await realpath(root).catch(() => null);
  const wanted = real && join(real, folder);
  if (wanted === null || (await realpath(wanted).catch(() => null)) !== wanted) throw new ServiceError('not_found');
  return wanted;
}

async function check({ services: { now } }: Pick<AdminCall, 'services'>, folder: string, all: boolean) {
  const answer = await inThread({ folder, now: now(), all });
  if ('refused' in answer)
    throw new ServiceError('files_refused', { reason: answer.refused.replaceAll(`${folder}/`, '') });
  const { view } = answer;
  const files = view.files.toSorted((a, b) => Number(b.reason !== null) - Number(a.reason !== null));
  return { ...view, files_total: files.length, files: files.slice(0, MAX_SHOWN) };
}

/** In a thread of its own, whose memory is bounded. */
async function inThread(folder: CheckedFolder): Promise<CheckAnswer> {
  const resourceLimits = { maxOldGenerationSizeMb: THREAD_MB };
  const thread = new Worker(new URL('./check-files-thread.ts', import.meta.url), {
    workerData: folder,
    resourceLimits,
  });
  try {
    const [answer] = await once(thread, 'message');
    return answer;
  } catch (error) {
    if (codeOf(error) !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    return { refused: 'they need too much memory' };
  }
}

async function write(folder: string, { name, content }: { readonly name: string; readonly content: string }) {
  const path = join(folder, name);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, Buffer.from(content, 'base64'), { flag: 'wx' });
  } catch (error) {
    // Such as a name twice, or too long for the disk.
    throw new ServiceError('files_refused', { reason: `${name}: ${codeOf(error)}` }, { cause: error });
  }
}

async function previewOf(call: AdminCall, { folder: below = '', files }: z.output<typeof checkBody>) {
  if (files === undefined) return check(call, await folderBelow(call.services.provider.source.folder, below), false);
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'files-check-')));
  try {
    for (const file of files) await write(folder, file);
    return await check(call, folder, true);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const FILE_CHECK_ROUTES: readonly Route<Services>[] = [
  defineRoute({
    operationId: 'previewDataFiles',
    tag: 'Back office: market data',
    access: 'admin',
    limit: 'back_office',
    method: 'post',
    path: '/api/admin/data/files/check',
    summary: 'Show what a load would make of files',
    description: 'Of a folder of `files`, by a sample, or of files in the body, which are not kept.',
    audit: { action: 'files.check', target: 'market' },
    bodySchema: checkBody,
    bodyExample: {
      files: [{ name: 'AAA.csv', content: 'RGF0ZSxPcGVuLEhpZ2gsTG93LENsb3NlLFZvbHVtZQoyMDI2LTA1LTI5LDEsMSwxLDEsMQo=' }],
    },
    bodyLimits: { maxBytes: MAX_BYTES, maxValues: 1_000 },
    dataSchema: checkSchema,
    errors: ['not_found', 'files_refused'],
    handle: async ({ body, ...call }) => {
      const intent = auditIntent(call, { details: { folder: body.folder ?? null } });
      const result = await auditFailure(intent, () => previewOf(call, body));
      return audited(call, intent, async () => ({ result, entries: intent.entries }));
    },
  }),
];
