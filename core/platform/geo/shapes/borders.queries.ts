import { json, type Queryable } from '../../../data/sql.ts'
import type { Border } from './border.ts'

const withText = (borders: readonly Border[]) => borders.map((border) => ({ ...border, coordinates: JSON.stringify(border.coordinates) }))

/** Inserts or updates borders. */
export const upsertBorders = (sql: Queryable, country: string, borders: readonly Border[]) => sql`
  insert into geo_borders (country_code, kind, code, state_code, coordinates)
  select ${country}, kind, code, "stateCode", coordinates
  from jsonb_to_recordset(${json(sql, withText(borders))}::jsonb) as border (kind text, code text, "stateCode" text, coordinates text)
  on conflict (country_code, kind, code) do update set state_code = excluded.state_code, coordinates = excluded.coordinates`

/** Finds the attribution and the fingerprint of a country's borders. Undefined for an unknown country. */
export const findBorderInfo = async (sql: Queryable, country: string) =>
  (
    await sql<{ fingerprint: string; attribution: string }[]>`
      select fingerprint, attribution from geo_catalogue where country_code = ${country}`
  )[0]

/** Row of a border with its place. */
export interface BorderRow {
  readonly code: string
  readonly stateCode: string
  readonly name: string
  readonly nameAr: string | null
  /** Coordinates as JSON text. */
  readonly coordinates: string
}

/** Lists the borders of states, or of one state by either code. */
export const listStateBorders = (sql: Queryable, country: string, state: string | null, most: number) => sql<BorderRow[]>`
  select b.code, coalesce(s.carrier_code, s.code) as state_code, s.name, s.name_ar, b.coordinates
  from geo_borders b join states s on s.country_code = b.country_code and s.code = b.code
  where b.country_code = ${country} and b.kind = 'state' and s.enabled
    and (${state}::text is null or ${state} in (s.code, s.carrier_code))
  order by b.code limit ${most}`

/** Lists the borders of a state's cities. */
export const listCityBorders = (sql: Queryable, country: string, state: string, most: number) => sql<BorderRow[]>`
  select b.code, c.state_code, c.name, c.name_ar, b.coordinates
  from geo_borders b join cities c on c.country_code = b.country_code and c.code = b.code
  where b.country_code = ${country} and b.kind = 'city' and b.state_code = ${state} and c.enabled
  order by b.code limit ${most}`
