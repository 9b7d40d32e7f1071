import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const app = await startApp()
const me = async (as: string) => (await app.ok('GET', '/v1/me', { as })).data
const admin = await app.person('Admin')

test('me: an owner reads the store with its currency, time zone, role and plan', async () => {
  const { owner, storeId } = await app.shop({ name: 'Boutique Nour' })
  expect(await me(owner.token)).toMatchObject({
    user: { id: owner.id, email: owner.email },
    isAdmin: false,
    actingAs: null,
    memberships: [
      {
        storeId,
        name: 'Boutique Nour',
        countryCode: 'DZ',
        currencyCode: 'DZD',
        timeZone: 'Africa/Algiers',
        role: 'owner',
        permissions: null,
        plan: { code: 'free' },
      },
    ],
    tenants: [{ role: 'owner', state: 'active' }],
    unreadNotifications: 0,
  })
})

test('me: a packer without stores:read learns the store and the permissions', async () => {
  const { owner, storeId } = await app.shop()
  const packer = await app.person('Packer')
  const body = { email: packer.email, role: 'agent', permissions: ['parcels:read', 'parcels:write'] }
  await app.ok('POST', `/v1/stores/${storeId}/members`, { as: owner.token, body })
  expect((await me(packer.token)).memberships).toMatchObject([{ storeId, role: 'agent', permissions: ['parcels:read', 'parcels:write'] }])
})

test('me: nobody sees the stores, tenants or notifications of somebody else', async () => {
  await app.shop()
  const stranger = await app.person('Stranger')
  expect(await me(stranger.token)).toMatchObject({ memberships: [], tenants: [], unreadNotifications: 0 })
})

test('me: an administrator is told, and so is a session in which one acts as a user', async () => {
  expect((await me(admin.token)).isAdmin).toBe(true)
  const person = await app.person()
  await app.ok('POST', '/v1/admins/send-notification', { as: admin.token, body: { userIds: [person.id], title: 'Hello', message: 'You' } })
  expect((await me(person.token)).unreadNotifications).toBe(1)
  const body = { userId: person.id, reason: 'They asked for help' }
  const { data } = await app.ok('POST', '/v1/admins/login-as', { as: admin.token, body })
  expect(await me(data.token)).toMatchObject({ user: { id: person.id }, isAdmin: false, actingAs: { adminId: admin.id } })
})

test('me: it needs a session', async () => {
  const { key } = await app.shop()
  expect((await app.call('GET', '/v1/me')).status).toBe(401)
  expect((await app.call('GET', '/v1/me', { as: 'st_unknown' })).status).toBe(401)
  expect((await app.call('GET', '/v1/me', { as: key })).status).toBe(403)
})
