import type { Tx } from '../../../data/sql.ts'
import { invalid } from '../../../http/errors/errors.ts'
import { codesOfStates, strangeStates } from '../geo.queries.ts'
import { findState, placesOf, stateNamed } from '../resolve/places.ts'
import type { StateFilter } from '../state-filter.model.ts'
import { findCatalogue } from './atlas.ts'
import type { State } from './catalogue.ts'

/** An address, as far as rules by state look at it. */
export interface Located {
  readonly country?: string
  readonly stateCode?: string
  /** The state since borders were drawn anew, where it is another than the carriers'. */
  readonly currentStateCode?: string
  readonly cityCode?: string | null
}

/** A state by its code in either scheme, or by its whole name; undefined where the country's places are not known or have none of it. */
export function stateWritten(country: string, written: string): State | undefined {
  const catalogue = findCatalogue(country)
  if (!catalogue) return undefined
  const places = placesOf(catalogue)
  return findState(places, written.trim()) ?? stateNamed(places, written)
}

/** Codes by which a rule can name the state of an address: that of today first, then the one that carriers know. */
export function stateCodesOf({ country, stateCode, currentStateCode, cityCode }: Located): readonly string[] {
  if (stateCode === undefined) return []
  const current = currentStateCode ?? currentOf(country, cityCode)
  return current === undefined || current === stateCode ? [stateCode] : [current, stateCode]
}

function currentOf(country: string | undefined, cityCode: string | null | undefined): string | undefined {
  const catalogue = country && cityCode ? findCatalogue(country) : undefined
  return catalogue && placesOf(catalogue).cityOf(cityCode ?? '')?.currentStateCode
}

/** An address of which only the state is known, as somebody wrote it. */
export function locatedIn(country: string, written: string): Required<Pick<Located, 'country' | 'stateCode'>> & Located {
  const state = stateWritten(country, written)
  if (!state) return { country, stateCode: written }
  return { country, stateCode: state.carrierCode, ...(state.code !== state.carrierCode && { currentStateCode: state.code }) }
}

/** The addresses that a filter by state means: a state of today that carriers do not know is told by its cities. */
export function stateFilter(country: string, written: string): StateFilter {
  const state = stateWritten(country, written)
  const catalogue = findCatalogue(country)
  if (!state || !catalogue) return { stateCode: written }
  if (state.code === state.carrierCode) return { stateCode: state.code }
  const cityCodes = catalogue.cities.filter(({ currentStateCode }) => currentStateCode === state.code).map(({ code }) => code)
  return { stateCode: state.carrierCode, current: { code: state.code, cityCodes } }
}

const LISTED_MAX = 80

/**
 * The codes of the states that rules name, each as the catalogue writes it. Throws `invalid_request` with what is allowed where one is no
 * state of the country. `kept`: codes of before, which stay.
 */
export async function readStateCodes(
  tx: Tx,
  country: string,
  written: readonly string[],
  { pathOf, kept = [] }: { readonly pathOf: (code: string, at: number) => string; readonly kept?: readonly string[] },
): Promise<string[]> {
  const codes = written.map((code) => (kept.includes(code) ? code : (stateWritten(country, code)?.code ?? code)))
  const asked = codes.filter((code) => !kept.includes(code))
  const [strange] = asked.length > 0 ? await strangeStates(tx, country, asked) : []
  if (strange !== undefined) {
    const at = codes.indexOf(strange)
    throw invalid(pathOf(written[at] ?? strange, at), `"${strange}" is the code of no state. ${await allowed(tx, country)}`)
  }
  return codes
}

async function allowed(tx: Tx, country: string): Promise<string> {
  const codes = await codesOfStates(tx, country, LISTED_MAX + 1)
  const address = `See GET /v1/countries/${country}/states.`
  return codes.length > LISTED_MAX ? address : `Use one of ${codes.join(', ')}. ${address}`
}

/**
 * What is said by state, under codes as the catalogue writes them. Throws `invalid_request` where the country has no such state, or where one
 * is named twice.
 */
export async function readByState<V>(
  tx: Tx,
  country: string,
  said: Readonly<Record<string, V>> | undefined,
  before: Readonly<Record<string, unknown>> | undefined,
  path: string,
): Promise<Record<string, V> | undefined> {
  if (!said) return undefined
  const written = Object.keys(said)
  const codes = await readStateCodes(tx, country, written, { pathOf: (code) => `${path}/${code}`, kept: Object.keys(before ?? {}) })
  const twice = codes.findIndex((code, at) => codes.indexOf(code) !== at)
  if (twice >= 0) throw invalid(`${path}/${written[twice]}`, `The state ${codes[twice]} is named twice.`)
  return Object.fromEntries(codes.map((code, at) => [code, said[written[at] ?? code] as V]))
}
