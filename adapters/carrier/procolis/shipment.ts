import { nameOf, type Row, refuse, type Shipment, sha256, toHex, twoPhones, type Warning, wholeDinars, withinAlgeria } from 'serai/carrier'
import type { Account } from './api.ts'
import { wilayaOf } from './tariffs.ts'

/** Parcel in the carrier's format, with warnings for the user. */
export interface Translated {
  readonly reference: string
  readonly tracking: string
  readonly row: Row
  readonly warnings: readonly Warning[]
}

/** Characters that any barcode allows. The carrier's limit is not known. */
const plainTracking = /^[A-Za-z0-9_-]{1,30}$/

/**
 * Returns the tracking number, which we choose: the reference, or its digest when it is long or has other characters. Retries give the same
 * number.
 */
export async function trackingOf(reference: string): Promise<string> {
  if (plainTracking.test(reference)) return reference
  return `R${toHex((await sha256(reference)).subarray(0, 10))}`.toUpperCase()
}

const types = { delivery: 0, exchange: 1 } as const

/** Puts the goods to bring back first in the note, since there is no field for an exchange. */
const noteOf = (notes: string, takesBack: string | undefined) =>
  takesBack === undefined ? notes : [`${TAKE_BACK}${takesBack}`, notes].filter(Boolean).join('\n')
const TAKE_BACK = 'Échange, à reprendre : '

/** Translates a shipment into the carrier's format; refuses one that it would not accept. */
export async function translate(account: Account, shipment: Shipment): Promise<Translated> {
  const { settings } = account.context
  const { reference, recipient, destination, contents, notes, takesBack } = shipment
  const person = recipientOf(account, recipient)
  const place = await placeOf(account, destination)
  const tracking = await trackingOf(reference)
  const row = {
    Tracking: tracking,
    id_Externe: reference,
    TypeColis: takesBack === undefined ? types.delivery : types.exchange,
    // The carrier's own spelling: with another one it ignores the field and ships anyway.
    Confrimee: settings.shipAtOnce ? 1 : 0,
    ...person.row,
    ...place.row,
    Total: String(wholeDinars(shipment.codAmount, 'amount to collect')),
    Note: noteOf(notes.trim(), takesBack),
    [settings.productField]: contents.trim() || reference,
  }
  return { reference, tracking, row, warnings: [...person.warnings, ...place.warnings, ...(settings.shipAtOnce ? [] : [waits])] }
}

const waits: Warning = { code: 'waits_for_validation', message: 'The parcel stays in preparation at the carrier until it is validated.' }

interface Part {
  readonly row: Row
  readonly warnings: readonly Warning[]
}

function recipientOf({ company }: Account, recipient: Shipment['recipient']): Part {
  const { first, second, warnings } = twoPhones(recipient, company.label)
  return { row: { Client: nameOf(recipient), MobileA: first, ...(second !== undefined && { MobileB: second }) }, warnings }
}

async function placeOf(account: Account, destination: Shipment['destination']): Promise<Part> {
  const { deliveryType, stateCode, stateName, cityName, address, pickupId } = destination
  withinAlgeria(destination, account.company.label, 'desks')
  if (cityName.trim() === '') refuse('unknown_place', 'The parcel has no commune. Add one.')
  const isDesk = deliveryType === 'pickup'
  return {
    row: {
      TypeLivraison: isDesk ? 1 : 0,
      Adresse: address.trim() || cityName.trim(),
      IDWilaya: await wilayaId(account, stateCode, stateName),
      Commune: cityName.trim(),
    },
    warnings:
      isDesk && pickupId !== undefined
        ? [{ code: 'center_not_sent', message: 'The carrier lets nobody choose the desk; it picks one itself.' }]
        : [],
  }
}

/** Returns the wilaya id. Our 58 codes are the carrier's; other states are matched by name. */
async function wilayaId(account: Account, stateCode: string, stateName: string): Promise<string> {
  if (/^(0[1-9]|[1-4]\d|5[0-8])$/.test(stateCode)) return stateCode
  return (await wilayaOf(account, stateCode, stateName)).code
}
