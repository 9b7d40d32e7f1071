import { describe, expect, test } from 'bun:test'
import { networkOf } from '../../../core/lib/addresses.ts'
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
