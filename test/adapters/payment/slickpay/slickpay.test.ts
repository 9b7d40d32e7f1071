import { afterAll, describe, expect, test } from 'bun:test'
import slickpay from '../../../../adapters/payment/slickpay/index.ts'
import { eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { checkout } from '../../../../plugins/payment/acceptance.ts'
import { connected, inbound, stopAll } from './rig.ts'

afterAll(stopAll)

const rig = connected(slickpay)
const { simulator } = rig
const lastBody = () => JSON.parse(simulator.requests.at(-1)?.body ?? 'null') as Record<string, unknown>

async function made() {
  const desk = rig.open()
  const { externalId } = await slickpay.createCheckout(desk.context, checkout())
  const readAs = async (answer: object) => slickpay.read({ ...desk.context, fetch: async () => Response.json(answer) }, externalId)
  return { desk, externalId, readAs }
}

describe('an invoice', () => {
  test('is asked for in whole dinars, with an address, and fees that the shop bears', async () => {
    const asked = checkout()
    await slickpay.createCheckout(rig.open({ settings: { account: simulator.account, address: 'Rue 1, Oran' } }).context, asked)
    const { path, headers } = simulator.requests.at(-1)!
    expect(path).toBe('/api/v2/users/invoices')
    expect(headers.get('authorization')).toBe(`Bearer ${simulator.credentials.publicKey}`)
    expect(lastBody()).toEqual({
      amount: 250_000,
      url: asked.returnUrl,
      firstname: 'Karim',
      lastname: 'Test',
      phone: asked.customer.phone,
      email: asked.customer.email,
      address: 'Rue 1, Oran',
      items: [{ name: asked.reference, price: 250_000, quantity: 1 }],
      note: asked.description,
      fees: 0,
      account: simulator.account,
      webhook_url: asked.webhookUrl,
      webhook_signature: rig.credentials.webhookSecret,
      webhook_meta_data: { paymentId: asked.paymentId, reference: asked.reference },
    })
  })

  test.each([
    ['Lina', 'Lina', 'Lina'],
    ['  Ali  Ben Ali ', 'Ali', 'Ben Ali'],
    ['', '-', '-'],
  ])('of %p names both names', async (name, firstname, lastname) => {
    await slickpay.createCheckout(rig.open().context, checkout({ customer: { name, phone: '0550123456', email: null } }))
    expect(lastBody()).toMatchObject({ firstname, lastname })
    expect(lastBody()).not.toHaveProperty('email')
  })

  test('of a merchant, and of the live platform, is made where they are', async () => {
    const desk = rig.open({ settings: { accountType: 'merchants', mode: 'live' } })
    const { externalId } = await slickpay.createCheckout(desk.context, checkout())
    expect(simulator.requests.at(-1)?.path).toBe('/api/v2/merchants/invoices')
    expect(desk.asked).toEqual(['prodapi.slick-pay.com'])
    // Of the other kind there is no such thing; and their list of accounts is not known, which says nothing against the key.
    await expect(slickpay.read(rig.open().context, externalId)).rejects.toMatchObject({ reason: 'not_found' })
    expect(await slickpay.testConnection(desk.context)).toEqual({ account: 'live mode' })
  })

  test('is refused with the words of a 422, or of an answer that is no success', async () => {
    const attempt = slickpay.createCheckout(rig.open({ settings: { account: crypto.randomUUID() } }).context, checkout())
    await expect(attempt).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining('Account not found') })
    const { context } = rig.open()
    const refused = { ...context, fetch: async () => Response.json({ success: 0, message: 'Compte suspendu' }) }
    const other = slickpay.createCheckout(refused, checkout())
    await expect(other).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining('Compte suspendu') })
  })
})

describe('a payment that is read', () => {
  test.each([7, null, undefined, 'yes', {}])('with the unknown completion %p is answered as unavailable', async (completed) => {
    await expect((await made()).readAs({ data: { completed, amount: 5 } })).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test.each([null, undefined, 'much', 12.5, '1,2,3', -1, '10,190.50'])(
    'as completed with the invalid amount %p does not count as paid',
    async (amount) => {
      await expect((await made()).readAs({ data: { completed: 1, amount } })).rejects.toMatchObject({ reason: 'unavailable' })
    },
  )

  test("with another payment's id is refused", async () => {
    await expect((await made()).readAs({ data: { id: 1, completed: 1, amount: 5 } })).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test.each([['{"approvalCode":'], [7], [null], [{}]])('with the log %j breaks nothing', async (log) => {
    const { readAs, externalId } = await made()
    expect(await readAs({ data: { completed: 1, amount: '10,190.00', transaction: { log } } })).toEqual({
      ...{ externalId, status: 'paid', amount: 10_190, currency: 'DZD' },
    })
  })
})

describe('a callback', () => {
  test.each([
    [{ id: 12 }, { externalId: '12' }],
    [{ invoice_id: '12', completed: 0 }, { externalId: '12' }],
    [{ webhook_meta_data: [{ paymentId: 'pay_1' }] }, { paymentId: 'pay_1' }],
    [{ webhook_meta_data: { paymentId: 'pay_1' } }, { paymentId: 'pay_1' }],
  ])('that only says %j leads to what it names', async (body, named) => {
    expect(await eventsIn(slickpay, inbound(body), rig.open().context)).toEqual([{ ...named, status: 'open' }])
  })

  test('is not believed by the value in its headers, but by its address', async () => {
    const { context } = rig.open()
    const request = inbound({ id: 12 })
    expect(await isProven(slickpay, request, context)).toBe(true)
    expect(await isProven(slickpay, { ...request, url: '/webhook' }, context)).toBe(false)
  })
})
