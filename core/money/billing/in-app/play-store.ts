import { createPrivateKey, createSign, type KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Static, Type as T, type TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import { OutboundError } from '../../../lib/net/outbound-error.ts'
import type { OutboundRequest, OutboundResponse } from '../../../lib/net/outbound-request.ts'
import { billingErrors } from '../billing.errors.ts'
import type { InAppPurchase } from '../subscriptions.model.ts'
import { inAppErrors } from './in-app.errors.ts'
import { appStoreNotConfiguredError, type VerifiedPurchase } from './verified-purchase.ts'

/** Purchase in the Play Store. */
export type PlayPurchase = Omit<Extract<InAppPurchase, { shop: 'play_store' }>, 'shop'>

/**
 * Verifies purchases at the Play Store and acknowledges them. The Play Store refunds purchases that are not acknowledged within three days.
 */
export interface PlayStore {
  /** Verifies a purchase. Throws `receipt_refused`, `upstream_timeout`, `upstream_error`. */
  verifyPurchase(purchase: PlayPurchase): Promise<VerifiedPurchase>
  acknowledge(purchase: PlayPurchase): Promise<void>
  /**
   * Lists order ids of purchases that were cancelled, refunded or charged back in the last 30 days, as far back as the API goes. Empty
   * without configuration.
   */
  listVoidedOrders(): Promise<string[]>
}

const [API, TOKENS] = ['androidpublisher.googleapis.com', 'oauth2.googleapis.com']
const SCOPE = 'https://www.googleapis.com/auth/androidpublisher'
const CALL_MS = 10_000
const ANSWER_BYTES = 1024 * 1024
/** Maximum number of pages, of 1,000 purchases each. */
const VOIDED_PAGES = 50
const TOKEN_SECONDS = 3_600
/** Time before its expiry at which a token is replaced. */
const SPARE_MS = 5 * 60_000

const Account = T.Object({ client_email: T.String({ minLength: 3 }), private_key: T.String({ minLength: 100 }) })
const Token = T.Object({ access_token: T.String({ minLength: 1 }), expires_in: T.Number() })
const Product = T.Object({
  purchaseState: T.Optional(T.Integer()),
  orderId: T.String({ minLength: 1 }),
  quantity: T.Optional(T.Integer({ minimum: 1 })),
  obfuscatedExternalAccountId: T.Optional(T.String()),
  /** 0: bought by a tester of the app. */
  purchaseType: T.Optional(T.Integer()),
})
const Renewed = T.Object({
  subscriptionState: T.String(),
  /** Present if the buyer is a tester of the app. */
  testPurchase: T.Optional(T.Unknown()),
  latestOrderId: T.Optional(T.String()),
  lineItems: T.Array(
    T.Object({ productId: T.String(), expiryTime: T.Optional(T.String()), latestSuccessfulOrderId: T.Optional(T.String()) }),
  ),
  externalAccountIdentifiers: T.Optional(T.Object({ obfuscatedExternalAccountId: T.Optional(T.String()) })),
})

const Voided = T.Object({
  voidedPurchases: T.Optional(T.Array(T.Object({ orderId: T.String({ minLength: 1 }) }))),
  tokenPagination: T.Optional(T.Object({ nextPageToken: T.Optional(T.String()) })),
})

/** States in which a subscription can be paid. */
const PAID_STATES = ['SUBSCRIPTION_STATE_ACTIVE', 'SUBSCRIPTION_STATE_CANCELED', 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD']

/**
 * Opens the Play Store. Without configuration, it rejects every purchase. Purchases by testers count only if the operator allows them,
 * because the Play Store has no test environment. Throws, naming the setting, if the account cannot be read.
 */
export async function openPlayStore({ playStore }: Pick<Config, 'playStore'>, outbound: Context['outbound']): Promise<PlayStore> {
  const { packageName, accountFile, takesTests } = playStore
  if (packageName === undefined || accountFile === undefined) {
    const prove = () => Promise.reject(appStoreNotConfiguredError('Play Store'))
    return { verifyPurchase: prove, acknowledge: prove, listVoidedOrders: () => Promise.resolve([]) }
  }
  const { client_email: email, key } = await readAccount(accountFile)
  const call = createClient(outbound, email, key)
  const base = `https://${API}/androidpublisher/v3/applications/${encodeURIComponent(packageName)}/purchases`
  const tokenOf = ({ purchaseToken }: PlayPurchase) => encodeURIComponent(purchaseToken)
  return {
    async verifyPurchase(purchase) {
      if (purchase.kind === 'subscription')
        return subscriptionReceipt(await call(`${base}/subscriptionsv2/tokens/${tokenOf(purchase)}`, Renewed), purchase, { takesTests })
      return productReceipt(await call(`${base}/products/${purchase.product}/tokens/${tokenOf(purchase)}`, Product), purchase, {
        takesTests,
      })
    },
    async acknowledge(purchase) {
      const [folder, verb] = purchase.kind === 'product' ? ['products', 'consume'] : ['subscriptions', 'acknowledge']
      await call(`${base}/${folder}/${purchase.product}/tokens/${tokenOf(purchase)}:${verb}`)
    },
    listVoidedOrders: () => listVoided((page) => call(`${base}/voidedpurchases?${new URLSearchParams({ type: '1', ...page })}`, Voided)),
  }
}

/** Reads voided purchases page by page, up to the maximum number of pages. */
async function listVoided(call: (page: { token?: string }) => Promise<Static<typeof Voided>>): Promise<string[]> {
  const orders: string[] = []
  let token: string | undefined
  for (let pages = 0; pages < VOIDED_PAGES; pages += 1) {
    const { voidedPurchases = [], tokenPagination } = await call(token === undefined ? {} : { token })
    orders.push(...voidedPurchases.map(({ orderId }) => orderId))
    token = tokenPagination?.nextPageToken
    if (!token) break
  }
  return orders
}

async function readAccount(path: string) {
  try {
    const account = Value.Decode(Account, JSON.parse(await readFile(path, 'utf8')))
    return { ...account, key: createPrivateKey(account.private_key) }
  } catch (cause) {
    throw new Error(`PLAY_STORE_ACCOUNT must name the JSON file of a service account; ${path} cannot be read.`, { cause })
  }
}

const TEST = 0

function productReceipt(
  { purchaseState = 0, orderId, quantity = 1, obfuscatedExternalAccountId, purchaseType }: Static<typeof Product>,
  { product }: PlayPurchase,
  { takesTests }: { readonly takesTests: boolean },
): VerifiedPurchase {
  if (purchaseType === TEST && !takesTests) throw inAppErrors.testPurchase()
  if (purchaseState !== 0) throw inAppErrors.purchaseUnpaid()
  return { transactionId: orderId, product, account: obfuscatedExternalAccountId ?? null, months: quantity }
}

function subscriptionReceipt(
  { subscriptionState, latestOrderId, lineItems, externalAccountIdentifiers, testPurchase }: Static<typeof Renewed>,
  { product }: PlayPurchase,
  { takesTests }: { readonly takesTests: boolean },
): VerifiedPurchase {
  if (testPurchase !== undefined && !takesTests) throw inAppErrors.testPurchase()
  const item = lineItems.find((one) => one.productId === product)
  const isOver = item?.expiryTime !== undefined && Date.parse(item.expiryTime) <= Date.now()
  // Each renewal has its own order id.
  const transactionId = item?.latestSuccessfulOrderId ?? latestOrderId
  if (!item || !transactionId || isOver || !PAID_STATES.includes(subscriptionState)) throw inAppErrors.subscriptionUnpaid()
  return { transactionId, product, account: externalAccountIdentifiers?.obfuscatedExternalAccountId ?? null, months: 1 }
}

/**
 * Creates a client that authenticates with a token of the service account (RFC 7523) and caches the token until shortly before its expiry.
 */
function createClient(outbound: Context['outbound'], email: string, key: KeyObject) {
  let token: { readonly value: string; readonly until: number } | undefined
  const requestToken = async () => {
    const body = `grant_type=${encodeURIComponent('urn:ietf:params:oauth:grant-type:jwt-bearer')}&assertion=${assertionOf(email, key)}`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await send(outbound, { url: `https://${TOKENS}/token`, method: 'POST', headers, body })
    const { access_token: value, expires_in: seconds } = read(answer, Token)
    return { value, until: Date.now() + seconds * 1_000 - SPARE_MS }
  }
  return async <S extends TSchema = TSchema>(url: string, schema?: S): Promise<Static<S>> => {
    if (!token || token.until <= Date.now()) token = await requestToken()
    const headers = { authorization: `Bearer ${token.value}` }
    const answer = await send(outbound, { url, headers, ...(schema ? {} : { method: 'POST', body: '' }) })
    if (answer.status === 401) token = undefined
    if ([400, 404, 410].includes(answer.status)) throw inAppErrors.purchaseUnknown()
    return schema ? read(answer, schema) : read(answer, T.Any())
  }
}

function assertionOf(email: string, key: KeyObject): string {
  const now = Math.floor(Date.now() / 1_000)
  const claims = { iss: email, scope: SCOPE, aud: `https://${TOKENS}/token`, iat: now, exp: now + TOKEN_SECONDS }
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`
}

async function send(outbound: Context['outbound'], request: OutboundRequest): Promise<OutboundResponse> {
  try {
    return await outbound({ ...request, timeoutMs: CALL_MS, maxBytes: ANSWER_BYTES, allowedHosts: [API, TOKENS] })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw billingErrors[error.reason === 'timeout' ? 'playStoreTimedOut' : 'playStoreUnreachable']({ cause: error })
  }
}

/** Parses a response. Throws `upstream_error` for an invalid one, which proves nothing about the purchase. */
function read<S extends TSchema>({ status, body }: OutboundResponse, schema: S): Static<S> {
  const text = new TextDecoder().decode(body)
  const value = status < 300 ? (text === '' ? {} : parseJson(text)) : undefined
  if (value !== undefined && Value.Check(schema, value)) return value
  throw billingErrors.playStoreFailed({ status })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
