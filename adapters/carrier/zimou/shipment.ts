import {
  chosenDesk,
  named,
  type Row,
  rewritten,
  type Shipment,
  twoNames,
  twoPhones,
  type Warning,
  wholeDinars,
  withinAlgeria,
} from 'serai/carrier'
import { label } from './api.ts'
import type { Context } from './fields.ts'
import { communesOf, officesOf, type Wilaya, wilayaOf } from './geography.ts'

/** Parcel in the carrier's format, with warnings for the user. */
export interface Translated {
  readonly row: Row
  readonly warnings: readonly Warning[]
}

type Destination = Shipment['destination']

/** The carrier's name of delivery to an office. */
export const officeService = 'Point relais'

/** Translates a shipment into the carrier's format; refuses one that it would not accept. */
export async function translate(context: Context, shipment: Shipment): Promise<Translated> {
  const { freeDelivery, canBeOpened, quantityItems } = context.settings
  const { reference, contents, notes, takesBack } = shipment
  const person = recipientOf(shipment.recipient)
  const place = await placeOf(context, shipment.destination)
  const row = {
    type: 'ecommerce',
    name: contents.trim() || reference,
    order_id: reference,
    ...person.row,
    ...place.row,
    price: String(wholeDinars(shipment.codAmount, 'amount to collect')),
    free_delivery: String(freeDelivery),
    can_be_opened: canBeOpened,
    ...(notes.trim() && { observation: notes.trim() }),
    ...(takesBack !== undefined && { returned_product: takesBack }),
    ...(quantityItems !== undefined && { quantity_items: quantityItems }),
    ...measuresOf(context, shipment),
  }
  return { row, warnings: [...person.warnings, ...place.warnings] }
}

function recipientOf(recipient: Shipment['recipient']): Translated {
  const names = twoNames(recipient)
  const { first, second, warnings } = twoPhones(recipient, label)
  return {
    row: {
      client_first_name: names.first,
      client_last_name: names.rest,
      client_phone: first,
      ...(second !== undefined && { client_phone2: second }),
    },
    warnings,
  }
}

async function placeOf(context: Context, destination: Destination): Promise<Translated> {
  const { deliveryType, stateCode, stateName } = destination
  withinAlgeria(destination, label, 'offices')
  const wilaya = await wilayaOf(context, stateCode, stateName)
  return deliveryType === 'pickup' ? officeOf(context, destination, wilaya) : homeOf(context, destination, wilaya)
}

async function homeOf(context: Context, { cityName, address }: Destination, wilaya: Wilaya): Promise<Translated> {
  const commune = named(await communesOf(context, wilaya.id), cityName, `commune of ${wilaya.name}`)
  return { row: { ...placeRow(wilaya, commune.name, address), delivery_type: context.settings.homeService }, warnings: [] }
}

/** Builds the destination of an office, which the carrier accepts only together with its commune. */
async function officeOf(context: Context, { pickupId, cityName, address }: Destination, wilaya: Wilaya): Promise<Translated> {
  const office = await chosenDesk(
    pickupId,
    'office',
    () => officesOf(context, wilaya.id),
    ({ id }) => id,
  )
  return {
    row: { ...placeRow(wilaya, office.commune, address), delivery_type: officeService, office_id: office.id },
    warnings: rewritten('office', office.commune, cityName),
  }
}

const placeRow = (wilaya: Wilaya, commune: string, address: string) => ({
  wilaya: String(wilaya.id),
  commune,
  address: address.trim() || commune,
})

function measuresOf({ settings }: Context, { weightKg, dimensions }: Shipment): Row {
  return {
    ...(weightKg > 0 && { weight: settings.weightUnit === 'g' ? Math.round(weightKg * 1000) : weightKg }),
    ...(dimensions && { volumetric: { length: dimensions.lengthCm, width: dimensions.widthCm, height: dimensions.heightCm } }),
  }
}
