import { afterAll, describe, expect, test } from 'bun:test'
import chargily from '../../../../adapters/payment/chargily/index.ts'
import { isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { checkout } from '../../../../plugins/payment/acceptance.ts'
import { connected, stopAll } from './rig.ts'

afterAll(stopAll)

const rig = connected(chargily)
const { simulator } = rig

const lastBody = (of = simulator) => JSON.parse(of.requests.at(-1)?.body ?? 'null') as Record<string, unknown>

describe('a checkout', () => {
  test('is asked for in whole dinars, with both of our names', async () => {
    const asked = checkout({ language: 'ar' })
    const { url, externalId } = await chargily.createCheckout(rig.open({ settings: {} }).context, asked)
    expect(lastBody()).toEqual({
      amount: 250_000,
      currency: 'dzd',
      success_url: asked.returnUrl,
      failure_url: asked.cancelUrl,
      webhook_endpoint: asked.webhookUrl,
      locale: 'ar',
      description: asked.description,
      metadata: { paymentId: asked.paymentId, reference: asked.reference },
    })
    expect(url).toBe(`https://pay.chargily.dz/test/checkouts/${externalId}/pay`)
    const { method, path, headers } = simulator.requests.at(-1)!
    expect(`${method} ${path}`).toBe('POST /test/api/v2/checkouts')
    expect(headers.get('authorization')).toBe(`Bearer ${simulator.credentials.secretKey}`)
  })

  test('says how it is paid and who bears the fees only where somebody chose', async () => {
    await chargily.createCheckout(rig.open({ settings: { paymentMethod: 'cib', feesAllocation: 'split' } }).context, checkout())
    expect(lastBody()).toMatchObject({ payment_method: 'cib', chargily_pay_fees_allocation: 'split' })
  })

  test('without a description is described by its order', async () => {
    const asked = checkout({ description: '  ' })
    await chargily.createCheckout(rig.open().context, asked)
    expect(lastBody().description).toBe(asked.reference)
  })

  test('is refused with the field and the words of a 422', async () => {
    const attempt = chargily.createCheckout(rig.open().context, checkout({ returnUrl: 'nowhere' }))
    await expect(attempt).rejects.toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('success_url: The success url field is required.'),
      upstream: { code: '422' },
    })
  })

  test.each([
    ['customer', 0],
    ['merchant', 5_000],
    ['split', 2_500],
  ])('whose fees the %s bears costs the shop %d', async (feesAllocation, fee) => {
    const { context } = rig.open({ settings: { feesAllocation } })
    const { externalId } = await chargily.createCheckout(context, checkout())
    simulator.move(externalId, 'paid')
    expect(await chargily.read(context, externalId)).toMatchObject({ status: 'paid', amount: 250_000, fee })
  })
})

describe('the mode', () => {
  test('is of the address and the key together', async () => {
    const { context } = rig.open({ credentials: simulator.liveCredentials, settings: { mode: 'live' } })
    const { externalId } = await chargily.createCheckout(context, checkout())
    expect(simulator.requests.at(-1)?.path).toBe('/api/v2/checkouts')
    expect(await chargily.testConnection(context)).toEqual({ account: 'live mode' })
    // Of the other mode there is no such thing.
    await expect(chargily.read(rig.open().context, externalId)).rejects.toMatchObject({ reason: 'not_found' })
  })

  test.each([
    ['live', 'test_sk_simulator0A1b2C3d4E5f6'],
    ['test', 'live_sk_simulator9Z8y7X6w5V4u3'],
  ])('%s with a key of the other is told before anything is asked', async (mode, secretKey) => {
    const before = simulator.requests.length
    const { context } = rig.open({ credentials: { secretKey }, settings: { mode } })
    for (const attempt of [() => chargily.testConnection(context), () => chargily.createCheckout(context, checkout())])
      await expect((async () => attempt())()).rejects.toMatchObject({
        reason: 'unauthorized',
        message: expect.stringMatching(new RegExp(`^(?!.*${secretKey}).*set to the ${mode} mode`)),
      })
    expect(simulator.requests.length).toBe(before)
  })

  test('of a key that begins otherwise is for Chargily to judge', async () => {
    const before = simulator.requests.length
    const { context } = rig.open({ credentials: { secretKey: 'sk_0123456789abcdef' } })
    await expect(chargily.testConnection(context)).rejects.toMatchObject({ reason: 'unauthorized' })
    expect(simulator.requests.length).toBe(before + 1)
  })

  test.each([true, 1, '1', 'true'])('live, written as %p, is not taken for a test', async (livemode) => {
    const { context } = rig.open()
    const { externalId } = await chargily.createCheckout(context, checkout())
    const row = { ...simulator.shown(externalId), livemode }
    const answered = { ...context, fetch: async () => Response.json(row) }
    await expect(chargily.read(answered, externalId)).rejects.toMatchObject({ reason: 'unavailable' })
  })
})

