import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { transaction } from '../../data/sql.ts'
import { beginAttempt, type DueMail, deleteMailsOlderThan, recordFinalOutcome, recordMailError } from './mails.queries.ts'
import { deleteOldOutboxFiles } from './outbox.ts'
import { renderMail } from './render.ts'
import { MAIL_RETENTION_DAYS, nextAttemptAt } from './schedule.ts'
import { MAIL_JOB_OWNER, type MailContent } from './send.ts'
import type { DeliveryResult, OutgoingMail } from './server.ts'
import type { MailTemplate } from './template.ts'
import { mailTemplates } from './templates/index.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'mail.deleteOld': Record<string, unknown>
  }
}

/** Attempts to send a mail. Does nothing if it was sent or given up before, however often the job runs. */
export async function deliverMail(context: Context, mailId: string): Promise<void> {
  const due = await beginAttempt(context.sql, mailId)
  if (!due) return
  const outcome = await attempt(context, due)
  await recordResult(context, due, outcome)
}

async function attempt(context: Context, due: DueMail): Promise<DeliveryResult> {
  if (due.isOver) return { kind: 'refused', error: 'The mail expired before it was sent.' }
  const letter = renderDueMail(context, due)
  return letter ? context.mail.attemptDelivery(letter) : { kind: 'refused', error: 'The content can no longer be read.' }
}

/** Renders a due mail; null if its encryption key or its template no longer exists. */
function renderDueMail({ vault, log, mail }: Context, { id, template, recipient, content, createdAt }: DueMail): OutgoingMail | null {
  try {
    const { language, values } = JSON.parse(vault.open(content, id)) as MailContent
    const found = (mailTemplates as Readonly<Record<string, MailTemplate>>)[template]
    if (!found) return null
    return { ...renderMail(found, language, values, mail.from.name), id, to: recipient, at: new Date(createdAt) }
  } catch (err) {
    log.error({ err, mailId: id }, 'a mail cannot be read any more')
    return null
  }
}

async function recordResult({ sql, log, mail }: Context, { id, template, attempts }: DueMail, outcome: DeliveryResult): Promise<void> {
  if (outcome.kind === 'sent') {
    await recordFinalOutcome(sql, id, 'sent', null)
    if (mail.state() === null) log.warn({ mailId: id, template }, 'a mail lies in the outbox: no mail server is set (SMTP_URL)')
    else log.info({ mailId: id, template }, 'a mail was sent')
    return
  }
  const next = outcome.kind === 'refused' ? null : nextAttemptAt(attempts)
  if (next === null) {
    await recordFinalOutcome(sql, id, 'failed', outcome.error)
    log.warn({ mailId: id, template, error: outcome.error }, 'a mail was given up')
    return
  }
  await transaction(sql, async (tx) => {
    if (await recordMailError(tx, id, outcome.error))
      await enqueue(tx, 'mail.deliver', { mailId: id }, { owner: MAIL_JOB_OWNER, key: `mail ${id}`, runAt: next })
  })
}

const BATCH = 5_000

/** Deletes mails and outbox files that are past their retention time. */
export async function deleteOldMails({ sql, config }: Pick<Context, 'sql' | 'config'>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await deleteMailsOlderThan(sql, MAIL_RETENTION_DAYS, BATCH)) === BATCH);
  await deleteOldOutboxFiles(config.dataDir)
}
