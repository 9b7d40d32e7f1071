import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { exact, Nullable, named, oneOf, Text } from '../../http/schema.ts'

export const BATCH_MAX = 1_000

const Country = Text(60)
const Written = Nullable(T.String({ maxLength: 300 }))

export const ResolveInput = exact(
  {
    country: T.Optional(Nullable(Country)),
    state: T.Optional(Written),
    city: T.Optional(Written),
    address: T.Optional(Written),
  },
  { description: 'What people typed, as they typed it. Any of it may be empty; without a country it is Algeria.' },
)
export type ResolveInput = Static<typeof ResolveInput>

export const ResolveBatch = named('ResolveBatch', exact({ items: T.Array(ResolveInput, { minItems: 1, maxItems: BATCH_MAX }) }))

const Confidence = T.Number({ minimum: 0, maximum: 1, description: 'from 0.9 on it may be used without asking' })
const Code = T.String({ description: 'two-digit wilaya of the 58 scheme, as carriers use it' })

export const Candidate = named(
  'Candidate',
  T.Object({
    stateCode: Code,
    stateName: T.String(),
    cityCode: T.String(),
    cityName: T.String(),
    confidence: Confidence,
  }),
)

export const Resolution = named(
  'Resolution',
  T.Object({
    stateCode: Nullable(Code),
    stateName: Nullable(T.String()),
    cityCode: Nullable(T.String({ description: 'commune, as the national statistics office numbers it' })),
    cityName: Nullable(T.String()),
    method: oneOf(['exact', 'folded', 'alias', 'fuzzy', 'code', 'none']),
    confidence: Confidence,
    candidates: T.Array(Candidate, { description: 'best first, the answer itself included' }),
    currentStateCode: T.Optional(T.String({ description: 'the wilaya since the law of 2026, where it is another' })),
  }),
)

export const CatalogQuery = T.Object({
  country: T.Optional(T.String({ pattern: '^[A-Za-z]{2}$', default: 'DZ' })),
  state: T.Optional(T.String({ pattern: '^[0-9]{1,2}$', description: 'one wilaya only' })),
})

const CatalogCity = named(
  'CatalogCity',
  T.Object({
    code: T.String(),
    name: T.String(),
    nameAr: T.String(),
    postalCode: Nullable(T.String()),
    latitude: T.Number(),
    longitude: T.Number(),
    currentStateCode: T.String(),
  }),
)

const CatalogState = named(
  'CatalogState',
  T.Object({ code: T.String(), name: T.String(), nameAr: T.String(), cities: T.Array(CatalogCity) }),
)
export type CatalogState = Static<typeof CatalogState>

export const Catalog = named('Catalog', T.Object({ country: T.String(), states: T.Array(CatalogState) }))

export const SearchQuery = T.Object({
  q: T.String({ minLength: 1, maxLength: 100 }),
  country: T.Optional(T.String({ pattern: '^[A-Za-z]{2}$', default: 'DZ' })),
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 50, default: 10 })),
})

export const SearchHit = named(
  'SearchHit',
  T.Object({
    kind: oneOf(['state', 'city']),
    stateCode: T.String(),
    stateName: T.String(),
    cityCode: Nullable(T.String()),
    cityName: Nullable(T.String()),
    nameAr: T.String(),
    score: T.Number(),
  }),
)

const position = {
  lat: t.Number({ minimum: -90, maximum: 90 }),
  lon: t.Number({ minimum: -180, maximum: 180 }),
}

export const NearbyQuery = T.Object({
  ...position,
  kind: T.Optional(oneOf(['city', 'pickup'], { default: 'city' })),
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 50, default: 10 })),
})

export const ReverseQuery = T.Object(position)

export const NearCity = named(
  'NearCity',
  T.Object({
    stateCode: Code,
    stateName: T.String(),
    cityCode: T.String(),
    cityName: T.String(),
    currentStateCode: T.String(),
    latitude: T.Number(),
    longitude: T.Number(),
    distanceKm: T.Number({ description: 'great-circle' }),
  }),
)
