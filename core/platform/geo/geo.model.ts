import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { exact, Nullable, named, oneOf, Text } from '../../http/schema.ts'

/** Maximum addresses of a batch. */
const BATCH_MAX = 1_000

const Country = Text(60)
const Written = Nullable(T.String({ maxLength: 300 }))

/** Schema of an address to resolve. */
export const ResolveInput = exact(
  {
    country: T.Optional(Nullable(Country)),
    state: T.Optional(Written),
    city: T.Optional(Written),
    address: T.Optional(Written),
  },
  { description: "Texts as they were typed. Each may be empty. The default country is that of the project's store." },
)
/** Type of {@link ResolveInput}. */
export type ResolveInput = Static<typeof ResolveInput>

/** Schema of a batch of addresses to resolve. */
export const ResolveBatch = named('ResolveBatch', exact({ items: T.Array(ResolveInput, { minItems: 1, maxItems: BATCH_MAX }) }))

const ArabicName = T.String({ description: 'empty if unknown' })
const Confidence = T.Number({ minimum: 0, maximum: 1, description: 'from 0.9 it can be used without confirmation' })
const Code = T.String({ description: 'state, as carriers know it' })

/** Schema of a place that an address may mean. */
const Candidate = named(
  'Candidate',
  T.Object({
    stateCode: Code,
    stateName: T.String(),
    cityCode: T.String(),
    cityName: T.String(),
    confidence: Confidence,
  }),
)

/** Schema of a resolved address. */
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
    currentStateCode: T.Optional(T.String({ description: 'the state since the last border change, if it differs' })),
  }),
)

const InCountry = T.Optional(T.String({ pattern: '^[A-Za-z]{2}$', description: "ISO 3166; that of the project's store by default" }))
const OneState = T.Optional(T.String({ pattern: '^[A-Za-z0-9-]{1,16}$', description: 'one state only' }))

/** Schema of the query of the catalogue. */
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
/** Type of {@link CatalogState}. */
export type CatalogState = Static<typeof CatalogState>

/** Schema of a country's states with their cities. */
export const Catalog = named('Catalog', T.Object({ country: T.String(), states: T.Array(CatalogState) }))

/** Schema of the query that searches places. */
export const SearchQuery = T.Object({
  q: T.String({ minLength: 1, maxLength: 100 }),
  country: InCountry,
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 50, default: 10 })),
})

/** Schema of a found state or city. */
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

/** Schema of coordinates in a query. */
export const positionQuery = {
  lat: t.Number({ minimum: -90, maximum: 90 }),
  lon: t.Number({ minimum: -180, maximum: 180 }),
}

/** Schema of the query for the city at a point. */
export const ReverseQuery = T.Object(positionQuery)

/** Schema of the city nearest to a point. */
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

/** Schema of the query of borders. */
export const PolygonsQuery = T.Object({
  country: InCountry,
  state: OneState,
  kind: T.Optional(oneOf(['state', 'city'], { default: 'state' })),
})

const Positions = T.Array(T.Array(T.Number(), { minItems: 2, maxItems: 2, description: 'longitude and latitude' }))

/** Schema of borders as GeoJSON. */
export const Polygons = named(
  'Polygons',
  T.Object({
    type: T.Literal('FeatureCollection'),
    attribution: T.String({ description: 'the source to name wherever they are shown; empty if none is required' }),
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
