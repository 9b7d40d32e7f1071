import { expect, test } from 'bun:test'
import { type Answer, startApp } from '../../support/app.ts'

const { call, ok, shop, person, context } = await startApp()
const administrator = await person('The administrator')
const { storeId, key, owner } = await shop()
const theirs = await shop()
const path = `/v1/stores/${storeId}/template-preview`
const outcome = ({ status, body }: Answer) => `${status} ${body?.error?.code ?? ''}`.trim()
const template = async (body: object, as = key) => (await ok('POST', '/v1/templates', { as, body })).data
const own = await template({ storeId, name: 'Dunes', data: { font: 'Amiri' } })

test('a template is tried by the store’s people, and shown to who has the token, until it is over', async () => {
  expect(outcome(await call('GET', path, { as: key }))).toBe('404 not_found')
  const { data: started } = await ok('PUT', path, { as: owner.token, body: { templateId: own.id, data: { colour: 'sand' }, hours: 2 } })
  expect(started).toMatchObject({ storeId, template: { id: own.id, name: 'Dunes', data: { font: 'Amiri' } }, data: { colour: 'sand' } })
  expect(Date.parse(started.expiresAt) - Date.now()).toBeWithin(7_100_000, 7_201_000)
  const { token, ...shown } = started
  expect((await ok('GET', path, { as: key })).data).toEqual(shown)
  expect((await ok('GET', `${path}?token=${token}`)).data).toEqual(shown)
  for (const answer of [await call('GET', path), await call('GET', `${path}?token=tp_wrong`), await call('GET', path, { as: theirs.key })])
    expect(outcome(answer)).not.toStartWith('200')
  // The next one takes its place, and its token too.
  const { data: again } = await ok('PUT', path, { as: key, body: { templateId: own.id } })
  expect(again.data).toEqual({})
  expect(outcome(await call('GET', `${path}?token=${token}`))).toBe('404 not_found')
  expect((await call('GET', `${path}?token=${again.token}`)).status).toBe(200)
  expect(JSON.stringify(await context.sql`select * from store_template_previews`)).not.toContain(again.token)
  await context.sql`update store_template_previews set expires_at = now()`
  expect(outcome(await call('GET', path, { as: key }))).toBe('404 not_found')
  expect(outcome(await call('DELETE', path, { as: key }))).toBe('404 not_found')
  await ok('PUT', path, { as: key, body: { templateId: own.id } })
  await ok('DELETE', path, { as: key })
  expect(outcome(await call('GET', path, { as: key }))).toBe('404 not_found')
})

test("shows one's own templates and the platform's published ones, and no other store's", async () => {
  const [foreign, draft, published] = [
    await template({ storeId: theirs.storeId, name: 'Theirs' }, theirs.key),
    await template({ name: 'Draft' }, administrator.token),
    await template({ name: 'Everybody’s', published: true }, administrator.token),
  ]
  const put = (templateId: string, as = key) => call('PUT', path, { as, body: { templateId } })
  for (const { id } of [foreign, draft, { id: 'tpl_none' }]) expect(outcome(await put(id))).toBe('404 not_found')
  expect((await put(published.id)).body.data.template.name).toBe('Everybody’s')
  expect(outcome(await put(own.id, theirs.key))).toBe('404 not_found')
  for (const body of [{}, { templateId: own.id, hours: 0 }, { templateId: own.id, data: [] }])
    expect(outcome(await call('PUT', path, { as: key, body }))).toBe('400 invalid_request')
  // With a template goes what was tried of it.
  await put(own.id)
  await ok('DELETE', `/v1/templates/${own.id}`, { as: key })
  expect(outcome(await call('GET', path, { as: key }))).toBe('404 not_found')
})
