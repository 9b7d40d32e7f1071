import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { type Person, type Shop, startApp } from '../../support/app.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
await person('The administrator')

let phones = 0

interface Desk extends Shop {
  readonly productId: string
  readonly amel: Person
  readonly karim: Person
}

async function desk(): Promise<Desk> {
  const on = await shop({ settings: { confirmation: { opensAt: '00:00', closesAt: '00:00' } } })
  const { data } = await ok('POST', '/v1/products', {
    as: on.key,
    body: { storeId: on.storeId, name: 'Basket', price: 1000, initialStock: 100 },
  })
  const agent = async (name: string) => {
    const member = await person(name)
    await ok('POST', `/v1/stores/${on.storeId}/members`, { as: on.owner.token, body: { email: member.email, role: 'agent' } })
    return member
  }
  return { ...on, productId: data.id, amel: await agent('Amel'), karim: await agent('Karim') }
}

const place = async ({ storeId, key, productId }: Desk) => {
  const body = {
    storeId,
    customer: { name: 'Lina', phone: `0550${String(++phones).padStart(6, '0')}` },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: [{ productId, quantity: 1 }],
  }
  const { id } = (await ok('POST', '/v1/orders', { as: key, body })).data
  await drainChanges(context)
  return id as string
}

const post = ({ storeId }: Desk, { token }: Pick<Person, 'token'>, path: string, body: object, headers: Record<string, string> = {}) =>
  call('POST', `/v1/orders/confirmation/${path}`, { as: token, body: { storeId, ...body }, headers })
const counts = async ({ storeId }: Desk, { token }: Person) =>
  (await ok('GET', `/v1/orders/confirmation/counts?storeId=${storeId}`, { as: token })).data
const order = async ({ key }: Desk, id: string) => (await ok('GET', `/v1/orders/${id}`, { as: key })).data
const outcome = ({ status, body }: Awaited<ReturnType<typeof call>>) => `${status} ${body?.error?.code ?? ''}`.trim()
const queued = async (id: string) =>
  (
    await sql<{ dueAt: string; attempts: number; leasedBy: string | null }[]>`
    select due_at::text, attempts, leased_by from confirmation_queue where order_id = ${id}`
  )[0]

