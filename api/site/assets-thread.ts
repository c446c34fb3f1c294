/** The thread that builds the assets of the site. */
import { postFromThread } from '../made-in-thread.ts';
import { buildAssets } from './build-assets.ts';

postFromThread(buildAssets());
