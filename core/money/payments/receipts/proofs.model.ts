import { type Static, Type as T } from '@sinclair/typebox'
import { exact, Id, Maybe, named, oneOf, Text, Timestamp } from '../../../http/schema.ts'

/** Maximum number of receipts of one payment. More than one, because the payer may have sent the wrong file. */
export const PROOFS_MAX = 5
/** Maximum size of a receipt, in bytes. */
export const PROOF_BYTES_MAX = 8 * 1024 * 1024
/** Maximum number of receipts per hour from one network. */
export const PROOFS_AN_HOUR = 30

/** Receipt of a payment in the API format. */
export const PaymentProof = named(
  'PaymentProof',
  T.Object({
    id: Id,
    fileId: T.String({ description: 'a file of the store' }),
    url: T.String({ description: 'address of the receipt; anyone who knows it can see it' }),
    createdAt: Timestamp,
  }),
)
/** Type of {@link PaymentProof}. */
export type PaymentProof = Static<typeof PaymentProof>

/** Request body that records whether the money of a payment arrived. */
export const PaymentDecision = named(
  'PaymentDecision',
  exact({
    status: oneOf(['paid', 'failed'], { description: 'whether the money arrived' }),
    amount: Maybe(
      T.Number({ exclusiveMinimum: 0, maximum: 1e11, description: 'the amount that arrived, if it differs from the requested amount' }),
    ),
    reason: Maybe(Text(200)),
  }),
)
/** Type of {@link PaymentDecision}. */
export type PaymentDecision = Static<typeof PaymentDecision>