describe('the order of a customer who calls', () => {
  test('is taken by the agent who answers, even if it is due later, unless a colleague has it', async () => {
    const on = await desk()
    const id = await place(on)
    await sql`update confirmation_queue set due_at = now() + interval '2 days' where order_id = ${id}`
    expect((await post(on, on.amel, 'next', {})).body.data).toBeNull()
    const taken = await post(on, on.amel, 'take', { orderId: id })
    expect(taken.body.data).toMatchObject({ order: { id, status: 'pending' }, attempts: 0, calls: [] })
    const { leasedUntil } = taken.body.data
    const refused = await post(on, on.karim, 'take', { orderId: id })
    expect(outcome(refused)).toBe('409 order_held')
    expect(refused.body.error.message).toContain('Amel has this order until')
    expect(refused.body.error.details).toEqual([
      { path: '/body/orderId', message: expect.any(String), values: { agentId: on.amel.id, name: 'Amel', until: leasedUntil } },
    ])
    // Who asks again gets it again.
    expect((await post(on, on.amel, 'take', { orderId: id })).body.data.order.id).toBe(id)
    await sql`update confirmation_queue set leased_until = now() - interval '1 second' where order_id = ${id}`
    expect((await post(on, on.karim, 'take', { orderId: id })).status).toBe(200)
    expect(outcome(await post(on, on.amel, 'release', { orderId: id, outcome: 'confirmed' }))).toBe('409 conflict')
    expect((await post(on, on.karim, 'release', { orderId: id, outcome: 'confirmed' })).status).toBe(200)
    const late = await post(on, on.amel, 'take', { orderId: id })
    expect([outcome(late), late.body.error.message]).toEqual([
      '409 invalid_transition',
      'The order is confirmed and waits for no call. Change it with PATCH /v1/orders/{id}.',
    ])
  })

  test('is taken by one of two who answer at once', async () => {
    const on = await desk()
    for (let round = 0; round < 5; round += 1) {
      const id = await place(on)
      const answers = await Promise.all([on.amel, on.karim].map((agent) => post(on, agent, 'take', { orderId: id })))
      expect(answers.map(outcome).toSorted()).toEqual(['200', '409 order_held'])
      const winner = answers[0]?.status === 200 ? on.amel : on.karim
      expect((await queued(id))?.leasedBy).toBe(winner.id)
      await post(on, winner, 'release', { orderId: id, outcome: 'confirmed' })
    }
  })

  test('comes beside the one from the queue, which stays with the agent; five at most', async () => {
    const on = await desk()
    const [first, ...others] = [await place(on), await place(on), await place(on), await place(on), await place(on), await place(on)]
    expect((await post(on, on.amel, 'next', {})).body.data.order.id).toBe(first)
    for (const id of others.slice(0, 4)) expect((await post(on, on.amel, 'take', { orderId: id })).status).toBe(200)
    expect(outcome(await post(on, on.amel, 'take', { orderId: others[4] }))).toBe('422 limit_reached')
    expect((await counts(on, on.amel)).mine.held).toBe(5)
    for (const id of others.slice(0, 4)) await post(on, on.amel, 'release', { orderId: id, outcome: 'confirmed' })
    expect((await post(on, on.amel, 'next', {})).body.data.order.id).toBe(first)
  })

  test('is refused to viewers, other stores, and who has lost the right meanwhile', async () => {
    const [on, other] = [await desk(), await desk()]
    const id = await place(on)
    const viewer = await person('Viewer')
    await ok('POST', `/v1/stores/${on.storeId}/members`, { as: on.owner.token, body: { email: viewer.email, role: 'viewer' } })
    expect(outcome(await post(on, viewer, 'take', { orderId: id }))).toBe('403 forbidden')
    expect(outcome(await post(on, other.amel, 'take', { orderId: id }))).toBe('404 not_found')
    expect(outcome(await post(other, other.amel, 'take', { orderId: id }))).toBe('404 not_found')
    expect(outcome(await call('POST', '/v1/orders/confirmation/take', { body: { storeId: on.storeId, orderId: id } }))).toBe(
      '401 unauthenticated',
    )
    expect(outcome(await post(on, on.amel, 'take', {}))).toBe('400 invalid_request')
  })
})

describe('an outcome that is sent twice', () => {
  test('with one Idempotency-Key counts once, also when both arrive at once', async () => {
    const on = await desk()
    const id = await place(on)
    await post(on, on.amel, 'next', {})
    const send = () => post(on, on.amel, 'release', { orderId: id, outcome: 'no_answer' }, { 'idempotency-key': 'outcome-1' })
    const both = await Promise.all([send(), send()])
    for (const answer of both) expect(['200', '409 idempotency_in_progress']).toContain(outcome(answer))
    const [first] = both.filter(({ status }) => status === 200)
    const again = await send()
    expect([again.status, again.headers.get('idempotent-replayed'), again.body]).toEqual([200, 'true', first?.body])
    expect((await order(on, id)).pastCalls).toHaveLength(1)
    expect((await queued(id))?.attempts).toBe(1)
    expect((await counts(on, on.amel)).mine).toMatchObject({ calls: 1, outcomes: { no_answer: 1 } })
  })

  test('without a key counts once too, and the second is told that the order has gone', async () => {
    const on = await desk()
    const id = await place(on)
    await post(on, on.amel, 'next', {})
    const answers = await Promise.all([1, 2].map(() => post(on, on.amel, 'release', { orderId: id, outcome: 'busy' })))
    expect(answers.map(outcome).toSorted()).toEqual(['200', '409 conflict'])
    expect((await order(on, id)).pastCalls).toHaveLength(1)
  })

  test('with one key and another outcome is refused', async () => {
    const on = await desk()
    const id = await place(on)
    await post(on, on.amel, 'next', {})
    const send = (body: object) => post(on, on.amel, 'release', { orderId: id, ...body }, { 'idempotency-key': 'outcome-2' })
    expect((await send({ outcome: 'no_answer' })).status).toBe(200)
    expect(outcome(await send({ outcome: 'confirmed' }))).toBe('422 idempotency_key_reused')
  })
})

