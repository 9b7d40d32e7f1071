import type { ChallengeAnswer, InboundRequest } from '../../../plugins/adapter.ts'
import type { KindName } from '../../../plugins/kinds.ts'
import type { Context } from '../../context.ts'
import { type DomainError, notFound } from '../../lib/errors/domain-error.ts'
import { toDomainError } from '../connections/calls/adapter-failures.ts'
import { openConnection } from '../connections/connection.ts'
import { findConnectionByKey } from '../connections/connections.queries.ts'
import { askAdapter } from './ask-adapter.ts'
import { limitByOwner } from './limit-by-owner.ts'
import type { ProvenWebhook, Recipient, WebhookHandler, WebhookKind } from './webhook-handlers.ts'
import { webhookErrors } from './webhook-intake.errors.ts'

/**
 * Receives a webhook at the address of a store and an adapter, and passes its events to the handler of the kind. Throws `not_found` for a
 * store that is not connected, and the errors of {@link receiveWebhook}.
 */
export async function receiveAtStore(
  context: Context,
  kind: KindName,
  key: string,
  storeId: string,
  request: InboundRequest,
): Promise<ChallengeAnswer> {
  const handlers = context.operationRegistry.webhookHandlers(kind)
  if (!handlers) throw notFound('A webhook of this adapter')
  const recipients = await (handlers.findRecipients?.(context, storeId, key) ?? findStoreRecipient(context, kind, key, storeId))
  // The registry gives the handlers of the kind to which all these connections belong.
  return receiveWebhook(context, recipients as Recipient<WebhookKind>[], request, handlers.handle as WebhookHandler<WebhookKind>)
}

async function findStoreRecipient(context: Context, kind: KindName, key: string, storeId: string) {
  const row = await findConnectionByKey(context.sql, storeId, key)
  if (!row) throw notFound('The connection')
  return [{ connection: openConnection(context, kind, row) }]
}

/**
 * Receives a webhook for its recipients, with one call of the adapter for each. Answers a challenge, else handles the webhook for each
 * recipient that proves its sender. Throws `rejection` (`invalid_signature`) if none does, the errors of a failed call, `rate_limited`,
 * `unavailable`.
 */
export async function receiveWebhook<K extends WebhookKind>(
  context: Context,
  recipients: readonly Recipient<K>[],
  request: InboundRequest,
  handle: WebhookHandler<K>,
  rejection: () => DomainError = webhookErrors.signatureInvalid,
): Promise<ChallengeAnswer> {
  let handled: object | undefined
  for (const { connection, accepts = () => true } of recipients) {
    const answer = await limitByOwner(context, connection, async () => {
      const result = await askAdapter(context, connection, request).catch((error) => Promise.reject(toDomainError(error)))
      if (result.outcome === 'challenge') return result.answer
      if (result.outcome === 'invalid') return null
      // The schema of the kind was checked.
      const webhook = result as ProvenWebhook<K>
      if (accepts(webhook)) handled = await handle(context, connection, webhook, request)
      return null
    })
    if (answer) return answer
  }
  if (!handled) throw rejection()
  return { status: 200, contentType: 'application/json', body: JSON.stringify({ data: handled }) }
}
