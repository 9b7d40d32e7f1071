import { isDeepStrictEqual } from 'node:util'
import { type Carrier, type Change, changeFields } from '../../../../plugins/carrier/contract.ts'
import { parcelErrors } from '../parcels.errors.ts'
import type { ParcelChange } from '../parcels.model.ts'
import type { ParcelRow, ParcelValues } from '../parcels.queries.ts'

type Field = keyof Change

/**
 * Selects the changed fields to send to the carrier. Throws `parcel_not_editable` with the changed fields that the carrier does not accept,
 * before any call: storing them only here would be wrong.
 */
export function selectCarrierFields(carrier: Carrier, parcel: ParcelRow, change: ParcelChange, wanted: ParcelValues): Field[] {
  const takes = carrier.editable ?? changeFields
  const asked = changeFields.filter((field) => change[field] !== undefined)
  const refused = asked.filter((field) => !takes.includes(field) && !isSame(parcel, wanted, field))
  if (refused.length === 0) return asked.filter((field) => takes.includes(field))
  throw parcelErrors.fieldsNotEditable(
    { label: carrier.label, takes: takes.join(', ') || 'nothing', refused: refused.join(', ') },
    { issues: refused.map((field) => ({ field: [field], message: `${carrier.label} cannot change it.` })) },
  )
}

const DECIMALS: readonly Field[] = ['codAmount', 'declaredValue', 'weightKg']

const isSame = (parcel: ParcelRow, wanted: ParcelValues, field: Field) =>
  DECIMALS.includes(field) ? Number(wanted[field]) === Number(parcel[field]) : isDeepStrictEqual(wanted[field], parcel[field])
