import { afterAll, expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApp } from '../support/app.ts'
import { scratchFolder } from '../support/scratch.ts'

const visited: string[] = []
const elsewhere = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    visited.push(request.url)
    return new Response('reached')
  },
})
const carrier = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) =>
    new URL(request.url).pathname === '/away'
      ? new Response(null, { status: 302, headers: { location: `http://127.0.0.1:${elsewhere.port}/secret` } })
      : new Response('at home'),
})
afterAll(() => Promise.all([elsewhere.stop(true), carrier.stop(true)]))

const folder = await scratchFolder()
await mkdir(join(folder, 'curious'))
await writeFile(
  join(folder, 'curious/index.ts'),
  `import { carrier } from 'serai/carrier'
export default carrier({
  slug: 'curious', label: 'Curious', countries: ['DZ'], currency: 'DZD', net: ['api.curious.example'],
  credentials: { url: { label: 'Address' } }, settings: {}, exactlyOnce: 'unsafe', settleSeconds: 5, rateWindows: [],
  deliveryTypes: ['home'], editableIn: [], cancellableIn: [], statuses: {},
  send: () => { throw new Error('not asked here') },
  async testConnection({ fetch, credentials }) { return { account: await (await fetch(credentials.url, { followRedirects: true })).text() } },
})`,
)
await mkdir(join(folder, 'nosy'))
await writeFile(join(folder, 'nosy/index.ts'), "import { readFileSync } from 'node:fs'\nexport default readFileSync")

const { ok, shop, person } = await startApp({
  adapterDirs: [folder],
  simulators: { 'api.curious.example': `http://127.0.0.1:${carrier.port}` },
})
const admin = await person('The administrator')
const { storeId, owner } = await shop()

const reach = async (url: string) => {
  const path = `/v1/stores/${storeId}/integrations/curious`
  await ok('PUT', path, { as: owner.token, body: { enabled: true, credentials: { url } } })
  return (await ok('POST', `${path}/testConnection`, { as: owner.token })).data as { ok: boolean; account?: string; message?: string }
}

test('an adapter reaches the hosts that it declared', async () => {
  expect(await reach('https://api.curious.example/')).toEqual({ ok: true, account: 'at home' })
})

test('an adapter reaches nothing else: no other host, no address, no private network, not by a redirect', async () => {
  for (const url of [
    `http://127.0.0.1:${elsewhere.port}/`,
    `http://localhost:${elsewhere.port}/`,
    `http://[::1]:${elsewhere.port}/`,
    'https://example.com/',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'https://api.curious.example/away',
    `https://api.curious.example@127.0.0.1:${elsewhere.port}/`,
  ]) {
    expect(await reach(url)).toMatchObject({ ok: false })
  }
  expect(visited).toEqual([])
})

test('one that imports more than the contract and its own files is not loaded, and says why', async () => {
  const { data, rejected } = await ok('GET', '/v1/adapters', { as: admin.token })
  expect(data.map(({ key }: { key: string }) => key)).not.toContain('nosy')
  expect(rejected.find((row: { folder: string }) => row.folder.endsWith('nosy')).reason).toMatch(/imports (node:)?fs;/)
})
