import type { StatusPushed } from '../../../plugins/connector/index.ts'
import { printed } from '../../../plugins/connector/written.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../data/jobs.ts'
import { AdapterFailure } from '../../platform/gateway/failure.ts'
import { callAdapter } from '../../shop/connections/call.ts'
import type { ConnectorConnection } from '../../shop/connections/connection.ts'
import type { OrderStatus } from '../orders/statuses.ts'
import { listUntold, listWithUntold, type Pushed, type UntoldRow, updatePushed } from './channel-orders.queries.ts'
import { shopIfOn } from './connector.ts'

declare module '../../data/jobs.ts' {
  interface Jobs {
    'channels.tell': { connectionId: string }
    'channels.tellDue': Record<string, unknown>
  }
}

const CALL_MS = 20_000
const AT_ONCE = 100
const CONNECTIONS_MAX = 500
const WORDS_MAX = 300

type Word = StatusPushed['status']

/** What a shop is told of an order of ours; null: nothing that concerns it. */
const words: Readonly<Record<OrderStatus, Word | null>> = {
  pending: null,
  confirmed: 'confirmed',
  unreachable: null,
  postponed: null,
  sent: 'sent',
  out_for_delivery: 'sent',
  returning: 'sent',
  delivered: 'delivered',
  returned: 'returned',
  lost: 'returned',
  cancelled: 'cancelled',
}

export async function tellDue({ sql }: Context): Promise<void> {
  for (const { connectionId } of await listWithUntold(sql, CONNECTIONS_MAX))
    await enqueue(sql, 'channels.tell', { connectionId }, { key: `channel-tell:${connectionId}`, queue: `channel-tell:${connectionId}` })
}

/** Each change once: what was told is written down before the next. Told twice by who died in between, it stands in the shop once. */
export async function tellShop(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await shopIfOn(context, connectionId)
  if (!connection) return
  let after = ''
  for (;;) {
    const rows = await listUntold(context.sql, connectionId, after, AT_ONCE)
    for (const row of rows) {
      signal.throwIfAborted()
      await updatePushed(context.sql, row.id, await told(context, connection, row))
    }
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}

async function told(context: Context, connection: ConnectorConnection, row: UntoldRow): Promise<Pushed> {
  const { externalId, trackingId, carrier, why } = row
  const { pushStatus, pushNote } = connection.mounted.adapter
  const isNoted = (row.pushed?.why ?? null) !== why || row.pushed === null
  if (pushNote && isNoted) {
    const note = { externalId, why, ...(row.message !== null && { message: printed(row.message, WORDS_MAX) ?? '' }) }
    const pushed = { status: null, trackingId: null, word: null, ...row.pushed, why }
    return unlessRefused(pushed, () =>
      callAdapter(context, connection, (_, own) => pushNote(own, note), { operation: 'pushNote', deadlineMs: CALL_MS }),
    )
  }
  if (row.status === null) return { status: null, trackingId: null, word: null, why }
  const status = row.status as OrderStatus
  const word = words[status] ?? null
  const isNews = word !== null && (word !== row.pushed?.word || trackingId !== row.pushed.trackingId)
  // Nobody is told what he said himself.
  const isEcho = word === 'cancelled' && row.told.status === 'cancelled'
  if (!pushStatus || !isNews || isEcho) return { status, trackingId, word: word ?? row.pushed?.word ?? null, why }
  const said = { externalId, status: word, ...(trackingId !== null && { trackingId, ...(carrier !== null && { carrier }) }) }
  return unlessRefused({ status, trackingId, word, why }, () =>
    callAdapter(context, connection, (_, own) => pushStatus(own, said), { operation: 'pushStatus', deadlineMs: CALL_MS }),
  )
}

/** What the shop will not hear is not said again. */
async function unlessRefused(pushed: Pushed, work: () => Promise<unknown>): Promise<Pushed> {
  try {
    await work()
    return pushed
  } catch (error) {
    const isRefused = error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')
    if (!isRefused) throw error
    return { ...pushed, refused: error.message.slice(0, WORDS_MAX) }
  }
}
