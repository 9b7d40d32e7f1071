import { sha256 } from '../../../lib/crypto/crypto.ts'

/** Returns the account id of a store for in-app purchases: a UUID (RFC 9562, version 8) derived from its id. */
export function inAppAccountOf(storeId: string): string {
  const digest = sha256(`in-app account of ${storeId}`)
  return [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `a${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-')
}
