import { type Static, Type as T } from '@sinclair/typebox'
import { named } from '../schema.ts'

/** Error of one row of a batch: the code and the message that a request for this row alone would get. */
export const RowError = named(
  'RowError',
  T.Object({
    code: T.String({ description: 'as in the response to a request for this row alone' }),
    message: T.String(),
    details: T.Optional(T.Array(T.Object({ path: T.String(), message: T.String() }))),
  }),
)
/** Type of {@link RowError}. */
export type RowError = Static<typeof RowError>
