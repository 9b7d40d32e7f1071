import { describe, expect, test } from 'bun:test'
import { transaction } from '../../../core/data/sql.ts'
import { totpSecretText, totpUri, verifyTotp } from '../../../core/lib/crypto/totp.ts'
import { type Answer, type Person, startApp } from '../../support/app.ts'
import { bytesOf, codeFromNow, codeOfStep } from '../../support/totp.ts'
import { untilWaiting } from '../../support/waiting.ts'

const { call, ok, person, context } = await startApp({ trustedProxies: 1 })
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const PATH = '/v1/users/auth/second-factor'
const currentPassword = 'correct horse'

describe('codes of time', () => {
  const secret = new TextEncoder().encode('12345678901234567890')

  test('one-time passwords: those of RFC 4226 and RFC 6238 are accepted at their moment', () => {
    const codes = ['755224', '287082', '359152', '969429']
    expect(codes.map((code, step) => verifyTotp(secret, code, step * 30_000))).toEqual([0, 1, 2, 3])
    // The last six of the eight digits that RFC 6238, appendix B, lists.
    const moments = { 59: '287082', 1111111109: '081804', 1111111111: '050471', 1234567890: '005924', 20000000000: '353130' }
    for (const [second, code] of Object.entries(moments))
      expect(verifyTotp(secret, code, Number(second) * 1000)).toBe(Math.floor(Number(second) / 30))
  })

  test('one-time passwords: one step before and after counts, and no more', () => {
    const at = 59_000
    expect([0, 1, 2].map((step) => verifyTotp(secret, codeOfStep(secret, step), at))).toEqual([0, 1, 2])
    expect(verifyTotp(secret, codeOfStep(secret, 3), at)).toBe(null)
    expect(['', '12345', 'abcdef', '2870820'].map((code) => verifyTotp(secret, code, at))).toEqual([null, null, null, null])
  })

  test('come of a secret that can be typed off', () => {
    expect(totpSecretText(new TextEncoder().encode('foobar'))).toBe('MZXW6YTBOI')
    const address = totpUri(secret, 'A shop', 'a@b.dz')
    expect(address).toStartWith('otpauth://totp/A%20shop:a%40b.dz?issuer=A%20shop&')
    expect(new URL(address).searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  })
})

async function withFactor(mine: Person) {
  const { data } = await ok('POST', PATH, { as: mine.token, body: { currentPassword } })
  const secret = bytesOf(data.secret)
  const confirmed = await ok('POST', `${PATH}/confirm`, { as: mine.token, body: { secondFactor: codeFromNow(secret, 0) } })
  return { secret, recoveryCodes: confirmed.data.recoveryCodes as string[] }
}

let addresses = 0
const signIn = (email: string, secondFactor?: string, password = currentPassword, at = `203.0.113.${++addresses}`) =>
  call('POST', '/v1/users/auth/signin', {
    body: { email, password, ...(secondFactor !== undefined && { secondFactor }) },
    headers: { 'x-forwarded-for': at },
  })

describe('a second factor', () => {
  test('counts once it is confirmed; then a password alone is not enough, and a code works once', async () => {
    const mine = await person()
    expect(outcome(await call('POST', PATH, { as: mine.token, body: { currentPassword: 'wrong one' } }))).toBe('401 invalid_credentials')
    await ok('POST', PATH, { as: mine.token, body: { currentPassword } })
    expect(outcome(await signIn(mine.email))).toBe('200')
    const { secret } = await withFactor(mine)
    expect((await ok('GET', PATH, { as: mine.token })).data).toEqual({ enabled: true, recoveryCodesLeft: 10 })
    expect(outcome(await signIn(mine.email))).toBe('401 second_factor_required')
    expect(outcome(await signIn(mine.email, codeFromNow(secret, 1), 'wrong one'))).toBe('401 invalid_credentials')
    const code = codeFromNow(secret, 1)
    const answers = await Promise.all([signIn(mine.email, code), signIn(mine.email, code)])
    expect(answers.map(outcome).sort()).toEqual(['200', '422 invalid_code'])
    expect(outcome(await call('POST', PATH, { as: mine.token, body: { currentPassword } }))).toBe('409 conflict')
    const [row] = await context.sql`select secret from second_factors where user_id = ${mine.id}`
    expect(row!.secret).toStartWith('v2.')
  })

  test('is stood in for by recovery codes, each once; new ones end the old', async () => {
    const mine = await person()
    const { secret, recoveryCodes } = await withFactor(mine)
    const [one, two, three] = recoveryCodes as [string, string, string]
    expect(outcome(await signIn(mine.email, one.toLowerCase().replaceAll('-', ' ')))).toBe('200')
    expect(outcome(await signIn(mine.email, one))).toBe('422 invalid_code')
    const renewed = await ok('POST', `${PATH}/recovery-codes`, { as: mine.token, body: { secondFactor: two } })
    expect(outcome(await signIn(mine.email, three))).toBe('422 invalid_code')
    const body = { currentPassword, secondFactor: renewed.data.recoveryCodes[0] }
    expect(outcome(await call('POST', `${PATH}/disable`, { as: mine.token, body }))).toBe('204')
    expect(outcome(await signIn(mine.email))).toBe('200')
    expect(secret.length).toBe(20)
  })

  test('is the one that was proven, though another was begun with at that moment', async () => {
    const mine = await person()
    const { data } = await ok('POST', PATH, { as: mine.token, body: { currentPassword } })
    const { calls } = await transaction(context.sql, async (tx) => {
      await tx`select 1 from second_factors where user_id = ${mine.id} for update`
      const body = { secondFactor: codeFromNow(bytesOf(data.secret), 0) }
      const confirmed = call('POST', `${PATH}/confirm`, { as: mine.token, body })
      await untilWaiting(context.sql, 1)
      const begun = call('POST', PATH, { as: mine.token, body: { currentPassword } })
      await untilWaiting(context.sql, 2)
      return { calls: [confirmed, begun] }
    })
    const outcomes = (await Promise.all(calls)).map(outcome)
    expect(outcomes).toContain('409 conflict')
    expect((await ok('GET', PATH, { as: mine.token })).data.enabled).toBe(outcomes[0] === '200')
  })

  test('is guessed slowly from where nobody of the account is at home', async () => {
    const mine = await person()
    const { secret } = await withFactor(mine)
    const stranger = '198.51.100.9'
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(mine.email, 'AAAA-AAAA-AAAA', currentPassword, stranger)))
    expect(answers.filter(({ status }) => status === 422).length).toBe(5)
    expect(answers.filter(({ status }) => status === 429).length).toBe(7)
    expect(outcome(await signIn(mine.email, codeFromNow(secret, 1), currentPassword, '198.51.100.200'))).toBe('200')
  })
})
