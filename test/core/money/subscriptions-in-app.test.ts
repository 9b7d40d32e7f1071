import { afterAll, describe, expect, test } from 'bun:test'
import { randomUUID } from 'node:crypto'
import { readConfig } from '../../../core/config.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { openAppStore } from '../../../core/money/billing/in-app/app-store.ts'
import { applyVoidedPurchases } from '../../../core/money/billing/in-app/apply-refund.ts'
import { openPlayStore } from '../../../core/money/billing/in-app/play-store.ts'
import { type Answer, startApp } from '../../support/app.ts'
import { ownAppStore, ownPlayStore, PACKAGE } from '../../support/in-app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { differences, type Subscriber, sellingPlatform } from './subscription-shop.ts'

const BUNDLE = 'com.example.shop'
const folder = await scratchFolder()
const apple = await ownAppStore(folder, 'apple')
const google = await ownPlayStore(folder)
afterAll(() => google.stop())
const appStore = { bundleId: BUNDLE, appId: undefined, environment: 'Sandbox' as const, roots: [apple.root] }
const app = await startApp({
  appStore,
  playStore: { packageName: PACKAGE, accountFile: google.accountFile, takesTests: true },
  simulators: google.simulators,
})
const { subscriber } = await sellingPlatform(app, {
  basic: {
    code: 'basic',
    name: 'Basic',
    price: 1000,
    currency: 'DZD',
    appStoreProduct: 'month.basic',
    playStoreProduct: 'basic_month',
    available: true,
  },
  pro: {
    code: 'pro',
    name: 'Pro',
    price: 3000,
    currency: 'DZD',
    trialDays: 7,
    appStoreProduct: 'month.pro',
    playStoreProduct: 'pro_month',
    available: true,
  },
})

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const accountOf = async (store: Subscriber): Promise<string> => (await store.read()).inAppAccount
const buy = (store: Subscriber, body: object) => store.ask('subscription/buyMonthWithIap', body)
const buyApple = (store: Subscriber, transaction: string) => buy(store, { shop: 'app_store', transaction })

/** What Apple signs of a purchase. */
const bought = async (store: Subscriber, more: object = {}) => ({
  transactionId: `2000${Date.now()}${Math.floor(Math.random() * 1e6)}`,
  bundleId: BUNDLE,
  productId: 'month.basic',
  environment: 'Sandbox',
  purchaseDate: Date.now(),
  signedDate: Date.now(),
  quantity: 1,
  type: 'Consumable',
  inAppOwnershipType: 'PURCHASED',
  appAccountToken: await accountOf(store),
  ...more,
})

