/** The rules of a strategy, one field each. Fires `parameters` with the names that the rules have as `$name`. */
import { customElement, property } from 'lit/decorators.js';
import { html, SiteElement } from '../dom.ts';
import { RULE_PARTS, type Rules } from '../run/specification.ts';
import { t } from '../tool-text.ts';
import { RuleEditor } from './rule-editor.ts';

@customElement('rule-fields')
export class RuleFields extends SiteElement {
  /** The initial texts. */
  @property({ attribute: false }) rules: Rules = { entry: '' };
  /** Whether the rules are of a portfolio, whose instruments they may compare. */
  @property({ attribute: false }) hasPeers = false;
  /** Names of the parameters so far. */
  @property({ attribute: false }) names: readonly string[] = [];

  private readonly onCheck = () => {
    const editors = [...this.querySelectorAll('rule-editor')].filter((one) => one instanceof RuleEditor);
    const named = editors.flatMap(({ checked }) => checked?.parameters ?? []).map(({ name }) => name);
    // A rule that is wrong or not yet checked has no known parameters: their fields stay.
    const isUnknown = ({ value, checked }: RuleEditor) => value.trim() !== '' && checked === null;
    if (editors.some((one) => isUnknown(one) || (one.checked?.problems.length ?? 0) > 0)) named.push(...this.names);
    this.dispatchEvent(new CustomEvent('parameters', { detail: [...new Set(named)] }));
  };

  override render() {
    const { rules } = this;
    const editor = (part: keyof Rules) =>
      html`<rule-editor place=${part} .value=${rules[part] ?? ''} label=${t(`rule.${part}`)} hint=${t(`rule.${part}.hint`)} .isRequired=${part === 'entry'} .hasPeers=${this.hasPeers}></rule-editor>`;
    return html`<div @check=${this.onCheck}>
      ${editor('entry')} ${editor('exit')}
      <details ?open=${rules.stop !== undefined || rules.trail !== undefined}>
        <summary>${t('rule.stops')}</summary>
        ${editor('stop')} ${editor('trail')}
      </details>
    </div>`;
  }
}

/** The rules of a form with one set of these fields. */
export function readRules(form: FormData): Rules {
  return rulesOf(RULE_PARTS.map((part) => [part, String(form.get(part) ?? '')]));
}

/** The rules in the fields within an element. */
export function rulesWithin(root: ParentNode): Rules {
  const editors = [...root.querySelectorAll('rule-editor')].filter((one) => one instanceof RuleEditor);
  return rulesOf(editors.map(({ place, value }) => [place, value]));
}

function rulesOf(texts: readonly (readonly [string, string])[]): Rules {
  const given = texts.map(([part, text]) => [part, text.trim()] as const).filter(([, text]) => text !== '');
  return { entry: '', ...Object.fromEntries(given) };
}
