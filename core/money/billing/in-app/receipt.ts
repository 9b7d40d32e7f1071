import { ApiError } from '../../../http/errors/errors.ts'

/** What was bought in an app, as its shop has proven it. */
export interface Receipt {
  readonly transactionId: string
  readonly product: string
  /** The store that it was bought for, as its app said; null where it said nothing. */
  readonly account: string | null
  readonly months: number
}

export const refused = (message: string, cause?: unknown) => new ApiError('receipt_refused', message, { cause })

export const notSold = (shop: string) =>
  new ApiError('adapter_not_enabled', `Nothing is sold in the ${shop} here: whoever runs this server has not set it up.`)
