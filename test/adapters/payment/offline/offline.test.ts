import { describe, expect, test } from 'bun:test'
import offline from '../../../../adapters/payment/offline/index.ts'
import { DAY_MS } from '../../../../core/lib/durations.ts'
import type { Checkout, Settlement } from '../../../../plugins/payment/index.ts'
import { rig as rigOf } from './rig.ts'

const rig = rigOf(offline)
const make = async (change: Partial<Checkout> = {}, settings?: Record<string, unknown>) => {
  const desk = rig.open(settings && { settings })
  const asked = rig.checkout(change)
  const made = await offline.createCheckout(desk.context, asked)
  const settle = async (status: Settlement['status'], amount?: number) =>
    offline.settle!(desk.context, { externalId: made.externalId, status, ...(amount !== undefined && { amount }) })
  const status = async () => (await offline.read(desk.context, made.externalId)).status
  return { desk, asked, made, settle, status }
}
const reason = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { reason: string }) => error.reason,
  )

describe('directions', () => {
  test.each([
    ['ar', 'الحساب'],
    ['fr', 'Compte'],
    ['en', 'Account'],
  ] as const)('in the language %s say what the store filled in, and nothing else', async (language, account) => {
    const { made, asked } = await make({ language })
    expect(made.url).toBe(asked.proofUrl)
    expect(made.directions?.map(({ value }) => value)).toEqual(['00799999000123456789', 'Boutique Lina', asked.reference])
    expect(made.directions?.[0]?.name).toBe(account)
  })

  test('turn nothing around, and are printed on one line', async () => {
    const { made } = await make({ reference: 'A\u0007B\u202eC' }, { place: '1 rue Didouche Mourad\n9–17 h' })
    expect(made.directions?.map(({ value }) => value)).toEqual(['1 rue Didouche Mourad 9–17 h', 'A B C'])
  })
})

test("offline payment: it stays open for the number of days in the store's settings", async () => {
  const { made } = await make({}, { days: '3' })
  expect(Math.round((Date.parse(made.expiresAt!) - Date.now()) / DAY_MS)).toBe(3)
})

describe("an administrator's decision", () => {
  test('is read from then on, and may be said again', async () => {
    const { settle, status, desk, made } = await make()
    await settle('processing')
    expect(await status()).toBe('processing')
    await settle('paid', 240_000)
    await settle('paid', 240_000)
    expect(await offline.read(desk.context, made.externalId)).toMatchObject({ status: 'paid', amount: 240_000 })
    for (const again of [settle('paid', 250_000), settle('failed'), settle('processing')]) expect(await reason(again)).toBe('refused')
    expect(await offline.read(desk.context, made.externalId)).toMatchObject({ status: 'paid', amount: 240_000 })
  })

  test('otherwise at once counts once', async () => {
    const { settle, status } = await make()
    await settle('processing')
    const said = await Promise.all([reason(settle('paid')), reason(settle('paid', 1_000)), reason(settle('failed'))])
    expect(said.filter((one) => one === 'done').length).toBeGreaterThanOrEqual(1)
    expect(said.filter((one) => one === 'refused').length).toBeGreaterThanOrEqual(1)
    expect(await status()).toBe('paid')
  })

  test('after a refusal may be another receipt', async () => {
    const { settle, status } = await make()
    await settle('failed')
    await settle('processing')
    expect(await status()).toBe('processing')
  })

  test('of a receipt keeps it from being closed', async () => {
    const { settle, desk, made } = await make()
    await settle('processing')
    expect(await reason((async () => offline.expire!(desk.context, made.externalId))())).toBe('refused')
  })
})
