import { type Carrier, changeFields } from '../../../plugins/carrier/contract.ts'
import type { Warning } from '../../../plugins/carrier/model.ts'
import { decimal } from '../../lib/money/decimal.ts'
import type { ParcelChange } from './parcels.model.ts'
import type { ParcelRow } from './parcels.queries.ts'

interface Followed {
  readonly change: ParcelChange
  /** Tells that the declared value stays although another amount is collected, and why. */
  readonly warnings: readonly Warning[]
}

/**
 * Keeps the declared value in step with what is collected, where it was: a parcel without one has the collected amount. One that was said
 * stays, as does what an order's goods are worth. `carrier`: the one that has the parcel already.
 */
export function followCollected(parcel: ParcelRow, change: ParcelChange, carrier?: Carrier): Followed {
  const { orderId, codAmount, declaredValue } = parcel
  const { codAmount: wanted = Number(codAmount) } = change
  if (wanted === Number(codAmount) || change.declaredValue !== undefined) return { change, warnings: [] }
  if (decimal(declaredValue) !== decimal(codAmount)) return { change, warnings: orderId === null ? [] : [stays(declaredValue, WORTH)] }
  if (carrier && !(carrier.editable ?? changeFields).includes('declaredValue'))
    return { change, warnings: [stays(declaredValue, `${carrier.label} does not change it of a parcel that it has`)] }
  return { change: { ...change, declaredValue: wanted }, warnings: [] }
}

const WORTH = "it is what the order's goods are worth. Say `declaredValue` as well where that changed"

const stays = (value: string, why: string): Warning => ({
  code: 'declared_value_kept',
  message: `The declared value stays ${Number(value)}: ${why}.`,
})
