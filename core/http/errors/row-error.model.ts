import { type Static, Type as T } from '@sinclair/typebox'
import { named } from '../schema.ts'

/** Error of one row of many: the code and the message that a request for this row alone would get. */
export const RowError = named(
  'RowError',
  T.Object({
    code: T.String({ description: 'as of a request that does the same alone' }),
    message: T.String(),
    details: T.Optional(T.Array(T.Object({ path: T.String(), message: T.String() }))),
  }),
)
export type RowError = Static<typeof RowError>
