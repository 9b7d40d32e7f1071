import { json, type Queryable, type Tx } from '../../../data/sql.ts'
import type { City, State } from '../catalogue/catalogue.ts'

const IMPORTING = 7_233_011

/** One import at a time; whoever waits for it does so as long as it takes. */
export async function lockImporting(tx: Tx) {
  await tx`set local lock_timeout = 0`
  await tx`select pg_advisory_xact_lock(${IMPORTING})`
}

export type Kind = 'state' | 'city'

export interface Upserted {
  readonly added: number
  readonly changed: number
}

/** Keeps what the file says of places, and says of how many it is news. */
export async function upsertImported(sql: Queryable, country: string, kind: Kind, places: readonly (State | City)[]): Promise<Upserted> {
  const rows = await sql<{ added: boolean }[]>`
    insert into geo_imported (country_code, kind, code, place)
    select ${country}, ${kind}, place ->> 'code', place from jsonb_array_elements(${json(sql, places)}::jsonb) as place
    on conflict (country_code, kind, code) do update set place = excluded.place where geo_imported.place is distinct from excluded.place
    returning xmax = 0 as added`
  const added = rows.filter((row) => row.added).length
  return { added, changed: rows.length - added }
}

export const isCountry = async (sql: Queryable, country: string) => (await sql`select 1 from countries where code = ${country}`).length > 0

export const listImportedStates = (sql: Queryable, country: string) =>
  sql<{ place: State }[]>`select place from geo_imported where country_code = ${country} and kind = 'state' order by code`

export const listImported = (sql: Queryable, country: string, kind: Kind, after: string, take: number) =>
  sql<{ code: string; place: State | City }[]>`
    select code, place from geo_imported where country_code = ${country} and kind = ${kind} and code > ${after} order by code limit ${take}`

/** How many there are now, of what may not be without end. */
export const countImported = async (sql: Queryable, country: string) =>
  (
    await sql<{ states: number; cities: number }[]>`
      select count(*) filter (where kind = 'state')::int as states, count(*) filter (where kind = 'city')::int as cities
      from geo_imported where country_code = ${country}`
  )[0] ?? { states: 0, cities: 0 }

export const mostCityBorders = async (sql: Queryable, country: string) =>
  (
    await sql<{ most: number }[]>`
      select coalesce(max(cities), 0)::int as most from (
        select count(*) as cities from geo_borders where country_code = ${country} and kind = 'city' group by state_code) each_state`
  )[0]?.most ?? 0

/** Tells what is known of a country from what was known before. */
export const fingerprintOf = async (sql: Queryable, country: string) =>
  (
    await sql<{ fingerprint: string }[]>`select md5(
      coalesce((select string_agg(md5(kind || code || place::text), '' order by kind, code) from geo_imported where country_code = ${country}), '') ||
      coalesce((select string_agg(md5(kind || code || coordinates), '' order by kind, code) from geo_borders where country_code = ${country}), '')
    ) as fingerprint`
  )[0]?.fingerprint ?? ''

export const findAttribution = async (sql: Queryable, country: string) =>
  (await sql<{ attribution: string }[]>`select attribution from geo_catalogue where country_code = ${country}`)[0]?.attribution ?? ''

export interface ImportedCountry {
  readonly country: string
  readonly fingerprint: string
}

export const listImportedCountries = (sql: Queryable) =>
  sql<ImportedCountry[]>`select country_code as country, fingerprint from geo_catalogue where imported order by country_code`
