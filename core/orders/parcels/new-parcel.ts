import type { Static } from '@sinclair/typebox'
import type { SendOptions } from '../../../plugins/carrier/segments.model.ts'
import type { Tx } from '../../data/sql.ts'
import { parseMoney } from '../../http/body/amount.ts'
import { ApiError, invalidValue } from '../../http/errors/errors.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { amend } from '../../logistics/parcels/change/amend.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { addSaid } from '../change/overrides.queries.ts'
import type { OrderRow, Said } from '../orders.queries.ts'

export type SendChoice = Static<typeof SendOptions>

/** Where it goes, as it is sent now: a centre of another carrier is none of this one's. */
function wanted(
  place: ParcelRow['destination'],
  live: ParcelRow | undefined,
  connection: CarrierConnection,
  { deliveryType, pickupId }: SendChoice,
) {
  const moved = live !== undefined && live.carrierAccountId !== connection.row.id
  return { ...place, ...(moved && { pickupId: null }), ...(deliveryType && { deliveryType }), ...(pickupId && { pickupId }) }
}

const chosen = ({ weightKg, dimensions, notes }: SendChoice) => ({
  ...(weightKg !== undefined && { weightKg: String(weightKg) }),
  ...(dimensions && { dimensions }),
  ...(notes !== undefined && { notes }),
})

/** What of these does not follow the order any more. */
export const saidOf = ({ weightKg, notes }: SendChoice): Said[] => [
  ...(weightKg !== undefined ? (['weightKg'] as const) : []),
  ...(notes !== undefined ? (['notes'] as const) : []),
]

/** What a parcel was asked to collect; null where nothing was said. */
export const amountAsked = (codAmount: number | undefined, { mounted: { carrier } }: CarrierConnection): Decimal | null =>
  codAmount === undefined ? null : parseMoney(codAmount, '/body/codAmount', carrier.currency)

/** Throws where what was asked to be collected is not what this parcel may. */
export function assertAmount(asked: Decimal | null, collects: Decimal) {
  if (asked !== null && asked !== collects)
    throw invalidValue(
      '/body/codAmount',
      `This parcel can collect ${decimalText(collects)}: all parcels of an order collect what it comes to.`,
    )
}

/** A parcel that is there already: one that no carrier has goes to the one that is asked now, as it is asked now. */
export async function askedAgain(
  tx: Tx,
  parcel: ParcelRow,
  connection: CarrierConnection,
  options: SendChoice,
  toCollect: Decimal | null,
): Promise<ParcelRow> {
  if (parcel.status === 'created') {
    assertAmount(toCollect, decimal(parcel.codAmount))
    const destination = wanted(parcel.destination, parcel, connection, options)
    const { orderId, partId } = parcel
    await addSaid(tx, { storeId: connection.row.storeId, orderId, partId }, saidOf(options))
    return amend(tx, parcel, { carrierAccountId: connection.row.id, courierId: connection.row.key, destination, ...chosen(options) })
  }
  if (parcel.carrierAccountId === connection.row.id) return parcel
  const what = parcel.partId === null ? 'The order' : 'This part of the order'
  throw new ApiError('order_already_sent', `${what} is with ${parcel.courierId} already. Unsend it there first.`)
}

/** The parcel of an order, but for what it takes over. */
export function newParcel(
  order: OrderRow,
  connection: CarrierConnection,
  { tenantId, weightKg }: { tenantId: number; weightKg: number },
  options: SendChoice,
) {
  return {
    projectId: connection.row.projectId,
    tenantId,
    // A carrier that remembers what was cancelled must not take it for this one.
    reference: order.sendings === 0 ? order.reference : `${order.reference}-${order.sendings + 1}`,
    orderId: order.id,
    carrierAccountId: connection.row.id,
    courierId: connection.row.key,
    weightKg: String(weightKg),
    dimensions: null,
    destination: wanted(order.destination, undefined, connection, options),
    ...chosen(options),
  }
}

export const sentAs = ({ sendings }: OrderRow, parcelId: string) => ({ parcelId, sendings: sendings + 1, heldUntil: null })
