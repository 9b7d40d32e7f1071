import type { Logger } from 'pino'
import { type Queryable, type Sql, type Tx, transaction } from '../../../data/sql.ts'
import { notice } from '../tell-owner.ts'
import type { Attempt } from '../webhooks.model.ts'
import { isSuccess } from './attempt.ts'
import { cancelWaiting } from './cancel.ts'
import {
  type Claimed,
  disableEndpoints,
  endRepeated,
  type FailingEndpoint,
  markFailing,
  markRecovered,
  type Outcome,
  setTold,
  writeOutcomes,
} from './dispatch.queries.ts'
import { markPassed, nextDelayMs } from './schedule.ts'

const GONE = 410

/** An attempt that was made and is not yet written. */
export interface Settlement {
  readonly claimed: Claimed
  readonly attempt: Attempt
}

/** What an attempt leads to: delivered, one more attempt, or the end. */
export function outcomeOf({ claimed, attempt }: Settlement): Outcome {
  const { projectId, endpointId, id, attemptCount, holder } = claimed
  const base = { projectId, endpointId, id, attemptCount, holder, attempt, delayMs: 0 }
  if (isSuccess(attempt)) return { ...base, status: 'delivered' }
  const delayMs = attempt.status === GONE ? null : nextDelayMs(attemptCount + 1)
  return delayMs === null ? { ...base, status: 'failed' } : { ...base, status: 'pending', delayMs }
}

/** Writes outcomes, and ends the retries of deliveries that one of them repeated with success. */
async function write(sql: Queryable, settlements: readonly Settlement[]) {
  await writeOutcomes(sql, settlements.map(outcomeOf))
  const repeating = settlements.filter(({ claimed, attempt }) => claimed.redeliveryOf !== null && isSuccess(attempt))
  if (repeating.length > 0)
    await endRepeated(
      sql,
      repeating.map(({ claimed }) => claimed),
    )
}

/** Writes a batch of outcomes; where one failed, with what it means for its endpoint in the same transaction. */
export async function settle(sql: Sql, settlements: readonly Settlement[], log: Logger) {
  const worked = new Set(settlements.filter(({ attempt }) => isSuccess(attempt)).map(({ claimed }) => claimed.endpointId))
  const recovered = new Set(
    settlements
      .filter(({ claimed }) => claimed.failingSince !== null && worked.has(claimed.endpointId))
      .map(({ claimed }) => claimed.endpointId),
  )
  const failed = new Set(settlements.map(({ claimed }) => claimed.endpointId).filter((id) => !worked.has(id)))
  const gone = new Set(settlements.filter(({ attempt }) => attempt.status === GONE).map(({ claimed }) => claimed.endpointId))
  if (recovered.size + failed.size + gone.size === 0) {
    await write(sql, settlements)
    return
  }
  const failing = await transaction(sql, async (tx) => {
    const failing = failed.size > 0 ? await markFailing(tx, [...failed].sort()) : []
    if (recovered.size > 0) await markRecovered(tx, [...recovered].sort())
    const over = failing.filter(({ id, failingMs }) => !gone.has(id) && markPassed(failingMs) === 100)
    const disabledGone = gone.size > 0 ? await disableEndpoints(tx, [...gone], 'gone') : []
    const disabledFailing =
      over.length > 0
        ? await disableEndpoints(
            tx,
            over.map(({ id }) => id),
            'failing',
          )
        : []
    await write(tx, settlements)
    await cancelWaiting(tx, [...disabledGone, ...disabledFailing])
    for (const endpoint of disabledGone) await notice(tx, endpoint, 'disabled_gone', 100)
    for (const endpoint of disabledFailing) await notice(tx, endpoint, 'disabled_failing', 100)
    for (const endpoint of failing) await warn(tx, endpoint)
    return failing
  })
  for (const { id } of recovered.size > 0 ? [...recovered].map((id) => ({ id })) : [])
    log.info({ endpointId: id }, 'a webhook endpoint works again')
  logFailing(log, settlements, failing)
}

/** Says of each endpoint that has just begun to fail why; later marks are told of by their notices. */
function logFailing(log: Logger, settlements: readonly Settlement[], failing: readonly FailingEndpoint[]) {
  for (const { id, projectId } of failing) {
    const last = settlements.findLast(({ claimed, attempt }) => claimed.endpointId === id && !isSuccess(attempt))
    if (!last || last.claimed.failingSince !== null) continue
    log.warn({ endpointId: id, projectId, status: last.attempt.status, eventType: last.claimed.eventType }, 'a webhook endpoint fails')
  }
}

/** Each mark on the way is told of once. */
async function warn(tx: Tx, endpoint: FailingEndpoint) {
  const mark = markPassed(endpoint.failingMs)
  if (mark <= endpoint.toldPercent || mark === 100) return
  await setTold(tx, endpoint.id, mark)
  await notice(tx, endpoint, 'failing', mark)
}