describe('the counts of the desk', () => {
  test('tell what is due, what comes later, what has stopped, and the calls of the agent today', async () => {
    const on = await desk()
    const [now, later, stopped, given] = [await place(on), await place(on), await place(on), await place(on)]
    await sql`update confirmation_queue set due_at = now() + interval '3 hours' where order_id = ${later}`
    await sql`update confirmation_queue set due_at = 'infinity' where order_id = ${stopped}`
    const before = await counts(on, on.amel)
    expect(before).toMatchObject({ due: 2, later: 1, stopped: 1, leased: 0, mine: { held: 0, calls: 0 } })
    expect(Date.parse(before.nextDueAt) - Date.now()).toBeGreaterThan(2 * 3_600_000)
    await post(on, on.karim, 'take', { orderId: given })
    await post(on, on.amel, 'take', { orderId: now })
    expect(await counts(on, on.amel)).toMatchObject({ due: 0, leased: 2, mine: { held: 1, calls: 0 } })
    await post(on, on.amel, 'release', { orderId: now, outcome: 'confirmed' })
    await post(on, on.amel, 'take', { orderId: later })
    await post(on, on.amel, 'release', { orderId: later, outcome: 'no_answer' })
    const { mine } = await counts(on, on.amel)
    const none = { busy: 0, wrong_number: 0, postponed: 0, cancelled: 0, given_back: 0 }
    expect(mine).toEqual({ held: 0, calls: 2, outcomes: { confirmed: 1, no_answer: 1, ...none } })
    expect((await counts(on, on.karim)).mine.calls).toBe(0)
    // Calls of yesterday are not of today.
    await sql`update confirmation_calls set created_at = created_at - interval '1 day' where project_id = ${projectIdOf(on.storeId)}`
    expect((await counts(on, on.amel)).mine.calls).toBe(0)
  })

  test('are refused to viewers and to other stores', async () => {
    const [on, other] = [await desk(), await desk()]
    const ask = (token: string) => call('GET', `/v1/orders/confirmation/counts?storeId=${on.storeId}`, { as: token })
    expect(outcome(await ask(other.amel.token))).toBe('404 not_found')
    expect(outcome(await ask(other.key))).toBe('404 not_found')
    expect(outcome(await call('GET', '/v1/orders/confirmation/counts', { as: on.amel.token }))).toBe('400 invalid_request')
    expect((await call('GET', '/v1/orders/confirmation/counts', { as: on.key })).body.data.due).toBe(0)
  })
})

