import { ApiError } from '../../../http/errors/errors.ts'

/** In-app purchase that its app store has verified. */
export interface VerifiedPurchase {
  readonly transactionId: string
  readonly product: string
  /** Account id of the store that it was bought for; null if the app set none. */
  readonly account: string | null
  readonly months: number
}

/** Creates the error for an invalid receipt. */
export const receiptRefusedError = (message: string, cause?: unknown) => new ApiError('receipt_refused', message, { cause })

/** Creates the error for an app store that is not configured. */
export const appStoreNotConfiguredError = (shop: string) =>
  new ApiError('adapter_not_enabled', `The operator of this server has not configured the ${shop}.`)
