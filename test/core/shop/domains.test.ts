import { afterAll, expect, test } from 'bun:test'
import { readConfig } from '../../../core/config.ts'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { domainStateRules, domainStates, nextCheckAt, nextState } from '../../../core/shop/domains/domain-states.ts'
import { type Answer, startApp } from '../../support/app.ts'
import { startDns } from '../../support/dns.ts'
import { until } from '../../support/until.ts'

const dns = await startDns()
afterAll(() => dns.stop())
const { zone } = dns
const TARGET = 'shops.serai.example'
zone[TARGET] = { A: ['198.51.100.10'], AAAA: ['2001:db8:0:0:0:0:0:10'] }
const { call, ok, shop, person, context } = await startApp({ dnsServers: [dns.address], domainTarget: TARGET })
const { sql } = context
await person('The administrator')
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const ask = (domain: string, headers: Record<string, string> = {}) => call('GET', `/v1/domains/ask?domain=${domain}`, { headers })

let names = 0
/** A shop that has named a domain. */
async function named(host = `shop${++names}.example.dz`) {
  const { storeId, key, owner } = await shop()
  const path = `/v1/stores/${storeId}/domain`
  const { data: domain } = await ok('POST', path, { as: key, body: { host } })
  const proof: string = domain.records[0].value
  // The first look is a job's: what it asked for as the zone was before must not answer who looks after it.
  await until(async () => (await ok('GET', `${path}/status`, { as: key })).data.checkedAt !== null)
  const verify = async () => (await ok('POST', `${path}/verify`, { as: key })).data
  return {
    host,
    path,
    key,
    owner,
    storeId,
    domain,
    proof,
    verify,
    prove() {
      zone[`_serai.${host}`] = { TXT: ['v=spf1 -all', proof] }
    },
  }
}

test('the states of a domain, and how long each waits', () => {
  const [now, day] = [Date.parse('2026-03-01T00:00:00Z'), DAY_MS]
  for (const state of domainStates)
    for (const finding of ['nothing', 'proven', 'leadsHere'] as const) {
      const to = nextState(state, finding, now - day, now)
      expect(to).toBe(domainStateRules[state].next[finding])
      if (!domainStateRules[state].isProven && finding === 'nothing') expect(domainStateRules[to].isProven).toBe(false)
    }
  expect(nextState('pending', 'nothing', now - 8 * day, now)).toBe('failed')
  expect(nextState('failing', 'proven', now - 8 * day, now)).toBe('failed')
  expect(nextState('failing', 'leadsHere', now - 8 * day, now)).toBe('live')
  expect(nextState('live', 'leadsHere', now - 800 * day, now)).toBe('live')
  const waits = [0, 1, 2, 5, 6, 500].map((looks) => (nextCheckAt('pending', looks, now)!.getTime() - now) / 60_000)
  expect(waits).toEqual([1, 2, 4, 32, 60, 60])
  expect(nextCheckAt('failed', 0)).toBeNull()
})

test('from its name to live, by what stands in the DNS, and off it again', async () => {
  const { host, path, key, domain, proof, verify, prove } = await named()
  expect(domain).toMatchObject({ host, state: 'pending', checkedAt: null, problem: null })
  expect(domain.records).toEqual([
    { type: 'TXT', name: `_serai.${host}`, value: proof },
    { type: 'CNAME', name: host, value: TARGET },
  ])
  expect((await ok('GET', `${path}/status`, { as: key })).data).toMatchObject({ state: 'pending', problem: expect.stringContaining('TXT') })
  expect(outcome(await ask(host))).toBe('404 not_found')
  // Leading here is no proof.
  zone[host] = { CNAME: [TARGET] }
  expect((await verify()).state).toBe('pending')
  delete zone[host]
  zone[`_serai.${host}`] = { TXT: ['serai-domain=dp_of_somebody_else'] }
  expect((await verify()).state).toBe('pending')
  prove()
  expect(await verify()).toMatchObject({ state: 'verified', problem: expect.stringContaining('does not point here') })
  expect((await ok('GET', `${path}/verification-check`, { as: key })).data).toMatchObject({ host, state: 'verified', isVerified: true })
  zone[host] = { CNAME: [TARGET] }
  expect(await verify()).toMatchObject({ state: 'live', problem: null })
  // The proof may go now; what it leads to may not.
  delete zone[`_serai.${host}`]
  expect((await verify()).state).toBe('live')
  zone[host] = { A: ['203.0.113.1'] }
  expect((await verify()).state).toBe('failing')
  await sql`update store_domains set state_since = now() - interval '8 days' where host = ${host}`
  expect((await verify()).state).toBe('failed')
  const [entry] = await sql`select before, after from audit_entries where what = 'domain.state_changed' order by id desc limit 1`
  expect(entry).toEqual({ before: { state: 'failing' }, after: { state: 'failed' } })
})

test('where no CNAME can stand, the same addresses do, and no others beside them', async () => {
  const { host, path, key, prove, verify } = await named('apex-shop.dz')
  prove()
  zone[host] = { A: ['198.51.100.10', '203.0.113.1'] }
  expect((await verify()).state).toBe('verified')
  const seen = (await ok('POST', `${path}/check-dns`, { as: key })).data
  expect(seen).toMatchObject({ proof: { isGood: true }, target: { isGood: false, isKnown: true, found: ['198.51.100.10', '203.0.113.1'] } })
  zone[host] = { A: ['198.51.100.10'] }
  expect((await ok('POST', `${path}/check-dns`, { as: key })).data.target.isGood).toBe(true)
  expect((await ok('GET', `${path}/status`, { as: key })).data.state).toBe('verified')
  expect((await verify()).state).toBe('live')
})

