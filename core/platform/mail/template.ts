import type { Language } from '../../http/pages/notice-page.ts'

/** Texts of a mail in one language. `{name}` inserts a value. `after` follows the button. */
export interface MailTexts {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button?: string
  readonly after?: readonly string[]
}

/** Definition of a kind of mail. */
export interface MailTemplate<V extends string = string> {
  /** Names of its values. */
  readonly values: readonly V[]
  /** Value that the button links to. */
  readonly link?: V
  /** Value that the reader types: it stands alone, in large letters. */
  readonly code?: V
  /** Value with free text: its paragraphs follow the others. */
  readonly text?: V
  readonly texts: Readonly<Record<Language, MailTexts>>
}

/** Defines a mail template. */
export const mailTemplate = <const V extends string>(definition: MailTemplate<V>): MailTemplate<V> => definition
