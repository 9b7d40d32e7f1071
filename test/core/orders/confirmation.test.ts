import { describe, expect, test } from 'bun:test'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { transaction } from '../../../core/data/sql.ts'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import { drainChanges } from '../../../core/orders/changes/drain-changes.ts'
import { nextCallingTime } from '../../../core/orders/confirmation/calling-hours.ts'
import { type Shop, startApp } from '../../support/app.ts'
import { untilWaiting } from '../../support/waiting.ts'

const { call, ok, shop, person, context } = await startApp()
const { sql } = context
const administrator = await person('The administrator')

const AGENTS = 60
let phones = 0

interface Stocked extends Shop {
  readonly productId: string
}

async function stocked(confirmation: object = { opensAt: '00:00', closesAt: '00:00' }): Promise<Stocked> {
  const on = await shop({ settings: { confirmation } })
  const { data } = await ok('POST', '/v1/products', { as: on.key, body: { storeId: on.storeId, name: 'Basket', price: 1000 } })
  return { ...on, productId: data.id }
}

const place = async ({ storeId, key, productId }: Stocked, more: object = {}) => {
  const body = {
    storeId,
    customer: { name: 'Lina', phone: `0550${String(++phones).padStart(6, '0')}` },
    destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
    items: [{ productId, quantity: 1 }],
    ...more,
  }
  const { id } = (await ok('POST', '/v1/orders', { as: key, body })).data
  await drainChanges(context)
  return id as string
}

const agentsOf = ({ projectId, owner }: Stocked, count: number) =>
  Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const body = { name: `agent ${at}`, scopes: ['orders:write', 'orders:read'] }
      return (await ok('POST', `/v1/projects/${projectId}/api-keys`, { as: owner.token, body })).data.key as string
    }),
  )

const next = async (as: string, body: object = {}) => (await ok('POST', '/v1/orders/confirmation/next', { as, body })).data
const release = (as: string, orderId: string, body: object = {}) =>
  call('POST', '/v1/orders/confirmation/release', { as, body: { orderId, ...body } })
const statusOf = async ({ key }: Shop, id: string) => (await ok('GET', `/v1/orders/${id}`, { as: key })).data.status
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]
const dueNow = (id: string) => sql`update confirmation_queue set due_at = now() where order_id = ${id}`
const timeIsOver = (id: string) => sql`update confirmation_queue set leased_until = now() - interval '1 second' where order_id = ${id}`
const minutesUntil = (at: string) => Math.round((Date.parse(at) - Date.now()) / 60_000)

test(`${AGENTS} agents at once have an order each, until all are confirmed and nobody had one twice`, async () => {
  const on = await stocked()
  const [agents, ids] = await Promise.all([
    agentsOf(on, AGENTS),
    (async () => {
      const all: string[] = []
      for (let at = 0; at < AGENTS + 20; at += 10) all.push(...(await Promise.all(Array.from({ length: 10 }, () => place(on)))))
      return all
    })(),
  ])
  const first = await Promise.all(agents.map((agent) => next(agent)))
  expect(new Set(first.map(({ order }) => order.id)).size).toBe(AGENTS)
  const confirmed: string[] = []
  const work = async (agent: string) => {
    for (let lease = await next(agent); lease; lease = await next(agent)) {
      expect((await release(agent, lease.order.id, { outcome: 'confirmed' })).status).toBe(200)
      confirmed.push(lease.order.id)
    }
  }
  await Promise.all(agents.map(work))
  expect(confirmed.toSorted()).toEqual(ids.toSorted())
  expect((await sql`select 1 from confirmation_queue where project_id = ${projectIdOf(on.storeId)}`).length).toBe(0)
}, 120_000)

