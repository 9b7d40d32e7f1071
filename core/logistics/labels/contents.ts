import type { CountryCode } from 'libphonenumber-js/max'
import type { Carrier } from '../../../plugins/carrier/contract.ts'
import type { Center } from '../../../plugins/carrier/places.model.ts'
import { dayFormat } from '../../lib/day-format.ts'
import { phoneLibrary } from '../../lib/phone-library.ts'
import { onlyZoneOf } from '../../platform/geo/catalogue/zones.ts'
import type { Store } from '../../shop/stores/stores.model.ts'
import type { LabelContents } from './label.model.ts'
import type { LabelRow } from './labels.queries.ts'

/** Words in a text that mark a parcel as fragile. */
const FRAGILE = /\bfragile\b|\bcassable\b|قابل للكسر|هش\b/iu

/** Contents of the label of a parcel. `centers` are the carrier's pickup points, as far as they are known. */
export function labelContentsOf(
  parcel: LabelRow,
  store: Store,
  carrier: Pick<Carrier, 'label' | 'currency'>,
  centers: readonly Center[],
): LabelContents {
  const { destination, recipient, contents, takesBack } = parcel
  const notes = [takesBack && `ÉCHANGE, à reprendre : ${takesBack}`, parcel.notes].filter(Boolean).join(' · ')
  const phones = [recipient.phone, recipient.phoneAlt].filter((phone) => phone !== null)
  const center = centers.find(({ id }) => id === destination.pickupId)
  return {
    carrier: carrier.label,
    tracking: parcel.trackingId,
    store: { name: store.name, phone: store.phone && formatPhoneIn(store.phone, store.countryCode) },
    recipient: { name: recipient.name, phones: phones.map((phone) => formatPhoneIn(phone, destination.country)) },
    address: destination.address,
    city: destination.cityName,
    state: { code: destination.stateCode, name: destination.stateName ?? '' },
    delivery: {
      type: destination.deliveryType,
      center: destination.deliveryType === 'home' ? null : (center?.name ?? destination.pickupId),
    },
    cod: { amount: Number(parcel.codAmount), currency: carrier.currency },
    weightKg: Number(parcel.weightKg),
    contents,
    reference: parcel.reference,
    notes,
    date: formatDayIn(store.countryCode, parcel.submittedAt ?? parcel.createdAt),
    fragile: parcel.metadata.fragile === true || FRAGILE.test(`${contents} ${notes}`),
  }
}

/** Formats a day in the time zone of the country; UTC when the country has several zones. */
export const formatDayIn = (country: string, at: string): string => dayFormat('fr-FR', onlyZoneOf(country)).format(new Date(at))

/** Formats a phone number as dialled in the country. */
export function formatPhoneIn(phone: string, country: string): string {
  const number = phoneLibrary().parsePhoneNumberFromString(phone, country as CountryCode)
  if (!number) return phone
  return number.country === country ? number.formatNational() : number.formatInternational()
}
