import { type Static, Type as T } from '@sinclair/typebox'
import { exact, named, oneOf, pageQuery, Timestamp } from '../../../http/schema.ts'
import { Codes, ScannedParcel } from '../scans/scans.model.ts'

/** Request that scans returned parcels in. */
export const ReturnScan = named(
  'ReturnScan',
  exact({
    codes: Codes,
    condition: T.Optional(oneOf(['good', 'damaged'], { default: 'good', description: 'condition of all goods of this request' })),
  }),
)
/** Type of {@link ReturnScan}. */
export type ReturnScan = Static<typeof ReturnScan>

/** Parcel that its carrier calls returned, and that the store has not seen. */
export const ExpectedReturn = named('ExpectedReturn', T.Object({ ...ScannedParcel.properties, returnedAt: Timestamp }))
/** Type of {@link ExpectedReturn}. */
export type ExpectedReturn = Static<typeof ExpectedReturn>

/** Query of the list of expected returns. */
export const expectedQuery = T.Object({
  ...pageQuery,
  from: T.Optional({ ...Timestamp, description: 'leaves out parcels that came back before this moment' }),
})
