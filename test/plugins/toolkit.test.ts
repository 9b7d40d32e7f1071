import { expect, test } from 'bun:test'
import { createStorage } from '../../plugins/carrier/acceptance.ts'
import type { InboundRequest } from '../../plugins/carrier/index.ts'
import * as kit from '../../plugins/carrier/index.ts'
import { createShopReceiver } from '../../plugins/connector/index.ts'

const minuteMs = 60_000

/** A connection whose clock is set by hand, and how often its carrier was asked. */
function noted() {
  let now = 1_700_000_000_000
  let asked = 0
  const context = { connectionId: 'int_a', storage: createStorage(), now: () => now }
  const ask =
    <V>(answer: V) =>
    async () => {
      asked += 1
      return answer
    }
  return { context, ask, later: (ms: number) => (now += ms), asked: () => asked }
}

test('what is remembered is asked for once a day, and an empty list after a minute', async () => {
  const { context, ask, later, asked } = noted()
  for (let times = 0; times < 3; times += 1) expect(await kit.remembered(context, 'none', ask([]))).toEqual([])
  expect(asked()).toBe(1)
  later(2 * minuteMs)
  expect(await kit.remembered(context, 'none', ask([1]))).toEqual([1])
  later(2 * minuteMs)
  expect(await kit.remembered(context, 'none', ask([2]))).toEqual([1])
  expect(asked()).toBe(2)
})

test('a group that has nothing is known like the others, and a list without any is asked for again soon', async () => {
  const { context, ask, later, asked } = noted()
  const of = (group: string, rows: string[]) => kit.rememberedGroup(context, 'desks', group, (row: string) => row[0]!, ask(rows))
  expect(await of('b', ['a1', 'a2'])).toEqual([])
  later(2 * minuteMs)
  expect([await of('b', []), await of('a', [])]).toEqual([[], ['a1', 'a2']])
  expect(asked()).toBe(1)
  const empty = noted()
  const desks = () => kit.rememberedGroup(empty.context, 'desks', 'a', String, empty.ask([]))
  for (let times = 0; times < 3; times += 1) await desks()
  expect(empty.asked()).toBe(1)
  empty.later(2 * minuteMs)
  await desks()
  expect(empty.asked()).toBe(2)
})

test('what an older version of the code wrote is not read as what the new one means', async () => {
  const { context, ask } = noted()
  expect(await kit.remembered(context, 'states', ask('of old'))).toBe('of old')
  expect(await kit.remembered(context, 'states', ask('anew'), { version: 2 })).toBe('anew')
  expect(await kit.remembered(context, 'states', ask('again'), { version: 2 })).toBe('anew')
})

test('a request is signed over the exact bytes, method and address that leave', async () => {
  const sent: { url: string; headers: Record<string, string>; body: Uint8Array }[] = []
  const context = {
    now: Date.now,
    fetch: async (url: string, init: object = {}) => {
      sent.push({ url, ...init } as (typeof sent)[number])
      return new Response('{}')
    },
  }
  const sign = async ({ method, url, bytes }: kit.SignedRequest) => ({
    'x-signature': kit.toHex(
      await kit.hmacSha256('secret', new Uint8Array([...new TextEncoder().encode(`${method} ${url.pathname}${url.search}\n`), ...bytes])),
    ),
  })
  await kit.ask(context, 'Atlas', 'https://api.atlas.example/parcels', {
    method: 'POST',
    query: { a: 'é b' },
    json: { name: 'Aïcha "x"' },
    sign,
  })
  const { url, headers, body } = sent[0]!
  const { pathname, search } = new URL(url)
  const expected = new Bun.CryptoHasher('sha256', 'secret').update(`POST ${pathname}${search}\n`).update(body).digest('hex')
  expect(headers['x-signature']).toBe(expected)
  expect(JSON.parse(new TextDecoder().decode(body))).toEqual({ name: 'Aïcha "x"' })
  expect(await kit.isHmacSha256('secret', body, await kit.hmacSha256('secret', body))).toBe(true)
})

const inbound = { method: 'POST', url: '/webhook', headers: {}, body: new Uint8Array() }

test('toolkit: a receiver parses nothing before the sender is proven, and asks for no proof of a challenge', async () => {
  const steps: string[] = []
  const receive = kit.createReceiver({
    challenge: (request: InboundRequest) => (request.method === 'GET' ? { status: 200, contentType: 'text/plain', body: 'mine' } : null),
    verify: ({ headers }: InboundRequest) => steps.push('verify') > 0 && headers.proof === 'right',
    parse: () => (steps.push('parse') > 0 ? [1, 2] : []),
  })
  const answer = { status: 200, contentType: 'text/plain', body: 'mine' }
  expect(await receive({ ...inbound, method: 'GET' }, {})).toEqual({ outcome: 'challenge', answer })
  expect([await receive(inbound, {}), steps]).toEqual([{ outcome: 'invalid' }, ['verify']])
  expect(await receive({ ...inbound, headers: { proof: 'right' } }, {})).toEqual({ outcome: 'events', signed: true, events: [1, 2] })
})

test('toolkit: a receiver of shops takes tokens from proven callbacks alone, and only parses a stored callback', async () => {
  const { context } = noted()
  const steps: string[] = []
  const receive = createShopReceiver({
    signed: false,
    verify: ({ headers }) => steps.push('verify') > 0 && headers.proof === 'right',
    tokens: ({ url }) => (steps.push('tokens') > 0 && url.endsWith('tokens') ? {} : null),
    parse: ({ url }) => {
      steps.push('parse')
      if (url.endsWith('broken')) throw new Error('not today')
      return [{ gone: '7' }]
    },
  })
  const told = async (request: object) => {
    steps.length = 0
    return [await receive({ ...inbound, ...request }, { ...context, log() {} }), [...steps]] as const
  }
  const headers = { proof: 'right' }
  const events = { outcome: 'events', signed: false, events: [{ gone: '7' }] }
  expect(await told({ url: '/tokens' })).toEqual([{ outcome: 'invalid' }, ['verify']] as never)
  expect(await told({ url: '/tokens', headers })).toEqual([{ outcome: 'tokens' }, ['verify', 'tokens']] as never)
  expect(await told({ headers })).toEqual([events, ['verify', 'tokens', 'parse']] as never)
  expect(await told({ url: '/broken', headers })).toEqual([{ outcome: 'unread', signed: false }, ['verify', 'tokens', 'parse']] as never)
  expect(await told({ isStored: true })).toEqual([events, ['parse']] as never)
  await expect(told({ url: '/broken', isStored: true })).rejects.toThrow('not today')
})
