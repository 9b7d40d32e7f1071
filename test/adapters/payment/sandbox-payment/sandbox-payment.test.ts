import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import gateway from '../../../../adapters/payment/sandbox-payment/index.ts'
import { DAY_MS } from '../../../../core/lib/durations.ts'
import { answerTo, eventsIn, isProven } from '../../../../plugins/acceptance/webhooks.ts'
import { checkout, createStorage, type Desk } from '../../../../plugins/payment/acceptance.ts'
import type { Checkout } from '../../../../plugins/payment/index.ts'
import { dataIn, press, request, rig as rigOf } from './rig.ts'

const rig = rigOf(gateway)

const make = async (change: Partial<Checkout> = {}, desk = rig.open()) => {
  const asked = checkout(change)
  return { desk, asked, ...(await gateway.createCheckout(desk.context, asked)) }
}
const pageAt = async (url: string, { context }: Desk) => (await answerTo(gateway, request('GET', url), context))?.body
const tell = async ({ desk, url }: { desk: Desk; url: string }, choice: string, amount?: number) =>
  eventsIn(gateway, await press(gateway, desk, url, choice, amount), desk.context)
const rejects = (work: () => unknown) => expect((async () => work())()).rejects

describe('the page', () => {
  test.each([
    ['ar', 'rtl', 'ادفع'],
    ['fr', 'ltr', 'Payer'],
    ['en', 'ltr', 'Pay'],
  ] as const)('speaks %s, shows the amount and the order, and fits', async (language, direction, pay) => {
    const { desk, asked, url } = await make({ language, amount: 1_234_550 })
    const page = (await pageAt(url, desk)) ?? ''
    expect(page).toContain(`<html lang=${language} dir=${direction}>`)
    expect(page).toContain(`<button name=choice value=pay>${pay}</button>`)
    expect(page.replace(/[^0-9]/g, '')).toContain('1234550')
    expect(page).toContain(asked.reference)
    expect(page).toContain('width=device-width')
    expect(new TextEncoder().encode(page).length).toBeLessThanOrEqual(4096)
  })

  test.each([
    ['DZD', 250_050, '2,500.50'],
    ['TND', 250_050, '250.050'],
    ['JPY', 250_050, '250,050'],
  ])('writes %s with its own digits', async (currency, amount, written) => {
    const { desk, url } = await make({ currency, amount, language: 'en' })
    expect(await pageAt(url, desk)).toContain(written)
  })

  test('brings all that it needs, and runs nothing but its own script', async () => {
    const { desk, url } = await make()
    const page = (await pageAt(url, desk)) ?? ''
    expect(page).not.toMatch(/<[^>]*\s(src|href|action)=/)
    const [, script = ''] = /<script>(.*)<\/script>/s.exec(page) ?? []
    const [, policy = ''] = /Content-Security-Policy content="([^"]*)"/.exec(page) ?? []
    expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(policy).toStartWith("default-src 'none'")
  })

  test('takes no word of others for markup', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&`.slice(0, 64)
    const { desk, url } = await make({ reference: evil, returnUrl: `https://shop.example/r?x="><script>alert(1)</script>` })
    const page = (await pageAt(url, desk)) ?? ''
    expect(page.match(/<script/g)).toHaveLength(1)
    expect(page).not.toContain('<img')
    expect(page).toContain('&quot;&gt;&lt;script&gt;')
  })

  test('opens by its own address alone, and in its own connection', async () => {
    const { desk, url } = await make()
    expect(await pageAt(url, desk)).toBeDefined()
    for (const other of [url.replace(/page=./, 'page=g'), url.replace(/&page=.*/, ''), url.replace(/page=.*/, 'page='), '/webhook'])
      expect(await pageAt(other, desk)).toBeUndefined()
    expect(await pageAt(url, rig.open())).toBeUndefined()
    expect(await answerTo(gateway, request('POST', url), desk.context)).toBeNull()
  })
})

/** The page's own script, with as much of a browser as it uses. */
async function runPage(page: string, url: string, choice: string, status: number) {
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(page) ?? []
  const said = { textContent: '' }
  const buttons = [...page.matchAll(/<button name=choice value=(\w+)>/g)].map(([, value]) => ({
    value,
    onclick: async (_: { preventDefault(): void }) => {},
  }))
  const document = {
    querySelector: (name: string) => (name === 'main' ? { dataset: dataIn(page) } : said),
    querySelectorAll: () => buttons,
  }
  const location = { href: url }
  const sent: { url: string; init: RequestInit }[] = []
  const post = async (to: string, init: RequestInit) => {
    sent.push({ url: to, init })
    return new Response(null, { status })
  }
  new Function('document', 'location', 'fetch', script)(document, location, post)
  await buttons.find(({ value }) => value === choice)?.onclick({ preventDefault() {} })
  return { sent, location, said }
}

