import { afterAll, describe, expect, test } from 'bun:test'
import guiddini from '../../../../adapters/payment/guiddini/index.ts'
import { checkout } from '../../../../plugins/payment/acceptance.ts'
import { connected, stopAll } from './rig.ts'

afterAll(stopAll)

const rig = connected(guiddini)
const { simulator } = rig

async function made() {
  const desk = rig.open()
  const { externalId } = await guiddini.createCheckout(desk.context, checkout())
  const shown = (attributes: object, id: unknown = externalId) => Response.json({ data: { id, attributes } })
  const readAs = async (attributes: object, id?: unknown) =>
    guiddini.read({ ...desk.context, fetch: async () => shown(attributes, id) }, externalId)
  return { externalId, readAs }
}

test('a payment is asked for in whole dinars, and nothing else has a place', async () => {
  const { url, externalId } = await guiddini.createCheckout(rig.open().context, checkout({ language: 'ar' }))
  const { method, path, headers, body } = simulator.requests.at(-1)!
  expect(`${method} ${path}`).toBe('POST /api/payment/initiate')
  expect([headers.get('x-app-key'), headers.get('x-app-secret')]).toEqual([simulator.credentials.appKey, simulator.credentials.appSecret])
  expect(JSON.parse(body)).toEqual({ amount: '250000', language: 'ar' })
  expect(url).toContain(externalId)
})

test('guiddini: a payment with a lost answer cannot be paid, and is started again', async () => {
  const { context } = rig.open()
  const asked = checkout()
  const before = simulator.payments().length
  Object.assign(simulator.faults, { on: 'initiate', loseAnswer: 1 })
  await expect(guiddini.createCheckout(context, asked)).rejects.toMatchObject({ reason: 'unavailable' })
  simulator.calm()
  const { externalId } = await guiddini.createCheckout(context, asked)
  const [lost, kept] = simulator.payments().slice(before)
  expect([lost?.status, kept?.orderNumber]).toEqual(['processing', externalId])
})

describe('a payment that is read', () => {
  test.each(['pending', 'processing', 'failed', 'refused', 'constructor'])('with the status %p waits', async (status) => {
    expect(await (await made()).readAs({ status })).toMatchObject({ status: 'open', message: status })
  })

  test.each(['', ' ', null, undefined, 5])('with the unknown status %p is answered as unavailable', async (status) => {
    await expect((await made()).readAs({ status })).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('as paid without an amount is paid as it was asked for', async () => {
    const { readAs, externalId } = await made()
    expect(await readAs({ status: 'paid' })).toEqual({ externalId, status: 'paid', currency: 'DZD' })
  })

  test.each(['much', 12.5, -1, {}])('as paid with the invalid amount %p does not count as paid', async (amount) => {
    await expect((await made()).readAs({ status: 'paid', amount })).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test("with another payment's id is refused", async () => {
    await expect((await made()).readAs({ status: 'paid' }, 'another')).rejects.toMatchObject({ reason: 'unavailable' })
  })

  test('shows no card that is not masked', async () => {
    expect(await (await made()).readAs({ status: 'paid', pan: '6280581110007215' })).not.toHaveProperty('method')
  })
})

test('credentials are valid when the answer is that the payment does not exist', async () => {
  const { context } = rig.open()
  for (const status of [404, 422]) await guiddini.testConnection({ ...context, fetch: async () => Response.json({}, { status }) })
  const locked = { ...context, fetch: async () => Response.json({ message: 'Unauthenticated.' }, { status: 403 }) }
  await expect((async () => guiddini.testConnection(locked))()).rejects.toMatchObject({ reason: 'unauthorized' })
})
