import type { Language } from '../../http/pages/notice-page.ts'

/** What a mail says in one language. `{name}` stands for a value; what the paragraphs and `after` say stands before and after the button. */
export interface Words {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button?: string
  readonly after?: readonly string[]
}

/** One kind of mail, as data. */
export interface Template<V extends string = string> {
  /** Values that it is given. */
  readonly values: readonly V[]
  /** The one that the button leads to. */
  readonly link?: V
  /** The one that is typed off: it stands by itself, in large letters. */
  readonly code?: V
  /** The one that somebody wrote freely: paragraphs of its own, after the others. */
  readonly text?: V
  readonly words: Readonly<Record<Language, Words>>
}

export const template = <const V extends string>(definition: Template<V>): Template<V> => definition