describe('a browser', () => {
  test.each([
    ['pay', 'paid', 'returnUrl'],
    ['decline', 'failed', 'cancelUrl'],
    ['cancel', 'cancelled', 'cancelUrl'],
  ] as const)('that presses %s tells it is %s and goes on', async (choice, status, to) => {
    const { desk, url, asked, externalId } = await make()
    const { sent, location } = await runPage((await pageAt(url, desk)) ?? '', url, choice, 200)
    expect(sent).toHaveLength(1)
    const { body, method = '' } = sent[0]!.init
    const told = { ...request(method, sent[0]!.url), body: new TextEncoder().encode(String(body)) }
    expect(await isProven(gateway, told, desk.context)).toBe(true)
    expect(await eventsIn(gateway, told, desk.context)).toMatchObject([{ externalId, paymentId: asked.paymentId, status }])
    const back = new URL(location.href)
    expect(back.searchParams.get('checkout')).toBe(externalId)
    back.searchParams.delete('checkout')
    expect(back.href).toBe(asked[to])
  })

  test('that is not heard stays, and may try again', async () => {
    const { desk, url } = await make({ language: 'en' })
    const { location, said } = await runPage((await pageAt(url, desk)) ?? '', url, 'pay', 500)
    expect([location.href, said.textContent]).toEqual([url, 'That did not work. Try again.'])
  })

  test('that comes back finds what became of it and the way on', async () => {
    const paid = await make()
    await tell(paid, 'pay')
    const page = (await pageAt(paid.url, paid.desk)) ?? ''
    expect(page).not.toContain('<button')
    expect(page).not.toContain('<script')
    expect(page).toContain(paid.asked.returnUrl.replaceAll('&', '&amp;'))
  })
})

describe('a choice', () => {
  test('counts once: the first', async () => {
    const one = await make()
    const [pay, cancel] = [await press(gateway, one.desk, one.url, 'pay'), await press(gateway, one.desk, one.url, 'cancel')]
    expect(await eventsIn(gateway, pay, one.desk.context)).toMatchObject([{ status: 'paid' }])
    expect(await eventsIn(gateway, cancel, one.desk.context)).toMatchObject([{ status: 'paid' }])
  })

  test('of many at once is one', async () => {
    const one = await make()
    const choices = await Promise.all(['pay', 'decline', 'cancel', 'pay'].map((choice) => press(gateway, one.desk, one.url, choice)))
    await Promise.all(choices.map((choice) => eventsIn(gateway, choice, one.desk.context)))
    const { status } = await gateway.read(one.desk.context, one.externalId)
    const again = await gateway.read(one.desk.context, one.externalId)
    expect(again.status).toBe(status)
    expect(['paid', 'failed', 'cancelled']).toContain(status)
  })

  test('with the proof of another checkout is not believed, and does nothing', async () => {
    const desk = rig.open()
    const [one, other] = [await make({}, desk), await make({}, desk)]
    const { proof } = dataIn((await pageAt(other.url, desk)) ?? '')
    const forged = request('POST', one.url, { checkout: one.externalId, proof, choice: 'pay' })
    expect(await isProven(gateway, forged, desk.context)).toBe(false)
    expect((await gateway.read(desk.context, one.externalId)).status).toBe('open')
  })

  test('asked by GET is none: a page that is looked at pays nothing', async () => {
    const one = await make()
    const pressed = { ...(await press(gateway, one.desk, one.url, 'pay')), method: 'GET' }
    expect(await isProven(gateway, pressed, one.desk.context)).toBe(false)
  })

  test.each([0, -5, 12.5, 'x'])('of the amount %p pays nothing', async (amount) => {
    const one = await make()
    const { checkout: id, proof } = dataIn((await pageAt(one.url, one.desk)) ?? '')
    await eventsIn(gateway, request('POST', one.url, { checkout: id, proof, choice: 'pay', amount }), one.desk.context)
    const { status, amount: paid } = await gateway.read(one.desk.context, one.externalId)
    expect([status, paid]).toEqual(amount === 'x' ? ['paid', one.asked.amount] : ['open', undefined])
  })
})

