import {
  chosenDesk,
  localPhones,
  named,
  nameOf,
  phonesOf,
  type Row,
  refuse,
  rewritten,
  type Shipment,
  type Warning,
  wholeDinars,
  withinAlgeria,
} from 'serai/carrier'
import { LABEL } from './api.ts'
import type { Context } from './fields.ts'
import { communesOf, type Desk, desksOf, wilayaOf } from './geography.ts'

const TEXT_MAX = 255
const REFERENCE_MIN = 5
const orderTypes: Readonly<Record<string, number>> = { delivery: 1, exchange: 2, pickup: 3 }

/** Parcel in the carrier's format, with warnings for the user. */
export interface Translated {
  readonly row: Row
  readonly warnings: Warning[]
}

/** Translates a shipment into the carrier's format; refuses one that it would not accept. */
export async function translate(context: Context, shipment: Shipment): Promise<Translated> {
  const { settings } = context
  const takesBack = shipment.takesBack ?? (settings.orderType === 'exchange' ? settings.takenBack : undefined)
  if (shipment.reference.length < REFERENCE_MIN) refuse('bad_reference', `NOEST takes references of ${REFERENCE_MIN} characters or more.`)
  const person = personOf(shipment.recipient)
  const place = await placeOf(context, shipment.destination)
  return {
    row: {
      reference: shipment.reference,
      client: person.name,
      phone: person.phone,
      ...(person.phone2 !== undefined && { phone_2: person.phone2 }),
      adresse: place.address,
      wilaya_id: place.wilayaId,
      ...(place.desk ? { stop_desk: 1, station_code: place.desk.code } : { stop_desk: 0, commune: place.commune }),
      montant: wholeDinars(shipment.codAmount, 'amount to collect'),
      ...(shipment.notes.trim() && { remarque: shipment.notes.trim() }),
      type_id: orderTypes[takesBack === undefined ? settings.orderType : 'exchange'],
      ...(takesBack !== undefined && { produit_a_recuperer: takesBack }),
      poids: kilograms(context, shipment.weightKg),
      can_open: settings.canOpen ? 1 : 0,
      ...goodsOf(context, shipment),
      ...(settings.fromStation && { station_expedition: settings.fromStation }),
      ...(settings.shopName && { shop_name: settings.shopName }),
    },
    warnings: [...person.warnings, ...place.warnings],
  }
}

/** Whole kilograms, rounded up; a bulk call requires one for each parcel. */
export const kilograms = ({ settings }: Context, weightKg: number) => Math.max(1, Math.ceil(weightKg || settings.weightKg))

/** Builds the product fields. The format of several warehouse products is not known, so only one is accepted. */
function goodsOf({ settings }: Context, shipment: Shipment): Row {
  if (!settings.fromStock) return { stock: 0, produit: shipment.contents.trim() || shipment.reference }
  const [, product, quantity] = /^(.+?)(?: x(\d+))?$/s.exec(shipment.contents.trim()) ?? []
  if (product === undefined || / x\d+,/.test(product))
    return refuse('bad_contents', 'From NOEST’s warehouse a parcel holds one product, written "Basket 42 x2". Split it.')
  return { stock: 1, produit: product, quantite: Number(quantity ?? 1) }
}

interface Person {
  readonly name: string
  readonly phone: string
  readonly phone2?: string
  readonly warnings: Warning[]
}

/** Builds the recipient. The second number is the alternative phone, if there is one: it is usually another person's. */
export function personOf(recipient: Shipment['recipient']): Person {
  const { first, others, warnings } = phonesOf(recipient)
  const phone2 = localPhones(recipient.phoneAlt ?? '').find((other) => other !== first) ?? others[0]
  return { name: boundedText(nameOf(recipient), 'name'), phone: first, ...(phone2 !== undefined && { phone2 }), warnings }
}

interface Place {
  readonly wilayaId: number
  readonly address: string
  /** Commune of a home delivery; absent for a desk. */
  readonly commune?: string
  readonly desk?: Desk
  readonly warnings: Warning[]
}

/** Returns the fields of the destination; refuses an unknown one. */
export async function placeOf(context: Context, destination: Shipment['destination']): Promise<Place> {
  const { deliveryType, stateCode, stateName, cityName, address } = destination
  withinAlgeria(destination, LABEL, 'desks')
  const wilaya = await wilayaOf(context, stateCode, stateName)
  if (!wilaya.deliverable) refuse('not_served', `NOEST does not deliver to ${wilaya.name} at present.`)
  if (deliveryType === 'pickup') return deskPlace(context, destination, wilaya.id)
  const commune = named(await communesOf(context, wilaya.id), cityName, `commune of ${wilaya.name}`)
  if (!commune.deliverable) refuse('not_served', `NOEST does not deliver to ${commune.name} (${wilaya.name}) at present.`)
  return { wilayaId: wilaya.id, commune: commune.name, address: boundedText(address.trim() || commune.name, 'address'), warnings: [] }
}

/** Builds the destination of a desk. Its code is enough; no commune is required. */
async function deskPlace(context: Context, { pickupId, cityName, address }: Shipment['destination'], wilayaId: number): Promise<Place> {
  const desk = await chosenDesk(
    pickupId,
    'desk',
    () => desksOf(context, wilayaId),
    ({ code }) => code,
  )
  return {
    wilayaId,
    desk,
    address: boundedText(address.trim() || desk.name, 'address'),
    warnings: rewritten('desk', desk.commune, cityName),
  }
}

/** Refuses a text over the limit: a truncated address could be a wrong one. */
function boundedText(words: string, what: string): string {
  if (words.length > TEXT_MAX) refuse('too_long', `The ${what} has ${words.length} characters; NOEST takes ${TEXT_MAX}. Shorten it.`)
  return words
}
