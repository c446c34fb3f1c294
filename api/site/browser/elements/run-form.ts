/** The common part of the forms of runs: their properties, their frame, and the event with the call that they make. */
import { property, state } from 'lit/decorators.js';
import { fieldsOf, html, nothing, SiteElement, targetOf } from '../dom.ts';
import { type FieldErrors, Fields } from '../fields.ts';
import type { Settings } from '../run/specification.ts';
import { get, signedInAs } from '../session.ts';
import { textOr } from '../text.ts';
import { t } from '../tool-text.ts';
import type { AccountPlan, Strategies } from '../types.ts';
import { ChangedFields } from './changed-field.ts';
import { PresentValues } from './fold.ts';

const PLANS = ['guest', 'free', 'pro', 'enterprise'];

/** Null: the page needs none, or the reader has it. */
async function planNeeded(): Promise<string | null> {
  const { door = null } = document.documentElement.dataset;
  if (door === null || signedInAs() === null) return door;
  const account = await get<AccountPlan>('/api/account/plan').catch(() => null);
  return account === null || PLANS.indexOf(account.effective_plan) >= PLANS.indexOf(door) ? null : door;
}

interface Foot {
  /** The text of the button, and its text while the form is busy. */
  readonly action: string;
  readonly busy?: string;
  readonly isPossible?: boolean;
  /** Before the button. */
  readonly note?: unknown;
}

/** Fires `run` with the call. */
export abstract class RunFormElement extends SiteElement {
  @property({ attribute: false }) strategies!: Strategies;
  @property({ attribute: false }) fieldErrors: FieldErrors = {};
  @property({ attribute: false }) isBusy = false;
  /** The result in sight: a new one is of the values that were sent last. */
  @property({ attribute: false }) shown: unknown = null;
  /** The plan that the runs of the page need; null: the reader has it. */
  @state() door: string | null = null;
  /** Those of the drawing in progress. */
  fields = new Fields({}, {});
  protected readonly present = new PresentValues(this);
  protected readonly changed = new ChangedFields(this, this.present);

  /** Values of the fields that forms share. */
  abstract readonly settings: Settings;

  override connectedCallback(): void {
    super.connectedCallback();
    void planNeeded().then((plan) => {
      this.door = plan;
    });
  }

  /** Stands below a field that was changed, besides the value that the result in sight is for. */
  protected get action(): unknown {
    return nothing;
  }

  protected override updated(changed: Map<string, unknown>): void {
    if (changed.has('shown')) this.changed.shown();
    this.changed.mark(this.shown === null ? null : this.action);
  }

  /** The call; null: a field has to be corrected first. */
  protected abstract bodyOf(form: HTMLFormElement, given: FormData): object | null;

  private readonly submit = (event: SubmitEvent) => {
    event.preventDefault();
    const detail = this.bodyOf(targetOf(event, HTMLFormElement), fieldsOf(event));
    if (detail === null) return;
    this.changed.sent();
    this.dispatchEvent(new CustomEvent('run', { detail }));
  };

  /** The form, with the errors that none of its fields shows. */
  protected frame(content: unknown, { action, busy = t('form.running'), isPossible = true, note = nothing }: Foot) {
    const { isBusy, present, door } = this;
    return html`<form @submit=${this.submit} @input=${present.edited} @change=${present.edited}>
      ${content} ${this.fields.remaining()}
      <div class="run-foot">${note}<button class="primary" ?disabled=${isBusy || !isPossible}>${isBusy ? busy : action}${door === null ? nothing : html` <small>${textOr(`plan.${door}`, door)}</small>`}</button></div>
    </form>`;
  }
}
