/** A text in every language of the service. */
export interface LocalizedText {
  readonly en: string;
  readonly 'zh-CN': string;
  readonly 'zh-TW': string;
}

export const text = (en: string, cn: string, tw: string): LocalizedText => ({ en, 'zh-CN': cn, 'zh-TW': tw });
