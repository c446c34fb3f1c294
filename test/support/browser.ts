/** Starts the Chromium of site tests in a process of its own, whose temporary folder is the browser's. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface StartedBrowser {
  /** For `chromium.connect`. */
  readonly endpoint: string;
  readonly child: ChildProcess;
}

/** `folder`: a new one. `hasSystemFonts`: whether it finds the fonts of the machine. */
export async function startBrowser(folder: string, hasSystemFonts = true): Promise<StartedBrowser> {
  mkdirSync(folder);
  const program = fileURLToPath(new URL('./browser-server.ts', import.meta.url));
  const child = fork(program, hasSystemFonts ? [] : ['--own-fonts'], {
    // The temporary folder cannot be changed inside a test.
    env: { ...process.env, TMPDIR: folder },
    execArgv: [],
  });
  const [endpoint] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [null])]);
  if (endpoint === null) throw new Error('no Chromium could be started; set CHROMIUM_PATH to one of this machine');
  return { endpoint, child };
}

export async function stopBrowser({ child }: StartedBrowser): Promise<void> {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
