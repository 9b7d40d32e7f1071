import { Subscribed } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { findConnection } from '../../../integrations/connections/connections.queries.ts'
import { addConnectionCredentials } from '../../../integrations/connections/update-connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { notFound } from '../../../lib/errors/domain-error.ts'
import { withFileLease } from '../../sheet-export/file-lease.ts'
import { findEnabledShop, openShop } from '../connector.ts'
import { findOrInsertShopSync, listStaleSubscriptions, markSubscriptionsChecked, updateShopSync } from '../shop-sync.queries.ts'
import { connectorShopErrors } from '../shops.errors.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connectors.registerWebhooks': { connectionId: string }
    'connectors.registerMissingWebhooks': Record<string, unknown>
  }
}

const CALL_MS = 20_000
/** Hours after which a subscription is renewed: shops switch webhooks off after a few failures. */
const SURE_HOURS = 20
const AT_ONCE = 500
const MESSAGE_MAX = 500

/**
 * Registers the webhooks of a shop at an address, and switches them on again. Runs under a lease: concurrent calls would register twice,
 * each with a secret of its own. Throws `AdapterFailure`.
 */
export const registerWebhooks = (context: Context, connection: ConnectorConnection, address: string): Promise<void> =>
  withFileLease(context, 'subscribe', connection.row.id, async () => callSubscribe(context, await reopen(context, connection), address))

/** Opens the connection again: an earlier holder of the lease may have changed its credentials. */
async function reopen(context: Context, { row }: ConnectorConnection): Promise<ConnectorConnection> {
  const now = await findConnection(context.sql, row)
  if (!now) throw notFound('The connector')
  return openShop(context, now)
}

async function callSubscribe(context: Context, connection: ConnectorConnection, address: string): Promise<void> {
  const { adapter } = connection.mounted
  const { subscribe: subscribeAt } = adapter
  if (!subscribeAt) throw connectorShopErrors.noWebhooks({ label: adapter.label })
  await findOrInsertShopSync(context.sql, connection.row)
  const options = { operation: 'subscribe', deadlineMs: CALL_MS, schema: Subscribed }
  const { credentials = {} } = await callAdapter(context, connection, (_, own) => subscribeAt(own, { address }), options)
  const declared = Object.entries(credentials).filter(([name]) => Object.hasOwn(adapter.credentials, name))
  if (declared.length > 0) await addConnectionCredentials(context, connection, Object.fromEntries(declared))
  await updateShopSync(context.sql, connection.row, {
    webhookAddress: address,
    subscribedAt: new Date().toISOString(),
    subscribeMessage: null,
  })
}

/** Runs the job that renews a subscription. Records the failure, and throws it if a retry may help. */
export async function renewWebhooks(context: Context, connectionId: string): Promise<void> {
  const connection = await findEnabledShop(context, connectionId)
  if (!connection) return
  const { webhookAddress } = await findOrInsertShopSync(context.sql, connection.row)
  if (webhookAddress === null) return
  await registerWebhooks(context, connection, webhookAddress).catch(async (error: unknown) => {
    if (!(error instanceof AdapterFailure)) throw error
    await updateShopSync(context.sql, connection.row, { subscribeMessage: error.message.slice(0, MESSAGE_MAX) })
    if (error.reason === 'unavailable' || error.reason === 'rate_limited' || error.reason === 'timeout') throw error
  })
}

/** Enqueues the renewal of subscriptions that were not renewed for a day. */
export async function requestStaleWebhookRenewals({ sql }: Context): Promise<void> {
  const stale = await listStaleSubscriptions(sql, SURE_HOURS, AT_ONCE)
  await markSubscriptionsChecked(sql, stale)
  for (const { id, projectId: owner } of stale)
    await enqueue(sql, 'connectors.registerWebhooks', { connectionId: id }, { key: `channel-subscribe:${id}`, maxAttempts: 5, owner })
}
