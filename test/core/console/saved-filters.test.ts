import { describe, expect, test } from 'bun:test'
import { type Person, startApp } from '../../support/app.ts'

const app = await startApp()
const shop = await app.shop()
const at = `/v1/stores/${shop.storeId}/saved-filters`

async function member(role = 'agent', permissions: readonly string[] | null = null): Promise<Person> {
  const person = await app.person('Agent')
  await app.ok('POST', `/v1/stores/${shop.storeId}/members`, { as: shop.owner.token, body: { email: person.email, role, permissions } })
  return person
}

const save = async (as: string, more: object = {}) =>
  (await app.ok('POST', at, { as, body: { page: 'orders', name: crypto.randomUUID(), query: 'filter[status]=pending', ...more } })).data
const idsOf = async (as: string, query = '') =>
  ((await app.ok('GET', `${at}${query}`, { as })).data as { id: string }[]).map(({ id }) => id)

describe('saved filters', () => {
  test('a filter is saved, listed by page, changed and deleted by its user', async () => {
    const packer = await member('agent', ['parcels:read'])
    const saved = await save(packer.token, { page: 'parcels', name: 'Today', query: 'q=Amina%20B&sort=-createdAt' })
    expect(saved).toMatchObject({ page: 'parcels', name: 'Today', isShared: false, isOwn: true, savedBy: { userId: packer.id } })
    expect([...new URLSearchParams(saved.query)]).toEqual([
      ['q', 'Amina B'],
      ['sort', '-createdAt'],
    ])
    expect(await idsOf(packer.token, '?page=parcels')).toEqual([saved.id])
    expect(await idsOf(packer.token, '?page=orders')).toEqual([])
    const { data: changed } = await app.ok('PATCH', `${at}/${saved.id}`, { as: packer.token, body: { name: 'Now', query: '' } })
    expect(changed).toMatchObject({ id: saved.id, name: 'Now', query: '' })
    expect((await app.call('DELETE', `${at}/${saved.id}`, { as: packer.token })).status).toBe(204)
    expect(await idsOf(packer.token)).toEqual([])
    expect((await app.call('DELETE', `${at}/${saved.id}`, { as: packer.token })).status).toBe(404)
  })

  test('a shared filter is seen by all members, and changed by its user and admins alone', async () => {
    const [author, colleague, admin] = [await member(), await member(), await member('admin')]
    const [own, shared] = [await save(author.token), await save(author.token, { isShared: true })]
    expect(await idsOf(colleague.token)).toContain(shared.id)
    expect(await idsOf(colleague.token)).not.toContain(own.id)
    const rename = (as: string, id: string) => app.call('PATCH', `${at}/${id}`, { as, body: { name: crypto.randomUUID() } })
    expect((await rename(colleague.token, shared.id)).status).toBe(403)
    expect((await rename(colleague.token, own.id)).status).toBe(404)
    expect((await rename(admin.token, shared.id)).status).toBe(200)
    expect((await rename(admin.token, own.id)).status).toBe(404)
    const { data } = await app.ok('PATCH', `${at}/${shared.id}`, { as: admin.token, body: { isShared: false } })
    expect(data).toMatchObject({ isShared: false, isOwn: false })
    expect(await idsOf(colleague.token)).not.toContain(shared.id)
  })

  test('a shared filter is hidden from a member who may not read orders', async () => {
    const [author, packer] = [await member(), await member('agent', ['parcels:read'])]
    const [shared, own] = [await save(author.token, { isShared: true }), await save(packer.token, { page: 'parcels', isShared: true })]
    expect(await idsOf(packer.token)).toEqual([own.id])
    expect((await app.call('PATCH', `${at}/${shared.id}`, { as: packer.token, body: { name: 'Mine' } })).status).toBe(404)
    expect((await app.call('DELETE', `${at}/${shared.id}`, { as: packer.token })).status).toBe(404)
    expect(await idsOf(author.token)).toContain(shared.id)
  })

  test('a name is there once for each user and page, also when two ask at once', async () => {
    const [one, other] = [await member(), await member()]
    const body = { page: 'orders', name: 'Late', query: '' }
    const answers = await Promise.all([1, 2].map(() => app.call('POST', at, { as: one.token, body })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    await save(other.token, { name: 'Late' })
    await save(one.token, { name: 'Late', page: 'parcels' })
  })

  test('a user has at most 50, also when many ask at once', async () => {
    const busy = await member()
    const all = await Promise.all(
      Array.from({ length: 53 }, (_, nth) =>
        app.call('POST', at, { as: busy.token, body: { page: 'orders', name: `n${nth}`, query: '' } }),
      ),
    )
    expect(all.filter(({ status }) => status === 201)).toHaveLength(50)
    const refused = all.filter(({ status }) => status !== 201)
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(Array(3).fill([422, 'limit_reached']))
  })

  test('bad input, a missing credential, a key and strangers are refused', async () => {
    const good = { page: 'orders', name: 'x', query: '' }
    for (const bad of [{ page: 'Orders!' }, { name: ' ' }, { query: 'x'.repeat(2001) }, { more: 1 }, { query: 'a=1&'.repeat(51) }])
      expect((await app.call('POST', at, { as: shop.owner.token, body: { ...good, ...bad } })).status).toBe(400)
    expect((await app.call('POST', at, { body: good })).status).toBe(401)
    expect((await app.call('POST', at, { as: shop.key, body: good })).status).toBe(403)
    const stranger = await app.shop()
    expect((await app.call('POST', at, { as: stranger.owner.token, body: good })).status).toBe(404)
    expect((await app.call('GET', at, { as: stranger.owner.token })).status).toBe(404)
    const mine = await save(shop.owner.token, { isShared: true })
    const foreign = `/v1/stores/${stranger.storeId}/saved-filters/${mine.id}`
    expect((await app.call('PATCH', foreign, { as: stranger.owner.token, body: { name: 'y' } })).status).toBe(404)
    expect((await app.call('DELETE', foreign, { as: stranger.owner.token })).status).toBe(404)
  })
})

describe('preferences', () => {
  const at = '/v1/me/preferences'
  const defaults = { language: null, theme: null, density: 'comfortable', columns: {} }

  test('they begin with the defaults, and a change leaves the rest', async () => {
    const person = await app.person()
    const read = async () => (await app.ok('GET', at, { as: person.token })).data
    const change = async (body: object) => (await app.ok('PATCH', at, { as: person.token, body })).data
    expect(await read()).toEqual(defaults)
    expect(await change({ language: 'ar', columns: { orders: ['reference', 'total'] } })).toMatchObject({
      language: 'ar',
      density: 'comfortable',
    })
    expect(await change({ theme: 'dark', density: 'compact', columns: { parcels: ['status'] } })).toEqual({
      language: 'ar',
      theme: 'dark',
      density: 'compact',
      columns: { orders: ['reference', 'total'], parcels: ['status'] },
    })
    expect(await change({ language: null, columns: { orders: null } })).toMatchObject({ language: null, columns: { parcels: ['status'] } })
    expect((await read()).columns).toEqual({ parcels: ['status'] })
    expect((await app.ok('GET', at, { as: shop.owner.token })).data).toEqual(defaults)
  })

  test('changes of different pages at once are all kept', async () => {
    const person = await app.person()
    const pages = Array.from({ length: 10 }, (_, nth) => `page-${nth}`)
    await Promise.all(pages.map((page) => app.ok('PATCH', at, { as: person.token, body: { columns: { [page]: ['a'] } } })))
    const { data } = await app.ok('GET', at, { as: person.token })
    expect(Object.keys(data.columns).toSorted()).toEqual(pages)
  })

  test('bad input, too much, a missing credential and a key are refused', async () => {
    const person = await app.person()
    const change = (body: object, as?: string) => app.call('PATCH', at, { body, ...(as && { as }) })
    for (const bad of [
      {},
      { theme: 'pink' },
      { language: 'tlh' },
      { columns: { orders: ['<b>'] } },
      { columns: { orders: Array(61).fill('a') } },
    ])
      expect((await change(bad, person.token)).status).toBe(400)
    const pages = (from: number) => Object.fromEntries(Array.from({ length: 30 }, (_, nth) => [`p${from + nth}`, ['a']]))
    expect((await change({ columns: pages(0) }, person.token)).status).toBe(200)
    const { status, body } = await change({ columns: pages(30) }, person.token)
    expect([status, body.error.code]).toEqual([422, 'limit_reached'])
    expect((await change({ theme: 'dark' })).status).toBe(401)
    expect((await change({ theme: 'dark' }, shop.key)).status).toBe(403)
  })

  test('they are deleted with the account', async () => {
    const person = await app.person()
    await app.ok('PATCH', at, { as: person.token, body: { theme: 'dark' } })
    await app.ok('DELETE', `/v1/users/${person.id}`, { as: shop.owner.token })
    const rows = await app.context.sql`select 1 from user_preferences where user_id = ${person.id}`
    expect(rows).toHaveLength(0)
  })
})
