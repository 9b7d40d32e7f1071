import type { OrderState, StatusPushed } from '../../../../plugins/connector/index.ts'
import { printed } from '../../../../plugins/connector/written.ts'
import { present } from '../../../../plugins/toolkit/values.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import { callAdapter } from '../../../integrations/connections/calls/call.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure, isHeldBack } from '../../../integrations/egress/failure.ts'
import type { OrderStatus } from '../../../orders/statuses.ts'
import { inHalves } from '../../sheet-export/halves.ts'
import { shopIfOn } from '../connector.ts'
import { listMarked, listWithMarked, type Pushed, putOff, type UntoldRow, updatePushed } from '../orders/channel-orders.queries.ts'

declare module '../../../data/jobs.ts' {
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
  for (const { connectionId, projectId: owner } of await listWithMarked(sql, CONNECTIONS_MAX)) {
    const name = `channel-tell:${connectionId}`
    await enqueue(sql, 'channels.tell', { connectionId }, { key: name, queue: name, owner })
  }
}

/**
 * Each change once: what was told is written down before the next. Told twice by who died in between, it stands in the shop once. An order that
 * the shop cannot take keeps no other back.
 */
export async function tellShop(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await shopIfOn(context, connectionId)
  if (!connection) return
  const tell = connection.mounted.adapter.pushStates ? tellAtOnce : tellEach
  let after = ''
  for (;;) {
    const rows = await listMarked(context.sql, connectionId, after, AT_ONCE)
    await tell(context, connection, rows, signal)
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}

type Tell = (context: Context, connection: ConnectorConnection, rows: readonly UntoldRow[], signal: AbortSignal) => Promise<void>

const tellEach: Tell = async (context, connection, rows, signal) => {
  const { pushStatus } = connection.mounted.adapter
  for (const row of rows) {
    signal.throwIfAborted()
    const pushed = asPushed(row)
    const said = stateOf(row)
    const status = isNews(row) ? said.status : null
    if (!pushStatus || status === null) await updatePushed(context.sql, row, pushed)
    else {
      const { why: _, message: __, ...told } = said
      const options = { operation: 'pushStatus', deadlineMs: CALL_MS }
      const heard = await refusal(callAdapter(context, connection, (_, own) => pushStatus(own, { ...told, status }), options)).catch(
        orLater,
      )
      await (heard === 'later' ? putOff(context.sql, row.id) : updatePushed(context.sql, row, { ...pushed, ...heard }))
    }
  }
}

/** All of a page in one call, and in halves what was refused: as far as that goes no order is refused for another's fault. */
const tellAtOnce: Tell = async (context, connection, rows, signal) => {
  const { pushStates } = connection.mounted.adapter
  const options = { operation: 'pushStates', deadlineMs: CALL_MS }
  const { refused, left, why } = await inHalves(rows, async (part) => {
    signal.throwIfAborted()
    const states = part.filter((row) => isNews(row) || isNoted(row)).map(stateOf)
    if (pushStates && states.length > 0) await callAdapter(context, connection, (_, own) => pushStates(own, states), options)
    for (const row of part) await updatePushed(context.sql, row, asPushed(row))
  })
  const words = (why?.message ?? '').slice(0, WORDS_MAX)
  for (const row of [...refused, ...left]) await updatePushed(context.sql, row, { ...asPushed(row), refused: words })
}

const wordOf = ({ status }: UntoldRow): Word | null => (status === null ? null : words[status as OrderStatus])

/** How it stands now, as it is written down once that was told. */
const asPushed = (row: UntoldRow): Pushed => ({
  status: row.status,
  trackingId: row.trackingId,
  word: wordOf(row) ?? row.pushed?.word ?? null,
  why: row.why,
})

/** Nobody is told what he said himself, or has been told. */
function isNews(row: UntoldRow): boolean {
  const word = wordOf(row)
  const isEcho = word === 'cancelled' && row.told.status === 'cancelled'
  return word !== null && !isEcho && (word !== row.pushed?.word || row.trackingId !== row.pushed.trackingId)
}

/** Why it waited, or that it waited, is another matter now. */
const isNoted = ({ pushed, why }: UntoldRow): boolean => pushed === null || (pushed.why ?? null) !== why

function stateOf(row: UntoldRow): OrderState {
  const { externalId, why, message, carrier, trackingId } = row
  return {
    externalId,
    why,
    status: wordOf(row),
    ...present({ message: printed(message, WORDS_MAX) }),
    ...(trackingId !== null && { trackingId, ...(carrier !== null && { carrier }) }),
  }
}

/** What the shop will not hear is not said again. */
async function refusal(told: Promise<unknown>): Promise<Pick<Pushed, 'refused'>> {
  try {
    await told
    return {}
  } catch (error) {
    const isRefused = error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')
    if (!isRefused) throw error
    return { refused: error.message.slice(0, WORDS_MAX) }
  }
}

/** It may be this order's fault alone. What nobody is let in for, or asked for any more, says as much of all others. */
function orLater(error: unknown): 'later' {
  const isOfOne = error instanceof AdapterFailure && (error.reason === 'unavailable' || error.reason === 'timeout') && !isHeldBack(error)
  if (!isOfOne) throw error
  return 'later'
}
