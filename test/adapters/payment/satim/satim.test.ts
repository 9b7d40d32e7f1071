import { afterAll, describe, expect, test } from 'bun:test'
import satim from '../../../../adapters/payment/satim/index.ts'
import { newOrderNumber } from '../../../../adapters/payment/satim/order-number.ts'
import { HOUR_MS } from '../../../../core/lib/durations.ts'
import { checkout } from '../../../../plugins/payment/acceptance.ts'
import { connected, stopAll } from './rig.ts'
import { POOR_CARD } from './simulator.ts'

afterAll(stopAll)

const rig = connected(satim)
const { simulator } = rig

const lastForm = (of = simulator) => Object.fromEntries(new URLSearchParams(of.requests.at(-1)?.body))
const paths = (since: number) => simulator.requests.slice(since).map(({ path }) => path.replace('/payment/rest/', ''))

async function made(settings: Record<string, unknown> = {}) {
  const desk = rig.open({ settings })
  const { externalId } = await satim.createCheckout(desk.context, checkout())
  const read = async () => satim.read(desk.context, externalId)
  /** As SATIM would answer of one that is paid, but for this. */
  const readAs = async (change: object) => {
    const row = { ...simulator.shown(externalId), ...change }
    return satim.read({ ...desk.context, fetch: async () => Response.json(row) }, externalId)
  }
  const refund = async (amount: number) =>
    satim.refund!(desk.context, { externalId, refundId: `rfd_${crypto.randomUUID()}`, amount, whole: false, currency: 'DZD', reason: '' })
  return { desk, externalId, read, readAs, refund }
}

describe('an order', () => {
  test('is registered by a form, in centimes, with all that SATIM wants to have', async () => {
    const asked = checkout({ paymentId: `pay_${'0123456789'.repeat(5)}`, reference: 'ORDER 20261123-0001 قميص' })
    const before = Date.now()
    const { externalId, url, expiresAt } = await satim.createCheckout(rig.open().context, asked)
    const { method, path, headers, query } = simulator.requests.at(-1)!
    expect(`${method} ${path}?${query}`).toBe('POST /payment/rest/register.do?')
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded')
    const { jsonParams, orderNumber, ...form } = lastForm()
    expect(orderNumber).toMatch(/^[0-9A-Z]{10}$/)
    const { userName, password, terminalId } = simulator.credentials
    expect(form).toEqual({
      ...{ userName, password, amount: '250000', currency: '012', language: 'FR', sessionTimeoutSecs: '900' },
      ...{ returnUrl: asked.returnUrl, failUrl: asked.cancelUrl, description: asked.description },
    })
    expect(JSON.parse(jsonParams!)).toEqual({
      ...{ force_terminal_id: terminalId, udf1: 'ORDER20261123-0001' },
      ...{ udf2: 'pay_0123456789012345', udf3: '67890123456789012345', udf4: '67890123456789' },
    })
    expect(url).toContain(`mdOrder=${externalId}`)
    expect(Date.parse(expiresAt!) - before).toBeGreaterThanOrEqual(900_000)
  })

  test.each([
    [{ sessionMinutes: 1 }, { sessionTimeoutSecs: '600' }],
    [{ sessionMinutes: 9_999 }, { sessionTimeoutSecs: '86400' }],
    [{ languageCase: 'lower' }, { language: 'fr' }],
  ])('with the settings %j says %j', async (settings, said) => {
    await made(settings)
    expect(lastForm()).toMatchObject(said)
  })

  test('of a bill says what kind of funding it is', async () => {
    await made({ fundingType: '698' })
    expect(JSON.parse(lastForm().jsonParams!)).toMatchObject({ fundingTypeIndicator: '698' })
  })

  test('with centimes is refused before anybody is asked', async () => {
    const before = simulator.requests.length
    const attempt = satim.createCheckout(rig.open().context, checkout({ amount: 250_050 }))
    await expect(attempt).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining('whole dinars') })
    expect(simulator.requests.length).toBe(before)
  })

  test('has a number of its own at each attempt, however many there are in a second', () => {
    const numbers = Array.from({ length: 1000 }, (_, at) => newOrderNumber(1_764_000_000_000 + at))
    expect(new Set(numbers).size).toBeGreaterThan(997)
    expect(numbers.every((number) => /^[0-9A-Z]{10}$/.test(number))).toBe(true)
  })

  test('whose number was taken was not made, and may be asked for anew', async () => {
    const { context } = rig.open()
    const refused = { ...context, fetch: async () => Response.json({ errorCode: '1', errorMessage: 'Order already processed' }) }
    await expect(satim.createCheckout(refused, checkout())).rejects.toMatchObject({ reason: 'unavailable', upstream: { code: '1' } })
  })

  test.each([
    ['Access denied', 'unauthorized'],
    ['Accès refusé', 'unauthorized'],
    ['User must change his password', 'unauthorized'],
    ['تم رفض الوصول', 'unauthorized'],
    ['amount has an incorrect value', 'refused'],
  ])('answered with 5 and "%s" is %s', async (errorMessage, reason) => {
    const { context } = rig.open()
    const refused = { ...context, fetch: async () => Response.json({ errorCode: 5, errorMessage }) }
    await expect(satim.createCheckout(refused, checkout())).rejects.toMatchObject({ reason })
  })
})

