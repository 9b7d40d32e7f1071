import { Subscribed } from '../../../../plugins/connector/model.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { ApiError, notFound } from '../../../http/errors/errors.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { findConnection } from '../../../integrations/connections/connections.queries.ts'
import { addCredentials } from '../../../integrations/connections/note.ts'
import { AdapterFailure } from '../../../integrations/egress/failure.ts'
import { inTurn } from '../../sheet-export/slot.ts'
import { channelOf, listUnsure, markAsked, updateChannel } from '../channels.queries.ts'
import { openShop, shopIfOn } from '../connector.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'channels.subscribe': { connectionId: string }
    'channels.subscribeUnsure': Record<string, unknown>
  }
}

const CALL_MS = 20_000
/** Shops switch off what failed a few times. */
const SURE_HOURS = 20
const AT_ONCE = 500
const WORDS_MAX = 500

/**
 * The shop is asked to tell what becomes of its orders at this address; asked again, what it switched off is on again. One at a time: two who see
 * that nothing is there would both make it, each with a secret of its own.
 */
export const subscribe = (context: Context, connection: ConnectorConnection, address: string): Promise<void> =>
  inTurn(context, 'subscribe', connection.row.id, async () => ask(context, await asItIs(context, connection), address))

/** Whoever had the turn before may have been given credentials. */
async function asItIs(context: Context, { row: { id } }: ConnectorConnection): Promise<ConnectorConnection> {
  const row = await findConnection(context.sql, id)
  if (!row) throw notFound('The connector')
  return openShop(context, row)
}

async function ask(context: Context, connection: ConnectorConnection, address: string): Promise<void> {
  const { adapter } = connection.mounted
  const { subscribe: asked } = adapter
  if (!asked) throw new ApiError('not_found', `${adapter.label} calls nobody back: its orders are read every few hours, or by …/pull.`)
  const { id } = connection.row
  await channelOf(context.sql, id)
  const options = { operation: 'subscribe', deadlineMs: CALL_MS, schema: Subscribed }
  const { credentials = {} } = await callAdapter(context, connection, (_, own) => asked(own, { address }), options)
  const declared = Object.entries(credentials).filter(([name]) => Object.hasOwn(adapter.credentials, name))
  if (declared.length > 0) await addCredentials(context, connection, Object.fromEntries(declared))
  await updateChannel(context.sql, id, { webhookAddress: address, subscribedAt: new Date().toISOString(), subscribeMessage: null })
}

export async function subscribeAgain(context: Context, connectionId: string): Promise<void> {
  const connection = await shopIfOn(context, connectionId)
  const { webhookAddress } = await channelOf(context.sql, connectionId)
  if (!connection || webhookAddress === null) return
  await subscribe(context, connection, webhookAddress).catch(async (error: unknown) => {
    if (!(error instanceof AdapterFailure)) throw error
    await updateChannel(context.sql, connectionId, { subscribeMessage: error.message.slice(0, WORDS_MAX) })
    if (error.reason === 'unavailable' || error.reason === 'rate_limited' || error.reason === 'timeout') throw error
  })
}

export async function subscribeUnsure({ sql }: Context): Promise<void> {
  const unsure = await listUnsure(sql, SURE_HOURS, AT_ONCE)
  await markAsked(
    sql,
    unsure.map(({ id }) => id),
  )
  for (const { id, projectId: owner } of unsure)
    await enqueue(sql, 'channels.subscribe', { connectionId: id }, { key: `channel-subscribe:${id}`, maxAttempts: 5, owner })
}