describe('a month of the App Store', () => {
  test('gives the plan, without a trial, once, also to two that send it at once', async () => {
    const store = await subscriber()
    const signed = apple.sign(await bought(store, { productId: 'month.pro' }))
    const answers = await Promise.all([buyApple(store, signed), buyApple(store, signed), buyApple(store, signed)])
    expect(answers.map(outcome)).toEqual(['200', '200', '200'])
    expect(await store.read()).toMatchObject({ plan: 'pro', status: 'active', credits: [], due: null })
    expect((await store.list('invoices')).map(({ status }: { status: string }) => status)).toEqual(['paid'])
  })

  test('of a plan that is had pays its next month', async () => {
    const store = await subscriber()
    await buyApple(store, apple.sign(await bought(store)))
    const { body } = await buyApple(store, apple.sign(await bought(store, { quantity: 2 })))
    expect(body.data).toMatchObject({ plan: 'basic', credits: [{ currency: 'DZD', amount: 2000 }] })
  })

  test('of a dearer plan goes to its price', async () => {
    const store = await subscriber()
    await store.on('basic')
    const { body } = await buyApple(store, apple.sign(await bought(store, { productId: 'month.pro' })))
    expect(body.data).toMatchObject({ plan: 'pro', status: 'active' })
    expect(body.data.credits[0].amount).toBeCloseTo(1000, 0)
  })

  test('of a cheaper plan than is had stays to the credit of the store', async () => {
    const store = await subscriber()
    await store.give({ plan: 'pro', periodEnd: new Date(Date.now() + 5 * DAY_MS).toISOString() })
    await buyApple(store, apple.sign(await bought(store)))
    expect(await store.read()).toMatchObject({ plan: 'pro', nextPlan: null, credits: [{ currency: 'DZD', amount: 1000 }] })
  })

  test('counts for the store that it was bought for, and for no other', async () => {
    const [store, other] = [await subscriber(), await subscriber()]
    const signed = apple.sign(await bought(store))
    expect(outcome(await buyApple(other, signed))).toBe('422 receipt_refused')
    expect(outcome(await buyApple(store, signed))).toBe('200')
    const stolen = apple.sign({ ...(await bought(other)), transactionId: JSON.parse(atob(signed.split('.')[1]!)).transactionId })
    expect(outcome(await buyApple(other, stolen))).toBe('409 receipt_used')
    expect((await other.read()).plan).toBe('free')
  })

  const odd: Record<string, object> = {
    'of another app': { bundleId: 'com.example.other' },
    'of another environment': { environment: 'Production' },
    'that was taken back': { revocationDate: Date.now() },
    'whose time is over': { expiresDate: Date.now() - 1000 },
    'of the family': { inAppOwnershipType: 'FAMILY_SHARED' },
    'of nothing that is sold': { productId: 'month.of.sundays' },
    'that says not for whom': { appAccountToken: undefined },
    'for somebody else': { appAccountToken: randomUUID() },
  }
  test.each(Object.entries(odd))('%s is refused', async (_, more) => {
    const store = await subscriber()
    expect(outcome(await buyApple(store, apple.sign(await bought(store, more))))).toBe('422 receipt_refused')
    expect((await store.read()).plan).toBe('free')
  })

  test('that was forged is refused, however it was', async () => {
    const store = await subscriber()
    const good = apple.sign(await bought(store))
    const [head = '', claims = '', signature = ''] = good.split('.')
    const [forger, unmarked] = [await ownAppStore(folder, 'forger'), await ownAppStore(folder, 'unmarked', { marked: false })]
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const { x5c } = JSON.parse(atob(head))
    const other = encode({ ...(await bought(store)), productId: 'month.pro' })
    const forged = [
      forger.sign(await bought(store)),
      unmarked.sign(await bought(store)),
      `${head}.${other}.${signature}`,
      `${encode({ alg: 'none', x5c })}.${claims}.`,
      `${encode({ alg: 'ES256', x5c: x5c.slice(0, 2) })}.${claims}.${signature}`,
      `${encode({ alg: 'ES256' })}.${claims}.${signature}`,
      `${head}.${claims}`,
      'nonsense',
    ]
    expect((await Promise.all(forged.map((each) => buyApple(store, each)))).map(outcome)).toEqual(forged.map(() => '422 receipt_refused'))
    expect(outcome(await buyApple(store, ''))).toBe('400 invalid_request')
    expect(outcome(await buyApple(store, good))).toBe('200')
  })
})

