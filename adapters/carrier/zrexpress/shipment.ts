import { beginning, named, nameOf, refuse, type Shipment, twoPhones, type Warning, wholeDinars, withinAlgeria } from 'serai/carrier'
import { label } from './api.ts'
import type { Person } from './customers.ts'
import type { Context } from './fields.ts'
import { stopAt } from './hubs.ts'
import { communesOf, type Territory, wilayaOf } from './territories.ts'

export const codMax = 150_000

const descriptionMin = 2
const descriptionMax = 250

type Destination = Shipment['destination']

export interface Place {
  readonly wilayaId: string
  readonly deliveryType: 'home' | 'pickup-point'
  readonly hubId?: string
  readonly deliveryAddress: { readonly cityTerritoryId: string; readonly districtTerritoryId: string; readonly street: string }
  readonly warnings: Warning[]
}

/** Parcel in the carrier's format, without the customer and the state, which need calls. */
export interface Translated {
  readonly reference: string
  readonly person: Person
  readonly place: Place
  readonly fields: Readonly<Record<string, unknown>>
  readonly warnings: Warning[]
}

/** Translates a shipment; refuses one that the carrier would not accept. */
export async function translate(context: Context, shipment: Shipment): Promise<Translated> {
  const { reference, codAmount, contents, notes } = shipment
  const { person, warnings: onPerson } = personOf(shipment.recipient)
  const amount = amountOf(codAmount)
  const { description, warnings: onContents } = descriptionOf(contents, reference)
  const place = await placeOf(context, shipment.destination)
  return {
    reference,
    person,
    place,
    fields: {
      deliveryAddress: place.deliveryAddress,
      deliveryType: place.deliveryType,
      ...(place.hubId !== undefined && { hubId: place.hubId }),
      amount,
      description,
      externalId: reference,
      ...goodsOf(context, shipment, description),
    },
    warnings: [...onPerson, ...place.warnings, ...onContents, ...notesOf(notes)],
  }
}

export const amountOf = (amount: number) => wholeDinars(amount, 'amount to collect', codMax)

/** Builds the recipient. The carrier takes two numbers, as +213 and the rest without the leading 0. */
export function personOf(recipient: Shipment['recipient']): { person: Person; warnings: Warning[] } {
  const { first, second, warnings } = twoPhones(recipient, label)
  const phone = { number1: internationalPhone(first), ...(second !== undefined && { number2: internationalPhone(second) }) }
  return { person: { name: nameOf(recipient), phone }, warnings }
}

const internationalPhone = (local: string) => `+213${local.slice(1)}`

function descriptionOf(contents: string, reference: string): { description: string; warnings: Warning[] } {
  const written = contents.trim()
  const description = written.length < descriptionMin ? reference : written
  if (description.length <= descriptionMax) return { description, warnings: [] }
  const message = `The description was cut to ${descriptionMax} characters.`
  return { description: beginning(description, descriptionMax), warnings: [{ code: 'contents_cut', message }] }
}

/** Returns the fields of the destination; refuses an unknown one. */
export async function placeOf(context: Context, destination: Destination): Promise<Place> {
  const { deliveryType, stateCode, stateName } = destination
  withinAlgeria(destination, label, 'hubs')
  const wilaya = await wilayaOf(context, stateCode, stateName)
  if (deliveryType === 'home') return homeOf(context, destination, wilaya)
  const { hubId, communeId, street, warnings } = await stopAt(context, destination, wilaya)
  return { ...addressOf(wilaya, communeId, street), deliveryType: 'pickup-point', hubId, warnings }
}

async function homeOf(context: Context, { cityName, address }: Destination, wilaya: Territory): Promise<Place> {
  const commune = named(await communesOf(context, wilaya.id), cityName, `commune of ${wilaya.name}`)
  if (!commune.home) refuse('not_served', `${label} does not deliver to homes in ${commune.name} (${wilaya.name}) at present.`)
  return { ...addressOf(wilaya, commune.id, address.trim() || commune.name), deliveryType: 'home', warnings: [] }
}

/** Builds the address. The carrier's `city` is a wilaya, its `district` a commune. */
const addressOf = (wilaya: Territory, communeId: string, street: string) => ({
  wilayaId: wilaya.id,
  deliveryAddress: { cityTerritoryId: wilaya.id, districtTerritoryId: communeId, street },
})

/** One line of goods, not from the carrier's stock. */
function goodsOf({ settings }: Context, { reference, declaredValue, dimensions, weightKg }: Shipment, productName: string) {
  const { lengthCm: length, widthCm: width, heightCm: height } = dimensions ?? settings
  const weight = weightKg || settings.weightKg
  const product = {
    productName,
    productSku: reference,
    unitPrice: declaredValue,
    quantity: 1,
    length,
    width,
    height,
    weight,
    stockType: 'none',
  }
  return { orderedProducts: [product], weight: { weight } }
}

const notesOf = (notes: string): Warning[] =>
  notes.trim() === '' ? [] : [{ code: 'notes_not_sent', message: `${label} has no field for notes; they were not sent.` }]
