import { rmSync } from 'node:fs';

export default async function tearDown(): Promise<void> {
  const running = globalThis.testServer;
  if (!running) return;
  await running.server.stop();
  rmSync(running.directory, { recursive: true, force: true });
}
