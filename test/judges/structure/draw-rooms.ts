/** Draws the rooms and their imports into ARCHITECTURE: `npm run rooms`. A test compares. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { IModule } from 'dependency-cruiser';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const PAGE = fileURLToPath(new URL('../../../ops/docs/ARCHITECTURE.md', import.meta.url));
const DRAWN = ['engine', 'db', 'jobs', 'api', 'ops'];
const BETWEEN_MARKERS = /(?<=<!-- rooms:begin -->\n).*?(?=<!-- rooms:end -->)/s;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Every file of the project with what it imports, types included, as dependency-cruiser reads it. */
export function readModules(): { modules: IModule[]; summary: { violations: unknown[] } } {
  const command = ['run', '-s', 'check:imports', '--', '--output-type', 'json'];
  return JSON.parse(execFileSync('npm', command, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }));
}

/** The page with the drawing of these modules. */
export function withDrawing(page: string, modules: readonly IModule[]): string {
  return page.replace(BETWEEN_MARKERS, () => DRAWN.map((folder) => drawing(folder, roomsOf(folder, modules))).join(''));
}

/** The rooms of a folder, each with the rooms of that folder that its files import. */
function roomsOf(folder: string, modules: readonly IModule[]): Graph {
  const roomOf = (path: string) => new RegExp(`^${folder}/([^/]+)/`).exec(path)?.[1];
  const rooms = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const room = roomOf(source);
    if (room === undefined) continue;
    const imported = rooms.get(room) ?? new Set();
    rooms.set(room, imported);
    for (const { resolved } of dependencies) {
      const other = roomOf(resolved);
      if (other !== undefined && other !== room) imported.add(other);
    }
  }
  return new Map([...rooms].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Leaves out an import that a longer path of imports implies. */
function drawing(folder: string, rooms: Graph): string {
  const reachable = (from: string): Set<string> => {
    const next = [...(rooms.get(from) ?? [])];
    return new Set(next.flatMap((room) => [room, ...reachable(room)]));
  };
  const lines = [...rooms].flatMap(([room, imported]) => {
    const implied = new Set([...imported].flatMap((other) => [...reachable(other)]));
    const shown = [...imported].filter((other) => !implied.has(other)).sort();
    return shown.length > 0 ? `  ${room} --> ${shown.join(' & ')}` : `  ${room}`;
  });
  return `\`${folder}\`\n\n\`\`\`mermaid\nflowchart LR\n${lines.join('\n')}\n\`\`\`\n\n`;
}

if (import.meta.main) writeFileSync(PAGE, withDrawing(readFileSync(PAGE, 'utf8'), readModules().modules));
