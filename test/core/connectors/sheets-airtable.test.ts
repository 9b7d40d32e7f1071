import { afterAll, expect, test } from 'bun:test'
import airtable from '../../../adapters/spreadsheet/airtable/index.ts'
import { requestDueSheetWrites } from '../../../core/connectors/sheet-export/due-writes.ts'
import { projectIdOf } from '../../../core/data/project-ids.ts'
import { CLIENT, startAirtable, WORKSPACE } from '../../adapters/spreadsheet/airtable/simulator.ts'
import { startApp } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const there = startAirtable()
afterAll(() => there.stop())
const app = await startApp({ simulators: Object.fromEntries(airtable.net.map((host) => [host, there.url])) }, { socket: true })
const { ok, context } = app
const { sql } = context

/** A shop with an OAuth client of its own, whose people have signed in. */
async function airtableShop() {
  const { storeId, owner, key } = await app.shop()
  const as = owner.token
  const base = `/v1/stores/${storeId}/integrations/airtable`
  await ok('PUT', base, { as, body: { enabled: true, credentials: CLIENT, settings: { workspaceId: WORKSPACE } } })
  const asked = new URL((await ok('GET', `/v1/oauth2/airtable/sheets/auth-url?storeId=${storeId}`, { as })).data.url)
  const answer = await fetch(there.url + asked.pathname + asked.search, { redirect: 'manual' })
  await fetch(answer.headers.get('location') ?? '')
  const { data: product } = await ok('POST', '/v1/products', {
    as: key,
    body: { storeId, name: 'Basket', sku: 'B', price: 2500, initialStock: 1000 },
  })

  async function order(name: string): Promise<string> {
    const body = {
      storeId,
      customer: { name, phone: '0550123456' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: '', deliveryType: 'home' },
      items: [{ productId: product.id, quantity: 2 }],
    }
    return (await ok('POST', '/v1/orders', { as: key, body })).data.id
  }
  const change = (id: string, body: object) => ok('PATCH', `/v1/orders/${id}`, { as: key, body })
  const target = async () => (await ok('GET', `${base}/configure`, { as })).data
  const rest = (seconds: number) =>
    sql`update sheet_targets set rests_until = now() + ${seconds} * interval '1 second' where project_id = ${projectIdOf(storeId)}`
  const written = () =>
    until(async () => {
      await rest(0)
      await requestDueSheetWrites(context)
      return (await target()).rows.waiting === 0
    })
  return { storeId, as, base, order, change, target, rest, written }
}

/** What people see, by the name of each field. */
function seen(baseId: string) {
  const { fields, records } = there.table(baseId)
  return records.map(({ cells }) => Object.fromEntries(fields.map(({ id, name }) => [name, cells[id] ?? ''])))
}

test('orders become records of a base that was made, and follow what becomes of them', async () => {
  const { storeId, as, base, order, change, target, written } = await airtableShop()
  expect((await ok('GET', base, { as })).data).toMatchObject({ state: 'connected', kind: 'spreadsheet' })
  const { data } = await ok('POST', `${base}/create`, { as, body: { title: 'Commandes', tab: 'Été', language: 'fr' } })
  expect((await ok('GET', `/v1/actions/getAirtableFiles?storeId=${storeId}`, { as })).data).toMatchObject([{ id: data.spreadsheetId }])
  const id = await order('=SUM(1)')
  const gone = await order('Nour')
  await written()
  const mine = () => seen(data.spreadsheetId).find((row) => row['ID commande'] === id)
  expect(mine()).toMatchObject({ Nom: '=SUM(1)', Téléphone: '+213550123456', Statut: 'pending', Total: '5000' })
  const table = there.table(data.spreadsheetId)
  table.name = 'Renamed'
  table.records = table.records.filter(({ cells }) => !Object.values(cells).includes(gone))
  for (const one of [id, gone]) await change(one, { status: 'confirmed' })
  await written()
  expect([mine(), seen(data.spreadsheetId).length]).toMatchObject([{ Statut: 'confirmed' }, 1])
  expect((await target()).rows).toEqual({ waiting: 0, written: 1, gone: 1 })
})

