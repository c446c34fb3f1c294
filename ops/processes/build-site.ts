/** `npm run build:site`: bundles the site, also where it is fresh. */
import { buildSite } from '../../api/site/build.ts';

await buildSite();
