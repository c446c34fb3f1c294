/** The REST API of Massive (https://api.massive.com): paged lists, and refusals. */
import { z } from 'zod';
import { answerAccount } from '../answer-account.ts';
import type { AccountBook } from '../file-account.ts';
import { ProviderError } from '../provider.ts';
import { describeRefusal, readJson, VendorHttp, VendorRefusal } from '../vendor-http.ts';

export interface RestSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** First pause before a retry, when the vendor names none; doubles each time. Default 2 s. */
  readonly retryMs?: number;
}

/** An unvalidated row of a list. */
export interface ListedRow {
  readonly row: unknown;
  /** Path and number of the row, for messages. */
  readonly source: string;
}

/** Rate limits are per minute, so the pauses before the last try add up to more than a minute. */
const MAX_TRIES = 6;
const RETRY_MS = 2_000;

const page = z.object({ results: z.array(z.unknown()).nullish(), next_url: z.string().nullish() });

export class MassiveClient {
  private readonly settings: RestSettings;
  private readonly http: VendorHttp;

  constructor(settings: RestSettings) {
    this.settings = settings;
    this.http = new VendorHttp({
      retryMs: settings.retryMs ?? RETRY_MS,
      maxTries: MAX_TRIES,
      refusalOf,
      isFatal: ({ status }) => status === 401,
    });
  }

  async get<T>(path: string, query: Readonly<Record<string, string>>, schema: z.ZodType<T>): Promise<T> {
    return readJson(path, await this.ask(path, `${path}?${new URLSearchParams(query)}`), schema);
  }

  /** All rows of a list, page by page. Throws when a page leads back to an earlier one, because missing instruments would count as delisted. */
  async *list(path: string, query: Readonly<Record<string, string>>, book: AccountBook): AsyncGenerator<ListedRow> {
    const account = answerAccount(book, path);
    const requested = new Set<string>();
    let address: string | null = `${path}?${new URLSearchParams(query)}`;
    while (address !== null) {
      requested.add(address);
      const answer: z.output<typeof page> = await readJson(path, await this.ask(path, address), page);
      for (const row of answer.results ?? []) {
        account.loaded++;
        yield { row, source: `${path}:${++account.lines}` };
      }
      address = answer.next_url ? addressIn(answer.next_url) : null;
      if (address !== null && requested.has(address)) {
        throw new ProviderError(`${path}: page ${requested.size} names an earlier one as the next`, {
          isTransient: true,
        });
      }
    }
  }

  /** Sends the key only to the configured address, even if `next_url` names another host. */
  private ask(path: string, address: string): Promise<Response> {
    const { baseUrl, apiKey } = this.settings;
    return this.http.ask(path, `${baseUrl}${address}`, { headers: { authorization: `Bearer ${apiKey}` } });
  }
}

function addressIn(nextUrl: string): string {
  const { pathname, search } = new URL(nextUrl, 'https://api.massive.com');
  return `${pathname}${search}`;
}

const refusalBody = z.object({
  status: z.string().nullish(),
  request_id: z.string().nullish(),
});

/** `{"status", "request_id"}`, or the text of a proxy. */
async function refusalOf(path: string, response: Response): Promise<VendorRefusal> {
  const text = await response.text().catch(() => '');
  const body = bodyIn(text);
  const { status } = response;
  const said = { status, code: body?.status, requestId: body?.request_id };
  return new VendorRefusal(describeRefusal(path, { ...said, keyVariable: 'MASSIVE_API_KEY' }), status);
}

function bodyIn(text: string): z.output<typeof refusalBody> | null {
  try {
    return refusalBody.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
