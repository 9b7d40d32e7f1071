import type { Logger } from 'pino'
import { type Queryable, type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { recordNotice } from '../notify-owner.ts'
import type { DeliveryAttempt } from '../webhooks.model.ts'
import { isSuccess } from './attempt.ts'
import { cancelPending } from './cancel.ts'
import {
  type ClaimedDelivery,
  cancelRepeated,
  type DeliveryOutcome,
  disableEndpoints,
  type FailingEndpoint,
  markFailing,
  markRecovered,
  setNoticePercent,
  writeOutcomes,
} from './dispatch.queries.ts'
import { nextDelayMs, passedNoticePercent } from './schedule.ts'

const GONE = 410

/** Attempt whose outcome is not written yet. */
export interface UnwrittenAttempt {
  readonly claimed: ClaimedDelivery
  readonly attempt: DeliveryAttempt
}

/** Determines the outcome of an attempt: delivered, a retry, or failed. */
function outcomeOf({ claimed, attempt }: UnwrittenAttempt): DeliveryOutcome {
  const { projectId, endpointId, id, attemptCount, holder } = claimed
  const base = { projectId, endpointId, id, attemptCount, holder, attempt, delayMs: 0 }
  if (isSuccess(attempt)) return { ...base, status: 'delivered' }
  const delayMs = attempt.status === GONE ? null : nextDelayMs(attemptCount + 1)
  return delayMs === null ? { ...base, status: 'failed' } : { ...base, status: 'pending', delayMs }
}

/** Writes outcomes, and ends the retries of deliveries that a successful redelivery replaced. */
async function writeAll(sql: Queryable, settlements: readonly UnwrittenAttempt[]) {
  await writeOutcomes(sql, settlements.map(outcomeOf))
  const repeating = settlements.filter(({ claimed, attempt }) => claimed.redeliveryOf !== null && isSuccess(attempt))
  if (repeating.length > 0)
    await cancelRepeated(
      sql,
      repeating.map(({ claimed }) => claimed),
    )
}

/**
 * Writes a batch of outcomes. Failures update their endpoints in the same transaction: marked as failing, disabled, and the owner notified.
 */
export async function recordOutcomes(sql: Sql, settlements: readonly UnwrittenAttempt[], log: Logger) {
  const successful = new Set(settlements.filter(({ attempt }) => isSuccess(attempt)).map(({ claimed }) => claimed.endpointId))
  const recovered = new Set(
    settlements
      .filter(({ claimed }) => claimed.failingSince !== null && successful.has(claimed.endpointId))
      .map(({ claimed }) => claimed.endpointId),
  )
  const failed = new Set(settlements.map(({ claimed }) => claimed.endpointId).filter((id) => !successful.has(id)))
  const gone = new Set(settlements.filter(({ attempt }) => attempt.status === GONE).map(({ claimed }) => claimed.endpointId))
  if (recovered.size + failed.size + gone.size === 0) {
    await writeAll(sql, settlements)
    return
  }
  const projects = new Map(settlements.map(({ claimed: { endpointId, projectId } }) => [endpointId, projectId]))
  const refsOf = (ids: ReadonlySet<string>) => [...projects].flatMap(([id, projectId]) => (ids.has(id) ? { id, projectId } : []))
  const failing = await transaction(sql, async (tx) => {
    const failing = failed.size > 0 ? await markFailing(tx, refsOf(failed)) : []
    if (recovered.size > 0) await markRecovered(tx, refsOf(recovered))
    const expired = failing.filter(({ id, failingMs }) => !gone.has(id) && passedNoticePercent(failingMs) === 100)
    const disabledGone = gone.size > 0 ? await disableEndpoints(tx, refsOf(gone), 'gone') : []
    const disabledFailing = expired.length > 0 ? await disableEndpoints(tx, expired, 'failing') : []
    await writeAll(tx, settlements)
    await cancelPending(tx, [...disabledGone, ...disabledFailing])
    for (const endpoint of disabledGone) await recordNotice(tx, endpoint, 'disabled_gone', 100)
    for (const endpoint of disabledFailing) await recordNotice(tx, endpoint, 'disabled_failing', 100)
    for (const endpoint of failing) await notifyMark(tx, endpoint)
    return failing
  })
  for (const { id } of recovered.size > 0 ? [...recovered].map((id) => ({ id })) : [])
    log.info({ endpointId: id }, 'a webhook endpoint works again')
  logFailing(log, settlements, failing)
}

/** Logs the endpoints that have just begun to fail. Later notices are logged when they are sent. */
function logFailing(log: Logger, settlements: readonly UnwrittenAttempt[], failing: readonly FailingEndpoint[]) {
  for (const { id, projectId } of failing) {
    const last = settlements.findLast(({ claimed, attempt }) => claimed.endpointId === id && !isSuccess(attempt))
    if (!last || last.claimed.failingSince !== null) continue
    log.warn({ endpointId: id, projectId, status: last.attempt.status, eventType: last.claimed.eventType }, 'a webhook endpoint fails')
  }
}

/** Notifies the owner once for each percentage passed. */
async function notifyMark(tx: Tx, endpoint: FailingEndpoint) {
  const mark = passedNoticePercent(endpoint.failingMs)
  if (mark <= endpoint.toldPercent || mark === 100) return
  await setNoticePercent(tx, endpoint, mark)
  await recordNotice(tx, endpoint, 'failing', mark)
}