describe('confirming', () => {
  test.each([
    ['confirmOrder.do', 'orderId'],
    ['public/acknowledgeTransaction.do', 'mdOrder'],
  ])('is asking, by %s', async (confirmation, name) => {
    const { externalId, read } = await made({ confirmation })
    simulator.pay(externalId)
    expect(simulator.of(externalId).state).toBe('approved')
    const before = simulator.requests.length
    expect(await read()).toMatchObject({ externalId, status: 'paid', amount: 250_000, currency: 'DZD' })
    expect(paths(before)).toEqual([confirmation])
    expect(lastForm()[name]).toBe(externalId)
    expect(simulator.of(externalId)).toMatchObject({ state: 'deposited', deposited: 250_000 })
  })

  test('whose answer was lost was done, and the next one says so', async () => {
    const { externalId, read } = await made()
    simulator.pay(externalId)
    Object.assign(simulator.faults, { on: 'confirmOrder', loseAnswer: 1 })
    await expect(read()).rejects.toMatchObject({ reason: 'unavailable' })
    simulator.calm()
    expect((await read()).status).toBe('paid')
    expect(simulator.of(externalId).deposited).toBe(250_000)
  })

  test('again is refused by some, who are asked how it stands', async () => {
    const { externalId, read } = await made()
    simulator.pay(externalId)
    await read()
    simulator.state.repeatedAs = 'refusal'
    const before = simulator.requests.length
    expect((await read()).status).toBe('paid')
    expect(paths(before)).toEqual(['confirmOrder.do', 'getOrderStatus.do'])
    simulator.calm()
  })

  test('too late finds the money given back', async () => {
    let ahead = 0
    const slow = connected(satim, { now: () => Date.now() + ahead })
    const { context } = slow.open()
    const { externalId } = await satim.createCheckout(context, checkout())
    slow.simulator.pay(externalId)
    ahead = HOUR_MS
    expect((await satim.read(context, externalId)).status).toBe('expired')
  })
})

