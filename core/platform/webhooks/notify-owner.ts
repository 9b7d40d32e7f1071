import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { type Tx, transaction } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import type { FailingEndpoint } from './delivery/dispatch.queries.ts'
import { findNoticeMail, insertNotice, type NoticeKind } from './notices.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'webhooks.notifyOwner': { readonly noticeId: string }
  }
}

/** Records a notice for the owner in the current transaction. A job sends the mail. */
export async function recordNotice(tx: Tx, endpoint: FailingEndpoint, kind: NoticeKind, percent: number) {
  const id = newId('not')
  await insertNotice(tx, {
    id,
    projectId: endpoint.projectId,
    endpointId: endpoint.id,
    kind,
    percent,
    message: textOf(endpoint, kind, percent),
  })
  await enqueue(tx, 'webhooks.notifyOwner', { noticeId: id })
}

function textOf({ id, url }: FailingEndpoint, kind: NoticeKind, percent: number): string {
  if (kind === 'disabled_gone')
    return `The webhook endpoint ${id} (${url}) answered 410 Gone and was disabled. Enable it again once it is back.`
  if (kind === 'disabled_failing')
    return `The webhook endpoint ${id} (${url}) has failed for 5 days and was disabled. Enable it again once it works. You can then resend its deliveries.`
  return `The webhook endpoint ${id} (${url}) keeps failing. It is disabled after 5 days of failures; ${percent} % of that time has passed.`
}

const TEMPLATES = { failing: 'webhook_failing', disabled_failing: 'webhook_disabled', disabled_gone: 'webhook_gone' } as const

/** Sends a notice to the owner. Sends it once, however often its job runs. */
export async function notifyOwner({ sql, mail, log }: Context, noticeId: string) {
  const letter = await findNoticeMail(sql, noticeId)
  if (!letter) return
  log.warn(
    { noticeId, endpointId: letter.endpointId, kind: letter.kind, percent: letter.percent },
    'a webhook endpoint keeps failing, or was disabled',
  )
  const { to, kind, endpointId, url, percent } = letter
  if (to === null) return
  const values = { endpoint: endpointId, url, percent: String(percent) }
  await transaction(sql, (tx) => mail.send(tx, { to, template: TEMPLATES[kind], values, once: noticeId }))
}
