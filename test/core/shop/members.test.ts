import { describe, expect, test } from 'bun:test'
import { DAY_MS } from '../../../core/lib/durations.ts'
import { ADDED_MEMBERS_PER_HOUR } from '../../../core/shop/stores/members/members.ts'
import { type Answer, type Person, startApp } from '../../support/app.ts'
import { readOutbox } from '../../support/outbox.ts'
import { until } from '../../support/until.ts'

const { call, ok, shop, person, context } = await startApp({ publicUrl: 'https://shop.example' })
const { sql, config } = context
await person('The administrator') // the first account sees everything; no test wants to be it
const mine = await shop()
const { storeId, owner } = mine
const store = `/v1/stores/${storeId}`
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const verified = async (name: string): Promise<Person> => {
  const someone = await person(name)
  await sql`update users set email_verified = true where id = ${someone.id}`
  return someone
}
const member = async (role: string) => {
  const someone = await person(role)
  await ok('POST', `${store}/members`, { as: owner.token, body: { email: someone.email, role } })
  return someone
}
const invite = async (email: string, as = owner.token, role = 'agent') =>
  (await ok('POST', `${store}/invites`, { as, body: { email, role, language: 'fr' } })).data
const answer = (id: string, how: string, as: string, body: object = {}) => call('POST', `${store}/invites/${id}/${how}`, { as, body })
const tokenFor = async (email: string) => {
  const mails = async () => (await readOutbox(config.dataDir)).filter(({ to }) => to === email)
  await until(async () => (await mails()).length > 0)
  return /invites\/inv_\w+\/page\?token=(it_\w+)&ui_locales=fr/.exec((await mails()).at(-1)!.text)![1]!
}

describe('members', () => {
  test('are listed page by page, the first of them first, and to no viewer', async () => {
    const team = [await member('agent'), await member('viewer')]
    const seen: string[] = []
    let cursor = ''
    do {
      const answer = await ok('GET', `${store}/members?limit=2${cursor && `&cursor=${cursor}`}`, { as: team[0]!.token })
      seen.push(...answer.data.map(({ userId }: { userId: string }) => userId))
      cursor = answer.nextCursor ?? ''
    } while (cursor)
    expect(seen.slice(0, 3)).toEqual([owner.id, ...team.map(({ id }) => id)])
    expect(outcome(await call('GET', `${store}/members`, { as: team[1]!.token }))).toBe('403 forbidden')
    expect(outcome(await call('GET', `${store}/members`, { as: mine.key }))).toBe('403 forbidden')
  })

  test('have another role from the next request on', async () => {
    const agent = await member('agent')
    const rename = () => call('PATCH', store, { as: agent.token, body: { name: 'Boutique' } })
    expect(outcome(await rename())).toBe('403 forbidden')
    const put = (role: string) => ok('PUT', `${store}/members/${agent.id}`, { as: owner.token, body: { role } })
    expect((await put('admin')).data).toMatchObject({ userId: agent.id, role: 'admin', email: agent.email })
    expect((await rename()).status).toBe(200)
    await put('viewer')
    expect(outcome(await rename())).toBe('403 forbidden')
    await ok('DELETE', `${store}/members/${agent.id}`, { as: owner.token })
    expect(outcome(await rename())).toBe('404 not_found')
    expect(outcome(await call('DELETE', `${store}/members/${agent.id}`, { as: owner.token }))).toBe('404 not_found')
  })

  test('a store always has one owner, who alone gives it away', async () => {
    const house = await shop()
    const path = `/v1/stores/${house.storeId}`
    const people = await Promise.all(['A', 'B', 'C'].map((name) => person(name)))
    for (const { email } of people) await ok('POST', `${path}/members`, { as: house.owner.token, body: { email, role: 'admin' } })
    const give = (to: Person, as: Person) => call('PUT', `${path}/members/${to.id}`, { as: as.token, body: { role: 'owner' } })
    const [first, second] = people as [Person, Person, Person]
    expect(outcome(await give(first, first))).toBe('403 forbidden')
    for (const body of [{ role: 'admin' }, { role: 'viewer' }])
      expect(outcome(await call('PUT', `${path}/members/${house.owner.id}`, { as: first.token, body }))).toBe('404 not_found')
    expect(outcome(await call('DELETE', `${path}/members/${house.owner.id}`, { as: first.token }))).toBe('404 not_found')
    const outsider = await person('Outsider')
    expect(outcome(await give(outsider, house.owner))).toBe('404 not_found')
    // All at once, to three people, while one of them is being removed.
    const answers = await Promise.all([
      ...people.map((to) => give(to, house.owner)),
      call('DELETE', `${path}/members/${second.id}`, { as: house.owner.token }),
    ])
    const given = answers.slice(0, 3).filter(({ status }) => status === 200)
    expect(given).toHaveLength(1)
    const newOwner = given[0]!.body.data.userId
    const rows = await sql<{ userId: string }[]>`select user_id from store_members where store_id = ${house.storeId} and role = 'owner'`
    expect(rows.map(({ userId }) => userId)).toEqual([newOwner])
    expect((await ok('GET', path, { as: house.owner.token })).data.ownerId).toBe(newOwner)
    expect(outcome(await call('DELETE', path, { as: house.owner.token }))).toBe('403 forbidden')
  })
})

