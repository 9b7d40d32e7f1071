import type { Queryable, Tx } from '../../../data/sql.ts'
import type { FieldPath } from '../../../lib/errors/domain-error.ts'
import { geoErrors } from '../geo.errors.ts'
import { hasState, listStateCodes, listUnknownStates } from '../geo.queries.ts'
import { findState, findStateByName, indexedCatalogueOf } from '../resolve/places.ts'
import type { StateFilter } from '../state-filter.model.ts'
import type { State } from './catalogue.ts'
import { findCatalogue, listCatalogues } from './catalogues.ts'

/** Address, as far as rules by state use it. */
export interface LocatedAddress {
  readonly country?: string
  readonly stateCode?: string
  /** Code of the state since the last border change, if it differs from the carriers'. */
  readonly currentStateCode?: string
  readonly cityCode?: string | null
}

/** Finds a state by its code in either scheme or by its full name. Undefined if there is none, or if the country's places are unknown. */
export function findStateByText(country: string, written: string): State | undefined {
  const catalogue = findCatalogue(country)
  if (!catalogue) return undefined
  const places = indexedCatalogueOf(catalogue)
  return findState(places, written.trim()) ?? findStateByName(places, written)
}

/** Lists the codes by which a rule can name the state of an address: the current one first, then the carriers'. */
export function stateCodesOf({ country, stateCode, currentStateCode, cityCode }: LocatedAddress): readonly string[] {
  if (stateCode === undefined) return []
  const current = currentStateCode ?? currentStateOf(country, cityCode)
  return current === undefined || current === stateCode ? [stateCode] : [current, stateCode]
}

function currentStateOf(country: string | undefined, cityCode: string | null | undefined): string | undefined {
  const catalogue = country && cityCode ? findCatalogue(country) : undefined
  return catalogue && indexedCatalogueOf(catalogue).cityOf(cityCode ?? '')?.currentStateCode
}

/** Builds an address whose state was typed. An unknown state is used as typed. */
export function addressInState(country: string, written: string): Required<Pick<LocatedAddress, 'country' | 'stateCode'>> & LocatedAddress {
  const state = findStateByText(country, written)
  if (!state) return { country, stateCode: written }
  return { country, stateCode: state.carrierCode, ...(state.code !== state.carrierCode && { currentStateCode: state.code }) }
}

/** Builds the filter of addresses by state. A current state that carriers do not know is identified by its cities. */
export function stateFilter(country: string, written: string): StateFilter {
  const state = findStateByText(country, written)
  const catalogue = findCatalogue(country)
  if (!state || !catalogue) return { stateCode: written }
  if (state.code === state.carrierCode) return { stateCode: state.code }
  const cityCodes = catalogue.cities.filter(({ currentStateCode }) => currentStateCode === state.code).map(({ code }) => code)
  return { stateCode: state.carrierCode, current: { code: state.code, cityCodes } }
}

const LISTED_MAX = 80

/**
 * Normalizes state codes to the catalogue's spelling. Throws `invalid_request` with the accepted codes if one is not a state of the
 * country. `kept`: previous codes, which are accepted unchanged.
 */
export async function parseStateCodes(
  sql: Queryable,
  country: string,
  written: readonly string[],
  { fieldOf, kept = [] }: { readonly fieldOf: (code: string, at: number) => FieldPath; readonly kept?: readonly string[] },
): Promise<string[]> {
  const codes = written.map((code) => (kept.includes(code) ? code : (findStateByText(country, code)?.code ?? code)))
  const asked = codes.filter((code) => !kept.includes(code))
  const [unknownCode] = asked.length > 0 ? await listUnknownStates(sql, country, asked) : []
  if (unknownCode !== undefined) {
    const at = codes.indexOf(unknownCode)
    throw geoErrors.stateUnknown(
      { unknownCode, allowed: await describeAllowed(sql, country) },
      { field: fieldOf(written[at] ?? unknownCode, at) },
    )
  }
  return codes
}

async function describeAllowed(sql: Queryable, country: string): Promise<string> {
  const codes = await listStateCodes(sql, country, LISTED_MAX + 1)
  const address = `See GET /v1/countries/${country}/states.`
  return codes.length > LISTED_MAX ? address : `Use one of ${codes.join(', ')}. ${address}`
}

/**
 * Throws `invalid_request` for a state, by code or name, that the country does not have; for null, that no country has. Accepts any state
 * of a country whose states are unknown.
 */
export async function assertKnownState(sql: Queryable, country: string | null, written: string, field: FieldPath): Promise<void> {
  if (country !== null) return void (await parseStateCodes(sql, country.toUpperCase(), [written], { fieldOf: () => field }))
  if (listCatalogues().some((catalogue) => findStateByText(catalogue.country, written)) || (await hasState(sql, written))) return
  throw geoErrors.stateCodeUnknown({ written }, { field })
}

/**
 * Normalizes the state codes of a map. Throws `invalid_request` if the country has no such state, or if a state is named twice. Returns
 * undefined for undefined.
 */
export async function parseByState<V>(
  tx: Tx,
  country: string,
  byWrittenCode: Readonly<Record<string, V>> | undefined,
  before: Readonly<Record<string, unknown>> | undefined,
  field: FieldPath,
): Promise<Record<string, V> | undefined> {
  if (!byWrittenCode) return undefined
  const written = Object.keys(byWrittenCode)
  const codes = await parseStateCodes(tx, country, written, { fieldOf: (code) => [...field, code], kept: Object.keys(before ?? {}) })
  const twice = codes.findIndex((code, at) => codes.indexOf(code) !== at)
  if (twice >= 0) throw geoErrors.stateRepeated({ state: codes[twice] ?? '' }, { field: [...field, written[twice] ?? ''] })
  return Object.fromEntries(codes.map((code, at) => [code, byWrittenCode[written[at] ?? code] as V]))
}
