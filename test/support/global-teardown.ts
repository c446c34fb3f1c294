import { rmSync } from 'node:fs';
import { stopBrowser } from './browser.ts';

export default async function tearDown(): Promise<void> {
  const running = globalThis.testServer;
  if (!running) return;
  if (running.browser) await stopBrowser(running.browser);
  running.places.close();
  await running.server.stop();
  rmSync(running.directory, { recursive: true, force: true });
}
