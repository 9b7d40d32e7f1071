import { afterAll, describe, expect, test } from 'bun:test'
import { sealedColumns } from '../../../core/platform/vault/vault.queries.ts'
import { type Answer, type Person, startApp } from '../../support/app.ts'
import { letterTo } from '../../support/letters.ts'
import { newVerifier, openBrowser } from '../../support/oauth.ts'
import { readOutbox } from '../../support/outbox.ts'
import { atProvider, openProviders, RETURN, type Slug, saidIn, ticketFrom } from '../../support/social.ts'
import { until } from '../../support/until.ts'

const providers = await openProviders()
afterAll(() => providers.stop())
const app = await startApp({ publicUrl: 'https://shop.example', simulators: providers.simulators })
const { call, ok, person, context } = app
const admin = await person('The administrator')
await providers.connect(app, admin)
const { google } = providers

const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? body?.data?.outcome ?? ''}`.trim()
let people = 0
const somebody = (change: object = {}) => {
  people += 1
  return { subject: `l-${people}`, email: `link${people}@example.dz`, emailVerified: true, name: `Link ${people}`, ...change }
}
const show = (slug: Slug, body: object, as?: string) => call('POST', `/v1/users/auth/social/${slug}/token`, { body, ...(as && { as }) })
const linkGoogle = async (mine: Person, account = somebody()) =>
  show('google', { token: await google.idToken(account), link: true }, mine.token)
const linkFacebook = (mine: Person, account = somebody()) =>
  show('facebook', { token: providers.facebook.books.newToken(account), link: true }, mine.token)
const unlink = (provider: string, as: string) => call('POST', '/v1/social/unlink', { body: { provider }, as })
const linksOf = async ({ id }: Pick<Person, 'id'>) =>
  (await context.sql`select provider from social_identities where user_id = ${id} order by 1`).map(({ provider }) => provider)

/** From the link that a program asks for to the request that leads a browser back. */
async function leftToLink(mine: Person, query = '') {
  const { data } = await ok('GET', `/v1/social/google/link${query}`, { as: mine.token })
  return atProvider(providers, 'google', data.url)
}

/** An account without a password. */
async function newcomer(slug: 'google' | 'facebook', account = somebody()) {
  const token = slug === 'google' ? await google.idToken(account) : providers.facebook.books.newToken(account)
  const { data } = (await show(slug, { token })).body
  return { id: data.user.id, email: data.user.email, token: data.token } as Person
}

describe('linking', () => {
  test('by a token adds a way in, whatever the addresses; again it is as it was', async () => {
    const mine = await person()
    const account = somebody()
    const linked = await linkGoogle(mine, account)
    expect([outcome(linked), linked.body.data.token, linked.body.data.user.id]).toEqual(['200 linked', null, mine.id])
    expect(outcome(await linkGoogle(mine, account))).toBe('200 linked')
    const signedIn = await show('google', { token: await google.idToken(account) })
    expect([outcome(signedIn), signedIn.body.data.user.id]).toEqual(['200 signed_in', mine.id])
    // One of each provider.
    expect(outcome(await linkGoogle(mine))).toBe('409 conflict')
    expect(outcome(await linkFacebook(mine))).toBe('200 linked')
    expect(await linksOf(mine)).toEqual(['facebook', 'google'])
    await letterTo(app, mine.email, 'new way to sign in', 1)
    const told = (await readOutbox(context.config.dataDir)).filter(({ to, subject }) => to === mine.email && subject.includes('new way'))
    expect(told.map(({ text }) => /Google|Facebook/.exec(text)?.[0]).sort()).toEqual(['Facebook', 'Google'])
  })

  test("what is another's stays another's, also of many at once", async () => {
    const [mine, theirs] = [await person(), await person()]
    const account = somebody()
    const answers = await Promise.all([linkGoogle(mine, account), linkGoogle(theirs, account), linkGoogle(mine, account)])
    expect(answers.map(outcome).filter((each) => each === '409 conflict').length).toBeGreaterThan(0)
    const links = [await linksOf(mine), await linksOf(theirs)]
    expect(links.flat()).toEqual(['google'])
    const [loser] = links[0]!.length > 0 ? [theirs] : [mine]
    expect(outcome(await linkGoogle(loser, account))).toBe('409 conflict')
  })

  test('needs a first-party session of the user', async () => {
    const token = await google.idToken(somebody())
    expect(outcome(await show('google', { token, link: true }))).toBe('401 unauthenticated')
    const shop = await app.shop()
    expect(outcome(await show('google', { token, link: true }, shop.key))).toBe('401 unauthenticated')
    const mine = await person()
    const { data } = await ok('POST', '/v1/admins/login-as', { as: admin.token, body: { userId: mine.id, reason: 'to help' } })
    expect(outcome(await show('google', { token, link: true }, data.token))).toBe('403 forbidden')
    expect(outcome(await call('GET', '/v1/social/google/link', { as: data.token }))).toBe('403 forbidden')
    expect(outcome(await unlink('google', data.token))).toBe('403 forbidden')
    expect(await linksOf(mine)).toEqual([])
  })

  test('in a browser ends at the app, which completes it with the credential that started it', async () => {
    const [mine, theirs] = [await person(), await person()]
    google.books.state.account = somebody()
    const { verifier, challenge } = newVerifier()
    const { address } = await leftToLink(mine, `?${new URLSearchParams({ returnTo: RETURN, challenge })}`)
    const { ticket } = saidIn(await openBrowser(app).ask(address))
    const redeem = (as?: string) => call('POST', '/v1/users/auth/social/google/callback', { body: { ticket, verifier }, ...(as && { as }) })
    expect([outcome(await redeem()), outcome(await redeem(theirs.token))]).toEqual(['422 invalid_code', '422 invalid_code'])
    const answers = await Promise.all([redeem(mine.token), redeem(mine.token)])
    expect(answers.map(outcome).sort()).toEqual(['200 linked', '422 invalid_code'])
    expect([await linksOf(mine), await linksOf(theirs)]).toEqual([['google'], []])
  })

  test('without an app asks the person first, and names both accounts', async () => {
    const mine = await person()
    const account = somebody()
    google.books.state.account = account
    const browser = openBrowser(app)
    const { address } = await leftToLink(mine)
    const page = await browser.ask(address)
    expect([page.status, page.text.includes(account.email), page.text.includes(mine.email)]).toEqual([200, true, true])
    expect(await linksOf(mine)).toEqual([])
    const [, ticket = ''] = /name="ticket" value="(\w+)"/.exec(page.text) ?? []
    const form = { method: 'POST', body: new URLSearchParams({ ticket, action: 'link' }) }
    expect((await openBrowser(app).ask('/v1/social/google/link/callback', form)).status).toBe(422)
    expect((await browser.ask('/v1/social/google/callback', form)).status).toBe(422)
    expect((await browser.ask('/v1/social/google/link/callback', form)).text).toContain('It is linked')
    expect(await linksOf(mine)).toEqual(['google'])
    expect((await browser.ask(address)).status).toBe(422)
  })
})

describe('unlinking', () => {
  test('takes a way in away, and leaves the others', async () => {
    const mine = await person()
    const account = somebody()
    await linkGoogle(mine, account)
    expect(outcome(await unlink('google', mine.token))).toBe('204')
    expect(outcome(await unlink('google', mine.token))).toBe('404 not_found')
    expect(outcome(await unlink('nobody', mine.token))).toBe('404 not_found')
    const anew = await show('google', { token: await google.idToken(account) })
    expect([outcome(anew), anew.body.data.user.id === mine.id]).toEqual(['200 signed_up', false])
  })

  test('never takes the last one, of two at once neither', async () => {
    const mine = await newcomer('google')
    expect(outcome(await unlink('google', mine.token))).toBe('409 last_way_in')
    await linkFacebook(mine)
    const answers = await Promise.all(['google', 'facebook', 'google', 'facebook'].map((provider) => unlink(provider, mine.token)))
    expect(answers.filter(({ status }) => status === 204).length).toBe(1)
    expect((await linksOf(mine)).length).toBe(1)
    const [left = ''] = await linksOf(mine)
    expect(outcome(await unlink(left, mine.token))).toBe('409 last_way_in')
    await context.sql`insert into passkeys (id, user_id, credential_id, public_key, counter, name, synced)
      values (${`psk_${mine.id}`}, ${mine.id}, ${mine.id}, ${Buffer.from('x')}, 0, 'a phone', false)`
    expect(outcome(await unlink(left, mine.token))).toBe('204')
    const removePasskey = () => call('DELETE', `/v1/passkeys/psk_${mine.id}`, { as: mine.token })
    expect(outcome(await removePasskey())).toBe('409 last_way_in')
    await linkFacebook(mine)
    const both = await Promise.all([removePasskey(), unlink('facebook', mine.token)])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
  })

  test('signing in, linking and deleting at once leave no account without an owner, and no deadlock', async () => {
    for (let round = 0; round < 6; round += 1) {
      const account = somebody()
      const mine = await newcomer('google', account)
      await linkFacebook(mine)
      const tokens = await Promise.all([google.idToken(account), google.idToken(account)])
      const answers = await Promise.all([
        unlink('google', mine.token),
        unlink('facebook', mine.token),
        ...tokens.map((token) => show('google', { token })),
        linkGoogle(mine, account),
        ...(round % 2 === 0 ? [call('DELETE', `/v1/users/${mine.id}`, { as: admin.token })] : []),
      ])
      expect(answers.filter(({ status }) => status >= 500).map(outcome)).toEqual([])
      const stray = await context.sql`select 1 from social_identities i join users u on u.id = i.user_id where u.deleted_at is not null`
      expect(stray.length).toBe(0)
      if (round % 2 !== 0) expect((await linksOf(mine)).length).toBeGreaterThan(0)
    }
  })
})

describe('Apple hears that it is not needed any more', () => {
  const { apple } = providers
  const enter = async (account: ReturnType<typeof somebody>) => {
    apple.books.state.account = account
    const { ticket, verifier } = await ticketFrom(providers, openBrowser(app), 'apple')
    const { data } = (await call('POST', '/v1/users/auth/social/apple/callback', { body: { ticket, verifier } })).body
    return { id: data.user.id, email: data.user.email, token: data.token } as Person
  }
  const standing = (account: { subject: string }) => [...apple.renewing.values()].filter((subject) => subject === account.subject).length

  test('when it is unlinked, and what it gave last is what is given up', async () => {
    const account = somebody()
    const mine = await enter(account)
    const [kept] = await context.sql`select sealed_token from social_identities where user_id = ${mine.id}`
    expect(kept?.sealedToken).toStartWith(context.vault.prefix)
    const anew = await sealedColumns[7].list(context.sql, 'of another key', '', 100)
    expect(anew.map(({ sealed, owner }) => context.vault.open(sealed, owner))).toEqual([...apple.renewing.keys()])
    await linkGoogle(mine)
    await enter(account)
    const last = [...apple.renewing.keys()].at(-1) ?? ''
    expect(outcome(await unlink('apple', mine.token))).toBe('204')
    await until(() => !apple.renewing.has(last))
    expect(apple.requests.filter(({ path }) => path === '/auth/revoke').map(({ query }) => String(query))).toEqual([''])
  })

  test('when its account is deleted, also where it was away at first', async () => {
    const account = somebody()
    const mine = await enter(account)
    Object.assign(apple.faults, { on: '/auth/revoke$', error500: 1 })
    const before = apple.requests.length
    await ok('DELETE', `/v1/users/${mine.id}`, { as: admin.token })
    await until(() => apple.requests.slice(before).some(({ path }) => path === '/auth/revoke'))
    expect(standing(account)).toBe(1)
    apple.calm()
    await until(() => standing(account) === 0)
  })

  test('an identity that is the last way to sign in is kept', async () => {
    const account = somebody()
    const mine = await enter(account)
    expect(outcome(await unlink('apple', mine.token))).toBe('409 last_way_in')
    expect(await context.sql`select 1 from graphile_worker.jobs where task_identifier = 'social.revoke'`).toHaveLength(0)
    expect(standing(account)).toBe(1)
  })
})

test('social sign-in: while sign-up is closed a new user is refused, and a known one signs in', async () => {
  const account = somebody()
  await newcomer('google', account)
  Object.assign(context.config, { openSignup: false })
  expect(outcome(await show('google', { token: await google.idToken(account) }))).toBe('200 signed_in')
  expect(outcome(await show('google', { token: await google.idToken(somebody()) }))).toBe('403 signup_closed')
  Object.assign(context.config, { openSignup: true })
})
