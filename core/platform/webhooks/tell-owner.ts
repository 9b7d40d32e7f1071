import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import type { FailingEndpoint } from './dispatch.queries.ts'
import { findLetter, insertNotice, type NoticeKind } from './notices.queries.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'webhooks.tell-owner': { readonly noticeId: string }
    'webhooks.prune': Record<string, never>
  }
}

/** Writes down what the owner must know, in the transaction that makes it so; the letter follows as a job. */
export async function notice(tx: Tx, endpoint: FailingEndpoint, kind: NoticeKind, percent: number) {
  const id = newId('not')
  await insertNotice(tx, {
    id,
    projectId: endpoint.projectId,
    endpointId: endpoint.id,
    kind,
    percent,
    message: textOf(endpoint, kind, percent),
  })
  await enqueue(tx, 'webhooks.tell-owner', { noticeId: id })
}

function textOf({ id, url }: FailingEndpoint, kind: NoticeKind, percent: number): string {
  if (kind === 'disabled_gone')
    return `The webhook endpoint ${id} (${url}) answered 410 Gone and was disabled. Enable it again when it is back.`
  if (kind === 'disabled_failing')
    return `The webhook endpoint ${id} (${url}) has failed for 5 days and was disabled. Enable it again when it works; deliveries can be sent again.`
  return `The webhook endpoint ${id} (${url}) keeps failing: ${percent} % of the 5 days after which it is disabled have passed.`
}

const SUBJECTS: Record<NoticeKind, string> = {
  failing: 'A webhook endpoint keeps failing',
  disabled_failing: 'A webhook endpoint was disabled',
  disabled_gone: 'A webhook endpoint was disabled',
}

/** The letter goes to the log and to `DATA_DIR/outbox`, as all mail does while there is no SMTP server. */
export async function tellOwner({ sql, config, log }: Context, noticeId: string) {
  const letter = await findLetter(sql, noticeId)
  if (!letter) return
  log.warn({ noticeId, to: letter.to }, letter.message)
  if (letter.to === null) return
  const folder = join(config.dataDir, 'outbox')
  await mkdir(folder, { recursive: true })
  const mail = { to: letter.to, subject: SUBJECTS[letter.kind], text: letter.message }
  await Bun.write(join(folder, `${noticeId}.json`), `${JSON.stringify(mail, null, 2)}\n`)
}
