/** Files as the bodies of calls, with how much of them is on its way: `fetch` does not tell. */
import type { CallOptions } from './api.ts';

const TYPES: Readonly<Record<string, string>> = {
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
};

/** `sent` gets the share of the file, 0 to 1, that was sent. */
export function withFile(file: File, sent: (share: number) => void): CallOptions {
  const type = TYPES[file.name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'text/csv';
  const via = (address: string, { method = 'PUT', headers, signal }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const request = new XMLHttpRequest();
    request.open(method, address);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => sent(loaded / Math.max(1, total)));
    request.addEventListener('load', () => resolve(answerOf(request)));
    request.addEventListener('error', () => reject(new TypeError(address)));
    request.addEventListener('abort', () => reject(new DOMException(address, 'AbortError')));
    signal?.addEventListener('abort', () => request.abort());
    request.send(file);
    return promise;
  };
  return { via, headers: { 'Content-Type': type } };
}

function answerOf(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  const headers = lines.map((line): [string, string] => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]);
  const response = new Response(request.responseText, { status: request.status, headers });
  // Errors are told by the address of their call.
  return Object.defineProperty(response, 'url', { value: request.responseURL });
}
