/** Runs one Chromium for all site tests in a separate process, which sends its address and ends with its parent. */
import { required } from '../../engine/util/values.ts';
import { CHROMIUM_ARGUMENTS, chromiumPath } from '../../ops/browser/chromium.ts';

const executablePath = await chromiumPath(required(process.env.TMPDIR));
const { chromium } = await import('playwright-core');
const server = await chromium.launchServer({ executablePath, args: CHROMIUM_ARGUMENTS });
process.once('disconnect', () => server.kill().finally(() => process.exit()));
process.send?.(server.wsEndpoint());
