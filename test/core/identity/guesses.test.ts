import { describe, expect, test } from 'bun:test'
import { backoffInMemory } from '../../../core/data/backoff.ts'
import { beginAttempt } from '../../../core/identity/auth/passwords/password-throttle.ts'
import { networkBlockOf } from '../../../core/identity/auth/sign-in/known-networks.ts'
import { HOUR_MS } from '../../../core/lib/durations.ts'
import type { DomainError } from '../../../core/lib/errors/domain-error.ts'
import { networkOf } from '../../../core/lib/net/addresses.ts'
import { startApp } from '../../support/app.ts'

const { call, person } = await startApp({ trustedProxies: 1 })
const PASSWORD = 'correct horse'
let addresses = 0
/** One that nobody came from yet. */
const somewhere = () => `203.0.113.${++addresses}`

const signIn = (email: string, password: string, address: string) =>
  call('POST', '/v1/users/auth/signin', { body: { email, password }, headers: { 'x-forwarded-for': address } })
const statuses = (answers: readonly { status: number }[]) => answers.map(({ status }) => status)

async function guess(email: string, address: string, times: number) {
  const answers = []
  for (let at = 0; at < times; at += 1) answers.push(await signIn(email, `guess ${at}`, address))
  return answers
}

describe('passwords are guessed slowly', () => {
  test('from one address, at an account that is or is not: a few are free, then each waits twice as long', async () => {
    const { email } = await person()
    for (const target of [email, 'nobody-at-all@example.dz']) {
      const attacker = somewhere()
      const answers = await guess(target, attacker, 14)
      expect(statuses(answers)).toEqual([...Array(10).fill(401), 429, 429, 429, 429])
      const refused = answers.at(-1)!
      expect(refused.body.error.code).toBe('rate_limited')
      expect(refused.headers.get('retry-after')).toBe('1')
      await Bun.sleep(1_050)
      expect(statuses(await guess(target, attacker, 2))).toEqual([401, 429])
      await Bun.sleep(2_050)
      expect(statuses(await guess(target, attacker, 2))).toEqual([401, 429])
      // Four seconds, less what looking at the guess itself took.
      const wait = Number((await signIn(target, 'x', attacker)).headers.get('retry-after'))
      expect(wait).toBeGreaterThan(2)
      expect(wait).toBeLessThanOrEqual(4)
    }
  })

  test('sixty at once are no more than one after the other', async () => {
    const { email } = await person()
    const attacker = somewhere()
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => signIn(email, `guess ${at}`, attacker)))
    expect(answers.filter(({ status }) => status === 401).length).toBe(10)
  })

  test('with the token of the account as well', async () => {
    const { token, email } = await person()
    const [attacker, change] = [somewhere(), { email: 'mine@example.dz' }]
    const answers = []
    for (let at = 0; at < 40; at += 1) {
      const body = { ...change, currentPassword: `guess ${at}` }
      answers.push(await call('PUT', '/v1/users/auth', { as: token, body, headers: { 'x-forwarded-for': attacker } }))
    }
    expect(answers.filter(({ status }) => status === 401).length).toBe(10)
    expect(answers.at(-1)!.status).toBe(429)
    expect((await signIn(email, PASSWORD, somewhere())).status).toBe(200)
  })

  test('over many accounts from one address, and over one from many; who has a session there comes in all the same', async () => {
    const home = somewhere()
    const { email } = await person()
    expect((await signIn(email, PASSWORD, home)).status).toBe(200)

    const sprayer = somewhere()
    const sprayed = await Promise.all(Array.from({ length: 40 }, (_, at) => signIn(`person-${at}@example.dz`, 'summer 2026', sprayer)))
    expect(sprayed.filter(({ status }) => status === 401).length).toBe(20)

    const many = await Promise.all(Array.from({ length: 40 }, (_, at) => signIn(email, `guess ${at}`, `198.51.100.${at}`)))
    expect(many.filter(({ status }) => status === 401).length).toBe(20)
    expect((await signIn(email, PASSWORD, home)).status).toBe(200)
  })

  test('who mistypes and then remembers begins anew, and right passwords never wait', async () => {
    const { email } = await person()
    const home = somewhere()
    for (let day = 0; day < 2; day += 1) {
      await guess(email, home, 9)
      expect((await signIn(email, PASSWORD, home)).status).toBe(200)
    }
    const many = []
    for (let at = 0; at < 12; at += 1) many.push(await signIn(email, PASSWORD, home))
    expect(many.every(({ status }) => status === 200)).toBe(true)
  })
})

