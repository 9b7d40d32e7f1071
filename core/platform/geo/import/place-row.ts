import type { City, State } from '../catalogue/catalogue.ts'
import type { MultiPolygon } from '../shapes/border.ts'

/** Place that a line of a file describes. */
export interface PlaceRow {
  /** State; undefined if the line only names the state of its city. */
  readonly state?: State
  readonly city?: City
  readonly isCapital: boolean
  readonly border?: MultiPolygon
  readonly stateCode: string
}

/** Columns of a line by name. */
export type PlaceColumns = Readonly<Record<string, string | undefined>>

/** Columns that a file may have. */
export const columns = [
  'state_code',
  'state_name',
  'state_name_ar',
  'state_other_names',
  'city_code',
  'city_name',
  'city_name_ar',
  'city_other_names',
  'is_capital',
  'postal_codes',
  'latitude',
  'longitude',
] as const
type Column = (typeof columns)[number]

const CODE = /^[A-Za-z0-9-]{1,16}$/
const NAME = /^[^\p{Cc}]{1,120}$/u
const POST = /^[A-Za-z0-9-]{2,20}$/
const NUMBER = /^-?\d{1,3}(?:\.\d{1,12})?$/
const OTHERS_MAX = 50
const YES = ['1', 'yes', 'true']

/** Parses a line. Returns the place, or for each invalid column what it must be. */
export function parsePlace(written: PlaceColumns, border?: MultiPolygon): PlaceRow | { readonly problems: string[] } {
  const problems: string[] = []
  const textOf = (column: Column) => (written[column] ?? '').normalize('NFC').trim()
  const requireColumn = (column: Column, pattern: RegExp, what: string): string => {
    const text = textOf(column)
    if (!pattern.test(text)) problems.push(`${column} must be ${what}, not ${quote(text)}.`)
    return text
  }
  const optional = (column: Column, pattern: RegExp, what: string) => (textOf(column) === '' ? '' : requireColumn(column, pattern, what))
  const listOf = (column: Column, pattern: RegExp, what: string): string[] => {
    const all = textOf(column)
      .split('|')
      .map((each) => each.trim())
      .filter(Boolean)
    const wrong = all.find((each) => !pattern.test(each))
    if (wrong !== undefined) problems.push(`${column} must be ${what}, with | between them; ${quote(wrong)} is none.`)
    if (all.length > OTHERS_MAX) problems.push(`${column} has more than ${OTHERS_MAX} entries.`)
    return all
  }
  const degrees = (column: Column, most: number): number => {
    const text = textOf(column)
    if (!NUMBER.test(text) || Math.abs(Number(text)) > most)
      problems.push(`${column} must be a number from -${most} to ${most}, not ${quote(text)}.`)
    return Number(text)
  }
  const name = (column: Column) => requireColumn(column, NAME, 'a name of 1 to 120 characters')
  const nameAr = (column: Column) => optional(column, NAME, 'a name of at most 120 characters, or empty')
  const others = (column: Column) => listOf(column, NAME, 'names of at most 120 characters')

  const stateCode = requireColumn('state_code', CODE, '1 to 16 letters, digits and hyphens')
  const namesState = textOf('state_name') !== '' || textOf('city_code') === ''
  const state = namesState && {
    code: stateCode,
    name: name('state_name'),
    nameAr: nameAr('state_name_ar'),
    carrierCode: stateCode,
    parentCode: null,
    capitalCode: null,
    otherNames: others('state_other_names'),
  }
  const city = textOf('city_code') !== '' && cityOf()
  if (problems.length > 0) return { problems }
  const isCapital = YES.includes(textOf('is_capital').toLowerCase())
  return { ...(state && { state }), ...(city && { city }), ...(border && { border }), isCapital, stateCode }

  function cityOf(): City {
    const postalCodes = listOf('postal_codes', POST, 'postal codes of 2 to 20 letters and digits')
    return {
      code: requireColumn('city_code', CODE, '1 to 16 letters, digits and hyphens'),
      name: name('city_name'),
      nameAr: nameAr('city_name_ar'),
      stateCode,
      currentStateCode: stateCode,
      postalCode: postalCodes[0] ?? null,
      postalCodes,
      latitude: degrees('latitude', 90),
      longitude: degrees('longitude', 180),
      otherNames: others('city_other_names'),
    }
  }
}

const SHOWN_MAX = 40
const quote = (text: string) => (text === '' ? 'empty' : `"${text.slice(0, SHOWN_MAX)}"`)
