import { type Static, Type as T } from '@sinclair/typebox'
import { MapOf, named } from '../schema.ts'

/** Error of one row of a batch: the code and the message that a request for this row alone would get. */
export const RowError = named(
  'RowError',
  T.Object({
    code: T.String({ description: 'as in the response to a request for this row alone' }),
    message: T.String(),
    details: T.Optional(
      T.Array(T.Object({ path: T.String(), message: T.String(), values: T.Optional(MapOf(60, T.String(), { maxProperties: 20 })) })),
    ),
  }),
)
/** Type of {@link RowError}. */
export type RowError = Static<typeof RowError>
