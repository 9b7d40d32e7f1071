import { json, type Queryable, type Tx } from '../../../data/sql.ts'
import type { City, State } from '../catalogue/catalogue.ts'

const IMPORTING = 7_233_011

/** Locks imports until the transaction ends, without a timeout, so that one runs at a time. */
export async function lockImporting(tx: Tx) {
  await tx`set local lock_timeout = 0`
  await tx`select pg_advisory_xact_lock(${IMPORTING})`
}

/** Kind of an imported place. */
export type PlaceKind = 'state' | 'city'

/** Numbers of added and changed places. */
export interface UpsertCounts {
  readonly added: number
  readonly changed: number
}

/** Inserts or updates imported places. Returns how many were added and how many changed. */
export async function upsertImported(
  sql: Queryable,
  country: string,
  kind: PlaceKind,
  places: readonly (State | City)[],
): Promise<UpsertCounts> {
  const rows = await sql<{ added: boolean }[]>`
    insert into geo_imported (country_code, kind, code, place)
    select ${country}, ${kind}, place ->> 'code', place from jsonb_array_elements(${json(sql, places)}::jsonb) as place
    on conflict (country_code, kind, code) do update set place = excluded.place where geo_imported.place is distinct from excluded.place
    returning xmax = 0 as added`
  const added = rows.filter((row) => row.added).length
  return { added, changed: rows.length - added }
}

/** Returns true if the country exists. */
export const isCountry = async (sql: Queryable, country: string) => (await sql`select 1 from countries where code = ${country}`).length > 0

/** Lists the imported states of a country. */
export const listImportedStates = (sql: Queryable, country: string) =>
  sql<{ place: State }[]>`select place from geo_imported where country_code = ${country} and kind = 'state' order by code`

/** Lists imported places of a country by code, after a code. */
export const listImported = (sql: Queryable, country: string, kind: PlaceKind, after: string, take: number) =>
  sql<{ code: string; place: State | City }[]>`
    select code, place from geo_imported where country_code = ${country} and kind = ${kind} and code > ${after} order by code limit ${take}`

/** Counts the imported states and cities of a country, for its limits. */
export const countImported = async (sql: Queryable, country: string) =>
  (
    await sql<{ states: number; cities: number }[]>`
      select count(*) filter (where kind = 'state')::int as states, count(*) filter (where kind = 'city')::int as cities
      from geo_imported where country_code = ${country}`
  )[0] ?? { states: 0, cities: 0 }

/** Returns the largest number of city borders in one state of a country. */
export const countMostCityBorders = async (sql: Queryable, country: string) =>
  (
    await sql<{ most: number }[]>`
      select coalesce(max(cities), 0)::int as most from (
        select count(*) as cities from geo_borders where country_code = ${country} and kind = 'city' group by state_code) each_state`
  )[0]?.most ?? 0

/** Computes a fingerprint of a country's imported places and borders. */
export const computeFingerprint = async (sql: Queryable, country: string) =>
  (
    await sql<{ fingerprint: string }[]>`select md5(
      coalesce((select string_agg(md5(kind || code || place::text), '' order by kind, code) from geo_imported where country_code = ${country}), '') ||
      coalesce((select string_agg(md5(kind || code || coordinates), '' order by kind, code) from geo_borders where country_code = ${country}), '')
    ) as fingerprint`
  )[0]?.fingerprint ?? ''

/** Finds the attribution of a country's places; empty if there is none. */
export const findAttribution = async (sql: Queryable, country: string) =>
  (await sql<{ attribution: string }[]>`select attribution from geo_catalogue where country_code = ${country}`)[0]?.attribution ?? ''

/** Imported country with the fingerprint of its places. */
export interface ImportedCountry {
  readonly country: string
  readonly fingerprint: string
}

/** Lists the imported countries. */
export const listImportedCountries = (sql: Queryable) =>
  sql<ImportedCountry[]>`select country_code as country, fingerprint from geo_catalogue where imported order by country_code`
