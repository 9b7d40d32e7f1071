import { Type as T } from '@sinclair/typebox'
import { type Sent, Sent as SentSchema } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../data/sql.ts'
import { callAdapter } from '../../../integrations/connections/calls/call-adapter.ts'
import { requireMembers } from '../../../integrations/connections/calls/require-members.ts'
import type { CarrierConnection } from '../../../integrations/connections/connection.ts'
import { AdapterFailure } from '../../../integrations/egress/adapter-failure.ts'
import { lockParcel, type ParcelRow, updateParcel } from '../parcels.queries.ts'
import { conclude, later, lookUpDelay, lookUpLater, waitedMs } from './conclude.ts'
import { type Hand, type HandedOver, handOver } from './hand-over.ts'
import { deadlineOf, isHeldAs } from './lease.ts'
import type { Outcome } from './outcome.ts'

/**
 * Somebody began to hand this over and did not finish. By what the carrier can do: repeat under the same reference, look it up, or leave
 * it to a person; it is never sent again blindly.
 */
export async function resume(context: Context, connection: CarrierConnection, parcel: ParcelRow, hand: Hand) {
  const { exactlyOnce, settleSeconds } = connection.mounted.carrier
  const concludeAs = (outcome: Outcome) => conclude(context, connection, [{ asked: parcel, parcel, outcome }])
  // Until its deadline another may be at it: asking the carrier would tell nothing, and use up its quota.
  const underWayMs = deadlineOf(connection) - waitedMs(parcel)
  if (!parcel.outcomeUnknown && underWayMs > 0) return takeUpAt(context, parcel, later(underWayMs))
  if (exactlyOnce === 'unsafe') {
    const message = 'The sending was interrupted; this carrier cannot be asked whether it has the parcel.'
    return concludeAs({ kind: 'unknown', message })
  }
  if (exactlyOnce === 'idempotencyKey') {
    return conclude(context, connection, (await handOver(context, connection, [parcel], hand)).map(stillUnknown))
  }
  const found = await lookUp(context, connection, parcel, hand.signal)
  if (found === 'unreachable') return again(context, connection, parcel, lookUpDelay(parcel))
  if (found) return concludeAs({ kind: 'taken', sent: found })
  // The call may have left at its very deadline, and the carrier may need as long again to show what it took.
  const settlesAt = Date.parse(parcel.submittingSince ?? parcel.updatedAt) + deadlineOf(connection) + settleSeconds * 1000
  if (settlesAt > Date.now()) return again(context, connection, parcel, settlesAt - Date.now())
  // The carrier does not have it, and nothing of ours is on its way any more: it may be sent.
  const message = 'The carrier did not take it at the first try.'
  return concludeAs({ kind: 'not_sent', code: 'not_taken', message, waitMs: 0 })
}

/** That it could not be asked again says nothing of the first time. */
const stillUnknown = (one: HandedOver): HandedOver =>
  one.outcome.kind === 'not_sent' ? { ...one, outcome: { kind: 'unknown', message: one.outcome.message } } : one

const lookUp = (
  context: Context,
  connection: CarrierConnection,
  { id, reference }: ParcelRow,
  signal: AbortSignal,
): Promise<Sent | null | 'unreachable'> =>
  callAdapter(context, connection, (carrier, adapter) => requireMembers(carrier, 'findByReference').findByReference(adapter, reference), {
    operation: 'findByReference',
    parcelIds: [id],
    schema: T.Union([SentSchema, T.Null()]),
    quota: 'lookUp',
    signal,
  }).catch((error) => {
    if (error instanceof AdapterFailure) return 'unreachable' as const
    throw error
  })

async function takeUpAt({ sql }: Context, held: ParcelRow, submitAt: string) {
  await transaction(sql, async (tx) => {
    const parcel = await lockParcel(tx, held)
    if (parcel?.status === 'submitting' && isHeldAs(held, parcel)) await updateParcel(tx, held, { submitAt })
  })
}

async function again({ sql }: Context, connection: CarrierConnection, held: ParcelRow, ms: number) {
  await transaction(sql, async (tx) => {
    const parcel = await lockParcel(tx, held)
    if (parcel?.status !== 'submitting' || !isHeldAs(held, parcel)) return
    await lookUpLater(tx, connection, parcel, 'Whether the carrier has the parcel is being looked up.', ms)
  })
}
