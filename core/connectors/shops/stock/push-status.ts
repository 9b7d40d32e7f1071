import type { OrderState, StatusPushed } from '../../../../plugins/connector/index.ts'
import { printed } from '../../../../plugins/connector/written.ts'
import { present } from '../../../../plugins/toolkit/values.ts'
import type { Context } from '../../../context.ts'
import { enqueue } from '../../../data/jobs.ts'
import type { Tx } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import type { ConnectorConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure, isThrottled } from '../../../integrations/egress/adapter-failure.ts'
import type { OrderChange } from '../../../orders/changes/changes.model.ts'
import { drainChanges } from '../../../orders/changes/drain-changes.ts'
import type { OrderStatus } from '../../../orders/statuses.ts'
import { callInHalves } from '../../sheet-export/call-in-halves.ts'
import { findEnabledShop } from '../connector.ts'
import {
  delayStatusPush,
  listConnectionsToPush,
  listOrdersToPush,
  markOrdersForPush,
  type PushedState,
  recordPushedState,
  type UnpushedOrderRow,
} from '../orders/shop-orders.queries.ts'

declare module '../../../data/jobs.ts' {
  interface Jobs {
    'connectors.pushStatus': { connectionId: string }
    'connectors.pushStatusDue': Record<string, unknown>
  }
}

const CALL_MS = 20_000
const AT_ONCE = 100
const CONNECTIONS_MAX = 500
const MESSAGE_MAX = 300

type ShopStatus = StatusPushed['status']

/** Status that a shop receives for a status of our order; null if it does not concern the shop. */
const shopStatuses: Readonly<Record<OrderStatus, ShopStatus | null>> = {
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

/** Enqueues the status pushes of connections that have any due. */
export async function requestDueStatusPushes({ sql, log }: Context): Promise<void> {
  await drainChanges({ sql, log })
  for (const { connectionId, projectId: owner } of await listConnectionsToPush(sql, CONNECTIONS_MAX)) {
    const name = `channel-tell:${connectionId}`
    await enqueue(sql, 'connectors.pushStatus', { connectionId }, { key: name, queue: name, owner })
  }
}

/**
 * Runs the job that pushes order statuses to a shop. Records each push before the next one; a push that is repeated after a crash changes
 * nothing. A refused order does not block the others.
 */
export async function pushStatuses(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const connection = await findEnabledShop(context, connectionId)
  if (!connection) return
  const pushOrders = connection.mounted.adapter.pushStates ? pushTogether : pushEach
  let after = ''
  for (;;) {
    const rows = await listOrdersToPush(context.sql, connection.row, after, AT_ONCE)
    await pushOrders(context, connection, rows, signal)
    after = rows.at(-1)?.id ?? after
    if (rows.length < AT_ONCE) return
  }
}

type PushOrders = (
  context: Context,
  connection: ConnectorConnection,
  rows: readonly UnpushedOrderRow[],
  signal: AbortSignal,
) => Promise<void>

const pushEach: PushOrders = async (context, connection, rows, signal) => {
  const { pushStatus } = connection.mounted.adapter
  for (const row of rows) {
    signal.throwIfAborted()
    const pushed = pushedStateOf(row)
    const orderState = stateOf(row)
    const status = isUnknownToShop(row) ? orderState.status : null
    if (!pushStatus || status === null) await recordPushedState(context.sql, row, pushed)
    else {
      const { why: _, message: __, ...publicState } = orderState
      const options = { operation: 'pushStatus', deadlineMs: CALL_MS }
      const result = await refusalOf(
        callAdapter(context, connection, (_, own) => pushStatus(own, { ...publicState, status }), options),
      ).catch(delayOrThrow)
      await (result === 'later' ? delayStatusPush(context.sql, row) : recordPushedState(context.sql, row, { ...pushed, ...result }))
    }
  }
}

/** Pushes a page of orders in one call, and halves of it if it was refused, so that no order is refused for another's fault. */
const pushTogether: PushOrders = async (context, connection, rows, signal) => {
  const { pushStates } = connection.mounted.adapter
  const options = { operation: 'pushStates', deadlineMs: CALL_MS }
  const {
    refused,
    untried: left,
    why,
  } = await callInHalves(rows, async (part) => {
    signal.throwIfAborted()
    const states = part.filter((row) => isUnknownToShop(row) || hasNewReason(row)).map(stateOf)
    if (pushStates && states.length > 0) await callAdapter(context, connection, (_, own) => pushStates(own, states), options)
    for (const row of part) await recordPushedState(context.sql, row, pushedStateOf(row))
  })
  const reason = (why?.message ?? '').slice(0, MESSAGE_MAX)
  for (const row of [...refused, ...left]) await recordPushedState(context.sql, row, { ...pushedStateOf(row), refused: reason })
}

const shopStatusOf = ({ status }: UnpushedOrderRow): ShopStatus | null => (status === null ? null : shopStatuses[status as OrderStatus])

/** Returns the state to record once it is pushed. */
const pushedStateOf = (row: UnpushedOrderRow): PushedState => ({
  status: row.status,
  trackingId: row.trackingId,
  word: shopStatusOf(row) ?? row.pushed?.word ?? null,
  why: row.why,
})

/** Returns true if the shop does not know this status: it was neither pushed before, nor set by the shop itself. */
function isUnknownToShop(row: UnpushedOrderRow): boolean {
  const word = shopStatusOf(row)
  const isEcho = word === 'cancelled' && row.told.status === 'cancelled'
  return word !== null && !isEcho && (word !== row.pushed?.word || row.trackingId !== row.pushed.trackingId)
}

/** Returns true if the reason for waiting has changed since the last push. */
const hasNewReason = ({ pushed, why }: UnpushedOrderRow): boolean => pushed === null || (pushed.why ?? null) !== why

function stateOf(row: UnpushedOrderRow): OrderState {
  const { externalId, why, message, carrier, trackingId } = row
  return {
    externalId,
    why,
    status: shopStatusOf(row),
    ...present({ message: printed(message, MESSAGE_MAX) }),
    ...(trackingId !== null && { trackingId, ...(carrier !== null && { carrier }) }),
  }
}

/** Awaits a push and returns the refusal of the shop, which is not repeated. Throws other failures. */
async function refusalOf(told: Promise<unknown>): Promise<Pick<PushedState, 'refused'>> {
  try {
    await told
    return {}
  } catch (error) {
    const isRefused = error instanceof AdapterFailure && (error.reason === 'refused' || error.reason === 'not_found')
    if (!isRefused) throw error
    return { refused: error.message.slice(0, MESSAGE_MAX) }
  }
}

/** Returns `later` for a failure that may concern this order alone. Throws failures that concern the whole connection. */
function delayOrThrow(error: unknown): 'later' {
  const isOfOne = error instanceof AdapterFailure && (error.reason === 'unavailable' || error.reason === 'timeout') && !isThrottled(error)
  if (!isOfOne) throw error
  return 'later'
}

/** Marks the shops' orders whose status or parcel changed. The job `connectors.pushStatusDue` tells the shops. */
export async function markMovedOrders(tx: Tx, changes: readonly OrderChange[]): Promise<void> {
  const moved = changes.filter(({ changed }) => changed?.includes('status') || changed?.includes('parcel_id'))
  if (moved.length > 0) await markOrdersForPush(tx, moved)
}
