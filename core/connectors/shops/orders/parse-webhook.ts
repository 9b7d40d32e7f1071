import { Type as T } from '@sinclair/typebox'
import type { InboundRequest } from '../../../../plugins/adapter.ts'
import { ShopEvent } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'

/** Longest duration of verifying and parsing a webhook, in milliseconds. Neither sends a request. */
export const WEBHOOK_CALL_MS = 5_000

/** Parses the events of a verified webhook. */
export async function parseWebhook(context: Context, connection: ConnectorConnection, request: InboundRequest): Promise<ShopEvent[]> {
  const { webhook } = connection.mounted.adapter
  if (!webhook) return []
  const options = { operation: 'webhook', deadlineMs: WEBHOOK_CALL_MS, schema: T.Array(ShopEvent) }
  return callAdapter(context, connection, (_, own) => webhook.parse(request, own), options)
}
