/** Any call as programs, as the documentation of the API shows it beside the one for curl. */
import { pythonValue, typescriptValue } from './samples.ts';

const PYTHON_INDENT = 4;
const INDENT = 2;

/** A call as the documentation page sends it. */
export interface SentCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; without one, the call has no body. */
  readonly body?: unknown;
  /** Whether every answer is JSON. Any other answer becomes a file. */
  readonly isJson: boolean;
}

/** A program that prints the answer, or saves it. */
export function pythonCall({ method, url, headers, body, isJson }: SentCall): string {
  // The library writes the type of a body itself.
  const own = ownHeaders(headers).filter(([name]) => name.toLowerCase() !== 'content-type');
  const call = callOf('response = httpx.request(', PYTHON_INDENT, [
    JSON.stringify(method),
    JSON.stringify(url),
    ...(own.length > 0 ? [`headers=${pythonValue(Object.fromEntries(own), PYTHON_INDENT)}`] : []),
    ...(body === undefined ? [] : [`json=${pythonValue(body, PYTHON_INDENT)}`]),
    'timeout=60',
  ]);
  if (isJson) return `import httpx\n\n${call})\nprint(response.json())`;
  return `import httpx\nfrom pathlib import Path\n\n${call})\nPath("answer").write_bytes(response.content)`;
}

/** The same for Node. */
export function typescriptCall({ method, url, headers, body, isJson }: SentCall): string {
  const own = ownHeaders(headers);
  const call = callOf(`const response = await fetch(${JSON.stringify(url)}, {`, INDENT, [
    `method: ${JSON.stringify(method)}`,
    ...(own.length > 0 ? [`headers: ${typescriptValue(Object.fromEntries(own), INDENT)}`] : []),
    ...(body === undefined ? [] : [`body: JSON.stringify(${typescriptValue(body, INDENT)})`]),
  ]);
  if (isJson) return `${call}});\nconsole.log(await response.json());`;
  return `import { writeFile } from 'node:fs/promises';\n\n${call}});\nawait writeFile('answer', await response.bytes());`;
}

/** Headers that libraries do not send by themselves. */
function ownHeaders(headers: SentCall['headers']): [string, string][] {
  return Object.entries(headers).filter(([name, value]) => name.toLowerCase() !== 'accept' || value !== '*/*');
}

function callOf(opening: string, indent: number, lines: readonly string[]): string {
  return [opening, ...lines.map((line) => `${' '.repeat(indent)}${line},`), ''].join('\n');
}

/** The part of the interface description that has the types of answers. */
export interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}
interface DescribedOperation {
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

/** Whether every success of the operation at an address is JSON. */
export function answersJson({ paths }: Described, method: string, url: string): boolean {
  const { pathname } = new URL(url);
  // `jobs/{job_id}` wins over `{backtest_id}/share`.
  const [found] = Object.keys(paths)
    .filter((one) => new RegExp(`^${one.replaceAll(/\{\w+\}/g, '.+')}$`).test(pathname))
    .sort((a, b) => a.split('{').length - b.split('{').length);
  const types = Object.entries(paths[found][method.toLowerCase()].responses).flatMap(([status, { content }]) =>
    status < '300' ? Object.keys(content ?? {}) : [],
  );
  return types.every((type) => type === 'application/json');
}
