import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, named, Text, Timestamp } from '../../http/schema.ts'

/** Limits of saved filters in one store: those of one user, and those that all members see. */
export const FILTER_LIMITS = { perUser: 50, shared: 100, parameters: 50 } as const

/** Key of a page or list that a client chooses. */
export const PageKey = T.String({
  minLength: 1,
  maxLength: 40,
  pattern: '^[a-z][a-z0-9.-]*$',
  description: 'key of the page, such as `orders`',
})

const name = Text(60, 1)
const query = T.String({ maxLength: 2000, description: 'query string of the list, without `?`; empty for no filter' })
const isShared = T.Boolean({ description: 'true: all members of the store see it' })

/** Body that saves a filter. */
export const NewSavedFilter = named('NewSavedFilter', exact({ page: PageKey, name, query, isShared: T.Optional(isShared) }))
/** Type of {@link NewSavedFilter}. */
export type NewSavedFilter = Static<typeof NewSavedFilter>

/** Body that changes a saved filter. */
export const SavedFilterChange = named(
  'SavedFilterChange',
  exact({ name: T.Optional(name), query: T.Optional(query), isShared: T.Optional(isShared) }, { minProperties: 1 }),
)
/** Type of {@link SavedFilterChange}. */
export type SavedFilterChange = Static<typeof SavedFilterChange>

/** Filter of a list that a user saved. */
export const SavedFilter = named(
  'SavedFilter',
  T.Object({
    id: Id,
    storeId: Id,
    page: T.String(),
    name: T.String(),
    query: T.String({ description: 'query string of the list, without `?`' }),
    isShared,
    isOwn: T.Boolean({ description: 'true if you saved it' }),
    savedBy: T.Object({ userId: Id, name: T.String() }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
/** Type of {@link SavedFilter}. */
export type SavedFilter = Static<typeof SavedFilter>
