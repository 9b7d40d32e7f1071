import { afterAll, describe, expect, test } from 'bun:test'
import metaLeads from '../../../../adapters/connector/meta-leads/index.ts'
import { startApp } from '../../../support/app.ts'
import { until } from '../../../support/until.ts'
import { rig } from './rig.ts'
import { APP, FORM, PAGE, startMetaLeads } from './simulator.ts'

const meta = startMetaLeads()
afterAll(() => meta.stop())
const app = await startApp({ simulators: { 'graph.facebook.com': meta.url }, publicUrl: 'https://ours.example' })
const { call, ok } = app
const admin = await app.person('The administrator')
const { storeId, owner, key } = await app.shop()
const as = owner.token
const base = `/v1/stores/${storeId}/integrations/connectors`
const basket = (await ok('POST', '/v1/products', { as: key, body: { storeId, name: 'Basket', sku: 'B', price: 2500, initialStock: 1000 } }))
  .data
const platform = '/v1/integrations/connectors/meta-leads/webhook'
await ok('PUT', '/v1/platform/integrations/meta-leads', { as: admin.token, body: { enabled: true, credentials: APP } })
const asked = new URL((await ok('GET', `${base}/meta-leads/install-url?name=Dar`, { as })).data.url)
await call('GET', `/v1/integrations/oauth/callback?code=code-of-the-owner&state=${asked.searchParams.get('state')}`)
const read = async () => (await ok('GET', base, { as: key })).data[0]
const { id } = await read()
const at = `${base}/${id}/meta-leads`
const orders = async () => (await ok('GET', `/v1/orders?storeId=${storeId}&limit=100`, { as: key })).data
const tell = (value: unknown, path = platform, headers: Record<string, string> = {}) => {
  const { raw, headers: proven } = meta.signed(value)
  return call('POST', path, { raw, headers: { ...proven, ...headers } })
}

describe('the address of the platform', () => {
  const question = (words: string, challenge = '1158201444') =>
    call('GET', `${platform}?hub.mode=subscribe&hub.verify_token=${encodeURIComponent(words)}&hub.challenge=${challenge}`)

  test('answers the challenge as plain text when the verify token is right, and refuses every other request', async () => {
    const answer = await question(APP.verifyToken)
    expect([answer.status, String(answer.body), answer.headers.get('content-type')]).toEqual([
      200,
      '1158201444',
      expect.stringContaining('text/plain'),
    ])
    for (const words of ['', 'other words', `${APP.verifyToken} `]) expect((await question(words)).status).toBe(401)
    expect((await question(APP.verifyToken, '<script>')).status).toBe(401)
    expect((await call('GET', '/v1/integrations/connectors/youcan/webhook')).status).toBe(404)
    expect((await call('GET', '/v1/integrations/connectors/nobody/webhook')).status).toBe(404)
  })
})

describe('forms', () => {
  test('are found by their page, and set up with what each sells', async () => {
    const pages: { id: string }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await ok('GET', `${at}/pages?limit=20${cursor && `&cursor=${cursor}`}`, { as })
      pages.push(...answer.data)
      cursor = answer.nextCursor
    }
    expect(pages).toHaveLength(31)
    const { data: forms } = await ok('GET', `${at}/forms?pageId=${PAGE.id}`, { as })
    expect(forms).toMatchObject([{ id: FORM, name: 'Panier', questions: [{ key: 'full_name', label: 'Full name' }] }, { id: '77' }])
    expect((await call('GET', `${at}/forms?pageId=1`, { as })).status).toBe(404)
    expect((await call('GET', `${at}/forms`, { as })).status).toBe(400)
    expect((await call('POST', `${at}/reconfigure`, { as, body: {} })).status).toBe(404)
    const configure = (forms: object[]) => call('POST', `${at}/configure`, { as, body: { pageId: PAGE.id, forms } })
    expect((await configure([{ formId: FORM, productId: 'prd_of_nobody' }])).status).toBe(400)
    expect((await configure([{ formId: FORM }, { formId: FORM }])).status).toBe(400)
    const { body } = await configure([{ formId: FORM, productId: basket.id, fields: { note: 'quelle_couleur_?' } }])
    expect(body.data).toMatchObject({ connectorId: id, pageId: PAGE.id, forms: [{ formId: FORM, productId: basket.id }] })
    expect(meta.apps.get(APP.clientId)).toEqual(['leadgen'])
    expect((await ok('GET', `${at}/forms`, { as })).data).toHaveLength(2)
    expect(JSON.stringify((await ok('GET', base, { as })).data)).not.toContain(PAGE.token)
    await until(async () => (await read()).pull.status === 'done')
  })

  test('an answer is one order, at the price of the catalogue, with what brought it, however often it is told', async () => {
    const lead = meta.answer()
    const value = meta.told(lead, lead, { ...lead, pageId: '5' })
    expect((await tell(value, platform, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })).status).toBe(401)
    expect((await Promise.all([tell(value), tell(value)])).map(({ status }) => status)).toEqual([200, 200])
    expect((await tell(meta.told({ ...lead, pageId: '404' }))).status).toBe(404)
    await until(async () => (await read()).orders.taken === 1)
    expect(await orders()).toMatchObject([
      {
        status: 'pending',
        customer: { name: 'لينا Saadi', phone: '+213550123456' },
        destination: { stateCode: '16', cityName: 'Bab Ezzouar' },
        items: [{ productId: basket.id, quantity: 1, unitPrice: 2500 }],
        totals: { subtotal: 2500 },
        note: 'Rouge',
        metadata: {
          channel: 'meta-leads',
          formId: FORM,
          campaignId: '23850000000000003',
          campaignName: 'Été',
          adId: '23850000000000001',
          medium: 'ig',
        },
      },
    ])
  })

  test('what Meta makes up, and answers to other forms, are no orders; one that cannot be read calls nothing off', async () => {
    const [dummy, other, gone] = [meta.answer(FORM, { city: '<test lead: dummy data for city>' }), meta.answer('77'), meta.answer()]
    meta.expired.add(gone.id)
    expect((await tell(meta.told(dummy, other))).status).toBe(200)
    const [taken] = await orders()
    const [first] = [...meta.leads.keys()]
    meta.expired.add(first!)
    expect((await tell(meta.told({ id: first!, formId: FORM }, gone))).status).toBe(200)
    await Bun.sleep(500)
    expect(await orders()).toMatchObject([{ id: taken.id, status: 'pending' }])
    meta.leads.delete(gone.id)
    meta.expired.clear()
  })

  test('named anew, the answers of the last months are read again', async () => {
    const { data } = await ok('POST', `${at}/reconfigure`, {
      as,
      body: {
        forms: [
          { formId: '77', productId: basket.id },
          { formId: FORM, productId: basket.id },
        ],
      },
    })
    expect(data.forms.map(({ formId }: { formId: string }) => formId)).toEqual(['77', FORM])
    await until(async () => (await read()).orders.taken === 2 && (await read()).pull.status === 'done')
    expect((await orders()).map(({ metadata }: { metadata: { formId: string } }) => metadata.formId).sort()).toEqual(['77', FORM])
  })
})

