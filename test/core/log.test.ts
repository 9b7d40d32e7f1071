import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { maskLine } from '../../core/log.ts'
import { freePort, spawnServer } from '../support/process.ts'
import { scratchFolder } from '../support/scratch.ts'
import { storefront } from '../support/storefront.ts'

test('the log of a server says what an operator must know, and nothing of any person', async () => {
  let told = ''
  const logTo = join(await scratchFolder(), 'log')
  const server = await spawnServer({ LOG_LEVEL: 'info' }, { logTo })
  try {
    const api = storefront(server.url)
    const { as, key, storeId } = await api.open()
    await api.ok('PUT', `/v1/stores/${storeId}/integrations/sandbox`, as, { enabled: true, credentials: {}, settings: {} })
    await api.ok('POST', '/v1/webhook-endpoints', key, {
      url: `http://127.0.0.1:${await freePort()}/secretpath`,
      events: ['parcel.created'],
    })
    const product = await api.ok('POST', '/v1/products', key, { storeId, name: 'Basket', price: 1000 })
    const order = await api.ok('POST', '/v1/orders', key, {
      storeId,
      customer: { name: 'FAIL Secretname', phone: '0550123456', email: 'secret@example.dz' },
      destination: { country: 'DZ', stateCode: '16', cityName: 'Bab Ezzouar', address: 'Secretstreet 1', deliveryType: 'home' },
      items: [{ productId: product.id, quantity: 1 }],
    })
    await api.ask('POST', '/v1/orders/send', key, { storeId, carrierCode: 'sandbox', orders: [{ orderId: order.id }] })
    const form = new FormData()
    form.set('file', new File(['name,price\nGood,1000\nBad,-5\n'], 'products.csv', { type: 'text/csv' }))
    const answer = await fetch(`${server.url}/v1/products/import?storeId=${storeId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: form,
    })
    expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)])
    const wanted = [
      'a carrier refused parcels',
      'a webhook endpoint fails',
      'a mail lies in the outbox: no mail server is set (SMTP_URL)',
      'an import has failed rows',
    ]
    const read = () => Bun.file(logTo).text()
    for (let looks = 0; looks < 200 && !wanted.every((words) => told.includes(words)); looks += 1) {
      await Bun.sleep(100)
      told = await read()
    }
    expect(wanted.filter((words) => !told.includes(words))).toEqual([])
    expect(told).not.toMatch(/Secret|secret@|@example|550123456|secretpath|sk_[\w-]{20}|st_[\w-]{20}/)
  } finally {
    await server.stop()
  }
}, 120_000)

test('e-mail addresses, phone numbers and credentials are masked wherever they stand in a line', () => {
  const line = JSON.stringify({ time: 1732680000000, msg: `for lina@example.dz at +213550123456 or 0550123456 with sk_${'a'.repeat(43)}` })
  expect(JSON.parse(maskLine(line))).toEqual({ time: 1732680000000, msg: 'for [email] at [phone] or [phone] with [secret]' })
})
