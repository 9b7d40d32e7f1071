import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { deleteExpiredDispatches } from '../../../core/fulfilment/dispatch/delete-old-dispatches.ts'
import { storageOf } from '../../../core/integrations/connections/calls/storage.ts'
import { startApp } from '../../support/app.ts'
import { scratchFolder } from '../../support/scratch.ts'
import { often } from '../../support/thorough.ts'
import { until, untilValue } from '../../support/until.ts'

const folder = await scratchFolder()
/**
 * What a recipient is called says what the carrier does: `no-north` is refused by north, `busy-north` put off, `lost-north` never answered,
 * and `held-gate` answered once the connection has stored `open`.
 */
const adapter = (slug: string, more: string) => `import { carrier, CarrierError } from 'serai/carrier'
export default carrier({
  slug: '${slug}', label: 'Carrier ${slug}', countries: ['DZ'], currency: 'DZD', net: [], credentials: {}, settings: {},
  exactlyOnce: 'unsafe', settleSeconds: 2, rateWindows: [], editableIn: [], cancellableIn: [], statuses: {},
  testConnection: () => ({}),
  async send({ storage }, { reference, recipient: { name } }) {
    if (name.includes('no-${slug}')) throw new CarrierError('refused', 'Not this one.')
    if (name.includes('busy-${slug}')) throw new CarrierError('rate_limited', 'Later.', { retryAfterSeconds: 300 })
    if (name.includes('held-${slug}')) while (!(await storage.get('open'))) {}
    if (name.includes('lost-${slug}')) await new Promise(() => {})
    if (!(await storage.add('sent:' + reference, true))) throw new CarrierError('refused', 'It was sent twice.')
    return { trackingId: '${slug}-' + reference }
  },
  ${more}
})`
const adapters = {
  north: `deliveryTypes: ['home'], codMax: 20000, fees: (_, { stateCode }) => [{ stateCode, home: stateCode === '47' ? null : 400, pickup: null }],`,
  south: `deliveryTypes: ['home', 'pickup'], fees: (_, { stateCode }) => [{ stateCode, home: 300, pickup: 200 }],`,
  gate: `deliveryTypes: ['home'], settleSeconds: 60,`,
  slow: `deliveryTypes: ['home'], rates: () => new Promise(() => {}),`,
}
for (const [slug, more] of Object.entries(adapters)) {
  await mkdir(join(folder, slug), { recursive: true })
  await writeFile(join(folder, slug, 'index.ts'), adapter(slug, more))
}

const { call, ok, person, shop, context } = await startApp({ adapterDirs: [folder] })
await person('The administrator')

/** A store that has these carriers enabled, and a product of 1000. */
async function store(...slugs: string[]) {
  const { storeId, owner, key, projectId } = await shop()
  const as = owner.token
  const accounts: Record<string, string> = {}
  for (const slug of slugs) {
    const body = { enabled: true, credentials: {}, settings: {} }
    accounts[slug] = (await ok('PUT', `/v1/stores/${storeId}/integrations/${slug}`, { as, body })).data.id
  }
  const { data: product } = await ok('POST', '/v1/products', {
    as: key,
    body: { storeId, name: 'Basket', price: 1000, weightKg: 2, stockKeeping: false },
  })
  const path = `/v1/stores/${storeId}/integrations/dispatcher`
  const order = async (name = 'Lina', { stateCode = '16', quantity = 1, deliveryType = 'home' } = {}): Promise<string> => {
    const destination = { country: 'DZ', stateCode, cityName: 'Centre', address: 'x', deliveryType }
    const body = { storeId, customer: { name, phone: '0550123456' }, destination, items: [{ productId: product.id, quantity }] }
    return (await ok('POST', '/v1/orders', { as: key, body })).data.id
  }
  const dispatch = async (body: object) => (await ok('POST', `${path}/dispatch`, { as: key, body })).data
  const rules = (...rules: object[]) => ok('PUT', `${path}/rules`, { as, body: { rules } })
  const log = async (query = '') => ok('GET', `${path}/dispatches${query}`, { as: key })
  return { storeId, projectId, as, key, path, accounts, order, dispatch, rules, log }
}

