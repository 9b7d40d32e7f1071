import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { SignedDataVerifier } from '@apple/app-store-server-library'
import type { Config } from '../../../config.ts'
import { notSold, type Receipt, refused } from './receipt.ts'
import type { Refunded } from './revoke.ts'

/** Proves what the App Store signed. */
export interface AppStore {
  /** Throws `receipt_refused`. */
  prove(transaction: string): Promise<Receipt>
  /** What a notification of the server says was given back; undefined where it says nothing of that. Throws `receipt_refused`. */
  hear(notification: string): Promise<Refunded | undefined>
}

/** Null where it is not set up. Throws, naming the setting, where a certificate cannot be read. */
export async function openAppStore({ appStore }: Pick<Config, 'appStore'>): Promise<AppStore> {
  const { bundleId, appId, environment, roots } = appStore
  if (bundleId === undefined || roots.length === 0) {
    const none = () => Promise.reject(notSold('App Store'))
    return { prove: none, hear: none }
  }
  if (environment === 'Production' && appId === undefined)
    throw new Error('APP_STORE_APP_ID must be the number of the app, since APP_STORE_ENVIRONMENT is Production.')
  const certificates = await Promise.all(roots.map(readRoot))
  const { Environment, SignedDataVerifier: Verifier } = await import('@apple/app-store-server-library')
  // Online it would ask the certificates' issuer past our own way out.
  const verifier = new Verifier(certificates, false, Environment[environment === 'Production' ? 'PRODUCTION' : 'SANDBOX'], bundleId, appId)
  return { prove: (transaction) => prove(verifier, transaction), hear: (notification) => hear(verifier, notification) }
}

/** Notifications that say whose money it is now. */
const refunds: Readonly<Record<string, boolean>> = { REFUND: true, REVOKE: true, REFUND_REVERSED: false }

async function hear(verifier: SignedDataVerifier, signed: string): Promise<Refunded | undefined> {
  const unsigned = (error: unknown) => {
    throw refused('The App Store did not sign this notification for this app and environment.', error)
  }
  const { notificationType = '', data } = await verifier.verifyAndDecodeNotification(signed).catch(unsigned)
  const takenBack = refunds[notificationType]
  if (takenBack === undefined || !data?.signedTransactionInfo) return undefined
  const { transactionId } = await verifier.verifyAndDecodeTransaction(data.signedTransactionInfo).catch(unsigned)
  return transactionId ? { shop: 'app_store', transactionId, takenBack } : undefined
}

async function readRoot(path: string): Promise<Buffer> {
  try {
    return Buffer.from(new X509Certificate(await readFile(path)).raw)
  } catch (cause) {
    throw new Error(`APP_STORE_ROOTS must name certificates, DER or PEM; ${path} is none that can be read.`, { cause })
  }
}

async function prove(verifier: SignedDataVerifier, signed: string): Promise<Receipt> {
  const bought = await verifier.verifyAndDecodeTransaction(signed).catch((error: unknown) => {
    throw refused('The App Store did not sign this transaction for this app and environment.', error)
  })
  const { transactionId, productId, appAccountToken, quantity = 1, revocationDate, expiresDate, inAppOwnershipType } = bought
  if (!transactionId || !productId) throw refused('The transaction says not what was bought.')
  if (revocationDate !== undefined) throw refused('The App Store has taken this purchase back.')
  if (expiresDate !== undefined && expiresDate <= Date.now()) throw refused('The time that this purchase was for is over.')
  if (inAppOwnershipType === 'FAMILY_SHARED') throw refused('This was bought by somebody else of the family: send the own purchase.')
  return { transactionId, product: productId, account: appAccountToken ?? null, months: quantity }
}
