/** Runs a Chromium in a separate process, which sends its address and ends with its parent. */
import { required } from '../../engine/util/values.ts';
import { CHROMIUM_ARGUMENTS, chromiumPath } from '../../ops/browser/chromium.ts';

/** Draws letters and colors as on any other machine. */
const SAME_EVERYWHERE = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];

const hasSystemFonts = !process.argv.includes('--own-fonts');
const executablePath = await chromiumPath(required(process.env.TMPDIR), { hasSystemFonts });
const { chromium } = await import('playwright-core');
const args = hasSystemFonts ? CHROMIUM_ARGUMENTS : [...CHROMIUM_ARGUMENTS, ...SAME_EVERYWHERE];
const server = await chromium.launchServer({ executablePath, args });
process.once('disconnect', () => server.kill().finally(() => process.exit()));
process.send?.(server.wsEndpoint());