test('who tries which addresses have an account is soon told no more', async () => {
  const house = await shop()
  const known = await person('Known')
  const add = (email: string) =>
    call('POST', `/v1/stores/${house.storeId}/members`, { as: house.owner.token, body: { email, role: 'viewer' } })
  const tries = await Promise.all(Array.from({ length: 30 }, (_, at) => add(`nobody-${at}@example.dz`)))
  expect(tries.filter(({ status }) => status === 404).length).toBe(10)
  expect(tries.filter(({ status }) => status === 429).length).toBe(20)
  for (const email of ['nobody@example.dz', known.email]) expect(outcome(await add(email))).toBe('429 rate_limited')
})

test('and adds no more people an hour than a shop has, who learns their names by it', async () => {
  const house = await shop()
  const known = await person('Known')
  const add = () =>
    call('POST', `/v1/stores/${house.storeId}/members`, { as: house.owner.token, body: { email: known.email, role: 'viewer' } })
  const tries = await Promise.all(Array.from({ length: ADDED_MEMBERS_PER_HOUR + 5 }, add))
  expect(tries.filter(({ status }) => status === 201).length).toBe(ADDED_MEMBERS_PER_HOUR)
})

describe('permissions', () => {
  const put = (userId: string, body: object, as = owner.token) => call('PUT', `${store}/members/${userId}`, { as, body })
  const readOrders = (as: string) => call('GET', `/v1/orders?storeId=${storeId}`, { as })

  test('narrow what a role may do, from the next request on, and stay until others are said', async () => {
    const agent = await member('agent')
    expect((await readOrders(agent.token)).status).toBe(200)
    expect((await put(agent.id, { role: 'agent', permissions: ['products:read'] })).body.data.permissions).toEqual(['products:read'])
    expect(outcome(await readOrders(agent.token))).toBe('403 forbidden')
    expect((await ok('GET', '/v1/stores', { as: agent.token })).data).toEqual([])
    expect((await put(agent.id, { role: 'viewer' })).body.data).toMatchObject({ role: 'viewer', permissions: ['products:read'] })
    const again = { email: agent.email, role: 'agent' }
    expect((await ok('POST', `${store}/members`, { as: owner.token, body: again })).data.permissions).toEqual(['products:read'])
    expect((await put(agent.id, { role: 'viewer', permissions: ['orders:read', 'orders:write'] })).status).toBe(200)
    expect((await readOrders(agent.token)).status).toBe(200)
    // Permissions never widen a role: a viewer changes no order, with any permission.
    expect(outcome(await call('POST', '/v1/orders/confirmation/next', { as: agent.token, body: { storeId } }))).toBe('403 forbidden')
    expect((await put(agent.id, { role: 'agent', permissions: null })).body.data.permissions).toBeNull()
    expect((await ok('GET', '/v1/stores', { as: agent.token })).data).toMatchObject([{ id: storeId }])
  })

  test('are words that there are, each once', async () => {
    const agent = await member('agent')
    for (const permissions of [['tenants:manage'], ['orders:read', 'orders:read'], 'orders:read', ['orders:read', null]])
      expect(outcome(await put(agent.id, { role: 'agent', permissions }))).toBe('400 invalid_request')
    expect((await put(agent.id, { role: 'agent', permissions: [] })).body.data.permissions).toEqual([])
    const own = await ok('GET', `${store}/members/me`, { as: agent.token })
    expect(own.data).toMatchObject({ userId: agent.id, role: 'agent', permissions: [] })
  })

  test('a member cannot give a permission that they do not have, to others or to themselves', async () => {
    const [manager, friend] = [await member('admin'), await member('agent')]
    const own = ['members:manage', 'orders:read']
    await put(manager.id, { role: 'admin', permissions: own })
    const as = manager.token
    for (const permissions of [undefined, null, ['orders:write'], [...own, 'orders:write']]) {
      expect(outcome(await put(manager.id, { role: 'admin', permissions }, as))).toBe(permissions === undefined ? '200' : '403 forbidden')
      expect(outcome(await put(friend.id, { role: 'admin', permissions }, as))).toBe('403 forbidden')
      const body = { email: `more-${storeId}@example.dz`, role: 'viewer', permissions }
      expect(outcome(await call('POST', `${store}/invites`, { as, body }))).toBe('403 forbidden')
      const stranger = await person('Stranger')
      expect(outcome(await call('POST', `${store}/members`, { as, body: { ...body, email: stranger.email } }))).toBe('403 forbidden')
    }
    expect((await put(friend.id, { role: 'admin', permissions: ['orders:read'] }, as)).status).toBe(200)
    // Nor can they take one from a member who has more.
    const whole = await member('admin')
    expect(outcome(await put(whole.id, { role: 'viewer', permissions: [] }, as))).toBe('403 forbidden')
    const again = { email: whole.email, role: 'viewer', permissions: [] }
    expect(outcome(await call('POST', `${store}/members`, { as, body: again }))).toBe('403 forbidden')
    expect(outcome(await call('DELETE', `${store}/members/${whole.id}`, { as }))).toBe('403 forbidden')
    expect((await call('DELETE', `${store}/members/${friend.id}`, { as })).status).toBe(204)
    expect(outcome(await put(manager.id, { role: 'owner' }, as))).toBe('403 forbidden')
    expect(outcome(await put(whole.id, { role: 'owner', permissions: ['orders:read'] }))).toBe('400 invalid_request')
  })

  test('go with an invitation, and what was given before more was kept is withdrawn', async () => {
    const admin = await member('admin')
    const [first, second] = [await verified('First'), await verified('Second')]
    const body = { email: first.email, role: 'admin', permissions: ['orders:read'] }
    const made = (await ok('POST', `${store}/invites`, { as: admin.token, body })).data
    expect(made.permissions).toEqual(['orders:read'])
    expect((await answer(made.id, 'accept', first.token)).body.data).toMatchObject({ role: 'admin', permissions: ['orders:read'] })
    const whole = await invite(second.email, admin.token, 'admin')
    await put(admin.id, { role: 'admin', permissions: ['members:manage'] })
    expect(outcome(await answer(whole.id, 'accept', second.token))).toBe('409 conflict')
    expect(outcome(await call('GET', `${store}/invites/${whole.id}`, { as: admin.token }))).toBe('404 not_found')
    expect(outcome(await call('GET', `${store}/invites`, { as: admin.token }))).toBe('403 forbidden')
  })

  test('who was given some does not steer the project behind the store', async () => {
    const admin = await member('admin')
    const makeKey = () =>
      call('POST', `/v1/projects/${mine.projectId}/api-keys`, { as: admin.token, body: { name: 'all', scopes: ['orders:write'] } })
    expect((await makeKey()).status).toBe(201)
    const before = await sql`select 1 from revocations where tag = ${`person:${admin.id}`}`
    await put(admin.id, { role: 'admin', permissions: ['stores:read', 'stores:write'] })
    expect(outcome(await makeKey())).toBe('404 not_found')
    // Every process caches the rights of apps that act as this member, until it is notified.
    expect((await sql`select 1 from revocations where tag = ${`person:${admin.id}`}`).length).toBe(before.length + 1)
  })

  test('an owner has none: they end with the gift of the store', async () => {
    const house = await shop()
    const path = `/v1/stores/${house.storeId}`
    const heir = await person('Heir')
    const body = { email: heir.email, role: 'admin', permissions: ['orders:read'] }
    await ok('POST', `${path}/members`, { as: house.owner.token, body })
    const given = await ok('PUT', `${path}/members/${heir.id}`, { as: house.owner.token, body: { role: 'owner' } })
    expect(given.data).toMatchObject({ role: 'owner', permissions: null })
    expect((await call('PATCH', path, { as: heir.token, body: { name: 'Heritage' } })).status).toBe(200)
  })
})

