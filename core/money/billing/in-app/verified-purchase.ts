import { sha256 } from '../../../lib/crypto/crypto.ts'
import { billingErrors } from '../billing.errors.ts'

/** In-app purchase that its app store has verified. */
export interface VerifiedPurchase {
  readonly transactionId: string
  readonly product: string
  /** Account id of the store that it was bought for; null if the app set none. */
  readonly account: string | null
  readonly months: number
}

/** Creates the error for an app store that is not configured. */
export const appStoreNotConfiguredError = (shop: string) => billingErrors.shopNotConfigured({ shop })

/** Returns the account id of a store for in-app purchases: a UUID (RFC 9562, version 8) derived from its id. */
export function inAppAccountOf(storeId: string): string {
  const digest = sha256(`in-app account of ${storeId}`)
  return [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `a${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-')
}
