import {
  chosenDesk,
  named,
  phonesOf,
  refuse,
  rewritten,
  type Shipment,
  twoNames,
  type Warning,
  wholeDinars,
  withinAlgeria,
} from 'serai/carrier'
import type { Account } from './api.ts'
import { communesOf, desksOf, wilayaOf } from './geography.ts'

export const codMax = 150_000

/** Parcel in the carrier's format, with warnings for the user. */
export interface Translated {
  readonly row: Readonly<Record<string, string | number | boolean>>
  readonly warnings: Warning[]
}

type Destination = Shipment['destination']

/** Translates a shipment into the carrier's format; refuses one that it would not accept. */
export async function translate(account: Account, shipment: Shipment): Promise<Translated> {
  const { settings } = account.context
  // The carrier's lookup splits at commas, so the parcel would not be found and would be sent again.
  if (shipment.reference.includes(','))
    refuse('bad_reference', 'The reference has a comma, and this carrier could not find it again. Use another.')
  const person = recipientOf(shipment.recipient)
  const place = await placeOf(account, shipment.destination)
  const from = await wilayaOf(account, settings.fromStateCode)
  return {
    row: {
      order_id: shipment.reference,
      from_wilaya_name: from.name,
      ...person.row,
      ...place.row,
      product_list: shipment.contents.trim() || shipment.reference,
      price: dinars(shipment.codAmount, 'amount to collect'),
      do_insurance: settings.doInsurance,
      declared_value: dinars(shipment.declaredValue, 'declared value'),
      ...sizeOf(account, shipment),
      freeshipping: settings.freeShipping,
      has_exchange: shipment.takesBack !== undefined,
      ...(shipment.takesBack !== undefined && { product_to_collect: shipment.takesBack }),
      ...(settings.economic && { economic: true }),
    },
    warnings: [...person.warnings, ...place.warnings, ...notesOf(shipment.notes)],
  }
}

export function recipientOf(recipient: Shipment['recipient']): Translated {
  const { first, others, warnings } = phonesOf(recipient)
  const names = twoNames(recipient)
  return { row: { firstname: names.first, familyname: names.rest, contact_phone: [first, ...others].join(',') }, warnings }
}

/** Returns the fields of the destination; refuses an unknown one. */
export async function placeOf(account: Account, destination: Destination): Promise<Translated> {
  const { deliveryType, stateCode, stateName } = destination
  withinAlgeria(destination, account.company.label, 'centres')
  const wilaya = await wilayaOf(account, stateCode, stateName)
  if (!wilaya.deliverable) refuse('not_served', `The carrier does not deliver to ${wilaya.name} at present.`)
  return deliveryType === 'pickup' ? deskOf(account, destination, wilaya.id) : homeOf(account, destination, wilaya)
}

async function homeOf(account: Account, { cityName, address }: Destination, wilaya: { id: number; name: string }): Promise<Translated> {
  const communes = await communesOf(account, wilaya.id)
  const commune = named(communes, cityName, `commune of ${wilaya.name}`)
  if (!commune.deliverable) refuse('not_served', `The carrier does not deliver to ${commune.name} (${wilaya.name}) at present.`)
  return { row: placeRow(wilaya.name, commune.name, address, { is_stopdesk: false }), warnings: [] }
}

/** Builds the destination of a stop desk: the center, with its own wilaya and commune. */
async function deskOf(account: Account, { pickupId, cityName, address }: Destination, wilayaId: number): Promise<Translated> {
  const desk = await chosenDesk(
    pickupId,
    'centre',
    () => desksOf(account, wilayaId),
    ({ id }) => id,
  )
  return {
    row: placeRow(desk.wilaya, desk.commune, address, { is_stopdesk: true, stopdesk_id: desk.id }),
    warnings: rewritten('centre', desk.commune, cityName),
  }
}

const placeRow = (wilaya: string, commune: string, address: string, desk: Translated['row']) => ({
  to_wilaya_name: wilaya,
  to_commune_name: commune,
  address: address.trim() || commune,
  ...desk,
})

/** Whole dinars, up to the carrier's limit. */
export const dinars = (amount: number, what: string) => wholeDinars(amount, what, codMax)

/** Whole kilograms, rounded up. */
export const kilograms = (account: Account, weightKg: number) => Math.max(1, Math.ceil(weightKg || account.context.settings.weightKg))

function sizeOf(account: Account, { dimensions, weightKg }: Shipment) {
  const { lengthCm, widthCm, heightCm } = dimensions ?? account.context.settings
  return {
    length: Math.ceil(lengthCm),
    width: Math.ceil(widthCm),
    height: Math.ceil(heightCm),
    weight: kilograms(account, weightKg),
  }
}

const notesOf = (notes: string): Warning[] =>
  notes.trim() === '' ? [] : [{ code: 'notes_not_sent', message: 'This carrier has no field for notes; they were not sent.' }]
