import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import type { Tx } from '../../data/sql.ts'
import { callAdapter } from '../../integrations/connections/calls/call.ts'
import { type ConnectorConnection, openConnection } from '../../integrations/connections/connection.ts'
import { clientOf } from '../../integrations/connections/oauth-client/client.ts'
import { channelOf, listCalling, listOfShop } from './channels.queries.ts'
import { openNamed } from './connector.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'channels.part': { connectionId: string }
  }
}

const CALL_MS = 20_000

/** A shop that is connected no more calls no more. */
export async function partFrom(context: Context, row: ConnectorConnection['row']): Promise<void> {
  if (context.plugins.find('connector', row.key)) await unsubscribe(context, openConnection(context, 'connector', row))
}

/** The shops of a store that goes are told so once it is gone. */
export async function requestParting(tx: Tx, storeId: string): Promise<void> {
  for (const { id } of await listCalling(tx, storeId)) await enqueue(tx, 'channels.part', { connectionId: id })
}

/** As well as can be: a shop that does not answer calls an address that is not there any more, and gives up. */
async function unsubscribe(context: Context, connection: ConnectorConnection): Promise<void> {
  const { unsubscribe: ask } = connection.mounted.adapter
  const { webhookAddress: address } = await channelOf(context.sql, connection.row.id)
  if (!ask || address === null || (await isNeededByAnother(context, connection))) return
  await callAdapter(context, connection, (_, own) => ask(own, { address }), { operation: 'unsubscribe', deadlineMs: CALL_MS }).catch(
    (err: unknown) => context.log.warn({ err, connectionId: connection.row.id }, 'a shop was not told to call no more'),
  )
}

/** Where an app is told whatever its address: whether the same app is to go on hearing of the same shop, for another connection. */
async function isNeededByAnother(context: Context, connection: ConnectorConnection): Promise<boolean> {
  const { row, mounted } = connection
  const { subscribesApp, shopInBody } = mounted.adapter
  const shop = shopInBody && row.settings[shopInBody.setting]
  if (!subscribesApp || !shopInBody || typeof shop !== 'string' || shop === '') return false
  const ours = await clientOf(context, connection)
  const named = await listOfShop(context.sql, row.key, shopInBody.setting, [shop])
  for (const other of await openNamed(context, named))
    if (other.row.id !== row.id && (await clientOf(context, other))?.id === ours?.id) return true
  return false
}
