import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import type { AdapterContext, ChallengeAnswer, InboundRequest, Webhook, WebhookResult } from '../../../plugins/adapter.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../lib/errors/domain-error.ts'
import { toDomainError } from '../connections/calls/adapter-failures.ts'
import { callAdapter } from '../connections/calls/call-adapter.ts'
import type { Connection } from '../connections/connection.ts'
import { limitByOwner } from './limit-by-owner.ts'
import { webhookErrors } from './webhook-intake.errors.ts'

/** Longest duration of reading a webhook, in milliseconds. */
const CALL_MS = 5_000

/** Events of a webhook whose sender is proven. If it is not `signed`, they are hints: the resources that they name are read again. */
export interface ProvenWebhook<Event> {
  readonly signed: boolean
  readonly events: readonly Event[]
}

/** Handles the events of a proven webhook, and returns the `data` of the answer. */
export type WebhookHandler<C extends Connection, Event> = (
  context: Context,
  connection: C,
  webhook: ProvenWebhook<Event>,
) => Promise<object>

/**
 * Receives a webhook for a connection: answers a challenge, else passes the events on if the sender is proven. Throws `invalid_signature`,
 * the errors of a failed call of the adapter, `rate_limited` and `unavailable`.
 */
export function receiveWebhook<C extends Connection, E extends TSchema>(
  context: Context,
  connection: C,
  request: InboundRequest,
  event: E,
  handle: WebhookHandler<C, Static<E>>,
): Promise<ChallengeAnswer> {
  return limitByOwner(context, connection, async () => {
    const result = await askAdapter<Static<E>>(context, connection, request, event)
    if (result.outcome === 'challenge') return result.answer
    if (result.outcome === 'invalid') throw webhookErrors.signatureInvalid()
    const data = await handle(context, connection, result)
    return { status: 200, contentType: 'application/json', body: JSON.stringify({ data }) }
  })
}

async function askAdapter<Event>(
  context: Context,
  connection: Connection,
  request: InboundRequest,
  event: TSchema,
): Promise<WebhookResult<Event>> {
  const { webhook } = connection.mounted.adapter as { webhook?: Webhook }
  if (!webhook) throw notFound('A webhook of this adapter')
  const within = <V>(work: (own: AdapterContext) => V | Promise<V>, schema?: TSchema) =>
    callAdapter(context, connection, (_, own) => work(own), { operation: 'webhook', deadlineMs: CALL_MS, ...(schema && { schema }) }).catch(
      (error) => Promise.reject(toDomainError(error)),
    )
  const answer = await within((own) => webhook.challenge?.(request, own) ?? null)
  if (answer) return { outcome: 'challenge', answer }
  if (!(await within((own) => webhook.verify(request, own)))) return { outcome: 'invalid' }
  const events = (await within((own) => webhook.parse(request, own), T.Array(event))) as Event[]
  return { outcome: 'events', signed: webhook.unsigned === undefined, events }
}