describe('a payment that is read', () => {
  test.each([
    ['an error', { ErrorCode: 2 }],
    ['no error code', { ErrorCode: undefined }],
    ['another word of the bank', { params: { respCode: '05' } }],
    ['no word of the bank', { params: {} }],
    ['another currency', { currency: '978' }],
    ['no amount', { Amount: 'much', depositAmount: null }],
  ])('as deposited with %s is not paid', async (_, change) => {
    const { externalId, read, readAs } = await made()
    simulator.pay(externalId)
    await read()
    await expect(readAs(change)).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test.each([
    [0, 'open'],
    ['0', 'open'],
    [-1, 'failed'],
    ['1', 'processing'],
    [3, 'expired'],
    [6, 'failed'],
  ])('with the status %p is %s', async (OrderStatus, status) => {
    expect((await (await made()).readAs({ OrderStatus })).status).toBe(status as 'open')
  })

  test.each([5, 7, '8', 9, 'constructor', '2.0', true])('with the unknown status %p is answered as unavailable', async (OrderStatus) => {
    await expect((await made()).readAs({ OrderStatus })).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('of a refusal without a status is failed, in the words of the bank', async () => {
    const { externalId, read } = await made()
    simulator.pay(externalId, POOR_CARD)
    simulator.state.declinedAs = 'without'
    expect(await read()).toMatchObject({ status: 'failed', message: 'Solde insuffisant' })
    simulator.calm()
  })

  test('has what SATIM wants payers to be told, and no card that is not masked', async () => {
    const { externalId, read, readAs } = await made()
    simulator.pay(externalId)
    expect(await read()).toMatchObject({
      method: 'card 628058****7215',
      message: 'Votre paiement a été accepté (approval code 913180)',
    })
    expect(await readAs({ Pan: '6280581110007215' })).not.toHaveProperty('method')
  })

  test('of fewer dinars than were asked for is told as it is', async () => {
    const { externalId, read, readAs } = await made()
    simulator.pay(externalId)
    await read()
    expect((await readAs({ depositAmount: '200000' })).amount).toBe(200_000)
  })
})

describe('giving back', () => {
  const paid = async () => {
    const one = await made()
    simulator.pay(one.externalId)
    await one.read()
    return one
  }

  test('is counted by what is noted where SATIM does not say how much', async () => {
    const { read, refund } = await paid()
    simulator.state.depositAs = 'taken'
    await refund(50_000)
    await refund(20_000)
    expect(await read()).toMatchObject({ status: 'paid', amount: 250_000, refunded: 70_000 })
    await expect(refund(190_000)).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining('1800 DZD') })
    simulator.calm()
  })

  test('in the console is counted where SATIM says how much, and known to nobody where it does not', async () => {
    const { externalId, read } = await paid()
    Object.assign(simulator.of(externalId), { state: 'refunded', deposited: 100_000, refunds: [150_000] })
    expect(await read()).toMatchObject({ amount: 250_000, refunded: 150_000 })
    simulator.state.depositAs = 'taken'
    await expect(read()).rejects.toMatchObject({ reason: 'unavailable', message: expect.stringContaining('console') })
    simulator.calm()
  })

  test('that SATIM does not do, in an answer with status 200, is not done', async () => {
    const { desk, externalId, read } = await paid()
    const asked = { externalId, refundId: 'rfd_refused', amount: 50_000, whole: false, currency: 'DZD', reason: '' }
    const { fetch } = desk.context
    const refusing: typeof fetch = async (url, init) =>
      url.includes('refund.do') ? Response.json({ errorCode: '7', errorMessage: 'Refund is impossible' }) : fetch(url, init)
    await expect((async () => satim.refund!({ ...desk.context, fetch: refusing }, asked))()).rejects.toMatchObject({
      reason: expect.any(String),
    })
    expect((await read()).refunded).toBeUndefined()
  })

  test('whose answer is lost is not asked for again', async () => {
    const { refund } = await paid()
    const before = simulator.requests.length
    Object.assign(simulator.faults, { on: 'refund', error500: 1 })
    await expect(refund(10_000)).rejects.toMatchObject({ reason: 'unavailable' })
    simulator.calm()
    expect(paths(before).filter((path) => path === 'refund.do').length).toBe(1)
  })

  test('is not begun where nobody knows what is left', async () => {
    const { externalId, refund } = await paid()
    Object.assign(simulator.faults, { on: 'confirmOrder', error500: 1 })
    await expect(refund(10_000)).rejects.toMatchObject({ reason: 'refused', message: expect.stringContaining('Nothing was given back') })
    simulator.calm()
    expect(simulator.of(externalId).refunds).toEqual([])
  })
})

test.each(['test2.satim.dz', 'test.satim.dz', 'cib.satim.dz', 'satim.dz'])('the server %s is asked where it was chosen', async (host) => {
  const desk = rig.open({ settings: { host } })
  expect(await satim.testConnection(desk.context)).toEqual({ account: `E010900001 at ${host}` })
  expect(desk.asked).toEqual([host])
})
