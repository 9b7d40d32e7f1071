import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import type { Language } from '../../http/pages/notice-page.ts'
import { newId } from '../../lib/ids.ts'
import { isEmailAddress } from './address.ts'
import { countRecentMails, findLanguage, hasMail, insertMail } from './mails.queries.ts'
import { renderMail } from './render.ts'
import { HOURLY_MAX } from './schedule.ts'
import { senderOf } from './server.ts'
import type { MailTemplate } from './template.ts'
import { mailTemplates, type TemplateName, type ValuesOf } from './templates/index.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'mail.deliver': { readonly mailId: string }
  }
}

/** Owner of all mail jobs. A slow mail server can use only one owner's share of the workers. */
export const MAIL_JOB_OWNER = 'mail'

/** Mail to send. */
export interface MailRequest<N extends TemplateName> {
  readonly to: string
  readonly template: N
  /** Language of the mail; by default the recipient's, or the platform's. */
  readonly language?: Language | undefined
  readonly values: ValuesOf<N>
  /** Key of a mail that is sent at most once. */
  readonly once?: string
  /** Moment after which the mail is useless and is not sent. */
  readonly goodUntil?: Date
  /** True if the request came from a network where the user has signed in. Such requests are counted separately. */
  readonly isFromKnownNetwork?: boolean
}

/**
 * Result of writing a mail. It is withheld if the address is invalid (`address`), has received too many (`flood`), or the mail was written
 * before (`before`).
 */
export type SendResult = { readonly id: string } | { readonly withheld: 'address' | 'flood' | 'before' }

/** Content of a mail, encrypted until it is sent. */
export interface MailContent {
  readonly language: Language
  readonly values: Readonly<Record<string, string>>
}

/** Writes a mail in a transaction. */
export type SendMail = <N extends TemplateName>(tx: Tx, letter: MailRequest<N>) => Promise<SendResult>

/** Returns the function that writes mails. A mail is sent only if its transaction commits. */
export const createSender =
  ({ vault, log, config }: Pick<Context, 'vault' | 'log'> & { readonly config: Config }): SendMail =>
  async (tx, { to, template, language: requested, values, once = null, goodUntil = null, isFromKnownNetwork: isNear = false }) => {
    const language = requested ?? (await findLanguage(tx, to)) ?? config.defaultLanguage
    // Renders the mail once to detect errors in the caller's transaction.
    renderMail(mailTemplates[template] as MailTemplate, language, values, senderOf(config).name)
    if (!isEmailAddress(to)) return { withheld: 'address' }
    if (once !== null && (await hasMail(tx, once))) return { withheld: 'before' }
    const recipient = to.toLowerCase()
    if ((await countRecentMails(tx, recipient, template, { isNear })) >= HOURLY_MAX) {
      log.warn({ template }, `a mail was withheld: its address had ${HOURLY_MAX} of these within the hour`)
      return { withheld: 'flood' }
    }
    const id = newId('mai')
    const content = vault.seal(JSON.stringify({ language, values } satisfies MailContent), id)
    if (!(await insertMail(tx, { id, template, recipient: to, content, once, goodUntil, isNear }))) return { withheld: 'before' }
    await enqueue(tx, 'mail.deliver', { mailId: id }, { owner: MAIL_JOB_OWNER, key: `mail ${id}` })
    return { id }
  }
