import { openApi } from './api.ts'
import { askAssistants } from './assistants.ts'
import { callbackAddress, connect, sandbox, yalidine } from './carriers.ts'
import { checksOf } from './checks.ts'
import { confirm } from './confirm.ts'
import { runConnectedShop } from './connected-shop.ts'
import { exchange } from './exchange.ts'
import { balances, carrierFigures, countLaggingOrders, stockFigures } from './figures.ts'
import { hookFigures, hooksDone } from './hooks.ts'
import { importOrders, leaveNewOrders } from './orders.ts'
import { takePayments } from './prepaid.ts'
import type { progress } from './progress.ts'
import type { Receiver } from './receiver.ts'
import { send, share } from './rehearsals.ts'
import type { Results } from './report.ts'
import { allParcels } from './sending.ts'
import type { Server } from './server.ts'
import { readSheet, readTruth } from './sheet.ts'
import { openShop, type Shop } from './shop.ts'
import { play } from './simulate-carrier.ts'

/** New orders that are left to whoever opens the console. */
const LEFT_TO_CALL = 30

/** Runs the demo over HTTP: from an empty server to delivered parcels and the cash for them. */
export async function run(
  server: Server,
  receiver: Receiver,
  { step, steps }: ReturnType<typeof progress>,
): Promise<{ shop: Shop; results: Results }> {
  const api = openApi(server.origin)
  const simulator = server.yalidine
  const carriers = [sandbox(), yalidine(simulator)] as const
  const rows = await readSheet()

  const shop = await step('Create a store with an owner, an API key, products and a webhook endpoint', async (say) => {
    const opened = await openShop(api, rows, receiver)
    say(`${opened.products.size} products in stock`)
    return opened
  })

  const imported = await step(`Import the ${rows.length} orders of the spreadsheet`, async (say) => {
    const result = await importOrders(api, shop, rows, await readTruth())
    say(`${result.taken.length} orders imported, ${result.asking.length} rows need your attention`)
    for (const [why, some] of Map.groupBy(result.asking, ({ why }) => why)) say(`  - ${some.length}: ${why}`)
    return result
  })

  const confirmed = await step('Call the first customers to confirm their orders', (say) => confirm(api, shop, say))

  const addresses = await step('Connect the carriers', async (say) => {
    const states = await Promise.all(carriers.map((carrier) => connect(api, shop, carrier)))
    for (const [at, { label }] of carriers.entries()) say(`${label}: ${states[at]!.status}`)
    const urls = await Promise.all(carriers.map((carrier) => callbackAddress(api, shop, carrier)))
    const isOurs = await simulator.crc(urls[1]!)
    return { urls, connected: states.every(({ status }) => status === 'connected') && isOurs }
  })

  const sent = await step('Send half of the orders with each carrier, and rehearse faults', async (say) => {
    const loads = await share(api, shop, imported, carriers)
    const afterTaking = await balances(api, shop)
    return { loads, afterTaking, sending: await send(api, shop, loads, simulator, say) }
  })
  const taken = sent.loads.flatMap(({ orders }) => orders)

  const told = await step('Receive signed callbacks while the carriers deliver', async (say) => {
    const parcels = (await allParcels(api, shop)).filter(({ trackingId }) => trackingId !== null)
    const days = await Promise.all(
      carriers.map((carrier, at) =>
        play(
          carrier,
          addresses.urls[at]!,
          parcels.filter(({ courierId }) => courierId === carrier.key),
        ),
      ),
    )
    for (const [at, { label }] of carriers.entries())
      say(`${label}: ${days[at]!.callbacks} callbacks accepted, one of them repeated and one late; a forged one was rejected`)
    return days
  })

  const prepaid = await step('Accept prepayments in a second store', (say) => takePayments(api, shop, server.chargily, say))

  const exchanged = await step('Exchange a pair of sandals at the door in a third store', (say) => exchange(api, shop, say))

  const throughAll = await step('Follow an order from a connected shop through all connections of a fourth store', (say) =>
    runConnectedShop(api, shop, server.simulators, say),
  )

  const assisted = await step('Ask the assistant in a fifth store', (say) => askAssistants(api, shop, say))

  const done = await step('Wait for the last webhook delivery', async () => hooksDone(api, shop))

  const checked = await step('Check that everything adds up', async () => {
    const [parcels, stockNow] = await Promise.all([allParcels(api, shop), balances(api, shop)])
    const figures = await Promise.all(sent.loads.map(({ carrier, orders }) => carrierFigures(api, shop, carrier, orders.length, parcels)))
    const stock = stockFigures(shop, taken, parcels, sent.afterTaking, stockNow)
    const hooks = await hookFigures(api, shop, receiver, parcels)
    const facts = {
      rows: rows.length,
      imported,
      taken,
      connected: addresses.connected,
      sending: sent.sending,
      told,
      carriers: figures,
      stock,
      hooks,
      hooksDone: done,
      seen: receiver.seen,
      stands: new Map(
        parcels.flatMap(({ trackingId, status, deliveryAttempts: failures }) => (trackingId ? [[trackingId, { status, failures }]] : [])),
      ),
      lagging: await countLaggingOrders(api, shop, parcels),
    }
    return {
      shop,
      results: {
        imported,
        carriers: figures,
        stock,
        hooks,
        seen: receiver.seen,
        events: receiver.events.size,
        prepaid: prepaid.rows,
        checks: [...checksOf(facts), ...confirmed, ...prepaid.checks, ...exchanged, ...throughAll, ...assisted],
        steps,
      },
    }
  })

  await step(`Place ${LEFT_TO_CALL} new orders, which wait at the desk`, () => leaveNewOrders(api, shop, imported.taken, LEFT_TO_CALL))
  return checked
}