test('a DNS that does not answer changes nothing', async () => {
  const { host, prove, verify } = await named()
  prove()
  zone[host] = { CNAME: [TARGET] }
  expect((await verify()).state).toBe('live')
  dns.away = true
  try {
    expect(await verify()).toMatchObject({ state: 'live', problem: 'The DNS did not answer.' })
  } finally {
    dns.away = false
  }
}, 120_000)

test("domains: a domain belongs to one store; another store gets it once the former one's DNS record is gone and its own is there", async () => {
  const host = 'wanted.example.dz'
  const [first, second] = [await named(host), await named(host)]
  zone[`_serai.${host}`] = { TXT: [first.proof, second.proof] }
  const both = await Promise.all([
    call('POST', `${first.path}/verify`, { as: first.key }),
    call('POST', `${second.path}/verify`, { as: second.key }),
  ])
  const held = await sql<{ storeId: string }[]>`select store_id from store_domains where host = ${host} and state = 'verified'`
  expect([held.length, both.filter(({ body }) => body.data?.state === 'verified').length]).toEqual([1, 1])
  const [holder, other] = held[0]!.storeId === first.storeId ? [first, second] : [second, first]
  expect(await other.verify()).toMatchObject({ state: 'pending', problem: expect.stringContaining('Another store') })
  zone[`_serai.${host}`] = { TXT: [other.proof] }
  expect((await other.verify()).state).toBe('verified')
  expect((await ok('GET', `${holder.path}/status`, { as: holder.key })).data.state).toBe('failed')
})

test('asking is for the server’s own machine, or who has the token, and quick', async () => {
  const { host, path, key, prove, verify } = await named()
  prove()
  await verify()
  expect((await ask(host.toUpperCase())).status).toBe(200)
  expect((await ask('nobody.example.dz')).status).toBe(404)
  for (const headers of [{ 'x-forwarded-for': '127.0.0.1' }, { forwarded: 'for=127.0.0.1' }] as Record<string, string>[])
    expect(outcome(await ask(host, headers))).toBe('403 forbidden')
  // Remembered for some seconds: strangers cannot make the database work.
  await Promise.all(Array.from({ length: 50 }, () => ask('flood.example.dz')))
  const { openProvenHosts: openDoorkeeper } = await import('../../../core/shop/domains/proven-hosts.ts')
  const guarded = openDoorkeeper({ sql, config: { ...context.config, domainAskToken: 'a-token-of-sixteen' } })
  const asking = { address: '203.0.113.1', headers: new Headers() }
  await guarded.assertCertificateAllowed(host, { ...asking, token: 'a-token-of-sixteen' })
  for (const token of [undefined, 'another-of-sixteen'])
    expect(guarded.assertCertificateAllowed(host, { address: '127.0.0.1', headers: new Headers(), token })).rejects.toMatchObject({
      code: 'forbidden',
    })
  await ok('DELETE', path, { as: key })
  expect(outcome(await call('GET', `${path}/status`, { as: key }))).toBe('404 not_found')
})

test('takes names of the internet that are not its own, one for a store', async () => {
  const { storeId, key, owner } = await shop()
  const path = `/v1/stores/${storeId}/domain`
  const post = (host: string) => call('POST', path, { as: key, body: { host } })
  for (const host of [
    'localhost',
    'a.b.local',
    '127.0.0.1',
    'shop',
    'x y.dz',
    '-a.dz',
    'a..dz',
    `${'a'.repeat(64)}.dz`,
    TARGET,
    `x.${TARGET}`,
    'serai.example',
    'shop.dz:80',
    'shop.dz/x',
    '*.shop.dz',
    '[::1]',
  ])
    expect([host, outcome(await post(host))]).toEqual([host, '400 invalid_request'])
  expect((await post('متجر.example.dz')).body.data.host).toStartWith('xn--')
  expect(outcome(await post('second.example.dz'))).toBe('409 conflict')
  for (let at = 0; at < 10; at += 1) await ok('POST', `${path}/check-dns`, { as: key })
  expect(outcome(await call('POST', `${path}/check-dns`, { as: key }))).toBe('429 rate_limited')
  await ok('DELETE', `/v1/stores/${storeId}`, { as: owner.token })
  expect(await sql`select 1 from store_domains where store_id = ${storeId}`).toHaveLength(0)
  // Nothing but names was ever asked for, and only of our own name server.
  expect(dns.asked.length).toBeGreaterThan(20)
})

test('settings are what they must be', () => {
  expect(readConfig({ DNS_SERVERS: '9.9.9.9,127.0.0.1:5353,[2620:fe::fe]:53' }).dnsServers).toHaveLength(3)
  for (const [name, value] of [
    ['DNS_SERVERS', 'dns.example'],
    ['DOMAIN_TARGET', 'https://x.dz'],
    ['DOMAIN_ASK_TOKEN', 'short'],
  ] as const)
    expect(() => readConfig({ [name]: value })).toThrow(`${name} must be`)
})