const carriers = (...slugs: string[]) => slugs.map((carrier) => ({ carrier }))
const rule = (name: string, choose: string, listed: object[], when: object = {}) => ({ name, when, carriers: listed, choose })
const code = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body?.error?.code ?? ''}`.trim()

test('without rules the least known price decides among those that deliver there; a trial run does nothing', async () => {
  const { order, dispatch, log, key } = await store('north', 'south', 'slow')
  const orderId = await order()
  const began = performance.now()
  const [trial] = await dispatch({ orderId, dryRun: true })
  // The slow carrier is not waited for.
  expect(performance.now() - began).toBeLessThan(4_000)
  expect(trial).toMatchObject({ orderId, carrier: 'south', rule: null, tried: [], leftOut: [] })
  expect(trial.candidates.map(({ carrier }: { carrier: string }) => carrier)).toEqual(['south', 'north', 'slow'])
  expect(trial.reason).toContain('300 DZD')
  expect(trial.reason).toContain('only 0 of its parcels ended there')
  expect((await log()).data).toEqual([])
  expect((await ok('GET', `/v1/orders/${orderId}`, { as: key })).data.status).toBe('pending')
  const [sent] = await dispatch({ orderId })
  expect(sent).toMatchObject({
    carrier: 'south',
    parcel: { status: 'submitted', courierId: 'south' },
    tried: [{ carrier: 'south', outcome: 'taken' }],
  })
  const [again] = await dispatch({ orderIds: [orderId] })
  expect(again).toMatchObject({ carrier: 'south', reason: 'The order is with south already.', parcel: { id: sent.parcel.id } })
  expect((await log()).data).toMatchObject([{ orderId, carrier: 'south', outcome: 'sent', rule: null, parcelId: sent.parcel.id }])
})

test('a carrier that cannot is left out, with the reason', async () => {
  const { order, dispatch, rules } = await store('north', 'south')
  const [far] = await dispatch({ orderId: await order('Lina', { stateCode: '47' }), dryRun: true })
  expect(far).toMatchObject({ carrier: 'south', leftOut: [{ carrier: 'north', reason: 'It does not deliver by home in 47.' }] })
  const [dear] = await dispatch({ orderId: await order('Lina', { quantity: 30 }), dryRun: true })
  expect(dear.leftOut).toEqual([{ carrier: 'north', reason: 'It collects at most 20000 DZD, and the amount is 30000.' }])
  const [desk] = await dispatch({ orderId: await order(), deliveryType: 'pickup', dryRun: true })
  expect(desk.leftOut).toEqual([{ carrier: 'north', reason: 'It does not deliver by pickup.' }])
  await rules(rule('Only one', 'order', carriers('slow', 'north')))
  const [named] = await dispatch({ orderId: await order(), dryRun: true })
  expect(named).toMatchObject({ carrier: 'north', rule: 'Only one', reason: 'Rule "Only one". Number 1 in the list of the rule.' })
  expect(named.leftOut).toEqual([
    { carrier: 'south', reason: 'The rule does not name it.' },
    { carrier: 'slow', reason: 'The store has not enabled it, or its adapter is missing.' },
  ])
})

test('what was paid beforehand is not collected: neither a rule nor a carrier counts it', async () => {
  const { order, dispatch, rules } = await store('north', 'south')
  const paid = async (quantity: number, part = 'total') => {
    const orderId = await order('Lina', { quantity })
    await context.sql`update orders set paid = ${context.sql.unsafe(part)}, payment_status = 'paid' where id = ${orderId}`
    return (await dispatch({ orderId, dryRun: true }))[0]
  }
  expect((await paid(30)).leftOut).toEqual([])
  expect((await paid(30, 'total - 25000')).leftOut).toMatchObject([{ carrier: 'north' }])
  await rules(rule('Small', 'order', carriers('north'), { amount: { max: 500 } }), rule('Rest', 'order', carriers('south')))
  expect((await paid(5)).rule).toBe('Small')
  expect((await paid(5, 'total - 500')).rule).toBe('Small')
  expect((await paid(5, '0')).rule).toBe('Rest')
})

test('dispatch: the first rule that matches and leaves a carrier decides', async () => {
  const { order, dispatch, rules, log } = await store('north', 'south')
  await rules(
    rule('Desert', 'order', carriers('south'), { states: ['47', '11'] }),
    rule('Desk', 'order', carriers('north'), { deliveryTypes: ['pickup'] }),
    rule('Heavy', 'order', carriers('south'), { weightKg: { min: 10 } }),
    rule('Dear', 'order', carriers('south'), { amount: { min: 3000, max: 4000 } }),
    rule('Light', 'order', carriers('north'), { weightKg: { max: 4 } }),
    rule('Rest', 'order', carriers('south')),
  )
  const decided = async (place: object, choice: object = {}) =>
    (await dispatch({ orderId: await order('Lina', place), dryRun: true, ...choice }))[0]
  expect((await decided({ stateCode: '47' })).rule).toBe('Desert')
  expect((await decided({ quantity: 5 })).rule).toBe('Heavy')
  expect((await decided({ quantity: 3 })).rule).toBe('Dear')
  expect((await decided({ quantity: 2 })).rule).toBe('Light')
  expect((await decided({}, { weightKg: 12 })).rule).toBe('Heavy')
  // "Desk" and "Light" leave nobody, since north has no centres.
  expect((await decided({ deliveryType: 'pickup' })).rule).toBe('Rest')
  await rules(rule('Desert', 'order', carriers('south'), { states: ['47'] }))
  const orderId = await order()
  const [nobody] = await dispatch({ orderId })
  expect(nobody).toMatchObject({
    carrier: null,
    rule: null,
    error: { code: 'no_carrier' },
    reason: 'No rule of the store matches this order.',
  })
  expect((await log()).data).toMatchObject([{ orderId, carrier: null, outcome: 'refused' }])
})

test('a refusal, and a carrier that takes no more, fall over to the next; the sandbox refuses FAIL', async () => {
  const { order, dispatch, rules, key, log } = await store('sandbox', 'north', 'south')
  await rules(rule('All', 'order', carriers('sandbox', 'north', 'south')))
  const names = ['FAIL all', 'FAIL no-north', 'FAIL no-north no-south', 'FAIL busy-north', 'Lina']
  const orderIds = await Promise.all(names.map((name) => order(name)))
  const rows = await dispatch({ orderIds })
  expect(rows.map(({ orderId }: { orderId: string }) => orderId)).toEqual(orderIds)
  expect(rows.map(({ carrier }: { carrier: string | null }) => carrier)).toEqual(['north', 'south', null, 'south', 'sandbox'])
  const said = rows.map(({ tried }: { tried: { outcome: string }[] }) => tried.map(({ outcome }) => outcome))
  expect(said).toEqual([
    ['refused', 'taken'],
    ['refused', 'refused', 'taken'],
    ['refused', 'refused', 'refused'],
    ['refused', 'held_back', 'taken'],
    ['taken'],
  ])
  expect(rows[1].reason).toBe('Rule "All". sandbox, north did not accept it. Number 3 in the list of the rule.')
  expect(rows[1].parcel).toMatchObject({ courierId: 'south', status: 'submitted', trackingId: expect.stringContaining('south-') })
  expect(rows[2]).toMatchObject({
    error: { code: 'carrier_refused', message: expect.stringContaining('north: Not this one.') },
    parcelId: expect.stringContaining('par_'),
  })
  expect((await ok('GET', `/v1/orders/${orderIds[2]}`, { as: key })).data.status).toBe('pending')
  expect((await log(`?orderId=${orderIds[3]}`)).data).toMatchObject([
    { carrier: 'south', outcome: 'sent', tried: [{}, { outcome: 'held_back' }, {}] },
  ])
  const [busy] = await dispatch({ orderId: await order('FAIL busy-north no-south') })
  expect(busy).toMatchObject({ carrier: 'north', outcome: 'pending', parcel: { status: 'submitting', courierId: 'north' } })
  expect([busy.error, busy.tried.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
    undefined,
    ['refused', 'held_back', 'refused', 'held_back'],
  ])
  // What was refused may be dispatched again.
  await rules(rule('All', 'order', carriers('south')))
  expect((await dispatch({ orderId: orderIds[2] }))[0]).toMatchObject({ carrier: null, tried: [{ carrier: 'south', outcome: 'refused' }] })
})

test('dispatch: an unknown outcome never falls over to the next carrier, and is reported', async () => {
  const { order, dispatch, rules, log } = await store('north', 'south')
  await rules(rule('All', 'order', carriers('north', 'south')))
  const orderId = await order('lost-north')
  const [lost] = await dispatch({ orderId })
  expect(lost).toMatchObject({
    carrier: 'north',
    error: { code: 'outcome_unknown' },
    tried: [{ carrier: 'north', outcome: 'unknown' }],
    parcel: { outcomeUnknown: true },
  })
  const [again] = await dispatch({ orderId })
  expect(again).toMatchObject({ carrier: 'north', error: { code: 'outcome_unknown' }, tried: [] })
  expect((await log()).data).toMatchObject([{ outcome: 'unknown', carrier: 'north' }])
})

test('a silent sandbox is waited for, and the order stays with it', async () => {
  const { order, dispatch, rules } = await store('sandbox', 'south')
  await rules(rule('All', 'order', carriers('sandbox', 'south')))
  const [waiting] = await dispatch({ orderId: await order('TIMEOUT x') })
  expect(waiting).toMatchObject({ carrier: 'sandbox', tried: [{ carrier: 'sandbox', outcome: 'waiting' }] })
}, 120_000)

test('dispatch: two dispatches of one order at once make one parcel, and both answers name it', async () => {
  const { order, dispatch, rules, log, key } = await store('north', 'south')
  await rules(rule('All', 'order', carriers('north', 'south')))
  const orderIds = await Promise.all(Array.from({ length: 6 }, (_, at) => order(at % 2 === 0 ? 'no-north' : 'Lina')))
  const answers = await Promise.all(Array.from({ length: 5 }, () => dispatch({ orderIds })))
  for (const [at, orderId] of orderIds.entries()) {
    const parcels = new Set(answers.map((rows) => rows[at].parcel.id))
    const given = new Set(answers.map((rows) => rows[at].carrier))
    expect([parcels.size, [...given]]).toEqual([1, [at % 2 === 0 ? 'south' : 'north']])
    expect((await log(`?orderId=${orderId}`)).data).toHaveLength(1)
    expect((await ok('GET', `/v1/orders/${orderId}`, { as: key })).data.status).toBe('sent')
  }
})

test('dispatch: the rest of an order in parts goes once to the chosen carrier; a cancelled rest goes nowhere', async () => {
  const { order, dispatch, key, storeId, rules, path } = await store('north', 'south')
  await rules(rule('light', 'order', carriers('south', 'north'), { weightKg: { max: 3 } }), rule('any', 'order', carriers('north')))
  const send = (id: string, items: object[]) =>
    ok('POST', `/v1/stores/${storeId}/orders/${id}/carriers/north/send`, { as: key, body: { items } })
  const [left, given] = [await order('no-south Lina', { quantity: 3 }), await order('Lina', { quantity: 2 })]
  for (const id of [left, given]) await send(id, [{ item: 0, quantity: 1 }])
  const [trial] = await dispatch({ orderId: left, dryRun: true })
  expect(trial).toMatchObject({ carrier: 'north', rule: 'any' })
  const [light] = await dispatch({ orderId: given, dryRun: true })
  expect(light).toMatchObject({ carrier: 'south', rule: 'light' })
  const [a, b] = await Promise.all([dispatch({ orderId: left }), dispatch({ orderId: left })])
  expect(a[0].parcel).toMatchObject({ id: b[0].parcel.id, courierId: 'north', codAmount: 2000, weightKg: 4 })
  const { parcels, fulfilment } = (await ok('GET', `/v1/orders/${left}`, { as: key })).data
  expect(parcels).toHaveLength(2)
  expect(fulfilment).toMatchObject([{ left: 0, sent: 3 }])
  await ok('PATCH', `/v1/orders/${given}`, { as: key, body: { status: 'cancelled' } })
  const [none] = await dispatch({ orderId: given })
  expect(none).toMatchObject({ carrier: 'north', reason: 'The order is with north already.' })
  expect((await ok('GET', `${path}/dispatches`, { as: key })).data).toHaveLength(1)
})

test('a parcel that was given to another carrier while it waited in line is not sent by the first', async () => {
  const { path, order, key, accounts, projectId } = await store('gate', 'south')
  // A carrier takes 32 parcels at once, so the last one waits until the gate opens.
  const orders: { orderId: string }[] = []
  for (let at = 0; at < 33; at += 1) orders.push({ orderId: await order('held-gate') })
  const sending = ok('POST', `${path.replace('dispatcher', 'gate')}/sendMany`, { as: key, body: { orders } })
  // Those that wait are `submitting` for readers; the table still says that they were not claimed.
  const inLine = () =>
    context.sql<{ id: string; orderId: string }[]>`select id, order_id from parcels
      where project_id = ${projectId} and status = 'created' and submit_at is not null`
  const claimed = () => context.sql`select id from parcels where project_id = ${projectId} and status = 'submitting'`
  await until(async () => (await claimed()).length === 32)
  const [waiting] = await inLine()
  await ok('PATCH', `/v1/parcels/${waiting?.id}`, { as: key, body: { carrierAccountId: accounts.south } })
  await storageOf(context.sql, { projectId, id: accounts.gate! }).set('open', true)
  await until(async () => (await ok('GET', '/v1/parcels?status=submitted&limit=100', { as: key })).data.length >= 32)
  await Bun.sleep(200)
  expect((await ok('GET', `/v1/parcels/${waiting?.id}`, { as: key })).data).toMatchObject({
    status: 'created',
    courierId: 'south',
    trackingId: null,
  })
  const { data } = await ok('POST', `${path}/dispatch`, { as: key, body: { orderId: waiting?.orderId } })
  expect(data[0].parcel).toMatchObject({ status: 'submitted', courierId: 'south' })
  await sending
})

/** Parcels of an account that ended, as their timelines would have left them. */
async function ended(
  projectId: string,
  accountId: string,
  status: string,
  count: number,
  { days = 1, stateCode = '16', deliveryType = 'home' } = {},
) {
  const { sql } = context
  await sql`insert into parcels (project_id, id, tenant_id, reference, status, carrier_account_id, recipient, destination, cod_amount, declared_value, created_at)
    select ${projectId}, 'par_' || gen_random_uuid(), 1, gen_random_uuid()::text, ${status}, ${accountId}, '{}'::jsonb,
      ${sql.json({ stateCode, deliveryType })}, 0, 0, now() - ${days} * interval '1 day' from generate_series(1, ${count})`
}

test('the best success rate there decides, counted from 20 parcels of 180 days', async () => {
  const { order, dispatch, rules, accounts, projectId } = await store('north', 'south', 'sandbox')
  await rules(rule('Best', 'success', carriers('sandbox', 'north', 'south')))
  const best = async (place: object = {}) => (await dispatch({ orderId: await order('Lina', place), dryRun: true }))[0]
  await ended(projectId, accounts.north!, 'delivered', 15)
  await ended(projectId, accounts.north!, 'returned', 5)
  await ended(projectId, accounts.south!, 'delivered', 19)
  // None of these counts: too old, elsewhere, otherwise, or not ended.
  await ended(projectId, accounts.south!, 'delivered', 30, { days: 200 })
  await ended(projectId, accounts.south!, 'delivered', 30, { stateCode: '31' })
  await ended(projectId, accounts.south!, 'delivered', 30, { deliveryType: 'pickup' })
  await ended(projectId, accounts.south!, 'in_transit', 30)
  const first = await best()
  expect(first.candidates.map(({ carrier }: { carrier: string }) => carrier)).toEqual(['north', 'sandbox', 'south'])
  expect(first.reason).toBe(
    'Rule "Best". By success: it delivered 75 % of 20 there in 180 days, which counts as 53.1 %, because few parcels are less certain.',
  )
  expect(first.candidates[2].reason).toBe('By success: only 19 of its parcels ended there in 180 days, and a rate needs 20.')
  await ended(projectId, accounts.south!, 'delivered', 1)
  expect((await best()).carrier).toBe('south')
  // 20 of 20 are less sure than 980 of 1,000.
  await ended(projectId, accounts.sandbox!, 'delivered', 980)
  await ended(projectId, accounts.sandbox!, 'returned', 20)
  expect((await best()).candidates.map(({ carrier }: { carrier: string }) => carrier)).toEqual(['sandbox', 'south', 'north'])
  expect((await best({ stateCode: '31' })).reason).toContain('100 % of 30')
  await rules(
    rule('Good', 'order', [
      { carrier: 'north', minSuccessRate: 0.8 },
      { carrier: 'south', minSuccessRate: 0.8 },
    ]),
  )
  expect(await best()).toMatchObject({
    carrier: 'south',
    leftOut: [
      { carrier: 'sandbox' },
      { carrier: 'north', reason: 'It delivered 75 % of 20 there in 180 days, and the rule requires 80 %.' },
    ],
  })
})

test('dispatch: the lowest price decides; a carrier without a price is last', async () => {
  const { order, dispatch, rules } = await store('north', 'south', 'slow', 'sandbox')
  await rules(rule('Cheap', 'price', carriers('slow', 'north', 'south', 'sandbox')))
  const [home] = await dispatch({ orderId: await order('Lina', { stateCode: '01' }), dryRun: true })
  const listed = home.candidates.map(({ carrier, reason }: { carrier: string; reason: string }) => `${carrier}: ${reason}`)
  expect(listed).toEqual([
    'south: By price: its price is 300 DZD.',
    'north: By price: its price is 400 DZD.',
    'sandbox: By price: its price is 1400 DZD.',
    'slow: By price: its price is not known.',
  ])
})

/** A thousand and more where it is measured. */
const MANY = Number(process.env.DISPATCH_ORDERS ?? often({ quick: 100, thorough: 300 }))

test('many orders are given out by share, by many at once', async () => {
  const { order, dispatch, rules, storeId } = await store('north', 'south')
  await rules(
    rule('Seventy', 'share', [
      { carrier: 'north', share: 70 },
      { carrier: 'south', share: 30 },
    ]),
  )
  const orderIds = (
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const made: string[] = []
        while (made.length < MANY / 20) made.push(await order())
        return made
      }),
    )
  ).flat()
  const batches = Array.from({ length: 10 }, (_, at) => orderIds.slice((at * MANY) / 10, ((at + 1) * MANY) / 10))
  const began = performance.now()
  const rows = (await Promise.all(batches.map((batch) => dispatch({ orderIds: batch })))).flat()
  const seconds = (performance.now() - began) / 1000
  if (process.env.FIGURES) console.log(`${MANY} orders dispatched by share in ${seconds.toFixed(1)} s`)
  const given = Map.groupBy(rows, ({ carrier }: { carrier: string }) => carrier)
  // A send that needs longer than a request waits goes on by itself.
  const submitted = () =>
    context.sql<{ id: string }[]>`select id from parcels where project_id = ${projectIdOf(storeId)} and status = 'submitted'`
  expect(await untilValue(submitted, ({ length }) => length === MANY)).toHaveLength(MANY)
  expect(Math.abs(given.get('north')!.length - MANY * 0.7)).toBeLessThanOrEqual(10)
  expect(given.get('south')!.length).toBe(MANY - given.get('north')!.length)
  const [row] = await context.sql<{ count: number }[]>`
    select count(*)::int as count from dispatches where project_id = ${projectIdOf(storeId)} and rule = 'Seventy' and carrier = 'north'`
  expect(row!.count).toBe(given.get('north')!.length)
}, 120_000)

test('dispatch: choices are listed newest first, in pages', async () => {
  const { order, dispatch, log } = await store('south')
  const orderIds = [await order(), await order(), await order()]
  for (const orderId of orderIds) await dispatch({ orderId })
  const first = await log('?limit=2')
  expect(first.data.map(({ orderId }: { orderId: string }) => orderId)).toEqual([orderIds[2], orderIds[1]])
  const second = await log(`?limit=2&cursor=${first.nextCursor}`)
  expect([second.data.length, second.data[0].orderId, second.nextCursor]).toEqual([1, orderIds[0], null])
  expect(Object.keys(first.data[0]).sort()).toEqual(['at', 'carrier', 'id', 'orderId', 'outcome', 'parcelId', 'reason', 'rule', 'tried'])
})

test('rules that cannot be meant are refused with their place', async () => {
  const { path, as, rules } = await store('north')
  expect((await ok('GET', `${path}/rules`, { as })).data).toEqual({ rules: [] })
  const kept = [rule('A', 'share', [{ carrier: 'north', share: 100 }], { states: ['16'] })]
  expect((await rules(...kept)).data).toEqual({ rules: kept })
  const places: [object[], string][] = [
    [[rule('A', 'order', carriers('nobody'))], '/body/rules/0/carriers/0/carrier'],
    [[rule('A', 'order', carriers('north', 'north'))], '/body/rules/0/carriers/1/carrier'],
    [[rule('A', 'share', carriers('north'))], '/body/rules/0/carriers/0/share'],
    [[rule('A', 'order', carriers('north')), rule('A', 'price', carriers('north'))], '/body/rules/1/name'],
    [[rule('A', 'order', carriers('north'), { amount: { min: 2, max: 1 } })], '/body/rules/0/when/amount'],
    [[rule('A', 'luck', carriers('north'))], '/body/rules/0/choose'],
    [[rule('A', 'order', [])], '/body/rules/0/carriers'],
    [[rule('A', 'order', carriers('north'), { colour: 'red' })], '/body/rules/0/when/colour'],
  ]
  for (const [body, place] of places) {
    const answer = await call('PUT', `${path}/rules`, { as, body: { rules: body } })
    expect(`${code(answer)} ${answer.body.error.details[0].path}`).toBe(`400 invalid_request ${place}`)
  }
  expect((await ok('GET', `${path}/rules`, { as })).data).toEqual({ rules: kept })
})

test("dispatch: malformed requests, missing rights and other stores' ids are refused; other routes under the path still work", async () => {
  const { path, key, as, order, storeId } = await store('south')
  const orderId = await order()
  const ask = (body: unknown, credential?: string) => call('POST', `${path}/dispatch`, { ...(credential && { as: credential }), body })
  for (const body of [{}, { orderIds: [] }, { orderId, orderIds: [orderId] }, { orderId, weightKg: 0 }, { orderId, carrier: 'south' }])
    expect(code(await ask(body, key))).toBe('400 invalid_request')
  expect(code(await ask({ orderIds: Array.from({ length: 101 }, (_, at) => `o${at}`) }, key))).toBe('400 invalid_request')
  expect(code(await ask({ orderId }))).toBe('401 unauthenticated')
  expect(code(await ask({ orderId }, 'sk_wrong'))).toBe('401 invalid_api_key')
  const other = await store('south')
  expect(code(await ask({ orderId }, other.key))).toBe('404 not_found')
  expect((await other.dispatch({ orderId }))[0]).toMatchObject({ carrier: null, error: { code: 'not_found' } })
  const agent = await person('Agent')
  await ok('POST', `/v1/stores/${storeId}/members`, { as, body: { email: agent.email, role: 'agent' } })
  expect(code(await call('PUT', `${path}/rules`, { as: agent.token, body: { rules: [] } }))).toBe('403 forbidden')
  expect(code(await ask({ orderId, dryRun: true }, agent.token))).toBe('200')
  expect(code(await call('GET', path, { as }))).toBe('404 not_found')
  expect(code(await call('POST', `${path}/parcels/send`, { as, body: { orderId } }))).toBe('404 not_found')
  expect(code(await call('POST', `/v1/stores/${storeId}/integrations/south/parcels/send`, { as, body: { orderId } }))).toBe('200')
})

test('dispatch: choices are deleted after half a year in batches, except those of parcels under way', async () => {
  const { storeId, order, dispatch, log } = await store('south')
  const [dispatched] = await dispatch({ orderId: await order() })
  await context.sql`insert into dispatches (project_id, id, order_id, reason, outcome, at)
    select ${projectIdOf(storeId)}, 'dsp_old' || n, 'ord_' || n, 'x', case when n = 1 then 'running' else 'sent' end, now() - interval '181 days'
    from generate_series(1, 2500) n`
  await deleteExpiredDispatches(context, new AbortController().signal)
  const { data } = await log()
  expect(data.map(({ orderId, outcome }: { orderId: string; outcome: string }) => [orderId, outcome]).toSorted()).toEqual(
    [
      [dispatched.orderId, 'sent'],
      ['ord_1', 'running'],
    ].toSorted(),
  )
})
