import { Type as T } from '@sinclair/typebox'
import { SentRow, Sent as SentSchema } from '../../../../plugins/carrier/model.ts'
import type { Context } from '../../../context.ts'
import { callAdapter } from '../../../shop/connections/call.ts'
import type { CarrierConnection } from '../../../shop/connections/connection.ts'
import { having } from '../../../shop/connections/having.ts'
import { inCarrierWords } from '../../../shop/connections/sync-places.ts'
import type { ParcelRow } from '../parcels.queries.ts'
import { deadlineOf } from './lease.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { prepare, type Ready } from './prepare.ts'
import { shipmentOf } from './shipment.ts'

export interface HandedOver extends Ready {
  readonly outcome: Outcome
}

/** Hands claimed parcels to their carrier, several in one call where it takes them; gives back what came of each. */
export async function handOver(
  context: Context,
  connection: CarrierConnection,
  claimed: readonly ParcelRow[],
  signal: AbortSignal,
): Promise<HandedOver[]> {
  const { ready, failed } = await prepare(context, connection, claimed)
  const parcels = ready.map(({ parcel }) => parcel)
  const outcomes = parcels.length > 1 ? await sendTogether(context, connection, parcels, signal) : undefined
  const handed = ready.map(async (one) => ({
    ...one,
    outcome: outcomes?.(one.parcel) ?? (await sendOne(context, connection, one.parcel, signal)),
  }))
  return [...failed, ...(await Promise.all(handed))]
}

async function sendOne(context: Context, connection: CarrierConnection, parcel: ParcelRow, signal: AbortSignal): Promise<Outcome> {
  try {
    const shipment = await inCarrierWords(context, connection, shipmentOf(parcel))
    const sent = await callAdapter(context, connection, (carrier, adapter) => carrier.send(adapter, shipment), {
      operation: 'send',
      parcelIds: [parcel.id],
      deadlineMs: deadlineOf(connection),
      schema: SentSchema,
      signal,
    })
    return { kind: 'taken', sent }
  } catch (error) {
    return outcomeOf(error)
  }
}

async function sendTogether(
  context: Context,
  connection: CarrierConnection,
  parcels: readonly ParcelRow[],
  signal: AbortSignal,
): Promise<(parcel: ParcelRow) => Outcome> {
  try {
    const shipments = await Promise.all(parcels.map((parcel) => inCarrierWords(context, connection, shipmentOf(parcel))))
    const rows = await callAdapter(context, connection, (carrier, adapter) => having(carrier, 'sendMany').sendMany(adapter, shipments), {
      operation: 'sendMany',
      parcelIds: parcels.map(({ id }) => id),
      deadlineMs: deadlineOf(connection),
      schema: T.Array(SentRow),
      signal,
    })
    const byReference = new Map(rows.map((row) => [row.reference, row]))
    return ({ reference }) => {
      const row = byReference.get(reference)
      if (row?.sent) return { kind: 'taken', sent: row.sent }
      return row?.refused ? { kind: 'refused', ...row.refused } : { kind: 'unknown', message: 'The carrier said nothing of this parcel.' }
    }
  } catch (error) {
    const outcome = outcomeOf(error)
    return () => outcome
  }
}
