import { json, type Queryable, type Tx } from '../../data/sql.ts'
import { newId } from '../../lib/ids.ts'
import type { City, State } from './catalogue/catalogue.ts'
import type { CityHit } from './cities.model.ts'
import { searchableNames } from './names/searchable.ts'

/** Row of a country to insert. */
export interface CountryRow {
  readonly code: string
  readonly name: string
  readonly nativeName: string
  readonly currencies: readonly string[]
  readonly callingCodes: readonly string[]
  readonly languages: readonly string[]
}

const LOADING = 7_233_010

/** Locks the loading of catalogues until the transaction ends, so that one process loads and the others wait. */
export const lockLoading = (sql: Tx) => sql`select pg_advisory_xact_lock(${LOADING})`

/** Finds the fingerprint of a country's loaded catalogue. */
export const findFingerprint = async (sql: Queryable, country: string) =>
  (await sql<{ fingerprint: string }[]>`select fingerprint from geo_catalogue where country_code = ${country}`)[0]?.fingerprint

/** Catalogue that was loaded into the database. */
export interface LoadedCatalogue {
  readonly country: string
  readonly fingerprint: string
  readonly attribution: string
  readonly imported: boolean
}

/** Inserts or updates the fingerprint of a country's catalogue. */
export const saveFingerprint = (sql: Queryable, { country, fingerprint, attribution, imported }: LoadedCatalogue) => sql`
  insert into geo_catalogue (country_code, fingerprint, attribution, imported) values (${country}, ${fingerprint}, ${attribution}, ${imported})
  on conflict (country_code) do update set fingerprint = excluded.fingerprint, attribution = excluded.attribution,
    imported = excluded.imported, loaded_at = now()`

/** Adds an id to each row. Existing rows keep their own. */
const named = (prefix: string, rows: readonly object[]) => rows.map((row) => ({ ...row, id: newId(prefix) }))

/** Lists the codes that are not states of the country. Returns none if the country has no states at all. */
export const listUnknownStates = async (sql: Queryable, country: string, codes: readonly string[]): Promise<string[]> =>
  (
    await sql<{ code: string }[]>`select named.code from unnest(${codes as string[]}::text[]) named (code)
      where exists (select 1 from states where country_code = ${country})
        and not exists (select 1 from states s where s.country_code = ${country} and s.code = named.code)`
  ).map(({ code }) => code)

/** Returns true if any country has a state with this code. */
export const hasState = async (sql: Queryable, code: string) => (await sql`select 1 from states where code = ${code} limit 1`).length > 0

/** Lists the codes of a country's states, in order. */
export const listStateCodes = async (sql: Queryable, country: string, limit: number): Promise<string[]> =>
  (await sql<{ code: string }[]>`select code from states where country_code = ${country} order by code limit ${limit}`).map(
    ({ code }) => code,
  )

/** Returns true if the country exists. */
export const isCountry = async (sql: Queryable, code: string) => (await sql`select 1 from countries where code = ${code}`).length > 0

/** Inserts countries and updates those that no administrator has edited. */
export const upsertCountries = (sql: Queryable, countries: readonly CountryRow[]) => sql`
  insert into countries (id, code, name, native_name, currencies, calling_codes, languages, catalogued)
  select id, code, name, "nativeName", currencies, "callingCodes", languages, true
  from jsonb_to_recordset(${json(sql, named('cou', countries))}::jsonb)
    as country (id text, code text, name text, "nativeName" text, currencies jsonb, "callingCodes" jsonb, languages jsonb)
  on conflict (code) do update set name = excluded.name, native_name = excluded.native_name, currencies = excluded.currencies,
    calling_codes = excluded.calling_codes, languages = excluded.languages, updated_at = now()
  where not countries.edited`

/** Inserts states and updates those that no administrator has edited. */
export const upsertStates = (sql: Queryable, country: string, states: readonly State[]) => sql`
  insert into states (id, country_code, code, name, name_ar, carrier_code, catalogued)
  select id, ${country}, code, name, nullif("nameAr", ''), "carrierCode", true
  from jsonb_to_recordset(${json(sql, named('sta', states))}::jsonb)
    as state (id text, code text, name text, "nameAr" text, "carrierCode" text)
  on conflict (country_code, code) do update set name = excluded.name, name_ar = excluded.name_ar, carrier_code = excluded.carrier_code,
    updated_at = now()
  where not states.edited`

const withFolded = (cities: readonly City[]) => cities.map((city) => ({ ...city, folded: searchableNames(city) }))

/** Inserts cities and updates those that no administrator has edited. */
export const upsertCities = (sql: Queryable, country: string, cities: readonly City[]) => sql`
  insert into cities (
    id, country_code, state_code, code, name, name_ar, postal_code, latitude, longitude, current_state_code, folded, catalogued)
  select id, ${country}, "stateCode", code, name, nullif("nameAr", ''), "postalCode", latitude, longitude, "currentStateCode", folded, true
  from jsonb_to_recordset(${json(sql, named('cit', withFolded(cities)))}::jsonb) as city (
    id text, "stateCode" text, code text, name text, "nameAr" text, "postalCode" text,
    latitude double precision, longitude double precision, "currentStateCode" text, folded text)
  on conflict (country_code, code) do update set state_code = excluded.state_code, name = excluded.name, name_ar = excluded.name_ar,
    postal_code = excluded.postal_code, latitude = excluded.latitude, longitude = excluded.longitude,
    current_state_code = excluded.current_state_code, folded = excluded.folded, updated_at = now()
  where not cities.edited`

/** Finds cities whose name contains `folded`. Prefixes of names come first, then prefixes of words. */
export function findCities(sql: Queryable, folded: string, { country, state, limit }: { country?: string; state?: string; limit: number }) {
  const [beginning, word] = [`%|${folded}%`, `% ${folded}%`]
  // One or two letters match prefixes only, since nearly every name contains them.
  const anywhere = [...folded].length > 2 ? `%${folded}%` : beginning
  return sql<CityHit[]>`
    select c.id, c.country_code, c.state_code, s.name as state_name, c.code, c.name, c.name_ar, c.postal_code
    from cities c join states s on s.country_code = c.country_code and s.code = c.state_code
    where c.enabled and (c.folded like ${anywhere} or c.folded like ${word})
      ${country === undefined ? sql`` : sql`and c.country_code = ${country}`}
      ${state === undefined ? sql`` : sql`and ${state} in (c.state_code, c.current_state_code)`}
    order by c.folded like ${beginning} desc, c.folded like ${word} desc, c.name, c.id limit ${limit}`
}
