import type { Queryable } from '../data/sql.ts'
import type { City, State } from './catalogue.ts'

export interface CountryRow {
  readonly code: string
  readonly name: string
  readonly nativeName: string
  readonly currencies: readonly string[]
  readonly callingCodes: readonly string[]
  readonly languages: readonly string[]
}

const LOADING = 7_233_010

/** Of several processes that start at once, one loads and the others wait for it. */
export const lockLoading = (sql: Queryable) => sql`select pg_advisory_xact_lock(${LOADING})`

export const findFingerprint = async (sql: Queryable, country: string) =>
  (await sql<{ fingerprint: string }[]>`select fingerprint from geo_catalogue where country_code = ${country}`)[0]?.fingerprint

export const saveFingerprint = (sql: Queryable, country: string, fingerprint: string) => sql`
  insert into geo_catalogue (country_code, fingerprint) values (${country}, ${fingerprint})
  on conflict (country_code) do update set fingerprint = excluded.fingerprint, loaded_at = now()`

export const upsertCountries = (sql: Queryable, countries: readonly CountryRow[]) => sql`
  insert into countries (code, name, native_name, currencies, calling_codes, languages)
  select code, name, "nativeName", currencies, "callingCodes", languages
  from jsonb_to_recordset(${sql.json(countries as never)}::jsonb)
    as country (code text, name text, "nativeName" text, currencies text[], "callingCodes" text[], languages text[])
  on conflict (code) do update set name = excluded.name, native_name = excluded.native_name, currencies = excluded.currencies,
    calling_codes = excluded.calling_codes, languages = excluded.languages`

export const upsertStates = (sql: Queryable, country: string, states: readonly State[]) => sql`
  insert into states (country_code, code, name, name_ar, carrier_code)
  select ${country}, code, name, "nameAr", "carrierCode"
  from jsonb_to_recordset(${sql.json(states as never)}::jsonb) as state (code text, name text, "nameAr" text, "carrierCode" text)
  on conflict (country_code, code) do update set name = excluded.name, name_ar = excluded.name_ar, carrier_code = excluded.carrier_code`

export const upsertCities = (sql: Queryable, country: string, cities: readonly City[]) => sql`
  insert into cities (country_code, state_code, code, name, name_ar, postal_code, latitude, longitude, current_state_code)
  select ${country}, "stateCode", code, name, "nameAr", "postalCode", latitude, longitude, "currentStateCode"
  from jsonb_to_recordset(${sql.json(cities as never)}::jsonb) as city (
    "stateCode" text, code text, name text, "nameAr" text, "postalCode" text,
    latitude double precision, longitude double precision, "currentStateCode" text)
  on conflict (country_code, code) do update set state_code = excluded.state_code, name = excluded.name, name_ar = excluded.name_ar,
    postal_code = excluded.postal_code, latitude = excluded.latitude, longitude = excluded.longitude,
    current_state_code = excluded.current_state_code`
