import { type Static, Type as T } from '@sinclair/typebox'
import { t } from 'elysia'
import { Id, named } from '../../../http/schema.ts'

/** Query of a search. */
export const SearchQuery = T.Object(
  {
    q: T.String({
      minLength: 1,
      maxLength: 200,
      description: 'part of a name or of an e-mail address; one or two characters match the beginning of a word',
    }),
    limit: T.Optional(t.Integer({ minimum: 1, maximum: 50, default: 10 })),
  },
  { additionalProperties: false },
)
/** Type of {@link SearchQuery}. */
export type SearchQuery = Static<typeof SearchQuery>

/** User that a search found. */
export const FoundUser = named('FoundPerson', T.Object({ id: Id, name: T.String(), email: T.String() }))
/** Type of {@link FoundUser}. */
export type FoundUser = Static<typeof FoundUser>
/** Store that a search found. */
export const FoundStore = named('FoundStore', T.Object({ id: Id, name: T.String(), slug: T.String() }))
/** Type of {@link FoundStore}. */
export type FoundStore = Static<typeof FoundStore>

/** Returns the schema of a response with found rows. */
export const searchResults = <S extends typeof FoundUser | typeof FoundStore>(row: S) => T.Object({ data: T.Array(row) })
