/** Tells at the top of the page what holds up the job that it waits for. */
let shown: HTMLElement | null = null;

/** Replaces the text; null: nothing holds the job up, or it has ended. */
export function tellNotice(text: string | null): void {
  if (text === (shown?.textContent ?? null)) return;
  shown?.remove();
  shown = null;
  if (text === null) return;
  shown = document.createElement('p');
  shown.className = 'notice';
  shown.role = 'status';
  shown.textContent = text;
  document.querySelector('main')?.prepend(shown);
}
