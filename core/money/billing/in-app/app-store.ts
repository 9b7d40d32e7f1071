import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SignedDataVerifier } from '@apple/app-store-server-library'
import type { Config } from '../../../config.ts'
import type { PurchaseRefund } from './apply-refund.ts'
import { inAppErrors } from './in-app.errors.ts'
import { appStoreNotConfiguredError, type VerifiedPurchase } from './verified-purchase.ts'

/** Verifies data that the App Store signed. */
export interface AppStore {
  /** Verifies a transaction. Throws `receipt_refused`. */
  verifyPurchase(transaction: string): Promise<VerifiedPurchase>
  /** Verifies a server notification. Returns the refund that it reports, or undefined for other notifications. Throws `receipt_refused`. */
  verifyNotification(notification: string): Promise<PurchaseRefund | undefined>
}

/** Opens the App Store. Without configuration, it rejects every purchase. Throws, naming the setting, if a certificate cannot be read. */
export async function openAppStore({ appStore }: Pick<Config, 'appStore'>): Promise<AppStore> {
  const { bundleId, appId, environment, roots } = appStore
  if (bundleId === undefined || roots.length === 0) {
    const none = () => Promise.reject(appStoreNotConfiguredError('App Store'))
    return { verifyPurchase: none, verifyNotification: none }
  }
  if (environment === 'Production' && appId === undefined)
    throw new Error('APP_STORE_APP_ID must be the number of the app, since APP_STORE_ENVIRONMENT is Production.')
  const certificates = await Promise.all(roots.map(readRoot))
  const { Environment, SignedDataVerifier: Verifier } = await import('@apple/app-store-server-library')
  // Online checks would call the certificates' issuer directly, not through egress.
  const verifier = new Verifier(certificates, false, Environment[environment === 'Production' ? 'PRODUCTION' : 'SANDBOX'], bundleId, appId)
  return {
    verifyPurchase: (transaction) => verifyTransaction(verifier, transaction),
    verifyNotification: (notification) => readNotification(verifier, notification),
  }
}

/** Notification types that report a refund (true) or its reversal (false). */
const refundTypes: Readonly<Record<string, boolean>> = { REFUND: true, REVOKE: true, REFUND_REVERSED: false }

async function readNotification(verifier: SignedDataVerifier, signed: string): Promise<PurchaseRefund | undefined> {
  const rejectUnsigned = (error: unknown) => {
    throw inAppErrors.notificationUnsigned({ cause: error })
  }
  const { notificationType = '', data } = await verifier.verifyAndDecodeNotification(signed).catch(rejectUnsigned)
  const takenBack = refundTypes[notificationType]
  if (takenBack === undefined || !data?.signedTransactionInfo) return undefined
  const { transactionId } = await verifier.verifyAndDecodeTransaction(data.signedTransactionInfo).catch(rejectUnsigned)
  return transactionId ? { shop: 'app_store', transactionId, takenBack } : undefined
}

async function readRoot(path: string): Promise<Buffer> {
  try {
    return Buffer.from(new X509Certificate(await readFile(path)).raw)
  } catch (cause) {
    throw new Error(`APP_STORE_ROOTS must name certificates, DER or PEM; ${path} cannot be read.`, { cause })
  }
}

async function verifyTransaction(verifier: SignedDataVerifier, signed: string): Promise<VerifiedPurchase> {
  const verified = await verifier.verifyAndDecodeTransaction(signed).catch((error: unknown) => {
    throw inAppErrors.transactionUnsigned({ cause: error })
  })
  const { transactionId, productId, appAccountToken, quantity = 1, revocationDate, expiresDate, inAppOwnershipType } = verified
  if (!transactionId || !productId) throw inAppErrors.productUnnamed()
  if (revocationDate !== undefined) throw inAppErrors.purchaseRevoked()
  if (expiresDate !== undefined && expiresDate <= Date.now()) throw inAppErrors.purchaseExpired()
  if (inAppOwnershipType === 'FAMILY_SHARED') throw inAppErrors.purchaseOfFamily()
  return { transactionId, product: productId, account: appAccountToken ?? null, months: quantity }
}
