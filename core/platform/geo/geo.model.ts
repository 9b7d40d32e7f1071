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
  { description: "What people typed, as they typed it. Any of it may be empty; without a country it is that of the project's store." },
)
export type ResolveInput = Static<typeof ResolveInput>

export const ResolveBatch = named('ResolveBatch', exact({ items: T.Array(ResolveInput, { minItems: 1, maxItems: BATCH_MAX }) }))

const ArabicName = T.String({ description: 'empty where it is not known' })
const Confidence = T.Number({ minimum: 0, maximum: 1, description: 'from 0.9 on it may be used without asking' })
const Code = T.String({ description: 'state, as carriers know it' })

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
    cityCode: Nullable(T.String({ description: 'as the catalogue numbers it' })),
    cityName: Nullable(T.String()),
    method: oneOf(['exact', 'folded', 'alias', 'fuzzy', 'code', 'none']),
    confidence: Confidence,
    candidates: T.Array(Candidate, { description: 'best first, the answer itself included' }),
    currentStateCode: T.Optional(T.String({ description: 'the state since borders were drawn anew, where it is another' })),
  }),
)

const InCountry = T.Optional(T.String({ pattern: '^[A-Za-z]{2}$', description: "ISO 3166; that of the project's store unless said" }))
const OneState = T.Optional(T.String({ pattern: '^[A-Za-z0-9-]{1,16}$', description: 'one state only' }))

export const CatalogQuery = T.Object({ country: InCountry, state: OneState })

const CatalogCity = named(
  'CatalogCity',
  T.Object({
    code: T.String(),
    name: T.String(),
    nameAr: ArabicName,
    postalCode: Nullable(T.String()),
    latitude: T.Number(),
    longitude: T.Number(),
    currentStateCode: T.String(),
  }),
)

const CatalogState = named(
  'CatalogState',
  T.Object({ code: T.String(), name: T.String(), nameAr: ArabicName, cities: T.Array(CatalogCity) }),
)
export type CatalogState = Static<typeof CatalogState>

export const Catalog = named('Catalog', T.Object({ country: T.String(), states: T.Array(CatalogState) }))

export const SearchQuery = T.Object({
  q: T.String({ minLength: 1, maxLength: 100 }),
  country: InCountry,
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
    nameAr: ArabicName,
    score: T.Number(),
  }),
)

export const position = {
  lat: t.Number({ minimum: -90, maximum: 90 }),
  lon: t.Number({ minimum: -180, maximum: 180 }),
}

export const ReverseQuery = T.Object(position)

export const NearCity = named(
  'NearCity',
  T.Object({
    country: T.String(),
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

export const PolygonsQuery = T.Object({
  country: InCountry,
  state: OneState,
  kind: T.Optional(oneOf(['state', 'city'], { default: 'state' })),
})

const Positions = T.Array(T.Array(T.Number(), { minItems: 2, maxItems: 2, description: 'longitude and latitude' }))

export const Polygons = named(
  'Polygons',
  T.Object({
    type: T.Literal('FeatureCollection'),
    attribution: T.String({ description: 'whom to name where they are shown; empty where nobody asks for it' }),
    features: T.Array(
      T.Object({
        type: T.Literal('Feature'),
        properties: T.Object({
          kind: oneOf(['state', 'city']),
          code: T.String({ description: 'of the state or city of today' }),
          stateCode: Code,
          name: T.String(),
          nameAr: ArabicName,
        }),
        geometry: T.Object({ type: T.Literal('MultiPolygon'), coordinates: T.Array(T.Array(Positions)) }),
      }),
    ),
  }),
)
