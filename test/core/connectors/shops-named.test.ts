import { expect, test } from 'bun:test'
import metaLeads from '../../../adapters/connector/meta-leads/index.ts'
import youcan from '../../../adapters/connector/youcan/index.ts'
import { asPhpWrites } from '../../../adapters/connector/youcan/webhook.ts'
import { readShopNames } from '../../../core/connectors/shops/install/read-shop-names.ts'
import { hmacSha256 } from '../../../core/lib/crypto/crypto.ts'
import { isProven } from '../../../plugins/acceptance/webhooks.ts'
import { openDesk } from '../../../plugins/connector/acceptance.ts'

const named = (body: string) =>
  readShopNames(metaLeads, { method: 'POST', url: '/', headers: {}, body: new TextEncoder().encode(body) })?.names

test('shops are named once each, through lists, and so many at most', () => {
  expect(named(JSON.stringify({ entry: [{ id: '1' }, { id: 2 }, { id: '1' }, { id: {} }, null] }))).toEqual(['1', '2'])
  expect(named(JSON.stringify({ entry: Array.from({ length: 500 }, (_, id) => ({ id: String(id) })) }))).toHaveLength(50)
})

test('callbacks of shops: forged callbacks identify no shop, and cost little', () => {
  for (const body of [
    '',
    'null',
    '5',
    '[]',
    '{"entry":5}',
    '{"entry":{"id":[]}}',
    `{"entry":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  ])
    expect(named(body)).toEqual([])
})

/** What is done at once, as quickly as it ever is: a machine may have other things to do. */
function quickest(work: () => unknown): number {
  const times = Array.from({ length: 10 }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return Math.min(...times)
}

test('callbacks of shops: a flood of forged callbacks holds up nobody', async () => {
  const filled = (one: string, bytes: number) => `{"entry":[${Array.from({ length: bytes / (one.length + 1) }, () => one).join()}]}`
  for (const one of ['{}', '[]', '{"id":[1,1,1,1]}']) {
    expect(() => named(filled(one, 1_000_000))).toThrow('at most 524288 bytes')
    const body = filled(one, 524_000)
    const parsed = quickest(() => JSON.parse(body))
    expect(quickest(() => named(body)) - parsed).toBeLessThan(30)
  }
  const written = JSON.stringify({ id: 'é'.repeat(64_000) })
  expect(quickest(() => asPhpWrites(JSON.parse(written)))).toBeLessThan(50)
  const long = new TextEncoder().encode(JSON.stringify({ id: '/'.repeat(200_000) }))
  const { context } = openDesk(youcan, {}, { credentials: { clientSecret: 'app-secret' }, settings: {} })
  const headers = { 'x-youcan-signature': hmacSha256('app-secret', asPhpWrites(JSON.parse(new TextDecoder().decode(long)))) }
  expect(await isProven(youcan, { method: 'POST', url: '/', headers, body: long }, context)).toBe(false)
})