describe('while strangers guess at an account from many addresses', () => {
  /** Tries of a machine that waits for nobody, on a clock of their own. */
  function clocked() {
    let now = 0
    const hits = new Map<string, number>()
    const hit = async (key: string) => {
      const count = (hits.get(key) ?? 0) + 1
      hits.set(key, count)
      return { count, resetMs: HOUR_MS }
    }
    const shared = { backoff: backoffInMemory(() => now), countHit: hit }
    /** 0 where the try is made, else the seconds that it shall wait. */
    const attempt = async (address: string, nearness: 'home' | 'near' | 'away' = 'away') => {
      try {
        await beginAttempt({ shared }, { email: 'target@example.dz', address, nearness })
        return 0
      } catch (error) {
        return (error as DomainError).retryAfterSeconds ?? 0
      }
    }
    return { attempt, pass: (seconds: number) => (now += seconds * 1000) }
  }

  test('a user at a new address who waits as long as they are told gets a try, whatever the strangers do meanwhile', async () => {
    const { attempt, pass } = clocked()
    let at = 0
    const attack = async (seconds: number) => {
      for (let second = 0; second < seconds; second += 1, pass(1))
        for (let many = 0; many < 5; many += 1, at += 1) await attempt(`9.${at % 250}.${(at >> 8) % 250}.1`)
    }
    await attack(60)
    expect(await attempt('105.9.9.9')).toBe(30)
    await attack(10)
    // A try before that time is refused, and costs nothing.
    expect(await attempt('105.9.9.9')).toBe(20)
    await attack(20)
    expect(await attempt('105.9.9.9')).toBe(0)
    await attack(30)
    const next = await attempt('105.9.9.9')
    expect(next).toBeGreaterThan(14 * 60)
    await attack(next)
    expect(await attempt('105.9.9.9')).toBe(0)
    expect(await attempt('41.200.1.77', 'near')).toBe(0)
  })

  test.each([
    [1, 200],
    [100, 500],
  ])('they have few guesses an hour from %d networks: at most %d', async (networks, most) => {
    const { attempt, pass } = clocked()
    const due = Array.from({ length: networks }, () => 0)
    let made = 0
    for (let second = 0; second < 3600; second += 1, pass(1))
      for (let at = 0; at < networks; at += 1) {
        if (due[at]! > second) continue
        const wait = await attempt(`${at >> 8}.${at & 255}.7.${(second % 250) + 1}`)
        if (wait === 0) made += 1
        due[at] = second + Math.max(1, Math.min(wait, 15))
      }
    expect(made).toBeLessThanOrEqual(most)
  })

  test('who comes from the neighbourhood of a session does not wait for them', async () => {
    const { email } = await person()
    expect((await signIn(email, PASSWORD, '41.200.1.5')).status).toBe(200)
    for (let at = 0; at < 40; at += 1) await signIn(email, `guess ${at}`, `198.51.${at}.1`)
    expect((await signIn(email, PASSWORD, '41.200.1.77')).status).toBe(200)
    const stranger = await signIn(email, PASSWORD, '41.200.2.77')
    expect([stranger.status, stranger.headers.get('retry-after')]).toEqual([429, '30'])
    // One who guesses there has no more than a stranger has in all.
    const near = await Promise.all(Array.from({ length: 60 }, (_, at) => signIn(email, `guess ${at}`, `41.200.1.${100 + at}`)))
    expect(near.filter(({ status }) => status === 401).length).toBe(20)
    expect((await signIn(email, PASSWORD, '41.200.1.5')).status).toBe(200)
  })
})

test('a network block is a /24 of IPv4 and a /56 of IPv6', () => {
  expect(networkBlockOf('203.0.113.7')).toBe('203.0.113.0/24')
  expect(networkBlockOf(networkOf('2001:db8:1:2a7:3:4:5:6'))).toBe('2001:db8:1:0200::/56')
  expect(networkBlockOf(networkOf('2001:db8:1:2ff::1'))).toBe('2001:db8:1:0200::/56')
  expect(networkBlockOf(networkOf('2001:db8:1:3ff::1'))).not.toBe('2001:db8:1:0200::/56')
  expect(networkBlockOf('local')).toBe('local')
})

test('an IPv6 network is one subscriber', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:0DB8:0001:2::')).toBe('2001:db8:1:2::/64')
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(networkOf('::1')).toBe('0:0:0:0::/64')
  expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7')
  expect(networkOf('64:ff9b::203.0.113.7')).toBe('64:ff9b:0:0::/64')
  expect(networkOf('203.0.113.7')).toBe('203.0.113.7')
  expect(networkOf('local')).toBe('local')
})
