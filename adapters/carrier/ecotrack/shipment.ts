import { beginning, nameOf, phonesOf, refuse, rewritten, type Shipment, type Warning, wholeDinars, withinAlgeria } from 'serai/carrier'
import type { Account } from './fields.ts'
import { communeOf, deskOf, wilayaOf } from './geography.ts'

/** Order in the form of `create/order`, with warnings for the user. */
export interface Translated {
  readonly row: Readonly<Record<string, string | number>>
  readonly warnings: Warning[]
}

export interface Order extends Translated {
  readonly reference: string
}

const TEXT_MAX = 255
/** The platform's codes: 1 delivery, 2 exchange, 3 pickup, 4 collection of money. */
const types = { delivery: 1, exchange: 2 } as const

/** Translates a shipment into the carrier's format; refuses one that it would not accept. */
export async function translate(account: Account, shipment: Shipment): Promise<Order> {
  const { shopName, fragile, sendWeight } = account.context.settings
  const person = recipientOf(shipment.recipient)
  const place = await placeOf(account, shipment.destination)
  const said = wordsOf(shipment)
  const { takesBack } = shipment
  return {
    reference: shipment.reference,
    row: {
      reference: shipment.reference,
      ...person.row,
      ...place.row,
      ...said.row,
      // Total to collect: the platform has no separate delivery fee.
      montant: wholeDinars(shipment.codAmount, 'amount to collect'),
      type: takesBack === undefined ? types.delivery : types.exchange,
      ...(takesBack !== undefined && { produit_a_recuperer: beginning(takesBack, TEXT_MAX) }),
      ...(shopName !== undefined && { boutique: shopName }),
      ...(fragile && { fragile: 1 }),
      ...(sendWeight && shipment.weightKg > 0 && { weight: Math.ceil(shipment.weightKg) }),
    },
    warnings: [...person.warnings, ...place.warnings, ...said.warnings],
  }
}

export function recipientOf(recipient: Shipment['recipient']): Translated {
  const name = nameOf(recipient).replace(/\s+/g, ' ')
  const { first, others, warnings } = phonesOf(recipient)
  const [second] = others
  return { row: { nom_client: name, telephone: first, ...(second !== undefined && { telephone_2: second }) }, warnings }
}

/** Returns the fields of the destination; refuses an unknown one. */
export async function placeOf(account: Account, destination: Shipment['destination']): Promise<Translated> {
  const { deliveryType, stateCode, stateName, cityName, pickupId } = destination
  withinAlgeria(destination, account.company.label, 'stop desks')
  const wilaya = await wilayaOf(account, stateCode, stateName)
  const isDesk = deliveryType === 'pickup'
  const commune = isDesk ? await deskOf(account, wilaya, pickupId, cityName) : await communeOf(account, wilaya, cityName)
  const address = destination.address.trim() || commune.name
  if (address.length > TEXT_MAX)
    refuse('bad_address', `The address has ${address.length} letters; this carrier takes ${TEXT_MAX}. Shorten it.`)
  return {
    row: {
      adresse: address,
      commune: commune.name,
      code_wilaya: wilaya.id,
      stop_desk: isDesk ? 1 : 0,
      ...(isDesk && commune.station !== undefined && { code_postal: commune.station }),
    },
    warnings: isDesk ? rewritten('stop desk', commune.name, cityName) : [],
  }
}

/** Builds the text fields. Descriptions may be truncated; addresses may not. */
export function wordsOf({ contents, notes }: Pick<Shipment, 'contents' | 'notes'>): Translated {
  const [product, remark] = [contents.trim(), notes.trim()]
  const cut = [product.length > TEXT_MAX && 'contents', remark.length > TEXT_MAX && 'notes'].filter((name) => name !== false)
  return {
    row: {
      ...(product !== '' && { produit: beginning(product, TEXT_MAX) }),
      ...(remark !== '' && { remarque: beginning(remark, TEXT_MAX) }),
    },
    warnings: cut.map((name) => ({ code: `${name}_cut`, message: `Of the ${name}, the carrier got the first ${TEXT_MAX} letters.` })),
  }
}
