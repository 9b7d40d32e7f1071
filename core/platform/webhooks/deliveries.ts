import type { Context } from '../../context.ts'
import type { Sql, Tx } from '../../data/sql.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { newId } from '../../lib/ids.ts'
import { known } from '../../lib/known.ts'
import { attempt, isSuccess, requestHeaders } from './attempt.ts'
import {
  type DeliveryRow,
  deleteOldDeliveries,
  deleteOldEvents,
  endpointsWithDeliveries,
  findDelivery,
  insertFinished,
  insertRedelivery,
} from './deliveries.queries.ts'
import { eventBody } from './emit.ts'
import { findSecrets } from './endpoints.queries.ts'
import { openSecrets } from './endpoints.ts'
import { TEST_EVENT } from './events.ts'
import { DELIVERIES_KEPT_DAYS, EVENTS_KEPT_DAYS } from './schedule.ts'
import type { Delivery, WebhookEndpoint } from './webhooks.model.ts'

const WRITTEN = 'A delivery that was just written'

/** Row to answer: what was asked and answered last stands beside the list of attempts. */
export function present({ body, url, nextAttemptAt, ...row }: DeliveryRow): Delivery {
  const last = row.attempts.at(-1)
  const headers: Record<string, string> = last ? requestHeaders({ ...last, eventId: row.eventId, eventType: row.eventType }) : {}
  return {
    ...row,
    nextAttemptAt: row.status === 'pending' ? nextAttemptAt : null,
    request: { method: 'POST', url: last?.url ?? url ?? '', headers, body },
    response:
      last && last.status !== null
        ? {
            status: last.status,
            contentType: last.responseType,
            bodyHead: last.responseHead ?? '',
            durationMs: last.durationMs,
          }
        : null,
  }
}

/** Sends the event once more, as a delivery with an id of its own: asked twice, it is sent twice. */
export async function redeliver(tx: Tx, endpoint: WebhookEndpoint, deliveryId: string): Promise<Delivery> {
  const original = await findDelivery(tx, endpoint.id, deliveryId)
  if (!original) throw notFound('The delivery')
  if (!endpoint.enabled)
    throw new ApiError('webhook_endpoint_disabled', 'The endpoint is disabled. Enable it, then send the delivery again.')
  const id = newId('dlv')
  if (!(await insertRedelivery(tx, endpoint.id, deliveryId, id)))
    throw notFound('The event of this delivery, which is kept for a limited time,')
  return present(known(await findDelivery(tx, endpoint.id, id), WRITTEN))
}

/** Sends a test event now, once, also where the endpoint is disabled; the outcome is listed with its deliveries. */
export async function sendTest(
  { sql, vault, webhookOutbound }: Context,
  { id: endpointId, projectId, url }: WebhookEndpoint,
): Promise<Delivery> {
  const secrets = openSecrets(vault, endpointId, (await findSecrets(sql, endpointId)) ?? [])
  const createdAt = new Date().toISOString()
  const event = {
    id: newId('evt'),
    type: TEST_EVENT,
    createdAt,
    projectId,
    data: { endpointId, message: 'A test: nothing has happened.' },
  }
  const body = eventBody(event)
  const outcome = await attempt(webhookOutbound, { url, secrets, eventId: event.id, eventType: event.type, body })
  const id = newId('dlv')
  const status = isSuccess(outcome) ? 'delivered' : 'failed'
  await insertFinished(sql, { endpointId, id, projectId, event: { ...event, body }, status, attempt: outcome })
  return present(known(await findDelivery(sql, endpointId, id), WRITTEN))
}

/** Forgets what is older than it is kept, in small transactions. */
export async function pruneDeliveries(sql: Sql, signal: AbortSignal) {
  for (const endpointId of await endpointsWithDeliveries(sql)) {
    while (!signal.aborted && (await deleteOldDeliveries(sql, endpointId, DELIVERIES_KEPT_DAYS)) > 0);
  }
  while (!signal.aborted && (await deleteOldEvents(sql, EVENTS_KEPT_DAYS)) > 0);
}
