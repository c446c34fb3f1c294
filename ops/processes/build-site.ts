/** `npm run build:site`: builds the site, even if it is up to date. */
import { buildSite } from '../../api/site/build.ts';

await buildSite();
