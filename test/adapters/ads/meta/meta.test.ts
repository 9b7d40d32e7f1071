import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import meta from '../../../../adapters/ads/meta/index.ts'
import { event } from '../../../../plugins/ads/acceptance.ts'
import { hashed, type Insight } from '../../../../plugins/ads/index.ts'
import { rig as rigOf } from './rig.ts'
import { accountId, startMeta } from './simulator.ts'

const simulator = startMeta()
const rig = rigOf(meta, simulator)
const { context } = rig.open()
afterAll(() => simulator.stop())
afterEach(() => simulator.calm())

const days = simulator.book.days.map(({ day }) => day).sort()
const period = { accountId, from: days[0]!, to: days.at(-1)! }
/** All pages, as they are read one after another. */
async function all(): Promise<Insight[]> {
  const found: Insight[] = []
  for (let cursor: string | undefined, pages = 0; pages < 50; pages += 1) {
    const page = await meta.insights(context, { ...period, ...(cursor !== undefined && { cursor }) })
    found.push(...page.rows)
    cursor = page.cursor
    if (cursor === undefined) return found
  }
  throw new Error('It never ends.')
}
const calls = (since: number) =>
  simulator.requests.slice(since).map(({ method, path }) => `${method} ${path.replace('/v26.0/', '').replace(/^7\d+/, 'report')}`)

describe('a report with more rows than fit in one answer', () => {
  test('is asked for as a report, once, and is the same', async () => {
    const plain = await all()
    expect(plain.length).toBe(simulator.book.days.length)
    simulator.habits.tooMuch = true
    const before = simulator.requests.length
    expect(await all()).toEqual(plain)
    const asked = calls(before)
    expect(asked.slice(0, 3)).toEqual([`GET ${accountId}/insights`, `POST ${accountId}/insights`, 'GET report'])
    expect(new Set(asked.slice(3))).toEqual(new Set(['GET report/insights']))
    expect(simulator.requests.slice(before).every(({ query }) => query.get('appsecret_proof'))).toBe(true)
  })

  test('is waited for while it is written', async () => {
    Object.assign(simulator.habits, { tooMuch: true, states: ['Job Not Started', 'Job Running', 'Job Completed'] })
    const before = simulator.requests.length
    expect((await all()).length).toBe(simulator.book.days.length)
    expect(calls(before).filter((call) => call === 'GET report').length).toBe(3)
  }, 30_000)

  test('is polled with growing pauses: each poll costs one of the calls of an hour', async () => {
    Object.assign(simulator.habits, { tooMuch: true, states: ['Job Running'] })
    const { cursor = '' } = await meta.insights(context, period)
    const over = new AbortController()
    const before = simulator.requests.length
    const waiting = meta.insights({ ...context, signal: over.signal }, { ...period, cursor: cursor.replace(/0$/, '9') })
    setTimeout(() => over.abort(), 4_000)
    await expect((async () => waiting)()).rejects.toMatchObject({ reason: 'unavailable' })
    expect(calls(before)).toEqual(['GET report'])
  })

  test.each(['Job Failed', 'Job Skipped'])('that ends as "%s" is an error, not the end of the rows', async (state) => {
    Object.assign(simulator.habits, { tooMuch: true, states: [state] })
    await expect(all()).rejects.toMatchObject({ reason: 'unavailable', message: expect.stringContaining(state) })
  })

  test('that outlives the call is read on by the next call', async () => {
    Object.assign(simulator.habits, { tooMuch: true, states: ['Job Running'] })
    const { cursor } = await meta.insights(context, period)
    expect(cursor).toStartWith('wait:')
    const over = new AbortController()
    const waiting = meta.insights({ ...context, signal: over.signal }, { ...period, ...(cursor !== undefined && { cursor }) })
    setTimeout(() => over.abort(), 200)
    await expect((async () => waiting)()).rejects.toMatchObject({ reason: 'unavailable' })
    simulator.habits.states = ['Job Completed']
    expect((await meta.insights(context, { ...period, ...(cursor !== undefined && { cursor }) })).rows.length).toBeGreaterThan(0)
  })
})

test('meta: when a permission is missing, events are kept and none is marked as failed', async () => {
  simulator.book.refusing = { fault: 'forbidden', calls: '/events$' }
  const events = [event(meta), event(meta)]
  await expect(meta.sendEvents(context, { pixelId: simulator.book.pixelId, events })).rejects.toMatchObject({
    reason: 'unauthorized',
    message: expect.stringContaining('sufficient permissions'),
  })
})

test('meta: when the pixel is gone or hidden, events are kept and none is marked as failed', async () => {
  const before = simulator.requests.length
  const events = [event(meta), event(meta)]
  await expect(meta.sendEvents(context, { pixelId: 'gone', events })).rejects.toMatchObject({ reason: 'unauthorized' })
  expect(simulator.requests.length).toBe(before + 1)
})

test.each([
  ['US', '94103-1234', '94103'],
  ['us', '941031234', '94103'],
  ['GB', 'SW1A 1AA', 'sw1a1aa'],
] as const)('a postal code of %s is told as it is matched there', async (country, zip, expected) => {
  await meta.sendEvents(context, {
    pixelId: simulator.book.pixelId,
    events: [event(meta, { person: { email: 'a@b.example', country, zip } })],
  })
  const told = JSON.parse(simulator.requests.at(-1)?.body ?? '{}')
  expect(told.data[0].user_data.zp).toEqual([await hashed(expected)])
})
