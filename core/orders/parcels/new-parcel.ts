import type { Static } from '@sinclair/typebox'
import type { SendOptions } from '../../../plugins/carrier/segments.model.ts'
import type { Tx } from '../../data/sql.ts'
import { parseMoney } from '../../http/body/amount.ts'
import type { CarrierConnection } from '../../integrations/connections/connection.ts'
import { type Decimal, decimal, decimalText } from '../../lib/money/decimal.ts'
import { updateUnsentParcel } from '../../logistics/parcels/change/update-unsent.ts'
import type { ParcelRow } from '../../logistics/parcels/parcels.queries.ts'
import { addOverrides } from '../change/overrides.queries.ts'
import { orderErrors } from '../orders.errors.ts'
import type { OrderRow, OverridableField } from '../orders.queries.ts'

/** Options of one sending. */
export type SendChoice = Static<typeof SendOptions>

/** Destination for this sending. Drops the pickup point when the carrier of the present parcel changes, because each carrier has its own. */
function destinationFor(
  destination: ParcelRow['destination'],
  present: ParcelRow | undefined,
  connection: CarrierConnection,
  { deliveryType, pickupId }: SendChoice,
) {
  const changesCarrier = present !== undefined && present.carrierAccountId !== connection.row.id
  return { ...destination, ...(changesCarrier && { pickupId: null }), ...(deliveryType && { deliveryType }), ...(pickupId && { pickupId }) }
}

const chosenValues = ({ weightKg, dimensions, notes }: SendChoice) => ({
  ...(weightKg !== undefined && { weightKg: String(weightKg) }),
  ...(dimensions && { dimensions }),
  ...(notes !== undefined && { notes }),
})

/** Fields that this sending overrides, so that they no longer follow the order. */
export const overridesOf = ({ weightKg, notes }: SendChoice): OverridableField[] => [
  ...(weightKg !== undefined ? (['weightKg'] as const) : []),
  ...(notes !== undefined ? (['notes'] as const) : []),
]

/** Amount to collect that the request sets, in the currency of the carrier; null when it sets none. */
export const requestedCodAmount = (codAmount: number | undefined, { mounted: { carrier } }: CarrierConnection): Decimal | null =>
  codAmount === undefined ? null : parseMoney(codAmount, ['codAmount'], carrier.currency)

/** Throws `invalid_request` when the requested amount is not the amount that this parcel must collect. */
export function assertCodAmount(requested: Decimal | null, collects: Decimal) {
  if (requested !== null && requested !== collects)
    throw orderErrors.collectsWrong({ collects: decimalText(collects) }, { field: ['codAmount'] })
}

/**
 * Reuses an existing parcel. Gives an unsent one to the requested carrier with the new options; returns a sent one unchanged if that
 * carrier has it. Throws `order_already_sent` when another carrier has it.
 */
export async function reuseParcel(
  tx: Tx,
  parcel: ParcelRow,
  connection: CarrierConnection,
  options: SendChoice,
  requestedAmount: Decimal | null,
): Promise<ParcelRow> {
  if (parcel.status === 'created') {
    assertCodAmount(requestedAmount, decimal(parcel.codAmount))
    const destination = destinationFor(parcel.destination, parcel, connection, options)
    const { orderId, partId } = parcel
    await addOverrides(tx, { storeId: connection.row.storeId, orderId, partId }, overridesOf(options))
    return updateUnsentParcel(tx, parcel, {
      carrierAccountId: connection.row.id,
      courierId: connection.row.key,
      destination,
      ...chosenValues(options),
    })
  }
  if (parcel.carrierAccountId === connection.row.id) return parcel
  const what = parcel.partId === null ? 'The order' : 'This part of the order'
  throw orderErrors.orderWithCarrier({ what, courierId: parcel.courierId ?? 'its carrier' })
}

/** Values of a new parcel, apart from those copied from the order. */
export function newParcelValues(
  order: OrderRow,
  connection: CarrierConnection,
  { tenantId, weightKg }: { tenantId: number; weightKg: number },
  options: SendChoice,
) {
  return {
    projectId: connection.row.projectId,
    tenantId,
    // A new reference for each sending, since a carrier may still know the cancelled parcel by the old one.
    reference: order.sendings === 0 ? order.reference : `${order.reference}-${order.sendings + 1}`,
    orderId: order.id,
    carrierAccountId: connection.row.id,
    courierId: connection.row.key,
    weightKg: String(weightKg),
    dimensions: null,
    destination: destinationFor(order.destination, undefined, connection, options),
    ...chosenValues(options),
  }
}

/** Columns to update in an order when its parcel is created. */
export const sendingColumns = ({ sendings }: OrderRow, parcelId: string) => ({ parcelId, sendings: sendings + 1, heldUntil: null })
