import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { Id, named } from '../../../http/schema.ts'

export const SearchQuery = T.Object(
  {
    q: T.String({ minLength: 1, maxLength: 200, description: 'part of a name or of an address; one or two letters: how a word begins' }),
    limit: T.Optional(t.Integer({ minimum: 1, maximum: 50, default: 10 })),
  },
  { additionalProperties: false },
)
export type SearchQuery = Static<typeof SearchQuery>

export const FoundPerson = named('FoundPerson', T.Object({ id: Id, name: T.String(), email: T.String() }))
export type FoundPerson = Static<typeof FoundPerson>
export const FoundStore = named('FoundStore', T.Object({ id: Id, name: T.String(), slug: T.String() }))
export type FoundStore = Static<typeof FoundStore>

export const Found = <S extends typeof FoundPerson | typeof FoundStore>(row: S) => T.Object({ data: T.Array(row) })