describe('the adapter', () => {
  const side = rig(metaLeads)
  afterAll(() => side.close?.())

  test('never says that a lead is not there', async () => {
    const { context } = side.open()
    const asked = async () => metaLeads.readOrder?.(context, { externalId: '1' })
    await expect(asked()).rejects.toMatchObject({ reason: 'refused' })
  })

  test('reads forms one after the other, from wherever it stopped', async () => {
    const { context } = side.open()
    await context.storage.set('forms', [{ formId: '1' }, { formId: FORM }])
    await side.place(side.open(), 30)
    const first = await metaLeads.pull(context, { since: null, cursor: null })
    expect([first.orders.length, first.cursor]).toEqual([0, JSON.stringify([FORM, ''])])
    const second = await metaLeads.pull(context, { since: null, cursor: first.cursor })
    expect(second.orders).toHaveLength(25)
    const third = await metaLeads.pull(context, { since: null, cursor: second.cursor })
    expect([third.orders.length, third.cursor]).toEqual([5, null])
  })

  test('goes on with the form that it stopped in, whatever was named meanwhile, and from the beginning where that is gone', async () => {
    const { context } = side.open()
    const { cursor } = await metaLeads.pull(context, { since: null, cursor: null })
    await context.storage.set('forms', [{ formId: '1' }, { formId: '2' }, { formId: FORM }])
    expect((await metaLeads.pull(context, { since: null, cursor })).orders.length).toBeLessThan(25)
    await context.storage.set('forms', [{ formId: '1' }, { formId: '2' }])
    expect((await metaLeads.pull(context, { since: null, cursor })).cursor).toBe('["2",""]')
  })

  test('reads what was answered since a time, says in the note what it cannot read, and lets a quantity that it cannot read wait', async () => {
    const { context } = side.open()
    await context.storage.set('forms', [{ formId: FORM, fields: { quantity: 'combien', country: 'pays' } }])
    const before = await metaLeads.pull(context, { since: null, cursor: null })
    const last = before.orders
      .map(({ updatedAt }) => updatedAt)
      .sort()
      .at(-1)!
    const later = new Date(Date.parse(last) + 60_000).toISOString()
    expect((await metaLeads.pull(context, { since: later, cursor: null })).orders).toEqual([])
    const lead = { id: '9', created_time: '2026-11-20T10:00:00+0000', form_id: FORM }
    const answers = (combien: string, pays: string) => [
      { name: 'combien', values: [combien] },
      { name: 'pays', values: [pays] },
    ]
    const answering = (field_data: object[]) => ({ ...context, fetch: async () => Response.json({ ...lead, field_data }) })
    const answered = async (combien: string, pays: string) => metaLeads.readOrder?.(answering(answers(combien, pays)), { externalId: '9' })
    const read = async (combien: string, pays: string) => (await answered(combien, pays))?.order
    expect(await read('3', 'DZ')).toMatchObject({ items: [{ quantity: 3 }], address: { country: 'DZ' } })
    for (const two of ['2 pièces', '2_pièces', '2_قطع', '٢', '２', '2 pièce(s)', '2 pie\u0300ces', '2 pcs.', '2,00'])
      expect([two, await read(two, 'DZ')]).toMatchObject([two, { items: [{ quantity: 2 }] }])
    // One piece would be a guess: the lead waits for a person.
    for (const unsure of ['2,000', '2 ou 3', '2.5', '0', 'deux'])
      expect(await answered(unsure, 'DZ')).toMatchObject({
        unreadable: { externalId: '9', number: 'L-9', reason: expect.stringContaining(`quantity is “${unsure}”`) },
      })
    for (const nothing of ['', '  ']) expect(await read(nothing, 'DZ')).toMatchObject({ items: [{ quantity: 1 }] })
    expect(await read('3', 'Algérie')).toMatchObject({ items: [{ quantity: 3 }], note: 'pays: Algérie' })
  })
})