describe('settings', () => {
  test.each(['paid', 'failed'] as const)('decide at once that it is %s', async (outcome) => {
    const desk = rig.open({ settings: { outcome, feePercent: 2.5 } })
    const { externalId } = await make({}, desk)
    const money = outcome === 'paid' ? { amount: 250_000, fee: 6_250, refunded: 0 } : {}
    expect(await gateway.read(desk.context, externalId)).toMatchObject({ status: outcome, currency: 'DZD', ...money })
  })

  test.each([
    [-5, 0],
    [250, 250_000],
  ])('a fee of %d percent is one of %d', async (feePercent, fee) => {
    const { context } = rig.open({ settings: { outcome: 'paid', feePercent } })
    const { externalId } = await gateway.createCheckout(context, checkout())
    expect((await gateway.read(context, externalId)).fee).toBe(fee)
  })
})

test('a checkout can be paid for a day', async () => {
  const notes = createStorage()
  let now = Date.parse('2026-11-22T10:00:00Z')
  const desk = rig.open({ storage: notes, now: () => now })
  const one = await make({}, desk)
  expect(one.expiresAt).toBe('2026-11-23T10:00:00.000Z')
  const late = await press(gateway, desk, one.url, 'pay')
  now += DAY_MS
  expect(await eventsIn(gateway, late, desk.context)).toMatchObject([{ status: 'expired' }])
  expect(await gateway.read(desk.context, one.externalId)).toMatchObject({ status: 'expired', at: '2026-11-23T10:00:00.000Z' })
})

test('sandbox payment: one payment has one checkout, and its amount cannot change', async () => {
  const { desk, asked, externalId, url } = await make()
  expect(await gateway.createCheckout(desk.context, asked)).toMatchObject({ externalId, url })
  await rejects(() => gateway.createCheckout(desk.context, { ...asked, amount: 5 })).toMatchObject({ reason: 'refused' })
})

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'nowhere'])('it does not return to %s', async (returnUrl) => {
  await rejects(() => make({ returnUrl })).toMatchObject({ reason: 'refused' })
})

test('addresses that its page has no room for are refused', async () => {
  await rejects(() => make({ returnUrl: `https://shop.example/${'x'.repeat(4000)}` })).toMatchObject({ reason: 'refused' })
  const { desk, url } = await make({
    returnUrl: `https://shop.example/${'x'.repeat(700)}`,
    cancelUrl: `https://shop.example/${'y'.repeat(700)}`,
  })
  expect(await pageAt(url, desk)).toBeDefined()
})

describe('rehearsed faults', () => {
  const named = (name: string) => ({ customer: { name, phone: '+213550000000', email: null } })

  test('FAIL is refused, and makes nothing', async () => {
    const desk = rig.open()
    await rejects(() => make(named('FAIL Karim'), desk)).toMatchObject({ reason: 'refused', upstream: { code: 'rehearsed' } })
    expect(await desk.context.storage.list('checkout:')).toEqual([])
  })

  test('TIMEOUT makes it, and is silent until the caller gives up', async () => {
    const notes = createStorage()
    const asked = checkout(named('TIMEOUT Karim'))
    const attempt = () => gateway.createCheckout(rig.open({ storage: notes, deadlineMs: 60 }).context, asked)
    await rejects(attempt).toMatchObject({ reason: 'unavailable' })
    await rejects(attempt).toMatchObject({ reason: 'unavailable' })
    expect(await notes.list('checkout:')).toHaveLength(1)
  })

  test('a refund without an answer is given once', async () => {
    const desk = rig.open({ settings: { outcome: 'paid' } })
    const { externalId } = await make({}, desk)
    const refund = { externalId, refundId: 'rfd_1', amount: 250_000, whole: true, currency: 'DZD', reason: 'TIMEOUT please' }
    const hurried = rig.open({ storage: desk.context.storage, deadlineMs: 60 })
    await rejects(() => gateway.refund!(hurried.context, refund)).toMatchObject({ reason: 'unavailable' })
    await gateway.refund!(desk.context, { ...refund, reason: '' })
    expect((await gateway.read(desk.context, externalId)).refunded).toBe(250_000)
    await rejects(() => gateway.refund!(desk.context, { ...refund, amount: 5, reason: '' })).toMatchObject({ reason: 'refused' })
  })
})