describe('an order that is to be called', () => {
  test('belongs to one agent until they release it or their claim expires', async () => {
    const on = await stocked({ leaseMinutes: 10 })
    const [one, other] = (await agentsOf(on, 2)) as [string, string]
    const id = await place(on)
    const lease = await next(one)
    expect(lease).toMatchObject({ order: { id, status: 'pending' }, attempts: 0, calls: [] })
    expect(minutesUntil(lease.leasedUntil)).toBe(10)
    expect(await next(other)).toBeNull()
    expect((await next(one)).order.id).toBe(id)
    expect(codeOf(await release(other, id, { outcome: 'confirmed' }))).toEqual([409, 'conflict'])
    await timeIsOver(id)
    expect((await next(other)).order.id).toBe(id)
    expect(codeOf(await release(one, id, { outcome: 'confirmed' }))).toEqual([409, 'conflict'])
    expect(await statusOf(on, id)).toBe('pending')
    expect((await release(other, id)).body.data.order.status).toBe('pending')
    expect(codeOf(await release(other, id))).toEqual([409, 'conflict'])
    expect((await next(one)).order.id).toBe(id)
    await ok('PATCH', `/v1/orders/${id}`, { as: on.key, body: { status: 'confirmed' } })
    expect(codeOf(await release(one, id, { outcome: 'no_answer' }))).toEqual([409, 'conflict'])
    expect(await next(one)).toBeNull()
    expect(codeOf(await release(one, 'ord_none'))).toEqual([404, 'not_found'])
  })

  test('is called again later each time that nobody answers, and given up after so many', async () => {
    const on = await stocked({ opensAt: '00:00', closesAt: '00:00', mostAttempts: 3 })
    const [agent] = (await agentsOf(on, 1)) as [string]
    const id = await place(on)
    const waits: (number | null)[] = []
    for (const outcome of ['no_answer', 'busy', 'no_answer']) {
      await dueNow(id)
      expect((await next(agent)).order.id).toBe(id)
      const { nextTryAt, order } = (await release(agent, id, { outcome })).body.data
      expect(order.status).toBe('unreachable')
      waits.push(nextTryAt && minutesUntil(nextTryAt))
      expect(await next(agent)).toBeNull()
    }
    expect(waits).toEqual([30, 30, null])
    // Another number is tried at once.
    await ok('PATCH', `/v1/orders/${id}`, { as: on.key, body: { customer: { phone: '0660998877' } } })
    const again = await next(agent)
    expect(again).toMatchObject({ order: { id, customer: { phone: '+213660998877' } }, attempts: 0 })
    expect(again.calls.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['no_answer', 'busy', 'no_answer'])
    expect((await release(agent, id, { outcome: 'wrong_number' })).body.data).toMatchObject({
      nextTryAt: null,
      order: { status: 'unreachable' },
    })
  })

  test('is postponed until a time, or cancelled with a reason, by the table of statuses', async () => {
    const on = await stocked()
    const [agent] = (await agentsOf(on, 1)) as [string]
    const id = await place(on)
    await next(agent)
    const until = new Date(Date.now() + 3 * HOUR_MS).toISOString()
    expect(codeOf(await release(agent, id, { outcome: 'postponed' }))).toEqual([400, 'invalid_request'])
    expect(codeOf(await release(agent, id, { outcome: 'postponed', until: '2020-01-01T00:00:00.000Z' }))).toEqual([400, 'invalid_request'])
    expect(codeOf(await release(agent, id, { outcome: 'no_answer', until }))).toEqual([400, 'invalid_request'])
    expect((await release(agent, id, { outcome: 'postponed', until })).body.data).toMatchObject({
      nextTryAt: until,
      order: { status: 'postponed' },
    })
    expect(await next(agent)).toBeNull()
    await dueNow(id)
    expect((await next(agent)).order.id).toBe(id)
    expect(codeOf(await release(agent, id, { outcome: 'cancelled', reason: ' ' }))).toEqual([400, 'invalid_request'])
    expect((await release(agent, id, { outcome: 'cancelled', reason: 'too dear' })).body.data.order.status).toBe('cancelled')
    const { history } = (await ok('GET', `/v1/orders/${id}`, { as: on.key })).data
    expect(history.at(-1)).toMatchObject({ fromStatus: 'postponed', toStatus: 'cancelled', reason: 'too dear', by: { kind: 'key' } })
    await ok('PATCH', `/v1/orders/${id}`, { as: on.key, body: { status: 'pending' } })
    expect((await next(agent)).order.id).toBe(id)
  })

  test('goes to its assignee, then to agents with its language and skills, and after a day to any agent', async () => {
    const on = await stocked()
    const [agent] = (await agentsOf(on, 1)) as [string]
    const [plain, arabic, shoes, mine] = [
      await place(on),
      await place(on, { metadata: { language: 'ar' } }),
      await place(on, { metadata: { skill: 'shoes' } }),
      await place(on),
    ]
    await ok('POST', '/v1/orders/assign', { as: on.key, body: { orderId: mine, userId: on.owner.id } })
    const owner = { storeId: on.storeId }
    expect((await next(on.owner.token, owner)).order.id).toBe(mine)
    await release(on.owner.token, mine, { ...owner, outcome: 'confirmed' })
    const french = { languages: ['fr'], skills: ['bags'] }
    expect((await next(agent, french)).order.id).toBe(plain)
    await release(agent, plain, { outcome: 'confirmed' })
    expect(await next(agent, french)).toBeNull()
    expect((await next(agent, { languages: ['fr', 'ar'] })).order.id).toBe(arabic)
    await release(agent, arabic, { outcome: 'confirmed' })
    await sql`update confirmation_queue set due_at = now() - interval '25 hours' where order_id = ${shoes}`
    expect((await next(agent, french)).order.id).toBe(shoes)
  })

  test('comes before those that are tried again, but not for ever', async () => {
    const on = await stocked()
    const agents = await agentsOf(on, 3)
    const [waiting, tried, fresh] = [await place(on), await place(on), await place(on)]
    await sql`update confirmation_queue set due_at = now() - interval '1 minute' where order_id = ${tried}`
    await sql`update confirmation_queue set due_at = now() - interval '2 hours' where order_id = ${waiting}`
    const got: string[] = []
    for (const agent of agents) got.push((await next(agent)).order.id)
    expect(got).toEqual([waiting, fresh, tried])
  })

  test('is for nobody else: a store is called by its own people', async () => {
    const [on, other] = [await stocked(), await stocked()]
    const id = await place(on)
    expect(await next(other.key)).toBeNull()
    expect(codeOf(await release(other.key, id, { outcome: 'confirmed' }))).toEqual([404, 'not_found'])
    expect((await call('POST', '/v1/orders/confirmation/next', { as: other.owner.token, body: { storeId: on.storeId } })).status).toBe(404)
  })
})

