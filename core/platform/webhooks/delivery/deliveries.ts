import type { Context } from '../../../context.ts'
import type { Tx } from '../../../data/sql.ts'
import { limitConcurrency } from '../../../http/concurrency.ts'
import { readList } from '../../../http/resource/list.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { newId } from '../../../lib/ids.ts'
import { invariant } from '../../../lib/invariant.ts'
import { eventBody } from '../emit.ts'
import { type EndpointRef, findSecrets } from '../endpoints.queries.ts'
import { decryptSecrets } from '../endpoints.ts'
import { TEST_EVENT } from '../events.ts'
import { webhookErrors } from '../webhooks.errors.ts'
import { type Delivery, deliveryList, type WebhookEndpoint } from '../webhooks.model.ts'
import { isSuccess, requestHeaders, sendAttempt } from './attempt.ts'
import { type DeliveryRow, findDelivery, insertCompletedDelivery, insertRedelivery, listDeliveries } from './deliveries.queries.ts'

const WRITTEN_DELIVERY = 'A delivery that was just written'

/** Limits concurrent tests. Each uses one of the process's outbound requests until the receiver responds. */
const limitTests = limitConcurrency({ own: 4, all: 16 }, 'Too many endpoints are being tested.')

/** Builds the API view of a delivery, with the request and response of its last attempt. */
function present({ body, url, nextAttemptAt, ...row }: DeliveryRow): Delivery {
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

/** Reads a page of the deliveries to an endpoint. */
export async function listDeliveriesTo({ sql }: Context, receiver: EndpointRef, query: Record<string, unknown>) {
  const found = await readList(sql, deliveryList, query, (reader, asked) => listDeliveries(reader, receiver, asked))
  return { ...found, data: found.data.map(present) }
}

/** Sends an event again as a new delivery. Not idempotent: each call sends once. Throws `not_found` and `webhook_endpoint_disabled`. */
export async function redeliver(tx: Tx, endpoint: WebhookEndpoint, deliveryId: string): Promise<Delivery> {
  const original = await findDelivery(tx, endpoint, deliveryId)
  if (!original) throw notFound('The delivery')
  if (!endpoint.enabled) throw webhookErrors.endpointDisabled()
  const id = newId('dlv')
  if (!(await insertRedelivery(tx, endpoint, deliveryId, id)))
    throw notFound('The event of this delivery, which is kept for a limited time,')
  return present(invariant(await findDelivery(tx, endpoint, id), WRITTEN_DELIVERY))
}

/** Sends a test event at once, even if the endpoint is disabled. The result is listed with its deliveries. Throws `unavailable`. */
export const sendTest = (context: Context, endpoint: WebhookEndpoint): Promise<Delivery> =>
  limitTests(endpoint.projectId, () => runTest(context, endpoint))

async function runTest({ sql, vault, webhookOutbound }: Context, { id: endpointId, projectId, url }: WebhookEndpoint): Promise<Delivery> {
  const secrets = decryptSecrets(vault, endpointId, (await findSecrets(sql, { projectId, id: endpointId })) ?? [])
  const createdAt = new Date().toISOString()
  const event = {
    id: newId('evt'),
    type: TEST_EVENT,
    createdAt,
    projectId,
    data: { endpointId, message: 'A test: nothing has happened.' },
  }
  const body = eventBody(event)
  const outcome = await sendAttempt(webhookOutbound, { url, secrets, eventId: event.id, eventType: event.type, body })
  const id = newId('dlv')
  const status = isSuccess(outcome) ? 'delivered' : 'failed'
  await insertCompletedDelivery(sql, { endpointId, id, projectId, event: { ...event, body }, status, attempt: outcome })
  return present(invariant(await findDelivery(sql, { id: endpointId, projectId }, id), WRITTEN_DELIVERY))
}
