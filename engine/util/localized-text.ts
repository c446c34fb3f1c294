/** A text in every language of the service. */
export interface LocalizedText {
  readonly en: string;
  readonly 'zh-CN': string;
  readonly 'zh-TW': string;
}
