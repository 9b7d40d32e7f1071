import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import type { Language } from '../../http/pages/notice-page.ts'
import { newId } from '../../lib/ids.ts'
import { isAddress } from './address.ts'
import { countLately, findLanguage, insertMail, isWritten } from './mails.queries.ts'
import { render } from './render.ts'
import { HOURLY_MAX } from './schedule.ts'
import { senderOf } from './server.ts'
import type { Template } from './template.ts'
import { type TemplateName, templates, type ValuesOf } from './templates/index.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'mail.deliver': { readonly mailId: string }
  }
}

/** Jobs of mails share the workers' share of one owner: a mail server that hangs keeps nothing else from being done. */
export const OWNER = 'mail'

export interface NewLetter<N extends TemplateName> {
  readonly to: string
  readonly template: N
  /** Of whoever reads it; unless said, the one that he keeps, or that of the settings. */
  readonly language?: Language | undefined
  readonly values: ValuesOf<N>
  /** What the mail is about: however often it is asked for, it is sent once. */
  readonly once?: string
  /** After that nobody has any use for it, and it is not sent. */
  readonly goodUntil?: Date
  /** Asked for from where its person has signed in: counted apart from what strangers ask for. */
  readonly isNear?: boolean
}

/** `withheld`: there is no such address; that address had enough of these within the hour; it was written before. */
export type Written = { readonly id: string } | { readonly withheld: 'address' | 'flood' | 'before' }

/** What is sealed of a mail until it is sent. */
export interface Content {
  readonly language: Language
  readonly values: Readonly<Record<string, string>>
}

export type Send = <N extends TemplateName>(tx: Tx, letter: NewLetter<N>) => Promise<Written>

/** Writes mails in the transaction of what they tell of: they are sent if that is committed, and only then. */
export const sender =
  ({ vault, log, config }: Pick<Context, 'vault' | 'log'> & { readonly config: Config }): Send =>
  async (tx, { to, template, language: said, values, once = null, goodUntil = null, isNear = false }) => {
    const language = said ?? (await findLanguage(tx, to)) ?? config.defaultLanguage
    // What cannot be read is found out here, by whoever wrote it.
    render(templates[template] as Template, language, values, senderOf(config).name)
    if (!isAddress(to)) return { withheld: 'address' }
    if (once !== null && (await isWritten(tx, once))) return { withheld: 'before' }
    const recipient = to.toLowerCase()
    if ((await countLately(tx, recipient, template, isNear)) >= HOURLY_MAX) {
      log.warn({ template }, `a mail was withheld: its address had ${HOURLY_MAX} of these within the hour`)
      return { withheld: 'flood' }
    }
    const id = newId('mai')
    const content = vault.seal(JSON.stringify({ language, values } satisfies Content), id)
    if (!(await insertMail(tx, { id, template, recipient: to, content, once, goodUntil, isNear }))) return { withheld: 'before' }
    await enqueue(tx, 'mail.deliver', { mailId: id }, { owner: OWNER, key: `mail ${id}` })
    return { id }
  }
