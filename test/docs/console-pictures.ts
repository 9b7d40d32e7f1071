import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../core/config.ts'
import { serve } from '../../core/serve.ts'
import { closeEverything } from '../support/at-end.ts'
import { type Look, openConsole } from '../support/console.ts'
import { removeScratch, scratchFolder } from '../support/scratch.ts'
import { inParallel, storefront } from '../support/storefront.ts'

/**
 * Takes pictures of the console in three languages, for a person to look at: `bun test/docs/console-pictures.ts [folder]`. The two that the
 * README shows are `orders-fr.webp` and `desk-ar.webp`.
 */
const folder = process.argv[2] ?? join(import.meta.dir, '../../.data/pictures')

const GOODS = [
  ['Parfum Oud 50 ml', 2600],
  ['عباية سوداء', 7100],
  ['Montre femme', 3900],
  ['Basket 42', 6500],
  ['Robot mixeur', 12_300],
] as const
const PEOPLE = [
  'Imene Touati',
  'أمينة قاسمي',
  'Mohamed Amine Boudiaf',
  'Rania Cherif',
  'فاطمة الزهراء كاسي',
  'Walid Saadi',
  'Sofiane Merabet',
]
const PLACES = [
  ['16', 'Bab Ezzouar'],
  ['31', 'Oran'],
  ['25', 'Constantine'],
  ['06', 'Bejaia'],
  ['23', 'Annaba'],
  ['09', 'Blida'],
] as const
const ORDERS = 60

const at = <Item>(list: readonly Item[], index: number): Item => list[index % list.length]!

/** Fills a store with goods and orders in every state that a person sees on the first day. */
async function fillStore(url: string) {
  const client = storefront(url)
  const { as, storeId } = await client.open()
  await client.ok('PATCH', `/v1/stores/${storeId}`, as, { name: 'Boutique Lina', settings: { deliveryPrices: { home: 600, pickup: 400 } } })
  await client.ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, as, {
    enabled: true,
    credentials: { webhookSecret: 'pictures' },
    settings: {},
  })
  const goods = await inParallel(GOODS, 2, ([name, price], index) =>
    client.ok('POST', '/v1/products', as, { storeId, name, sku: `P-${index}`, price, status: 'active', initialStock: 500 }),
  )
  for (let index = 0; index < ORDERS; index += 1) {
    const [stateCode, cityName] = at(PLACES, index * 5)
    const order = await client.ok('POST', '/v1/orders', as, {
      storeId,
      customer: { name: at(PEOPLE, index), phone: `0550${String(120_000 + index * 37)}` },
      destination: { country: 'DZ', stateCode, cityName, address: `Cité ${100 + index} logts, bt ${index % 9}`, deliveryType: 'home' },
      items: [{ productId: at(goods, index * 3).id, quantity: 1 + (index % 2) }],
    })
    if (index % 3 !== 0) continue
    await client.ok('PATCH', `/v1/orders/${order.id}`, as, { status: 'confirmed' })
    if (index % 2 === 0) await client.ok('POST', `/v1/stores/${storeId}/orders/${order.id}/carriers/sandbox/send`, as, {})
  }
  const { user } = await client.ok('GET', '/v1/me', as)
  return { storeId, email: String(user.email) }
}

const pictures: readonly (readonly [name: string, path: string, look: Look])[] = (['en', 'fr', 'ar'] as const).flatMap((language) => [
  [`orders-${language}`, 'orders', { language }] as const,
  [`orders-dark-${language}`, 'orders', { language, theme: 'dark' }] as const,
  [`orders-phone-${language}`, 'orders', { language, size: 'phone' }] as const,
  [`desk-${language}`, 'desk', { language, size: 'phone' }] as const,
  [`desk-desktop-${language}`, 'desk', { language }] as const,
  [`new-order-${language}`, 'orders/new', { language }] as const,
  [`today-${language}`, 'today', { language }] as const,
  [`send-${language}`, 'send', { language }] as const,
  [`pack-phone-${language}`, 'pack', { language, size: 'phone' }] as const,
  [`cash-${language}`, 'cash', { language }] as const,
  [`customers-${language}`, 'customers', { language }] as const,
])

const running = await serve(readConfig({ PORT: '0', DATA_DIR: await scratchFolder(), LOG_LEVEL: 'fatal' }), { socket: true })
const origin = running.listening!.url.origin
try {
  await mkdir(folder, { recursive: true })
  const { storeId, email } = await fillStore(origin)
  const browser = await openConsole({ origin })
  await browser.signIn({ email })
  for (const [name, path, look] of pictures) {
    await browser.visit(`/console/${storeId}/${path}`, look)
    await Bun.sleep(400)
    await browser.picture(join(folder, `${name}.webp`))
    console.log(join(folder, `${name}.webp`))
  }
  await browser.close()
} finally {
  await running.stop()
  await closeEverything()
  await removeScratch()
}
process.exit(0)