describe('the outcome of a call', () => {
  const until = () => new Date(Date.now() + 3 * 3_600_000).toISOString()

  test.each([
    ['confirmed', () => ({})],
    ['no_answer', () => ({})],
    ['wrong_number', () => ({})],
    ['postponed', () => ({ until: until() })],
    ['cancelled', () => ({ reason: 'too dear' })],
  ] as const)('%s can be undone at once: status, stock and place in the queue are as before', async (name, more) => {
    const on = await desk()
    const id = await place(on)
    await post(on, on.amel, 'next', {})
    await post(on, on.amel, 'release', { orderId: id, outcome: 'busy' })
    await post(on, on.amel, 'take', { orderId: id })
    const [stateBefore, stockBefore] = [await queued(id), await reserved(on)]
    const { callId } = (await post(on, on.amel, 'release', { orderId: id, outcome: name, ...more() })).body.data
    const undone = await post(on, on.amel, 'undo', { orderId: id, callId })
    expect(undone.body.data).toMatchObject({ order: { id, status: 'unreachable' }, attempts: 1, calls: [{ outcome: 'busy' }] })
    expect(await queued(id)).toEqual(stateBefore)
    expect(await reserved(on)).toBe(stockBefore)
    const { status, history, pastCalls: calls } = await order(on, id)
    expect([status, calls.length]).toEqual(['unreachable', 1])
    expect(history.at(-1).toStatus).toBe('unreachable')
    expect((await counts(on, on.amel)).mine).toMatchObject({ held: 1, calls: 1, outcomes: { busy: 1 } })
    // The right outcome can follow.
    expect((await post(on, on.amel, 'release', { orderId: id, outcome: 'confirmed' })).body.data.order.status).toBe('confirmed')
  })

  const reserved = async ({ projectId }: Desk) => {
    const [row] = await sql<
      { reserved: string }[]
    >`select sum(reserved)::text as reserved from inventory_balances where project_id = ${projectId}`
    return row?.reserved
  }

  test('is undone once, by one of two that ask at once', async () => {
    const on = await desk()
    const id = await place(on)
    await post(on, on.amel, 'next', {})
    const { callId } = (await post(on, on.amel, 'release', { orderId: id, outcome: 'confirmed' })).body.data
    const answers = await Promise.all([1, 2].map(() => post(on, on.amel, 'undo', { orderId: id, callId })))
    expect(answers.map(outcome).toSorted()).toEqual(['200', '409 conflict'])
    const { history } = await order(on, id)
    expect(history.map(({ toStatus }: { toStatus: string }) => toStatus)).toEqual(['pending', 'confirmed', 'pending'])
  })

  test('is undone only by its agent, for a moment, and while nothing else has happened', async () => {
    const on = await desk()
    const id = await place(on)
    const release = async (body: object) => (await post(on, on.amel, 'release', { orderId: id, ...body })).body.data.callId as string
    await post(on, on.amel, 'next', {})
    const noAnswer = await release({ outcome: 'no_answer' })
    expect(outcome(await post(on, on.karim, 'undo', { orderId: id, callId: noAnswer }))).toBe('409 conflict')
    expect((await post(on, on.karim, 'take', { orderId: id })).status).toBe(200)
    const held = await post(on, on.amel, 'undo', { orderId: id, callId: noAnswer })
    expect([outcome(held), held.body.error.details[0].values.name]).toEqual(['409 order_held', 'Karim'])
    await post(on, on.karim, 'release', { orderId: id, outcome: 'no_answer' })
    expect(outcome(await post(on, on.amel, 'undo', { orderId: id, callId: noAnswer }))).toBe('409 conflict')
    await post(on, on.amel, 'take', { orderId: id })
    const confirmed = await release({ outcome: 'confirmed' })
    await ok('PATCH', `/v1/orders/${id}`, { as: on.key, body: { status: 'cancelled', reason: 'by a colleague' } })
    expect(outcome(await post(on, on.amel, 'undo', { orderId: id, callId: confirmed }))).toBe('409 conflict')
    expect((await order(on, id)).pastCalls).toHaveLength(3)
    const other = await place(on)
    await post(on, on.amel, 'take', { orderId: other })
    const { callId } = (await post(on, on.amel, 'release', { orderId: other, outcome: 'confirmed' })).body.data
    await sql`update confirmation_calls set created_at = created_at - interval '20 seconds' where id = ${callId}`
    expect(outcome(await post(on, on.amel, 'undo', { orderId: other, callId }))).toBe('409 conflict')
    expect((await order(on, other)).status).toBe('confirmed')
    expect(outcome(await post(on, on.amel, 'undo', { orderId: 'ord_none', callId }))).toBe('404 not_found')
  })

  test('is undone while a customer reads the order, and waits for a change that is under way', async () => {
    const on = await desk()
    const id = await place(on)
    await post(on, on.amel, 'next', {})
    const { callId } = (await post(on, on.amel, 'release', { orderId: id, outcome: 'confirmed' })).body.data
    const { undoing } = await transaction(sql, async (tx) => {
      await tx`select 1 from orders where id = ${id} for update`
      const undoing = post(on, on.amel, 'undo', { orderId: id, callId })
      await Promise.race([undoing, Bun.sleep(100)])
      return { undoing }
    })
    expect((await undoing).status).toBe(200)
  })
})

