import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { transaction } from '../../data/sql.ts'
import { beginAttempt, type DueMail, forgetMails, noteError, settleMail } from './mails.queries.ts'
import { emptyOutbox } from './outbox.ts'
import { render } from './render.ts'
import { KEPT_DAYS, nextTry } from './schedule.ts'
import { type Content, OWNER } from './send.ts'
import type { Letter, Outcome } from './server.ts'
import type { Template } from './template.ts'
import { templates } from './templates/index.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'mail.forget': Record<string, unknown>
  }
}

/** Attempts to send a mail. Does nothing if it was sent or given up before, however often the job runs. */
export async function deliver(context: Context, mailId: string): Promise<void> {
  const due = await beginAttempt(context.sql, mailId)
  if (!due) return
  const outcome = await attempt(context, due)
  await recordResult(context, due, outcome)
}

async function attempt(context: Context, due: DueMail): Promise<Outcome> {
  if (due.isOver) return { kind: 'refused', error: 'The mail expired before it was sent.' }
  const letter = renderDueMail(context, due)
  return letter ? context.mail.post(letter) : { kind: 'refused', error: 'The content can no longer be read.' }
}

/** Renders a due mail; null if its encryption key or its template no longer exists. */
function renderDueMail({ vault, log, mail }: Context, { id, template, recipient, content, createdAt }: DueMail): Letter | null {
  try {
    const { language, values } = JSON.parse(vault.open(content, id)) as Content
    const words = (templates as Readonly<Record<string, Template>>)[template]
    if (!words) return null
    return { ...render(words, language, values, mail.from.name), id, to: recipient, at: new Date(createdAt) }
  } catch (err) {
    log.error({ err, mailId: id }, 'a mail cannot be read any more')
    return null
  }
}

async function recordResult({ sql, log, mail }: Context, { id, template, attempts }: DueMail, outcome: Outcome): Promise<void> {
  if (outcome.kind === 'sent') {
    await settleMail(sql, id, 'sent', null)
    if (mail.state() === null) log.warn({ mailId: id, template }, 'a mail lies in the outbox: no mail server is set (SMTP_URL)')
    else log.info({ mailId: id, template }, 'a mail was sent')
    return
  }
  const next = outcome.kind === 'refused' ? null : nextTry(attempts)
  if (next === null) {
    await settleMail(sql, id, 'failed', outcome.error)
    log.warn({ mailId: id, template, error: outcome.error }, 'a mail was given up')
    return
  }
  await transaction(sql, async (tx) => {
    if (await noteError(tx, id, outcome.error))
      await enqueue(tx, 'mail.deliver', { mailId: id }, { owner: OWNER, key: `mail ${id}`, runAt: next })
  })
}

const BATCH = 5_000

/** Deletes mails and outbox files that are past their retention time. */
export async function forget({ sql, config }: Pick<Context, 'sql' | 'config'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await forgetMails(sql, KEPT_DAYS, BATCH)) === BATCH);
  await emptyOutbox(config.dataDir)
}
