/**
 * One file with the modules that nearly every page uses, and with those that the page of an instrument shares with its chart: a
 * browser fetches six files at a time, and on a slow connection every further round costs a sixth of a second. Modules that pages
 * load on demand import it too, since the bundler splits by what each of them reaches.
 */
import './address.ts';
import './appearance.ts';
import './charts/colors.ts';
import './charts/drawn-shapes.ts';
import './charts/fills.ts';
import './charts/line-ends.ts';
import './charts/marks.ts';
import './charts/series-layer.ts';
import './charts/shared-days.ts';
import './columns.ts';
import './controls.ts';
import './download.ts';
import './elements/copy-button.ts';
import './elements/data-table.ts';
import './elements/nearest-symbols.ts';
import './elements/symbol-search.ts';
import './elements/universe-chip.ts';
import './events.ts';
import './head.ts';
import './kept-list.ts';
import './load.ts';
import './session.ts';
import './states.ts';
