import { getAllCommunes, type SourceCommune } from 'algerian-geo'
import type { Catalogue, City, State } from '../../catalogue/catalogue.ts'
import { popularNames } from './aliases.ts'
import { boundaries } from './boundaries/boundaries.ts'
import corrections from './communes.json' with { type: 'json' }
import { algerianConventions } from './conventions.ts'
import postalCodes from './postal-codes.json' with { type: 'json' }
import { wilayas } from './wilayas.ts'

type ByCode<T> = Readonly<Record<string, T | undefined>>

const CARRIER_STATES = 58
const moved: ByCode<string> = corrections.moved
const names = corrections.names as unknown as ByCode<readonly [string | null, string | null]>
const positions = corrections.positions as unknown as ByCode<readonly [number, number]>
const posts: ByCode<string> = postalCodes
const currentStates = new Map(
  Object.entries(corrections.current).flatMap(([state, codes]) => codes.split(' ').map((code) => [code, state] as const)),
)

/**
 * Catalogue of Algeria: the 58 wilayas that carriers use, the eleven of the law of 2026, and the communes of `algerian-geo`. Corrected by
 * the GeoAlgeria data set (MIT; see LICENSE-GeoAlgeria.txt).
 */
export const algeria: Catalogue = {
  country: 'DZ',
  otherNames: ['dza', '012', 'argelia', 'algerien', 'جزاير', 'dzair'],
  conventions: algerianConventions,
  states: wilayas.slice(0, CARRIER_STATES).map(toState),
  newStates: wilayas.slice(CARRIER_STATES).map(toState),
  cities: getAllCommunes().map(toCity),
  borders: boundaries,
}

function toState([code, name, nameAr, motherCode, otherNames]: (typeof wilayas)[number]): State {
  const carrierCode = Number(code) > CARRIER_STATES && motherCode ? motherCode : code
  // The capital of a wilaya has the number 01.
  const capitalCode = carrierCode === code ? `${Number(code)}01` : null
  return { code, name, nameAr, carrierCode, parentCode: motherCode, capitalCode, otherNames: split(otherNames) }
}

function toCity(source: SourceCommune): City {
  const code = moved[source.post_code] ?? codeOf(source.post_code)
  const [name, nameAr] = names[code] ?? [null, null]
  // Swaps the coordinates: in the package, `longitude` is the latitude.
  const [latitude, longitude] = positions[code] ?? [Number(source.longitude), Number(source.latitude)]
  const stateCode = code.slice(0, -2).padStart(2, '0')
  const codes = split(posts[code] ?? '', ' ')
  return {
    code,
    name: name ?? source.name,
    nameAr: nameAr ?? cleanArabic(source.ar_name),
    stateCode,
    currentStateCode: currentStates.get(code) ?? stateCode,
    postalCode: codes[0] ?? null,
    postalCodes: codes,
    latitude,
    longitude,
    otherNames: [
      ...(name ? [source.name] : []),
      ...(nameAr && source.ar_name ? [cleanArabic(source.ar_name)] : []),
      ...split(popularNames[code] ?? ''),
    ],
  }
}

/** Converts the package's `post_code`, which is not a postal code but the statistics office's numbers of wilaya and commune. */
function codeOf(postCode: string): string {
  return String(Number(postCode.slice(0, 2))) + postCode.slice(-2)
}

function cleanArabic(name: string): string {
  return name.normalize('NFKC').replace(/ـ/g, '').replace(/\s+/g, ' ').trim()
}

function split(list: string, separator = '|'): string[] {
  return list === '' ? [] : list.split(separator)
}
