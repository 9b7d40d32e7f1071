import { CarrierError, type Shipment, type Warning } from 'serai/carrier'
import { type Account, number } from './api.ts'
import { communesOf, desksOf, fold, named, wilayaOf } from './geography.ts'

export const codMax = 150_000

/** A parcel in the carrier's words, and what a person should know about the translation. */
export interface Translated {
  readonly row: Readonly<Record<string, string | number | boolean>>
  readonly warnings: Warning[]
}

type Destination = Shipment['destination']
type Recipient = Shipment['recipient']

export function refuse(code: string, message: string): never {
  throw new CarrierError('refused', message, { code })
}

export async function translate(account: Account, shipment: Shipment): Promise<Translated> {
  const { settings } = account.context
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
      has_exchange: false,
      ...(settings.economic && { economic: true }),
    },
    warnings: [...person.warnings, ...place.warnings, ...notesOf(shipment.notes)],
  }
}

export function recipientOf({ name, phone, phoneAlt }: Recipient): Translated {
  const phones = phonesIn(phone)
  if (phones.length === 0) refuse('bad_phone', `"${phone}" is not an Algerian telephone number. Write it like 0550000000.`)
  const others = phoneAlt ? phonesIn(phoneAlt) : []
  const dropped = Boolean(phoneAlt?.trim()) && others.length === 0
  return {
    row: { ...namesIn(name), contact_phone: [...new Set([...phones, ...others])].join(',') },
    warnings: dropped ? [{ code: 'phone_alt_dropped', message: 'The second telephone number is not Algerian and was not sent.' }] : [],
  }
}

/** Both names must be there; a person with one name gets it twice. */
export function namesIn(name: string): { firstname: string; familyname: string } {
  const [first, ...rest] = name.trim().split(/\s+/)
  if (!first) return refuse('bad_name', 'The recipient has no name. Add one.')
  return { firstname: first, familyname: rest.join(' ') || first }
}

/** Several numbers may stand in one text; each is written 0 and 9 digits, a land line 0 and 8. */
export function phonesIn(text: string): string[] {
  const written = text.split(/[,;/]/).map((part) => part.replace(/[^\d+]/g, '').replace(/^(?:\+|00)?213\(?0?/, '0'))
  return written.filter((phone) => /^0(?:[5-7]\d{8}|[1-49]\d{7})$/.test(phone))
}

export async function placeOf(account: Account, destination: Destination): Promise<Translated> {
  const { country, deliveryType, stateCode, stateName } = destination
  if (country !== 'DZ') refuse('bad_country', 'This carrier delivers within Algeria only.')
  if (deliveryType === 'return_point') refuse('bad_type', 'This carrier delivers to homes and to its centres.')
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

/** The centre is the destination, so its own wilaya and commune are what is sent. */
async function deskOf(account: Account, { pickupId, cityName, address }: Destination, wilayaId: number): Promise<Translated> {
  if (!pickupId) refuse('center_missing', 'Choose the centre where the recipient collects the parcel (pickupId).')
  const desks = await desksOf(account, wilayaId)
  const desk = desks.find(({ id }) => id === number(pickupId))
  if (!desk) {
    const known = desks.slice(0, 10).map(({ id, name }) => `${id} (${name})`)
    return refuse('unknown_center', `The carrier has no centre ${pickupId} in this wilaya. It has ${known.join(', ') || 'none'}.`)
  }
  const moved = cityName !== '' && fold(cityName) !== fold(desk.commune)
  return {
    row: placeRow(desk.wilaya, desk.commune, address, { is_stopdesk: true, stopdesk_id: desk.id }),
    warnings: moved ? [{ code: 'destination_rewritten', message: `The parcel goes to the centre in ${desk.commune}.` }] : [],
  }
}

const placeRow = (wilaya: string, commune: string, address: string, desk: Translated['row']) => ({
  to_wilaya_name: wilaya,
  to_commune_name: commune,
  address: address.trim() || commune,
  ...desk,
})

/** Whole dinars: the carrier takes no centimes, and to round would change what is collected. */
export function dinars(amount: number, what: string): number {
  if (!Number.isInteger(amount)) refuse('bad_amount', `The ${what} is ${amount}; this carrier takes whole dinars only. Round it.`)
  if (amount < 0 || amount > codMax) refuse('bad_amount', `The ${what} is ${amount}; this carrier takes 0 to ${codMax} dinars.`)
  return amount
}

/** Whole kilograms, upwards. */
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
