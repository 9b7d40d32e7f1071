import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { Id, Nullable, named, Text } from '../../http/schema.ts'

/** Schema of the code of a place. */
export const PlaceCode = T.String({
  pattern: '^[A-Za-z0-9-]{1,16}$',
  description: 'letters, digits and hyphens; it can stand for the id',
})

/** Schema of the query that searches cities. */
export const CityQuery = T.Object({
  q: Text(100, 1),
  country: T.Optional(T.String({ pattern: '^[A-Za-z]{2}$' })),
  state: T.Optional(Text(16, 1)),
  limit: T.Optional(t.Integer({ minimum: 1, maximum: 50, default: 10 })),
})

/** Schema of a found city. */
export const CityHit = named(
  'CityHit',
  T.Object({
    id: Id,
    countryCode: T.String(),
    stateCode: T.String(),
    stateName: T.String(),
    code: T.String(),
    name: T.String(),
    nameAr: Nullable(T.String()),
    postalCode: Nullable(T.String()),
  }),
)
/** Type of {@link CityHit}. */
export type CityHit = Static<typeof CityHit>
