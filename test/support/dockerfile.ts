/**
 * The files of the container image without a container engine: follows the instructions of the Dockerfile, each stage in a
 * separate folder. An unknown instruction is an error.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { required } from '../../engine/util/values.ts';

const CONTEXT = fileURLToPath(new URL('../..', import.meta.url));
const DOCKERFILE = join(CONTEXT, 'ops/deploy/Dockerfile');

export interface Instruction {
  readonly name: string;
  readonly words: readonly string[];
  readonly text: string;
}

interface Stage {
  readonly folder: string;
  readonly base: string;
  workdir: string;
}

/** The instructions of the Dockerfile in their order, without comments. */
export function readDockerfile(): Instruction[] {
  const lines = readFileSync(DOCKERFILE, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\s*\\\n\s*/g, ' ')
    .split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [name, ...words] = line.split(/\s+/);
      return { name, words, text: words.join(' ') };
    });
}

/** Commands of stages that are thrown away run in their folder; those of the image itself act on its root and are returned. */
export interface BuiltImage {
  /** Folder that is the root of the image. */
  readonly root: string;
  readonly workdir: string;
  readonly commands: readonly string[];
}

/** Builds the image in `folder`. `env` is added to the environment of the commands. */
export function buildImage(folder: string, env: Readonly<Record<string, string>>): BuiltImage {
  const stages = new Map<string, Stage>();
  const commands: string[] = [];
  let stage: Stage | null = null;
  const instructions = readDockerfile();
  const last = instructions.findLastIndex(({ name }) => name === 'FROM');
  instructions.forEach(({ name, words, text }, i) => {
    if (name === 'FROM') {
      stage = { folder: join(folder, String(i)), base: words[0], workdir: '/' };
      stages.set(words[2] ?? 'image', stage);
      return;
    }
    const current = required(stage, 'FROM');
    if (name === 'WORKDIR') {
      current.workdir = text;
      mkdirSync(join(current.folder, text), { recursive: true });
    } else if (name === 'COPY') copy(words, current, stages);
    else if (name === 'RUN' && i > last) commands.push(text);
    else if (name === 'RUN') run(text, join(current.folder, current.workdir), env);
    else if (!['ENV', 'USER', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'CMD'].includes(name)) {
      throw new Error(`the instruction ${name} is not known here`);
    }
  });
  const image = required(stages.get('image'), 'the last stage');
  return { root: image.folder, workdir: image.workdir, commands };
}

function copy(words: readonly string[], { folder, workdir }: Stage, stages: ReadonlyMap<string, Stage>): void {
  const from = /^--from=(.+)$/.exec(words[0])?.[1];
  const [target, ...sources] = words.slice(from === undefined ? 0 : 1).reverse();
  const root = from === undefined ? CONTEXT : required(stages.get(from), from).folder;
  const ignored = from === undefined ? ignoredPaths() : [];
  for (const source of sources) {
    const path = join(root, source);
    // A file keeps its name in a folder; a folder becomes the target.
    const to = join(folder, workdir, target, /(^|\/)(\.\/?)?$/.test(target) ? basename(source) : '');
    mkdirSync(dirname(to), { recursive: true });
    cpSync(path, to, { recursive: true, verbatimSymlinks: true, filter: (one) => !ignored.includes(one) });
  }
}

/** Returns the paths that .dockerignore keeps from the engine; only whole paths are known here. */
function ignoredPaths(): string[] {
  const lines = readFileSync(join(CONTEXT, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const odd = lines.find((line) => /[*?!#[\]]/.test(line));
  if (odd !== undefined) throw new Error(`the pattern ${odd} of .dockerignore is not known here`);
  return lines.map((line) => join(CONTEXT, line));
}

function run(command: string, cwd: string, env: Readonly<Record<string, string>>): void {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd, env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${command}: ${status}\n${stdout}\n${stderr}`);
}