test('a key is taken without the spaces that were copied with it', async () => {
  const { context } = rig.open({ credentials: { secretKey: ` ${simulator.credentials.secretKey}\n` } })
  const { externalId } = await chargily.createCheckout(context, checkout())
  simulator.move(externalId, 'paid')
  const { headers, body } = simulator.told(externalId)
  expect(await isProven(chargily, { method: 'POST', url: '/', headers: { ...headers }, body }, context)).toBe(true)
})

describe('a payment that is read', () => {
  const readAs = async (change: Record<string, unknown>) => {
    const desk = rig.open()
    const { externalId } = await chargily.createCheckout(desk.context, checkout())
    const row = { ...simulator.shown(externalId), ...change }
    return { desk, news: chargily.read({ ...desk.context, fetch: async () => Response.json(row) }, externalId) }
  }

  test.each(['refunded', 'constructor', '', null, 5])('with the unknown status %p is answered as unavailable', async (status) => {
    await expect((await readAs({ status })).news).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test.each([null, undefined, 'much', 12.5, -1, 1e300])('as paid with the invalid amount %p does not count as paid', async (amount) => {
    await expect((await readAs({ status: 'paid', amount })).news).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test("with another payment's id is refused", async () => {
    await expect((await readAs({ id: 'another' })).news).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('with a fee that is no whole number has none, and the log says so', async () => {
    const { desk, news } = await readAs({ status: 'paid', fees_on_merchant: 37.5 })
    expect(await news).toMatchObject({ status: 'paid', amount: 250_000 })
    expect(await news).not.toHaveProperty('fee')
    expect(JSON.stringify(desk.logged)).toContain('fee')
  })

  test.each([[null], ['text'], [7], [[]], [{ paymentId: 5_000 }], [{ paymentId: 'x'.repeat(65) }], [{ paymentId: 'a\u0000b' }]])(
    'with the metadata %j breaks nothing',
    async (metadata: unknown) => {
      const news = await (await readAs({ metadata })).news
      expect(news.status).toBe('open')
      expect(String(news.paymentId ?? '').length).toBeLessThanOrEqual(64)
    },
  )
})

describe('closing', () => {
  test('what a payer gave up is done, though Chargily refuses to do it', async () => {
    const { context } = rig.open()
    const { externalId } = await chargily.createCheckout(context, checkout())
    simulator.move(externalId, 'canceled')
    await chargily.expire!(context, externalId)
    expect(simulator.shown(externalId).status).toBe('canceled')
  })

  test('what is being paid is refused', async () => {
    const { context } = rig.open()
    const { externalId } = await chargily.createCheckout(context, checkout())
    simulator.move(externalId, 'processing')
    await expect((async () => chargily.expire!(context, externalId))()).rejects.toMatchObject({ reason: 'refused' })
  })
})

test('its simulator pages as Laravel does', async () => {
  const one = connected(chargily)
  for (let count = 0; count < 3; count += 1) await chargily.createCheckout(one.open().context, checkout())
  const headers = { authorization: `Bearer ${one.simulator.credentials.secretKey}` }
  const page = async (query: string) => (await fetch(`${one.simulator.url}/test/api/v2/checkouts?${query}`, { headers })).json()
  expect(await page('per_page=2')).toMatchObject({ current_page: 1, last_page: 2, total: 3, per_page: 2, livemode: false })
  expect(await page('per_page=2&page=2')).toMatchObject({ data: [{ entity: 'checkout' }], next_page_url: null })
})
