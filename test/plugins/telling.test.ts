import { afterAll, expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { startApp } from '../support/app.ts'
import { scratchFolder } from '../support/scratch.ts'
import { atlas, put } from './atlas.ts'

const folder = await scratchFolder()
const files = (slug: string) => ({
  'index.ts': atlas({
    slug,
    extra: "import { tracked } from './reading.ts'\nimport { ask } from 'serai/carrier'",
    members: `track: (context, ids) => tracked(context, ids), statuses: { moving: 'in_transit' },
      serviceFees: (context) => ask(context, 'Atlas', 'https://elsewhere.example/fees').then(() => []),
      stockProducts: async (context) => { await context.fetch('https://elsewhere.example/stock'); return [] },`,
  }),
  // The fourth line is the one that breaks.
  'reading.ts': `
interface Row { readonly status: { readonly word: string } }
export async function tracked(context: { credentials: { token: string } }, ids: readonly string[]) {
  if ((await Promise.resolve(ids)).length) return (undefined as unknown as Row[]).map(({ status }) => status.word)
  throw new Error('said ' + context.credentials.token)
}
`,
})
await put(join(folder, 'apart'), files('apart'))
await put(join(folder, 'within'), files('within'))

for (const [slug, isolation] of [
  ['apart', 'third-party'],
  ['within', 'none'],
] as const) {
  test(`what an adapter throws is logged once and traced with its file and line, isolation ${isolation}`, async () => {
    const { ok, call, shop, context } = await startApp({
      adapterDirs: [folder],
      adapterIsolation: isolation,
      enabledAdapters: [slug],
    } as never)
    const { storeId, owner } = await shop()
    const base = `/v1/stores/${storeId}/integrations/${slug}`
    await ok('PUT', base, { as: owner.token, body: { enabled: true, credentials: { token: 'a-secret-token' }, settings: {} } })
    const warned = spyOn(context.log, 'warn')
    afterAll(() => warned.mockRestore())
    for (let times = 0; times < 5; times += 1)
      expect(await call('GET', `${base}/parcels/X1`, { as: owner.token })).toMatchObject({ status: 502 })
    const lines = warned.mock.calls.map(([line]) => line as unknown as { thrown?: string }).filter(({ thrown }) => thrown)
    expect(lines).toMatchObject([
      { adapter: slug, operation: 'track', thrown: expect.stringMatching(/^TypeError: .*\(reading\.ts:4:\d+\)$/) },
    ])
  })

  test(`an undeclared host is named, isolation ${isolation}`, async () => {
    const { ok, call, shop } = await startApp({ adapterDirs: [folder], adapterIsolation: isolation, enabledAdapters: [slug] } as never)
    const { storeId, owner } = await shop()
    const base = `/v1/stores/${storeId}/integrations/${slug}`
    await ok('PUT', base, { as: owner.token, body: { enabled: true, credentials: { token: 'a-secret-token' }, settings: {} } })
    for (const path of ['service-fees', 'stock/products'])
      expect(await call('GET', `${base}/${path}`, { as: owner.token })).toMatchObject({
        status: 502,
        body: { error: { message: expect.stringContaining('elsewhere.example was not declared. It declares api.atlas.example') } },
      })
  })
}
