import { expect, test } from 'bun:test'
import { startApp } from '../../support/app.ts'

const { ok, shop } = await startApp()
await shop() // the first account sees everything; no test wants to be it
const { storeId, owner, key } = await shop()

const COUNT = 30
/** Thirty of them are more than a page has room for. */
const long = 'é"'.repeat(4000)
const metadata = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`key ${at}`, 'x'.repeat(1900)]))
const destination = { country: 'DZ', stateCode: '16', cityName: 'El Biar', address: '', deliveryType: 'home' }
const { data: product } = await ok('POST', '/v1/products', {
  as: key,
  body: { storeId, name: 'Basket '.repeat(20), price: 10, stockKeeping: false },
})

interface LongList {
  readonly path: string
  readonly as: string
  readonly make: (at: number) => object
  readonly of: string
  readonly queries: readonly string[]
}

const lists: Record<string, LongList> = {
  parcels: {
    path: '/v1/parcels',
    as: key,
    make: (at) => ({
      recipient: { name: `A ${at}`, phone: '0550123456' },
      destination,
      notes: 'é'.repeat(1000),
      contents: 'é'.repeat(1000),
      metadata: { ...metadata, more: 'x'.repeat(800) },
    }),
    of: '',
    queries: ['', 'sort=updatedAt', 'phone=%2B213550123456'],
  },
  orders: {
    path: '/v1/orders',
    as: key,
    make: (at) => ({
      storeId,
      customer: { name: 'Amina', phone: '0550123456' },
      destination,
      items: Array.from({ length: 100 }, () => ({ productId: product.id, quantity: at + 1 })),
    }),
    of: `storeId=${storeId}&`,
    queries: ['', 'sort=total', 'status=pending,confirmed&sort=-total', `productId=${product.id}`],
  },
  'image prompt templates': {
    path: '/v1/image_prompt_templates',
    as: owner.token,
    make: (at) => ({ storeId, name: `T ${at}`, prompt: long, negativePrompt: long }),
    of: `storeId=${storeId}&`,
    queries: ['', 'sort=name'],
  },
}

for (const [name, { path, as, make, of, queries }] of Object.entries(lists))
  test(`a page of long ${name} ends before it is too much, and the next goes on there`, async () => {
    const made = new Set<string>()
    for (let at = 0; at < COUNT; at += 1) made.add((await ok('POST', path, { as, body: make(at) })).data.id)
    for (const query of queries) {
      const pages: string[][] = []
      let cursor: string | null = ''
      do {
        const answer = await ok('GET', `${path}?limit=100&${of}${query}${cursor && `&cursor=${cursor}`}`, { as })
        expect(JSON.stringify(answer).length).toBeLessThan(700_000)
        expect('isCut' in answer.data[0] || 'bytes' in answer.data[0]).toBe(false)
        pages.push(answer.data.map(({ id }: { id: string }) => id))
        cursor = answer.nextCursor
      } while (cursor)
      expect([pages.length > 1, pages.flat().length, new Set(pages.flat())]).toEqual([true, COUNT, made])
    }
  })
