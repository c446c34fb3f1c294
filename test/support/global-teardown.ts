import { once } from 'node:events';
import { rmSync } from 'node:fs';

export default async function tearDown(): Promise<void> {
  const running = globalThis.testServer;
  if (!running) return;
  if (running.browser) {
    const ended = once(running.browser, 'exit');
    running.browser.disconnect();
    await ended;
  }
  await running.server.stop();
  rmSync(running.directory, { recursive: true, force: true });
}