test('a store calls in its hours and on its days, of its own zone', () => {
  const at = (confirmation: object, moment: string) =>
    nextCallingTime({ countryCode: 'DZ', settings: { confirmation } }, new Date(moment)).toISOString()
  // Algiers is an hour ahead of UTC; the 22nd of November 2026 is a Sunday.
  expect(at({}, '2026-11-22T10:07:00.000Z')).toBe('2026-11-22T10:07:00.000Z')
  expect(at({}, '2026-11-22T19:10:00.000Z')).toBe('2026-11-23T08:00:00.000Z')
  expect(at({ days: [4] }, '2026-11-22T10:00:00.000Z')).toBe('2026-11-26T08:00:00.000Z')
  expect(at({ timeZone: 'America/New_York' }, '2026-11-22T10:00:00.000Z')).toBe('2026-11-22T14:00:00.000Z')
  const abroad = { countryCode: 'DZ', settings: { timeZone: 'America/New_York' } }
  expect(nextCallingTime(abroad, new Date('2026-11-22T10:00:00.000Z')).toISOString()).toBe('2026-11-22T14:00:00.000Z')
  expect(at({ opensAt: '20:00', closesAt: '02:00' }, '2026-11-22T23:30:00.000Z')).toBe('2026-11-22T23:30:00.000Z')
})

test('an agent speaks a language however it is written, and sees how reliable the recipient was', async () => {
  const on = await stocked()
  const [agent] = (await agentsOf(on, 1)) as [string]
  for (const [spoken, asked] of [
    ['FR', 'fr'],
    ['ar', 'ar-DZ'],
    ['ar_MA', 'AR'],
  ] as const) {
    const id = await place(on, { metadata: { language: asked, skill: 'Returns ' } })
    expect(await next(agent, { languages: ['kab'], skills: ['returns'] })).toBeNull()
    expect(await next(agent, { languages: [spoken], skills: ['other'] })).toBeNull()
    const call = await next(agent, { languages: [spoken], skills: ['returns'] })
    expect([call?.order.id, call?.recipient]).toEqual([
      id,
      { delivered: 0, returned: 0, refused: 0, risk: { level: 'unknown', ended: 0, refused: 0, refusedShare: null } },
    ])
    await release(agent, id, { outcome: 'confirmed' })
  }
  const id = await place(on)
  const phone = `+213550${String(phones).padStart(6, '0')}`
  await sql`insert into recipient_outcomes (project_id, parcel_id, phone, outcome)
    values (${on.projectId}, 'par_risk_a', ${phone}, 'refused'), (${on.projectId}, 'par_risk_b', ${phone}, 'refused'), ('prj_other', 'par_risk_c', ${phone}, 'delivered')`
  const call = await next(agent)
  expect([call.order.id, call.recipient]).toEqual([
    id,
    { delivered: 1, returned: 0, refused: 2, risk: { level: 'high', ended: 3, refused: 2, refusedShare: 0.667 } },
  ])
})