describe('leaving', () => {
  const leave = (as?: string) => call('DELETE', `${store}/members/me`, { ...(as && { as }) })

  test('every member except the owner can leave, and their open invitations end', async () => {
    const [admin, viewer, friend] = [await member('admin'), await member('viewer'), await verified('Friend')]
    await ok('PUT', `${store}/members/${viewer.id}`, { as: owner.token, body: { role: 'viewer', permissions: [] } })
    const { id } = await invite(friend.email, admin.token)
    for (const { token } of [admin, viewer]) {
      expect((await leave(token)).status).toBe(204)
      expect(outcome(await leave(token))).toBe('404 not_found')
      expect(outcome(await call('GET', `${store}/members/me`, { as: token }))).toBe('404 not_found')
      expect(outcome(await call('GET', store, { as: token }))).toBe('404 not_found')
    }
    expect(outcome(await answer(id, 'accept', friend.token))).toBe('409 conflict')
    const { data } = await ok('GET', `${store}/audit?filter[thing]=${viewer.id}&filter[what]=member.removed`, { as: owner.token })
    expect(data).toMatchObject([{ by: { id: viewer.id }, before: { role: 'viewer', permissions: [] } }])
  })

  test('an owner gives the store away first', async () => {
    const house = await shop()
    const path = `/v1/stores/${house.storeId}/members`
    const go = () => call('DELETE', `${path}/me`, { as: house.owner.token })
    expect(outcome(await go())).toBe('409 conflict')
    const heirs = await Promise.all(['A', 'B'].map((name) => person(name)))
    for (const { email } of heirs) await ok('POST', path, { as: house.owner.token, body: { email, role: 'admin' } })
    // At once with the gift, and with the heir's own going.
    const [given, gone] = await Promise.all([
      call('PUT', `${path}/${heirs[0]!.id}`, { as: house.owner.token, body: { role: 'owner' } }),
      call('DELETE', `${path}/me`, { as: heirs[0]!.token }),
      go(),
    ])
    expect([given.status, gone.status]).toEqual(given.status === 200 ? [200, 409] : [404, 204])
    const rows = await sql<{ userId: string }[]>`select user_id from store_members where store_id = ${house.storeId} and role = 'owner'`
    expect(rows.map(({ userId }) => userId)).toEqual([given.status === 200 ? heirs[0]!.id : house.owner.id])
  })

  test('is for a person of the store', async () => {
    const stranger = await person('Stranger')
    expect(outcome(await leave())).toBe('401 unauthenticated')
    expect(outcome(await leave(mine.key))).toBe('403 forbidden')
    expect(outcome(await leave(stranger.token))).toBe('404 not_found')
  })
})