test('the order shows its past calls with the names of the agents', async () => {
  const on = await desk()
  const id = await place(on)
  expect((await order(on, id)).pastCalls).toEqual([])
  await post(on, on.amel, 'next', {})
  await post(on, on.amel, 'release', { orderId: id, outcome: 'busy', reason: 'in a meeting' })
  const [pastCall] = (await order(on, id)).pastCalls
  expect(pastCall).toEqual({
    id: expect.stringMatching(/^cal_/),
    outcome: 'busy',
    reasonCode: null,
    reason: 'in a meeting',
    agentId: on.amel.id,
    agentName: 'Amel',
    nextTryAt: expect.any(String),
    createdAt: expect.any(String),
  })
})

describe('the reasons of a store', () => {
  const path = ({ storeId }: Desk) => `/v1/stores/${storeId}/confirmation/reasons`

  test('are the standard ones until it has its own, which outcomes then use', async () => {
    const on = await desk()
    const standard = (await ok('GET', path(on), { as: on.amel.token })).data
    expect(standard.isStandard).toBe(true)
    expect(standard.reasons.map(({ code }: { code: string }) => code)).toContain('too_expensive')
    const own = [
      { code: 'wants_red', label: 'Wants it in red', outcomes: ['cancelled', 'postponed'] },
      { code: 'market_day', label: 'Pays on market day', outcomes: ['postponed'] },
    ]
    expect((await ok('PUT', path(on), { as: on.owner.token, body: { reasons: own } })).data).toEqual({ reasons: own, isStandard: false })
    expect((await ok('GET', path(on), { as: on.amel.token })).data.reasons).toEqual(own)
    const id = await place(on)
    await post(on, on.amel, 'next', {})
    const cancel = (body: object) => post(on, on.amel, 'release', { orderId: id, outcome: 'cancelled', ...body })
    expect(outcome(await cancel({ reasonCode: 'too_expensive' }))).toBe('400 invalid_request')
    expect((await cancel({ reasonCode: 'market_day' })).body.error.details[0].path).toBe('/body/reasonCode')
    expect((await cancel({ reasonCode: 'wants_red', reason: 'or in green' })).status).toBe(200)
    const { pastCalls: calls, history } = await order(on, id)
    expect(calls[0]).toMatchObject({ reasonCode: 'wants_red', reason: 'Wants it in red: or in green' })
    expect(history.at(-1).reason).toBe('Wants it in red: or in green')
    expect((await ok('PUT', path(on), { as: on.owner.token, body: { reasons: null } })).data).toEqual(standard)
    const { data: entries } = await ok('GET', `/v1/stores/${on.storeId}/audit?what=confirmation.reasons_changed`, { as: on.owner.token })
    expect(entries).toHaveLength(2)
    expect(entries[0].by).toMatchObject({ kind: 'person', name: 'Owner' })
  })

  test('are checked, and replaced as a whole by one of two that write at once', async () => {
    const on = await desk()
    const put = (reasons: unknown, as = on.owner.token) => call('PUT', path(on), { as, body: { reasons } })
    const reason = (code: string) => ({ code, label: 'A reason', outcomes: ['cancelled'] })
    for (const reasons of [
      [reason('Not a code')],
      [{ ...reason('a'), outcomes: [] }],
      [{ ...reason('a'), outcomes: ['sold'] }],
      [reason('a'), reason('a')],
      Array.from({ length: 51 }, (_, at) => reason(`r${at}`)),
    ])
      expect(outcome(await put(reasons))).toBe('400 invalid_request')
    expect(outcome(await put([], on.amel.token))).toBe('403 forbidden')
    const [one, other] = [['a1', 'a2', 'a3'].map(reason), ['b1', 'b2', 'b3'].map(reason)]
    const answers = await Promise.all([one, other, one, other].map((reasons) => put(reasons)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { reasons } = (await ok('GET', path(on), { as: on.owner.token })).data
    expect([one, other]).toContainEqual(reasons)
  })
})
