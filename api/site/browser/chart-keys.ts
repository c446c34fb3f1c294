/** Keys of a page with one chart, wherever its reader is on it but in a field. */
import { isTyping } from './dom.ts';
import type { PriceChart } from './elements/price-chart.ts';

/** Keys that move or zoom the chart, also without its focus: they do nothing else on a page. */
const OF_CHART = ['ArrowLeft', 'ArrowRight', '+', '=', '-', '−'];

/** `page`: with the chart in a column, which `f` puts on the whole screen. */
export function onChartKey(event: KeyboardEvent, page: ParentNode, changeScale: () => void): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (isTyping(event) || ctrlKey || metaKey || altKey || document.querySelector('dialog[open]')) return;
  if (key.toLowerCase() === 'l') changeScale();
  else if (key.toLowerCase() === 'f')
    void (document.fullscreenElement
      ? document.exitFullscreen()
      : page.querySelector('.chart-column')?.requestFullscreen());
  else if (target === document.body && OF_CHART.includes(key))
    page.querySelector<PriceChart>('price-chart')?.press(event);
}