describe('an invitation', () => {
  test('is mailed, its token kept nowhere, and accepted with the token by whatever address', async () => {
    const email = `amina-${storeId}@example.dz`
    const made = await invite(email)
    expect(made).toMatchObject({ email, role: 'agent', status: 'open', invitedBy: { userId: owner.id }, settledAt: null })
    expect(Date.parse(made.expiresAt) - Date.parse(made.createdAt)).toBeWithin(6.99 * DAY_MS, 7.01 * DAY_MS)
    const token = await tokenFor(email)
    expect(JSON.stringify(made)).not.toContain('it_')
    const [row] = await sql`select * from store_invitations where id = ${made.id}`
    expect(JSON.stringify(row)).not.toContain(token)
    const path = `${store}/invites/${made.id}`
    expect(outcome(await call('GET', path))).toBe('404 not_found')
    expect(outcome(await call('GET', `${path}?token=it_wrong`))).toBe('404 not_found')
    expect((await ok('GET', `${path}?token=${token}`)).data).toMatchObject({ id: made.id, storeName: 'Boutique', inviterName: 'Owner' })
    expect((await ok('GET', path, { as: owner.token })).data.id).toBe(made.id)
    const amina = await person('Amina')
    for (const body of [{}, { token: 'it_wrong' }])
      expect(outcome(await answer(made.id, 'accept', amina.token, body))).toBe('404 not_found')
    expect((await answer(made.id, 'accept', amina.token, { token })).body.data).toMatchObject({ userId: amina.id, role: 'agent' })
    expect((await call('GET', store, { as: amina.token })).status).toBe(200)
    expect(outcome(await answer(made.id, 'accept', amina.token, { token }))).toBe('409 conflict')
  })

  test('is listed only to the user who has verified its address', async () => {
    const sara = await person('Sara')
    const made = await invite(sara.email.toUpperCase(), owner.token, 'viewer')
    const list = () => ok('GET', '/v1/me/store-invites', { as: sara.token })
    expect((await list()).data).toEqual([])
    expect(outcome(await answer(made.id, 'accept', sara.token))).toBe('403 forbidden')
    await sql`update users set email_verified = true where id = ${sara.id}`
    expect((await list()).data).toMatchObject([{ id: made.id, storeId, status: 'open', role: 'viewer' }])
    expect((await answer(made.id, 'decline', sara.token)).body.data).toMatchObject({ id: made.id, status: 'declined' })
    expect((await list()).data).toEqual([])
    expect((await ok('GET', `${store}/invites?status=declined`, { as: owner.token })).data).toMatchObject([{ id: made.id }])
    expect(outcome(await answer(made.id, 'accept', sara.token))).toBe('409 conflict')
  })

  test('one to an address is open at once, however many invite', async () => {
    const email = `karim-${storeId}@example.dz`
    const body = { email, role: 'agent' }
    const answers = await Promise.all([1, 2, 3, 4].map(() => call('POST', `${store}/invites`, { as: owner.token, body })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    const made = answers.find(({ status }) => status === 201)!.body.data
    await ok('DELETE', `${store}/invites/${made.id}`, { as: owner.token })
    expect(outcome(await call('DELETE', `${store}/invites/${made.id}`, { as: owner.token }))).toBe('409 conflict')
    expect((await invite(email)).id).not.toBe(made.id)
  })

  test('has one outcome when accepting, declining and withdrawing race', async () => {
    for (let round = 0; round < 4; round += 1) {
      const someone = await verified('Hurried')
      const { id } = await invite(someone.email)
      const answers = await Promise.all([
        answer(id, 'accept', someone.token),
        answer(id, 'decline', someone.token),
        call('DELETE', `${store}/invites/${id}`, { as: owner.token }),
        answer(id, 'accept', someone.token),
      ])
      expect(answers.map(({ status }) => (status < 300 ? 'won' : status)).toSorted()).toEqual([409, 409, 409, 'won'])
      const [row] = await sql<{ status: string; members: number }[]>`
        select status, (select count(*)::int from store_members where store_id = ${storeId} and user_id = ${someone.id}) as members
        from store_invitations where id = ${id}`
      expect([row!.status, row!.members]).toEqual([row!.status, row!.status === 'accepted' ? 1 : 0])
    }
  })

  test('is over after seven days, and makes room for another', async () => {
    const late = await verified('Late')
    const { id } = await invite(late.email)
    await sql`update store_invitations set expires_at = now() - interval '1 second' where id = ${id}`
    expect(outcome(await answer(id, 'accept', late.token))).toBe('409 conflict')
    expect((await ok('GET', '/v1/me/store-invites', { as: late.token })).data).toEqual([])
    expect((await ok('GET', `${store}/invites?filter[status]=expired`, { as: owner.token })).data).toMatchObject([
      { id, status: 'expired' },
    ])
    const again = await invite(late.email)
    expect((await answer(again.id, 'accept', late.token)).status).toBe(200)
  })

  test('keeps the role of who is a member, and is not sent to one', async () => {
    const someone = await verified('Someone')
    const { id } = await invite(someone.email, owner.token, 'viewer')
    await ok('POST', `${store}/members`, { as: owner.token, body: { email: someone.email, role: 'admin' } })
    expect((await answer(id, 'accept', someone.token)).body.data.role).toBe('admin')
    const again = await call('POST', `${store}/invites`, { as: owner.token, body: { email: someone.email, role: 'viewer' } })
    expect(outcome(again)).toBe('409 conflict')
  })

  test('ends with the right of who invited', async () => {
    const admin = await member('admin')
    const friend = await verified('Friend')
    const { id } = await invite(friend.email, admin.token, 'admin')
    await ok('PUT', `${store}/members/${admin.id}`, { as: owner.token, body: { role: 'agent' } })
    expect(outcome(await answer(id, 'accept', friend.token))).toBe('409 conflict')
    expect(outcome(await call('POST', `${store}/invites`, { as: admin.token, body: { email: 'x@example.dz', role: 'agent' } }))).toBe(
      '403 forbidden',
    )
  })

  test('takes no address that is none, and no role of an owner', async () => {
    for (const body of [
      { email: 'nobody', role: 'agent' },
      { email: 'a@b.dz', role: 'owner' },
      { email: 'a@b.dz', role: 'agent', extra: 1 },
      {},
    ])
      expect(outcome(await call('POST', `${store}/invites`, { as: owner.token, body }))).toBe('400 invalid_request')
    const theirs = await shop()
    const { id } = await invite(`x-${storeId}@example.dz`)
    expect(outcome(await call('DELETE', `/v1/stores/${theirs.storeId}/invites/${id}`, { as: theirs.owner.token }))).toBe('404 not_found')
    expect(outcome(await call('GET', `/v1/stores/${theirs.storeId}/invites/${id}`, { as: theirs.owner.token }))).toBe('404 not_found')
  })
})
