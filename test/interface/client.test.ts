import { expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startApp } from '../support/app.ts'
import { readDocument } from '../support/openapi.ts'
import { writeTypesOf } from '../support/openapi-types.ts'

const app = await startApp({}, { socket: true })
const document = await readDocument(app)
const root = join(import.meta.dir, '../..')
const folder = join(root, 'node_modules/.cache/client')

/** A program that somebody writes against the generated client. */
const program = `
import createClient from 'openapi-fetch'
import type { components, paths } from './api.ts'

/** Calls a server as somebody would who starts with its OpenAPI document, and returns what came of it. */
export async function run(baseUrl: string) {
  const client = createClient<paths>({ baseUrl })
  const signup = { name: 'Amina', email: 'amina@example.dz', password: 'correct horse battery' }
  const { data: account } = await client.POST('/v1/users/auth/signup', { body: signup })
  const token: string = account!.data.token
  client.use({ onRequest({ request }) { request.headers.set('authorization', \`Bearer \${token}\`) } })
  const { data: store } = await client.POST('/v1/stores', { body: { name: 'Boutique', countryCode: 'DZ', currencyCode: 'DZD' } })
  const storeId = store!.data.id
  const { data: product, response: made } = await client.POST('/v1/products', { body: { storeId, name: 'Basket', sku: 'B-1', price: 6500.5, status: 'active', initialStock: 10 } })
  const references: string[] = []
  for (const phone of ['0550000001', '0550000002', '0550000003']) {
    const { data: order } = await client.POST('/v1/orders', {
      body: {
        storeId,
        customer: { name: 'Lina', phone },
        destination: { country: 'DZ', stateCode: '16', cityName: 'Hydra', address: 'rue 1', deliveryType: 'home' },
        items: [{ productId: product!.data.id, quantity: 2 }],
      },
    })
    const total: number = order!.data.totals.total
    references.push(\`\${order!.data.reference} \${total}\`)
  }
  const listed: string[] = []
  let pages = 0
  for (let cursor: string | undefined; ; pages += 1) {
    const { data: page } = await client.GET('/v1/orders', { params: { query: { storeId, limit: 2, status: 'pending', ...(cursor !== undefined && { cursor }) } } })
    for (const { reference, totals } of page!.data) listed.push(\`\${reference} \${totals.total}\`)
    if (page!.nextCursor === null) break
    cursor = page!.nextCursor
  }
  const { data: patched } = await client.PATCH('/v1/products/{id}', { params: { path: { id: product!.data.id } }, body: { price: 7000 } })
  const { error: taken, response: refused } = await client.POST('/v1/products', { body: { storeId, name: 'Other', sku: 'B-1', price: 1 } })
  const { error: absent } = await client.GET('/v1/parcels/{id}', { params: { path: { id: 'par_1' } } })
  const code: components['schemas']['Error']['error']['code'] | undefined = absent?.error.code
  return { made: made.status, references, listed, pages: pages + 1, price: patched!.data.price, refused: [refused.status, taken?.error.code, taken?.error.requestId], code }
}

declare const client: ReturnType<typeof createClient<paths>>
/** Compiled and never run: what a client cannot write. */
export async function misuse() {
  const { data: answer } = await client.GET('/v1/parcels/{id}', { params: { path: { id: 'par_1' } } })
  const parcel = answer!.data
  const tracking: string | null = parcel.trackingId
  await client.POST('/v1/stores/{storeId}/orders/{orderId}/carriers/{carrierCode}/send', { params: { path: { storeId: 's', orderId: 'ord_1', carrierCode: 'sandbox' } } })
  // @ts-expect-error: a parcel has no colour
  parcel.colour
  // @ts-expect-error: a store has a name
  await client.POST('/v1/stores', { body: { countryCode: 'DZ', currencyCode: 'DZD' } })
  return tracking
}
`

const settings = {
  compilerOptions: {
    target: 'ESNext',
    module: 'Preserve',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    lib: ['ESNext', 'DOM'],
    types: [],
  },
  files: ['program.ts'],
}

interface Program {
  run(baseUrl: string): Promise<Record<string, unknown>>
}

test('a client that is generated from the OpenAPI document compiles under strict, and works against a server', async () => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'api.ts'), await writeTypesOf(document, folder))
  writeFileSync(join(folder, 'program.ts'), program)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const compiler = Bun.spawn([join(root, 'node_modules/.bin/tsc'), '-p', folder], { stdout: 'pipe', stderr: 'pipe' })
  const said = await new Response(compiler.stdout).text()
  expect([await compiler.exited, said]).toEqual([0, ''])

  const { run } = (await import(join(folder, 'program.ts'))) as Program
  const { references, listed, ...outcome } = await run(app.origin)
  expect(references).toHaveLength(3)
  expect(listed).toEqual((references as string[]).toReversed())
  expect(outcome).toEqual({
    made: 201,
    pages: 2,
    price: 7000,
    refused: [409, 'sku_taken', expect.any(String)],
    // A person names the store whose parcels are meant.
    code: 'invalid_request',
  })
}, 120_000)
