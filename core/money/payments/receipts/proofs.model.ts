import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Maybe, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'

/** Receipts of one payment: who sends another may have sent the wrong one. */
export const PROOFS_MAX = 5
export const PROOF_BYTES_MAX = 8 * 1024 * 1024
/** From one network within an hour. */
export const PROOFS_AN_HOUR = 30

export const PaymentProof = named(
  'PaymentProof',
  T.Object({
    id: Id,
    fileId: T.String({ description: 'a file of the store' }),
    url: T.String({ description: 'where whoever knows it sees the receipt' }),
    createdAt: Timestamp,
  }),
)
export type PaymentProof = Static<typeof PaymentProof>

export const PaymentDecision = named(
  'PaymentDecision',
  exact({
    status: oneOf(['paid', 'failed'], { description: 'whether the money is there' }),
    amount: Maybe(T.Number({ exclusiveMinimum: 0, maximum: 1e11, description: 'what is there, where that is not what was asked for' })),
    reason: Maybe(Text(200)),
  }),
)
export type PaymentDecision = Static<typeof PaymentDecision>
