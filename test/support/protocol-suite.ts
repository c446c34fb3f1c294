/** The suite of the authors of the Model Context Protocol, a package of `test/judges`. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';

export const REVISION = '2026-07-28';

const MODULES = new URL('../judges/node_modules/', import.meta.url);
const suiteFile = (name: string) => new URL(`@modelcontextprotocol/conformance/${name}`, MODULES);

/** Runs scenarios against a server. Returns what the suite prints, without colors. */
export function runSuite(url: string, ...given: readonly string[]): Promise<string> {
  const script = suiteFile('dist/index.js').pathname;
  return new Promise((resolve) => {
    execFile(process.execPath, [script, 'server', '--url', url, ...given], { maxBuffer: 1e8 }, (_, output) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the suite colors its output
      resolve(output.replace(/\u001b\[\d+m/g, ''));
    });
  });
}

/** The scenarios that the revision requires of servers. */
export function requiredScenarios(): string[] {
  const requirements = readFileSync(suiteFile(`requirements/${REVISION}.yaml`), 'utf8');
  const [, section = ''] = /\nserver:\n((?: {2}- .*\n)+)/.exec(requirements) ?? [];
  return [...section.matchAll(/- ([\w-]+)/g)].map(([, name]) => name);
}