describe('a month of the Play Store', () => {
  const product = async (store: Subscriber, more: object = {}) => {
    const token = randomUUID()
    const answer = { purchaseState: 0, orderId: `GPA.${token}`, obfuscatedExternalAccountId: await accountOf(store), ...more }
    google.purchases.set(token, { kind: 'products', answer })
    return { shop: 'play_store', kind: 'product', product: 'basic_month', purchaseToken: token }
  }
  const renewed = async (store: Subscriber, more: object = {}, item: object = {}) => {
    const token = randomUUID()
    const lineItems = [
      {
        productId: 'basic_month',
        expiryTime: new Date(Date.now() + DAY_MS).toISOString(),
        latestSuccessfulOrderId: `GPA.${token}..0`,
        ...item,
      },
    ]
    const externalAccountIdentifiers = { obfuscatedExternalAccountId: await accountOf(store) }
    const answer = { subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE', lineItems, externalAccountIdentifiers, ...more }
    google.purchases.set(token, { kind: 'subscriptionsv2', answer })
    return { shop: 'play_store', kind: 'subscription', product: 'basic_month', purchaseToken: token }
  }
  const wasGiven = async (what: string) => {
    for (let tries = 0; tries < 200 && !google.given.includes(what); tries += 1) await Bun.sleep(25)
    return google.given.filter((each) => each === what).length
  }

  test('gives the plan once, and the Play Store is told', async () => {
    const store = await subscriber()
    const purchase = await product(store)
    const answers = await Promise.all([buy(store, purchase), buy(store, purchase)])
    expect(answers.map(outcome)).toEqual(['200', '200'])
    expect(await store.read()).toMatchObject({ plan: 'basic', credits: [] })
    expect(await wasGiven(`products ${purchase.purchaseToken} consume`)).toBeGreaterThan(0)
    expect(google.state.tokens).toBeLessThanOrEqual(2)
  })

  test('of a subscription is one for each order of it', async () => {
    const store = await subscriber()
    const purchase = await renewed(store)
    expect(outcome(await buy(store, purchase))).toBe('200')
    const kept = google.purchases.get(purchase.purchaseToken)!
    const [item] = (kept.answer as { lineItems: object[] }).lineItems
    google.purchases.set(purchase.purchaseToken, {
      ...kept,
      answer: { ...kept.answer, lineItems: [{ ...item, latestSuccessfulOrderId: 'GPA.1..1' }] },
    })
    expect((await buy(store, purchase)).body.data).toMatchObject({ plan: 'basic', credits: [{ amount: 1000 }] })
    expect(await wasGiven(`subscriptions ${purchase.purchaseToken} acknowledge`)).toBeGreaterThan(0)
  })

  test('that is not paid, of somebody else, or of nobody, is refused', async () => {
    const [store, other] = [await subscriber(), await subscriber()]
    const none = { shop: 'play_store', kind: 'product', product: 'basic_month', purchaseToken: 'never_bought' }
    const purchases = [
      await product(store, { purchaseState: 1 }),
      await product(other),
      await product(store, { obfuscatedExternalAccountId: undefined }),
      { ...(await product(store)), product: 'gold_month' },
      { ...(await product(store)), kind: 'subscription' },
      await renewed(store, { subscriptionState: 'SUBSCRIPTION_STATE_PENDING' }),
      await renewed(store, {}, { expiryTime: '2020-01-01T00:00:00Z' }),
      await renewed(store, {}, { productId: 'pro_month' }),
      none,
    ]
    const answers = []
    for (const purchase of purchases) answers.push(outcome(await buy(store, purchase)))
    expect(answers).toEqual(purchases.map(() => '422 receipt_refused'))
    expect((await store.read()).plan).toBe('free')
    expect(outcome(await buy(store, { ...none, purchaseToken: '../../x' }))).toBe('400 invalid_request')
  })

  test('that tests the app counts where the operator lets it, and nowhere else', async () => {
    const store = await subscriber()
    const tests = [await product(store, { purchaseType: 0 }), await renewed(store, { testPurchase: {} })]
    const real = [await product(store), await product(store, { purchaseType: 1 }), await renewed(store)]
    const open = (PLAY_STORE_TESTERS: string) => {
      const { playStore } = readConfig({ PLAY_STORE_PACKAGE: PACKAGE, PLAY_STORE_ACCOUNT: google.accountFile, PLAY_STORE_TESTERS })
      return openPlayStore({ playStore }, app.context.outbound)
    }
    const [sold, tried] = [await open('false'), await open('true')]
    type Purchase = Parameters<typeof sold.verifyPurchase>[0]
    for (const purchase of tests)
      await expect(sold.verifyPurchase(purchase as unknown as Purchase)).rejects.toMatchObject({ code: 'receipt_refused' })
    for (const purchase of real) expect((await sold.verifyPurchase(purchase as unknown as Purchase)).months).toBe(1)
    for (const purchase of tests) expect((await tried.verifyPurchase(purchase as unknown as Purchase)).months).toBe(1)
    expect(readConfig({ APP_STORE_ENVIRONMENT: 'Sandbox' }).playStore.takesTests).toBe(false)
  })

  test('that cannot be asked for now is nobody’s yet', async () => {
    const store = await subscriber()
    const purchase = await product(store)
    google.state.broken = true
    expect(outcome(await buy(store, purchase))).toBe('502 upstream_error')
    google.state.broken = false
    expect(outcome(await buy(store, purchase))).toBe('200')
  })
})

describe('a purchase whose money was given back', () => {
  const notify = (notificationType: string, transaction: object, shop = apple) => {
    const data = { bundleId: BUNDLE, environment: 'Sandbox', signedTransactionInfo: shop.sign(transaction) }
    const notification = { notificationType, notificationUUID: randomUUID(), version: '2.0', signedDate: Date.now(), data }
    return app.call('POST', '/v1/subscriptions/app-store/notifications', { body: { signedPayload: shop.sign(notification) } })
  }
  const owed = (amount: number) => ({ credits: [{ currency: 'DZD', amount }] })

  test('is owed again, once, and pays no month any more; given again after all, it does', async () => {
    const store = await subscriber()
    const transaction = await bought(store)
    await buyApple(store, apple.sign(transaction))
    const told = await Promise.all([notify('REFUND', transaction), notify('REFUND', transaction), notify('DID_RENEW', transaction)])
    expect(told.map(outcome)).toEqual(['200', '200', '200'])
    expect(await store.read()).toMatchObject({ plan: 'basic', ...owed(-1000) })
    // The one who refunds each month has one month, and owes the others.
    await buyApple(store, apple.sign(await bought(store)))
    expect(await store.read()).toMatchObject({ plan: 'basic', credits: [] })
    for (let again = 0; again < 2; again += 1) expect(outcome(await notify('REFUND_REVERSED', transaction))).toBe('200')
    expect(await store.read()).toMatchObject(owed(1000))
    expect(outcome(await notify('REFUND', transaction))).toBe('200')
    expect(await store.read()).toMatchObject({ credits: [] })
  })

  test('before it was used is of no use, unless it was given again after all; at once with its use, either way it adds up', async () => {
    const [store, other] = [await subscriber(), await subscriber()]
    const transaction = await bought(store)
    expect(outcome(await notify('REFUND', transaction))).toBe('200')
    expect(outcome(await buyApple(store, apple.sign(transaction)))).toBe('422 receipt_refused')
    await notify('REFUND_REVERSED', transaction)
    expect(outcome(await buyApple(store, apple.sign(transaction)))).toBe('200')
    for (let run = 0; run < 10; run += 1) {
      const quick = await bought(other)
      const [used] = await Promise.all([buyApple(other, apple.sign(quick)), notify('REFUND', quick)])
      const { credits, plan } = await other.read()
      expect([used.status, plan, credits]).toEqual(
        used.status === 200 || plan === 'basic' ? [used.status, 'basic', owed(-1000).credits] : [422, 'free', []],
      )
      if (plan === 'basic') break
    }
  })

  test('is believed of nobody but the App Store', async () => {
    const store = await subscriber()
    const transaction = await bought(store)
    await buyApple(store, apple.sign(transaction))
    const forger = await ownAppStore(folder, 'refunder')
    expect(outcome(await notify('REFUND', transaction, forger))).toBe('422 receipt_refused')
    expect(outcome(await notify('REFUND', { ...transaction, bundleId: 'com.example.other' }))).toBe('422 receipt_refused')
    expect(outcome(await app.call('POST', '/v1/subscriptions/app-store/notifications', { body: {} }))).toBe('400 invalid_request')
    expect(await store.read()).toMatchObject({ plan: 'basic', credits: [] })
  })

  test('at the Play Store is asked for, page by page', async () => {
    const [store, other] = [await subscriber(), await subscriber()]
    for (const [at, each] of [store, other].entries()) {
      const token = randomUUID()
      const answer = { purchaseState: 0, orderId: `GPA.void.${at}`, obfuscatedExternalAccountId: await accountOf(each) }
      google.purchases.set(token, { kind: 'products', answer })
      expect(outcome(await buy(each, { shop: 'play_store', kind: 'product', product: 'basic_month', purchaseToken: token }))).toBe('200')
    }
    google.voided.push('GPA.of.nobody', 'GPA.void.0', 'GPA.void.1')
    for (let times = 0; times < 2; times += 1) await applyVoidedPurchases(app.context)
    for (const each of [store, other]) expect(await each.read()).toMatchObject({ plan: 'basic', ...owed(-1000) })
  })
})

test('in-app subscriptions: an app store without settings sells nothing; an unreadable setting stops the start and is named', async () => {
  const bare = readConfig({})
  const [none, nothing] = [await openAppStore(bare), await openPlayStore(bare, app.context.outbound)]
  const purchase = { kind: 'product', product: 'x', purchaseToken: 'y' } as const
  await expect(none.verifyPurchase('x')).rejects.toThrow('App Store')
  await expect(none.verifyNotification('x')).rejects.toThrow('App Store')
  expect(await nothing.listVoidedOrders()).toEqual([])
  await expect(nothing.verifyPurchase(purchase)).rejects.toThrow('Play Store')
  await expect(openAppStore({ appStore: { ...appStore, environment: 'Production' } })).rejects.toThrow('APP_STORE_APP_ID')
  await expect(openAppStore({ appStore: { ...appStore, roots: [google.accountFile] } })).rejects.toThrow('APP_STORE_ROOTS')
  const playStore = { packageName: PACKAGE, accountFile: apple.root, takesTests: false }
  await expect(openPlayStore({ playStore }, app.context.outbound)).rejects.toThrow('PLAY_STORE_ACCOUNT')
})

test('only an owner buys', async () => {
  const store = await subscriber()
  const body = { shop: 'app_store', transaction: 'x' }
  expect(outcome(await app.call('POST', `${store.at}/subscription/buyMonthWithIap`, { body }))).toBe('401 unauthenticated')
  expect(outcome(await store.ask('subscription/buyMonthWithIap', body, store.key))).toBe('403 forbidden')
  expect(outcome(await store.ask('subscription/buyMonthWithIap', body, (await app.person()).token))).toBe('404 not_found')
  expect(outcome(await buy(store, { shop: 'bazaar', transaction: 'x' }))).toBe('400 invalid_request')
})

test('in-app subscriptions: the totals add up, less the refunds', async () => {
  expect((await differences(app)).filter(({ what }) => what !== 'credit')).toEqual([])
})
