/** `npm run pictures`: compares the pictures of the site with the accepted ones; with `--accept`, accepts what is drawn now. */
import '../node-version.cjs';
import { spawnSync } from 'node:child_process';

const settings = process.argv.includes('--accept') ? ['ACCEPT_PICTURES=1'] : [];
const { status } = spawnSync('env', [...settings, 'npm', 'test', '--', 'test/site/pictures'], { stdio: 'inherit' });
process.exit(status ?? 1);