test('an order assigned to a member is offered to others as soon as that member loses the right', async () => {
  const on = await stocked()
  const { owner, storeId, key } = on
  const [leaver, demoted, other] = await Promise.all(['leaver', 'demoted', 'other'].map((name) => person(name)))
  const asAgent = (id: string, body: object = { role: 'agent' }) =>
    call('PUT', `/v1/stores/${storeId}/members/${id}`, { as: owner.token, body })
  for (const { email } of [leaver!, demoted!, other!])
    await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email, role: 'agent' } })
  const nextOf = (token: string) => next(token, { storeId })
  for (const [member, end] of [
    [leaver!, () => call('DELETE', `/v1/stores/${storeId}/members/${leaver!.id}`, { as: owner.token })],
    [demoted!, () => asAgent(demoted!.id, { role: 'viewer' })],
  ] as const) {
    const leased = await place(on)
    expect((await nextOf(member.token)).order.id).toBe(leased)
    const assigned = await place(on)
    await ok('POST', '/v1/orders/assign', { as: key, body: { orderId: assigned, userId: member.id } })
    expect(await nextOf(other!.token)).toBeNull()
    expect((await asAgent(member.id, { role: 'agent', permissions: ['orders:write'] })).status).toBe(200)
    expect(await nextOf(other!.token)).toBeNull()
    expect((await end()).status).toBeLessThan(300)
    const offered: string[] = []
    for (let at = 0; at < 2; at += 1) {
      const { order } = await nextOf(other!.token)
      offered.push(order.id)
      await release(other!.token, order.id, { storeId, outcome: 'confirmed' })
    }
    expect(offered.sort()).toEqual([leased, assigned].sort())
    expect((await ok('GET', `/v1/orders/${assigned}`, { as: key })).data.assignedTo).toBeNull()
  }
})

test('an agent whose order is being saved waits for it, and has no second one', async () => {
  const on = await stocked()
  const [agent] = (await agentsOf(on, 1)) as [string]
  await Promise.all([place(on), place(on)])
  const { order } = await next(agent)
  const { asked } = await transaction(sql, async (tx) => {
    await tx`select 1 from confirmation_queue where order_id = ${order.id} for update`
    const asked = next(agent)
    await Promise.race([asked, untilWaiting(sql, 1)])
    return { asked }
  })
  expect((await asked).order.id).toBe(order.id)
})

test('a member who is removed from a store while asking for an order gets none', async () => {
  const on = await stocked()
  await place(on)
  const member = await person('leaver')
  await ok('POST', `/v1/stores/${on.storeId}/members`, { as: on.owner.token, body: { email: member.email, role: 'agent' } })
  const { asked } = await transaction(sql, async (tx) => {
    await tx`delete from store_members where store_id = ${on.storeId} and user_id = ${member.id}`
    const asked = call('POST', '/v1/orders/confirmation/next', { as: member.token, body: { storeId: on.storeId } })
    await Promise.race([asked, untilWaiting(sql, 1)])
    return { asked }
  })
  expect(codeOf(await asked)).toEqual([403, 'forbidden'])
  expect((await sql`select 1 from confirmation_queue where leased_by = ${member.id}`).length).toBe(0)
})

test('a member who is removed from a store while orders are assigned to them keeps none', async () => {
  const on = await stocked()
  const { owner, storeId, key } = on
  const orders = await Promise.all(Array.from({ length: 4 }, () => place(on)))
  const members = `/v1/stores/${storeId}/members`
  const member = await person('comes and goes')
  const outcomes = new Set<string>()
  for (let round = 0; round < 12; round += 1) {
    await ok('POST', members, { as: owner.token, body: { email: member.email, role: 'agent' } })
    const give = (orderId: string) => call('POST', '/v1/orders/assign', { as: key, body: { orderId, userId: member.id } })
    const [left, ...given] = await Promise.all([
      Bun.sleep(round % 4).then(() => call('DELETE', `${members}/${member.id}`, { as: owner.token })),
      ...orders.map(give),
    ])
    expect(left?.status).toBe(204)
    for (const { status, body } of given) outcomes.add(`${status} ${body.error?.code ?? ''}`)
    const kept = await sql`select id from orders where assigned_to = ${member.id}`
    expect(kept.length).toBe(0)
  }
  expect([...outcomes].every((outcome) => ['200 ', '422 unknown_person'].includes(outcome))).toBe(true)
})

test('the orders of somebody whose account is deleted are nobody’s, and the next one who asks is given them', async () => {
  const on = await stocked()
  const { owner, storeId, key } = on
  const member = await person('leaves for good')
  await ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body: { email: member.email, role: 'agent' } })
  const [called, waiting] = [await place(on), await place(on)]
  for (const orderId of [called, waiting]) await ok('POST', '/v1/orders/assign', { as: key, body: { orderId, userId: member.id } })
  expect((await ok('POST', '/v1/orders/confirmation/next', { as: member.token, body: { storeId } })).data.order.id).toBe(called)
  await ok('DELETE', `/v1/users/${member.id}`, { as: administrator.token })
  const assigned = await sql`select 1 from orders where assigned_to = ${member.id}`
  expect(assigned.length).toBe(0)
  const [agent] = await agentsOf(on, 1)
  const first = await next(agent!)
  expect([called, waiting]).toContain(first.order.id)
})
