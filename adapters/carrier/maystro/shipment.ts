import { nameOf, phonesOf, type Row, type Shipment, type Warning, wholeDinars, withinAlgeria } from 'serai/carrier'
import { LABEL } from './api.ts'
import type { Context } from './fields.ts'
import { communeOf, wilayaOf } from './geography.ts'

/** Source number of orders sent through the API. */
const SOURCE = 4

/** Parcel in the carrier's format, with warnings for the user. */
export interface Translated {
  readonly row: Row
  readonly warnings: Warning[]
}

/** Translates a shipment into the carrier's format; refuses one that it would not accept. */
export async function translate(context: Context, shipment: Shipment): Promise<Translated> {
  const { recipient, destination, codAmount, notes, reference } = shipment
  const person = personOf(recipient)
  const { pickupId, deliveryType } = destination
  return {
    row: {
      source: SOURCE,
      external_order_id: reference,
      ...person.row,
      ...(await placeOf(context, destination)),
      product_price: wholeDinars(codAmount, 'amount to collect'),
      delivery_type: typeNumber(context, deliveryType),
      ...(deliveryType === 'pickup' && pickupId && { stop_desk_id: /^\d+$/.test(pickupId) ? Number(pickupId) : pickupId }),
      express: context.settings.express,
      ...(notes.trim() && { note_to_driver: notes.trim() }),
      products: productsOf(shipment),
    },
    warnings: person.warnings,
  }
}

export function personOf(recipient: Shipment['recipient']): Translated {
  const { first, others } = phonesOf(recipient)
  const dropped = others.length > 0 || Boolean(recipient.phoneAlt?.trim())
  return {
    row: { customer_name: nameOf(recipient), customer_phone: first },
    warnings: dropped ? [{ code: 'phone_alt_not_sent', message: 'Maystro takes one telephone number; the second was not sent.' }] : [],
  }
}

/** Returns the fields of the destination; refuses an unknown one. */
export async function placeOf(context: Context, destination: Shipment['destination']): Promise<Row> {
  const { stateCode, stateName, cityName, address } = destination
  withinAlgeria(destination, LABEL, 'stop desks')
  const wilaya = await wilayaOf(context, stateCode, stateName)
  const commune = await communeOf(context, wilaya, cityName)
  return { wilaya: wilaya.id, commune: commune.id, destination_text: address.trim() || commune.name }
}

/** Returns the carrier's delivery type. Known clients use different numbers, so a setting chooses. */
export function typeNumber({ settings }: Context, deliveryType: string): number {
  const [home, stopDesk] = settings.deliveryTypeNumbers === '0 and 1' ? [0, 1] : [1, 2]
  return deliveryType === 'pickup' ? stopDesk! : home!
}

/** Builds the product list. A product without an id is created from its description; ours describes the whole parcel. */
export const productsOf = ({ contents, reference }: { contents: string; reference: string }) => [
  { quantity: 1, logistical_description: contents.trim() || reference },
]
