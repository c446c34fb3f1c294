/** A text in every language that the service speaks. */
export interface LocalizedText {
  readonly en: string;
  readonly 'zh-CN': string;
  readonly 'zh-TW': string;
}