test('each once, though there are many, the base takes few calls, and an answer is lost halfway', async () => {
  const { as, base, order, target, rest, written } = await airtableShop()
  const book = there.make('Theirs', [['Order ID', 'Name']])
  const body = { spreadsheetId: book.id, tabId: book.tables[0]!.id, language: 'en', columns: [{ header: 'Name', field: 'customerName' }] }
  await ok('POST', `${base}/configure`, { as, body })
  there.state.perSecond = 5
  await rest(3600)
  const ids = await Promise.all(Array.from({ length: 24 }, (_, at) => order(`Lina ${at}`)))
  Object.assign(there.faults, { loseAnswer: 0.5 })
  await rest(0)
  await requestDueSheetWrites(context)
  await until(async () => (await target()).problem !== null || (await target()).rows.waiting === 0)
  there.calm()
  await written()
  expect(
    seen(book.id)
      .map((row) => row['Order ID'])
      .sort(),
  ).toEqual(ids.toSorted())
  expect(there.requests.some(({ path, body }) => path.includes(book.id) && body.includes('filterByFormula'))).toBe(true)
  expect(there.state.turnedAway).toBe(0)
  there.state.perSecond = Number.POSITIVE_INFINITY
}, 60_000)

test('new orders have their records first, and no call has more than the adapter takes', async () => {
  const { as, base, order, change, rest, written } = await airtableShop()
  const book = there.make('Theirs', [['Order ID', 'Status']])
  const columns = [{ header: 'Status', field: 'status' }]
  await ok('POST', `${base}/configure`, { as, body: { spreadsheetId: book.id, tabId: book.tables[0]!.id, language: 'en', columns } })
  const mounted = Object.assign(context.plugins.find('spreadsheet', 'airtable')!.adapter, { rowsAtOnce: 10 })
  const ids = await Promise.all(Array.from({ length: 25 }, (_, at) => order(`Lina ${at}`)))
  await written()
  await rest(3600)
  for (const id of ids) await change(id, { status: 'confirmed' })
  const late = await order('Nour')
  const before = there.requests.length
  await written()
  const calls = there.requests.slice(before).filter(({ path }) => path.includes(book.id))
  const sent = calls.filter(({ path, method }) => method === 'PATCH' || (method === 'POST' && !path.endsWith('listRecords')))
  expect(sent.map(({ method, body }) => `${method} ${JSON.parse(body).records.length}`)).toEqual([
    'POST 1',
    'PATCH 9',
    'PATCH 10',
    'PATCH 6',
  ])
  expect(sent[0]!.body).toContain(late)
  expect(calls.filter(({ body }) => body.includes('filterByFormula'))).toHaveLength(3)
  Object.assign(mounted, { rowsAtOnce: airtable.rowsAtOnce })
}, 60_000)

test('a record that its base does not take keeps no other from being written, and is tried again', async () => {
  const { storeId, as, base, order, target } = await airtableShop()
  const book = there.make('Theirs', [['Order ID', 'Name']], { Name: 'singleSelect' })
  const [, field] = book.tables[0]!.fields
  const names = Array.from({ length: 20 }, (_, at) => `Lina ${at}`)
  Object.assign(field!, { choices: [...names, 'Late'] })
  const columns = [{ header: 'Name', field: 'customerName' }]
  await ok('POST', `${base}/configure`, { as, body: { spreadsheetId: book.id, tabId: book.tables[0]!.id, language: 'en', columns } })
  const written = async (count: number) => {
    await until(async () => {
      await requestDueSheetWrites(context)
      return (await target()).rows.written === count
    })
  }
  await sql`update sheet_targets set rests_until = now() + interval '1 hour' where project_id = ${projectIdOf(storeId)}`
  for (const name of ['Nobody', ...names.slice(0, 10), 'Nobody else', ...names.slice(10)]) await order(name)
  await sql`update sheet_targets set rests_until = null where project_id = ${projectIdOf(storeId)}`
  await written(20)
  await until(async () => (await target()).problem !== null)
  expect(await target()).toMatchObject({ problem: expect.stringContaining('option "Nobody'), rows: { waiting: 2, written: 20, gone: 0 } })
  await order('Late')
  await written(21)
  expect((await target()).problem).not.toBeNull()
  Object.assign(field!, { choices: [...names, 'Late', 'Nobody', 'Nobody else'] })
  await ok('POST', `${base}/sync-headers`, { as })
  await written(23)
  await until(async () => (await target()).problem === null)
}, 60_000)

test('tokens are renewed by the refresh token that came last, as often as it takes', async () => {
  there.state.lifetime = 1
  const { as, base } = await airtableShop()
  const before = there.state.renewed
  for (let times = 0; times < 3; times += 1) {
    await ok('GET', `${base}/list`, { as })
    await Bun.sleep(1_100)
  }
  await ok('GET', `${base}/list`, { as })
  expect(there.state.renewed - before).toBeGreaterThanOrEqual(3)
  there.state.lifetime = 3600
})
